import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Output
import Partitions
import Posix

/// Compares the files of log dates with the files from which their partitions were made. A file with the remembered
/// stamp counts as unchanged. Other files are unpacked once and compared by content. A partition whose file has changed
/// since it was last found whole is read again.
struct InputCheck: Sendable {
    let pipeline: Pipeline
    let output: OutputFolder
    let resources: RunResources
    /// Which log dates are closed; nil if none is.
    let closed: ClosedDates?
    /// Patterns to leave out, by source, besides those that `LeftOutFiles` leaves out.
    var unsearched: [String: FilePatterns] = [:]
    /// Bytes that may be read, of the latest log dates first. Files beyond the limit are left uncompared.
    var readLimit = Int.max
    /// Whether to read partitions that no command has found whole or damaged yet.
    var verifiesUnknown = false

    /// The states of log dates, in their order.
    /// - Throws: `Stopped`; or the error of a partition that cannot be read, although it may be sound.
    func states(of dates: [LogDate], in found: FoundInputs) throws -> [LogDateState] {
        resources.progress.update { $0.stage = .comparing }
        let fingerprint = pipeline.fingerprint
        let leftOut = LeftOutFiles(of: unsearched, in: pipeline)
        let known = KnownPartitions(in: output)
        @Sendable func compare(_ date: LogDate, reading: Result<Void, OutputError>?) throws -> DateComparison {
            try DateComparison(
                of: date, found: found, pipeline: pipeline, output: output, closed: closed, fingerprint: fingerprint,
                leftOut: leftOut,
                known: known, verifiesUnknown: verifiesUnknown, reading: reading)
        }
        let results = try Fanout.map(jobs: resources.jobs, pieces: dates.count, stop: resources.stop) { number in
            Result { try compare(dates[number], reading: nil) }
        }
        var comparisons = try results.map { try $0.get() }
        var left = try verify(&comparisons, compare: compare)
        try read(&comparisons, left: &left)
        for date in comparisons.indices { comparisons[date].conclude() }
        if resources.force || comparisons.contains(where: { $0.state.partition == .partial }) {
            let recorded = resources.database(of: output).recordedWarnings()
            for date in comparisons.indices { comparisons[date].noteAcceptance(recorded) }
        }
        return comparisons.map(\.state)
    }

    /// Reads partitions that were found damaged, or have changed since they were found whole. Returns the number of
    /// bytes that may still be read.
    private func verify(
        _ comparisons: inout [DateComparison],
        compare: (LogDate, Result<Void, OutputError>?) throws -> DateComparison
    ) throws -> Int {
        var left = readLimit
        var toRead: [Int] = []
        for date in comparisons.indices.reversed() {
            guard let bytes = comparisons[date].unverifiedBytes, bytes <= left else { continue }
            left -= bytes
            toRead.append(date)
        }
        let dates = toRead.map { comparisons[$0].state.date }
        let readings = try Fanout.map(jobs: resources.jobs, pieces: toRead.count, stop: resources.stop) {
            index -> Result<Void, OutputError>? in
            do {
                return .success(try Partition(of: dates[index], in: output).verify { resources.stop.isRaised })
            } catch let error as OutputError where error.isDamage {
                return .failure(error)
            } catch {
                // The error may be temporary, so the partition counts as not read.
                return nil
            }
        }
        for (date, reading) in zip(toRead, readings) {
            if let reading { comparisons[date] = try compare(comparisons[date].state.date, reading) }
        }
        return left
    }

    /// Unpacks the files whose contents must be known, in parallel. Takes their sizes from `left`.
    private func read(_ comparisons: inout [DateComparison], left: inout Int) throws(Stopped) {
        var toRead: [(date: Int, index: Int)] = []
        for date in comparisons.indices.reversed() {
            for index in comparisons[date].unknown {
                let bytes = comparisons[date].files[index].found.bytes
                guard bytes <= left else { continue }
                left -= bytes
                toRead.append((date, index))
            }
        }
        let windows = Monitor(0)
        let files = toRead.map { comparisons[$0.date].files[$0.index] }
        let results = try Fanout.map(jobs: resources.jobs, pieces: files.count, stop: resources.stop) {
            [resources] piece in
            var file = files[piece]
            file.read(window: WindowShare(windows, most: resources.memory / 2)) { count in
                try resources.stop.check()
                resources.progress.update { $0.comparedBytes += count }
            }
            return file
        }
        for ((date, index), file) in zip(toRead, results) { comparisons[date].take(file, at: index) }
    }
}
