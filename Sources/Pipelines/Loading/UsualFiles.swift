import Calendar
import Configuration
import LogFiles
import Messages
import Partitions

/// Finds files that a log date lacks: the loaded log dates before it all had them.
struct UsualFiles {
    /// The number of log dates that are compared, and the fewest.
    private static let (most, fewest) = (7, 3)

    /// The shapes of the files of a source on a log date, by pattern. A file of several patterns is the first one's.
    private typealias Shapes = [[Set<String>]]

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

    /// A warning for each source that lacks files. A required source without any is told anyway.
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
        return pipeline.sources.indices.compactMap { index in
            let source = pipeline.sources[index]
            guard !source.required || files.contains(where: { $0.source == index }) else { return nil }
            let paths = missing(on: date, source, today[index], former.values.map { $0[index] })
            guard !paths.isEmpty else { return nil }
            let text: MessageText =
                "\(paths.few { "\(path: $0)" }) had a file on each of the last \(former.count) log dates"
            return isAccepted
                ? Message("missing_usual_files_accepted", text + "; accepted with --force")
                : Message("missing_usual_files", text)
        }
    }

    private func missing(
        on date: LogDate, _ source: Source, _ today: [Set<String>], _ former: [[Set<String>]]
    ) -> [String] {
        func count(_ patterns: [Set<String>]) -> Int { patterns.reduce(0) { $0 + $1.count } }
        let isSourceShort = count(today) < former.map(count).min() ?? 0
        let all = today.reduce(into: Set()) { $0.formUnion($1) }
        return source.files.patterns.indices.flatMap { index -> [String] in
            let least = former.map { $0[index].count }.min() ?? 0
            guard least > 0, isSourceShort || today[index].count < least else { return [] }
            let usual = former.dropFirst().reduce(former[0][index]) { $0.intersection($1[index]) }
            let missing = usual.subtracting(all).filter { !isOfSkippedHour($0, on: date, usual) }
            if missing.isEmpty, today[index].isEmpty, source.files.patterns.count > 1,
                let dated = DatedPaths(source.files.patterns[index], on: date)
            {
                return [dated.patternShape]
            }
            return missing.sorted()
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
                    skipped.contains(other) || usual.contains(shape.replacingCharacters(range, digits(other)))
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
            let patterns = source.files.patterns.map { DatedPaths($0, on: date) }
            var shapes = [Set<String>](repeating: [], count: patterns.count)
            for file in paths[source.name] ?? [] {
                for (index, pattern) in patterns.enumerated() {
                    guard let shape = pattern?.shape(of: file.path) else { continue }
                    shapes[index].insert(shape)
                    break
                }
            }
            return shapes
        }
    }
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<String.Index>, _ other: String) -> String {
        String(self[..<range.lowerBound]) + other + self[range.upperBound...]
    }
}
