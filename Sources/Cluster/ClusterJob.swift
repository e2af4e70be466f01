import Calendar
import Configuration
import Foundation
import Pipelines
import Posix
import Warehouse

/// What the tasks of a job must know. The driver prints it in every line, and the tasks get it as a file.
package struct ClusterJob: Codable, Sendable {
    /// The text of the pipeline file, so that the machines of the tasks need no copy.
    private struct PipelineText: Codable {
        /// As the user gave it.
        let file: String
        /// The absolute folder that the patterns are relative to.
        let folder: String
        let text: String
    }

    /// A file to read.
    struct File: Codable, Sendable {
        /// The number in the job.
        let index: Int
        /// Such as `2026-11-19`.
        let logDate: String
        /// The name.
        let source: String
        let path: String
        let location: String
        let bytes: Int
    }

    /// A log date that was judged to be loaded.
    struct LoadedDate: Codable, Sendable {
        let logDate: Int32
        let version: String
        let status: PartitionStatus
        /// By the number of the file: the fingerprint of the bytes that count.
        let files: [Int: String]
        /// By shard, the number of accepted records.
        let records: [Int]
    }

    /// The version of the program.
    private let version: String
    /// The pipeline's fingerprint.
    private let fingerprint: String
    /// The version of the zone's rules.
    private let zone: String
    /// The number of shards.
    let shards: Int
    /// The absolute path of the output.
    private let output: String
    /// Identifies the job.
    let token: String
    private let pipeline: PipelineText
    /// By log date, in days since 1970-01-01.
    private let versions: [Int: String]
    /// By number.
    let files: [File]
    /// The log dates that are loaded.
    var dates: [LoadedDate] = []
    /// The days whose figures are asked for, in days since 1970-01-01.
    var days: [Int32] = []
    /// The log dates whose partitions serve only others, since they are settled.
    private(set) var settled: [Int32]
    /// The log dates all of whose figures are asked for, in place of days, so that they settle.
    var settling: [Int32] = []

    /// Reads the file of a job, and checks that this machine has the same program.
    package init(file path: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let bytes = try? WholeFile.read(path), let job = try? decoder.decode(ClusterJob.self, from: Data(bytes))
        else { throw ClusterError.unreadableJob(path: path) }
        guard job.version == programVersion else {
            throw ClusterError.otherProgram(found: programVersion, wanted: job.version)
        }
        self = job
    }

    /// Begins a job in an output, whose lock is held.
    /// - Parameter files: by log date, those to read.
    init(_ pipeline: Pipeline, output: OutputDatabase, shards: Int, files: [(LogDate, [InputFile])]) throws {
        version = programVersion
        fingerprint = pipeline.fingerprint
        zone = pipeline.zoneVersions
        self.shards = shards
        self.output = output.folder.path
        token = String(UInt64.random(in: 0 ... .max), radix: 16)
        let (text, folder) = try PipelineFile.content(of: pipeline.file)
        self.pipeline = PipelineText(file: pipeline.file, folder: folder, text: text)
        let versions = try output.readableVersions()
        self.versions = Dictionary(uniqueKeysWithValues: versions.map { (Int($0), $1) })
        let closed = try ClosedDates(in: output.folder)
        settled = versions.keys.filter { closed?.isSettled($0) ?? false }.sorted()
        self.files = files.flatMap { date, files in files.map { (date, $0) } }.enumerated().map { index, file in
            File(
                index: index, logDate: file.0.description, source: pipeline.sources[file.1.source].name,
                path: file.1.found.path, location: file.1.found.location, bytes: file.1.found.bytes)
        }
        try Folder.create(output.folder.shardsPath)
        try WholeFile.replace(tokenPath, by: Array(token.utf8), durably: false)
    }

    /// The pipeline as this machine reads it.
    func readPipeline() throws -> Pipeline {
        let read = try PipelineFile.read(pipeline.text, file: pipeline.file, folder: pipeline.folder)
        guard read.zoneVersions == zone else { throw ClusterError.otherZone(name: read.zone.name) }
        guard read.fingerprint == fingerprint else { throw ClusterError.foreignFrame }
        return read
    }

    /// The label of the job's frames.
    var label: Frame.Label {
        Frame.Label(job: Frame.Label.Job(program: version, pipeline: fingerprint, zone: zone, shards: shards))
    }

    /// The versions of the partitions before the job.
    var before: [Int32: String] {
        Dictionary(versions.map { (Int32(truncatingIfNeeded: $0), $1) }, uniquingKeysWith: { $1 })
    }

    /// The versions of the partitions after the job.
    var after: [Int32: String] {
        before.merging(dates.map { ($0.logDate, $0.version) }) { $1 }
    }

    // The file `shards/job` says which job is at work. It is on the driver's disk: a task that does not find it does not see
    // the output, or is too late.

    private var tokenPath: String { OutputFolder(output).shardsPath + "/job" }

    /// Ends the job: tasks that go on find that it is over.
    func end() {
        unlink(tokenPath)
    }

    /// The output in which the job is at work.
    /// - Throws: `.otherOutput` if it is not.
    func checkedOutput() throws(ClusterError) -> OutputFolder {
        guard let bytes = try? WholeFile.read(tokenPath), bytes == Array(token.utf8) else {
            throw .otherOutput(path: output)
        }
        return OutputFolder(output)
    }
}
