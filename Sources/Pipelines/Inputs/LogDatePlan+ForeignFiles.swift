import LogFiles
import Synchronization

extension LogDatePlan {
    /// The files that are neither gzip, zstd nor plain text, by the beginning of every file; in the order of the plan's files.
    ///
    /// - Throws: `LogFileError` or `Stopped`.
    package func foreignFiles(jobs: Int, stop: StopFlag) throws -> [ForeignFile] {
        let next = Atomic<Int>(0)
        let found = Slots<Result<BeginningReader.Beginning, any Error>>(files.count)
        Fanout.workers(max(1, min(jobs, files.count))) { _ in
            var reader = BeginningReader()
            while !stop.isRaised {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < files.count else { return }
                found.put(Result { try files[index].naming { try reader.read($0) } }, at: index)
            }
        }
        return try zip(files, found.takeAll()).compactMap { try ForeignFile(path: $0.found.path, $1.get()) }
    }
}
