import Calendar
import Configuration
import Events
import Records

/// What the hits of a file leave open about the layout that they fit: what it does not find in them, and what could be
/// meant by two of their values.
package struct LayoutDoubts: Sendable {
    /// A value that is taken, and another one that could be meant.
    package struct Choice: Hashable, Sendable {
        package let taken: String
        package let other: String
    }

    /// The hits that fit the layout.
    package private(set) var hits = 0
    /// Of these, those that have each field.
    package private(set) var found: [JSONFields.Field: Int] = [:]
    package private(set) var statuses: [Choice] = []
    /// Of times that differ.
    package private(set) var times: [Choice] = []
    /// Of user agents that name other platforms.
    package private(set) var agents: [Choice] = []
    /// Whether the hits, which are many, all have the same time.
    package private(set) var isTimeConstant = false

    /// The hits in which other values are looked for.
    private static let examples = 300
    /// A request may end so many milliseconds after it began.
    private static let duration: Int64 = 5000
    /// Farther away it is the time of something else.
    private static let reach: Int64 = 366 * 86_400_000
    /// From so many hits on, one time in all of them is the time of something else.
    private static let many = 10

    /// - Parameters:
    ///   - hinted: the indexes of the lines that seem to hold a hit.
    ///   - day: the date in the file's path.
    init(_ draft: SourceDraft, _ lines: SampleLines, hinted: [Int], on day: LogDate?) {
        guard let layout = draft.layout, layout != .body, let rules = draft.rules(zone: .utc) else { return }
        var parser = LineParser(rules)
        parser.beginFile()
        let hinted = Set(hinted)
        var examples: [[UInt8]] = []
        var taken: [LineParser.FoundFields] = []
        for index in lines.ranges.indices {
            let line = lines.bytes.span.extracting(lines.ranges[index])
            guard hinted.contains(index) else {
                _ = parser.takeDirective(line)
                continue
            }
            guard let fields = parser.foundFields(in: line) else { continue }
            hits += 1
            for field in fields.fields { found[field, default: 0] += 1 }
            guard examples.count < Self.examples else { continue }
            examples.append(Array(lines.bytes[lines.ranges[index]]))
            taken.append(fields)
        }
        isTimeConstant = taken.count >= Self.many && found[.time] == hits && Set(taken.map(\.time)).count == 1
        // A layout with another name says what is what.
        if layout.name == "json" {
            let guess = JSONFieldGuess(examples)
            let names: [JSONFields.Field: String] = [
                .time: guess.unmappedTime ?? "time", .status: "status", .userAgent: "http_user_agent",
            ]
            let mapped = draft.layoutFields.mapValues { $0.joined(separator: ".") }
            compare(taken, with: guess.values, on: day) { mapped[$0] ?? names[$0] ?? "" }
        } else if let columns = LineColumns(layout) {
            compare(taken, with: columns.values(of: examples), on: day, columns.taken)
        }
    }

    private mutating func compare(
        _ taken: [LineParser.FoundFields], with places: [HitValues], on day: LogDate?,
        _ name: (JSONFields.Field) -> String
    ) {
        func add(_ place: HitValues, to choices: inout [Choice], _ field: JSONFields.Field) {
            let choice = Choice(taken: name(field), other: place.name)
            if !choices.contains(choice) { choices.append(choice) }
        }
        let names = Set([.time, .date, .status, .userAgent].map(name))
        for place in places where !names.contains(place.name) {
            if found[.status] != nil, place.areStatuses(of: taken.count) { add(place, to: &statuses, .status) }
            if let times = place.times(of: taken.count, on: day), times.rank < 2 {
                let differing = times.times.count { index, time in
                    taken[index].time.map { (Self.duration + 1...Self.reach).contains(abs(time - $0)) } ?? false
                }
                if differing * 20 > taken.count { add(place, to: &self.times, .time) }
            }
            let namesOther = taken.indices.contains { index in
                let platform = place.platform(index)
                return platform != .unknown && platform != taken[index].platform
            }
            if found[.userAgent] != nil, namesOther { add(place, to: &agents, .userAgent) }
        }
    }
}
