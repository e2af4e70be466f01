import Calendar
import Configuration
import Foundation
import LogFiles
import Posix
import Warehouse

/// Compares one log date's files with those of its last load. First by sizes and stamps; then the caller reads the files that
/// these leave unknown, and unpacks those that may be former files under another name.
struct DateComparison: Sendable {
    private typealias File = (key: InputKey, file: InputFile)

    /// A file that must be read, or unpacked if it has been read.
    struct Unknown: Sendable {
        let key: InputKey
        let file: InputFile
        /// What reading has told.
        let outline: FileOutline?
        /// The file's stamp when it was read; nil if it is not to be remembered.
        let stamp: FileStamp?
        /// The lengths at which its content is to be compared.
        let lengths: Set<Int>

        func read(didRead: @escaping (Int) throws -> Void) throws -> (outline: FileOutline, stamp: FileStamp?) {
            let file = LogFile(file.found.location)
            guard var outline else { return try file.outline(didRead: didRead) }
            outline.reading = try file.contentReading(lengths, didRead: didRead)
            return (outline, stamp)
        }
    }

    var state: LogDateState
    /// The size of the partition's file, if it has changed since it was last found whole.
    private(set) var unverifiedBytes: Int?

    private let files: [File]
    private let pipeline: Pipeline
    private var pipelineChanged = false
    private var changedComparedDates: [LogDate] = []
    private var leftOut: Set<String> = []
    /// As they were at the load, the files that have another stamp now and the same size.
    private var doubtful: [InputKey: FormerFile] = [:]
    /// Compared with the last load: former files that are not as they were, and files that are new or changed.
    private var lost: [FormerFile] = []
    private var fresh: [File] = []
    /// The files of a partition whose log date was held back later, or that cannot be read. Only whether they are gone
    /// matters.
    private var partitionFiles: [FormerFile] = []
    /// `lost` and `fresh`.
    private var changes = FilePairing(lost: [], found: [], [:])
    /// Files of the partition whose paths are gone, and files whose paths it does not have.
    private var losses = FilePairing(lost: [], found: [], [:])
    private var outlines: [InputKey: FileOutline] = [:]
    /// Files that could not be read, with the system's error codes.
    private var unreadable: [InputKey: Int32] = [:]
    private var known: [InputKey: RememberedInputs.File] = [:]
    /// Whether reading has told something to remember.
    private var hasNews = false

    init(_ date: LogDate, _ found: FoundInputs, _ pipeline: Pipeline) {
        files = found.files(on: date).map { ($0.key(in: pipeline), $0) }
        self.pipeline = pipeline
        state = LogDateState(date: date)
        state.files = files.count
        state.bytes = files.reduce(0) { $0 + $1.file.found.bytes }
        state.searchFailure = found.failure(on: date)
    }

    /// Compares the files with those of the date's last load: the one that was held back, else the one that made the
    /// partition. `damage` is the fault that reading the whole partition has found.
    mutating func compare(
        with output: OutputFolder, fingerprint: String, leftOut: Set<String>, damage: WarehouseError? = nil
    ) {
        let loaded = readPartition(in: output, damage)
        let held = HeldLoad(state.date, in: output).flatMap { $0.isLast(installed: state.summary?.version) ? $0 : nil }
        state.held = held?.reason
        state.isOfFormerPipeline = state.summary.map { $0.pipeline != fingerprint } ?? false
        self.leftOut = leftOut
        guard state.searchFailure == nil else { return }
        let remembered = RememberedInputs(state.date, in: output, version: state.summary?.version)
        known = Dictionary(remembered.files.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        if let held {
            pipelineChanged = held.pipeline != fingerprint || held.isPermitted(by: pipeline)
            changedComparedDates = held.changedComparedDates(state.date, in: output)
            compareFiles(with: held.files)
        } else if let summary = state.summary {
            pipelineChanged = ![fingerprint, pipeline.earlierFingerprint].contains(summary.pipeline)
            compareFiles(
                with: loaded.map { file in
                    let known = known[InputKey(file.source, file.path)]
                    return FormerFile(file, stamp: known?.outline == nil ? known?.stamp : nil)
                })
        }
        if state.partition == .damaged {
            let logDate = Int32(state.date.dayNumber)
            partitionFiles =
                PartitionDamage(of: logDate, in: output)?.files ?? PartitionDamage.files(of: logDate, in: output)
        } else if held != nil {
            partitionFiles = loaded.map { FormerFile($0) }
        }
        partitionFiles.removeAll { leftOut.contains($0.source) }
        for (key, file) in comparedFiles {
            if let known = known[key], known.outline != nil, known.stamp == file.found.stamp {
                outlines[key] = known.outline
            }
        }
        pairFiles()
    }

    /// The files that the partition was made from; empty if it is missing or damaged.
    private mutating func readPartition(in output: OutputFolder, _ damage: WarehouseError?) -> [LoadedFile] {
        let logDate = Int32(state.date.dayNumber)
        do throws(WarehouseError) {
            if let damage { throw damage }
            if let known = PartitionDamage(of: logDate, in: output) { throw known.error(of: logDate, in: output) }
            let partition = try Partition(logDate: logDate, folder: output)
            let loaded = try partition.files()
            state.summary = partition.summary
            state.partition = partition.summary.status == .complete ? .complete : .partial
            if state.partition == .partial { state.partialCauses = partialCauses(loaded) }
            unverifiedBytes = partition.unverifiedBytes(in: output)
            return loaded
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

    private var comparedFiles: [File] { files.filter { !leftOut.contains($0.key.source) } }

    private mutating func compareFiles(with former: [FormerFile]) {
        var missing = Dictionary(former.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for file in comparedFiles {
            guard let before = missing.removeValue(forKey: file.key) else {
                fresh.append(file)
                continue
            }
            let stamp = file.file.found.stamp
            if let stamp, stamp == before.stamp { continue }
            if file.file.found.isLocal, before.fingerprint != nil, stamp?.bytes ?? before.bytes == before.bytes {
                doubtful[file.key] = before
            } else {
                noteChanged(before, file)
            }
        }
        lost += former.filter { missing[$0.key] != nil && !leftOut.contains($0.source) }
    }

    private mutating func noteChanged(_ former: FormerFile, _ file: File) {
        lost.append(former)
        fresh.append(file)
    }

    /// Finds out what the files are by what is known of them. To be called again once more is known.
    mutating func pairFiles() {
        for file in files where !doubtful.isEmpty {
            guard let outline = outlines[file.key], let former = doubtful.removeValue(forKey: file.key) else {
                continue
            }
            if outline.fingerprint != former.fingerprint {
                noteChanged(former, file)
            } else {
                known[file.key]?.outline = nil
            }
        }
        let unreadable = Set(unreadable.keys)
        changes = FilePairing(lost: lost, found: fresh, outlines, unreadable: unreadable)
        guard !partitionFiles.isEmpty else { return }
        let (files, former) = (comparedFiles, Set(partitionFiles.map(\.key)))
        let present = Set(files.map(\.key))
        losses = FilePairing(
            lost: partitionFiles.filter { !present.contains($0.key) },
            found: files.filter { !former.contains($0.key) }, outlines, unreadable: unreadable)
    }

    /// The files that are to be read, or those that are to be unpacked.
    func unknown(unpacking: Bool) -> [Unknown] {
        var unknown = files.filter { doubtful[$0.key] != nil }.map { ($0, Set<Int>()) }
        for pairing in [changes, losses] {
            unknown += pairing.unknown.sorted { $0.key < $1.key }.map { (pairing.found[$0.key], $0.value) }
        }
        var lengths: [InputKey: Set<Int>] = [:]
        for (file, more) in unknown { lengths[file.key, default: []].formUnion(more) }
        return unknown.compactMap { file, _ in
            let outline = outlines[file.key]
            guard (outline != nil) == unpacking, unreadable[file.key] == nil,
                let lengths = lengths.removeValue(forKey: file.key)
            else { return nil }
            let known = known[file.key].flatMap { $0.outline == outline ? $0.stamp : nil }
            return Unknown(key: file.key, file: file.file, outline: outline, stamp: known, lengths: lengths)
        }
    }

    /// Takes the result of reading or unpacking a file.
    mutating func settle(_ file: Unknown, by result: Result<(outline: FileOutline, stamp: FileStamp?), any Error>) {
        switch result {
        case .success(let (outline, stamp)):
            outlines[file.key] = outline
            // A load that was held back has stamps of its own.
            guard let stamp, state.held == nil || doubtful[file.key] == nil else { return }
            known[file.key] = RememberedInputs.File(file.key, stamp: stamp, outline: outline)
            hasNews = true
        case .failure(let error):
            unreadable[file.key] = (error as? LogFileError)?.code ?? EIO
        }
    }

    /// Set if reading has told something to remember.
    var remembered: RememberedInputs? {
        hasNews ? RememberedInputs(version: state.summary?.version, files: files.compactMap { known[$0.key] }) : nil
    }

    /// Says in `state` what has changed, once nothing more is read.
    mutating func conclude() {
        var reasons: [InputKey: LogDateState.Reason] = [:]
        for (key, _) in files where doubtful[key] != nil {
            if let code = unreadable[key] {
                reasons[key] = .unreadableFile(path: key.path, code: code)
            } else {
                state.uncompared.append(key.path)
            }
        }

        let renamed = changes.pairs.filter { former, pair in
            pair.kind != .open && changes.keys[former] != changes.found[pair.found].key
        }
        let movedAway = Set(renamed.keys.map { changes.keys[$0] })
        let lostPaths = Set(changes.keys)
        let kinds = Dictionary(uniqueKeysWithValues: changes.pairs.values.map { ($0.found, $0.kind) })
        for (index, file) in changes.found.enumerated() where kinds[index] == nil || kinds[index] == .grown {
            let (key, path) = (file.key, file.key.path)
            let isChanged = kinds[index] == .grown || lostPaths.contains(key) && !movedAway.contains(key)
            reasons[key] = isChanged ? .changedFile(path: path) : .newFile(path: path)
        }

        // Another former file may have taken the name of one that is not there any more.
        let takenNames = Set(renamed.values.map { changes.found[$0.found].key })
        var gone = changes.unpaired.filter { changes.isGone($0) || takenNames.contains(changes.keys[$0]) }
            .map { changes.keys[$0] }
        let goneOfPartition = losses.unpaired.map { losses.keys[$0] }
        state.isShrunk = state.held == nil && !gone.isEmpty || !goneOfPartition.isEmpty
        gone += goneOfPartition.filter { !gone.contains($0) }

        let undecided = Set([changes, losses].flatMap(\.open))
        state.uncompared += files.map(\.key).filter(undecided.contains).map(\.path)
        state.reasons = files.compactMap { reasons[$0.key] } + gone.map { .goneFile(path: $0.path) }
        state.reasons += changedComparedDates.map { .changedComparedDate($0) }
        if pipelineChanged { state.reasons.append(.changedPipeline) }
    }
}
