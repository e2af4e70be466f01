import Calendar
import Counting
import Events

/// A row of a daily table of the output DB.
protocol DailyRow: TableRow {
    static var table: Table { get }

    var day: Int32 { get }
    /// The number of its delivery; nil if the table has no deliveries.
    var deliveryNumber: UInt32? { get }
}

extension DailyRow {
    var deliveryNumber: UInt32? { nil }
}

extension DailyActions.Row: DailyRow {
    static var table: Table { OutputSchema.dailyActions }
    var deliveryNumber: UInt32? { delivery }

    func write<Sink: ValueSink>(_ names: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(day: day)
        try sink.add(names.sources[Int(source)])
        try sink.add(platform.name)
        try sink.add(names.deliveries[Int(delivery)])
        try sink.add(names.actions[Int(action)])
        try sink.add(counts)
    }
}

extension DailyFunnel.Row: DailyRow {
    static var table: Table { OutputSchema.dailyFunnel }
    var deliveryNumber: UInt32? { delivery }

    func write<Sink: ValueSink>(_ names: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(day: day)
        try sink.add(platform.name)
        try sink.add(names.deliveries[Int(delivery)])
        for count in counts.all { try sink.add(Int64(count)) }
        try sink.add(counts[.clicked], of: counts[.messages])
        try sink.add(counts[.opened], of: counts[.messages])
        try sink.add(counts[.dismissed], of: counts[.messages])
        try sink.add(counts[.openedImpressed], of: counts[.impressed])
    }
}

extension DailyTotals.Row: DailyRow {
    static var table: Table { OutputSchema.dailyTotals }

    func write<Sink: ValueSink>(_: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(day: day)
        try sink.add(platform.name)
        try sink.add(counts)
        for count in funnel.all { try sink.add(Int64(count)) }
    }
}

extension HourlyActions.Row: DailyRow {
    static var table: Table { OutputSchema.hourlyActions }

    func write<Sink: ValueSink>(_ names: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(day: day)
        try sink.add(Int64(hour.ofDay))
        try sink.add(hour.epoch)
        let start = CalendarText.hourBytes(hour.ofDay, of: CalendarText.dateBytes(ofDay: day))
        try sink.add(text: start.span)
        try sink.add(names.sources[Int(source)])
        try sink.add(platform.name)
        try sink.add(names.actions[Int(action)])
        try sink.add(counts)
    }
}

extension DailyLateness.Row: DailyRow {
    static var table: Table { OutputSchema.dailyLateness }

    func write<Sink: ValueSink>(_ names: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(day: day)
        try sink.add(date: logDate)
        try sink.add(Int64(logDate) - Int64(day))
        try sink.add(names.sources[Int(source)])
        try sink.add(counts)
    }
}

extension DailyPaths.Row: DailyRow {
    static var table: Table { OutputSchema.dailyPaths }

    func write<Sink: ValueSink>(_: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(day: day)
        try sink.add(platform.name)
        try sink.add(flag: stages.contains(.arrived))
        try sink.add(flag: stages.contains(.impressed))
        try sink.add(flag: stages.contains(.clicked))
        try sink.add(flag: stages.contains(.opened))
        try sink.add(Int64(messages))
    }
}

extension ValueSink {
    fileprivate mutating func add(_ counts: EventCounts) throws(Failure) {
        try add(Int64(counts.events))
        try add(Int64(counts.duplicates))
    }

    fileprivate mutating func add(flag: Bool) throws(Failure) { try add(Int64(flag ? 1 : 0)) }

    /// A rate; NULL if `whole` is 0.
    fileprivate mutating func add(_ part: Int, of whole: Int) throws(Failure) {
        if whole == 0 { try addNull() } else { try add(Double(part) / Double(whole)) }
    }
}
