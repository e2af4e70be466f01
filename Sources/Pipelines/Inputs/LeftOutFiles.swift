import Calendar
import Configuration
import LogFiles
import Messages

/// The files that a comparison leaves out: those that only some patterns find. What a pattern without a date finds now
/// says nothing about a past log date; what one whose folder does not exist would find is not known.
struct LeftOutFiles: Sendable {
    /// The patterns of a source that are left out, and the others.
    private typealias Parts = (leftOut: FilePatterns, compared: FilePatterns)

    private let parts: [String: Parts]
    /// Whether the files of any log date may lie where nothing is compared: at URIs, or under a name without a date.
    let concernsAllDates: Bool
    private let folder: String

    /// - Parameter unsearched: the patterns, by source, that are left out besides those without a date.
    init(of unsearched: [String: FilePatterns], in pipeline: Pipeline) {
        var parts: [String: Parts] = [:]
        for source in pipeline.sources {
            let texts = Set(unsearched[source.name, default: FilePatterns([])].patterns.map(\.text))
            let leftOut = source.files.patterns.filter { !$0.hasDatePlaceholder || texts.contains($0.text) }
            if leftOut.isEmpty { continue }
            let compared = source.files.patterns.filter { $0.hasDatePlaceholder && !texts.contains($0.text) }
            parts[source.name] = (FilePatterns(leftOut), FilePatterns(compared))
        }
        self.parts = parts
        concernsAllDates = parts.values.contains { !$0.leftOut.withoutDate.isEmpty || !$0.leftOut.atURIs.isEmpty }
        folder = pipeline.folder
    }

    /// Whether a file of a log date is left out. It may be of another date by its name.
    func contains(_ key: InputKey, on date: LogDate) -> Bool {
        guard let (leftOut, compared) = parts[key.source] else { return false }
        if compared.isEmpty { return true }
        let path = key.path.absolute(in: folder)
        guard leftOut.dates(ofFileAt: path, in: folder) != nil else { return false }
        guard let dates = compared.dates(ofFileAt: path, in: folder) else { return true }
        // Without the year in its name no date is known.
        return !dates.isEmpty && !dates.contains(date)
    }
}
