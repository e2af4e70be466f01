import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Partitions

/// Finds files that a log date lacks: the loaded log dates before it all had them.
struct UsualFiles {
    /// The number of log dates that are compared, and the fewest.
    private static let (most, fewest) = (7, 3)

    /// By source, its files with a mark for their date.
    private typealias Shapes = [Set<String>]

    private let pipeline: Pipeline
    private let output: OutputFolder
    private let loaded: [LogDate]
    /// Of the last log dates that were looked at.
    private var known: [LogDate: Shapes] = [:]

    /// - Parameter output: all loads have ended.
    init(_ pipeline: Pipeline, _ output: OutputFolder) throws(WarehouseError) {
        self.pipeline = pipeline
        self.output = output
        loaded = try output.logDates().map { LogDate(dayNumber: Int($0)) }.reversed()
    }

    /// A warning for each source that has fewer files than on any of the dates before, with those that it lacks. A required source without any is told anyway.
    /// - Parameter isAccepted: whether somebody has accepted that they are missing.
    mutating func missing(
        on date: LogDate, _ files: [InputFile], isAccepted: Bool
    ) -> [Message] {
        var former: [LogDate: Shapes] = [:]
        for other in loaded where other < date && former.count < UsualFiles.most {
            former[other] = known[other] ?? shapes(of: other)
        }
        known = former
        guard former.count >= UsualFiles.fewest else { return [] }
        let today = shapes(on: date, files.map { (pipeline.sources[$0.source].name, $0.found.path) })
        assert(former.values.allSatisfy { $0.count == pipeline.sources.count })
        return pipeline.sources.indices.compactMap { index in
            let source = pipeline.sources[index]
            guard !source.required || files.contains(where: { $0.source == index }) else { return nil }
            let usual = former.values.map { $0[index] }
            guard today[index].count < usual.map(\.count).min() ?? 0 else { return nil }
            let always = usual.dropFirst().reduce(usual[0]) { $0.intersection($1) }
            let paths = always.subtracting(today[index]).filter { !isOfSkippedHour($0, on: date, always) }.sorted()
            guard !paths.isEmpty else { return nil }
            let text: MessageText =
                "\(paths.few { "\(path: $0)" }) had a file on each of the last \(former.count) log dates"
            return isAccepted
                ? Message("missing_usual_files_accepted", text + "; accepted with --force")
                : Message("missing_usual_files", text)
        }
    }

    /// Whether a file is of an hour that the day does not have: the same is usual for every hour that it has.
    private func isOfSkippedHour(_ shape: String, on date: LogDate, _ usual: Set<String>) -> Bool {
        func digits(_ hour: Int) -> String { (hour < 10 ? "0" : "") + String(hour) }
        let skipped = (0..<24).filter { hour in
            let local = Int64(date.dayNumber) * 86_400 + Int64(hour) * 3600
            return [local, local + 3599].allSatisfy { local in
                let offset = pipeline.zone.offset(atLocal: local)
                return pipeline.zone.offset(at: local - offset) != offset
            }
        }
        return skipped.contains { hour in
            shape.ranges(of: digits(hour)).contains { range in
                (0..<24).allSatisfy { other in
                    skipped.contains(other) || usual.contains(shape.replacingCharacters(in: range, with: digits(other)))
                }
            }
        }
    }

    /// Nil if the partition cannot be read.
    private func shapes(of date: LogDate) -> Shapes? {
        guard let files = try? output.partition(of: date)?.files() else { return nil }
        return shapes(on: date, files.map { ($0.source, $0.path) })
    }

    private func shapes(on date: LogDate, _ files: [(source: String, path: String)]) -> Shapes {
        let paths = Dictionary(grouping: files, by: \.source)
        return pipeline.sources.map { source in
            let patterns = source.files.patterns.compactMap { DatedPaths($0, on: date) }
            return Set(
                (paths[source.name] ?? []).compactMap { file in
                    patterns.lazy.compactMap { $0.shape(of: file.path) }.first
                })
        }
    }
}
