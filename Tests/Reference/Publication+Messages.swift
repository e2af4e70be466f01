// The tables that count messages in the row of their first event.

extension Publication {
    package var dailyFunnel: OutputTable {
        let rows = Dictionary(grouping: messages) { message -> OutputRow in
            dayCells(message.day, message.first.logDate)
                + [.text(message.first.hit.platform), .text(message.first.hit.deliveryID)]
        }
        return OutputTable("daily_funnel", Columns.dailyFunnel, rows.map { $0 + $1.funnel })
    }

    package var dailyPaths: OutputTable {
        let rows = Dictionary(grouping: messages) { message -> OutputRow in
            dayCells(message.day, message.first.logDate) + [.text(message.first.hit.platform)]
                + ["arrival", "impression", "click", "open"].map { .integer(message.has($0) ? 1 : 0) }
        }
        return OutputTable("daily_paths", Columns.dailyPaths, rows.map { $0 + [.integer($1.count)] })
    }

    package var dailyTotals: OutputTable {
        let ofEvents = Dictionary(grouping: events) { dayCells($0.local.day) + [.text($0.hit.platform)] }
        let ofMessages = Dictionary(grouping: messages) { dayCells($0.day) + [.text($0.first.hit.platform)] }
        let keys = Set(ofEvents.keys).union(ofMessages.keys)
        return OutputTable(
            "daily_totals", Columns.dailyTotals,
            keys.map { key in
                let messages = ofMessages[key] ?? []
                return key + (ofEvents[key] ?? []).counts + messages.funnel + messages.rates
            })
    }
}
