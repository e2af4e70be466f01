import Calendar
import Counting
import Events
import Partitions

/// Computes what the shared messages of log dates change in the rows that these would have if they were alone.
struct SharedCorrections: Sendable {
    /// A partition and the events of its shared messages.
    struct Member: Sendable {
        let logDate: Int32
        let names: EventNames
        var shared: SharedMessages
        /// Whether its rows are wanted. The others only have messages of those.
        let isWanted: Bool
    }

    /// A piece of work is at least so many events.
    private static let leastEvents = 1 << 16

    /// Sorted by log date.
    private let members: [Member]
    private let names: GlobalNames
    private let settings: PublicationSettings
    private let days: DayClock
    private let factor: Int

    /// - Parameter factor: what all counts are multiplied by.
    init(_ members: [Member], _ settings: PublicationSettings, factor: Int = 1) {
        assert(zip(members, members.dropFirst()).allSatisfy { $0.logDate < $1.logDate })
        (self.members, self.settings, self.factor) = (members, settings, factor)
        names = GlobalNames(members.map(\.names), pipelineSources: settings.sourceNames)
        days = DayClock(zone: settings.zone, around: members.map(\.logDate))
    }

    /// The tables to be added, by log date.
    func tables(_ workers: any Workers) throws(WarehouseError) -> [Int32: DailyTables] {
        let sections = Set(members.flatMap(\.shared.events.keys)).sorted()
        let events = members.flatMap(\.shared.events.values).reduce(0) { $0 + $1.count }
        let shares = Shards(min(workers.count, events / SharedCorrections.leastEvents + 1))
        let found = try workers.map(sections.count * shares.count) { number throws(WarehouseError) in
            resolve(sections[number / shares.count], number % shares.count, of: shares)
        }
        var tables: [Int32: DailyTables] = [:]
        for piece in found {
            for (member, sums) in zip(members, piece) where member.isWanted {
                tables[member.logDate, default: DailyTables()].merge(sums)
            }
        }
        return tables
    }

    /// The tables of a share of the messages of a section, by member.
    private func resolve(_ section: Section, _ share: Int, of shares: Shards) -> [DailyTables] {
        assert((0..<shares.count).contains(share))
        let seed = Shards.seed(section)
        let lists = members.map { member in
            let events = member.shared.events[section] ?? []
            return shares.count == 1 ? events : events.filter { shares.shard(of: $0.id, seed) == share }
        }
        var resolver = MessageResolver(
            logDates: members.map(\.logDate), windowDays: settings.windowDays, names: names, factor: factor, days: days)
        return resolver.corrections(lists)
    }
}
