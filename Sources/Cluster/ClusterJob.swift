import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Partitions
import Pipelines
import Posix

/// The description of a job, for its tasks. It lies in the job's folder, inside the output. The folder exists as long
/// as the job runs:
///
///     job.json               what the driver has planned
///     2026-11-19.7.events    what a task has made of file 7, see `JobFile`
package struct ClusterJob: Codable, Sendable {
    struct File: Codable, Equatable, Sendable {
        /// The number in the job.
        let index: Int
        /// In the form `2026-11-19`.
        let logDate: String
        /// The name of the source.
        let source: String
        let path: String
        let location: String
        let bytes: Int

        /// Whether a task reads it. A file at a URI may be too large for Spark.
        var isRead: Bool { location.hasPrefix("/") || bytes <= FileListing.mostBytes }
    }

    /// The version of the program.
    private let version: String
    /// The fingerprint of the pipeline.
    private let fingerprint: String
    /// The names and rule versions of the zones.
    private let zone: String
    /// The path of the pipeline file, as the user gave it.
    private let pipeline: String
    /// The absolute folder that its patterns are relative to.
    private let pipelineFolder: String
    /// The text of the pipeline file, so that other machines need no copy of it.
    private let text: String
    /// Sorted by number.
    let files: [File]
    /// The absolute path of the job's folder.
    private(set) var folder = ""

    private enum CodingKeys: String, CodingKey {
        case version, fingerprint, zone, pipeline, pipelineFolder, text, files
    }

    /// Reads a job's folder, and checks that this machine has the same program.
    package init(folder: String) throws {
        // Whatever the reason is, this machine does not see the driver's folder.
        guard let bytes = try? WholeFile.read("\(folder)/job.json") else { throw ClusterError.otherOutput(folder) }
        guard let job = try? JSONDecoder().decode(ClusterJob.self, from: Data(bytes)) else {
            throw ClusterError.unreadableJob(folder)
        }
        guard job.version == programVersion else {
            throw Fault(
                .otherProgram,
                text: "this machine has pushetl \(programVersion), and the job was started by \(job.version); "
                    + "install the same version on all machines and run the job again")
        }
        self = job
        self.folder = folder
    }

    /// Begins a job in an output.
    /// - Parameter files: the files of each log date.
    init(_ pipeline: Pipeline, in locked: LockedOutput, files: [(LogDate, [InputFile])]) throws {
        version = programVersion
        fingerprint = pipeline.fingerprint
        zone = pipeline.zoneVersions
        self.pipeline = pipeline.file
        (text, pipelineFolder) = try PipelineFile.content(of: pipeline.file)
        self.files = files.flatMap { date, files in files.map { (date, $0) } }.enumerated().map { index, file in
            File(
                index: index, logDate: file.0.description, source: pipeline.sources[file.1.source].name,
                path: file.1.found.path, location: file.1.found.location, bytes: file.1.found.bytes)
        }
        self.folder = URL(fileURLWithPath: locked.folder.newJobPath()).path
        try Folder.create(self.folder)
        try WholeFile.store([UInt8](JSONEncoder.stored.encode(self)), at: "\(self.folder)/job.json", durably: true)
    }

    /// The path at which a task stores its result for a file.
    func path(of file: File) -> String { "\(folder)/\(file.logDate).\(file.index).events" }

    /// - Throws: if the job is over.
    func check() throws(Fault) {
        guard access("\(folder)/job.json", F_OK) == 0 else { throw ClusterError.otherOutput(folder) }
    }

    /// Reads the pipeline on this machine. Throws if the zone rules differ from the driver's.
    func readPipeline() throws -> Pipeline {
        let read = try PipelineFile.read(text, file: pipeline, folder: pipelineFolder)
        guard read.zoneVersions == zone else {
            throw Fault(
                .otherZone,
                text: "the rules of the time zone \(read.zone.name) differ between this machine and the driver; "
                    + "install the same version of tzdata on all machines and run the job again")
        }
        guard read.fingerprint == fingerprint else { throw ClusterError.unreadableJob(folder) }
        return read
    }

    /// The program and the settings that log files are read by.
    var label: String { "pushetl \(version), pipeline \(fingerprint), time zones \(zone)" }
}
