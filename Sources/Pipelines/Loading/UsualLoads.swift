import Calendar
import Configuration
import Messages
import Output
import Partitions

/// Compares what is loaded of a log date with the log dates before it: whether sources have fewer files than they always had.
struct UsualLoads {
    /// The number of log dates whose files are compared, and the fewest.
    private static let (most, fewest) = (7, 3)
    private let pipeline: Pipeline
    private let output: OutputFolder
    private let loaded: [LogDate]
    /// The number of files, by source.
    private var known: [LogDate: [String: Int]] = [:]

    /// - Parameter output: all loads have ended.
    init(_ pipeline: Pipeline, _ output: OutputFolder) throws(WarehouseError) {
        self.pipeline = pipeline
        self.output = output
        loaded = try output.logDates().reversed()
    }

    /// - Parameter isAccepted: whether somebody has accepted that files are missing.
    mutating func warnings(_ date: LogDate, isAccepted: Bool) -> [Message] {
        guard let today = files(of: date) else { return [] }
        let before = loaded.filter { $0 < date }.prefix(UsualLoads.most).compactMap { files(of: $0) }
        return pipeline.sources.compactMap { source in
            let now = today[source.name] ?? 0
            // That it has none is told.
            if source.required, now == 0 { return nil }
            return missingFiles(source.name, now, before.map { $0[source.name] ?? 0 }, date, isAccepted)
        }
    }

    private func missingFiles(
        _ source: String, _ files: Int, _ usual: [Int], _ date: LogDate, _ isAccepted: Bool
    ) -> Message? {
        guard usual.count >= UsualLoads.fewest, let least = usual.min(), files < least, isWhole(date) else {
            return nil
        }
        let text: MessageText = """
            source '\(source)': \(Text.plural(files, "file")), and never fewer than \(Text.number(least)) on the last \
            \(usual.count) log dates
            """
        return isAccepted
            ? Message("missing_usual_files_accepted", text + "; accepted with --force")
            : Message("missing_usual_files", text)
    }

    /// Whether no hour of the day is skipped, whose file there is none of.
    private func isWhole(_ date: LogDate) -> Bool {
        let midnight = Int64(date.dayNumber) * 86_400
        return pipeline.zone.offset(atLocal: midnight + 86_400) <= pipeline.zone.offset(atLocal: midnight)
    }

    /// Nil if the log date is not loaded, or its partition cannot be read.
    private mutating func files(of date: LogDate) -> [String: Int]? {
        if let files = known[date] { return files }
        guard let files = try? output.partition(of: date)?.files() else { return nil }
        let counts = Dictionary(grouping: files, by: \.source).mapValues(\.count)
        known[date] = counts
        return counts
    }
}

extension OutputFolder {
    /// A log date's partition; nil if there is none, or if it cannot be read or is known to be damaged.
    package func partition(of date: LogDate) -> Partition? {
        KnownPartitions(in: self).content(of: date, in: self)?.isSound ?? true
            ? try? Partition(of: date, in: self) : nil
    }
}
