// The tables that count events and their duplicates.

extension Publication {
    package var dailyActions: OutputTable {
        let rows = Dictionary(grouping: events) { event -> OutputRow in
            dayCells(event.local.day, event.event.logDate) + [
                .text(event.hit.source), .text(event.hit.platform), .text(event.hit.deliveryID),
                .text(event.hit.action),
            ]
        }
        return OutputTable("daily_actions", Columns.dailyActions, rows.map { $0 + $1.counts })
    }

    package var hourlyActions: OutputTable {
        let rows = Dictionary(grouping: events) { event -> OutputRow in
            let local = event.local
            return dayCells(local.day, event.event.logDate) + [
                .integer(local.hour), .integer(local.hourEpoch),
                .text("\(local.day.description) \(padded(local.hour, 2)):00:00"), .text(event.hit.source),
                .text(event.hit.platform), .text(event.hit.action),
            ]
        }
        return OutputTable("hourly_actions", Columns.hourlyActions, rows.map { $0 + $1.counts })
    }
}
