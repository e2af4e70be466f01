/// The next step, which the driver writes before it waits for an answer. One line of JSON:
///
///     {"globs":["s3a://logs/2026-11-19/*"],"next":"find"}       the answer is a list of files for each glob
///     {"dates":["2026-11-19"],"files":[{…}],"job":"/…","next":"read"}   any answer, once all files are read
///     {"next":"done"}                                           the result follows
struct ClusterStep: Encodable {
    enum Next: String, Encodable {
        case find, read, done
    }

    let next: Next
    /// Globs in Hadoop's syntax.
    var globs: [String]?
    /// The path of the job's folder.
    var job: String?
    /// The log dates to load.
    var dates: [String]?
    /// The files that tasks must read.
    var files: [ClusterJob.File]?

    init(next: Next) {
        self.next = next
    }
}
