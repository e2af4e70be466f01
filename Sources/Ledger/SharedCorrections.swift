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
        let ranges = Set(members.flatMap(\.shared.events.keys)).sorted().flatMap { cut($0, workers.count) }
        let found = try workers.map(ranges.count) { number throws(WarehouseError) in resolve(ranges[number]) }
        var tables: [Int32: DailyTables] = [:]
        for piece in found {
            for (logDate, sums) in piece { tables[logDate, default: DailyTables()].merge(sums) }
        }
        return tables
    }

    private func resolve(_ range: SectionRange) -> [(Int32, DailyTables)] {
        let lists = members.map { member in
            range.part(of: member.shared.events[range.section] ?? [])
        }
        var resolver = MessageResolver(
            logDates: members.map(\.logDate), windowDays: settings.windowDays, names: names)
        let resolutions = resolver.resolve(lists)
        var days = days
        return members.indices.filter { members[$0].isWanted && !lists[$0].isEmpty }.map { index in
            var tables = DailyTables()
            tables.addCorrections(
                by: lists[index], resolutions[index], actions: members[index].names.actions, factor: factor, &days)
            return (members[index].logDate, tables)
        }
    }

    /// Ranges of ids with about the same number of events.
    private func cut(_ section: Section, _ workers: Int) -> [SectionRange] {
        let lists = members.compactMap { $0.shared.events[section] }
        guard let longest = lists.max(by: { $0.count < $1.count }), !longest.isEmpty else { return [] }
        let events = lists.reduce(0) { $0 + $1.count }
        let pieces = min(4 * workers, events / SharedCorrections.leastEvents + 1, longest.count)
        let bounds = (1..<max(pieces, 1)).map { longest[$0 * longest.count / pieces].id }
        var ids: [EventID] = []
        for id in bounds where id != ids.last { ids.append(id) }
        return (0...ids.count).map { index in
            SectionRange(
                section, from: index == 0 ? nil : ids[index - 1], to: index == ids.count ? nil : ids[index])
        }
    }
}
