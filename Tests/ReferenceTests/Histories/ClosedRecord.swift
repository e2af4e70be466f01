import Foundation
import Reference
import Support

/// Which log dates of an output are closed, as `partitions/closed` says.
struct ClosedRecord {
    let through: Day?
    let first: Day
    /// Those that are to be passed.
    let passed: Set<Day>
    /// Those whose figures were given up.
    let givenUp: Set<Day>
    /// Those that were loaded when they were closed.
    let loaded: Set<Day>
    let settled: Set<Day>
    let windowDays: Int
    private let timeZone: String
    private let sources: [String]

    /// Nil if there is none.
    init?(_ folder: ScratchFolder) {
        let lines = folder.contents("out/partitions/closed")?.split(separator: UInt8(ascii: "\n")) ?? []
        guard lines.count == 2, let json = try? JSONSerialization.jsonObject(with: lines[1]) as? [String: Any],
            let settings = json["settings"] as? [String: Any], let window = settings["window_days"] as? Int,
            let zone = settings["timezone"] as? String, let sources = settings["sources"] as? [String],
            let first = (json["first"] as? String).flatMap({ Day($0) })
        else { return nil }
        self.first = first
        through = (json["through"] as? String).flatMap { Day($0) }
        func days(_ key: String) -> Set<Day> { Set((json[key] as? [String] ?? []).compactMap { Day($0) }) }
        (passed, givenUp) = (days("passed"), days("given_up"))
        let entries = json["dates"] as? [String: [String: Any]] ?? [:]
        loaded = Set(entries.keys.compactMap { Day($0) })
        settled = Set(entries.filter { $0.value["settled"] is String }.keys.compactMap { Day($0) })
        (windowDays, timeZone, self.sources) = (window, zone, sources)
    }

    func holds(_ date: Day) -> Bool {
        through.map { date <= $0 && date.number >= first.number - windowDays } ?? false
    }

    /// Whether nothing needs the ids of a log date any more.
    func isErased(_ date: Day) -> Bool { holds(date) && holds(Day(number: date.number + 2 * windowDays)) }

    /// Whether figures that have settled go with the settings of a pipeline.
    func fits(_ pipeline: Pipeline) -> Bool {
        // Sources that it no longer has follow, ordered by name.
        let names = pipeline.sources.map(\.name)
        let order = names.filter(sources.contains) + sources.filter { !names.contains($0) }.sorted()
        return settled.isEmpty
            || pipeline.timeZone == timeZone && pipeline.windowDays == windowDays && order == sources
    }
}
