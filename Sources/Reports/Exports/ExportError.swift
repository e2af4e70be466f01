import Calendar
import Messages
import Output
import Partitions
import Posix
import SQLite

/// Why an export ended. Nothing that other programs made is changed by an export that fails.
package enum ExportError: Error, Equatable, Sendable {
    /// There is no push.db at the path.
    case noOutput(path: String)
    /// push.db was written by an earlier version of the program.
    case earlierSchema(path: String, schema: Int)
    /// Something other than a folder has the path that the export writes to.
    case notFolder(path: String)
    /// Something that the export did not make has the path of one of its files.
    case foreignFile(path: String)
    /// No table that is wanted has a day in these months.
    case noDays(months: ExportMonths)
    case system(SystemError)
    /// The caller asked to stop.
    case stopped
}

extension ExportError: MessageError {
    package var message: Message { message() }

    /// - Parameter isArchive: whether the files are those of an archive of reports.
    package func message(isArchive: Bool = false) -> Message {
        let (option, whole) = isArchive ? ("--archive", "archive") : ("--out", "export")
        return switch self {
        case .noOutput(let path): .at(path, "no_output", "no such file; 'pushetl run' makes it")
        case .earlierSchema(let path, let schema):
            .at(
                path, "earlier_schema",
                """
                was written by an earlier pushetl (schema \(schema)); the next 'run' or 'backfill' makes it anew from the \
                partitions
                """)
        case .notFolder(let path):
            .at(path, "not_folder", "is not a folder; nothing was written; give another \(option)")
        case .foreignFile(let path):
            .at(
                path, "foreign_file",
                "is not a file of this \(whole); nothing was written; move it away, or give another \(option)")
        case .noDays(let months): Message("no_days", "there are no days \(months.text); nothing was written")
        case .system(let error):
            .at(
                error.path, "system",
                """
                \(error.call) failed: \(SystemError.reason(error.code)); the files that are there are complete; fix that \
                and run again
                """)
        case .stopped:
            Message("stopped", "stopped; the files that are there are complete, and the same command does the rest")
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .noOutput, .noDays: .noInput
        case .earlierSchema: .badData
        case .notFolder, .foreignFile, .system, .stopped: .failedIO
        }
    }
}

/// The months that an export writes. A month is a text such as `2026-11`; nil is no limit.
package struct ExportMonths: Equatable, Sendable {
    package let first: String?
    package let last: String?

    package init(first: String? = nil, last: String? = nil) {
        self.first = first
        self.last = last
    }

    var isLimited: Bool { first != nil || last != nil }

    func contains(_ month: String) -> Bool {
        (first.map { month >= $0 } ?? true) && (last.map { month <= $0 } ?? true)
    }

    fileprivate var text: String {
        switch (first, last) {
        case (let first?, let last?): first == last ? "in \(first)" : "from \(first) to \(last)"
        case (let first?, nil): "from \(first) on"
        case (nil, let last?): "up to \(last)"
        case (nil, nil): "at all"
        }
    }
}

/// Runs `body`, which uses files, and converts its errors.
@discardableResult
func reportingCalls<T>(_ body: () throws(SystemError) -> T) throws(ExportError) -> T {
    do {
        return try body()
    } catch {
        throw .system(error)
    }
}

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
