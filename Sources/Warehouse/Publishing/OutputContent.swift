import Calendar
import Events
import GRDB
import Posix

/// The days of the daily tables that the output DB does not have yet as they shall be.
struct ChangedDays: Sendable {
    var daily: Set<Int32>
    var funnel: Set<Int32>

    var all: Set<Int32> { daily.union(funnel) }

    /// The days in parts of at most `count` days that follow one another.
    func pieces(of count: Int) -> [ChangedDays] {
        let days = all.sorted()
        return stride(from: 0, to: days.count, by: count).map { start in
            let part = Set(days[start..<min(start + count, days.count)])
            return ChangedDays(daily: daily.intersection(part), funnel: funnel.intersection(part))
        }
    }
}

/// The daily tables and `days`, as they shall be.
struct OutputContent {
    private var kept: [KeptFigures]
    /// Of all partitions, by day.
    private let shares: [Int32: DayShare]
    /// Those that are to be written.
    private var days = ChangedDays(daily: [], funnel: [])
    /// Partitions that have something of these days.
    private var parts: [Part] = []
    /// Of `parts`, in their order.
    private var names = GlobalNames([], pipelineSources: [])

    private struct Part: Sendable {
        let place: Int
        let limits: EventNumberLimits
        let body: KeptFigures.Body
    }

    /// Days that one worker takes at a time, at most.
    private static let daysAPiece = 8

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

    var allDays: ChangedDays { changedDays([:]) }

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

    /// Reads what was kept of the figures of some days, which are to be written. False if what was kept of a partition does
    /// not read: then it is gone.
    mutating func readFigures(
        of days: ChangedDays, _ partitions: PartitionSet, _ settings: PublicationSettings, _ means: PublicationMeans
    ) throws(WarehouseError) -> Bool {
        self.days = days
        let places = kept.indices.filter { !days.all.isDisjoint(with: kept[$0].head.shares.keys) }
        let sources = try FigureSources(partitions, places, means, withBlocks: false)
        names = GlobalNames(places.map { sources[$0].names }, pipelineSources: settings.sourceNames)
        let sum = SharedSum<[Int: Part]>([:])
        means.fanout(places.count) { [kept] index in
            sum.add { () throws(WarehouseError) in
                let place = places[index]
                guard let body = kept[place].readBody() else {
                    try kept[place].remove()
                    return { _ in }
                }
                return { $0[place] = Part(place: place, limits: sources[place].limits, body: body) }
            }
        }
        let read = try sum.result()
        parts = places.compactMap { read[$0] }
        return parts.count == places.count
    }

    /// Keeps the figures of partitions that are in their places only now.
    mutating func confirmArrivals(_ partitions: PartitionSet) {
        for (place, summary) in partitions.summaries.enumerated() where partitions.arriving.contains(summary.logDate) {
            kept[place].confirm(FileStamp(path: partitions.path(place)), of: summary, in: partitions.folder)
        }
    }

    /// Writes the days that were read, and all of `days`; tables among `rewritten` are empty. Returns the number of rows
    /// that differed.
    func write(
        to database: Database, of output: OutputDatabase, _ partitions: PartitionSet, _ settings: PublicationSettings,
        _ means: PublicationMeans, rewritten: Set<String>, _ digests: inout TableDigests
    ) throws -> Int {
        var changes = 0
        let pieces = days.pieces(of: OutputContent.daysAPiece)
        let atATime = 2 * means.workers
        for start in stride(from: 0, to: pieces.count, by: atATime) {
            let group = Array(pieces[start..<min(start + atATime, pieces.count)])
            let found = try made(group, partitions, means) { days, daily, funnel throws(WarehouseError) in
                try differences(days, daily, funnel, output, rewritten)
            }
            for (days, piece) in zip(group, found) {
                if means.isStopped() { throw WarehouseError.stopped }
                changes += try piece.result.daily.write(names.names, to: database)
                changes += try piece.result.funnel.write(names.names, to: database)
                piece.set(&digests, of: days)
            }
        }
        let rows = dayRows(partitions, settings)
        digests.set(rows, of: OutputSchema.days)
        return changes + (try OutputSchema.days.replaceRows(rows, in: database))
    }

    /// The digests of the days that were read, and of `days`.
    func digests(
        _ partitions: PartitionSet, _ settings: PublicationSettings, _ means: PublicationMeans
    ) throws(WarehouseError) -> TableDigests {
        var digests = TableDigests()
        let pieces = days.pieces(of: OutputContent.daysAPiece)
        let found = try made(pieces, partitions, means) { _, _, _ throws(WarehouseError) in () }
        for (days, piece) in zip(pieces, found) { piece.set(&digests, of: days) }
        digests.set(dayRows(partitions, settings), of: OutputSchema.days)
        return digests
    }

    private func dayRows(_ partitions: PartitionSet, _ settings: PublicationSettings) -> [[DatabaseValue]] {
        let lastLogDate = partitions.summaries.last?.logDate
        return shares.sorted { $0.key < $1.key }.map { day, share in
            let isFinal = lastLogDate.map { Int($0) > Int(day) + settings.windowDays } ?? false
            return dayValues(day) + [
                share.events.databaseValue, share.messages.databaseValue, (isFinal ? 1 : 0).databaseValue,
            ]
        }
    }

    /// What was made of some days, and the digests of their rows.
    private struct Made<Result: Sendable>: Sendable {
        let result: Result
        let daily: [Int32: UInt64]
        let funnel: [Int32: UInt64]

        func set(_ digests: inout TableDigests, of days: ChangedDays) {
            for day in days.daily {
                digests[OutputSchema.dailyActions, CalendarText.date(ofDay: day)] = daily[day] ?? 0
            }
            for day in days.funnel {
                digests[OutputSchema.dailyFunnel, CalendarText.date(ofDay: day)] = funnel[day] ?? 0
            }
        }
    }

    /// What `make` makes of the rows of some days, which workers put together.
    private func made<Result: Sendable>(
        _ pieces: [ChangedDays], _ partitions: PartitionSet, _ means: PublicationMeans,
        _ make: @Sendable (ChangedDays, [DailyActions.Row], [DailyFunnel.Row]) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [Made<Result>] {
        let hashes = NameHashes(names.names)
        let sum = SharedSum<[Int: Made<Result>]>([:])
        means.fanout(pieces.count) { [kept, names, parts] index in
            sum.add { () throws(WarehouseError) in
                if means.isStopped() { throw .stopped }
                let days = pieces[index]
                var figures = Figures(of: days)
                for (number, part) in parts.enumerated() {
                    let present = kept[part.place].head.shares.keys
                    guard !days.all.isDisjoint(with: present) else { continue }
                    try figures.merge(
                        part.body, of: try partitions.partition(part.place), part.limits, at: number, names,
                        days: present)
                }
                let daily = figures.daily.rows(sourceRanks: names.sourceRanks)
                let funnel = figures.funnel.rows()
                let made = Made(
                    result: try make(days, daily, funnel), daily: DailyActions.Row.digests(of: daily, hashes),
                    funnel: DailyFunnel.Row.digests(of: funnel, hashes))
                return { $0[index] = made }
            }
        }
        let found = try sum.result()
        return pieces.indices.compactMap { found[$0] }
    }

    private struct Differences: Sendable {
        let daily: DailyChanges<DailyActions.Row>
        let funnel: DailyChanges<DailyFunnel.Row>
    }

    /// How the output DB differs from the rows of some days: as it was before the transaction in hand, since workers read it
    /// by connections of their own. Tables that are made again are not read.
    private func differences(
        _ days: ChangedDays, _ daily: [DailyActions.Row], _ funnel: [DailyFunnel.Row], _ output: OutputDatabase,
        _ rewritten: Set<String>
    ) throws(WarehouseError) -> Differences {
        func differences(_ database: Database?) throws -> Differences {
            let dailyBefore = rewritten.contains(OutputSchema.dailyActions.name) ? nil : database
            let funnelBefore = rewritten.contains(OutputSchema.dailyFunnel.name) ? nil : database
            return Differences(
                daily: try DailyChanges(daily, of: days.daily, names.names, in: dailyBefore),
                funnel: try DailyChanges(funnel, of: days.funnel, names.names, in: funnelBefore))
        }
        return try reportingFacts(of: output.path) {
            let daily = [OutputSchema.dailyActions.name, OutputSchema.dailyFunnel.name]
            return try rewritten.isSuperset(of: daily)
                ? differences(nil) : output.readUnchecked(differences) ?? differences(nil)
        }
    }
}
