import Cluster
import Pipelines

extension Sentence {
    func message(_ error: AccountsError) -> Message {
        let fault = "a fault of pushetl, please report it; nothing was published"
        switch error {
        case .fileMismatch(let path, let records, let accepted, let filtered, let rejected):
            return Message(
                "file_mismatch",
                "\(paths(path)): \(records) records, but \(accepted) accepted + \(filtered) filtered + \(rejected) rejected: "
                    + fault)
        case .partitionMismatch(let logDate, let accepted, let events, let duplicates):
            return Message(
                "partition_mismatch",
                "\(logDate): \(accepted) records accepted, but \(events) events + \(duplicates) duplicates: " + fault)
        }
    }

    func message(_ error: ClusterError) -> Message {
        let again = "nothing was published; run the job again"
        let fault = "a fault of pushetl, please report it; \(again)"
        return switch error {
        case .otherProgram(let found, let wanted):
            Message(
                "other_program",
                "this machine has pushetl \(found.shown), and the job was started by \(wanted.shown); "
                    + "install the same version on all machines and run the job again")
        case .otherZone(let name):
            Message(
                "other_zone",
                "the rules of the time zone \(name.shown) differ between this machine and the driver; "
                    + "install the same version of tzdata on all machines and run the job again")
        case .unreadableJob(let path):
            Message("unreadable_job", "\(paths(path)): is not a description of a job of this version of pushetl")
        case .damagedFile(let path):
            Message("damaged_job", "\(paths(path)): is not as a task has written it; \(again)")
        case .foreignFile(let path): Message("foreign_job", "\(paths(path)): belongs to another job; \(again)")
        case .changedFile(let path):
            Message(
                "changed_file",
                "\(paths(path)): the file changed while the job was running; \(again) when nothing writes to it")
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
        case .missingFile(let path): Message("missing_file", "\(paths(path)): no task has read the file; \(again)")
        case .otherOutput(let path):
            Message(
                "other_output",
                "\(paths(path)): is not the folder that the driver works in, or the job is over; "
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
                "\(paths(output)): has \(shards) shards, and --shards says \(asked); the first load decides: "
                    + "leave --shards out, or load everything into another output")
        case .unknownShards(let output):
            Message("unknown_shards", "\(paths(output)): has no shards yet; give their number with --shards")
        case .plainOutput(let path):
            Message(
                "plain_output",
                "\(paths(path)): was written by a plain 'run' or 'backfill' and has no shards; "
                    + "go on with these, or give another output")
        }
    }
}
