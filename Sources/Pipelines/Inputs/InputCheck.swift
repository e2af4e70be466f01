import Calendar
import Configuration
import Foundation
import LogFiles
import Output
import Partitions
import Posix

/// Compares the files of log dates with those that their partitions were made from, by their contents. A file with the remembered
/// stamp has not changed; others are unpacked, once. A partition whose own file has changed since it was last found whole is read
/// too.
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

    /// In the order of `dates`.
    func findings(_ dates: [LogDate], _ found: FoundInputs) throws(Stopped) -> [DateComparison] {
        resources.progress.update { $0.stage = .comparing }
        let fingerprint = pipeline.fingerprint
        let leftOut = leftOut.union(pipeline.sources.filter { !$0.files.hasDatePlaceholder }.map(\.name))
        let known = KnownPartitions(in: output)
        @Sendable func compare(_ date: LogDate, _ reading: PartitionReading?) -> DateComparison {
            DateComparison(
                date, found, pipeline, output, closed, fingerprint: fingerprint, leftOut: leftOut,
                known: known, verifiesUnknown: verifiesUnknown, reading: reading)
        }
        var comparisons = try Fanout.map(jobs: resources.jobs, pieces: dates.count, stop: resources.stop) {
            compare(dates[$0], nil)
        }
        var left = try verify(&comparisons, compare)
        try read(&comparisons, &left)
        for date in comparisons.indices { comparisons[date].conclude() }
        if comparisons.contains(where: { $0.state.partition == .partial }) {
            let recorded = OutputDatabase(output, busyTimeout: 1).recordedWarnings()
            for date in comparisons.indices { comparisons[date].noteAcceptance(recorded) }
        }
        return comparisons
    }

    /// Reads the partitions that have changed since they were found whole, and those that were damaged. Returns the bytes that
    /// may still be read.
    private func verify(
        _ comparisons: inout [DateComparison], _ compare: (LogDate, PartitionReading?) -> DateComparison
    ) throws(Stopped) -> Int {
        var left = readLimit
        var toRead: [Int] = []
        for date in comparisons.indices.reversed() {
            guard let bytes = comparisons[date].unverifiedBytes, bytes <= left else { continue }
            left -= bytes
            toRead.append(date)
        }
        let dates = toRead.map { comparisons[$0].state.date }
        let readings = try Fanout.map(jobs: resources.jobs, pieces: toRead.count, stop: resources.stop) {
            index -> PartitionReading? in
            do throws(WarehouseError) {
                try Partition(of: dates[index], in: output).verify { resources.stop.isRaised }
                return .sound
            } catch {
                return error.isDamage ? .damaged(error) : nil
            }
        }
        for (date, reading) in zip(toRead, readings) {
            if let reading { comparisons[date] = compare(comparisons[date].state.date, reading) }
        }
        return left
    }

    /// Unpacks the files of all dates whose contents must be known, in parallel. Takes their bytes from what may still be read.
    private func read(_ comparisons: inout [DateComparison], _ left: inout Int) throws(Stopped) {
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

/// What reading a whole partition has shown.
enum PartitionReading: Sendable {
    case sound
    case damaged(WarehouseError)
}

/// Compares one log date's files with those of its last load. First by stamps; then the caller unpacks the files that these leave
/// unknown.
struct DateComparison: Sendable {
    private(set) var state: LogDateState
    /// The size of the partition's file, if it has changed since it was last found whole, or was found damaged: what SQLite calls
    /// damage may have been a fault in reading it.
    private(set) var unverifiedBytes: Int?
    /// Those of the sources that are compared.
    private(set) var files: [ComparedFile] = []
    /// Files of the last load, or of the partition, that do not exist any more under any name; known at the end. One that
    /// the pipeline does not look for any more does exist.
    private(set) var gone: Set<InputKey> = []

    private let pipeline: Pipeline
    private let known: KnownPartitions
    private let verifiesUnknown: Bool
    /// The reasons that are about something other than a file.
    private var otherReasons: [LogDateState.Reason] = []
    /// The files of the last load.
    private var former: [FormerFile] = []
    /// The files of a partition whose log date was held back later, or that cannot be read. Only whether they are gone
    /// matters.
    private var partitionFiles: [FormerFile] = []
    /// Whether reading has told something to remember.
    private var hasNews = false

    /// Compares the files with those of the date's last load: the one that was held back, else the one that made the
    /// partition.
    ///
    /// - Parameter reading: what reading the whole partition has shown; nil if it was not read.
    init(
        _ date: LogDate, _ found: FoundInputs, _ pipeline: Pipeline, _ output: OutputFolder, _ closed: ClosedDates?,
        fingerprint: String, leftOut: Set<String>, known: KnownPartitions, verifiesUnknown: Bool = false,
        reading: PartitionReading?
    ) {
        self.known = known
        self.verifiesUnknown = verifiesUnknown
        self.pipeline = pipeline
        state = LogDateState(date: date)
        let inputs = found.files(on: date)
        state.files = inputs.count
        state.bytes = inputs.reduce(0) { $0 + $1.found.bytes }
        state.searchFailure = found.failure(on: date)
        let loaded = readPartition(in: output, closed?.holds(date) == true ? closed : nil, reading)
        let isOpen = state.phase == .open
        // Nothing is held back any more that is closed.
        let held = isOpen ? HeldLoad(date, in: output, installed: state.summary?.version) : nil
        state.held = held?.reason
        state.isOfFormerPipeline =
            isOpen
            && state.summary.map {
                $0.pipeline != fingerprint || pipeline.hasOtherOffsets(than: $0.zone, on: date, $0.windowDays)
            } ?? false
        guard state.searchFailure == nil else { return }
        let remembered = RememberedInputs(date, in: output, version: state.summary?.version)
        let known = Dictionary(remembered.files.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        files = inputs.compactMap { input in
            let key = input.key(in: pipeline)
            return leftOut.contains(key.source) ? nil : ComparedFile(key, input.found, known[key])
        }
        guard isOpen else {
            state.hasFormerFiles = !loaded.isEmpty
            take(loaded, leftOut)
            return
        }
        if let held {
            otherReasons = held.pipeline == fingerprint ? [] : [.changedPipeline]
            take(held.files, leftOut)
        } else if let summary = state.summary {
            otherReasons = summary.pipeline == fingerprint ? [] : [.changedPipeline]
            take(loaded, leftOut)
        }
        if state.partition == .damaged {
            partitionFiles = formerFiles(in: output)
        } else if held != nil {
            partitionFiles = loaded
        }
        partitionFiles.removeAll { leftOut.contains($0.source) }
    }

    /// Reads what stands of the log date. Returns the files of its load; of a damaged partition only if it is closed.
    /// - Parameter closed: nil for an open log date.
    private mutating func readPartition(
        in output: OutputFolder, _ closed: ClosedDates?, _ reading: PartitionReading?
    ) -> [FormerFile] {
        let date = state.date
        if let closed {
            state.phase = closed.isSettled(date) ? closed.isErasable(date) ? .erased : .settled : .closed
            // What lies in its place was not there when it was closed.
            if !closed.wasLoaded(date) { return [] }
        }
        do throws(WarehouseError) {
            if case .damaged(let damage) = reading { throw damage }
            let content = reading == nil ? known.content(of: date, in: output) : nil
            var partition: Partition?
            if content?.isSound ?? true {
                do throws(WarehouseError) {
                    partition = try Partition(of: date, in: output)
                } catch {
                    guard case .missing = error else { throw error }
                }
            }
            let isUnverified = content.map { !$0.isSound } ?? (verifiesUnknown || known.isChanged(date, in: output))
            if reading == nil, isUnverified { unverifiedBytes = FileStamp(path: output.partitionPath(date))?.bytes }
            guard
                let summary = try closed.check(
                    partition.map { .sound($0.summary) } ?? content, of: date, in: output)
            else { return [] }
            let files = try partition?.files() ?? []
            return take(summary, files)
        } catch {
            state.partition = .damaged
            state.damage = error
            return closed == nil ? [] : formerFiles(in: output)
        }
    }

    /// The files that a partition was made from which cannot be read, as far as they are known.
    private func formerFiles(in output: OutputFolder) -> [FormerFile] {
        known.files(ofDamaged: state.date)
            ?? ((try? OutputDatabase(output, busyTimeout: 1).files(of: state.date)) ?? []).map { FormerFile($0) }
    }

    private mutating func take(_ summary: PartitionSummary, _ files: [LoadedFile]) -> [FormerFile] {
        state.summary = summary
        state.partition = summary.status == .complete ? .complete : .partial
        if state.partition == .partial { state.partialCauses = partialCauses(files) }
        return files.map { FormerFile($0) }
    }

    private func partialCauses(_ loaded: [LoadedFile]) -> [PartialCause] {
        let present = Set(loaded.map(\.source))
        let missing = pipeline.sources.filter { $0.required && !present.contains($0.name) }
        return loaded.compactMap { PartialCause(path: $0.path, $0.status) }
            + missing.map { .missingSource(name: $0.name) }
    }

    /// Takes the files of the last load.
    private mutating func take(_ former: [FormerFile], _ leftOut: Set<String>) {
        self.former = former.filter { !leftOut.contains($0.source) || isDropped($0) }
        let stamps = Dictionary(former.map { ($0.key, $0.stamp) }, uniquingKeysWith: { $1 })
        for index in files.indices where files[index].found.stamp != nil {
            // A load that was held back has stamps of its own.
            guard let stamp = stamps[files[index].key] ?? nil, stamp == files[index].found.stamp else { continue }
            (files[index].isAsLoaded, files[index].reading, files[index].stamp) = (true, nil, stamp)
        }
    }

    /// Whether the patterns of a file's source do not match it any more, wherever the files are now.
    private func isDropped(_ file: FormerFile) -> Bool {
        pipeline.sources.contains { source in
            source.name == file.source && source.files.atURIs.isEmpty
                && source.files.dates(ofFileAt: file.path.absolute(in: pipeline.folder), in: pipeline.folder) == nil
        }
    }

    /// The files whose contents must be known: those of the names of the last load that may have changed, and all new ones if a
    /// file of it is not there as it was. Of a closed log date only if it may be loaded again.
    var unknown: [Int] {
        guard state.phase == .open || state.partition == .damaged else { return [] }
        let names = Set((former + partitionFiles).map(\.key))
        let asLoaded = Set(files.filter(\.isAsLoaded).map(\.key))
        let isLost = !names.isSubset(of: asLoaded)
        return isLost ? files.indices.filter { files[$0].isUnknown && files[$0].found.isLocal } : []
    }

    /// Takes a file that was unpacked.
    mutating func take(_ file: ComparedFile, at index: Int) {
        files[index] = file
        hasNews = hasNews || file.stamp != nil
    }

    /// Set if reading has told something to remember. Nothing is kept of a log date whose ids are erased.
    var remembered: RememberedInputs? {
        hasNews && state.phase != .erased
            ? RememberedInputs(version: state.summary?.version, files: files.compactMap(\.remembered)) : nil
    }

    /// Pairs files of the last load with files that have their contents. Returns those that are left of both.
    private func pairs(_ former: [FormerFile]) -> (former: [FormerFile], now: [ComparedFile]) {
        // A closed log date is loaded no more, so that its files are not read.
        let isClosed = state.phase != .open && state.partition != .damaged
        var (unpaired, now): ([FormerFile], [ComparedFile]) = ([], files)
        for file in former {
            let candidates = now.indices.filter { index in
                now[index].key.source == file.source && now[index].isSame(as: file)
                    || isClosed && now[index].key == file.key && now[index].found.bytes == file.bytes
            }
            if let index = candidates.first(where: { now[$0].key == file.key }) ?? candidates.first {
                now.remove(at: index)
            } else {
                unpaired.append(file)
            }
        }
        return (unpaired, now)
    }

    /// Says in `state` what has changed, once nothing more is read.
    mutating func conclude() {
        var (lost, found) = pairs(former)
        // Those of an open log date that is not loaded are no news.
        if former.isEmpty, state.phase == .open { found = [] }
        let names = Set(files.map(\.key))
        // What nobody has looked into may be what is lost, under its own name or another.
        let undecided = found.filter { file in
            file.isUnknown && file.found.isLocal
                && lost.contains { $0.key == file.key || $0.source == file.key.source && !names.contains($0.key) }
        }.map(\.key)
        state.uncompared = undecided.map(\.path)
        let sources = Set(undecided.filter { key in !lost.contains { $0.key == key } }.map(\.source))
        lost.removeAll { undecided.contains($0.key) || sources.contains($0.source) && !names.contains($0.key) }
        let lostNames = Set(lost.map(\.key))
        for file in found where !undecided.contains(file.key) {
            let (path, isChanged) = (file.key.path, lostNames.contains(file.key))
            if isChanged, let code = file.failure {
                state.reasons.append(.unreadableFile(path: path, code: code))
            } else {
                state.reasons.append(isChanged ? .changedFile(path: path) : .newFile(path: path))
            }
        }
        // A file that has other bytes under its own name is not gone, and one that was truncated or damaged is not asked for.
        var unfound = lost.filter { $0.isOK != false }.map(\.key).filter { key in !found.contains { $0.key == key } }
        let ofPartition = pairs(partitionFiles).former.map(\.key).filter { !names.contains($0) }
        state.isShrunk = state.held == nil && !unfound.isEmpty || !ofPartition.isEmpty
        unfound += ofPartition.filter { !unfound.contains($0) }
        gone = Set(unfound.filter { names.contains($0) || !isThere($0.path) })
        state.reasons +=
            unfound.map { key in
                gone.contains(key)
                    ? .goneFile(path: key.path) : .droppedFile(path: key.path, source: key.source)
            } + otherReasons
    }

    /// Says in `state` whether somebody has accepted the partition that stands.
    mutating func noteAcceptance(_ recorded: [LogDate: LoadWarnings.Recorded]) {
        guard let known = recorded[state.date], known.version == state.summary?.version else { return }
        state.isAccepted = known.warnings.isAccepted
    }

    private func isThere(_ path: String) -> Bool {
        FileStamp(path: path.hasPrefix("/") ? path : "\(pipeline.folder)/\(path)") != nil
    }
}
