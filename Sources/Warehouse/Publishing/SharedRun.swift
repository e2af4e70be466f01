import Counting
import Events

/// Events of shared messages of a section, in the order of their ids.
struct SharedRun: Sendable {
    /// With more runs of a section all are merged into one: each takes a pass over its events.
    private static let mostRuns = 8

    let section: Section
    var list: ResolvedEvents

    /// Adds events that a comparison found, those left out that are there. Returns the others.
    /// - Parameter resolved: what became of them.
    static func add(
        _ found: [Event], _ resolved: [Resolution], _ section: Section, to runs: inout [SharedRun]
    ) -> [Event] {
        var new = ResolvedEvents(found, resolved)
        for index in runs.indices where runs[index].section == section {
            runs[index].list.update(from: found, resolved)
            new.remove(idsOf: runs[index].list.events)
        }
        if !new.events.isEmpty { runs.append(SharedRun(section: section, list: new)) }
        return new.events
    }

    /// One run a section, if there are many.
    static func compact(_ runs: [SharedRun]) -> [SharedRun]? {
        let sections = Set(runs.map(\.section)).sorted()
        guard runs.count > mostRuns * sections.count else { return nil }
        return sections.map { section in
            let ofSection = runs.filter { $0.section == section }
            return SharedRun(section: section, list: ResolvedEvents(merging: ofSection.map(\.list)))
        }
    }
}
