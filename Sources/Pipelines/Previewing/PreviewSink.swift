import Calendar
import Counting
import Events
import Records

/// Keeps every record of a sample.
struct PreviewSink: RecordSink {
    private(set) var records: [PreviewRecord] = []
    private(set) var tally = FileTally()
    /// The events by day, without regard to duplicates.
    private(set) var daily = DailyActions()
    /// Lines that seem to hold a hit and do not fit the layout.
    private(set) var misfittingHits = 0

    private let path: String
    private let format: RecordFormat
    private let source: UInt16
    private let actionNames: [String]
    private var days: DayClock
    private var line = 0

    init(path: String, format: RecordFormat, source: Int, actionNames: [String], days: DayClock) {
        self.path = path
        self.format = format
        self.source = UInt16(source)
        self.actionNames = actionNames
        self.days = days
    }

    mutating func begin(line: Int) { self.line = line }

    mutating func accept(_ record: Record, delivery: Span<UInt8>) {
        tally.accept(record)
        daily.add(
            Event(
                id: record.id, time: record.time, delivery: 0, source: source, action: record.action,
                platform: record.platform), day: days.day(of: record.time))
        let hit = PreviewRecord.Hit(
            time: record.time, clockFallback: record.clockFallback, id: BroadlogID(kind: record.kind, id: record.id),
            delivery: String(decoding: delivery.indices.map { delivery[$0] }, as: UTF8.self),
            action: actionNames[Int(record.action)], platform: record.platform)
        records.append(PreviewRecord(line: line, outcome: .accepted(hit)))
    }

    mutating func filter(_ reason: FilterReason) {
        tally.filter(reason)
        records.append(PreviewRecord(line: line, outcome: .filtered(reason)))
    }

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        let detail = detail()
        if reason == .malformedLine, format.hasSign(in: evidence) { misfittingHits += 1 }
        tally.reject(reason, path: path, line: line, detail: detail)
        records.append(PreviewRecord(line: line, outcome: .rejected(reason, detail: detail)))
    }
}
