import Foundation
import Posix

// An output with shards: `shards/0`, `shards/1`, … have the events, and `partitions` has for each log date its manifest, and a
// partition with its files, outcomes and rejects. While a job is at work, its tasks leave there what they have made of log files, in
// a folder of the job such as `shards/job.0f1e2d3c4b5a6978`.

extension OutputFolder {
    /// - Throws: `.corrupt` if the manifest of the log date cannot be read.
    package func manifest(of logDate: Int32) throws(WarehouseError) -> Manifest {
        guard let manifest = Manifest(of: logDate, in: partitionsPath) else {
            throw .corrupt(path: Manifest.path(logDate, partitionsPath), detail: "it is no manifest")
        }
        return manifest
    }

    /// The number of shards; nil for an output without shards, or whose folder cannot be listed.
    package func shardCount() -> Int? {
        let names = (try? OutputFolder.names(in: partitionsPath)) ?? []
        let logDates = Manifest.logDates(names)
        if let count = logDates.lazy.compactMap({ Manifest(of: $0, in: partitionsPath)?.shards.count }).first {
            return count
        }
        // If no manifest can be read, there are still the shards' folders.
        let shards = logDates.isEmpty ? [] : (try? OutputFolder.names(in: shardsPath)) ?? []
        return shards.compactMap(OwnName.shard).max().map { $0 + 1 }
    }

    /// A path for the folder of a new job.
    package func newJobPath() -> String { "\(shardsPath)/job.\(String(UInt64.random(in: 0 ... .max), radix: 16))" }

    /// The output of a job, by the path of the job's folder.
    package init(job path: String) {
        self.init(Folder.parent(of: Folder.parent(of: path)))
    }

    /// The paths of the folders of jobs: of the one at work, and of those that have died.
    func jobPaths() -> [String] {
        ((try? OutputFolder.names(in: shardsPath)) ?? []).filter(OwnName.isJob).map { "\(shardsPath)/\($0)" }
    }

    /// Removes the folders of all jobs. The caller must hold the output's lock. What others have put there stays. Errors are
    /// ignored, since what stays takes room only.
    package func removeJobs() {
        for path in jobPaths() {
            for name in (try? Folder.names(in: path)) ?? [] where OwnName.isOfJob(name) { unlink("\(path)/\(name)") }
            rmdir(path)
        }
    }
}
