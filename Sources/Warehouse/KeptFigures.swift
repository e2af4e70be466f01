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
///     body      the rows of daily_actions and of daily_funnel, see FigureBytes
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
        /// By log date.
        let neighbours: [Int32: Neighbour]
        /// A hash of which of its events do not count.
        let notCounting: UInt64
        /// By day.
        let shares: [Int32: DayShare]
        let dailyLength: Int
        let bodyHash: UInt64
    }

    let head: Head
    private let path: String
    /// Nil where the file has them.
    private var figures: PartitionFigures?

    /// What stands beside a partition, if it is of this subject.
    init?(of summary: PartitionSummary, settings: PublicationSettings, in folder: OutputFolder) {
        path = KeptFigures.path(summary, folder)
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16), start.count == 16 else { return nil }
        var words: InlineArray<2, UInt64> = [0, 0]
        guard (try? FigureBytes.decode([UInt8](start).span) { words = $0 }) != nil, words[1] < 1 << 28,
            let text = try? file.read(upToCount: Int(words[1])), text.count == Int(words[1]),
            WordHash.of([UInt8](text).span) == words[0],
            let head = try? JSONDecoder().decode(Head.self, from: text),
            head.subject == KeptFigures.subject(summary, settings)
        else { return nil }
        self.head = head
    }

    /// What has just been computed; where it cannot be kept in the file, it is kept in memory.
    init(
        _ figures: PartitionFigures, of summary: PartitionSummary, names: EventNames, neighbours: [Int32: Neighbour],
        notCounting: UInt64, settings: PublicationSettings, in folder: OutputFolder
    ) {
        path = KeptFigures.path(summary, folder)
        let daily = figures.daily.bytes
        let body = daily + figures.funnel.bytes
        head = Head(
            subject: KeptFigures.subject(summary, settings), neighbours: neighbours,
            notCounting: notCounting, shares: figures.shares(NameHashes(names)), dailyLength: daily.count,
            bodyHash: WordHash.of(body.span))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var bytes: [UInt8] = []
        guard let text = try? encoder.encode(head) else {
            self.figures = figures
            return
        }
        FigureBytes.append([WordHash.of([UInt8](text).span), UInt64(text.count)], to: &bytes)
        if !folder.keep(bytes + text + body, as: KeptFigures.name(summary)) { self.figures = figures }
    }

    /// The figures, in the numbers of the partition; nil if they do not read.
    func figures(_ limits: EventNumberLimits) -> PartitionFigures? {
        if let figures { return figures }
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let bytes = [UInt8](data)
        var words: InlineArray<2, UInt64> = [0, 0]
        guard bytes.count >= 16, (try? FigureBytes.decode(bytes.span.extracting(first: 16)) { words = $0 }) != nil,
            words[1] <= UInt64(bytes.count - 16)
        else { return nil }
        let body = bytes.span.extracting(droppingFirst: 16 + Int(words[1]))
        guard head.dailyLength <= body.count, WordHash.of(body) == head.bodyHash,
            let daily = try? DailyActions(bytes: body.extracting(first: head.dailyLength), limits: limits),
            let funnel = try? DailyFunnel(bytes: body.extracting(droppingFirst: head.dailyLength), limits: limits)
        else { return nil }
        return PartitionFigures(daily: daily, funnel: funnel)
    }

    func remove() throws(WarehouseError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(path: path, call: "unlink", errno: errno) }
    }

    private static func path(_ summary: PartitionSummary, _ folder: OutputFolder) -> String {
        "\(folder.keptPath)/\(name(summary))"
    }

    private static func name(_ summary: PartitionSummary) -> String {
        "\(CalendarText.date(ofDay: summary.logDate)).figures"
    }

    private static func subject(_ summary: PartitionSummary, _ settings: PublicationSettings) -> String {
        "\(summary.version); \(settings.version)"
    }
}
