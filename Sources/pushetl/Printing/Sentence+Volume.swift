import Configuration
import Messages
import Output
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
