import Events
import Foundation

/// What is kept of a partition's part of the figures, so that it is computed again only when something that it depends
/// on has changed: the partition, the settings, or a partition within reach with which it shares a message.
///
/// It lies in `partitions/.kept/2026-11-19.figures`; nothing but time is lost with that file. What does not read is computed anew.
///
///     8 bytes   hash of the head
///     8 bytes   length of the head
///     head      JSON, a `Head`
///     body      daily_actions and daily_funnel, see FigureBytes; nothing where the partition's own figures are the same
struct KeptFigures: Sendable {
    /// A partition within reach.
    struct Neighbour: Codable, Equatable, Sendable {
        let version: String
        /// Whether it has a message that this partition has too.
        let meets: Bool
    }

    struct Head: Codable, Sendable {
        /// The versions of the partition and of the settings.
        let subject: String
        /// Of the partition's file, when last it was found whole.
        var stamp: PartitionStamp?
        /// By log date.
        let neighbours: [Int32: Neighbour]
        /// A hash of which of its events do not count.
        let notCounting: UInt64
        /// By day.
        let shares: [Int32: DayShare]
        /// Bytes of daily_actions; nil where the partition's own figures are the same.
        let dailyLength: Int?
        let bodyHash: UInt64
    }

    private static let suffix = ".figures"

    private(set) var head: Head
    private let path: String
    /// Nil where the file has them.
    private var figures: PartitionFigures?

    /// What stands beside a partition, if it is of this subject.
    init?(of summary: PartitionSummary, settings: PublicationSettings, in folder: OutputFolder) {
        path = KeptFigures.path(summary, folder)
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16), let words = KeptFigures.words([UInt8](start)),
            words.length < 1 << 28, let text = try? file.read(upToCount: Int(words.length)),
            text.count == Int(words.length), WordHash.of([UInt8](text).span) == words.hash,
            let head = try? JSONDecoder().decode(Head.self, from: text),
            head.subject == KeptFigures.subject(summary, settings)
        else { return nil }
        self.head = head
    }

    /// What has just been computed, `isOwn` if the partition's own figures are the same. It is kept in memory where it
    /// cannot be kept in the file, and until it is confirmed where there is no stamp.
    init(
        _ figures: PartitionFigures, isOwn: Bool, of summary: PartitionSummary, names: EventNames,
        neighbours: [Int32: Neighbour], notCounting: UInt64, stamp: PartitionStamp?, settings: PublicationSettings,
        in folder: OutputFolder
    ) {
        path = KeptFigures.path(summary, folder)
        let daily = isOwn ? [] : figures.daily.bytes
        let body = isOwn ? [] : daily + figures.funnel.bytes
        head = Head(
            subject: KeptFigures.subject(summary, settings), stamp: stamp, neighbours: neighbours,
            notCounting: notCounting, shares: figures.shares(NameHashes(names)), dailyLength: isOwn ? nil : daily.count,
            bodyHash: WordHash.of(body.span))
        if stamp == nil || !keep(body, of: summary, in: folder) { self.figures = figures }
    }

    /// Takes note that the partition's file has been found whole.
    mutating func confirm(_ stamp: PartitionStamp?, of summary: PartitionSummary, in folder: OutputFolder) {
        head.stamp = stamp
        let body = head.dailyLength == nil ? [] : figures.map(KeptFigures.body) ?? storedBody()
        if let body { keep(body, of: summary, in: folder) }
    }

    @discardableResult
    private func keep(_ body: [UInt8], of summary: PartitionSummary, in folder: OutputFolder) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let text = try? encoder.encode(head) else { return false }
        var bytes: [UInt8] = []
        for word in [WordHash.of([UInt8](text).span), UInt64(text.count)] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return folder.keep(bytes + text + body, as: KeptFigures.name(summary))
    }

    /// The figures, in the numbers of the partition; nil if what was kept does not read.
    func figures(_ limits: EventNumberLimits, of partition: Partition) throws(WarehouseError) -> PartitionFigures? {
        if let figures { return figures }
        guard let dailyLength = head.dailyLength else { return try partition.figures(limits) }
        guard let body = storedBody(), dailyLength <= body.count,
            let daily = try? DailyActions(bytes: body.span.extracting(first: dailyLength), limits: limits),
            let funnel = try? DailyFunnel(bytes: body.span.extracting(droppingFirst: dailyLength), limits: limits)
        else { return nil }
        return PartitionFigures(daily: daily, funnel: funnel)
    }

    private static func body(_ figures: PartitionFigures) -> [UInt8] {
        figures.daily.bytes + figures.funnel.bytes
    }

    private func storedBody() -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let bytes = [UInt8](data)
        guard let words = KeptFigures.words(bytes), words.length <= UInt64(bytes.count - 16) else { return nil }
        let body = Array(bytes[(16 + Int(words.length))...])
        return WordHash.of(body.span) == head.bodyHash ? body : nil
    }

    /// The hash and the length of the head.
    private static func words(_ bytes: [UInt8]) -> (hash: UInt64, length: UInt64)? {
        guard bytes.count >= 16 else { return nil }
        func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        return (word(0), word(8))
    }

    func remove() throws(WarehouseError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(path: path, call: "unlink", errno: errno) }
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
        "\(summary.version); \(settings.version)"
    }
}
