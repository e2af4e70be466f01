import Partitions
import SQLite

/// The SQL of a check of the pipeline: a question to push.db, which somebody else wrote.
package enum CheckQuestion {
    package static let mostRows = 1000
    fileprivate static let mostSeconds = 10

    /// What is wrong with it: it is compiled for an empty push.db. Nil if nothing is.
    package static func fault(of sql: String) throws -> String? {
        try reportingFacts(of: ":memory:") {
            let database = try Database(":memory:")
            for table in OutputDatabase.creations { try database.execute(table.sql) }
            do {
                try database.ask(sql) { _, _ in }
                return nil
            } catch let error as DatabaseError {
                return words(error)
            }
        }
    }

    /// Why it could not be asked.
    static func words(_ error: DatabaseError) -> String {
        switch error.kind {
        case .forbidden: "it must be one SELECT without parameters that reads push.db and nothing else"
        case .interrupted: "it did not end within \(mostSeconds) seconds"
        default: error.message
        }
    }

    /// The first rows by all columns, and one more if there are more. The names of its columns may be others.
    fileprivate static func ordered(_ selection: Statement) -> String {
        let text = selection.text.hasSuffix(";") ? selection.text.dropLast() : selection.text[...]
        let order = selection.columnNames.indices.map { "\($0 + 1) COLLATE BINARY" }.joined(separator: ", ")
        // A comment may end the text.
        return "SELECT * FROM (\n\(text)\n) ORDER BY \(order) LIMIT \(mostRows + 1)"
    }
}

extension Database {
    /// Compiles the SQL of a check, and calls `body` with the names of its columns to read its rows. It must be one
    /// SELECT that reads this database alone.
    ///
    /// - Throws: `DatabaseError`; of the kind `interrupted` when the time is over, or `isStopped` says so.
    func ask(
        _ question: String, isStopped: @escaping () -> Bool = { false },
        body: (_ row: Statement, _ columns: [String]) throws -> Void
    ) throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(CheckQuestion.mostSeconds))
        func isOver() -> Bool { ContinuousClock.now > deadline || isStopped() }
        try asking(question, until: isOver) { selection in
            try body(try prepare(CheckQuestion.ordered(selection)), selection.columnNames)
        }
    }
}
