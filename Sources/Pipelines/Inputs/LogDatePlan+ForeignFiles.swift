import LogFiles
import Synchronization

/// What the beginnings of a log date's files tell, before any of them is read.
struct LogDateBeginnings: Sendable {
    /// Bytes of all files, as they lie on disk.
    private(set) var gzippedBytes = 0
    private(set) var plainBytes = 0
    /// In the order of the plan's files.
    private(set) var foreignFiles: [ForeignFile] = []

    fileprivate mutating func add(_ beginning: FileBeginning, of file: FoundFile) {
        if beginning.isGzipped {
            gzippedBytes += file.bytes
        } else {
            plainBytes += file.bytes
        }
        if let kind = beginning.foreignKind {
            foreignFiles.append(ForeignFile(path: file.path, kind: kind, isInsideGzip: beginning.isGzipped))
        }
    }
}

extension LogDatePlan {
    /// Looks at the beginning of every file.
    ///
    /// - Throws: `LogFileError` or `Stopped`.
    func beginnings(jobs: Int, stop: StopFlag) throws -> LogDateBeginnings {
        let next = Atomic<Int>(0)
        let found = Slots<Result<FileBeginning, any Error>>(files.count)
        Fanout.workers(max(1, min(jobs, files.count))) { _ in
            var reader = BeginningReader()
            while !stop.isRaised {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < files.count else { return }
                found.put(Result { try files[index].naming { try reader.read($0) } }, at: index)
            }
        }
        try stop.check()
        var beginnings = LogDateBeginnings()
        for (file, beginning) in zip(files, found.take()) { beginnings.add(try beginning.get(), of: file.found) }
        return beginnings
    }
}
