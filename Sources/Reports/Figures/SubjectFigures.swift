import Calendar
import Counting
import Messages
import Partitions
import SQLite

/// The figures of a campaign or of a delivery: of each delivery those of its first 28 days.
struct SubjectFigures {
    /// The longest time of a delivery, and the time before it from which the others are.
    static let (mostDays, formerDays) = (28, 90)
    /// Fewer others have no median.
    private static let fewestOthers = 3

    /// A delivery, or a campaign, with what became of its messages.
    struct Result {
        var sent: Int?
        var totals = Totals()

        /// How many of what was sent, or where that is not known of the messages.
        func rate(_ column: FunnelColumn) -> Double? {
            Proportion(part: totals[column], whole: sent ?? totals[.messages]).rate
        }
    }

    let request: ReportRequest
    let table: DayTable
    let subject: ReportSubject
    let deliveries: [DeliveryResult]
    /// Of each delivery.
    let totals: [String: Totals]
    let platforms: [String: Totals]
    /// What was sent to each platform, where that is known.
    let sentTo: [String: Int]
    /// What happened, by the number of days since a delivery began, and by action.
    let events: [Int: [String: Int]]
    /// The other campaigns, or deliveries, of the 90 days before.
    let others: [Result]

    init(of subject: ReportSubject, _ request: ReportRequest, _ table: DayTable, in database: Database) throws {
        (self.subject, self.request, self.table) = (subject, request, table)
        try database.checkEnds(of: "day", in: "daily_funnel")
        let reading = SubjectReading(database: database, table: table)
        let which = subject.isCampaign ? "r.campaign = :name" : "r.delivery_id = :name"
        let name = [DatabaseValue].of(subject.name)
        let (own, totals) = try reading.deliveries(which, name)
        guard !own.isEmpty else { throw try reading.unknown(subject) }
        self.totals = totals
        platforms = try reading.totals(which, name, by: "platform, 0")
        events = try reading.events(which, name)
        sentTo = try reading.sentByPlatform(which, name)
        guard let first = own.compactMap(\.firstDay).min() else {
            (deliveries, others) = (own, [])
            return
        }
        let apart = subject.isCampaign ? "r.campaign <> :name AND r.campaign <> ''" : "r.delivery_id <> :name"
        let days = [first.adding(days: -SubjectFigures.formerDays), first.adding(days: -1)].map(\.description)
        let former = try reading.deliveries(
            "\(apart) AND r.first_day BETWEEN :from AND :to", name + .of(days[0], days[1]))
        let judged = DeliveryResult.judged(own + former.deliveries, table)
        deliveries = Array(judged.prefix(own.count))
        let group = SubjectFigures.group(of: own)
        let fair = judged.dropFirst(own.count).filter { $0.isFair && $0.group == group }
        let names = Dictionary(grouping: fair) { subject.isCampaign ? $0.campaign ?? "" : $0.id }
        others = names.values.map { SubjectFigures.result($0, former.totals) }
    }

    /// The deliveries that the rates are about: of which it is known in the same way how many were sent, or else of none.
    private static func group(of deliveries: [DeliveryResult]) -> DeliveryGroup {
        DeliveryGroup.allCases.first { group in deliveries.contains { $0.group == group } } ?? .others
    }

    private static func result(_ deliveries: [DeliveryResult], _ totals: [String: Totals]) -> Result {
        var result = Result(sent: deliveries.compactMap(\.sent).knownSum)
        for delivery in deliveries { result.totals += totals[delivery.id] ?? Totals() }
        return result
    }

    /// Those that the rates are about: of one group, and neither failed nor known in part, unless all are.
    var rated: [DeliveryResult] {
        let group = deliveries.filter { $0.group == SubjectFigures.group(of: deliveries) }
        let fair = group.filter(\.isFair)
        return fair.isEmpty ? group : fair
    }

    var result: Result { SubjectFigures.result(rated, totals) }

    /// What became of all its messages.
    var sum: Totals { SubjectFigures.result(deliveries, totals).totals }

    var isOfSent: Bool { result.sent != nil }

    /// The median of a rate of the others; nil if they are too few.
    func median(_ rate: (Result) -> Double?) -> Double? {
        let rates = others.compactMap(rate).sorted()
        return rates.count < SubjectFigures.fewestOthers ? nil : rates.median
    }

    /// From its first day to the last one that any of its deliveries is followed; nil if none has begun.
    var period: ReportPeriod? {
        let days = deliveries.compactMap(\.firstDay)
        guard let first = days.min(), let last = days.max() else { return nil }
        let end = last.adding(days: SubjectFigures.mostDays - 1)
        return ReportPeriod(first: first, last: max(first, min(end, table.loaded.last ?? end)))
    }

    /// The name that people know.
    var name: String { subject.isCampaign ? subject.name : deliveries.first?.name ?? subject.name }
}

/// Reads what became of some deliveries. `which` is SQL about a row r of delivery_results, and may have parameters.
private struct SubjectReading {
    let database: Database
    let table: DayTable

    func totals(_ which: String, _ values: [DatabaseValue], by keys: String) throws -> [String: Totals] {
        let sql = Question.page(
            "first days", columns: Totals.columns.map(\.name), texts: [":which": which, ":keys": keys])
        var all: [String: Totals] = [:]
        try database.forEach(sql, values) { row in
            var totals = Totals()
            try totals.read(row, from: 2)
            all[try row.read(0)] = totals
        }
        return all
    }

    func deliveries(
        _ which: String, _ values: [DatabaseValue]
    ) throws -> (deliveries: [DeliveryResult], totals: [String: Totals]) {
        let totals = try totals(which, values, by: "r.delivery_id, 0")
        var all: [DeliveryResult] = []
        try database.forEach(Question.page("some deliveries", texts: [":which": which]), values) { row in
            let counts = DeliveryResult.Counts(totals[try row.read(0)] ?? Totals())
            all.append(try DeliveryResult(row, of: nil, table, counts, compared: counts))
        }
        return (all, totals)
    }

    func events(_ which: String, _ values: [DatabaseValue]) throws -> [Int: [String: Int]] {
        var all: [Int: [String: Int]] = [:]
        try database.forEach(Question.page("days since it began", texts: [":which": which]), values) { row in
            all[try row.read(0), default: [:]][try row.read(1)] = try row.count(2)
        }
        return all
    }

    func sentByPlatform(_ which: String, _ values: [DatabaseValue]) throws -> [String: Int] {
        var all: [String: [Int]] = [:]
        try database.forEach(Question.page("sent by platform", texts: [":which": which]), values) { row in
            all[try row.read(0), default: []] += [try row.optionalCountOfAnySize(1)].compactMap(\.self)
        }
        return all.compactMapValues(\.knownSum)
    }

    private static let mostSuggested = 3

    /// The error for a name that push.db does not have, with those that are like it.
    func unknown(_ subject: ReportSubject) throws -> Fault {
        let place = subject.isCampaign ? 0 : 1
        var (names, ids): ([String], [String: String]) = ([], [:])
        try database.forEach(Question.page("names")) { row in
            guard let name: String = try row.read(place) else { return }
            names.append(name)
            // People know the label, and have to give the id.
            if !subject.isCampaign, let label: String = try row.read(2) { ids[label] = name }
        }
        let known = Set(names).union(ids.keys).sorted()
        let wanted = subject.name.lowercased()
        let like = known.filter { $0.lowercased().contains(wanted) || wanted.contains($0.lowercased()) }
        let near = like.isEmpty ? [subject.name.nearest(of: known)].compactMap(\.self) : like
        let texts = near.prefix(SubjectReading.mostSuggested).map { name -> MessageText in
            ids[name].map { "'\($0)' (\(name))" } ?? "'\(name)'"
        }
        let hint: MessageText = texts.isEmpty ? "" : "; did you mean \(texts.joined(separator: ", "))?"
        return Fault("usage", "push.db has no \(subject.kind) '\(subject.name)'\(hint)", .badData)
    }
}
