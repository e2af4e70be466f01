import Calendar
import Counting
import Events

/// The events of some messages in all partitions.
package struct MessageSearch: Sendable {
    /// An id to search for, in every id space.
    package struct Key: Hashable, Sendable {
        package let kind: Section.Kind
        package let id: EventID

        package init(kind: Section.Kind, id: EventID) {
            self.kind = kind
            self.id = id
        }
    }

    /// The messages that were found, in the order of the keys; for one key in the order of the id spaces.
    package let histories: [MessageHistory]
    /// The number of partitions that were read.
    package let partitions: Int
    /// The errors of partitions that could not be searched.
    package let damaged: [OutputError]

    /// Reads the blocks that may contain the keys, one partition after another. Writes nothing.
    ///
    /// - Throws: errors other than damage of a single partition.
    package init(
        _ keys: [Key], in partitions: PartitionSet, settings: PublicationSettings
    ) throws {
        var found: [Key: [String: [MessageEvent]]] = [:]
        var days = DayClock(zone: settings.zone)
        var searched = 0
        for index in partitions.summaries.indices where partitions.summaries[index].hasIDs {
            let events = try partitions.partition(index).messages(keys, days: &days)
            for (key, spaces) in events { found[key, default: [:]].merge(spaces) { $0 + $1 } }
            searched += 1
        }
        histories = keys.flatMap { key in
            (found[key] ?? [:]).map { idSpace, events in
                MessageHistory(
                    section: Section(idSpace: idSpace, kind: key.kind), id: key.id, events: events,
                    windowDays: settings.windowDays, sourceNames: settings.sourceNames)
            }.sorted { $0.section < $1.section }
        }
        self.partitions = searched
        damaged = partitions.damaged + partitions.faults
    }
}

extension Partition {
    /// The events of messages, by key and id space.
    fileprivate func messages(
        _ keys: [MessageSearch.Key], days: inout DayClock
    ) throws -> [MessageSearch.Key: [String: [MessageEvent]]] {
        var found: [MessageSearch.Key: [String: [Event]]] = [:]
        let names = try names()
        for (section, entries) in try blockEntries() {
            for key in keys where key.kind == section.kind {
                var events: [Event] = []
                let holding = entries.filter { $0.first <= key.id && key.id <= $0.last }
                for block in try blocks(holding[...]) { try decode(block, names: names, appendingTo: &events) }
                events.removeAll { $0.id != key.id }
                if !events.isEmpty { found[key, default: [:]][section.idSpace] = events }
            }
        }
        return found.mapValues { spaces in
            spaces.mapValues { events in
                events.map {
                    MessageEvent(
                        $0, names: names, logDate: summary.logDate, day: days.day(of: $0.time))
                }
            }
        }
    }
}
