import Calendar
import Configuration
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Posix

/// What the tasks of a job must know. It is in the job's folder, which is in the output and there as long as the job is at work:
///
///     job.json               what the driver has planned
///     2026-11-19.7.events    what a task has made of file 7, see `MappedFile`
///     dates.json             the log dates that the driver has judged to be loaded
///     2026-11-17.3.damage    what a task has found wrong with the partition of shard 3
package struct ClusterJob: Codable, Sendable {
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
    /// The path of the pipeline file, as the user gave it.
    private let pipeline: String
    /// The absolute folder that its patterns are relative to.
    private let pipelineFolder: String
    /// Its text, so that the machines of the tasks need no copy.
    private let text: String
    /// The versions of the partitions before the job, by log date in days since 1970-01-01.
    private let versions: [Int: String]
    /// By number.
    let files: [File]
    /// The log dates whose partitions serve only others, since they are settled.
    let settled: [Int32]
    /// The absolute path of the job's folder.
    private(set) var folder = ""
    /// The log dates that are loaded.
    private(set) var dates: [LoadedDate] = []

    private enum CodingKeys: String, CodingKey {
        case version, fingerprint, zone, shards, pipeline, pipelineFolder, text, versions, files, settled
    }

    /// Reads a job's folder, and checks that this machine has the same program.
    package init(folder: String) throws {
        func read<Value: Decodable>(_ name: String, _: Value.Type) throws(Fault) -> Value? {
            guard let bytes = try? WholeFile.read("\(folder)/\(name)") else { return nil }
            guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else {
                throw ClusterError.unreadableJob(folder)
            }
            return value
        }
        guard let job = try read("job.json", ClusterJob.self) else { throw ClusterError.otherOutput(folder) }
        guard job.version == programVersion else {
            throw Fault(
                "other_program",
                "this machine has pushetl \(programVersion), and the job was started by \(job.version); "
                    + "install the same version on all machines and run the job again")
        }
        self = job
        self.folder = folder
        dates = try read("dates.json", [LoadedDate].self) ?? []
    }

    /// Begins a job in an output.
    /// - Parameters:
    ///   - versions: those of the partitions that are there, by log date.
    ///   - files: by log date, those to read.
    init(
        _ pipeline: Pipeline, in held: HeldOutput, versions: [Int32: String], shards: Int,
        files: [(LogDate, [InputFile])]
    ) throws {
        version = programVersion
        fingerprint = pipeline.fingerprint
        zone = pipeline.zoneVersions
        self.shards = shards
        self.pipeline = pipeline.file
        (text, pipelineFolder) = try PipelineFile.content(of: pipeline.file)
        self.versions = Dictionary(uniqueKeysWithValues: versions.map { (Int($0), $1) })
        let closed = try ClosedDates(in: held.folder)
        settled = versions.keys.filter { closed?.isSettled($0) ?? false }.sorted()
        self.files = files.flatMap { date, files in files.map { (date, $0) } }.enumerated().map { index, file in
            File(
                index: index, logDate: file.0.description, source: pipeline.sources[file.1.source].name,
                path: file.1.found.path, location: file.1.found.location, bytes: file.1.found.bytes)
        }
        self.folder = URL(fileURLWithPath: held.folder.newJobPath()).path
        try Folder.create(self.folder)
        try write(self, "job.json")
    }

    private func write(_ value: some Encodable, _ name: String) throws {
        try WholeFile.store([UInt8](JSONEncoder.stored.encode(value)), at: "\(folder)/\(name)", durably: true)
    }

    /// Sets the log dates that are loaded.
    mutating func load(_ dates: [LoadedDate]) throws {
        self.dates = dates
        try write(dates, "dates.json")
    }

    /// Where a task writes what it makes of a file.
    func path(of file: Int) -> String { "\(folder)/\(files[file].logDate).\(file).events" }

    /// Tells the driver that a shard's partition is damaged, if an error says so.
    func note(_ error: WarehouseError, shard: Int) {
        guard error.isDamage, let logDate = error.path.flatMap(PartitionName.logDate(ofPartitionAt:)) else { return }
        let name = OwnName.shardDamage(of: logDate, shard: shard)
        let detail = error.damage ?? "it is another application's database"
        // The task fails anyway, and the next one finds the damage too.
        try? WholeFile.store(Array(detail.utf8), at: "\(folder)/\(name)", durably: false)
    }

    /// The damage that tasks have told.
    func damage(in output: OutputFolder) -> [WarehouseError] {
        // What cannot be read is found again.
        ((try? OutputFolder.names(in: folder)) ?? []).compactMap { name in
            guard let (logDate, shard) = OwnName.shardDamage(name),
                let detail = try? WholeFile.readFile("\(folder)/\(name)")
            else { return nil }
            let path = output.shard(shard, versions: after).partitionPath(logDate)
            return .corrupt(path: path, detail: String(decoding: detail, as: UTF8.self))
        }
    }

    /// The output in which the job is at work.
    var output: OutputFolder { OutputFolder(job: folder) }

    /// - Throws: if the job is over.
    func check() throws(Fault) {
        guard access("\(folder)/job.json", F_OK) == 0 else { throw ClusterError.otherOutput(folder) }
    }

    /// The pipeline as this machine reads it.
    func readPipeline() throws -> Pipeline {
        let read = try PipelineFile.read(text, file: pipeline, folder: pipelineFolder)
        guard read.zoneVersions == zone else {
            throw Fault(
                "other_zone",
                "the rules of the time zone \(read.zone.name) differ between this machine and the driver; "
                    + "install the same version of tzdata on all machines and run the job again")
        }
        guard read.fingerprint == fingerprint else { throw ClusterError.unreadableJob(folder) }
        return read
    }

    /// The program and settings that a mapped file of the job is made by.
    var label: String { "pushetl \(version), pipeline \(fingerprint), time zones \(zone), \(shards) shards" }

    /// The versions of the partitions after the job.
    var after: [Int32: String] {
        let before = Dictionary(versions.map { (Int32(truncatingIfNeeded: $0), $1) }, uniquingKeysWith: { $1 })
        return before.merging(dates.map { ($0.logDate, $0.version) }) { $1 }
    }
}

/// Why a step of a job on a cluster cannot go on. Those that are found at one place are made there.
enum ClusterError {
    static let again: MessageText = "nothing was published; run the job again"

    /// What the driver has written for the tasks cannot be read.
    static func unreadableJob(_ path: String) -> Fault {
        Fault("unreadable_job", "\(path: path): is not a description of a job of this version of pushetl")
    }

    /// The output's folder is not the one that the driver sees, or the job is over.
    static func otherOutput(_ path: String) -> Fault {
        Fault(
            "other_output",
            "\(path: path): is not the folder that the driver works in, or the job is over; "
                + "give an output that is on a file system shared by all machines")
    }

    /// What a task has made of a log file is not as it was written.
    static func damagedFile(_ path: String) -> Fault {
        Fault("damaged_job", "\(path: path): is not as a task has written it; \(again)")
    }

    /// No task has made anything of a log file.
    static func missingFile(_ path: String) -> Fault {
        Fault("missing_file", "\(path: path): no task has read the file; \(again)")
    }
}
