import Foundation
import Messages
import Partitions
import SQLite

/// What a check of the pipeline has found. push.db keeps the findings of its last publishing: the report tells them,
/// and the next command finds out by them what is new.
package struct CheckFinding: Sendable {
    /// How many columns of a row are told.
    private static let toldColumns = 8

    package let name: String
    /// At most `CheckQuestion.mostRows`; nil if it could not be asked.
    package private(set) var rows: Int? = 0
    /// Those that it had not found at the publishing before.
    private var newRows = 0
    /// What is new, or why it could not be asked; nil for nothing.
    private var words: String?
    /// A hash of each row. If it could not be asked, those that were known before.
    private var hashes: [UInt64] = []

    /// Asks a check, and compares what it finds with what push.db has kept.
    init(_ name: String, asking sql: String, in database: Database, isStopped: @escaping () -> Bool) throws {
        self.name = name
        hashes = try CheckFinding.all(in: database, named: name).first?.hashes ?? []
        do {
            let known = Set(hashes)
            try database.ask(sql, isStopped: isStopped) { row, columns in try read(row, columns: columns, known: known)
            }
        } catch let error as DatabaseError {
            rows = nil
            newRows = 0
            words = CheckQuestion.words(error)
        }
    }

    private mutating func read(_ row: Statement, columns: [String], known: Set<UInt64>) throws {
        var (found, first, isCut): ([UInt64], String, Bool) = ([], "", false)
        while try row.next() {
            isCut = found.count == CheckQuestion.mostRows
            if isCut { break }
            var hash = ContentHash()
            hash.add(row.values, of: "")
            found.append(hash.value)
            if known.contains(hash.value) { continue }
            if newRows == 0 { first = CheckFinding.told(row, columns: columns) }
            newRows += 1
        }
        rows = found.count
        hashes = found
        guard newRows > 0 else { return }
        let areAllNew = newRows == found.count
        let count =
            areAllNew && isCut
            ? "more than \(Text.number(newRows)) rows" : Text.plural(newRows, of: areAllNew ? "row" : "new row")
        words = "\(count)\(newRows > 1 ? ", the first" : ""): \(first)"
    }

    private static func told(_ row: Statement, columns: [String]) -> String {
        columns.prefix(toldColumns).enumerated().map { index, name in
            let text =
                switch row.value(index) {
                case .null: "NULL"
                case .int64(let number): "\(number)"
                case .double(let number): "\(number)"
                case .string(let text): text
                case .blob(let bytes): "\(bytes.count) bytes"
                }
            return "\(short(name)) \(short(text))"
        }.joined(separator: ", ")
    }

    private static func short(_ text: String) -> String { text.count > 60 ? text.prefix(59) + "…" : text }
}

// What is told.

extension CheckFinding {
    package var isNothing: Bool { rows == 0 }

    /// How many of its rows it had found at the publishing before.
    package var formerRows: Int { (rows ?? 0) - newRows }

    /// What is new, or why it could not be asked; nil for nothing.
    package var message: Message? {
        guard let words else { return nil }
        if rows == nil { return Message(.checkUnfinished, text: "check '\(name)' could not be answered: \(words)") }
        return Message(.checkFound, text: "check '\(name)' found \(words)")
    }
}

extension [CheckFinding] {
    /// What the checks found before and still find, in one line for all; nil for nothing.
    package var formerMessage: Message? {
        let still = filter { $0.formerRows > 0 }
        guard !still.isEmpty else { return nil }
        let list = still.map { finding -> MessageText in
            let more = finding.formerRows == CheckQuestion.mostRows ? " or more" : ""
            return "\(finding.name) (\(Text.plural(finding.formerRows, of: "row"))\(more))"
        }
        return Message(
            .checksStillFind, text: "checks still find what they found before: \(list.joined(separator: ", "))")
    }
}

// What is kept.

extension CheckFinding {
    /// SQL that is true for each row as a command writes it.
    static let isGood = """
        typeof(name) = 'text'
        AND (found IS NULL OR typeof(found) = 'integer' AND found BETWEEN 0 AND \(CheckQuestion.mostRows))
        AND typeof(new) = 'integer' AND new BETWEEN 0 AND coalesce(found, 0)
        AND typeof(words) IN ('text', 'null') AND typeof(hashes) = 'blob'
        """

    private init(_ row: Statement) throws {
        name = try row.read(0)
        rows = try row.read(1)
        newRows = try row.read(2)
        words = try row.read(3)
        let bytes: [UInt8] = try row.read(4)
        hashes = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<min(start + 8, bytes.count)].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The findings of the last publishing, in the order of the pipeline.
    package static func all(in database: Database) throws -> [CheckFinding] { try all(in: database, named: nil) }

    private static func all(in database: Database, named name: String?) throws -> [CheckFinding] {
        // What others have written there counts as missing: the next command that publishes asks again.
        try database.rows(
            """
            SELECT name, found, new, words, hashes FROM main._checks WHERE name = coalesce(?, name) AND \(isGood)
            ORDER BY number
            """, binding: .of(name), as: CheckFinding.init)
    }

    /// Keeps the findings in the place of the former ones.
    static func keep(_ findings: [CheckFinding], in database: Database) throws {
        try database.execute("DELETE FROM main._checks")
        for (number, finding) in findings.enumerated() {
            let bytes = finding.hashes.flatMap { hash in withUnsafeBytes(of: hash.bigEndian, Array.init) }
            try database.execute(
                "INSERT INTO main._checks VALUES (?, ?, ?, ?, ?, ?)",
                binding: .of(number, finding.name, finding.rows, finding.newRows, finding.words, bytes))
        }
    }
}

extension OutputDatabase {
    /// What a check finds in the push.db that is there; nil if there is none.
    package func ask(_ name: String, sql: String) throws -> CheckFinding? {
        try read { try CheckFinding(name, asking: sql, in: $0, isStopped: isStopped) }
    }

    /// The findings of the last publishing.
    package func checkFindings() throws -> [CheckFinding] {
        try read { try CheckFinding.all(in: $0) } ?? []
    }
}
