import Configuration
import LogFiles
import Messages

/// The files that a comparison leaves out: those of some sources, and those that only a pattern without a date finds.
/// What such a pattern finds now says nothing about a past log date.
struct LeftOutFiles: Sendable {
    private let sources: Set<String>
    /// Sources that have patterns with a date and others.
    private let mixed: [String: FilePatterns]
    private let folder: String

    init(of sources: Set<String>, in pipeline: Pipeline) {
        let undated = pipeline.sources.filter { $0.files.withDate.isEmpty }
        self.sources = sources.union(undated.map(\.name))
        let mixed = pipeline.sources.filter { $0.files.withDate.patterns.count < $0.files.patterns.count }
        self.mixed = Dictionary(mixed.map { ($0.name, $0.files) }) { first, _ in first }
        folder = pipeline.folder
    }

    var isEmpty: Bool { sources.isEmpty && mixed.isEmpty }

    func contains(_ key: InputKey) -> Bool {
        if sources.contains(key.source) { return true }
        guard let patterns = mixed[key.source] else { return false }
        let path = key.path.absolute(in: folder)
        return patterns.dates(ofFileAt: path, in: folder) != nil
            && patterns.withDate.dates(ofFileAt: path, in: folder) == nil
    }
}
