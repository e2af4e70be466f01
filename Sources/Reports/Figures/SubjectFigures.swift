import Calendar
import Counting
import Messages
import Partitions
import SQLite

/// The figures of a campaign or a delivery. Each delivery is followed for its first 28 days.
struct SubjectFigures {
    /// The number of days for which a delivery is followed, and the number of days before it from which other
    /// deliveries are taken.
    static let (mostDays, formerDays) = (28, 90)
    /// With fewer others, there is no median.
    private static let fewestOthers = 3

    /// The outcome of the messages of a delivery or a campaign.
    struct Result {
        var sent: Int?
        var totals = Totals()

        /// The rate of a column: of the messages sent or, if their number is not known, of the messages known.
        func rate(_ column: FunnelColumn) -> Double? {
            Proportion(part: totals[column], whole: sent ?? totals[.messages]).rate
        }
    }

    let request: ReportRequest
    let table: DayTable
    let subject: ReportSubject
    let deliveries: [DeliveryResult]
    /// The deliveries behind the rates. Their number sent is known in the same way, or of none. Failed and partly known
    /// deliveries are left out, unless there are no others.
    let rated: [DeliveryResult]
    /// The totals by delivery and platform.
    private let totals: [ExactName: [String: Totals]]
    /// The ways in which the numbers sent are known. At least one.
    let groups: [DeliveryGroup]
    /// The number sent to each platform by the deliveries in `rated`, where it is known.
    let sentTo: [String: Int]
    /// The events of the deliveries in `rated`, by the number of days since the delivery began, and by action.
    let events: [Int: [String: Int]]
    /// The other campaigns, or deliveries, of the 90 days before.
    let others: [Result]

    init(
        of subject: ReportSubject, as request: ReportRequest, with table: DayTable, in database: Database
    ) throws {
        self.subject = subject
        self.request = request
        self.table = table
        try database.checkEnds(of: "day", in: "daily_funnel")
        let (which, apart) =
            subject.isCampaign
            ? ("r.campaign = :name", "r.campaign <> :name AND r.campaign <> ''")
            : ("r.delivery_id = :name", "r.delivery_id <> :name")
        let reading = SubjectReading(database: database, table: table, which: which, values: .of(subject.name))
        totals = try reading.totals()
        let own = try reading.deliveries(with: totals)
        guard !own.isEmpty else { throw try database.unknown(subject) }
        var former: [DeliveryResult] = []
        var formerTotals: [ExactName: [String: Totals]] = [:]
        if let first = own.compactMap(\.beginDay).min() {
            let days = [first.adding(days: -SubjectFigures.formerDays), first.adding(days: -1)].map(\.description)
            let reading = SubjectReading(
                database: database, table: table,
                which: "\(apart) AND coalesce(r.sent_day, r.first_day) BETWEEN :from AND :to",
                values: .of(subject.name, days[0], days[1]))
            formerTotals = try reading.totals()
            former = try reading.deliveries(with: formerTotals)
        }
        let judged = (own + former).judged(with: table)
        deliveries = Array(judged.prefix(own.count))
        let all = DeliveryGroup.allCases.filter { group in own.contains { $0.group == group } }
        let alike = deliveries.filter { $0.group == all[0] }
        groups = all
        rated = alike.contains(where: \.isFair) ? alike.filter(\.isFair) : alike
        let ids = Set(rated.map(\.key))
        events = try reading.events(of: ids)
        sentTo = try reading.sentByPlatform(of: ids)
        let fair = judged.dropFirst(own.count).filter { $0.isFair && $0.group == all[0] }
        let names = Dictionary(grouping: fair) { subject.isCampaign ? $0.campaignKey : $0.key }
        others = names.values.map { SubjectFigures.result(of: $0, in: formerTotals) }
    }

    private static func result(
        of deliveries: [DeliveryResult], in totals: [ExactName: [String: Totals]], platform: String? = nil
    ) -> Result {
        var result = Result(sent: deliveries.compactMap(\.sent).knownSum)
        for delivery in deliveries {
            for (name, totals) in totals[delivery.key] ?? [:] where platform == nil || platform == name {
                result.totals += totals
            }
        }
        return result
    }

    /// The result of the deliveries in `rated`.
    var result: Result { SubjectFigures.result(of: rated, in: totals) }

    func result(of delivery: DeliveryResult) -> Result { SubjectFigures.result(of: [delivery], in: totals) }

    func result(platform: String) -> Result {
        Result(sent: sentTo[platform], totals: SubjectFigures.result(of: rated, in: totals, platform: platform).totals)
    }

    /// The platforms of the deliveries in `rated`, in the usual order.
    var platforms: [String] {
        let known = rated.flatMap { totals[$0.key]?.keys.map(\.self) ?? [] }
        return Totals.inUsualOrder(Set(known).union(sentTo.keys.filter { !$0.isEmpty }))
    }

    /// The totals of all deliveries.
    var sum: Totals { SubjectFigures.result(of: deliveries, in: totals).totals }

    var isOfSent: Bool { result.sent != nil }

    /// The median of a rate of the others; nil if they are too few.
    func median(_ rate: (Result) -> Double?) -> Double? {
        let rates = others.compactMap(rate).sorted()
        return rates.count < SubjectFigures.fewestOthers ? nil : rates.median
    }

    /// From the day on which the first delivery began to the last followed day of the last one; nil if none has begun.
    var period: ReportPeriod? {
        let days = deliveries.compactMap(\.beginDay)
        guard let first = days.min(), let last = days.max() else { return nil }
        let end = last.adding(days: SubjectFigures.mostDays - 1)
        return ReportPeriod(first: first, last: max(first, min(end, table.lastLoadedDay ?? end)))
    }

    /// Whether a day of its deliveries still grows.
    var isProvisional: Bool { table.isAnyProvisional(of: period?.days ?? []) }

    /// The name that people know.
    var name: String { subject.isCampaign ? subject.name : deliveries.first?.name ?? subject.name }
}

/// Reads what became of some deliveries.
private struct SubjectReading {
    let database: Database
    let table: DayTable
    /// An SQL condition on a row `r` of delivery_results, and the values of its parameters.
    let which: String
    let values: [DatabaseValue]

    private func forEach(
        _ question: String, columns: [String] = [], body: (Statement) throws -> Void
    ) throws {
        let sql = Question.page(question, columns: columns, texts: [":which": which])
        try database.forEach(sql, binding: values, body: body)
    }

    func deliveries(with totals: [ExactName: [String: Totals]]) throws -> [DeliveryResult] {
        var all: [DeliveryResult] = []
        try forEach("some deliveries", columns: DeliveryResult.columns.map(\.name)) { row in
            let counts = Totals.sum((totals[ExactName(try row.read(0))] ?? [:]).values)
            all.append(try DeliveryResult(row, counts: counts, with: table))
        }
        return all
    }

    /// The totals by delivery and platform.
    func totals() throws -> [ExactName: [String: Totals]] {
        var totals: [ExactName: [String: Totals]] = [:]
        try forEach("first days", columns: Totals.columns.map(\.name)) { row in
            totals[ExactName(try row.read(0)), default: [:]][try row.read(1)] = try Totals(row, from: 2)
        }
        return totals
    }

    func events(of ids: Set<ExactName>) throws -> [Int: [String: Int]] {
        var all: [Int: [String: Int]] = [:]
        try forEach("days since it began") { row in
            guard ids.contains(ExactName(try row.read(0))) else { return }
            all[try row.read(1), default: [:]][try row.read(2), default: 0] += try row.count(3)
        }
        return all
    }

    func sentByPlatform(of ids: Set<ExactName>) throws -> [String: Int] {
        var all: [String: [Int]] = [:]
        try forEach("sent by platform") { row in
            guard ids.contains(ExactName(try row.read(0))) else { return }
            all[try row.read(1), default: []] += [try row.optionalCountOfAnySize(2)].compactMap(\.self)
        }
        return all.compactMapValues(\.knownSum)
    }
}

extension Database {
    /// The error for a name that push.db does not have, with at most three that are like it.
    fileprivate func unknown(_ subject: ReportSubject) throws -> Fault {
        let place = subject.isCampaign ? 0 : 1
        var (names, ids): (Set<ExactName>, [ExactName: String]) = ([], [:])
        try forEach(Question.page("names")) { row in
            guard let name: String = try row.read(place) else { return }
            names.insert(ExactName(name))
            // People know the label, but the id must be given.
            if !subject.isCampaign, let label: String = try row.read(2) { ids[ExactName(label)] = name }
        }
        let known = names.union(ids.keys).sorted().map(\.text)
        let wanted = subject.name.lowercased()
        let like = known.filter { $0.lowercased().contains(wanted) || wanted.contains($0.lowercased()) }
        let near = like.isEmpty ? [subject.name.nearest(of: known)].compactMap(\.self) : like
        let texts = near.prefix(3).map { name -> MessageText in
            ids[ExactName(name)].map { "'\(name)' (\($0))" } ?? "'\(name)'"
        }
        let hint: MessageText = texts.isEmpty ? "" : "; did you mean \(texts.joined(separator: ", "))?"
        return Fault(.usage, text: "push.db has no \(subject.kind) '\(subject.name)'\(hint)", exitStatus: .badData)
    }
}
