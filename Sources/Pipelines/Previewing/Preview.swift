import Calendar
import Configuration
import Counting
import Events
import LogFiles
import Messages
import Posix
import Records

/// What a load would make of the beginning of a file.
package struct Preview: Sendable {
    package struct File: Sendable {
        /// The path as messages show it.
        package let path: String
        /// The path for opening it.
        package let location: String
        package let isStandardInput: Bool

        /// The file's size in bytes; 0 if it cannot be determined.
        package var bytes: Int { FileStamp(path: location)?.bytes ?? 0 }

        package init(path: String, location: String, isStandardInput: Bool = false) {
            self.path = path
            self.location = location
            self.isStandardInput = isStandardInput
        }
    }

    /// Where the log date comes from.
    package enum DateOrigin: String, Sendable {
        case given
        case fileName = "file_name"
        case firstTime = "first_time"
        case yesterday
    }

    package let file: File
    package let source: Source
    package let date: LogDate
    package let dateOrigin: DateOrigin
    /// Whether a user gave the file. If not, it is one of the log date's files.
    package let isGiven: Bool
    package let records: [PreviewRecord]
    package let tally: FileTally
    package let messages: SampleMessages
    /// The number of lines that were read.
    package let lines: Int
    /// Whether the whole file was read.
    package let isWhole: Bool
    /// The state of the file as far as it was read.
    package let status: FileStatus
    /// The offset of bytes after a gzip member that are ignored.
    package let trailingBytesAt: Int?
    /// Nil if the file can be read.
    package let foreign: ForeignFile?
    /// What is needed to judge several files of a source together.
    private let result: FileResult
    private let daily: ActionCounts
    private let plan: LogDatePlan
    /// Why no row of a CSV file can be read.
    private let headerFault: HeaderFault?
    /// Lines that seem to hold a hit and do not fit the layout.
    let misfittingHits: Int

    /// Reads the sample of a file.
    /// - Parameters:
    ///   - source: the index of the file's source.
    ///   - date: the log date; nil to find it in the file's name or its first line.
    ///   - yesterday: the log date if nothing tells it.
    ///   - isGiven: if not, the file is one of those of `date`, or of yesterday.
    /// - Throws: `LogFileError`.
    package init(
        of file: File, pipeline: Pipeline, source: Int, date: LogDate?, yesterday: LogDate, isGiven: Bool
    ) throws {
        self.file = file
        self.isGiven = isGiven
        self.source = pipeline.sources[source]
        let input = InputFile(source: source, found: FoundFile(path: file.path, location: file.location, bytes: 0))
        let dates = pipeline.sources[source].files.dates(ofFileAt: file.location, in: pipeline.folder) ?? []
        // A name without a day may be of many log dates.
        let named = dates.count == 1 ? dates[0] : nil
        var plan = LogDatePlan(pipeline, date: date ?? named ?? yesterday, files: [input])
        let sample = try input.naming { try Sample(ofFileAt: $0) }
        foreign = ForeignFile(path: file.path, beginning: sample.beginning)
        var sink = PreviewSink(path: file.path, pipeline: pipeline, source: source)
        var reader = RecordReader(plan.rules[source])
        if isGiven, date == nil, named == nil, let time = reader.firstReceiptTime(in: sample.bytes.span) {
            var days = DayClock(zone: pipeline.zone)
            plan = LogDatePlan(pipeline, date: days.day(of: time), files: [input])
            reader = RecordReader(plan.rules[source])
            dateOrigin = .firstTime
        } else {
            dateOrigin = date != nil ? .given : named != nil ? .fileName : .yesterday
        }
        self.date = plan.date
        reader.readSample(sample.bytes.span, isAtEnd: sample.isAtEnd, rules: plan.rules[source], into: &sink)
        records = sink.records
        tally = sink.tally
        headerFault = reader.headerFault
        messages = sink.messages
        misfittingHits = sink.misfittingHits
        lines = sample.lines + (sample.isWhole && sample.bytes.last != 0x0A && !sample.bytes.isEmpty ? 1 : 0)
        isWhole = sample.isWhole
        status = sample.status
        trailingBytesAt = sample.trailingBytesAt
        result = FileResult(file: input, report: FileReport(), tally: sink.tally, rejects: [])
        daily = sink.daily
        self.plan = plan
    }

    /// What looks wrong in the records and events of each source and log date, as a load says it of all their files.
    package static func warnings(of previews: [Preview]) -> [Message] {
        var groups: [[Preview]] = []
        for preview in previews {
            let group = groups.firstIndex { $0[0].date == preview.date && $0[0].source.name == preview.source.name }
            if let group { groups[group].append(preview) } else { groups.append([preview]) }
        }
        return groups.flatMap { group in
            let plan = group[0].plan
            var daily = ActionCounts(by: .day)
            for preview in group { daily.merge(preview.daily) }
            let plausibility = Plausibility(of: plan, tallies: FileTotals(group.map(\.result), of: plan).tallies)
            return (plausibility.ofRecords + plausibility.ofEvents(daily)).map { $0.about(plan.date, isNamed: false) }
        }
    }

    /// The files of a log date, with the indexes of their sources.
    package static func files(of pipeline: Pipeline, on date: LogDate) throws -> [(source: Int, file: File)] {
        try pipeline.checkLocalFiles()
        let found = FoundInputs(pipeline, dates: [date])
        if let failure = found.failure(on: date) { throw failure }
        return found.files(on: date).map { ($0.source, File(path: $0.found.path, location: $0.found.location)) }
    }

    /// The indexes of the sources whose patterns match a file.
    package static func sources(of file: File, pipeline: Pipeline) -> [Int] {
        pipeline.sources.indices.filter { index in
            pipeline.sources[index].files.dates(ofFileAt: file.location, in: pipeline.folder) != nil
        }
    }

    /// Messages about what looks wrong.
    /// - Parameter path: the file's, as messages name it.
    package func doubts(name path: String) -> [Message] {
        var messages: [Message] = []
        func warn(_ code: MessageCode, text: MessageText) { messages.append(.at(path, code: code, text: text)) }
        if let headerFault {
            warn(.csvHeader, text: headerFault.text)
        }
        let misfits = tally.count(.malformedLine)
        let hits = tally.hits + misfittingHits
        if misfits >= 2, misfits * 50 >= tally.records {
            warn(
                .linesDoNotFit,
                text: """
                    \(Text.number(misfits)) of \(Text.plural(tally.records, of: "record")) \
                    (\(Text.percent(misfits, of: tally.records))) do not fit the layout; 'pushetl guess' tells whether they \
                    have another one
                    """)
        }
        let joined = tally.count(.joinedLines)
        if joined > 0 {
            warn(
                .joinedLines,
                text: """
                    \(Text.plural(joined, of: "line")) \(joined == 1 ? "holds" : "hold") more than one hit, so all their hits are \
                    lost (joined_lines); line ends are missing, or a CR alone
                    """)
        }
        if let trailingBytesAt { warn(.trailingBytes, text: .trailingBytes(from: trailingBytesAt)) }
        if misfittingHits > 0, misfittingHits * 20 >= hits {
            messages.append(Self.misfits(misfittingHits, of: hits, path: path))
        }
        return messages
    }

    /// The message that lines which seem to be hits do not fit the layout.
    static func misfits(_ misfits: Int, of signs: Int, path: String) -> Message {
        .at(
            path, code: .hitsDoNotFit,
            text: """
                of \(Text.plural(signs, of: "line")) that \(signs == 1 ? "seems to be a hit" : "seem to be hits"), \
                \(Text.number(misfits)) (\(Text.percent(misfits, of: signs))) \(misfits == 1 ? "does" : "do") not fit the layout
                """)
    }
}

/// Keeps every record of a sample.
struct PreviewSink: RecordSink {
    private(set) var records: [PreviewRecord] = []
    private(set) var tally = FileTally()
    /// The events by day. Duplicates count too.
    private(set) var daily = ActionCounts(by: .day)
    private(set) var messages = SampleMessages()
    /// Lines that seem to hold a hit and do not fit the layout.
    private(set) var misfittingHits = 0

    private let path: String
    private let format: RecordFormat
    private let source: UInt16
    private let idSpace: String
    private let actionNames: [String]
    private let zone: ZoneRules
    private var days: DayClock
    private var line = 0

    init(path: String, pipeline: Pipeline, source: Int) {
        self.path = path
        format = pipeline.sources[source].format
        self.source = UInt16(source)
        idSpace = pipeline.sources[source].idSpace
        actionNames = pipeline.actionNames
        zone = pipeline.zone
        days = DayClock(zone: zone)
    }

    mutating func begin(line: Int) { self.line = line }

    mutating func accept(_ record: Record, delivery: Span<UInt8>) {
        tally.accept(record)
        messages.add(actionNames[Int(record.action)], of: record.id, kind: record.kind, in: idSpace)
        daily.add(
            Event(
                id: record.id, time: record.time, delivery: 0, source: source, action: record.action,
                platform: record.platform), day: days.day(of: record.time))
        records.append(
            PreviewRecord(
                line: line, outcome: .accepted, time: CalendarText.dateTime(ofMilliseconds: record.time, in: zone),
                clockFallback: record.clockFallback,
                broadlogId: BroadlogID(kind: record.kind, id: record.id).description,
                deliveryId: String(decoding: delivery.indices.map { delivery[$0] }, as: UTF8.self),
                action: actionNames[Int(record.action)], platform: record.platform.name))
    }

    mutating func filter(_ reason: FilterReason) {
        tally.filter(reason)
        records.append(PreviewRecord(line: line, outcome: .filtered, reason: reason.code))
    }

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        let detail = detail()
        if reason == .malformedLine, format.hasSign(in: evidence) { misfittingHits += 1 }
        tally.reject(reason, path: path, line: line, detail: detail)
        records.append(PreviewRecord(line: line, outcome: .rejected, reason: reason.code, detail: detail))
    }
}
