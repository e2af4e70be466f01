import Calendar
import Configuration
import Foundation
import Ledger
import LogFiles
import Output
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
        let windows = Monitor(0)
        let results = try Fanout.map(jobs: resources.jobs, pieces: files.count, stop: resources.stop) {
            [resources, files] piece in
            var file = files[piece].file
            let window = WindowShare(windows, most: resources.memory / 2)
            file.read(files[piece].lengths, window: window) { count in
                try resources.stop.check()
                resources.progress.update { $0.comparedBytes += count }
            }
            return file
        }
        for ((date, index), file) in zip(toRead, results) { comparisons[date].take(file, at: index) }
        return !toRead.isEmpty
    }
}

/// Compares one log date's files with those of its last load. First by sizes and stamps; then the caller reads the files that
/// these leave unknown, and unpacks those that may be former files under another name.
struct DateComparison: Sendable {
    private(set) var state: LogDateState
    /// The size of the partition's file, if it has changed since it was last found whole.
    private(set) var unverifiedBytes: Int?
    /// Those of the sources that are compared.
    private(set) var files: [ComparedFile] = []
    /// Files of the last load, or of the partition, that do not exist any more under any name; known at the end. One that
    /// the pipeline does not look for any more does exist.
    private(set) var gone: Set<InputKey> = []

    private let pipeline: Pipeline
    private let verified: VerifiedStamps
    private let verifiesUnknown: Bool
    /// The reasons that are about something other than a file.
    private var otherReasons: [LogDateState.Reason] = []
    /// Files of the last load that are not as they were.
    private var lost: [FormerFile] = []
    /// The files of a partition whose log date was held back later, or that cannot be read. Only whether they are gone
    /// matters.
    private var partitionFiles: [FormerFile] = []
    /// Whether reading has told something to remember.
    private var hasNews = false

    /// Compares the files with those of the date's last load: the one that was held back, else the one that made the
    /// partition. `damage` is the fault that reading the whole partition has found.
    init(
        _ date: LogDate, _ found: FoundInputs, _ pipeline: Pipeline, _ output: OutputFolder, _ closed: ClosedDates?,
        fingerprint: String, leftOut: Set<String>, verified: VerifiedStamps, verifiesUnknown: Bool = false,
        damage: WarehouseError?
    ) {
        self.verified = verified
        self.verifiesUnknown = verifiesUnknown
        self.pipeline = pipeline
        state = LogDateState(date: date)
        let inputs = found.files(on: date)
        state.files = inputs.count
        state.bytes = inputs.reduce(0) { $0 + $1.found.bytes }
        state.searchFailure = found.failure(on: date)
        let logDate = Int32(date.dayNumber)
        let closed = closed?.holds(logDate) == true ? closed : nil
        let loaded = closed.map { readClosed(in: output, $0, damage) } ?? readPartition(in: output, damage)
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
        let former = loaded.map { file in
            let known = known[file.key]
            return file.stamped(known?.outline == nil ? known?.stamp : nil)
        }
        guard isOpen else {
            state.hasFormerFiles = !loaded.isEmpty
            compareFiles(with: former, leftOut)
            return
        }
        if let held {
            otherReasons = held.changedComparedDates(date, in: output).map { .changedComparedDate($0) }
            if held.pipeline != fingerprint || held.isPermitted(by: pipeline) { otherReasons.append(.changedPipeline) }
            compareFiles(with: held.files, leftOut)
        } else if let summary = state.summary {
            otherReasons = summary.pipeline == fingerprint ? [] : [.changedPipeline]
            compareFiles(with: former, leftOut)
        }
        if state.partition == .damaged {
            partitionFiles = PartitionDamage.knownFiles(of: logDate, in: output)
        } else if held != nil {
            partitionFiles = loaded
        }
        partitionFiles.removeAll { leftOut.contains($0.source) }
    }

    /// The files of the load of a closed log date; empty if they are not known. They are known of a damaged one too.
    private mutating func readClosed(
        in output: OutputFolder, _ closed: ClosedDates, _ damage: WarehouseError?
    ) -> [FormerFile] {
        let logDate = Int32(state.date.dayNumber)
        let isErased = closed.isErasable(logDate)
        state.phase = closed.isSettled(logDate) ? isErased ? .erased : .settled : .closed
        guard closed.wasLoaded(logDate) else {
            // What lies in its place was not there when it was closed.
            return []
        }
        var files: [FormerFile] = []
        do throws(WarehouseError) {
            if state.phase != .closed {
                let settled = try SettledFile.open(logDate, closed.dates[logDate]?.settled, in: output)
                files = take(settled.summary, try settled.files())
            }
            if isErased { return files }
            let known = PartitionDamage(of: logDate, in: output)?.error(of: logDate, in: output)
            let partition = try closed.partition(of: logDate, in: output, fault: damage ?? known)
            if state.phase == .closed {
                files = take(partition.summary, try partition.files())
            }
            unverifiedBytes = verified.unverifiedBytes(of: partition, alsoUnknown: verifiesUnknown)
        } catch {
            state.partition = .damaged
            state.damage = error
            if state.phase == .closed { files = PartitionDamage.knownFiles(of: logDate, in: output) }
        }
        return files
    }

    private mutating func take(_ summary: PartitionSummary, _ files: [LoadedFile]) -> [FormerFile] {
        state.summary = summary
        state.partition = summary.status == .complete ? .complete : .partial
        if state.partition == .partial { state.partialCauses = partialCauses(files) }
        return files.map { FormerFile($0) }
    }

    /// The files that the partition was made from; empty if it is missing or damaged.
    private mutating func readPartition(in output: OutputFolder, _ damage: WarehouseError?) -> [FormerFile] {
        let logDate = Int32(state.date.dayNumber)
        do throws(WarehouseError) {
            if let damage { throw damage }
            if let known = PartitionDamage(of: logDate, in: output) { throw known.error(of: logDate, in: output) }
            let partition = try Partition(logDate: logDate, folder: output)
            let loaded = try partition.files()
            unverifiedBytes = verified.unverifiedBytes(of: partition, alsoUnknown: verifiesUnknown)
            return take(partition.summary, loaded)
        } catch {
            if case .missing = error { return [] }
            state.partition = .damaged
            state.damage = error
            return []
        }
    }

    private func partialCauses(_ loaded: [LoadedFile]) -> [PartialCause] {
        let present = Set(loaded.map(\.source))
        let missing = pipeline.sources.filter { $0.required && !present.contains($0.name) }
        return loaded.compactMap { PartialCause(path: $0.path, $0.status) }
            + missing.map { .missingSource(name: $0.name) }
    }

    private mutating func compareFiles(with former: [FormerFile], _ leftOut: Set<String>) {
        var missing = Dictionary(former.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for index in files.indices {
            guard let before = missing.removeValue(forKey: files[index].key) else {
                files[index].isFresh = true
                continue
            }
            let (found, stamp) = (files[index].found, files[index].stamp ?? files[index].found.stamp)
            if let stamp, stamp == before.stamp { continue }
            // A closed log date is loaded no more, so that its files are read only to replace a damaged partition.
            if state.phase != .open, state.partition != .damaged, stamp?.bytes ?? found.bytes == before.bytes {
                continue
            }
            if found.isLocal, before.fingerprint != nil, stamp?.bytes ?? before.bytes == before.bytes {
                files[index].doubtful = before
            } else {
                noteChanged(before, index)
            }
        }
        lost += former.filter { missing[$0.key] != nil && (!leftOut.contains($0.source) || isDropped($0)) }
        for index in files.indices { settle(index) }
    }

    /// Whether the patterns of a file's source do not match it any more, wherever the files are now.
    private func isDropped(_ file: FormerFile) -> Bool {
        pipeline.sources.contains { source in
            source.name == file.source && source.files.atURIs.isEmpty
                && source.files.dates(ofFileAt: file.path.absolute(in: pipeline.folder), in: pipeline.folder) == nil
        }
    }

    private mutating func noteChanged(_ former: FormerFile, _ index: Int) {
        lost.append(former)
        files[index].isFresh = true
    }

    /// Says whether a file has changed, if that was in doubt and it has been read.
    private mutating func settle(_ index: Int) {
        guard let former = files[index].doubtful, let outline = files[index].outline else { return }
        files[index].doubtful = nil
        if outline.fingerprint != former.fingerprint {
            noteChanged(former, index)
        } else if state.held == nil {
            files[index].outline = nil
        }
    }

    /// What became of the files of the last load.
    private var changes: FilePairing { FilePairing(lost: lost, found: files.filter(\.isFresh)) }

    /// What became of the files of the partition, if those of the last load are others.
    private var losses: FilePairing {
        guard !partitionFiles.isEmpty else { return FilePairing(lost: [], found: []) }
        let (former, present) = (Set(partitionFiles.map(\.key)), Set(files.map(\.key)))
        return FilePairing(
            lost: partitionFiles.filter { !present.contains($0.key) }, found: files.filter { !former.contains($0.key) })
    }

    /// The files that are to be read, or those that are to be unpacked: their indices, and the lengths at which their contents
    /// are to be compared.
    func unknown(unpacking: Bool) -> [(index: Int, lengths: Set<Int>)] {
        let lengths = changes.unknown.merging(losses.unknown) { $0.union($1) }
        return files.indices.compactMap { index in
            let file = files[index]
            guard (file.outline != nil) == unpacking, file.failure == nil,
                let lengths = lengths[file.key] ?? (file.doubtful == nil ? nil : [])
            else { return nil }
            return (index, lengths)
        }
    }

    /// Takes a file that was read or unpacked.
    mutating func take(_ file: ComparedFile, at index: Int) {
        files[index] = file
        // A load that was held back has stamps of its own.
        let isNews = file.failure == nil && file.stamp != nil && (state.held == nil || file.doubtful == nil)
        hasNews = hasNews || isNews
        settle(index)
    }

    /// Set if reading has told something to remember. Nothing is kept of a log date whose ids are erased.
    var remembered: RememberedInputs? {
        hasNews && state.phase != .erased
            ? RememberedInputs(version: state.summary?.version, files: files.compactMap(\.remembered)) : nil
    }

    /// Says in `state` what has changed, once nothing more is read.
    mutating func conclude() {
        let (changes, losses) = (changes, losses)
        var reasons: [InputKey: LogDateState.Reason] = [:]
        for file in files where file.doubtful != nil {
            if let code = file.failure {
                reasons[file.key] = .unreadableFile(path: file.key.path, code: code)
            } else {
                state.uncompared.append(file.key.path)
            }
        }

        let renamed = changes.pairs.filter { former, pair in
            pair.kind != .open && changes.keys[former] != changes.found[pair.found].key
        }
        let movedAway = Set(renamed.keys.map { changes.keys[$0] })
        let lostPaths = Set(changes.keys)
        let kinds = Dictionary(uniqueKeysWithValues: changes.pairs.values.map { ($0.found, $0.kind) })
        for (index, key) in changes.found.map(\.key).enumerated() where kinds[index] == nil || kinds[index] == .grown {
            let path = key.path
            let isChanged = kinds[index] == .grown || lostPaths.contains(key) && !movedAway.contains(key)
            reasons[key] = isChanged ? .changedFile(path: path) : .newFile(path: path)
        }

        // Another former file may have taken the name of one that is not there any more.
        let takenNames = Set(renamed.values.map { changes.found[$0.found].key })
        var unfound = changes.unpaired.filter { changes.isGone($0) || takenNames.contains(changes.keys[$0]) }
            .map { changes.keys[$0] }
        let unfoundOfPartition = losses.unpaired.map { losses.keys[$0] }
        state.isShrunk = state.held == nil && !unfound.isEmpty || !unfoundOfPartition.isEmpty
        unfound += unfoundOfPartition.filter { !unfound.contains($0) }
        // Another file may have the name of one that is gone.
        let names = Set(files.map(\.key))
        gone = Set(unfound.filter { names.contains($0) || !isThere($0.path) })

        let undecided = Set([changes, losses].flatMap(\.open))
        state.uncompared += files.map(\.key).filter(undecided.contains).map(\.path)
        state.reasons =
            files.compactMap { reasons[$0.key] }
            + unfound.map { key in
                gone.contains(key)
                    ? .goneFile(path: key.path) : .droppedFile(path: key.path, source: key.source)
            } + otherReasons
    }

    private func isThere(_ path: String) -> Bool {
        FileStamp(path: path.hasPrefix("/") ? path : "\(pipeline.folder)/\(path)") != nil
    }
}
