import Calendar
import Foundation
import Partitions
import Pipelines

extension Sentence {
    func message(_ fault: RetentionFault) -> Message {
        switch fault {
        case .record(let path, let detail):
            at(
                path, "retention_record",
                "\(detail.shown); it says which log dates are closed, and nothing else does; nothing is loaded or published: "
                    + "put it back from a backup, together with the settled files")
        case .settledFile(let path, let logDate, let detail):
            at(
                path, "settled_file",
                "\(detail.shown); its figures are nowhere else, and nothing is published without it: put it back from a backup, "
                    + "or give the figures up for good with 'pushetl backfill --forget \(CalendarText.date(ofDay: logDate))'"
            )
        case .unknownFile(let path, _):
            at(
                path, "unknown_settled_file",
                "is not one that the record partitions/closed names, as if one of the two came from another backup or another output; "
                    + "nothing is published: put both back from the same backup, or remove the file if it is of another output"
            )
        case .partition(let path, let logDate, let detail):
            at(
                path, "closed_partition",
                "\(detail.shown); it is left out, and nothing within reach settles: put back the one with which "
                    + "\(CalendarText.date(ofDay: logDate)) was closed, or load that log date again from exactly the same files"
            )
        case .ids(let path, let logDate, let detail):
            at(
                path, "settled_ids",
                "\(detail.shown); later log dates need its ids, and nothing is published without them: put it back from a backup, or "
                    + "load the log date again from the same files with 'pushetl run --date \(CalendarText.date(ofDay: logDate))', "
                    + "or give its figures up for good with 'pushetl backfill --forget \(CalendarText.date(ofDay: logDate))'"
            )
        }
    }

    /// A setting that is fixed has another value now.
    func message(_ error: FixedSettingError) -> Message {
        let (what, was, now, advice) =
            switch error {
            case .timezone(let was, let now): ("timezone", was, now, "set it back")
            case .windowDays(let was, let now): ("dedup.window_days", "\(was)", "\(now)", "set it back")
            case .sources(let was, let now):
                (
                    "the order of the sources", was.joined(separator: ", "), now.joined(separator: ", "),
                    "set it back, and keep a source that is not used any more, with 'required: false'"
                )
            }
        return Message(
            "fixed_setting",
            "\(what) was \(was.shown) when log dates settled, and is \(now.shown); settled figures cannot be computed again; "
                + "\(advice), or give another output, which is loaded anew")
    }

    static func of(_ error: RetentionRequestError) -> String {
        switch error {
        case .closedAlready(let date): "\(date) is closed already."
        case .nothingToSkip(let date): "\(date) needs nothing, so there is nothing to pass."
        case .nothingToForget(let date): "\(date) is not a closed log date with figures."
        case .nothingIsLost(let date):
            "Nothing of \(date) is missing or damaged; to give its figures up all the same, add --force."
        case .noRetention: "The pipeline file has no 'retention'."
        }
    }

    /// Why log dates are not closed.
    func message(_ warning: ClosingPlan.Warning) -> Message {
        switch warning {
        case .stays(let since, let date, let need):
            Message(
                "ids_stay",
                "ids from \(since) on stay: \(date) \(Sentence.clause(need)); load it, or let it pass with "
                    + "'pushetl backfill --skip \(date)'", logDate: date)
        case .many(let count, let through):
            Message(
                "many_to_close",
                "\(Text.plural(count, "log date")) up to \(through) would be closed at once, so nothing is closed; if that is meant, "
                    + "'pushetl run --settle' does it, and 'pushetl backfill --last 1 --settle --dry-run' lists them")
        case .narrowedWindow(let was, let now):
            Message(
                "narrowed_window",
                "window_days was \(was) when log dates were closed, and is \(now): nothing is closed, settled or erased until it is "
                    + "\(was) again; if it is meant, 'pushetl run --settle' goes on with it")
        case .unknownLoads:
            Message(
                "unknown_loads",
                "neither push.db nor the ledger can tell which log dates were loaded, so nothing is closed this time; see whether "
                    + "'pushetl status' shows all of them as loaded")
        case .unlisted(let source, let failure):
            Message(
                "unlisted_source",
                (source.isEmpty ? "" : "source '\(source.shown)': ")
                    + (failure.map { of($0) } ?? "its folder is not there") + "; nothing is closed, and ids stay")
        case .noFiles(let source):
            Message(
                "source_without_files",
                "source '\(source.shown)' has no file of any log date; nothing is closed, and ids stay")
        }
    }

    /// A log date in reach of which nothing settles.
    func message(hindrance: Int32, windowDays: Int) -> Message {
        let date = LogDate(dayNumber: Int(hindrance))
        return Message(
            "ids_stay",
            "ids of \(date.adding(days: -2 * windowDays)) to \(date.adding(days: 2 * windowDays)) stay: the partition of \(date) is "
                + "damaged or gone; put it back from a backup, load it again from the same files, or give its figures up with "
                + "'pushetl backfill --forget \(date)'",
            logDate: date)
    }

    private static func clause(_ need: ClosingPlan.Need) -> String {
        switch need {
        case .missing: "has files and is not loaded"
        case .heldBack: "is held back"
        case .stale: "is stale"
        case .damaged: "is damaged"
        case .lost: "lacks the partition that it had"
        }
    }

    /// Files that came after their log date was closed.
    func message(refused state: LogDateState) -> Message? {
        if state.partition == .damaged {
            let why =
                state.reasons.isEmpty
                ? state.hasFormerFiles ? "there are no files" : "which are not known" : reasons(of: state)
            return Message(
                "closed",
                "\(state.date) is closed and damaged, so it is loaded from exactly the files of its former load only: \(why); put "
                    + "what is damaged back from a backup", logDate: state.date)
        }
        guard state.refusedFiles > 0 else { return nil }
        let files = Text.plural(state.refusedFiles, "new file")
        return Message(
            "closed", "\(state.date) is closed: \(files) \(state.refusedFiles == 1 ? "was" : "were") not loaded",
            logDate: state.date)
    }
}
