import Calendar
import Configuration
import Foundation
import LogFiles
import Posix
import Warehouse

/// Compares one log date's files with those of its last load. First by sizes and stamps; what these leave open is decided by
/// the caller, who reads the doubtful files, and then those that may be former files under another name.
struct DateComparison: Sendable {
    /// A file with the same size as at the load and another stamp.
    struct Doubtful: Sendable {
        let file: InputFile
        let former: FormerFile
    }

    /// A file that may be a former one under another name.
    struct Candidate: Sendable {
        let key: InputKey
        let file: InputFile
        /// If it is to be unpacked, the lengths at which its content is to be compared.
        let lengths: Set<Int>
    }

    var state: LogDateState
    private(set) var doubtful: [Doubtful] = []
    /// Set if reading files has found stamps to remember.
    private(set) var remembered: RememberedInputs?
    /// The size of the partition's file, if it has changed since it was last found whole.
    private(set) var unverifiedBytes: Int?

    private let files: [InputFile]
    private let pipeline: Pipeline
    private var unreadable: [InputKey: LogDateState.Reason] = [:]
    private var pipelineChanged = false
    private var changedComparedDates: [LogDate] = []
    private var stamps: [InputKey: FileStamp] = [:]
    /// Compared with the last load: former files that are not as they were, and files that are new or changed.
    private var lost: [FormerFile] = []
    private var fresh: [(key: InputKey, file: InputFile)] = []
    /// The files of a partition whose log date was held back later, or that cannot be read. Only whether they are gone
    /// matters.
    private var partitionFiles: [FormerFile] = []
    private var leftOut: Set<String> = []
    private var facts: [InputKey: CandidateFacts] = [:]
    private var factStamps: [InputKey: FileStamp] = [:]
    private var unreadableCandidates: Set<InputKey> = []

    init(_ date: LogDate, _ found: FoundInputs, _ pipeline: Pipeline) {
        files = found.files(on: date)
        self.pipeline = pipeline
        state = LogDateState(date: date)
        state.files = files.count
        state.bytes = files.reduce(0) { $0 + $1.found.bytes }
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
        self.leftOut = leftOut
        guard state.searchFailure == nil else { return }
        if let held {
            pipelineChanged = held.pipeline != fingerprint || held.isPermitted(by: pipeline)
            changedComparedDates = held.changedComparedDates(state.date, in: output)
            compareFiles(with: held.files.map { FormerFile($0) })
        } else if let summary = state.summary {
            pipelineChanged = summary.pipeline != fingerprint
            if let former = RememberedInputs(state.date, in: output), former.version == summary.version {
                for file in former.files { stamps[InputKey(file.source, file.path)] = file.stamp }
            }
            compareFiles(with: loaded.map { FormerFile($0, stamp: stamps[InputKey($0.source, $0.path)]) })
        }
        if state.partition == .damaged {
            let logDate = Int32(state.date.dayNumber)
            let files =
                PartitionDamage(of: logDate, in: output)?.files ?? PartitionDamage.files(of: logDate, in: output)
            partitionFiles = files.map { FormerFile($0) }
        } else if held != nil {
            partitionFiles = loaded.map { FormerFile($0) }
        }
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
        let files = loaded.compactMap { file -> PartialCause? in
            switch file.status {
            case .ok: nil
            case .truncated: .truncatedFile(path: file.path)
            case .damaged: .damagedFile(path: file.path)
            }
        }
        let present = Set(loaded.map(\.source))
        return files
            + pipeline.sources.filter { $0.required && !present.contains($0.name) }.map {
                .missingSource(name: $0.name)
            }
    }

    private mutating func compareFiles(with known: [FormerFile]) {
        var missing = Dictionary(known.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for (key, file) in comparedFiles {
            guard let before = missing.removeValue(forKey: key) else {
                fresh.append((key, file))
                continue
            }
            let stamp = file.found.stamp
            if let stamp, stamp == before.stamp { continue }
            if file.found.isLocal, before.fingerprint != nil, stamp?.bytes ?? before.bytes == before.bytes {
                doubtful.append(Doubtful(file: file, former: before))
            } else {
                noteChanged(before, file)
            }
        }
        lost += known.filter { missing[$0.key] != nil && !leftOut.contains($0.key.source) }
    }

    private mutating func noteChanged(_ former: FormerFile, _ file: InputFile) {
        lost.append(former)
        fresh.append((former.key, file))
    }

    /// Takes the result of reading a doubtful file.
    mutating func settle(_ index: Int, by result: Result<(fingerprint: String, stamp: FileStamp?), any Error>) {
        let (file, former) = (doubtful[index].file, doubtful[index].former)
        switch result {
        case .success(let (fingerprint, _)) where fingerprint != former.fingerprint:
            noteChanged(former, file)
        case .success(let (_, stamp)):
            guard let stamp, state.held == nil, let version = state.summary?.version else { return }
            stamps[key(of: file)] = stamp
            let known = files.compactMap { file -> RememberedInputs.File? in
                let key = key(of: file)
                return stamps[key].map {
                    RememberedInputs.File(source: key.source, path: file.found.path, stamp: $0)
                }
            }
            remembered = RememberedInputs(version: version, files: known)
        case .failure(let error):
            let code = (error as? LogFileError)?.code ?? EIO
            unreadable[former.key] = .unreadableFile(path: file.found.path, code: code)
        }
    }

    /// Notes a doubtful file that is not read.
    mutating func leaveUncompared(_ index: Int) {
        state.uncompared.append(doubtful[index].file.found.path)
    }

    private func key(of file: InputFile) -> InputKey {
        InputKey(pipeline.sources[file.source].name, file.found.path)
    }

    private var comparedFiles: [(key: InputKey, file: InputFile)] {
        files.map { (key(of: $0), $0) }.filter { !leftOut.contains($0.0.source) }
    }
}

// Files under another name.
extension DateComparison {
    /// Changes since the last load.
    private var changes: FilePairing { FilePairing(lost: lost, found: fresh) }

    /// Files of the partition whose paths are gone, and files whose paths it does not have.
    private var losses: FilePairing {
        let compared = comparedFiles
        let (present, known) = (Set(compared.map(\.key)), Set(partitionFiles.map(\.key)))
        return FilePairing(
            lost: partitionFiles.filter { !leftOut.contains($0.key.source) && !present.contains($0.key) },
            found: compared.filter { !known.contains($0.key) })
    }

    /// Whether some former file is not where it was. Without, nothing has another name.
    private var hasLost: Bool { !lost.isEmpty || !partitionFiles.isEmpty }

    /// Takes what was found out by an earlier command about files that have not changed since.
    mutating func recall(in output: OutputFolder) {
        guard hasLost, let known = RememberedCandidates(state.date, in: output) else { return }
        let current = Dictionary(comparedFiles.map { ($0.key, $0.file) }, uniquingKeysWith: { $1 })
        for file in known.files {
            let key = InputKey(file.source, file.path)
            guard let found = current[key]?.found, found.stamp == file.stamp else { continue }
            facts[key] = file.facts
            factStamps[key] = file.stamp
        }
    }

    /// The files whose bytes must be read.
    var candidates: [Candidate] {
        guard hasLost else { return [] }
        let both = [changes, losses]
        let all = both.flatMap { pairing in
            pairing.needingOutline(facts).map { (pairing.found[$0], Set<Int>()) }
        }
        return distinct(all)
    }

    /// The files that must be unpacked.
    var candidatesToUnpack: [Candidate] {
        guard hasLost else { return [] }
        let both = [changes, losses]
        let all = both.flatMap { pairing in
            pairing.needingReading(facts).sorted { $0.key < $1.key }.map { (pairing.found[$0.key], $0.value) }
        }
        return distinct(all)
    }

    private func distinct(_ all: [((key: InputKey, file: InputFile), Set<Int>)]) -> [Candidate] {
        var lengths: [InputKey: Set<Int>] = [:]
        for (file, more) in all { lengths[file.key, default: []].formUnion(more) }
        return all.compactMap { file, _ in
            lengths.removeValue(forKey: file.key).map { Candidate(key: file.key, file: file.file, lengths: $0) }
        }.filter { !unreadableCandidates.contains($0.key) }
    }

    /// Takes the result of reading a candidate.
    mutating func settle(
        _ candidate: Candidate, by result: Result<(outline: FileOutline, stamp: FileStamp?), any Error>
    ) {
        switch result {
        case .success(let (outline, stamp)):
            facts[candidate.key] = CandidateFacts(outline: outline)
            factStamps[candidate.key] = stamp
        case .failure:
            unreadableCandidates.insert(candidate.key)
        }
    }

    /// Takes the result of unpacking a candidate.
    mutating func settle(_ candidate: Candidate, by result: Result<ContentReading, any Error>) {
        switch result {
        case .success(let reading): facts[candidate.key]?.reading = reading
        case .failure: unreadableCandidates.insert(candidate.key)
        }
    }

    /// What was found out about files that may have another name than before; nil if there are none.
    var rememberedCandidates: RememberedCandidates? {
        let known = files.compactMap { file -> RememberedCandidates.File? in
            let key = key(of: file)
            guard let stamp = factStamps[key], let facts = facts[key] else { return nil }
            return RememberedCandidates.File(source: key.source, path: key.path, stamp: stamp, facts: facts)
        }
        return known.isEmpty ? nil : RememberedCandidates(files: known)
    }

    /// Says in `state` what has changed, once the candidates are read.
    mutating func conclude() {
        let changes = changes
        let pairs = changes.pairs(facts, unreadable: unreadableCandidates)
        let losses = losses
        let lossPairs = losses.pairs(facts, unreadable: unreadableCandidates)

        var reasons = unreadable
        let renamed = pairs.same.merging(pairs.grown) { $1 }.filter { lost[$0].key != changes.found[$1].key }
        let movedAway = Set(renamed.keys.map { lost[$0].key })
        let lostPaths = Set(lost.map(\.key))
        let (same, grown, open) = (Set(pairs.same.values), Set(pairs.grown.values), Set(pairs.open.values))
        for (index, file) in changes.found.enumerated() where !same.contains(index) && !open.contains(index) {
            let isChanged = grown.contains(index) || lostPaths.contains(file.key) && !movedAway.contains(file.key)
            let path = file.key.path
            reasons[file.key] = isChanged ? .changedFile(path: path) : .newFile(path: path)
        }

        // Another former file may have taken the name of one that is not there any more.
        let takenNames = Set(renamed.values.map { changes.found[$0].key })
        var gone = changes.lost.indices.filter { index in
            !pairs.has(index) && (changes.isGone(index) || takenNames.contains(lost[index].key))
        }.map { lost[$0].key }
        if state.held == nil { state.isShrunk = !gone.isEmpty }
        let lostFiles = losses.lost.indices.filter { !lossPairs.has($0) }.map { losses.lost[$0].key }
        if !lostFiles.isEmpty { state.isShrunk = true }
        gone += lostFiles.filter { !gone.contains($0) }

        let undecided = Set(open.map { changes.found[$0].key }).union(
            lossPairs.open.values.map { losses.found[$0].key })
        state.uncompared += files.map(key).filter(undecided.contains).map(\.path)
        state.reasons = files.compactMap { reasons[key(of: $0)] } + gone.map { .goneFile(path: $0.path) }
        state.reasons += changedComparedDates.map { .changedComparedDate($0) }
        if pipelineChanged { state.reasons.append(.changedPipeline) }
    }
}
