import Calendar
import Records

/// Doubts about a layout that the hits of a file fit: fields that it does not find, and values that two places could
/// give.
struct LayoutDoubts {
    /// The hits that fit the layout.
    private(set) var hits = 0
    /// The number of these hits that have each field.
    private(set) var found: [JSONFields.Field: Int] = [:]
    /// Doubts about a value that is taken from one place and could be taken from another.
    private(set) var choices: Set<Doubt> = []

    /// The most hits that are searched for other values.
    private static let examples = 300
    /// The longest request, in milliseconds. Times that differ by less may be the begin and the end of one request.
    private static let duration: Int64 = 5000
    /// A time that differs by more milliseconds is of something else.
    private static let reach: Int64 = 366 * 86_400_000
    /// If at least this many hits all have one time, it is the time of something else.
    private static let many = 10

    init(_ choices: Set<Doubt>) { self.choices = choices }

    /// - Parameters:
    ///   - hinted: the indexes of the lines that seem to hold a hit.
    ///   - day: the date in the file's path.
    init(about draft: SourceDraft, lines: SampleLines, hinted: [Int], on day: LogDate?) {
        guard let layout = draft.layout, layout != .body, let rules = draft.rules() else { return }
        var parser = LineParser(rules)
        parser.beginFile()
        let hinted = Set(hinted)
        var examples: [[UInt8]] = []
        var taken: [LineParser.FoundFields] = []
        for (index, line) in lines.lines.enumerated() {
            guard hinted.contains(index) else {
                _ = parser.takeDirective(line.span)
                continue
            }
            guard let fields = parser.foundFields(in: line.span) else { continue }
            hits += 1
            for field in fields.fields { found[field, default: 0] += 1 }
            guard examples.count < Self.examples else { continue }
            examples.append(line)
            taken.append(fields)
        }
        if taken.count >= Self.many, found[.time] == hits, Set(taken.map(\.time)).count == 1 {
            choices.insert(Doubt(.time, text: "the time is the same in all hits, so it may be that of something else"))
        }
        // Only the JSON layout without fixed fields leaves the choice open. The other JSON layouts say where each field
        // is.
        if layout.name == "json" {
            let guess = JSONFieldGuess(examples)
            let names: [JSONFields.Field: String] = [
                .time: guess.unmappedTime ?? "time", .status: "status", .userAgent: "http_user_agent",
            ]
            let mapped = draft.layoutFields.mapValues { $0.joined(separator: ".") }
            compare(taken, with: guess.values, on: day) { mapped[$0] ?? names[$0] ?? "" }
        } else if let columns = LineColumns(layout) {
            compare(taken, with: columns.values(of: examples), on: day, name: columns.taken)
        }
    }

    private mutating func compare(
        _ taken: [LineParser.FoundFields], with places: [HitValues], on day: LogDate?,
        name: (JSONFields.Field) -> String
    ) {
        func doubt(_ rank: Doubt.Rank, what: String, field: JSONFields.Field, rest: String) -> Doubt {
            Doubt(rank, text: "the \(what) is taken from \(name(field)); \(rest)")
        }
        let names = Set([.time, .date, .status, .userAgent].map(name))
        for place in places where !names.contains(place.name) {
            let time = found[.time] == nil ? "" : name(.time)
            choices.formUnion(place.doubtsAboutTimes(taken: time, isRead: \.isLogTime))
            if found[.status] != nil, place.areStatuses(of: taken.count) {
                choices.insert(doubt(.status, what: "status", field: .status, rest: "\(place.name) could be it too"))
            }
            if place.areOfMost(taken.count), let times = place.times(of: taken.count, on: day), times.rank < 2 {
                let differing = times.times.count { index, time in
                    taken[index].time.map { (Self.duration + 1...Self.reach).contains(abs(time - $0)) } ?? false
                }
                if differing * 20 > taken.count {
                    choices.insert(doubt(.time, what: "time", field: .time, rest: "\(place.name) has another one"))
                }
            }
            let namesOther = taken.indices.contains { index in
                let platform = place.platform(index)
                return platform != .unknown && platform != taken[index].platform
            }
            if found[.userAgent] != nil, namesOther {
                choices.insert(
                    doubt(
                        .platform, what: "user agent", field: .userAgent,
                        rest: "\(place.name) names another system in some hits"))
            }
        }
    }
}
