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
    /// Those that the rates are about: of which it is known in the same way how many were sent, or else of none. Neither failed
    /// nor known in part, unless all are.
    let rated: [DeliveryResult]
    /// Of each delivery and platform.
    private let totals: [String: [String: Totals]]
    /// How it is known of its deliveries how many were sent, at least one way.
    let groups: [DeliveryGroup]
    /// What of these was sent to each platform, where that is known.
    let sentTo: [String: Int]
    /// What happened to these, by the number of days since a delivery began, and by action.
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
        let first = own.compactMap(\.firstDay).min()
        let former = try first.map { first in
            let apart = subject.isCampaign ? "r.campaign <> :name AND r.campaign <> ''" : "r.delivery_id <> :name"
            let days = [first.adding(days: -SubjectFigures.formerDays), first.adding(days: -1)].map(\.description)
            return try reading.deliveries(
                "\(apart) AND r.first_day BETWEEN :from AND :to", name + .of(days[0], days[1]))
        }
        let judged = DeliveryResult.judged(own + (former?.deliveries ?? []), table)
        deliveries = Array(judged.prefix(own.count))
        let all = DeliveryGroup.allCases.filter { group in own.contains { $0.group == group } }
        let alike = deliveries.filter { $0.group == all[0] }
        groups = all
        rated = alike.contains(where: \.isFair) ? alike.filter(\.isFair) : alike
        let ids = Set(rated.map(\.id))
        events = try reading.events(which, name, of: ids)
        sentTo = try reading.sentByPlatform(which, name, of: ids)
        let fair = judged.dropFirst(own.count).filter { $0.isFair && $0.group == all[0] }
        let names = Dictionary(grouping: fair) { subject.isCampaign ? $0.campaign ?? "" : $0.id }
        others = names.values.map { SubjectFigures.result(of: $0, former?.totals ?? [:]) }
    }

    private static func result(
        of deliveries: [DeliveryResult], _ totals: [String: [String: Totals]], platform: String? = nil
    ) -> Result {
        var result = Result(sent: deliveries.compactMap(\.sent).knownSum)
        for delivery in deliveries {
            for (name, totals) in totals[delivery.id] ?? [:] where platform == nil || platform == name {
                result.totals += totals
            }
        }
        return result
    }

    /// Of those that the rates are about.
    var result: Result { SubjectFigures.result(of: rated, totals) }

    func result(of delivery: DeliveryResult) -> Result { SubjectFigures.result(of: [delivery], totals) }

    func result(platform: String) -> Result {
        Result(
            sent: sentTo[platform], totals: SubjectFigures.result(of: rated, totals, platform: platform).totals)
    }

    /// The platforms of these, in the usual order.
    var platforms: [String] {
        let known = rated.flatMap { totals[$0.id]?.keys.map(\.self) ?? [] }
        return Totals.inUsualOrder(Set(known).union(sentTo.keys.filter { !$0.isEmpty }))
    }

    /// What became of all its messages.
    var sum: Totals { SubjectFigures.result(of: deliveries, totals).totals }

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

    /// Whether a day of its deliveries still grows.
    var isProvisional: Bool { period?.days.contains { table.days[$0] != nil && !table.isFinal($0) } ?? false }

    /// The name that people know.
    var name: String { subject.isCampaign ? subject.name : deliveries.first?.name ?? subject.name }
}

/// Reads what became of some deliveries. `which` is SQL about a row r of delivery_results, and may have parameters.
private struct SubjectReading {
    let database: Database
    let table: DayTable

    func deliveries(
        _ which: String, _ values: [DatabaseValue]
    ) throws -> (deliveries: [DeliveryResult], totals: [String: [String: Totals]]) {
        let sql = Question.page("first days", columns: Totals.columns.map(\.name), texts: [":which": which])
        var totals: [String: [String: Totals]] = [:]
        try database.forEach(sql, binding: values) { row in
            var sum = Totals()
            try sum.read(row, from: 2)
            totals[try row.read(0), default: [:]][try row.read(1)] = sum
        }
        let all = try database.rows(Question.page("some deliveries", texts: [":which": which]), binding: values) {
            row in
            var sum = Totals()
            for platform in (totals[try row.read(0)] ?? [:]).values { sum += platform }
            let counts = DeliveryResult.Counts(sum)
            return try DeliveryResult(row, of: nil, table, counts, compared: counts)
        }
        return (all, totals)
    }

    func events(_ which: String, _ values: [DatabaseValue], of ids: Set<String>) throws -> [Int: [String: Int]] {
        var all: [Int: [String: Int]] = [:]
        try database.forEach(Question.page("days since it began", texts: [":which": which]), binding: values) { row in
            guard ids.contains(try row.read(0)) else { return }
            all[try row.read(1), default: [:]][try row.read(2), default: 0] += try row.count(3)
        }
        return all
    }

    func sentByPlatform(_ which: String, _ values: [DatabaseValue], of ids: Set<String>) throws -> [String: Int] {
        var all: [String: [Int]] = [:]
        try database.forEach(Question.page("sent by platform", texts: [":which": which]), binding: values) { row in
            guard ids.contains(try row.read(0)) else { return }
            all[try row.read(1), default: []] += [try row.optionalCountOfAnySize(2)].compactMap(\.self)
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
        return Fault("usage", text: "push.db has no \(subject.kind) '\(subject.name)'\(hint)", exitStatus: .badData)
    }
}
