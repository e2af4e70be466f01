import Messages

extension Explanation {
    /// A table for each message, and below it its row of the funnel.
    var text: String {
        let erased = idsSince.map { "log dates before \($0) hold no ids any more" }
        guard !messages.isEmpty else { return notFound + (erased.map { "; \($0)" } ?? "") }
        return messages.map { message in
            ([heading(of: message), ""] + table(of: message) + [""] + message.funnel.map { "  " + $0.text })
                .joined(separator: "\n")
        }.joined(separator: "\n\n") + (erased.map { "\n\n\($0)" } ?? "")
    }

    private var notFound: String {
        let looked = readings.map(\.text).joined(separator: " and for ")
        return
            "\(id.shown): no event of this message in \(Text.plural(partitions, "loaded log date")); looked for \(looked); "
            + "records that were filtered or rejected are not events"
    }

    private func heading(of message: Message) -> String {
        let reading = Reading(broadlogId: message.broadlogId, kind: message.kind, readAs: message.readAs)
        return
            "message \(readings.count > 1 ? reading.text : message.broadlogId.shown), id space \(message.idSpace.shown)"
    }

    private func table(of message: Message) -> [String] {
        var columns = Columns([.left, .left, .left, .left, .left, .left, .left, .right, .left])
        columns.add([
            "log date", "day", "time (\(timezone))", "source", "delivery", "platform", "action", "records", "",
        ])
        for event in message.events {
            columns.add([
                event.logDate, event.day, event.time, event.source.shown, event.deliveryId.shown, event.platform,
                event.action, Text.number(event.records), event.verdict,
            ])
        }
        return columns.lines.map { "  " + $0 }
    }
}

extension Explanation.Reading {
    var text: String {
        switch readAs {
        case "url": "\(broadlogId.shown) (as in a URL)"
        case "json_integer": "\(broadlogId.shown) (as a JSON integer)"
        default: "\(broadlogId.shown) (as a JSON string)"
        }
    }
}

extension Explanation.Event {
    fileprivate var verdict: String {
        guard let precededBy else { return isFirst ? "counts, the message's first" : "counts" }
        return "duplicate of log date \(precededBy.logDate), \(precededBy.time), \(precededBy.source.shown)"
    }
}

extension Explanation.Funnel {
    fileprivate var text: String {
        let stages = [
            ("arrived", arrived), ("impressed", impressed), ("clicked", clicked), ("opened", opened),
            ("dismissed", dismissed),
        ].filter(\.1).map(\.0)
        return "daily_funnel \(day), \(platform), \(deliveryId.shown): "
            + (stages.isEmpty ? "no stage" : stages.joined(separator: ", "))
    }
}
