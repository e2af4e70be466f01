import LogFiles
import Pipelines

extension Sentence {
    /// So many of a log date's reasons are told one by one.
    private static let toldReasons = 3

    static func of(_ reason: LogDateState.Reason) -> String {
        switch reason {
        case .newFile(let path): "\(path) is new"
        case .changedFile(let path): "\(path) has changed"
        case .unreadableFile(let path, let code): "\(path) cannot be read: \(self.reason(code))"
        case .goneFile(let path): "\(path) is gone"
        case .changedPipeline: "the pipeline has changed"
        }
    }

    /// How a log date stands, and why: `partial; stale: logs/a.gz is new, logs/b.gz has changed and 3 more`.
    static func of(_ state: LogDateState) -> String {
        if let failure = state.searchFailure { return of(failure) }
        var parts: [String] = []
        switch state.standing {
        case .missing: parts.append(state.files > 0 ? "missing" : "no files")
        case .damaged: parts.append("damaged")
        case .partial: parts.append("partial")
        case .complete: break
        }
        if !state.reasons.isEmpty { parts.append((state.isShrunk ? "shrunk: " : "stale: ") + reasons(of: state)) }
        if state.uncomparedFiles > 0 { parts.append("\(Text.plural(state.uncomparedFiles, "file")) not compared") }
        return parts.isEmpty ? "up to date" : parts.joined(separator: "; ")
    }

    /// The first of a log date's reasons, those of its being shrunk before others, and how many more there are.
    static func reasons(of state: LogDateState) -> String {
        let gone = state.reasons.filter { if case .goneFile = $0 { true } else { false } }
        let ordered = gone + state.reasons.filter { !gone.contains($0) }
        let told = ordered.prefix(toldReasons).map { of($0) }.joined(separator: ", ")
        return ordered.count > toldReasons ? "\(told) and \(ordered.count - toldReasons) more" : told
    }

    /// What a command did nevertheless that found no files.
    static func outcome(of report: RunReport?) -> String {
        guard let publication = report?.publication else {
            return report?.publishingFailure == nil ? "nothing changed; " : ""
        }
        if report?.dates.contains(where: \.isInstalled) ?? false { return "" }
        return publication.changed ? "push.db is brought up to date with what is loaded; " : "nothing changed; "
    }

    static func noFiles(_ request: DateRequest, _ pipeline: Pipeline, _ report: RunReport?) -> String {
        let (first, last) = (request.dates.first, request.dates.last)
        let dates = [first, last].compactMap { $0?.description }
        return "\(first == last ? dates.prefix(1).joined() : dates.joined(separator: " to ")): no source has files; "
            + outcome(of: report) + "check the dates, and 'files' in \(pipeline.file)"
    }
}
