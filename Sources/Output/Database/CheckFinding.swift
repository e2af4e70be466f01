import CSQLite
import Foundation
import Ledger
import Partitions
import SQLite

/// What a question to push.db has found: a check of the pipeline. push.db keeps the findings of its last publishing, so that
/// the report can tell them.
package struct CheckFinding: Codable, Equatable, Sendable {
    package let name: String
    /// At most `CheckAnswer.mostRows`; nil if it could not be asked.
    package let rows: Int?
    /// Nil if it has found nothing.
    package let sentence: String?

    package init(name: String, rows: Int?, sentence: String?) {
        (self.name, self.rows, self.sentence) = (name, rows, sentence)
    }

    /// The name of the findings in `publication`.
    static let item = "checks"

    /// The findings as push.db keeps them; nil if there are none.
    static func text(_ findings: [CheckFinding]) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return findings.isEmpty ? nil : (try? encoder.encode(findings)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The findings as push.db has them.
    package static func all(in database: Database) throws -> [CheckFinding] {
        let text: String? = try database.value("SELECT version FROM publication WHERE item = ?", .of(item))
        return text.flatMap { try? JSONDecoder().decode([CheckFinding].self, from: Data($0.utf8)) } ?? []
    }
}

/// The answer to a question.
package struct CheckAnswer: Sendable {
    package static let mostRows = 1000
    /// How many columns of the first row are told.
    private static let toldColumns = 8
    private static let limits = Selection.Limits(seconds: 10, bytes: 1 << 20, columns: 64)

    /// The rows that were read.
    package private(set) var rows = 0
    /// Whether there are more than `mostRows`.
    package private(set) var isCut = false
    /// The first columns of the first row.
    package private(set) var first: [(column: String, value: String)] = []
    /// Why it could not be answered; nil if it could.
    package private(set) var hindrance: String?

    /// What is wrong with the SQL of a question: it is compiled for an empty push.db. Nil if nothing is.
    package static func fault(of sql: String) throws(WarehouseError) -> String? {
        try reportingFacts(of: ":memory:") {
            let database = try Database(":memory:")
            for table in OutputSchema.tables { try database.execute(table.creation) }
            do {
                try Selection(sql, limits: limits).run(in: database) { _ in }
                return nil
            } catch let error as DatabaseError {
                return words(error)
            }
        }
    }

    private static func words(_ error: DatabaseError) -> String {
        switch error.primaryCode {
        case SQLITE_AUTH: "it must be one SELECT that reads push.db and nothing else"
        case SQLITE_INTERRUPT: "it did not end within \(Int(limits.seconds)) seconds"
        default: error.message
        }
    }

    fileprivate mutating func read(_ sql: String, in database: Database, _ isStopped: @escaping () -> Bool) throws {
        do {
            try Selection(sql, limits: Self.limits).run(in: database, isStopped: isStopped) { row in
                while !isCut, try row.next() {
                    if rows == 0 { first = Self.told(row) }
                    isCut = rows == Self.mostRows
                    rows += isCut ? 0 : 1
                }
            }
        } catch let error as DatabaseError {
            hindrance = Self.words(error)
        }
    }

    private static func told(_ row: Statement) -> [(column: String, value: String)] {
        row.columnNames.prefix(toldColumns).enumerated().map { index, name in
            let text =
                switch row.value(index) {
                case .null: "NULL"
                case .int64(let number): "\(number)"
                case .double(let number): "\(number)"
                case .string(let text): text
                case .blob(let bytes): "\(bytes.count) bytes"
                }
            return (name, text.count > 60 ? text.prefix(59) + "…" : text)
        }
    }
}

extension OutputDatabase {
    /// The answer to a question, by the push.db that is there; nil if there is none.
    package func answer(to sql: String) throws(WarehouseError) -> CheckAnswer? {
        try read { database in
            var answer = CheckAnswer()
            try answer.read(sql, in: database, isStopped)
            return answer
        }
    }

    /// The findings of the last publishing.
    package func checkFindings() throws(WarehouseError) -> [CheckFinding] {
        try read { try CheckFinding.all(in: $0) } ?? []
    }
}
