import Messages
import Reports

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
