import Calendar
import Foundation
import Partitions
import SQLite

extension Sentence {
    func message(_ error: WarehouseError) -> Message {
        switch error {
        case .missing(let path): at(path, "missing", "no such file")
        case .notSQLite(let path):
            at(
                path, "not_s_q_lite",
                "is not a SQLite database; it was left as it is; "
                    + (path.hasSuffix(".sqlite")
                        ? repairing(path) : "move the file away and run again, which makes it anew"))
        case .foreign(let path, _):
            at(path, "foreign", "is another application's database; it was left as it is; give another output folder")
        case .newerSchema(let path, let schema, let known):
            at(
                path, "newer_schema",
                "was written by a newer pushetl (schema \(schema), this one knows \(known)); "
                    + "it was left as it is; use that version")
        case .corrupt(let path, let detail):
            at(path, "corrupt", "the database is damaged (\(detail.shown)); " + repairing(path))
        case .busy(let path):
            at(
                path, "busy",
                "a reader or another command held it for too long; nothing is lost: what is loaded stays, "
                    + "and the next 'run' or 'backfill' publishes it")
        case .full(let path): at(path, "full", "the disk is full; nothing is lost; make room and run again")
        case .system(let path, let call, let code):
            at(path, "system", "\(call) failed: \(Sentence.reason(code)); nothing is lost; fix that and run again")
        case .interrupted(let path):
            at(
                path, "interrupted",
                "a command was killed while it was writing, and you may not write there to undo it; "
                    + "nothing is lost; run again as a user who may")
        case .sqlite(let path, let code, let message, let purpose):
            at(
                path, "sqlite",
                "SQLite: \(message.shown)\(purpose.map(Sentence.clause) ?? "") (code \(code)); "
                    + "nothing is lost; fix that and run again")
        case .obstructed(let path, let objects, let detail):
            at(
                path, "obstructed",
                "something that others have added to it prevents writing: \(detail.shown)"
                    + (objects.isEmpty ? "" : " (\(objects.joined(separator: ", ").shown))")
                    + "; nothing is lost: what is loaded stays; drop that, and the next 'run' or 'backfill' publishes it"
            )
        case .noRoom(let path, let bytes, let free):
            at(
                path, "no_room",
                "must be rebuilt, which needs \(Text.bytes(bytes)), but the disk has \(Text.bytes(free)) free; "
                    + "nothing is lost: what is loaded stays; make room and run again")
        case .tooManyCopies(let path, let copies):
            at(
                path, "too_many_copies",
                "must be rebuilt, and a copy of it must be kept first; there are \(copies.count) already: "
                    + copies.map { paths($0) }.joined(separator: ", ") + "; move one away and run again")
        case .setAside(let path, let other):
            at(
                path, "set_aside",
                "is not what pushetl wrote, so rows of runs and loads that waited there are not in push.db; "
                    + "it was renamed to \(paths(other)); run again")
        case .retention(let fault): message(fault)
        case .replaced(let path): at(path, "replaced", "was replaced while it was being read; run again")
        case .tablesDisagree(let path, let day, let tables):
            at(
                path, "tables_disagree",
                "\(tables.joined(separator: " and ")) have different sums on \(day): "
                    + "a fault of pushetl, please report it; nothing was published")
        case .disorder(let path):
            at(
                path, "disorder",
                "the rows to be written have no valid order or form: a fault of pushetl, please report it; "
                    + "nothing was published")
        case .stopped: Message("stopped", "stopped")
        }
    }

    /// ` while the table days was being written`
    private static func clause(_ purpose: StatementPurpose) -> String {
        switch purpose {
        case .reading(let table): " while the table \(table.shown) was being read"
        case .writing(let table): " while the table \(table.shown) was being written"
        case .changingSchema: " while tables were being made"
        case .beginning: " at the start of a transaction"
        case .committing: " at the commit"
        case .pragma(let name): " at PRAGMA \(name)"
        }
    }

    /// What to do with a damaged database.
    private func repairing(_ path: String) -> String {
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
