import Calendar
import Foundation
import Hashing
import Messages
import Posix

/// The folder of an output. It contains `push.db`, and for each log date a partition such as
/// `partitions/2026-11-19.sqlite`.
package struct OutputFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var databasePath: String { "\(path)/\(OwnName.push)" }
    package var partitionsPath: String { path + "/partitions" }
    /// The folder of the cache. Its files only save work, and may be removed at any time between two commands.
    package var cachePath: String { partitionsPath + "/.kept" }
    /// The folder of the cache; nil if the path is a link. The link's target is not ours, so nothing is changed through
    /// it.
    package var ownCachePath: String? { Folder.isLink(cachePath) ? nil : cachePath }
    /// The folder of jobs that read log files on other machines. Each job has a folder here with its results.
    var jobsPath: String { partitionsPath + "/.jobs" }

    package func partitionPath(_ date: LogDate) -> String { "\(partitionsPath)/\(date)\(OwnName.partition)" }

    /// Creates the folder with `partitions` in it, and the folders above. Returns the folders that were missing,
    /// outermost first.
    @discardableResult
    package func create() throws -> [String] {
        try reportingCalls { try Folder.create(partitionsPath) }
    }

    /// Removes the empty folders among `folders`, innermost first. So a command without a result leaves no folders
    /// behind.
    package func removeEmpty(_ folders: [String]) {
        guard !folders.isEmpty else { return }
        for folder in [cachePath] + folders.reversed() { rmdir(folder) }
    }

    /// The log dates that have a partition, sorted. Empty if there is no folder.
    package func logDates() throws -> [LogDate] {
        try OutputFolder.names(in: partitionsPath).compactMap(OwnName.logDate(ofPartition:)).sorted()
    }

    /// The application of the settled files of pushetl 1.x, "puSt".
    private static let formerSettledID = 0x7075_5374

    /// - Throws: `.former` if pushetl 1.x has written the partitions. The first file that is a partition decides. Other
    ///   errors are left to later readers.
    package func refuseFormerPartitions() throws {
        for name in ((try? OutputFolder.names(in: partitionsPath)) ?? []).sorted() where name.hasSuffix(".sqlite") {
            let path = "\(partitionsPath)/\(name)"
            guard let marks = DatabaseFile.marks(of: path) else { continue }
            if marks.application == OutputFolder.formerSettledID { throw OutputError(.former, at: path) }
            let file = DatabaseFile.partition(path)
            guard marks.application == file.applicationID else { continue }
            guard DatabaseFile.formerSchemas.contains(marks.version) else { return }
            // A damaged byte may look like an old version. `open` compares the version with the one in the seal.
            do { _ = try file.open() } catch let error as OutputError where error.kind == .former {
                throw error
            } catch {}
        }
    }

    /// A path for the folder of a new job.
    package func newJobPath() -> String { "\(jobsPath)/\(UInt64.random(in: 0 ... .max).hexDigits)" }

    /// The folders of the present job and of jobs that were killed. Links to folders are left out.
    package func jobPaths() -> [String] {
        guard Folder.isThere(jobsPath, mayBeLink: false) else { return [] }
        let jobs = ((try? Folder.names(in: jobsPath)) ?? []).filter(OwnName.isJob).map { "\(jobsPath)/\($0)" }
        return jobs.filter { Folder.isThere($0, mayBeLink: false) }
    }

    /// The names in a folder; empty if there is no such folder.
    package static func names(in path: String) throws -> [String] {
        try reportingCalls { try Folder.names(in: path) }
    }
}

// A cache file is written whole, and is valid only under its own name:
//
//     0f1e2d3c4b5a6978\n   hash of the name and the content
//     content
//
// A file that is cut, damaged, moved from another name or not a regular file counts as missing.

extension OutputFolder {
    /// The message that the cache cannot be used: something that is not ours is in its place, or it is not writable.
    /// Nil if it can be used.
    package var cacheObstacle: Message? {
        guard FileKind(at: cachePath, followsLinks: false) != nil else { return nil }
        if ownCachePath == nil || access(cachePath + "/.", W_OK | X_OK) != 0 {
            return .at(
                cachePath, code: .unusableCache,
                text:
                    "is a link, or no folder in which you may write, so each command compares all anew, and 'status' does not "
                    + "know which partitions are damaged; remove it")
        }
        // If the folder cannot be listed, its readers and writers report the error.
        let paths = ((try? Folder.names(in: cachePath)) ?? []).sorted().map { "\(cachePath)/\($0)" }
        let full = paths.first { Folder.isThere($0, mayBeLink: false) && (try? Folder.names(in: $0)) != [] }
        return full.map { path in
            .at(
                path, code: .unusableCache,
                text:
                    "is a folder with something in it, where pushetl has files alone, so each command may compare all anew; "
                    + "remove it")
        }
    }

    /// The content of a cache file; nil if there is no valid file of this name.
    package func cached(_ name: String) -> Data? {
        // Without the file, its content is found out again.
        guard let path = ownCachePath, let bytes = try? WholeFile.readFile("\(path)/\(name)"), bytes.count > 16 else {
            return nil
        }
        let mark = OutputFolder.mark(of: bytes.span.extracting(17..<bytes.count), named: name) + "\n"
        return bytes.starts(with: mark.utf8) ? Data(bytes[17...]) : nil
    }

    /// The value that was written under this name; nil if it cannot be read.
    package func cachedValue<Value: Decodable>(_ name: String) -> Value? {
        // A value in the form of another version of the program counts as missing.
        cached(name).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    /// The hash of a name and a content: 16 hexadecimal digits.
    static func mark(of content: Span<UInt8>, named name: String) -> String {
        WordHash.of(content, seed: WordHash.of(Array(name.utf8).span)).hexDigits
    }
}

// Held-back loads are stored in `partitions/.held`, one file of lines per load. This content exists nowhere else. If a
// file is lost, the log date is no longer held back.

extension OutputFolder {
    package var heldPath: String { partitionsPath + "/.held" }

    /// The lines of a file, at most `limit`; empty if the file is missing or cannot be read.
    package func heldLines(_ name: String, atMost limit: Int = .max) -> [Data] {
        // Without the file the log date is no longer held back, and is loaded again.
        guard let bytes = try? WholeFile.readFile("\(heldPath)/\(name)") else { return [] }
        return Data(bytes).split(separator: UInt8(ascii: "\n"), maxSplits: limit == .max ? .max : limit).prefix(limit)
            .map { Data($0) }
    }

    /// The names of all files, unsorted.
    func heldNames() throws -> [String] {
        try OutputFolder.names(in: heldPath).filter { !$0.hasPrefix(".") }
    }
}
