import Calendar
import Configuration
import Foundation
import LogFiles
import Posix
import Warehouse

/// What the tasks of a job must know. The driver prints it in every line, and the tasks get it as a file.
package struct ClusterJob: Codable, Sendable {
    /// The text of the pipeline file, so that the machines of the tasks need no copy.
    struct PipelineText: Codable, Sendable {
        /// As the user gave it.
        let file: String
        /// The absolute folder that the patterns are relative to.
        let folder: String
        let text: String
    }

    /// A file to read.
    struct File: Codable, Sendable {
        /// In days since 1970-01-01.
        let logDate: Int32
        /// The index of the source.
        let source: Int
        let path: String
        let location: String
        let bytes: Int
        /// Whether it is at a path, and not at a URI.
        let isLocal: Bool
    }

    /// The version of the partition of a log date.
    struct Version: Codable, Sendable {
        let logDate: Int32
        let version: String
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
    let program: String
    /// The pipeline's fingerprint.
    let fingerprint: String
    /// The version of the zone's rules.
    let zone: String
    /// The number of shards.
    let shards: Int
    /// The absolute path of the output.
    let output: String
    /// Identifies the job.
    let token: String
    let pipeline: PipelineText
    private let versions: [Version]
    /// By number.
    var files: [File] = []
    /// The log dates that are loaded.
    var dates: [LoadedDate] = []
    /// The days whose figures are asked for, in days since 1970-01-01.
    var days: [Int32] = []

    private enum CodingKeys: String, CodingKey {
        case program = "version"
        case versions = "before"
        case fingerprint, zone, shards, output, token, pipeline, files, dates, days
    }

    /// Reads the file of a job, and checks that this machine has the same program, zone and pipeline.
    package init(file path: String) throws {
        guard let bytes = try? WholeFile.read(path),
            let job = try? JSONDecoder().decode(ClusterJob.self, from: Data(bytes))
        else { throw ClusterError.unreadableJob(path: path) }
        guard job.program == programVersion else {
            throw ClusterError.otherProgram(found: programVersion, wanted: job.program)
        }
        self = job
    }

    init(_ pipeline: Pipeline, text: PipelineText, output: OutputFolder, shards: Int, before: [Int32: String]) {
        program = programVersion
        fingerprint = pipeline.fingerprint
        zone = pipeline.zone.version
        self.shards = shards
        self.output = output.path
        token = String(UInt64.random(in: 0 ... .max), radix: 16)
        self.pipeline = text
        versions = before.sorted { $0.key < $1.key }.map { Version(logDate: $0, version: $1) }
    }

    /// The pipeline as this machine reads it.
    func readPipeline() throws -> Pipeline {
        let read = try PipelineFile.read(pipeline.text, file: pipeline.file, folder: pipeline.folder)
        guard read.zone.version == zone else { throw ClusterError.otherZone(name: read.zone.name) }
        guard read.fingerprint == fingerprint else { throw ClusterError.foreignFrame }
        return read
    }

    /// The context of the job's frames.
    var context: FrameContext {
        FrameContext(program: program, pipeline: "\(fingerprint) \(zone)", shards: shards)
    }

    /// The versions of the partitions before the job.
    var before: [Int32: String] {
        Dictionary(versions.map { ($0.logDate, $0.version) }, uniquingKeysWith: { $1 })
    }

    /// The versions of the partitions after the job.
    var after: [Int32: String] {
        before.merging(dates.map { ($0.logDate, $0.version) }) { $1 }
    }

    // The file `shards/job` says which job is at work. It is on the driver's disk: a task that does not find it does not see
    // the output, or is too late.

    private var tokenPath: String { OutputFolder(output).shardsPath + "/job" }

    /// Begins the job in the output. Only for the holder of the output's lock.
    func begin() throws(SystemError) {
        try Folder.create(OutputFolder(output).shardsPath)
        try WholeFile.replace(tokenPath, by: Array(token.utf8), durably: false)
    }

    /// Ends the job: tasks that go on find that it is over.
    func end() {
        unlink(tokenPath)
    }

    /// - Throws: `.otherOutput` if the job is not at work in this output.
    func checkOutput() throws(ClusterError) {
        guard let bytes = try? WholeFile.read(tokenPath), bytes == Array(token.utf8) else {
            throw .otherOutput(path: output)
        }
    }
}

extension ClusterJob.File {
    init(_ file: InputFile, logDate: LogDate) {
        self.logDate = Int32(logDate.dayNumber)
        source = file.source
        path = file.found.path
        location = file.found.location
        bytes = file.found.bytes
        isLocal = file.found.isLocal
    }
}
