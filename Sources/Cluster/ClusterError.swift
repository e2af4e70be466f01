import Pipelines
import Posix

/// Why a step of a job on a cluster cannot go on.
package enum ClusterError: ExitStatusError, Equatable {
    /// The program of this machine is of another version than the one that began the job.
    case otherProgram(found: String, wanted: String)
    /// The time zone has other rules on this machine.
    case otherZone(name: String)
    /// What the driver has written for the tasks cannot be read.
    case unreadableJob(path: String)
    /// What a task has made of a log file is not as it was written.
    case damagedFile(path: String)
    /// What a task has made of a log file belongs to another job.
    case foreignFile(path: String)
    /// What a task has made of a log file comes of other bytes than those that were judged.
    case changedFile(path: String)
    /// A shard did not get as many records as the files have for it.
    case shardMismatch(logDate: String, shard: Int, accepted: Int, records: Int)
    /// A shard has no partition of a log date that was to be loaded.
    case missingShard(shard: Int)
    /// The ledger of a shard is not that of its partitions.
    case otherLedger(shard: Int)
    /// No task has made anything of a log file.
    case missingFile(path: String)
    /// The output's folder is not the one that the driver sees, or the job is over.
    case otherOutput(path: String)
    /// What came in answer to a question for files is no list of files.
    case unreadableListing
    /// The driver's caller has ended before the job was done.
    case givenUp
    /// The output has another number of shards.
    case otherShards(output: String, shards: Int, asked: Int)
    /// The output has no shards yet, and none were asked for.
    case unknownShards(output: String)
    /// The output was written by a plain command.
    case plainOutput(path: String)

    package var exitStatus: ExitStatus {
        switch self {
        case .shardMismatch: .internalFault
        case .otherShards, .unknownShards, .plainOutput: .badPipeline
        default: .failedIO
        }
    }
}
