import Partitions
import SQLite

/// The SQL of a pipeline's check: a query of push.db that a user wrote.
package enum CheckQuestion {
    static let mostRows = 1000
    fileprivate static let mostSeconds = 10

    /// The error of compiling the SQL for an empty push.db; nil if it compiles.
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

    /// Why the check could not be asked, in words.
    static func words(_ error: DatabaseError) -> String {
        switch error.kind {
        case .forbidden: "it must be one SELECT without parameters that reads push.db and nothing else"
        case .interrupted: "it did not end within \(mostSeconds) seconds"
        default: error.message
        }
    }

    /// The query with its rows sorted by all columns and limited to one more than `mostRows`. Column names may change.
    fileprivate static func ordered(_ selection: Statement) -> String {
        let text = selection.text.hasSuffix(";") ? selection.text.dropLast() : selection.text[...]
        let order = selection.columnNames.indices.map { "\($0 + 1) COLLATE BINARY" }.joined(separator: ", ")
        // The query may end with a comment, so a line feed must follow it.
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
