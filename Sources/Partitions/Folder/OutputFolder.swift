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
    /// The cache: files that save work. They may be removed at any time between two commands.
    package var cachePath: String { partitionsPath + "/.kept" }
    /// The same; nil if a link has this path. Whatever stands there is not ours, and nothing is changed through it.
    package var ownCachePath: String? { Folder.isLink(cachePath) ? nil : cachePath }
    /// While log files are read on other machines, what they have made of them is here, in a folder of the job.
    package var jobsPath: String { partitionsPath + "/.jobs" }

    /// The path of a log date's partition.
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

    /// - Throws: `.former` if pushetl 1.x has written the partitions. The first one that is a file of ours tells. What cannot be
    ///   read is told by others.
    package func refuseFormerPartitions() throws {
        for name in ((try? OutputFolder.names(in: partitionsPath)) ?? []).sorted() where name.hasSuffix(".sqlite") {
            let path = "\(partitionsPath)/\(name)"
            guard let marks = DatabaseFile.marks(of: path) else { continue }
            if marks.application == OutputFolder.formerSettledID { throw WarehouseError(.former, at: path) }
            let file = DatabaseFile.partition(path)
            guard marks.application == file.applicationID else { continue }
            guard DatabaseFile.formerSchemas.contains(marks.version) else { return }
            // Where a byte of the version is damaged, the seal tells.
            do { _ = try file.open() } catch let error as WarehouseError where error.kind == .former {
                throw error
            } catch {}
        }
    }

    /// A path for the folder of a new job.
    package func newJobPath() -> String { "\(jobsPath)/\(UInt64.random(in: 0 ... .max).hexDigits)" }

    /// The folders of jobs: of the one at work, and of those that have died. Links to folders are not among them.
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
// A file that is cut, damaged, of another version or of another date, or that is no file at all, is as good as missing.

extension OutputFolder {
    /// That the cache cannot be used, since something of others stands there, or nobody may write in it; else nil.
    package var cacheObstacle: Message? {
        var status = stat()
        guard lstat(cachePath, &status) == 0 else { return nil }
        if ownCachePath == nil || access(cachePath + "/.", W_OK | X_OK) != 0 {
            return .at(
                cachePath, code: .unusableCache,
                text:
                    "is a link, or no folder in which you may write, so each command compares all anew, and 'status' does not "
                    + "know which partitions are damaged; remove it")
        }
        // What cannot be listed is told by those who read or write there.
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

    /// The content of a cache file; nil if nothing was written under this name, or if something else stands there.
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
        // What another version of the program wrote is as good as missing.
        cached(name).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    /// 16 hexadecimal digits.
    static func mark(of content: Span<UInt8>, named name: String) -> String {
        WordHash.of(content, seed: WordHash.of(Array(name.utf8).span)).hexDigits
    }
}

// Held-back loads are stored in `partitions/.held`, one file of lines per load. The information exists nowhere else. If a file is
// lost, the hold is forgotten.

extension OutputFolder {
    package var heldPath: String { partitionsPath + "/.held" }

    /// The lines of a file, at most `limit`; empty if the file is missing or cannot be read.
    package func heldLines(_ name: String, atMost limit: Int = .max) -> [Data] {
        // Without the file the hold is forgotten, and the log date is loaded again.
        guard let bytes = try? WholeFile.readFile("\(heldPath)/\(name)") else { return [] }
        return Data(bytes).split(separator: UInt8(ascii: "\n"), maxSplits: limit == .max ? .max : limit).prefix(limit)
            .map { Data($0) }
    }

    /// The names of all files, unsorted.
    package func heldNames() throws -> [String] {
        try OutputFolder.names(in: heldPath).filter { !$0.hasPrefix(".") }
    }
}
