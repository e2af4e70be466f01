import Events
import Foundation
import Hashing
import Posix

/// The state of push.db when the last command left it: the stamp of its file, and digests of its rows.
///
/// Stored in `partitions/.kept/push.digests` as two JSON objects, one per line:
///
///     {"changeCounter":7,"rowsHash":1130943,"schema":2,"stamp":{…}}
///     {"digests":{"days":{"":1234},"daily_actions":{"2026-11-19":5678}}}
///
/// If it is missing, push.db is compared with the partitions.
struct OutputDigests: Sendable {
    private struct Head: Codable, Sendable {
        /// The schema version of push.db. Other versions have other tables.
        let schema: Int
        var stamp: FileStamp?
        var changeCounter: UInt32?
        /// The hash of the second line.
        var rowsHash: UInt64
    }

    private struct Rows: Codable, Sendable {
        var digests: TableDigests
        var committing: TableDigests?
    }

    private static let name = "push.digests"

    /// Nil while a command commits. Then the file matches either `digests` or `committing`.
    var stamp: FileStamp?
    /// SQLite's transaction counter of the file.
    var changeCounter: UInt32?
    var digests: TableDigests
    var committing: TableDigests?

    init(_ digests: TableDigests) {
        self.digests = digests
    }

    /// Nil if the file is missing or cannot be read.
    init?(in folder: OutputFolder) {
        guard let (head, rest) = OutputDigests.head(in: folder),
            let rows = try? JSONDecoder().decode(Rows.self, from: rest)
        else { return nil }
        stamp = head.stamp
        changeCounter = head.changeCounter
        digests = rows.digests
        committing = rows.committing
    }

    /// What the last command left, and in which tables and dates `found` differs from it. A killed command either has
    /// committed or has not; the nearer state is taken.
    func nearest(to found: TableDigests) -> (digests: TableDigests, differences: [String: Set<String>]) {
        let candidates = [committing].compactMap { $0 }.map { ($0, found.differences(from: $0)) }
        return candidates.reduce((digests, found.differences(from: digests))) { $1.1.count < $0.1.count ? $1 : $0 }
    }

    /// The stamp only, which is fast.
    static func stamp(in folder: OutputFolder) -> FileStamp? { head(in: folder)?.head.stamp }

    private static func head(in folder: OutputFolder) -> (head: Head, rows: Data)? {
        guard let bytes = folder.cached(name), let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: bytes[..<end]), head.schema == OutputSchema.version,
            head.rowsHash == WordHash.of([UInt8](bytes[(end + 1)...]).span)
        else { return nil }
        return (head, bytes[(end + 1)...])
    }

    /// The caller must hold the output's lock. If the file cannot be written, the old one is removed.
    func store(in folder: OutputFolder) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let rows = try? encoder.encode(Rows(digests: digests, committing: committing)) else { return }
        let head = Head(
            schema: OutputSchema.version, stamp: stamp, changeCounter: changeCounter,
            rowsHash: WordHash.of([UInt8](rows).span))
        guard let line = try? encoder.encode(head) else { return }
        if !folder.cache([UInt8](line) + [UInt8(ascii: "\n")] + [UInt8](rows), as: OutputDigests.name) {
            folder.removeCached(ending: OutputDigests.name, besides: [])
        }
    }
}
