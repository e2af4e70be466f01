import Calendar
import Counting
import Events

/// A row of a daily table of the output DB.
protocol DailyRow: TableRow {
    static var table: Table { get }

    var day: Int32 { get }
}

extension DailyRow {
    /// The digests of rows that are sorted by day, by day.
    static func digests(of rows: [Self], _ names: EventNames) -> [Int32: UInt64] {
        var digests: [Int32: UInt64] = [:]
        var rest = rows[...]
        while let day = rest.first?.day {
            let end = rest.firstIndex { $0.day != day } ?? rest.endIndex
            digests[day] = rest[..<end].reduce(0) { $0 &+ $1.digest(names) }
            rest = rest[end...]
        }
        return digests
    }
}

extension DailyActions.Row: DailyRow {
    static var table: Table { OutputSchema.dailyActions }

    func write<Sink: ValueSink>(_ names: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(day: day)
        try sink.add(names.sources[Int(source)])
        try sink.add(platform.name)
        try sink.add(names.deliveries[Int(delivery)])
        try sink.add(names.actions[Int(action)])
        try sink.add(Int64(events))
        try sink.add(Int64(duplicates))
        try sink.add(time: firstAt)
        try sink.add(time: lastAt)
    }
}

extension DailyFunnel.Row: DailyRow {
    static var table: Table { OutputSchema.dailyFunnel }

    func write<Sink: ValueSink>(_ names: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(day: day)
        try sink.add(platform.name)
        try sink.add(names.deliveries[Int(delivery)])
        for count in [
            messages, arrived, impressed, clicked, opened, dismissed, openedWithoutClick, openedWithoutImpression,
        ] {
            try sink.add(Int64(count))
        }
        for count in [clicked, opened, dismissed] {
            if messages == 0 { try sink.addNull() } else { try sink.add(Double(count) / Double(messages)) }
        }
    }
}
