import Configuration
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

    /// The message about a load in the history: why it was not loaded, or not completely, what volume was unusual,
    /// and which files are missing.
    func detail(of date: LogDateReport, _ pipeline: Pipeline) -> String? {
        let volumes = date.warnings.compactMap { warning -> String? in
            switch warning {
            case .unusualVolume, .unusualEvents, .missingUsualFiles: message(warning, pipeline).message
            default: nil
            }
        }
        let parts = [message(date, pipeline, nil)?.message].compactMap { $0 } + volumes
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
