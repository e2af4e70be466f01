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
        let slots = Slots<DateComparison>(dates.count)
        Fanout.run(jobs: resources.jobs, pieces: dates.count) { index in
            guard !resources.stop.isRaised else { return }
            var comparison = DateComparison(dates[index], found, pipeline)
            comparison.compare(with: output, fingerprint: fingerprint, leftOut: leftOut)
            slots.put(comparison, at: index)
        }
        var comparisons = try slots.takeAll()
        let left = try verify(&comparisons, found, fingerprint, leftOut)
        let rest = try readDoubtful(of: &comparisons, atMost: left)
        try readCandidates(of: &comparisons, atMost: rest)
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
        let slots = Slots<WarehouseError?>(toRead.count)
        let (wanted, all) = (toRead, comparisons)
        Fanout.run(jobs: resources.jobs, pieces: wanted.count) { index in
            var damage: WarehouseError?
            do throws(WarehouseError) {
                let logDate = Int32(all[wanted[index]].state.date.dayNumber)
                try Partition(logDate: logDate, folder: output).verify { resources.stop.isRaised }
            } catch {
                damage = error.isDamage ? error : nil
            }
            slots.put(damage, at: index)
        }
        try resources.stop.check()
        for (date, damage) in zip(toRead, try slots.takeAll()) {
            guard let damage else { continue }
            comparisons[date] = DateComparison(comparisons[date].state.date, found, pipeline)
            comparisons[date].compare(with: output, fingerprint: fingerprint, leftOut: leftOut, damage: damage)
        }
        return left
    }

    /// Reads the doubtful files of all dates, in parallel. Returns the bytes that may still be read.
    private func readDoubtful(of comparisons: inout [DateComparison], atMost limit: Int) throws(Stopped) -> Int {
        var left = limit
        var toRead: [(date: Int, file: Int)] = []
        for date in comparisons.indices.reversed() {
            for (file, doubtful) in comparisons[date].doubtful.enumerated() {
                let bytes = doubtful.former.bytes
                if bytes <= left {
                    left -= bytes
                    toRead.append((date, file))
                } else {
                    comparisons[date].leaveUncompared(file)
                }
            }
        }
        let results = try read(toRead.map { comparisons[$0.date].doubtful[$0.file].file }) { _, file, didRead in
            try file.fingerprint(didRead: didRead)
        }
        for ((date, file), result) in zip(toRead, results) { comparisons[date].settle(file, by: result) }
        return left
    }

    /// Reads the files of all dates that may be former ones under another name, and unpacks those that this leaves open.
    private func readCandidates(of comparisons: inout [DateComparison], atMost limit: Int) throws(Stopped) {
        var left = limit
        var toRead: [(date: Int, candidate: DateComparison.Candidate)] = []
        for date in comparisons.indices.reversed() {
            comparisons[date].recall(in: output)
            for candidate in comparisons[date].candidates where candidate.file.found.bytes <= left {
                left -= candidate.file.found.bytes
                toRead.append((date, candidate))
            }
        }
        let outlines = try read(toRead.map(\.candidate.file)) { _, file, didRead in
            try file.outline(didRead: didRead)
        }
        for ((date, candidate), outline) in zip(toRead, outlines) { comparisons[date].settle(candidate, by: outline) }
        guard mayUnpack else { return }
        let toUnpack = comparisons.indices.flatMap { date in
            comparisons[date].candidatesToUnpack.map { (date: date, candidate: $0) }
        }
        let readings = try read(toUnpack.map(\.candidate.file)) { index, file, didRead in
            try file.contentReading(toUnpack[index].candidate.lengths, didRead: didRead)
        }
        for ((date, candidate), reading) in zip(toUnpack, readings) { comparisons[date].settle(candidate, by: reading) }
    }

    /// Reads files in parallel.
    private func read<Value: Sendable>(
        _ files: [InputFile],
        _ body: @Sendable (Int, LogFile, @escaping @Sendable (Int) throws -> Void) throws -> Value
    ) throws(Stopped) -> [Result<Value, any Error>] {
        let slots = Slots<Result<Value, any Error>>(files.count)
        Fanout.run(jobs: resources.jobs, pieces: files.count) { [resources] index in
            guard !resources.stop.isRaised else { return }
            let result = Result {
                try body(index, LogFile(files[index].found.location)) { count in
                    try resources.stop.check()
                    resources.progress.update { $0.comparedBytes += count }
                }
            }
            slots.put(result, at: index)
        }
        try resources.stop.check()
        return try slots.takeAll()
    }
}
