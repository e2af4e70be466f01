/// The output DB of a set of partitions.
package struct Publication {
    package let partitions: [Partition]
    let pipeline: Pipeline
    let windowDays: Int
    let timeZone: String
    /// All events of all partitions.
    let events: [CountedEvent]
    /// The messages by their first events. A message may have several.
    let messages: [Message]

    package let deliveries: [Bytes: NamedDelivery]

    package init(partitions: [Partition], pipeline: Pipeline, deliveries: [Bytes: NamedDelivery] = [:]) {
        self.deliveries = deliveries
        self.partitions = partitions
        self.pipeline = pipeline
        windowDays = pipeline.windowDays
        timeZone = pipeline.timeZone
        let overlap = Overlap(partitions, pipeline)
        let zone = Zone(pipeline.timeZone)
        events = overlap.events.map { event in
            CountedEvent(event: event, local: zone.local(of: event.hit.time), counts: overlap.counts(event))
        }
        messages = overlap.events.filter(overlap.isFirst).map { first in
            Message(first: first, day: zone.day(of: first.hit.time), events: overlap.eventsOfMessage(of: first))
        }
    }

    package var tables: [OutputTable] {
        [
            dailyActions, dailyFunnel, dailyTotals, hourlyActions, dailyPaths, days, calendar, about, partitionsTable,
            filesTable, outcomesTable, deliveriesTable, deliveryResults, deliveryPlatforms,
        ]
    }

    /// Those that have rows for each log date.
    package var byLogDate: [OutputTable] { [dailyActions, dailyFunnel, hourlyActions, dailyPaths] }

    /// The rows of the tables by day, without `days`.
    var rowsByDay: [Day: Set<OutputRow>] {
        var rows: [Day: Set<OutputRow>] = [:]
        for table in byLogDate + [dailyTotals] {
            for row in table.rows {
                guard case .text(let text) = row[0], let day = Day(text.text) else { continue }
                rows[day, default: []].insert([.text(table.name)] + row)
            }
        }
        return rows
    }

    /// The columns `day`, `day_start` and `day_epoch`, and `log_date`.
    func dayCells(_ day: Day, _ logDate: Day) -> OutputRow { dayCells(day) + [.text(logDate.description)] }

    func dayCells(_ day: Day) -> OutputRow {
        [.text(day.description), .text("\(day.description) 00:00:00"), .integer(day.number * 86_400)]
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
                    .text(partition.logDate.description),
                    .text(partition.isComplete(by: pipeline) ? "complete" : "partial"),
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
