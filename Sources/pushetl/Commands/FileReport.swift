import ArgumentParser
import Calendar
import Configuration
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Posix
import Reports

/// A report on log files without a pipeline file. The files are loaded by the draft that `guess` would make, as one log
/// date, into a temporary folder. The report is made of that folder.
enum FileReport {
    /// The `window_days` of the load. With it, all hits are in the window.
    private static let windowDays = 3650

    /// Returns nil where no draft can be made, or the load fails; the output says why.
    static func make(
        of paths: [String], wait: Int, showsProgress: Bool, output: CommandOutput,
        request: (ZoneRules) -> ReportRequest
    ) throws -> Report? {
        guard !paths.contains("-") else {
            throw ValidationError("a report on files takes files that can be read twice, not standard input.")
        }
        // From here on, a signal must not end the program at once, since the folder must be removed.
        let stop = output.stopping.flag
        guard let guess = try guess(paths, output: output) else { return nil }
        let draft = PipelineDraft(guess)
        let text = "\(PipelineDraft(guess.ofItsFilesAlone).text)dedup: {window_days: \(windowDays)}\n"
        let pipeline = try PipelineFile.read(
            text, file: "draft", folder: FileManager.default.currentDirectoryPath)
        let folder = try TemporaryFolder(named: "pushetl-report")
        defer { folder.remove() }
        let progress = LoadProgress()
        let resources = RunResources(force: true, wait: wait, progress: progress, stop: stop)
        let bar = ProgressBar(progress, isShown: showsProgress)
        bar.start()
        defer { bar.finish() }
        let run = PipelineRun(pipeline, output: folder.path, resources: resources)
        let load = DateRequest(logDate(of: guess))
        let loaded = try run.load(load, by: run.localLoader)
        try stop.check()
        guard loaded.publishing.publication != nil else {
            output.tell(loaded.notices(load, of: pipeline).filter { $0.level == .error })
            output.end(max(loaded.status, .badData))
            return nil
        }
        let report = try Report(of: run.database, request: request)
        // The files may be damaged beyond what was looked at for the draft.
        output.paths = ShownPaths(pipeline.folder)
        for var message in loaded.notices(load, of: pipeline).map(\.message) where isOfDamage(message) {
            // There is no log date to load again.
            message.remedy = nil
            message.logDate = nil
            output.warn(message)
        }
        let damaged = guess.files.filter { $0.status != .ok }.map { "\($0.file.path.shown) is " }
        for doubt in doubts(draft) where !damaged.contains(where: doubt.hasPrefix) {
            output.warn(Message(.draftCheck, text: "check \(doubt)"))
        }
        let names = paths.map(Shell.argument).joined(separator: " ")
        // 'guess' overwrites no file.
        let isTaken = FileManager.default.fileExists(atPath: "push.yaml")
        let command: MessageText =
            isTaken
            ? "'pushetl guess \(names)' prints this pipeline"
            : "'pushetl guess \(names) --out push.yaml' writes this pipeline"
        output.warn(Message(.draft, text: command))
        return report
    }

    /// The guess about the files; nil if no file has hits, or a file cannot be read.
    private static func guess(_ paths: [String], output: CommandOutput) throws -> Guess? {
        // Messages show the paths as they were given.
        output.paths = .stored
        let (guess, unreadable) = try Guess.reading(Preview.File.named(paths, spool: nil))
        for failure in unreadable {
            output.end(.failedIO)
            output.fail(failure)
        }
        guard guess.files.count == paths.count else { return nil }
        for file in guess.files {
            // The load tells of damage.
            for warning in file.warnings where guess.sources.isEmpty || !isOfDamage(warning) { output.warn(warning) }
            guard let failure = file.obstacle else { continue }
            if guess.sources.isEmpty { output.fail(failure) } else { output.warn(failure) }
        }
        guard !guess.sources.isEmpty else {
            output.end(.badData)
            return nil
        }
        return guess
    }

    private static func isOfDamage(_ message: Message) -> Bool {
        [.damagedFile, .truncatedFile].contains(message.code)
    }

    /// The log date for the load: the day of the latest hits, as far as it can be known before the load. The sample,
    /// the files' names and their last change are considered. An archive may have set that to any time: one before the
    /// hits does not count. A log date that is too late does no harm. If it is too early, payloads after it lose their
    /// time.
    private static func logDate(of guess: Guess) -> LogDate {
        let found = guess.files.flatMap { [$0.mainDay, $0.nameDate] }.compactMap(\.self).max()
        let changed = guess.files.compactMap { FileStamp(path: $0.file.location) }.map { stamp in
            LogDate(dayNumber: Int(stamp.modified / 86_400_000_000_000))
        }.max()
        let today = LogDate.today(in: .utc)
        guard let found else { return changed ?? today }
        let end = changed.map { $0 < found ? today : $0 } ?? today
        // A copied file may be much younger than its hits, which must still be in the window.
        return max(found, min(end, found.adding(days: windowDays / 2)))
    }

    /// The lines of the draft that are marked `# check`.
    private static func doubts(_ draft: PipelineDraft) -> [String] {
        draft.text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "# check: ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let key = parts[0].trimming(while: { $0 == " " })
            return key.isEmpty ? String(parts[1]) : "'\(key)': \(parts[1])"
        }
    }
}

extension Substring {
    fileprivate func trimming(while isCut: (Character) -> Bool) -> Substring {
        let end = drop(while: isCut)
        return end.lastIndex { !isCut($0) }.map { end[...$0] } ?? ""
    }
}
