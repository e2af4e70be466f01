import Calendar
import Configuration
import Ledger
import LogFiles
import Partitions
import Posix

/// Compares the files of log dates with those that their partitions were made from. A file with another size has changed; a
/// file with the remembered stamp has not; others are read and compared by their fingerprints. A partition whose own file
/// has changed since it was last found whole is read too.
///
/// If files are gone, new ones are read too, and those that may have the content of a gone one are unpacked.
struct InputCheck: Sendable {
    let pipeline: Pipeline
    let output: OutputFolder
    let resources: RunResources
    /// Which log dates are closed; nil if none is.
    let closed: ClosedDates?
    /// Names of sources that are not compared. Sources whose patterns have no date are never compared: their present files
    /// say nothing about a past log date.
    var leftOut: Set<String> = []
    /// Bytes that may be read, of the latest log dates first. Files beyond the limit are left uncompared.
    var readLimit = Int.max
    /// Whether partitions are also read of which nobody knows whether they are whole.
    var verifiesUnknown = false
    /// Whether files are unpacked. Without, those that only unpacking could tell are left uncompared.
    var mayUnpack = true

    /// In the order of `dates`.
    func findings(_ dates: [LogDate], _ found: FoundInputs) throws(Stopped) -> [DateComparison] {
        resources.progress.update { $0.stage = .comparing }
        let fingerprint = pipeline.fingerprint
        let leftOut = leftOut.union(pipeline.sources.filter { !$0.files.hasDatePlaceholder }.map(\.name))
        let verified = VerifiedStamps(in: output)
        @Sendable func compare(_ date: LogDate, _ damage: WarehouseError?) -> DateComparison {
            DateComparison(
                date, found, pipeline, output, closed, fingerprint: fingerprint, leftOut: leftOut,
                verified: verified, verifiesUnknown: verifiesUnknown, damage: damage)
        }
        var comparisons = try Fanout.map(jobs: resources.jobs, pieces: dates.count, stop: resources.stop) {
            compare(dates[$0], nil)
        }
        var left = try verify(&comparisons, compare)
        while try read(&comparisons, unpacking: false, &left) {}
        if mayUnpack { _ = try read(&comparisons, unpacking: true, &left) }
        for date in comparisons.indices { comparisons[date].conclude() }
        return comparisons
    }

    /// Reads the partitions that have changed since they were found whole. Returns the bytes that may still be read.
    private func verify(
        _ comparisons: inout [DateComparison], _ compare: (LogDate, WarehouseError?) -> DateComparison
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
            if let damage { comparisons[date] = compare(comparisons[date].state.date, damage) }
        }
        return left
    }

    /// Reads, or unpacks, the files of all dates of which that must be done, in parallel. Takes their bytes from what may still
    /// be read. Returns false if there was nothing to do.
    private func read(
        _ comparisons: inout [DateComparison], unpacking: Bool, _ left: inout Int
    ) throws(Stopped) -> Bool {
        var toRead: [(date: Int, index: Int)] = []
        var files: [(file: ComparedFile, lengths: Set<Int>)] = []
        for date in comparisons.indices.reversed() {
            for (index, lengths) in comparisons[date].unknown(unpacking: unpacking) {
                let file = comparisons[date].files[index]
                guard file.found.bytes <= left else { continue }
                left -= file.found.bytes
                toRead.append((date, index))
                files.append((file, lengths))
            }
        }
        let results = try Fanout.map(jobs: resources.jobs, pieces: files.count, stop: resources.stop) {
            [resources, files] piece in
            var file = files[piece].file
            file.read(files[piece].lengths) { count in
                try resources.stop.check()
                resources.progress.update { $0.comparedBytes += count }
            }
            return file
        }
        for ((date, index), file) in zip(toRead, results) { comparisons[date].take(file, at: index) }
        return !toRead.isEmpty
    }
}
