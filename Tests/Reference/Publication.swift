/// The output DB of a set of partitions.
package struct Publication {
    private let partitions: [Partition]
    private let windowDays: Int
    private let zone: Zone
    private let order: SourceOrder
    private let events: [PartitionEvent]

    package init(partitions: [Partition], pipeline: Pipeline) {
        self.partitions = partitions
        windowDays = pipeline.windowDays
        zone = Zone(pipeline.timeZone)
        order = SourceOrder(pipeline)
        events = partitions.flatMap(\.events)
    }

    package var tables: [OutputTable] {
        [dailyActions, dailyFunnel, days, partitionsTable, filesTable, outcomesTable]
    }

    /// The events of all partitions in the window around the event's partition.
    private func reachable(from event: PartitionEvent) -> [PartitionEvent] {
        events.filter { abs($0.logDate.number - event.logDate.number) <= windowDays }
    }

    private func counts(_ event: PartitionEvent) -> Bool {
        !reachable(from: event).contains { $0.hit.hasSameKey(as: event.hit) && order.comesEarlier($0, event) }
    }

    private func isFirst(_ event: PartitionEvent) -> Bool {
        !reachable(from: event).contains {
            $0.hit.hasSameMessage(as: event.hit) && order.comesEarlierInMessage($0, event)
        }
    }

    private func dayCells(_ day: Day) -> OutputRow {
        [.text(day.description), .integer(day.number * 86_400)]
    }

    package var dailyActions: OutputTable {
        let rows = Dictionary(grouping: events) { event -> OutputRow in
            dayCells(zone.day(of: event.hit.time)) + [
                .text(event.hit.source), .text(event.hit.platform), .text(event.hit.deliveryID),
                .text(event.hit.action),
            ]
        }
        return OutputTable(
            "daily_actions", Columns.dailyActions,
            rows.map { key, events in
                let counting = events.filter(counts)
                let times = counting.map(\.hit.time)
                return key + [
                    .integer(counting.count), .integer(events.map(\.records).reduce(0, +) - counting.count),
                    times.min().map { .text(timestamp($0)) } ?? .null,
                    times.max().map { .text(timestamp($0)) } ?? .null,
                ]
            })
    }

    package var dailyFunnel: OutputTable {
        let rows = Dictionary(grouping: events.filter(isFirst)) { event -> OutputRow in
            dayCells(zone.day(of: event.hit.time)) + [.text(event.hit.platform), .text(event.hit.deliveryID)]
        }
        return OutputTable(
            "daily_funnel", Columns.dailyFunnel,
            rows.map { key, firsts in
                let messages: [Set<String>] = firsts.map { first in
                    Set(reachable(from: first).filter { $0.hit.hasSameMessage(as: first.hit) }.map(\.hit.action))
                }
                func count(_ isMeant: (Set<String>) -> Bool) -> Int { messages.count(where: isMeant) }
                let clicked = count { $0.contains("click") }
                let opened = count { $0.contains("open") }
                let dismissed = count { $0.contains("click") && !$0.contains("open") }
                func rate(_ part: Int) -> Cell {
                    messages.isEmpty ? .null : .real(Double(part) / Double(messages.count))
                }
                return key + [
                    .integer(messages.count), .integer(count { $0.contains("arrival") }),
                    .integer(count { $0.contains("impression") }), .integer(clicked), .integer(opened),
                    .integer(dismissed), .integer(count { $0.contains("open") && !$0.contains("click") }),
                    .integer(count { $0.contains("open") && !$0.contains("impression") }), rate(clicked),
                    rate(opened), rate(dismissed),
                ]
            })
    }

    package var days: OutputTable {
        let days = Set(events.map { zone.day(of: $0.hit.time) })
        return OutputTable(
            "days", Columns.days,
            days.map { day in
                let ofDay = events.filter { zone.day(of: $0.hit.time) == day }
                let isFinal = partitions.contains { $0.logDate.number - day.number > windowDays }
                return dayCells(day) + [
                    .integer(ofDay.count(where: counts)), .integer(ofDay.count(where: isFirst)),
                    .integer(isFinal ? 1 : 0),
                ]
            })
    }

    private func accounts(_ partition: Partition, _ records: [Record]) -> OutputRow {
        [.integer(records.count)]
            + ["accepted", "filtered", "rejected"].map { .integer(partition.count($0, in: records)) }
    }

    private var partitionsTable: OutputTable {
        OutputTable(
            "partitions", Columns.partitions,
            partitions.map { partition in
                let accepted = partition.count("accepted", in: partition.records)
                let fallbacks = partition.records.count {
                    if case .accepted(_, clockFallback: true) = $0.outcome { true } else { false }
                }
                return [
                    .text(partition.logDate.description), .text(partition.isComplete ? "complete" : "partial"),
                    .integer(partition.files.count),
                ] + accounts(partition, partition.records) + [
                    .integer(partition.events.count), .integer(accepted - partition.events.count),
                    .integer(fallbacks),
                ]
            })
    }

    private var filesTable: OutputTable {
        OutputTable(
            "files", Columns.files,
            partitions.flatMap { partition in
                partition.files.map { file in
                    [
                        .text(partition.logDate.description), .text(file.source), .text(file.path),
                        .integer(file.bytes), .text(file.status.rawValue),
                    ] + accounts(partition, file.records)
                }
            })
    }

    private var outcomesTable: OutputTable {
        var rows: [OutputRow: Int] = [:]
        for partition in partitions {
            for file in partition.files {
                for record in file.records {
                    let key: OutputRow = [
                        .text(partition.logDate.description), .text(file.source), .text(record.outcome.kind),
                        .text(record.outcome.reason),
                    ]
                    rows[key, default: 0] += 1
                }
            }
        }
        return OutputTable("outcomes", Columns.outcomes, rows.map { $0 + [.integer($1)] })
    }
}
