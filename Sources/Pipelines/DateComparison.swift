import Foundation
import LogFiles
import Warehouse

/// The comparison of one log date, while files are still to be read.
struct DateComparison: Sendable {
    struct Doubtful: Sendable {
        let file: InputFile
        let bytes: Int
        let fingerprint: String
    }

    /// A file by its source and the bytes of its path: paths that look alike may be different ones.
    private struct Key: Hashable {
        let source: String
        private let bytes: [UInt8]

        init(source: String, path: String) {
            self.source = source
            bytes = Array(path.utf8)
        }
    }

    var state: LogDateState
    private(set) var doubtful: [Doubtful] = []
    /// Set where reading has told something that is worth keeping.
    private(set) var remembered: RememberedInputs?

    private let files: [InputFile]
    private let sourceNames: [String]
    private var reasonOfFile: [Key: LogDateState.Reason] = [:]
    private var gone: [LogDateState.Reason] = []
    private var pipelineChanged = false
    private var stamps: [Key: FileStamp] = [:]
    /// The bytes of the partition's file if it is not known to be whole any more.
    private(set) var unverifiedBytes: Int?

    init(_ date: LogDate, _ found: FoundInputs, _ pipeline: Pipeline) {
        files = found.files(on: date)
        sourceNames = pipeline.sources.map(\.name)
        state = LogDateState(date: date)
        state.files = files.count
        state.bytes = files.reduce(0) { $0 + $1.found.bytes }
        state.searchFailure = found.failure(on: date)
    }

    mutating func compare(with output: OutputFolder, fingerprint: String, leftOut: Set<String>) {
        let logDate = Int32(state.date.dayNumber)
        let loaded: [LoadedFile]
        do throws(WarehouseError) {
            if let damage = PartitionDamage(of: logDate, in: output) { throw damage.error(of: logDate, in: output) }
            let partition = try Partition(logDate: logDate, folder: output)
            loaded = try partition.files()
            state.summary = partition.summary
            state.standing = partition.summary.status == .complete ? .complete : .partial
            unverifiedBytes = partition.unverifiedBytes(in: output)
        } catch {
            if case .missing = error { return }
            setDamage(error, in: output, leftOut: leftOut)
            return
        }
        guard state.searchFailure == nil, let summary = state.summary else { return }
        pipelineChanged = summary.pipeline != fingerprint
        if let former = RememberedInputs(state.date, in: output), former.version == summary.version {
            for file in former.files { stamps[Key(source: file.source, path: file.path)] = file.stamp }
        }
        var missing: [Key: LoadedFile] = [:]
        for file in loaded where !leftOut.contains(file.source) {
            missing[Key(source: file.source, path: file.path)] = file
        }
        for file in files where !leftOut.contains(sourceNames[file.source]) {
            let key = key(of: file)
            guard let before = missing.removeValue(forKey: key) else {
                reasonOfFile[key] = .newFile(path: file.found.path)
                continue
            }
            let stamp = FileStamp(path: file.found.location)
            if let stamp, stamp.bytes != before.bytes {
                reasonOfFile[key] = .changedFile(path: file.found.path)
            } else if stamp == nil || stamp != stamps[key] {
                doubtful.append(Doubtful(file: file, bytes: before.bytes, fingerprint: before.fingerprint))
            }
        }
        for file in loaded where missing[Key(source: file.source, path: file.path)] != nil {
            gone.append(.goneFile(path: file.path))
        }
    }

    /// Takes what is wrong with the partition. Files that it was made from and that are gone are the one thing that still
    /// counts: loading the date again would lose them.
    mutating func setDamage(_ damage: WarehouseError, in output: OutputFolder, leftOut: Set<String>) {
        state.standing = .damaged
        state.damage = damage
        state.summary = nil
        doubtful = []
        reasonOfFile = [:]
        pipelineChanged = false
        gone = []
        guard state.searchFailure == nil else { return }
        let logDate = Int32(state.date.dayNumber)
        let loaded = PartitionDamage(of: logDate, in: output)?.files ?? PartitionDamage.files(of: logDate, in: output)
        let present = Set(files.map { key(of: $0) })
        for file in loaded
        where !leftOut.contains(file.source) && !present.contains(Key(source: file.source, path: file.path)) {
            gone.append(.goneFile(path: file.path))
        }
    }

    /// What reading a doubtful file has told.
    mutating func settle(_ index: Int, by result: Result<(fingerprint: String, stamp: FileStamp?), any Error>) {
        let file = doubtful[index].file
        switch result {
        case .success(let (fingerprint, _)) where fingerprint != doubtful[index].fingerprint:
            reasonOfFile[key(of: file)] = .changedFile(path: file.found.path)
        case .success(let (_, stamp)):
            guard let stamp, let version = state.summary?.version else { return }
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
        Key(source: sourceNames[file.source], path: file.found.path)
    }
}
