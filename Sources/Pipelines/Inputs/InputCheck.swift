import Calendar
import Configuration
import LogFiles
import Posix
import Warehouse

/// Compares log dates' files with what their partitions say of them, by the files' bytes. A file whose size differs has
/// changed, one whose stamp is remembered has not; only others are read. A partition whose own file has changed since it
/// was found whole is read, too.
struct InputCheck: Sendable {
    /// A log date's state, and what is to be remembered since files had to be read.
    struct Finding: Sendable {
        let state: LogDateState
        let remembered: RememberedInputs?
    }

    let pipeline: Pipeline
    let output: OutputFolder
    let means: RunMeans
    /// Sources that are not compared, by their names. Those whose patterns hold no date never are: their files of now
    /// say nothing of a past log date.
    var leftOut: Set<String> = []
    /// Bytes that may be read, the latest log dates' first; what is beyond is left uncompared.
    var readLimit = Int.max

    /// In the order of `dates`.
    func findings(_ dates: [LogDate], _ found: FoundInputs) throws(Stopped) -> [Finding] {
        means.progress.enter(.comparing)
        let fingerprint = pipeline.fingerprint
        let leftOut = leftOut.union(pipeline.sources.filter { !$0.files.hasDatePlaceholder }.map(\.name))
        let slots = Slots<DateComparison>(dates.count)
        Fanout.run(jobs: means.jobs, pieces: dates.count) { index in
            guard !means.stop.isRaised else { return }
            var comparison = DateComparison(dates[index], found, pipeline)
            comparison.compare(with: output, fingerprint: fingerprint, leftOut: leftOut)
            slots.put(comparison, at: index)
        }
        try means.stop.check()
        var comparisons = slots.take()
        let left = try verify(&comparisons, fingerprint, leftOut)
        try readDoubtful(of: &comparisons, atMost: left)
        return comparisons.map { Finding(state: $0.state, remembered: $0.remembered) }
    }

    /// Reads the partitions that are not known to be whole any more. Returns how many bytes may still be read.
    private func verify(
        _ comparisons: inout [DateComparison], _ fingerprint: String, _ leftOut: Set<String>
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
        Fanout.run(jobs: means.jobs, pieces: wanted.count) { index in
            var damage: WarehouseError?
            do throws(WarehouseError) {
                let logDate = Int32(all[wanted[index]].state.date.dayNumber)
                try Partition(logDate: logDate, folder: output).verify { means.stop.isRaised }
            } catch {
                damage = error.isDamage ? error : nil
            }
            slots.put(damage, at: index)
        }
        try means.stop.check()
        for (date, damage) in zip(toRead, slots.take()) {
            guard let damage else { continue }
            comparisons[date].compare(with: output, fingerprint: fingerprint, leftOut: leftOut, damage: damage)
        }
        return left
    }

    /// Reads the files that only their bytes tell apart, all dates' side by side.
    private func readDoubtful(of comparisons: inout [DateComparison], atMost limit: Int) throws(Stopped) {
        var left = limit
        var toRead: [(date: Int, file: Int)] = []
        for date in comparisons.indices.reversed() {
            for (file, doubtful) in comparisons[date].doubtful.enumerated() {
                if doubtful.bytes <= left {
                    left -= doubtful.bytes
                    toRead.append((date, file))
                } else {
                    comparisons[date].state.uncomparedFiles += 1
                }
            }
        }
        let slots = Slots<Result<(fingerprint: String, stamp: FileStamp?), any Error>>(toRead.count)
        let (wanted, all) = (toRead, comparisons)
        Fanout.run(jobs: means.jobs, pieces: wanted.count) { index in
            guard !means.stop.isRaised else { return }
            let doubtful = all[wanted[index].date].doubtful[wanted[index].file]
            let result = Result {
                try LogFile(doubtful.file.found.location).fingerprint { count in
                    try means.stop.check()
                    means.progress.didCompare(count)
                }
            }
            slots.put(result, at: index)
        }
        try means.stop.check()
        for ((date, file), result) in zip(toRead, slots.take()) { comparisons[date].settle(file, by: result) }
        for date in comparisons.indices { comparisons[date].addReasons() }
    }
}
