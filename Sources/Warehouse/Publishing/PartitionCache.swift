import Calendar
import Events
import Foundation
import Hashing
import Posix

/// What is kept of a partition's part of the figures, so that it is computed again only when something that it depends
/// on has changed: the partition, the settings, or a partition within reach with which it shares a message.
///
/// It lies in `partitions/.kept/2026-11-19.figures`; nothing but time is lost with that file. What does not read is computed anew.
///
///     8 bytes   hash of the head
///     8 bytes   length of the head
///     head      JSON, a `Head`
///     body      daily_actions and daily_funnel, see FigureBytes; nothing of a table that says what the partition alone says
struct KeptFigures: Sendable {
    /// A partition within reach.
    struct Neighbour: Codable, Equatable, Sendable {
        let version: String
        /// Whether it has a message that this partition has too.
        let meets: Bool
    }

    struct Head: Codable, Sendable {
        /// The versions of this format, of the partition and of the settings.
        let subject: String
        /// Of the partition's file, when last it was found whole.
        var stamp: FileStamp?
        /// By log date.
        let neighbours: [Int32: Neighbour]
        /// A hash of which of its events do not count.
        let notCounting: UInt64
        /// By day.
        let shares: [Int32: DayShare]
        /// Nil where the partition's own table says the same.
        let daily: StoredTable?
        let funnel: StoredTable?
    }

    /// A table in the body.
    struct StoredTable: Codable, Sendable {
        let length: Int
        let hash: UInt64
    }

    /// The tables as FigureBytes writes them; nil where the partition's own says the same.
    struct Body: Sendable {
        var daily: [UInt8]?
        var funnel: [UInt8]?
    }

    private static let suffix = ".figures"
    /// Changes with what a head or a body says.
    private static let format = 2

    private(set) var head: Head
    private let path: String
    /// Nil where the file has it.
    private var body: Body?

    /// What stands beside a partition, if it is of this subject.
    init?(of summary: PartitionSummary, settings: PublicationSettings, in folder: OutputFolder) {
        path = KeptFigures.path(summary, folder)
        guard let head = KeptFigures.head(path), head.subject == KeptFigures.subject(summary, settings)
        else { return nil }
        self.head = head
    }

    /// The stamp that a partition's file had when last it was found whole; nil if nothing is known of it.
    static func stampFoundWhole(_ summary: PartitionSummary, in folder: OutputFolder) -> FileStamp? {
        guard let head = head(path(summary, folder)), head.subject.hasPrefix(subject(summary)) else { return nil }
        return head.stamp
    }

    private static func head(_ path: String) -> Head? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16), let words = KeptFigures.words([UInt8](start)),
            words.length < 1 << 28, let text = try? file.read(upToCount: Int(words.length)),
            text.count == Int(words.length), WordHash.of([UInt8](text).span) == words.hash
        else { return nil }
        return try? JSONDecoder().decode(Head.self, from: text)
    }

    /// What has just been computed. It is kept in memory where it cannot be kept in the file, and until it is confirmed
    /// where there is no stamp.
    init(
        _ body: Body, shares: [Int32: DayShare], of summary: PartitionSummary, neighbours: [Int32: Neighbour],
        notCounting: UInt64, stamp: FileStamp?, settings: PublicationSettings, in folder: OutputFolder
    ) {
        path = KeptFigures.path(summary, folder)
        head = Head(
            subject: KeptFigures.subject(summary, settings), stamp: stamp, neighbours: neighbours,
            notCounting: notCounting, shares: shares, daily: body.daily.map(StoredTable.init),
            funnel: body.funnel.map(StoredTable.init))
        if stamp == nil || !keep(body, of: summary, in: folder) { self.body = body }
    }

    /// Takes note that the partition's file has been found whole.
    mutating func confirm(_ stamp: FileStamp?, of summary: PartitionSummary, in folder: OutputFolder) {
        head.stamp = stamp
        if let body = readBody() { keep(body, of: summary, in: folder) }
    }

    @discardableResult
    private func keep(_ body: Body, of summary: PartitionSummary, in folder: OutputFolder) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let text = try? encoder.encode(head) else { return false }
        var bytes: [UInt8] = []
        for word in [WordHash.of([UInt8](text).span), UInt64(text.count)] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return folder.keep(
            bytes + text + (body.daily ?? []) + (body.funnel ?? []), as: KeptFigures.name(summary))
    }

    /// The tables; nil if what was kept does not read.
    func readBody() -> Body? {
        if let body { return body }
        var body = Body()
        guard head.daily != nil || head.funnel != nil else { return body }
        guard let bytes = FileManager.default.contents(atPath: path).map([UInt8].init),
            let words = KeptFigures.words(bytes), words.length <= UInt64(bytes.count - 16)
        else { return nil }
        var rest = bytes[(16 + Int(words.length))...]
        func take(_ table: StoredTable) -> [UInt8]? {
            guard (0...rest.count).contains(table.length) else { return nil }
            let bytes = Array(rest.prefix(table.length))
            rest = rest.dropFirst(table.length)
            return WordHash.of(bytes.span) == table.hash ? bytes : nil
        }
        if let table = head.daily {
            guard let daily = take(table) else { return nil }
            body.daily = daily
        }
        if let table = head.funnel {
            guard let funnel = take(table) else { return nil }
            body.funnel = funnel
        }
        return body
    }

    /// The hash and the length of the head.
    private static func words(_ bytes: [UInt8]) -> (hash: UInt64, length: UInt64)? {
        guard bytes.count >= 16 else { return nil }
        func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        return (word(0), word(8))
    }

    func remove() throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in try WholeFile.remove(path) }
    }

    /// Removes what is kept of partitions that are not among these. Should such a one come back, what was kept would know
    /// neighbours that do not know it any more, and the figures of all of them would be computed again.
    static func removeStrays(besides summaries: [PartitionSummary], in folder: OutputFolder) {
        folder.removeKept(ending: suffix, besides: Set(summaries.map(name)))
    }

    private static func path(_ summary: PartitionSummary, _ folder: OutputFolder) -> String {
        "\(folder.keptPath)/\(name(summary))"
    }

    private static func name(_ summary: PartitionSummary) -> String {
        CalendarText.date(ofDay: summary.logDate) + suffix
    }

    private static func subject(_ summary: PartitionSummary, _ settings: PublicationSettings) -> String {
        subject(summary) + settings.version
    }

    private static func subject(_ summary: PartitionSummary) -> String { "\(format); \(summary.version); " }
}

extension KeptFigures.StoredTable {
    fileprivate init(_ bytes: [UInt8]) {
        length = bytes.count
        hash = WordHash.of(bytes.span)
    }
}

extension KeptFigures.Body {
    /// All of the figures, in the numbers of the partition.
    func figures(_ limits: EventNumberLimits, of partition: Partition) throws(WarehouseError) -> PartitionFigures? {
        guard let daily = try daily(limits, of: partition), let funnel = try funnel(limits, of: partition)
        else { return nil }
        return PartitionFigures(daily: daily, funnel: funnel)
    }

    /// Nil if what was kept does not read.
    func daily(_ limits: EventNumberLimits, of partition: Partition) throws(WarehouseError) -> DailyActions? {
        guard let daily else { return try partition.daily(limits) }
        return try? DailyActions(bytes: daily.span, limits: limits)
    }

    func funnel(_ limits: EventNumberLimits, of partition: Partition) throws(WarehouseError) -> DailyFunnel? {
        guard let funnel else { return try partition.funnel(limits) }
        return try? DailyFunnel(bytes: funnel.span, limits: limits)
    }
}
