import Calendar
import Configuration
import LogFiles

/// The files that exist now for some log dates.
package struct FoundInputs: Sendable {
    private var files: [LogDate: [InputFile]] = [:]
    private var failures: [LogDate: FileSearchError] = [:]

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

    package func failure(on date: LogDate) -> FileSearchError? { failures[date] }

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

    func key(in pipeline: Pipeline) -> InputKey { InputKey(pipeline.sources[source].name, found.path) }

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
    let path: String
    private let bytes: [UInt8]

    init(_ source: String, _ path: String) {
        self.source = source
        self.path = path
        bytes = Array(path.utf8)
    }

    static func == (a: InputKey, b: InputKey) -> Bool { a.bytes == b.bytes && a.source == b.source }

    func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(bytes)
    }
}
