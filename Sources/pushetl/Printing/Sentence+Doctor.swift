import Messages
import Reports

extension Sentence {
    /// What to do about most faults.
    private static let repair = "the next 'run' or 'backfill' sets them back"

    /// A check in one line: what was checked, or what to do about its faults.
    func of(_ check: DoctorCheck) -> String {
        switch check.outcome {
        case .ok: Sentence.meaning(check.name)
        case .faults(let faults): "\(Sentence.fault(check.name)); \(Sentence.advice(check.name, faults))"
        case .told: "all partitions can be read; the next 'run' or 'backfill' publishes what is new in them"
        case .skipped(.unreadable): "not checked: push.db cannot be read as it is, or is damaged"
        case .skipped(.definitions): "not checked: the tables are not as they should be"
        case .skipped(.values): "not checked: values are not of their declared type, or out of range"
        case .skipped(.unpublished): "not checked: push.db does not show all partitions as they are"
        case .share(let part, let whole): Sentence.share(check.name, part, whole)
        }
    }

    /// What is told and is no fault.
    private static func share(_ name: DoctorCheck.Name, _ part: Int, _ whole: Int) -> String {
        func of(_ noun: String, _ many: String? = nil) -> String {
            "\(Text.number(part)) of \(Text.plural(whole, noun, many)) (\(Text.percent(part, of: whole)))"
        }
        return switch name {
        case .names:
            of("delivery", "deliveries")
                + " have no label; delivery files give them ('deliveries' in the pipeline file)"
        case .pipelines where part == 0: "\(Text.plural(whole, "log date")) loaded, all with the last pipeline file"
        case .pipelines:
            of("log date")
                + " were loaded with another pipeline file than the last; 'status' says which can be loaded again"
        case .loaded where part == 0: "all \(Text.plural(whole, "day")) with events are of loaded log dates"
        case .loaded:
            of("day") + " with events are of log dates that are not loaded; their figures are what came late or early"
        case .sendTimes where part == 0: "no delivery has many events before it was sent"
        case .sendTimes:
            of("delivery", "deliveries")
                + " have more than 5 % of their events on days before they were sent; look at the zone of sent_at"
        case .delivered where part == 0: "no delivery has more messages than were delivered"
        case .delivered:
            of("delivery", "deliveries")
                + " have more messages than were delivered; look at the columns of the delivery files"
        default: of("message") + " are of an unknown platform"
        }
    }

    private static func meaning(_ name: DoctorCheck.Name) -> String {
        switch name {
        case .opens: "opens read-only, with no file beside it"
        case .structure: "SQLite's quick_check finds nothing"
        case .definitions: "tables, columns, types and keys are those of this version"
        case .types: "every value is of its declared type; dates and times are well-formed"
        case .days: "days, hours, counts and rates of each row agree"
        case .agreement: "the tables have the same sums wherever they share columns"
        case .help: "columns_help explains every column"
        case .calendar: "calendar has every day from the first log date to the last"
        case .partitions: "all partitions can be read, and are published"
        case .figures: "all rows are those that follow from the partitions"
        case .ledger: "the ledger's rows are those that follow from the partitions"
        case .plans: "the usual queries find their rows by a key"
        case .names, .platforms, .pipelines, .loaded, .sendTimes, .delivered: ""
        }
    }

    private static func fault(_ name: DoctorCheck.Name) -> String {
        switch name {
        case .opens: "a BI tool cannot read it as it is"
        case .structure: "the file is damaged"
        case .definitions: "tables are not as they should be"
        case .types: "values are not of their declared type"
        case .days: "values of a row contradict one another"
        case .agreement: "tables have different sums"
        case .help: "columns_help does not fit the columns"
        case .calendar: "days are missing in calendar"
        case .partitions: "partitions are damaged or not published"
        case .figures: "rows of push.db do not follow from the partitions"
        case .ledger: "rows of the ledger do not follow from the partitions"
        case .plans: "usual queries read whole tables"
        case .names, .platforms, .pipelines, .loaded, .sendTimes, .delivered: ""
        }
    }

    private static func advice(_ name: DoctorCheck.Name, _ faults: [DoctorFault]) -> String {
        switch faults.first {
        case .foreign: "give another output folder"
        case .newerSchema: "use that version of pushetl"
        case .leftover: "close the program that made it, or remove it when none has push.db open"
        case .damagedPartition: "load those log dates again: 'pushetl run --date DATE'"
        case .unusable: "put back what is missing, damaged or another one from a backup"
        case .idsLeft: "with 'retention' in the pipeline file, the next 'run' or 'backfill' erases them"
        case .interrupted: "the next 'run' or 'backfill' undoes it"
        case .writeAheadLog, .trigger, .statistics: "the next 'run' or 'backfill' sets that back"
        case .obstacle: "whoever added it must drop it; until then nothing can be published"
        default: name == .partitions ? "'run' or 'backfill' publishes what the partitions say" : repair
        }
    }

    func of(_ fault: DoctorFault) -> String {
        switch fault {
        case .interrupted: "a command was killed while it was writing, and its transaction is not undone yet"
        case .writeAheadLog:
            "the journal mode is WAL, which needs files beside it: it does not open in a read-only folder"
        case .leftover(let name): "\(name.shown) is beside it"
        case .unreadable(let detail): detail.shown
        case .foreign: "it is another application's database"
        case .newerSchema(let schema): "it was written by a newer pushetl (schema \(schema))"
        case .earlierSchema(let schema): "it was written by an earlier pushetl (schema \(schema))"
        case .damage(let detail): detail.shown
        case .otherDefinition(let table): "table \(table.shown) is missing, or has other columns or another key"
        case .otherRows(let table): "other rows in table \(table.shown)"
        case .obstacle(let detail): "something that others have added does not let it be written: \(detail.shown)"
        case .trigger(let name): "trigger \(name.shown) is on one of its tables"
        case .statistics: "sqlite_stat1 lacks the row counts by which queries choose the keys"
        case .wrongType(let table, let column, let type, let rows, let first):
            "\(table).\(column): \(Text.plural(rows, "value is", "values are")) out of range or not of type \(type), first in the row '\(first.shown)'"
        case .contradiction(let table, let rule, let rows, let first):
            "\(table): this does not hold in \(Text.plural(rows, "row")): \(rule); first '\(first.shown)'"
        case .sumsDiffer(let tables, let column, let places, let first):
            "\(tables.joined(separator: " and ")): different sums of \(column) in \(Text.plural(places, "place")), first '\(first.shown)'"
        case .otherAbout(let key, let value, let expected):
            "about.\(key) is \(value.map { "'\($0.shown)'" } ?? "missing")"
                + (expected.map { "; according to the tables it is '\($0.shown)'" } ?? "")
        case .missingHelp(let table, let column): "\(table.shown).\(column.shown) has no row"
        case .needlessHelp(let table, let column):
            "\(table.shown).\(column.shown) has a row, but there is no such column"
        case .gap(let days, let first): "\(Text.plural(days, "day")) missing, first \(first.shown)"
        case .damagedPartition(let path, let detail): "\(paths(path)): \(detail.shown)"
        case .unusable(let fault): "\(paths(fault.path)): \(fault.detail.shown)"
        case .idsLeft(let path): "\(paths(path)) holds ids of a log date whose ids are to be erased"
        case .unpublished(let items): "not published as they are: \(Text.few(items) { $0.shown })"
        case .scan(let question, let table): "'\(question.shown)' reads all of \(table)"
        }
    }
}
