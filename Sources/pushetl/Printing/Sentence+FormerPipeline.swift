import Calendar
import Messages
import Pipelines

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
