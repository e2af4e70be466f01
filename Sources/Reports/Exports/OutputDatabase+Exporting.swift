import Calendar
import Output
import Partitions
import SQLite

extension OutputDatabase {
    /// Reads with `body` in one transaction, if push.db has the tables of this version of the program.
    /// - Throws: `ExportError`, also from `body`, or `WarehouseError`.
    func export<T>(_ body: (Database) throws -> T) throws -> T {
        var failure: ExportError?
        let result: T?? = try read { database -> T? in
            do {
                let schema = try database.value("PRAGMA user_version") ?? 0
                guard schema == OutputSchema.version else {
                    throw ExportError.earlierSchema(path: path, schema: schema)
                }
                return try body(database)
            } catch let error as ExportError {
                // `read` would take an error that it does not know for damage.
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        guard let result = result ?? nil else { throw ExportError.noOutput(path: path) }
        return result
    }

    /// The time zone of push.db.
    package func timeZone() throws -> ZoneRules {
        try export { database in
            let name: String? = try database.value("SELECT value FROM about WHERE key = 'timezone'")
            return name.flatMap { try? ZoneDatabase.zone($0) } ?? .utc
        }
    }
}
