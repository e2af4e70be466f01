import Cluster
import Pipelines

extension Sentence {
    func of(_ error: AccountsError) -> String {
        let fault = "a fault of pushetl, please report it; nothing was published"
        switch error {
        case .fileMismatch(let path, let records, let accepted, let filtered, let rejected):
            return
                "\(paths(path)): \(records) records, but \(accepted) accepted + \(filtered) filtered + \(rejected) rejected: "
                + fault
        case .partitionMismatch(let logDate, let accepted, let events, let duplicates):
            return "\(logDate): \(accepted) records accepted, but \(events) events + \(duplicates) duplicates: " + fault
        }
    }

    func of(_ error: ClusterError) -> String {
        let again = "nothing was published; run the job again"
        let lost = "frames were lost on the way; \(again)"
        return switch error {
        case .otherProgram(let found, let wanted):
            "this machine has pushetl \(found.shown), and the job was begun by \(wanted.shown); "
                + "install the same version on all machines and run the job again"
        case .otherZone(let name):
            "the rules of the time zone \(name.shown) differ between this machine and the driver; "
                + "install the same version of tzdata on all machines and run the job again"
        case .unreadableJob(let path): "\(paths(path)): is no description of a job of this version of pushetl"
        case .damagedFrame: "a frame was damaged on the way; \(again)"
        case .foreignFrame: "a frame belongs to another job; \(again)"
        case .changedFile(let path):
            "\(paths(path)): the file changed while the job was at work; \(again) when nothing writes to it"
        case .contradictingAttempts:
            "two attempts of a task gave different results, so a file changed while the job was at work; \(again)"
        case .shardMismatch(let logDate, let shard, let accepted, let records):
            "\(logDate): shard \(shard) got \(records) of \(accepted) accepted records; " + lost
        case .missingShard(let shard): "nothing came of shard \(shard); " + lost
        case .missingFile(let path): "\(paths(path)): no accounts of the file came; " + lost
        case .missingDay(let day): "no figures of \(day) came; " + lost
        case .otherOutput(let path):
            "\(paths(path)): is not the folder that the driver works in, or the job is over; "
                + "give an output that is on a file system shared by all machines"
        case .unreadableListing: "what came on stdin is no list of files; take pushetl_spark.py of the same version"
        case .givenUp: "the driver has ended before the job was done; nothing has changed; run the job again"
        case .otherShards(let output, let shards, let asked):
            "\(paths(output)): has \(shards) shards, and --shards says \(asked); the first load decides: "
                + "leave --shards out, or load everything into another output"
        case .unknownShards(let output):
            "\(paths(output)): has no shards yet; say with --shards how many it shall have"
        case .plainOutput(let path):
            "\(paths(path)): was written by a plain 'run' or 'backfill' and has no shards; "
                + "go on with these, or give another output"
        case .system(let error): "\(paths(error.path)): \(error.call) failed: \(Sentence.reason(error.code)); \(again)"
        }
    }
}
