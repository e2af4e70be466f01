import Calendar
import Configuration
import Foundation
import LogFiles
import Posix
import Warehouse

/// Compares one log date's files with those of its last load. First by sizes and stamps; what these leave open is decided by
/// the caller, who reads the doubtful files.
struct DateComparison: Sendable {
    /// A file with the same size as at the load and another stamp.
    struct Doubtful: Sendable {
        let file: InputFile
        let bytes: Int
        let fingerprint: String
    }

    /// A file by its source and the bytes of its path. Swift takes texts for equal that differ in their bytes.
    private struct Key: Hashable {
        let source: String
        private let bytes: [UInt8]

        init(_ source: String, _ path: String) {
            self.source = source
            bytes = Array(path.utf8)
        }
    }

    var state: LogDateState
    private(set) var doubtful: [Doubtful] = []
    /// Set if reading files has found stamps to remember.
    private(set) var remembered: RememberedInputs?

    private let files: [InputFile]
    private let sources: [Source]
    private var reasonOfFile: [Key: LogDateState.Reason] = [:]
    private var gone: [LogDateState.Reason] = []
    private var goneKeys: Set<Key> = []
    private var pipelineChanged = false
    private var stamps: [Key: FileStamp] = [:]
    /// The size of the partition's file, if it has changed since it was last found whole.
    private(set) var unverifiedBytes: Int?

    init(_ date: LogDate, _ found: FoundInputs, _ pipeline: Pipeline) {
        files = found.files(on: date)
        sources = pipeline.sources
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
        guard state.searchFailure == nil else { return }
        if let held {
            pipelineChanged = held.pipeline != fingerprint
            compareFiles(with: held.files, leftOut)
        } else if let summary = state.summary {
            pipelineChanged = summary.pipeline != fingerprint
            if let former = RememberedInputs(state.date, in: output), former.version == summary.version {
                for file in former.files { stamps[Key(file.source, file.path)] = file.stamp }
            }
            compareFiles(
                with: loaded.map { file in
                    HeldLoad.File(
                        source: file.source, path: file.path, bytes: file.bytes, fingerprint: file.fingerprint,
                        stamp: stamps[Key(file.source, file.path)])
                }, leftOut)
        }
        if state.partition == .damaged {
            let logDate = Int32(state.date.dayNumber)
            let files =
                PartitionDamage(of: logDate, in: output)?.files ?? PartitionDamage.files(of: logDate, in: output)
            noteLost(files.map { ($0.source, $0.path) }, leftOut)
        } else {
            noteLost(loaded.map { ($0.source, $0.path) }, leftOut)
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
            + sources.filter { $0.required && !present.contains($0.name) }.map { .missingSource(name: $0.name) }
    }

    /// Notes files of the partition that do not exist any more.
    private mutating func noteLost(_ loaded: [(source: String, path: String)], _ leftOut: Set<String>) {
        let present = Set(files.map(key))
        for file in loaded where !leftOut.contains(file.source) {
            let key = Key(file.source, file.path)
            guard !present.contains(key) else { continue }
            state.isShrunk = true
            noteGone(key, path: file.path)
        }
    }

    private mutating func noteGone(_ key: Key, path: String) {
        if goneKeys.insert(key).inserted { gone.append(.goneFile(path: path)) }
    }

    private mutating func compareFiles(with known: [HeldLoad.File], _ leftOut: Set<String>) {
        var missing = Dictionary(known.map { (Key($0.source, $0.path), $0) }, uniquingKeysWith: { $1 })
        for file in files where !leftOut.contains(sources[file.source].name) {
            let key = key(of: file)
            guard let before = missing.removeValue(forKey: key) else {
                reasonOfFile[key] = .newFile(path: file.found.path)
                continue
            }
            let stamp = FileStamp(path: file.found.location)
            if let stamp, stamp == before.stamp { continue }
            guard let fingerprint = before.fingerprint, stamp?.bytes ?? before.bytes == before.bytes else {
                reasonOfFile[key] = .changedFile(path: file.found.path)
                continue
            }
            doubtful.append(Doubtful(file: file, bytes: before.bytes, fingerprint: fingerprint))
        }
        for file in known where !leftOut.contains(file.source) {
            let key = Key(file.source, file.path)
            if missing[key] != nil { noteGone(key, path: file.path) }
        }
    }

    /// Takes the result of reading a doubtful file.
    mutating func settle(_ index: Int, by result: Result<(fingerprint: String, stamp: FileStamp?), any Error>) {
        let file = doubtful[index].file
        switch result {
        case .success(let (fingerprint, _)) where fingerprint != doubtful[index].fingerprint:
            reasonOfFile[key(of: file)] = .changedFile(path: file.found.path)
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
            reasonOfFile[key(of: file)] = .unreadableFile(path: file.found.path, code: code)
        }
    }

    mutating func addReasons() {
        state.reasons = files.compactMap { reasonOfFile[key(of: $0)] } + gone
        if pipelineChanged { state.reasons.append(.changedPipeline) }
    }

    private func key(of file: InputFile) -> Key {
        Key(sources[file.source].name, file.found.path)
    }
}
