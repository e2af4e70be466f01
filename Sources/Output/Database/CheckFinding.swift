import Foundation
import Messages
import Partitions
import SQLite

/// The rows that a check of the pipeline has found. push.db keeps the findings of its last publishing. The report shows
/// them, and the next command compares its own with them to see what is new.
package struct CheckFinding: Sendable {
    /// The most columns of a row that a message shows.
    private static let toldColumns = 8

    package let name: String
    /// At most `CheckQuestion.mostRows`; nil if it could not be asked.
    package private(set) var rows: Int? = 0
    /// The number of rows that the check had not found at the former publishing.
    private var newRows = 0
    /// The new rows in words, or why the check could not be asked; nil if nothing is new.
    private var words: String?
    /// A hash of each row found. If the check could not be asked, the hashes of the former finding.
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

// Messages about a finding.

extension CheckFinding {
    package var isNothing: Bool { rows == 0 }

    /// The number of rows that the check had already found at the former publishing.
    package var formerRows: Int { (rows ?? 0) - newRows }

    /// The message about new rows, or about a check that could not be asked; nil if nothing is new.
    package var message: Message? {
        guard let words else { return nil }
        if rows == nil { return Message(.checkUnfinished, text: "check '\(name)' could not be answered: \(words)") }
        return Message(.checkFound, text: "check '\(name)' found \(words)")
    }
}

extension [CheckFinding] {
    /// One message about all rows that were found before and are still found; nil if there are none.
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

// The table `_checks`.

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
        // A row that pushetl cannot have written counts as missing. The next publishing asks its check again.
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
    /// Asks a check of the present push.db; nil if there is no push.db.
    package func ask(_ name: String, sql: String) throws -> CheckFinding? {
        try read { try CheckFinding(name, asking: sql, in: $0, isStopped: isStopped) }
    }

    /// The findings of the last publishing.
    package func checkFindings() throws -> [CheckFinding] {
        try read { try CheckFinding.all(in: $0) } ?? []
    }
}
