import Calendar
import LogFiles
import Warehouse

extension PipelineRun {
    /// Ten years.
    private static let longestGap = 3653

    /// Looks at all log dates from the first that is loaded, held back or has files to the last, those before `from` and after
    /// `to` left out. Writes nothing, and reads at most `readLimit` bytes of logs, the latest first.
    ///
    /// - Throws: `WarehouseError` if the partitions cannot be listed, or `Stopped`.
    package func knownLogDates(from: LogDate? = nil, to: LogDate? = nil, readLimit: Int) throws -> KnownLogDates {
        var known = KnownLogDates()
        let loaded = try output.logDates().map { LogDate(dayNumber: Int($0)) }
        var dates = Set(loaded).union(try HeldLoad.logDates(in: output))
        var leftOut: Set<String> = []
        for source in pipeline.sources where source.files.hasDatePlaceholder {
            if let folder = source.files.missingFolder(in: pipeline.folder) {
                // A disk that is not there says nothing of the files on it.
                leftOut.insert(source.name)
                known.warnings.append(.missingFolder(source: source.name, folder: folder))
                continue
            }
            do {
                dates.formUnion(try source.files.dates(in: pipeline.folder))
            } catch {
                known.failures.append(error)
            }
        }
        let ordered = PipelineRun.withGaps(dates.sorted()).filter { date in
            from.map { date >= $0 } ?? true && to.map { date <= $0 } ?? true
        }
        var check = InputCheck(pipeline: pipeline, output: output, means: means)
        check.leftOut = leftOut
        check.readLimit = readLimit
        let found = FoundInputs(pipeline, dates: ordered, dated: true)
        known.states = try check.findings(ordered, found).map(\.state)
        return known
    }

    /// With the log dates between them, unless they are so far apart that some cannot be meant.
    private static func withGaps(_ dates: [LogDate]) -> [LogDate] {
        guard let first = dates.first, let last = dates.last, last.dayNumber - first.dayNumber < longestGap else {
            return dates
        }
        return (first.dayNumber...last.dayNumber).map { LogDate(dayNumber: $0) }
    }
}
