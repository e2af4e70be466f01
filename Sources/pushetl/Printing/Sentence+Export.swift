import Foundation
import Messages
import Posix
import Reports

extension Sentence {
    /// - Parameter isArchive: whether the files are those of an archive of reports.
    func message(_ error: ExportError, isArchive: Bool = false) -> Message {
        let (option, whole) = isArchive ? ("--archive", "archive") : ("--out", "export")
        return switch error {
        case .noOutput(let path): at(path, "no_output", "no such file; 'pushetl run' makes it")
        case .earlierSchema(let path, let schema):
            at(
                path, "earlier_schema",
                "was written by an earlier pushetl (schema \(schema)); "
                    + "the next 'run' or 'backfill' makes it anew from the partitions")
        case .notFolder(let path):
            at(path, "not_folder", "is not a folder; nothing was written; give another \(option)")
        case .foreignFile(let path):
            at(
                path, "foreign_file",
                "is not a file of this \(whole); nothing was written; move it away, or give another \(option)")
        case .noDays(let months):
            Message.told("no_days", "there are no days \(Sentence.range(months)); nothing was written")
        case .system(let error):
            at(
                error.path, "system",
                "\(error.call) failed: \(SystemError.reason(error.code)); "
                    + "the files that are there are complete; fix that and run again")
        case .stopped:
            Message.told(
                "stopped", "stopped; the files that are there are complete, and the same command does the rest")
        }
    }

    private static func range(_ months: ExportMonths) -> String {
        switch (months.first, months.last) {
        case (let first?, let last?): first == last ? "in \(first)" : "from \(first) to \(last)"
        case (let first?, nil): "from \(first) on"
        case (nil, let last?): "up to \(last)"
        case (nil, nil): "at all"
        }
    }
}

extension Sentence {
    /// Why there is no report.
    func of(_ error: ReportError) -> String {
        switch error {
        case .noOutput(let path):
            "\(paths(path)): does not exist yet; load a log date with 'pushetl run', or give its folder with --output"
        case .earlierSchema(let path):
            "\(paths(path)): was written by an earlier pushetl and lacks tables; the next 'pushetl run' makes it anew"
        case .endsBeforeItBegins(let first, let last):
            "the first day, \(first), is after the last one, \(last); give --to, or an earlier --from."
        case .tooLong(let first, let last):
            "\(first) to \(last) is too long for a page; give at most \(Text.number(ReportRequest.mostDays)) days."
        }
    }
}
