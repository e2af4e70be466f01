import Events
import GRDB

/// The days of the daily tables that the output DB does not have yet as they shall be.
struct ChangedDays: Sendable {
    var daily: Set<Int32>
    var funnel: Set<Int32>

    var all: Set<Int32> { daily.union(funnel) }

    /// The days in at most `count` parts, each of days that follow one another.
    func shares(_ count: Int) -> [ChangedDays] {
        let days = all.sorted()
        let count = min(count, days.count)
        return (0..<count).map { share in
            let part = Set(days[(share * days.count / count)..<((share + 1) * days.count / count)])
            return ChangedDays(daily: daily.intersection(part), funnel: funnel.intersection(part))
        }
    }
}

/// The daily tables and `days`, as they shall be.
struct OutputContent {
    private var kept: [KeptFigures]
    /// Of all partitions, by day.
    private let shares: [Int32: DayShare]
    /// Of disjoint sets of days.
    private var figures: [Figures] = []
    private var names = GlobalNames([], pipelineSources: [])

    init(_ kept: [KeptFigures]) {
        self.kept = kept
        var shares: [Int32: DayShare] = [:]
        for figures in kept {
            for (day, share) in figures.head.shares { shares[day, default: DayShare()] += share }
        }
        self.shares = shares
    }

    /// What `publication` shall say of the days.
    var items: [String: String] {
        var items: [String: String] = [:]
        for (day, share) in shares {
            let date = CalendarText.date(ofDay: day)
            items["daily_actions \(date)"] = String(share.dailyHash, radix: 16)
            items["daily_funnel \(date)"] = String(share.funnelHash, radix: 16)
        }
        return items
    }

    /// The days that `publication` does not have so, those included that are no more.
    func changedDays(_ published: [String: String]) -> ChangedDays {
        let items = items
        func days(_ table: String) -> Set<Int32> {
            let prefix = table + " "
            let changed = Set(items.keys).union(published.keys)
                .filter { $0.hasPrefix(prefix) && items[$0] != published[$0] }
            return Set(changed.compactMap { CalendarText.day(of: String($0.dropFirst(prefix.count))) })
        }
        return ChangedDays(daily: days("daily_actions"), funnel: days("daily_funnel"))
    }

    /// Reads the figures of some days. False if what was kept of a partition does not read: then it is gone.
    mutating func readFigures(
        of days: ChangedDays, _ partitions: PartitionSet, _ settings: PublicationSettings, _ means: PublicationMeans
    ) throws(WarehouseError) -> Bool {
        let places = kept.indices.filter { !days.all.isDisjoint(with: kept[$0].head.shares.keys) }
        let sources = try FigureSources(partitions, places, means, withBlocks: false)
        names = GlobalNames(places.map { sources[$0].names }, pipelineSources: settings.sourceNames)
        // Each worker merges all partitions' figures of its share of the days.
        let sum = SharedSum((figures: [Figures](), unreadable: Set<Int>()))
        let shares = days.shares(means.workers)
        means.fanout(shares.count) { [kept, names] share in
            sum.add { () throws(WarehouseError) in
                var figures = Figures(of: shares[share])
                var unreadable: Set<Int> = []
                for (index, place) in places.enumerated()
                where !figures.days.all.isDisjoint(with: kept[place].head.shares.keys) {
                    let partition = try partitions.partition(place)
                    if let part = try kept[place].figures(sources[place].limits, of: partition) {
                        figures.merge(part, of: index, names)
                    } else {
                        unreadable.insert(place)
                    }
                }
                return { sum in
                    sum.figures.append(figures)
                    sum.unreadable.formUnion(unreadable)
                }
            }
        }
        let result = try sum.result()
        for place in result.unreadable { try kept[place].remove() }
        figures = result.figures.sorted { $0.days.all.min() ?? 0 < $1.days.all.min() ?? 0 }
        return result.unreadable.isEmpty
    }

    /// Keeps the figures of partitions that are in their places only now.
    mutating func confirmArrivals(_ partitions: PartitionSet) {
        for (place, summary) in partitions.summaries.enumerated() where partitions.arriving.contains(summary.logDate) {
            kept[place].confirm(PartitionStamp(path: partitions.path(place)), of: summary, in: partitions.folder)
        }
    }

    /// Writes the days that were read, and all of `days`. Returns the number of rows that differed.
    func write(
        to database: Database, lastLogDate: Int32?, _ settings: PublicationSettings, _ means: PublicationMeans
    ) throws -> Int {
        var changes = 0
        for figures in figures {
            changes += try write(
                figures.daily.rows(sourceRanks: names.sourceRanks), of: figures.days.daily, to: database, means)
            changes += try write(figures.funnel.rows(), of: figures.days.funnel, to: database, means)
        }
        let rows = shares.sorted { $0.key < $1.key }.map { day, share in
            let isFinal = lastLogDate.map { Int($0) > Int(day) + settings.windowDays } ?? false
            return dayValues(day) + [
                share.events.databaseValue, share.messages.databaseValue, (isFinal ? 1 : 0).databaseValue,
            ]
        }
        return changes + (try OutputSchema.days.replaceRows(rows, in: database))
    }

    /// `rows` are in the order of their days.
    private func write<Row: DailyRow>(
        _ rows: [Row], of days: Set<Int32>, to database: Database, _ means: PublicationMeans
    ) throws -> Int {
        var changes = 0
        var rest = rows[...]
        for day in days.sorted() {
            if means.isStopped() { throw WarehouseError.stopped }
            let end = rest.firstIndex { $0.day != day } ?? rest.endIndex
            changes += try Row.replace(rest[..<end], of: day, names.names, in: database)
            rest = rest[end...]
        }
        return changes
    }
}
