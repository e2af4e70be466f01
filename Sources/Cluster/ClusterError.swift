import Pipelines
import Posix

/// Why a step of a job on a cluster cannot go on.
package enum ClusterError: ExitStatusError, Equatable {
    /// The program of this machine is of another version than the one that began the job.
    case otherProgram(found: String, wanted: String)
    /// The time zone has other rules on this machine.
    case otherZone(name: String)
    /// The file with the description of the job cannot be read.
    case unreadableJob(path: String)
    /// What came on stdin is no frame, or a damaged one.
    case damagedFrame
    /// A frame belongs to another job: to another version of the program, another pipeline or another number of shards.
    case foreignFrame
    /// A frame has events of other bytes of a file than those that were judged.
    case changedFile(path: String)
    /// Two attempts of a task have given different results.
    case contradictingAttempts
    /// A shard did not get as many records as the files have for it.
    case shardMismatch(logDate: String, shard: Int, accepted: Int, records: Int)
    /// A shard has not reported, or has given no figures.
    case missingShard(shard: Int)
    /// There are no accounts of a file.
    case missingFile(path: String)
    /// The figures of a day did not come.
    case missingDay(day: String)
    /// The output's folder is not the one that the driver sees, or the job is over.
    case otherOutput(path: String)
    /// What came in answer to a question for files is no list of files.
    case unreadableListing
    /// The driver has ended before the job was done.
    case givenUp
    /// The output has another number of shards.
    case otherShards(output: String, shards: Int, asked: Int)
    /// The output has no shards yet, and none were asked for.
    case unknownShards(output: String)
    /// The output was written by a plain command.
    case plainOutput(path: String)
    case system(SystemError)

    package var exitStatus: ExitStatus {
        switch self {
        case .shardMismatch, .missingShard, .missingFile, .missingDay: .internalFault
        case .otherShards, .unknownShards, .plainOutput: .badPipeline
        default: .failedIO
        }
    }
}
