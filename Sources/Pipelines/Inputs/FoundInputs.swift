import Calendar
import Configuration
import LogFiles
import Messages
import Partitions
import Posix

/// The files that exist now for some log dates.
package struct FoundInputs: Sendable {
    private var files: [LogDate: [InputFile]] = [:]
    private var failures: [LogDate: Fault] = [:]

    /// - Parameters:
    ///   - listing: the files at URIs.
    ///   - dated: whether to leave out sources whose patterns have no date.
    init(_ pipeline: Pipeline, dates: [LogDate], listing: FileListing = FileListing(), dated: Bool = false) {
        for (index, source) in pipeline.sources.enumerated() where !dated || source.files.hasDatePlaceholder {
            if let found = try? source.files.files(on: dates, in: pipeline.folder, listing: listing) {
                for (date, found) in found { add(found, of: index, on: date) }
                continue
            }
            // Search date by date, so that a failure concerns its own log dates only.
            for date in dates {
                do {
                    add(try source.files.files(on: date, in: pipeline.folder, listing: listing), of: index, on: date)
                } catch {
                    failures[date] = failures[date] ?? error
                }
            }
        }
    }

    init(_ files: [LogDate: [InputFile]]) {
        self.files = files
    }

    /// In the order of sources, then of paths.
    package func files(on date: LogDate) -> [InputFile] { files[date] ?? [] }

    package func failure(on date: LogDate) -> Fault? { failures[date] }

    private mutating func add(_ found: [FoundFile], of source: Int, on date: LogDate) {
        guard !found.isEmpty else { return }
        files[date, default: []] += found.map { InputFile(source: source, found: $0) }
    }
}

/// A file that a source has for a log date.
package struct InputFile: Sendable {
    /// The source's index in the pipeline.
    package let source: Int
    package let found: FoundFile

    package init(source: Int, found: FoundFile) {
        self.source = source
        self.found = found
    }

    func key(in pipeline: Pipeline) -> InputKey { InputKey(source: pipeline.sources[source].name, path: found.path) }

    /// Reads the file by its location, and names it by its path in errors.
    func naming<Result>(_ body: (LogFile) throws -> Result) throws -> Result {
        do {
            return try body(LogFile(found.location))
        } catch let error as LogFileError {
            throw LogFileError(step: error.step, path: found.path, code: error.code)
        }
    }
}

/// A file by its source and the bytes of its path. Swift takes texts for equal that differ in their bytes.
struct InputKey: Hashable, Sendable {
    let source: String
    private let bytes: [UInt8]

    var path: String { String(decoding: bytes, as: UTF8.self) }

    init(source: String, path: String) {
        self.source = source
        bytes = Array(path.utf8)
    }
}

/// What is known of a log date's files by their stamps. A file with the same stamp has the same bytes, so it need not be read
/// again to compare it.
///
/// It is a file of its own, `partitions/.kept/2026-11-19.inputs`, so that partitions depend on the files' bytes alone:
///
///     {"files":[{"path":"../logs/a.log.gz","source":"adobe","stamp":{"bytes":172,"changed":1795046400000000000,
///     "inode":42,"modified":1795046400000000000}}],"version":"0f…"}
///
/// It is a cache: losing it only costs time, errors of writing are ignored, and a file that cannot be read is ignored.
struct RememberedInputs: Codable, Sendable {
    struct File: Codable, Sendable {
        let source: String
        let path: String
        let stamp: FileStamp
        /// What was found out about a file since the last load. Nil for a file as the partition was made from it.
        var reading: ContentReading?

        init(_ key: InputKey, stamp: FileStamp, reading: ContentReading? = nil) {
            source = key.source
            path = key.path
            self.stamp = stamp
            self.reading = reading
        }

        var key: InputKey { InputKey(source: source, path: path) }
    }

    /// The version of the partition that was made from the files without an outline; nil if nothing was made.
    var version: String?
    var files: [File] = []
}

extension RememberedInputs {
    /// What is remembered beside a partition of this version; empty if there is no such file, or it cannot be read.
    init(_ date: LogDate, in output: OutputFolder, version: String?) {
        self.version = version
        guard let known: RememberedInputs = output.cachedValue(RememberedInputs.name(date)) else { return }
        files = known.files.filter { $0.reading != nil || known.version == version }
    }

    /// Writes the file, unless it has the same content already.
    func write(_ date: LogDate, in held: HeldOutput) {
        held.cacheValue(self, as: RememberedInputs.name(date))
    }

    private static func name(_ date: LogDate) -> String { "\(date)" + OwnName.inputs }
}
