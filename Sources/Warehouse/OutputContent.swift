import Events
import GRDB

/// The daily tables and `days`, as they shall be, and which of their days the output DB does not have so yet.
struct OutputContent {
    private let kept: [KeptFigures]
    /// Of all partitions, by day.
    private let shares: [Int32: DayShare]
    private var figures = Figures(of: [])
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
        Dictionary(uniqueKeysWithValues: shares.map { (OutputContent.item($0), OutputContent.version($1)) })
    }

    /// The days that `publication` does not have so, those included that are no more.
    func changedDays(_ published: [String: String]) -> Set<Int32> {
        let items = items
        let changed = Set(items.keys).union(published.keys.filter { $0.hasPrefix(OutputContent.prefix) })
            .filter { items[$0] != published[$0] }
        return Set(changed.compactMap { CalendarText.day(of: String($0.dropFirst(OutputContent.prefix.count))) })
    }

    /// Reads the figures of some days. False if what was kept of a partition does not read: then it is gone.
    mutating func readFigures(
        of days: Set<Int32>, _ partitions: PartitionSet, _ settings: PublicationSettings, _ means: PublicationMeans
    ) throws(WarehouseError) -> Bool {
        let places = kept.indices.filter { !days.isDisjoint(with: kept[$0].head.shares.keys) }
        let sources = try FigureSources(partitions, places, means, withBlocks: false)
        names = GlobalNames(places.map { sources[$0].names }, pipelineSources: settings.sourceNames)
        figures = Figures(of: days)
        for (index, place) in places.enumerated() {
            guard let part = kept[place].figures(sources[place].limits) else {
                try kept[place].remove()
                return false
            }
            figures.merge(part, of: index, names)
        }
        return true
    }

    /// Writes the days that were read, and all of `days`. Returns the number of rows that differed.
    func write(to database: Database, lastLogDate: Int32?, _ settings: PublicationSettings) throws -> Int {
        var changes = 0
        let daily = Dictionary(grouping: figures.daily.rows(sourceRanks: names.sourceRanks), by: \.day)
        let funnel = Dictionary(grouping: figures.funnel.rows(), by: \.day)
        for day in figures.days.sorted() {
            let date = CalendarText.date(ofDay: day)
            changes += try OutputSchema.dailyActions.replaceRows(
                daily[day, default: []].lazy.map { $0.values(names.names) }, of: date, in: database)
            changes += try OutputSchema.dailyFunnel.replaceRows(
                funnel[day, default: []].lazy.map { $0.values(names.names) }, of: date, in: database)
        }
        let rows = shares.sorted { $0.key < $1.key }.map { day, share in
            let isFinal = lastLogDate.map { Int($0) > Int(day) + settings.windowDays } ?? false
            return dayValues(day) + [
                share.events.databaseValue, share.messages.databaseValue, (isFinal ? 1 : 0).databaseValue,
            ]
        }
        return changes + (try OutputSchema.days.replaceRows(rows, in: database))
    }

    private static let prefix = "day "

    private static func item(_ day: Int32) -> String { prefix + CalendarText.date(ofDay: day) }

    private static func version(_ share: DayShare) -> String {
        [share.dailyHash, share.funnelHash, UInt64(share.rows)].map { String($0, radix: 16) }.joined(separator: "-")
    }
}
