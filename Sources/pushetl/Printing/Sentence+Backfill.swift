import Calendar
import Configuration
import Output
import Partitions
import Pipelines

extension Sentence {
    func of(_ reason: LogDateState.Reason) -> String {
        switch reason {
        case .newFile(let path): "\(paths(path)) is new"
        case .changedFile(let path): "\(paths(path)) has changed"
        case .unreadableFile(let path, let code): "\(paths(path)) cannot be read: \(Sentence.reason(code))"
        case .goneFile(let path): "\(paths(path)) is gone"
        case .changedComparedDate(let date): "\(date), which it was compared with, has changed"
        case .changedPipeline: "the pipeline has changed"
        }
    }

    /// The state of a log date, and why: `partial: logs/a.gz is truncated; stale: logs/b.gz has changed and 3 more`.
    func of(_ state: LogDateState) -> String {
        if let failure = state.searchFailure { return of(failure) }
        var parts = state.phase == .open ? [] : [state.phase == .erased ? "ids erased" : state.phase.rawValue]
        switch state.partition {
        case .missing: if state.held == nil { parts.append(state.files > 0 ? "missing" : "no files") }
        case .damaged: parts.append("damaged" + (state.damage.map { ": \(damage($0))" } ?? ""))
        case .partial: parts.append(state.partialCauses.isEmpty ? "partial" : "partial: \(of(state.partialCauses))")
        case .complete: break
        }
        if let held = state.held { parts.append(of(held)) }
        if state.phase != .open {
            if state.refusedFiles > 0 { parts.append("\(Text.plural(state.refusedFiles, "file")) too late") }
        } else if !state.reasons.isEmpty {
            let name = state.isShrunk ? "shrunk" : state.held == nil ? "stale" : "changed since"
            parts.append("\(name): \(reasons(of: state))")
        }
        if !state.uncompared.isEmpty { parts.append("not compared: \(Text.few(state.uncompared) { paths($0) })") }
        return parts.isEmpty ? "up to date" : parts.joined(separator: "; ")
    }

    /// Which log date needs something, and why.
    func of(_ need: LogDateNeed) -> String { "\(need.state.date): \(reason(of: need))" }

    private func reason(of need: LogDateNeed) -> String {
        let state = need.state
        return switch need.kind {
        case .missing: "is not loaded, and has \(Text.plural(state.files, "file"))"
        case .notLoaded: "is not loaded, and has no files"
        case .unpublished: "is loaded and not published; the next 'run' or 'backfill' does that"
        case .formerPipeline: "was loaded with another pipeline file, or by earlier rules of reading"
        case .damaged, .heldBack, .stale, .partial: of(state)
        case .missingUsualFiles:
            "\(of(state.warnings)); load it again when they are there, or accept it as it is: "
                + "'pushetl run --date \(state.date) --force'"
        }
    }

    /// The needs, a message for all log dates with the same reason. Where their reasons differ only in numbers, such as the date
    /// in a file's name, it has that of the first.
    func messages(_ needs: [LogDateNeed]) -> [Message] {
        func key(_ need: LogDateNeed) -> String {
            // Some dates have one file, and others several.
            need.kind == .missing ? "" : "\(need.kind) \(reason(of: need).replacing(/[0-9]+/, with: "0"))"
        }
        var groups: [[LogDateNeed]] = []
        var indices: [String: Int] = [:]
        for need in needs {
            if let index = indices[key(need)] {
                groups[index].append(need)
            } else {
                indices[key(need)] = groups.count
                groups.append([need])
            }
        }
        return groups.map { group in
            let (first, code) = (group[0], group[0].kind.rawValue)
            guard group.count > 1 else { return Message(code, of(first), logDate: first.state.date) }
            let dates = "\(Text.ranges(group.map(\.state.date))) (\(Text.plural(group.count, "log date")))"
            let isSame = group.allSatisfy { reason(of: $0) == reason(of: first) }
            let subject =
                switch first.kind {
                case .missing, .notLoaded, .unpublished, .formerPipeline: isSame ? "each " : "the first "
                default: isSame ? "" : "the first: "
                }
            return Message(code, "\(dates): \(subject)\(reason(of: first))")
        }
    }

    /// The warnings of a load, on one line.
    func of(_ warnings: LoadWarnings) -> String {
        let texts = warnings.sentences.isEmpty ? warnings.codes : warnings.sentences
        return texts.map(\.shown).joined(separator: "; ")
    }

    /// What is wrong with a partition, without its path.
    private func damage(_ error: WarehouseError) -> String {
        switch error {
        case .corrupt(_, let detail): detail.shown
        case .notSQLite: "it is not a SQLite database"
        case .foreign: "it is another application's database"
        case .retention(let fault): "\(paths(fault.path)) \(fault.detail.shown)"
        default: of(error)
        }
    }

    /// The first of a log date's reasons, files that are gone before others, and the number of further ones.
    func reasons(of state: LogDateState) -> String {
        let gone = state.reasons.filter { if case .goneFile = $0 { true } else { false } }
        let ordered = gone + state.reasons.filter { !gone.contains($0) }
        return Text.few(ordered) { of($0) }
    }

    /// What a command without files has done nevertheless.
    private func outcome(of report: RunReport?) -> String {
        guard let publication = report?.publication else {
            return report?.publishingFailure == nil ? "; nothing changed" : ""
        }
        if report?.dates.contains(where: \.isInstalled) ?? false { return "" }
        return publication.changed ? "; push.db is brought up to date with what is loaded" : "; nothing changed"
    }

    /// Which files were looked for, and the latest log date that has files.
    func noFiles(_ dates: [LogDate], _ pipeline: Pipeline, _ report: RunReport?) -> String {
        let (first, last) = (dates.first, dates.last)
        let span = [first, last].compactMap { $0?.description }
        let patterns = Text.few(pipeline.sources) { source in
            paths(dates.count == 1 ? source.files.text(on: dates[0]) : source.files.text)
        }
        let latest = pipeline.latestDateWithFiles.map { "the latest log date with files is \($0)" }
        return "\(first == last ? span.prefix(1).joined() : span.joined(separator: " to ")): no source has files"
            + outcome(of: report) + "; looked for \(patterns); "
            + (latest ?? "no log date has files: check 'files' in \(pipeline.file.shown)")
    }
}
