import Calendar
import Configuration
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

    /// The hits in which other values are looked for.
    private static let examples = 300
    /// A request may end so many milliseconds after it began.
    private static let duration: Int64 = 5000
    /// Farther away it is no time, but a number or text that has the shape of one.
    private static let reach: Int64 = 366 * 86_400_000

    init(_ draft: SourceDraft, _ lines: SampleLines, hinted: [Int]) {
        guard let layout = draft.layout, layout != .body, let rules = draft.rules(zone: .utc) else { return }
        var parser = LineParser(rules)
        parser.beginFile()
        let hinted = Set(hinted)
        var examples: [(line: Int, time: Int64?)] = []
        for index in lines.ranges.indices {
            let line = lines.bytes.span.extracting(lines.ranges[index])
            guard hinted.contains(index) else {
                _ = parser.takeDirective(line)
                continue
            }
            guard let fields = parser.foundFields(in: line) else { continue }
            hits += 1
            for field in fields { found[field, default: 0] += 1 }
            if examples.count < Self.examples { examples.append((index, parser.receiptTime(of: line))) }
        }
        if layout.name == "json" {
            compare(draft, lines, examples)
        } else if let columns = LineColumns(layout, zone: .utc) {
            compare(columns, lines, examples)
        }
    }

    private mutating func compare(_ columns: LineColumns, _ lines: SampleLines, _ examples: [(line: Int, time: Int64?)])
    {
        var columns = columns
        var read = 0
        var statuses: [LineColumns.Column: (all: Int, digits: Int)] = [:]
        var different: Set<String> = []
        for example in examples {
            let line = lines.bytes.span.extracting(lines.ranges[example.line])
            guard let words = columns.statuses(in: line), let times = columns.times(in: line) else { continue }
            read += 1
            for (column, text) in words {
                statuses[column, default: (0, 0)].all += 1
                if text != "-" { statuses[column, default: (0, 0)].digits += 1 }
            }
            for (column, time) in times where Self.differ(time, example.time) { different.insert(column.name) }
        }
        if let taken = columns.status {
            let others = statuses.filter { $0.value.all == read && $0.value.digits * 2 > read }
            self.statuses = Set(others.keys.map(\.name)).sorted().map { Choice(taken: taken, other: $0) }
        }
        if let taken = columns.time { times = different.sorted().map { Choice(taken: taken, other: $0) } }
    }

    private mutating func compare(_ draft: SourceDraft, _ lines: SampleLines, _ examples: [(line: Int, time: Int64?)]) {
        let guess = JSONFieldGuess(examples.map { Array(lines.bytes[lines.ranges[$0.line]]) })
        let status = draft.layoutFields[.status] ?? ["status"]
        if found[.status] != nil {
            statuses = guess.statuses().filter { $0 != status }.map {
                Choice(taken: status.joined(separator: "."), other: $0.joined(separator: "."))
            }
        }
        let paths = guess.times
        guard draft.layoutFields[.date] == nil, let time = draft.layoutFields[.time] ?? paths.first else { return }
        for path in paths where path != time {
            var fields = draft.layoutFields
            fields[.time] = path
            guard let rules = SourceDraft(draft.format, draft.layoutText, fields: fields).rules(zone: .utc) else {
                continue
            }
            var parser = LineParser(rules)
            let differs = examples.contains { example in
                Self.differ(
                    parser.receiptTime(of: lines.bytes.span.extracting(lines.ranges[example.line])), example.time)
            }
            if differs { times.append(Choice(taken: time.joined(separator: "."), other: path.joined(separator: "."))) }
        }
    }

    private static func differ(_ time: Int64?, _ other: Int64?) -> Bool {
        guard let time, let other else { return false }
        return (duration + 1...reach).contains(abs(time - other))
    }
}
