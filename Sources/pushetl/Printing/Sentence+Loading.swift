import Calendar
import Configuration
import Foundation
import Messages
import Output
import Partitions
import Pipelines

extension Sentence {
    /// How many records a source has, and how many it had before:
    /// `source 'adobe': 712 records, less than half of 1,500, the median of the same weekday before (2026-11-12: 1,480, …)`
    func of(_ deviation: VolumeDeviation) -> String {
        "source '\(deviation.source.shown)': \(Text.plural(deviation.records, "record")), "
            + "\(usual(deviation)); not_tracking left out)"
    }

    /// `android impression: 507 events, less than half of 1,015, the median of the same weekday before (2026-11-12: 1,010, …)`
    func ofEvents(_ deviation: VolumeDeviation) -> String {
        "\(deviation.source.shown): \(Text.plural(deviation.records, "event")), \(usual(deviation)))"
    }

    private func usual(_ deviation: VolumeDeviation) -> String {
        let former = deviation.former.map { "\($0.date): \(Text.number($0.records))" }.joined(separator: ", ")
        let bound =
            switch (deviation.isLow, deviation.isEven) {
            case (true, false): "less than half of"
            case (true, true): "less than two thirds of"
            case (false, false): "more than twice"
            case (false, true): "more than one and a half times"
            }
        return "\(bound) \(Text.number(deviation.median)), the median of the same weekday before (\(former)"
    }

    /// What to look for.
    func advice(_ deviation: VolumeDeviation) -> String {
        deviation.isLow ? "check that all of its files are there" : "check that nothing is there twice"
    }

    /// What the history tells about a load: why it was not loaded, or not completely, and its warnings. Samples of rejects are
    /// left out, since they may be kept for so long only as ids are.
    func description(of date: LogDateReport, _ pipeline: Pipeline) -> LogDateReport.Description {
        let warnings = date.warnings.map { message($0, pipeline, counts: date.isLoaded) }
        var lines = [message(date, pipeline, nil)?.words].compactMap { $0 }
        if case .heldBack(.foreignFiles(let files)) = date.verdict { lines += files.map { $0.text().shown(paths) } }
        return LogDateReport.Description(
            message: lines.isEmpty ? nil : lines.joined(separator: "\n"),
            warnings: LoadWarnings(codes: warnings.map(\.code), sentences: warnings.map(\.words)))
    }
}

extension Sentence {
    /// How push.db differed from what the last command had left, and what was done about it.
    func of(_ repair: OutputRepair, at path: String) -> String {
        var text: String
        if let damage = repair.damage {
            text = "\(paths(path)): is damaged (\(damage.shown)), so a new one was made"
        } else if let schema = repair.earlierSchema {
            text = "\(paths(path)): was written by an earlier pushetl (schema \(schema)); it was brought up"
        } else {
            text = "\(paths(path)): was changed by something else, and set back: \(changes(repair))"
        }
        if repair.earlierSchema != nil, !repair.triggers.isEmpty { text += "; \(changes(repair)) was removed" }
        return text + (repair.copy.map { "; the former file is kept as \(paths($0))" } ?? "")
    }

    private func changes(_ repair: OutputRepair) -> String {
        var parts: [String] = []
        if !repair.tables.isEmpty {
            let names = repair.tables.map(\.shown).joined(separator: ", ")
            parts.append("\(repair.tables.count == 1 ? "table" : "tables") \(names)")
        }
        parts += repair.settings.map { "the value of \($0)" }
        parts += repair.triggers.map { "trigger \($0.name.shown) on one of its tables (\($0.sql.shown))" }
        return parts.joined(separator: "; ")
    }

    /// Why the history may have lost rows.
    func of(_ loss: LedgerLoss, in folder: OutputFolder) -> String {
        let why =
            switch loss {
            case .missing: "is missing"
            case .damaged(let detail): "could not be used (\(detail.shown))"
            }
        return
            "\(paths(folder.partitionsPath))/ledger.sqlite: \(why); it was made anew from the partitions, and its history from "
            + "push.db, so rows of 'runs' and 'loads' that push.db did not have yet are lost"
    }

    /// A fault that the next command will not look for.
    func notNoted(in folder: OutputFolder) -> String {
        "\(paths(folder.cachePath)): the fault could not be noted here, so the next 'run' or 'backfill' may not see it; give "
            + "'doctor' the rights to write there, or remove that folder"
    }
}

extension Sentence {
    /// A log date in reach of which nothing settles.
    func message(hindrance: Int32, windowDays: Int) -> Message {
        let date = LogDate(dayNumber: Int(hindrance))
        return Message.told(
            "ids_stay",
            "ids of \(date.adding(days: -2 * windowDays)) to \(date.adding(days: 2 * windowDays)) stay: the partition of \(date) is "
                + "damaged or gone; put it back from a backup, load it again from the same files, or give its figures up with "
                + "'pushetl backfill --forget \(date)'",
            logDate: date)
    }

    /// Files that came after their log date was closed.
    func message(refused state: LogDateState) -> Message? {
        if state.partition == .damaged {
            let why =
                state.reasons.isEmpty
                ? state.hasFormerFiles ? "there are no files" : "which are not known" : reasons(of: state)
            return Message.told(
                "closed",
                "\(state.date) is closed and damaged, so it is loaded from exactly the files of its former load only: \(why); put "
                    + "what is damaged back from a backup", logDate: state.date)
        }
        guard state.refusedFiles > 0 else { return nil }
        let files = Text.plural(state.refusedFiles, "new file")
        return Message.told(
            "closed", "\(state.date) is closed: \(files) \(state.refusedFiles == 1 ? "was" : "were") not loaded",
            logDate: state.date)
    }
}

extension Sentence {
    /// What to do about log dates of a former pipeline. Those that cannot be loaded again are told apart.
    ///
    /// - Parameter isNew: whether this pipeline file has just taken the place of another.
    static func messages(_ former: FormerPipeline?, isNew: Bool = true) -> [Message] {
        guard let former else { return [] }
        let origin = "with another pipeline file, or by earlier rules of reading,"
        var messages: [Message] = []
        if former.loadableDates > 0 {
            let (dates, were) = (
                Text.plural(former.loadableDates, "log date"), former.loadableDates == 1 ? "was" : "were"
            )
            let commands = former.loadable.prefix(3).map { "'\(command(for: $0))'" }.joined(separator: ", ")
            let more = former.loadable.count - 3
            messages.append(
                Message.told(
                    "former_pipeline",
                    "\(dates) \(were) loaded \(origin) and can be loaded again: "
                        + Text.few(former.loadable) { range in
                            range.lowerBound == range.upperBound
                                ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
                        } + "; " + commands + (more > 0 ? ", and the same for \(more) more ranges" : "")))
        }
        if former.others > 0, former.loadableDates > 0 || isNew {
            let (dates, were) = (Text.plural(former.others, "log date"), former.others == 1 ? "was" : "were")
            messages.append(
                Message.told(
                    "former_pipeline_kept",
                    "\(dates) \(were) loaded \(origin) and cannot be loaded again, since files are gone; "
                        + "the figures stay"))
        }
        return messages
    }

    private static func command(for dates: ClosedRange<LogDate>) -> String {
        dates.lowerBound == dates.upperBound
            ? "pushetl run --date \(dates.lowerBound)"
            : "pushetl backfill --from \(dates.lowerBound) --to \(dates.upperBound) --only all"
    }
}
