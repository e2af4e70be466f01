import Partitions
import SQLite

/// Compares `about` with the tables.
enum AboutCheck {
    private static let expected = [
        ("first_day", "(SELECT min(day) FROM days)"), ("last_day", "(SELECT max(day) FROM days)"),
        ("first_log_date", "(SELECT min(log_date) FROM partitions)"),
        ("last_log_date", "(SELECT max(log_date) FROM partitions)"),
        ("schema_version", "'\(OutputSchema.version)'"),
    ]

    /// Keys that only must be there.
    private static let keys = ["pipeline", "timezone", "window_days", "version"]

    static func faults(in database: Database) throws -> [DoctorFault] {
        var faults: [DoctorFault] = []
        for (key, sql) in expected {
            let value: String? = try database.value("SELECT value FROM about WHERE key = ?", .of(key))
            let expected: String? = try database.value("SELECT \(sql)")
            if value != expected { faults.append(.otherAbout(key: key, value: value, expected: expected)) }
        }
        for key in keys {
            let value: String? = try database.value("SELECT value FROM about WHERE key = ?", .of(key))
            if value == nil { faults.append(.otherAbout(key: key, value: nil, expected: nil)) }
        }
        return faults
    }
}
