import Calendar
import Configuration
import LogFiles
import Posix
import Warehouse

/// Compares the files of log dates with those that their partitions were made from. A file with another size has changed; a
/// file with the remembered stamp has not; others are read and compared by their fingerprints. A partition whose own file
/// has changed since it was last found whole is read too.
///
/// If files are gone, new ones are read too, and those that may have the content of a gone one are unpacked.
struct InputCheck: Sendable {
    let pipeline: Pipeline
    let output: OutputFolder
    let resources: RunResources
    /// Names of sources that are not compared. Sources whose patterns have no date are never compared: their present files
    /// say nothing about a past log date.
    var leftOut: Set<String> = []
    /// Bytes that may be read, of the latest log dates first. Files beyond the limit are left uncompared.
    var readLimit = Int.max
    /// Whether files are unpacked. Without, those that only unpacking could tell are left uncompared.
    var mayUnpack = true

    /// In the order of `dates`.
    func findings(_ dates: [LogDate], _ found: FoundInputs) throws(Stopped) -> [DateComparison] {
        resources.progress.update { $0.stage = .comparing }
        let fingerprint = pipeline.fingerprint
        let leftOut = leftOut.union(pipeline.sources.filter { !$0.files.hasDatePlaceholder }.map(\.name))
        var comparisons = try Fanout.map(jobs: resources.jobs, pieces: dates.count, stop: resources.stop) { index in
            var comparison = DateComparison(dates[index], found, pipeline)
            comparison.compare(with: output, fingerprint: fingerprint, leftOut: leftOut)
            return comparison
        }
        var left = try verify(&comparisons, found, fingerprint, leftOut)
        while try read(&comparisons, unpacking: false, &left) {}
        if mayUnpack { _ = try read(&comparisons, unpacking: true, &left) }
        for date in comparisons.indices { comparisons[date].conclude() }
        return comparisons
    }

    /// Reads the partitions that have changed since they were found whole. Returns the bytes that may still be read.
    private func verify(
        _ comparisons: inout [DateComparison], _ found: FoundInputs, _ fingerprint: String, _ leftOut: Set<String>
    ) throws(Stopped) -> Int {
        var left = readLimit
        var toRead: [Int] = []
        for date in comparisons.indices.reversed() {
            guard let bytes = comparisons[date].unverifiedBytes, bytes <= left else { continue }
            left -= bytes
            toRead.append(date)
        }
        let logDates = toRead.map { Int32(comparisons[$0].state.date.dayNumber) }
        let damages = try Fanout.map(jobs: resources.jobs, pieces: toRead.count, stop: resources.stop) { index in
            do throws(WarehouseError) {
                try Partition(logDate: logDates[index], folder: output).verify { resources.stop.isRaised }
                return nil as WarehouseError?
            } catch {
                return error.isDamage ? error : nil
            }
        }
        for (date, damage) in zip(toRead, damages) {
            guard let damage else { continue }
            comparisons[date] = DateComparison(comparisons[date].state.date, found, pipeline)
            comparisons[date].compare(with: output, fingerprint: fingerprint, leftOut: leftOut, damage: damage)
        }
        return left
    }

    /// Reads, or unpacks, the files of all dates of which that must be done, in parallel. Takes their bytes from what may still
    /// be read. Returns false if there was nothing to do.
    private func read(
        _ comparisons: inout [DateComparison], unpacking: Bool, _ left: inout Int
    ) throws(Stopped) -> Bool {
        var toRead: [(date: Int, file: DateComparison.Unknown)] = []
        for date in comparisons.indices.reversed() {
            for file in comparisons[date].unknown(unpacking: unpacking) where file.file.found.bytes <= left {
                left -= file.file.found.bytes
                toRead.append((date, file))
            }
        }
        let files = toRead.map(\.file)
        let results = try Fanout.map(jobs: resources.jobs, pieces: files.count, stop: resources.stop) {
            [resources] index in
            Result {
                try files[index].read { count in
                    try resources.stop.check()
                    resources.progress.update { $0.comparedBytes += count }
                }
            }
        }
        for ((date, file), result) in zip(toRead, results) { comparisons[date].settle(file, by: result) }
        for date in Set(toRead.map(\.date)) { comparisons[date].pairFiles() }
        return !toRead.isEmpty
    }
}
