import Calendar
import Foundation
import Messages
import Posix
import SQLite

extension WarehouseError: MessageError {
    package var message: Message {
        switch self {
        case .missing(let path): .at(path, "missing", "no such file")
        case .notSQLite(let path):
            .at(
                path, "not_sqlite",
                "is not a SQLite database; it was left as it is; "
                    + (path.hasSuffix(".sqlite")
                        ? WarehouseError.repairing(path) : "move the file away and run again, which makes it anew"))
        case .foreign(let path, _):
            .at(path, "foreign", "is another application's database; it was left as it is; give another output folder")
        case .newerSchema(let path, let schema, let known):
            .at(
                path, "newer_schema",
                "was written by a newer pushetl (schema \(schema), this one knows \(known)); "
                    + "it was left as it is; use that version")
        case .corrupt(let path, let detail):
            .at(path, "corrupt", "the database is damaged (\(detail)); " + WarehouseError.repairing(path))
        case .busy(let path):
            .at(
                path, "busy",
                "a reader or another command held it for too long; nothing is lost: what is loaded stays, "
                    + "and the next 'run' or 'backfill' publishes it")
        case .full(let path): .at(path, "full", "the disk is full; nothing is lost; make room and run again")
        case .system(let path, let call, let code):
            .at(path, "system", "\(call) failed: \(SystemError.reason(code)); nothing is lost; fix that and run again")
        case .interrupted(let path):
            .at(
                path, "interrupted",
                "a command was killed while it was writing, and you may not write there to undo it; "
                    + "nothing is lost; run again as a user who may")
        case .sqlite(let path, let code, let message, let purpose):
            .at(
                path, "sqlite",
                "SQLite: \(message)\(purpose.map(WarehouseError.clause) ?? "") (code \(code)); "
                    + "nothing is lost; fix that and run again")
        case .obstructed(let path, let objects, let detail):
            .at(
                path, "obstructed",
                "something that others have added to it prevents writing: \(detail)"
                    + (objects.isEmpty ? "" : " (\(objects.joined(separator: ", ")))")
                    + "; nothing is lost: what is loaded stays; drop that, and the next 'run' or 'backfill' publishes it"
            )
        case .noRoom(let path, let bytes, let free):
            .at(
                path, "no_room",
                "must be rebuilt, which needs \(Text.bytes(bytes)), but the disk has \(Text.bytes(free)) free; "
                    + "nothing is lost: what is loaded stays; make room and run again")
        case .tooManyCopies(let path, let copies):
            .at(
                path, "too_many_copies",
                "must be rebuilt, and a copy of it must be kept first; there are \(copies.count) already: "
                    + copies.map { "\(path: $0)" }.joined(separator: ", ") + "; move one away and run again")
        case .setAside(let path, let other):
            .at(
                path, "set_aside",
                "is not what pushetl wrote, so rows of runs and loads that waited there are not in push.db; "
                    + "it was renamed to \(path: other); run again")
        case .retention(let fault): fault.message
        case .replaced(let path): .at(path, "replaced", "was replaced while it was being read; run again")
        case .tablesDisagree(let path, let day, let tables):
            .at(
                path, "tables_disagree",
                "\(tables.joined(separator: " and ")) have different sums on \(day): "
                    + "a fault of pushetl, please report it; nothing was published")
        case .disorder(let path):
            .at(
                path, "disorder",
                "the rows to be written have no valid order or form: a fault of pushetl, please report it; "
                    + "nothing was published")
        case .stopped: Message("stopped", "stopped")
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .disorder, .tablesDisagree: .internalFault
        case .busy: .busy
        default: .failedIO
        }
    }

    /// ` while the table days was being written`
    private static func clause(_ purpose: StatementPurpose) -> MessageText {
        switch purpose {
        case .reading(let table): " while the table \(table) was being read"
        case .writing(let table): " while the table \(table) was being written"
        case .changingSchema: " while tables were being made"
        case .beginning: " at the start of a transaction"
        case .committing: " at the commit"
        case .pragma(let name): " at PRAGMA \(name)"
        }
    }

    /// What to do with a damaged database.
    private static func repairing(_ path: String) -> MessageText {
        let name = URL(fileURLWithPath: path).lastPathComponent
        if name.hasSuffix(".json") { return "remove it, and load that log date again" }
        guard let partition = PartitionName(name) else {
            return "'doctor' says what is wrong, and the next 'run' or 'backfill' rebuilds it"
        }
        let date = LogDate(dayNumber: Int(partition.logDate))
        return partition.version == nil
            ? "push.db lacks that log date until it is loaded again: 'pushetl run --date \(date)'"
            : "load that log date again: 'run --date \(date)' of pushetl_spark.py"
    }
}

extension RetentionFault {
    var message: Message {
        switch self {
        case .record(let path, let detail):
            .at(
                path, "retention_record",
                "\(detail); it says which log dates are closed, and nothing else does; nothing is loaded or published: "
                    + "put it back from a backup, together with the settled files")
        case .settledFile(let path, let logDate, let detail):
            .at(
                path, "settled_file",
                "\(detail); its figures are nowhere else, and nothing is published without it: put it back from a backup, "
                    + "or give the figures up for good with 'pushetl backfill --forget \(LogDate(dayNumber: Int(logDate)))'"
            )
        case .unknownFile(let path, _):
            .at(
                path, "unknown_settled_file",
                "is not one that the record partitions/closed names, as if one of the two came from another backup or another output; "
                    + "nothing is published: put both back from the same backup, or remove the file if it is of another output"
            )
        case .partition(let path, let logDate, let detail):
            .at(
                path, "closed_partition",
                "\(detail); it is left out, and nothing within reach settles: put back the one with which "
                    + "\(LogDate(dayNumber: Int(logDate))) was closed, or load that log date again from exactly the same files"
            )
        case .ids(let path, let logDate, let detail):
            .at(
                path, "settled_ids",
                "\(detail); later log dates need its ids, and nothing is published without them: put it back from a backup, or "
                    + "load the log date again from the same files with 'pushetl run --date \(LogDate(dayNumber: Int(logDate)))', "
                    + "or give its figures up for good with 'pushetl backfill --forget \(LogDate(dayNumber: Int(logDate)))'"
            )
        }
    }
}
