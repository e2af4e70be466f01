import Calendar
import Counting
import Events
import Partitions

/// Computes how shared messages change the rows that each log date would have by itself.
struct SharedCorrections: Sendable {
    /// A partition and the events of its shared messages.
    struct Member: Sendable {
        let path: String
        let logDate: LogDate
        let names: EventNames
        let shared: SharedMessages
    }

    /// Sorted by log date.
    private let members: [Member]
    private let names: GlobalNames
    private let settings: PublicationSettings

    init(of members: [Member], settings: PublicationSettings) {
        assert(zip(members, members.dropFirst()).allSatisfy { $0.logDate < $1.logDate })
        self.members = members
        self.settings = settings
        names = GlobalNames(members.map(\.names), pipelineSources: settings.sourceNames)
    }

    /// The tables to be added for the messages in a range of ids, by member.
    func tables(_ range: SectionRange) throws -> [DailyTables] {
        let lists = try members.map { try events(of: $0, in: range) }
        var resolver = MessageResolver(
            logDates: members.map(\.logDate), windowDays: settings.windowDays, names: names,
            days: DayClock(zone: settings.zone))
        return resolver.corrections(lists)
    }

    private func events(of member: Member, in range: SectionRange) throws -> [Event] {
        do throws(EventBlockError) {
            let events = try member.shared.events(in: range)
            guard member.names.hold(events.span) else { throw .inconsistent }
            return events
        } catch {
            throw OutputError.damagedBlock(at: member.path, error: error)
        }
    }
}
