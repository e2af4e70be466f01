import Messages

/// Why a step of a job on a cluster cannot go on.
package enum ClusterError: MessageError, Equatable {
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

    package var message: Message {
        let again: MessageText = "nothing was published; run the job again"
        let fault: MessageText = "a fault of pushetl, please report it; \(again)"
        return switch self {
        case .otherProgram(let found, let wanted):
            Message(
                "other_program",
                "this machine has pushetl \(found), and the job was started by \(wanted); "
                    + "install the same version on all machines and run the job again")
        case .otherZone(let name):
            Message(
                "other_zone",
                "the rules of the time zone \(name) differ between this machine and the driver; "
                    + "install the same version of tzdata on all machines and run the job again")
        case .unreadableJob(let path):
            Message("unreadable_job", "\(path: path): is not a description of a job of this version of pushetl")
        case .damagedFile(let path):
            Message("damaged_job", "\(path: path): is not as a task has written it; \(again)")
        case .foreignFile(let path): Message("foreign_job", "\(path: path): belongs to another job; \(again)")
        case .changedFile(let path):
            Message(
                "changed_file",
                "\(path: path): the file changed while the job was running; \(again) when nothing writes to it")
        case .shardMismatch(let logDate, let shard, let accepted, let records):
            Message(
                "shard_mismatch", "\(logDate): shard \(shard) got \(records) of \(accepted) accepted records: " + fault)
        case .missingShard(let shard):
            Message("missing_shard", "no task has written what shard \(shard) has of the log date; \(again)")
        case .otherLedger(let shard):
            Message(
                "other_ledger",
                "the ledger of shard \(shard) does not hold what was loaded, as if a late task had written it; \(again)"
            )
        case .missingFile(let path): Message("missing_file", "\(path: path): no task has read the file; \(again)")
        case .otherOutput(let path):
            Message(
                "other_output",
                "\(path: path): is not the folder that the driver works in, or the job is over; "
                    + "give an output that is on a file system shared by all machines")
        case .unreadableListing:
            Message(
                "unreadable_listing",
                "stdin does not have a list of files; use pushetl_spark.py of the same version")
        case .givenUp:
            Message("given_up", "the driver ended before the job was finished; nothing has changed; run the job again")
        case .otherShards(let output, let shards, let asked):
            Message(
                "other_shards",
                "\(path: output): has \(shards) shards, and --shards says \(asked); the first load decides: "
                    + "leave --shards out, or load everything into another output")
        case .unknownShards(let output):
            Message("unknown_shards", "\(path: output): has no shards yet; give their number with --shards")
        case .plainOutput(let path):
            Message(
                "plain_output",
                "\(path: path): was written by a plain 'run' or 'backfill' and has no shards; "
                    + "go on with these, or give another output")
        }
    }
}
