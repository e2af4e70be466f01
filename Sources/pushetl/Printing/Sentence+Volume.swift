import Configuration
import Pipelines

extension Sentence {
    /// How many records a source has, and how many it had before:
    /// `source 'adobe': 712 records, less than half of 1,500, the median of the same weekday before (2026-11-12: 1,480, …)`
    func of(_ deviation: VolumeDeviation) -> String {
        let former = deviation.former.map { "\($0.date): \(Text.number($0.records))" }.joined(separator: ", ")
        return "source '\(deviation.source.shown)': \(Text.plural(deviation.records, "record")), "
            + "\(deviation.isLow ? "less than half of" : "more than twice") \(Text.number(deviation.median)), "
            + "the median of the same weekday before (\(former); not_tracking left out)"
    }

    /// What to look for.
    func advice(_ deviation: VolumeDeviation) -> String {
        deviation.isLow ? "check that all of its files are there" : "check that nothing is there twice"
    }

    /// The message about a load in the history: why it was not loaded, or not completely, and what volume was unusual.
    func detail(of date: LogDateReport, _ pipeline: Pipeline) -> String? {
        let volumes = date.warnings.compactMap { warning -> String? in
            if case .unusualVolume = warning { message(warning, pipeline).message } else { nil }
        }
        let parts = [message(date, pipeline, nil)?.message].compactMap { $0 } + volumes
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
