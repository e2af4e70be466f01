import Counting
import Events

/// Events of shared messages in one section, sorted by id.
struct SharedRun: Sendable {
    /// If a section has more runs, they are merged into one, because each run needs a pass over its events.
    private static let mostRuns = 8

    let section: Section
    var list: ResolvedEvents

    /// Adds the events `found` that are not in `runs` yet.
    /// - Parameter resolved: the resolutions of `found`.
    static func add(
        _ found: [Event], _ resolved: [Resolution], _ section: Section, to runs: inout [SharedRun]
    ) {
        var new = ResolvedEvents(found, resolved)
        for index in runs.indices where runs[index].section == section {
            runs[index].list.update(from: found, resolved)
            new.remove(idsOf: runs[index].list.events)
        }
        if !new.events.isEmpty { runs.append(SharedRun(section: section, list: new)) }
    }

    /// Merges the runs into one per section if there are too many; else nil.
    static func compact(_ runs: [SharedRun]) -> [SharedRun]? {
        let sections = Set(runs.map(\.section)).sorted()
        guard runs.count > mostRuns * sections.count else { return nil }
        return sections.map { section in
            let ofSection = runs.filter { $0.section == section }
            return SharedRun(section: section, list: ResolvedEvents(merging: ofSection.map(\.list)))
        }
    }
}
