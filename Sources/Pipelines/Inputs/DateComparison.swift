import Calendar
import Configuration
import Output
import Partitions
import Posix
import Records

/// Compares one log date's files with those of its last load. `init` compares stamps. The caller then unpacks the files
/// listed in `unknown`, and calls `conclude`.
struct DateComparison: Sendable {
    private(set) var state: LogDateState
    /// The size of the partition file in bytes, if the partition must be read: it has changed since it was last found
    /// whole, or was found damaged. That is checked again, since a disk may have erred once.
    private(set) var unverifiedBytes: Int?
    /// The files of the compared sources.
    private(set) var files: [ComparedFile] = []

    private let pipeline: Pipeline
    private let known: KnownPartitions
    private let verifiesUnknown: Bool
    /// The changes since the last load that are not about files.
    private var otherReasons: [LogDateState.Reason] = []
    /// The files of the last load: of the held-back load if there is one, else of the load that made the partition.
    private var former: [FormerFile] = []
    /// The files of the partition, if the log date was held back later or the partition cannot be read.
    private var partitionFiles: [FormerFile] = []
    /// Whether the hold ends if the files are those of the partition again.
    private var mayEndHold = false
    /// Whether reading files has given new entries for the cache.
    private var hasNews = false

    /// - Parameter reading: the result of reading the whole partition; nil if it was not read.
    /// - Throws: errors other than damage or loss of the partition.
    init(
        of date: LogDate, found: FoundInputs, pipeline: Pipeline, output: OutputFolder, closed: ClosedDates?,
        fingerprint: String, leftOut: LeftOutFiles, known: KnownPartitions, verifiesUnknown: Bool = false,
        reading: Result<Void, OutputError>?
    ) throws {
        self.known = known
        self.verifiesUnknown = verifiesUnknown
        self.pipeline = pipeline
        state = LogDateState(date: date)
        let inputs = found.files(on: date)
        state.files = inputs.count
        state.bytes = inputs.reduce(0) { $0 + $1.found.bytes }
        state.searchFailure = found.failure(on: date)
        let (loaded, isSameMeaning) = try readPartition(
            in: output, closed: closed?.holds(date) == true ? closed : nil, reading: reading, fingerprint: fingerprint)
        state.isComparedWhole = !leftOut.concernsAllDates && !loaded.contains { leftOut.contains($0.key, on: date) }
        let isOpen = state.phase == .open
        // A closed log date is never held back.
        let held = isOpen ? HeldLoad(date, in: output, installed: state.summary?.version) : nil
        state.held = held?.reason
        if isOpen, let summary = state.summary {
            state.isOfFormerPipeline =
                !isSameMeaning || pipeline.hasOtherOffsets(than: summary.zone, on: date, days: summary.windowDays)
        }
        guard state.searchFailure == nil else { return }
        takeFiles(
            inputs, loaded: loaded, remembered: RememberedInputs(date, in: output, version: state.summary?.version),
            leftOut: leftOut)
        if let held {
            let renamed = pipeline.renamed(held.sources)
            let isSame = pipeline.means(sameAs: held.pipeline, sources: held.sources, misfits: held.misfits)
            otherReasons = isSame ? held.limits == pipeline.limits ? [] : [.changedLimits] : [.changedPipeline]
            take(held.files.map { $0.renamed(renamed) }, leftOut: leftOut)
            for index in files.indices {
                guard let stamp = files[index].found.stamp else { continue }
                files[index].asLoaded += former.filter { $0.key == files[index].key && $0.stamp == stamp }
            }
            mayEndHold = state.summary != nil && isSameMeaning && state.isComparedWhole
        } else {
            otherReasons = isOpen && state.summary != nil && !isSameMeaning ? [.changedPipeline] : []
            take(loaded, leftOut: leftOut)
            state.hasFormerFiles = !isOpen && !loaded.isEmpty
        }
        guard isOpen else { return }
        if state.partition == .damaged {
            partitionFiles = filesOfDamaged(in: output)
        } else if held != nil {
            partitionFiles = loaded
        }
        if partitionFiles.contains(where: { leftOut.contains($0.key, on: date) }) { state.isComparedWhole = false }
        partitionFiles.removeAll { leftOut.contains($0.key, on: date) }
    }

    /// Reads the partition. Returns the files of its load, with the present names of their sources, and whether the
    /// pipeline file still means the same for the log date. A damaged partition gives its files only if the log date is
    /// closed.
    /// - Parameter closed: nil for an open log date.
    /// - Throws: errors other than damage or loss of the partition.
    private mutating func readPartition(
        in output: OutputFolder, closed: ClosedDates?, reading: Result<Void, OutputError>?, fingerprint: String
    ) throws -> (files: [FormerFile], isSameMeaning: Bool) {
        let date = state.date
        if let closed {
            state.phase = closed.isSettled(date) ? closed.isErasable(date) ? .erased : .settled : .closed
            // What was given up is not read any more.
            if closed.givenUp.contains(date) { return ([], true) }
        }
        do {
            try closed?.checkPlace(of: date, in: output)
            try reading?.get()
            let content = reading == nil ? known.content(of: date, in: output) : nil
            var partition: Partition?
            if content?.isSound ?? true {
                do {
                    partition = try Partition(of: date, in: output)
                } catch let error as OutputError where error.kind == .missing {}
            }
            let isUnverified = content.map { !$0.isSound } ?? (verifiesUnknown || known.isChanged(date, in: output))
            if reading == nil, isUnverified { unverifiedBytes = FileStamp(path: output.partitionPath(date))?.bytes }
            guard
                let summary = try closed.accepted(
                    partition.map { .sound($0.summary) } ?? content, of: date, in: output)
            else { return ([], true) }
            try closed?.checkFinalRows(of: summary, in: output)
            let files = try partition?.files() ?? []
            let renamed = summary.pipeline == fingerprint ? [:] : pipeline.renamed(summary.sources)
            take(summary, files: files)
            let outcomes = try summary.pipeline == fingerprint ? [] : partition?.outcomes() ?? []
            return (
                files.map { FormerFile($0).renamed(renamed) },
                pipeline.means(
                    sameAs: summary.pipeline, sources: summary.sources,
                    misfits: Set(outcomes.filter { reasonsOfMisfits.contains($0.reason) }.map(\.source)))
            )
        } catch let error as OutputError where error.isDamage || error.isOfSettled {
            state.partition = .damaged
            state.damage = error
            state.isReplaceable =
                closed.map { state.phase != .erased && !error.isStray && $0.canSettleAgain(date, in: output) } ?? true
            state.hasOtherPipeline = closed?.dates[date].map { $0.pipeline != fingerprint } ?? false
            return (closed == nil ? [] : filesOfDamaged(in: output), true)
        }
    }

    /// The files from which an unreadable partition was made, as far as they are known.
    private func filesOfDamaged(in output: OutputFolder) -> [FormerFile] {
        OutputDatabase(output, busyTimeout: 1).files(ofDamaged: state.date, known: known)
    }

    private mutating func take(_ summary: PartitionSummary, files: [LoadedFile]) {
        state.summary = summary
        state.partialCauses =
            files.compactMap { PartialCause(path: $0.path, status: $0.status) }
            + pipeline.missingSources(of: summary).map { .missingSource(name: $0) }
        state.partition = summary.status == .complete && state.partialCauses.isEmpty ? .complete : .partial
    }

    private mutating func takeFiles(
        _ inputs: [InputFile], loaded: [FormerFile], remembered: RememberedInputs, leftOut: LeftOutFiles
    ) {
        let renamed = state.summary.map { pipeline.renamed($0.sources) } ?? [:]
        let known = Dictionary(
            remembered.files.map { (InputKey(source: renamed[$0.source] ?? $0.source, path: $0.path), $0) },
            uniquingKeysWith: { $1 })
        let loaded = Dictionary(loaded.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        // A closed log date is loaded no more, so that its files are not read.
        let isClosed = state.phase != .open && state.partition != .damaged
        files = inputs.compactMap { input in
            let key = input.key(in: pipeline)
            if leftOut.contains(key, on: state.date) { return nil }
            var file = ComparedFile(key, found: input.found, remembered: known[key], loaded: loaded[key])
            if isClosed, let former = loaded[key], former.bytes == input.found.bytes { file.asLoaded = [former] }
            return file
        }
    }

    /// Takes the files of the last load. Of those that are left out only the ones stay that the patterns no longer
    /// match.
    private mutating func take(_ former: [FormerFile], leftOut: LeftOutFiles) {
        self.former = former.filter { !leftOut.contains($0.key, on: state.date) || isDropped($0) }
    }

    /// Whether the source's patterns no longer match the file's path, whether or not the file exists.
    private func isDropped(_ file: FormerFile) -> Bool {
        pipeline.sources.contains { source in
            source.name == file.source && source.files.atURIs.isEmpty
                && source.files.dates(ofFileAt: file.path.absolute(in: pipeline.folder), in: pipeline.folder) == nil
        }
    }

    /// The indexes of the files to unpack. If any file of the last load is not as it was, these are all files of
    /// unknown content: changed ones, and new ones that may be renamed. A closed log date needs this only if it is
    /// damaged.
    var unknown: [Int] {
        guard state.phase == .open || state.partition == .damaged else { return [] }
        let names = Set((former + partitionFiles).map(\.key))
        let asLoaded = Set(files.filter { !$0.asLoaded.isEmpty }.map(\.key))
        let isLost = !names.isSubset(of: asLoaded)
        return isLost ? files.indices.filter { files[$0].isUnknown && files[$0].found.isLocal } : []
    }

    /// Takes a file that was unpacked.
    mutating func take(_ file: ComparedFile, at index: Int) {
        files[index] = file
        hasNews = hasNews || file.stamp != nil
    }

    /// Completes `state` with the changes. To be called when all files are read.
    mutating func conclude() {
        if mayEndHold, state.searchFailure == nil, hasFilesOfPartition {
            // The files are again those of the partition, as after a mistake was undone. Nothing needs to be loaded.
            state.held = nil
            state.isHoldOver = true
            former = partitionFiles
            partitionFiles = []
            otherReasons = []
        }
        // If an open log date was never loaded, its files are not reported as new.
        let isNothing = former.isEmpty && state.phase == .open
        var (changed, unfound) = isNothing ? ([], []) : changes(from: former, to: files)
        let formerKeys = Set(former.map(\.key))
        let isHeldUnseen = state.held?.mayPassUnseen ?? false
        for (file, change) in zip(files, changed) {
            let path = file.key.path
            switch change {
            // It is not read, but has another size than at the load.
            case .unknown where state.phase != .open && state.partition != .damaged && formerKeys.contains(file.key):
                state.reasons.append(.changedFile(path: path))
            case .same: break
            // The last load was held back for a file that could not be read, and this one still cannot.
            case .changed where isHeldUnseen && file.failure != nil && formerKeys.contains(file.key): break
            case .changed:
                state.reasons.append(
                    file.failure.map { .unreadableFile(path: path, code: $0) } ?? .changedFile(path: path))
            case .new: state.reasons.append(.newFile(path: path))
            case .unknown: state.uncompared.append(path)
            }
        }
        let ofPartition = changes(from: partitionFiles, to: files).gone
        state.isShrunk = state.held == nil && !unfound.isEmpty || !ofPartition.isEmpty
        unfound += ofPartition.filter { !unfound.contains($0) }
        state.reasons +=
            unfound.map { key in
                isThere(key.path)
                    ? .droppedFile(path: key.path, source: key.source) : .goneFile(path: key.path)
            } + otherReasons
        let names = Set(pipeline.sources.map(\.name))
        state.formerSources = Set(unfound.map(\.source)).subtracting(names)
        if hasNews, state.phase != .erased {
            state.remembered = RememberedInputs(
                version: state.summary?.version, files: files.compactMap(\.remembered))
        }
    }

    /// Sets in `state` what the present partition lacks, and whether somebody has accepted it with `--force`.
    mutating func noteAcceptance(_ recorded: [LogDate: LoadWarnings.Recorded]) {
        guard let known = recorded[state.date], known.version == state.summary?.version else { return }
        let gaps = [LoadWarnings.missingFiles, LoadWarnings.silentHours]
        state.lacksUsual = gaps.contains(where: known.warnings.codes.contains)
        state.isAccepted = known.warnings.isAccepted
    }

    /// Whether the files are exactly those of the partition.
    private var hasFilesOfPartition: Bool {
        let (changes, gone) = changes(from: partitionFiles, to: files)
        return gone.isEmpty && changes.allSatisfy { $0 == .same }
    }

    private func isThere(_ path: String) -> Bool {
        FileStamp(path: path.hasPrefix("/") ? path : "\(pipeline.folder)/\(path)") != nil
    }
}

extension FormerFile {
    /// The file with the present name of its source.
    func renamed(_ names: [String: String]) -> FormerFile {
        guard let name = names[source] else { return self }
        var file = self
        file.source = name
        return file
    }
}
