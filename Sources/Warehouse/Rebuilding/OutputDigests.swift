import Events
import Foundation
import Hashing
import Posix

/// The state of push.db when the last command left it: its stamp, and digests of its rows.
///
/// Stored in `partitions/.kept/push.digests` as two JSON objects, one per line:
///
///     {"columns":7311,"rowsHash":1130943,"schema":4,"stamp":{…}}
///     {"digests":{"days":{"":1234},"daily_actions":{"2026-11-19":5678}}}
///
/// If it is missing, push.db is compared with the partitions.
struct OutputDigests: Sendable {
    private struct Head: Codable, Sendable {
        /// The schema version of push.db. Other versions have other tables.
        let schema: Int
        /// The hash of the tables' definitions. An earlier program of the same schema version may have others.
        let columns: UInt64?
        var stamp: OutputStamp?
        /// The hash of the second line.
        var rowsHash: UInt64
    }

    private struct Rows: Codable, Sendable {
        var digests: TableDigests
        var committing: TableDigests?
    }

    private static let name = "push.digests"

    /// Nil while a command commits. Then the file matches either `digests` or `committing`.
    var stamp: OutputStamp?
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
        digests = rows.digests
        committing = rows.committing
    }

    /// In which tables and dates `found` differs from what the last command left. A killed command either has committed or
    /// has not; the nearer state is taken.
    func differences(from found: TableDigests) -> [String: Set<String>] {
        let differences = found.differences(from: digests)
        guard let committing else { return differences }
        let others = found.differences(from: committing)
        return others.count < differences.count ? others : differences
    }

    /// The stamp only, which is fast.
    static func stamp(in folder: OutputFolder) -> OutputStamp? { head(in: folder)?.head.stamp }

    /// Whether a command has left a push.db here, of whatever version.
    static func exists(in folder: OutputFolder) -> Bool { folder.cached(name) != nil }

    /// Whether the last command had tables with other definitions: it was of another program.
    static func areOfOtherColumns(in folder: OutputFolder) -> Bool {
        anyHead(in: folder).map { $0.head.columns != OutputSchema.hash } ?? false
    }

    /// Whether a command has left a push.db with rows here, of whatever version. The first one may have been killed before.
    static func tellOfRows(in folder: OutputFolder) -> Bool {
        exists(in: folder) && OutputDigests(in: folder)?.digests.isEmpty != true
    }

    private static func head(in folder: OutputFolder) -> (head: Head, rows: Data)? {
        guard let (head, rows) = anyHead(in: folder), head.schema == OutputSchema.version,
            head.columns == OutputSchema.hash, head.rowsHash == WordHash.of([UInt8](rows).span)
        else { return nil }
        return (head, rows)
    }

    /// The same for the tables of any program.
    private static func anyHead(in folder: OutputFolder) -> (head: Head, rows: Data)? {
        guard let bytes = folder.cached(name), let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: bytes[..<end])
        else { return nil }
        return (head, bytes[(end + 1)...])
    }

    /// Stores the state durably, since it tells a power failure from a change by somebody else. If that is not possible, the
    /// former state is removed. The caller must hold the output's lock.
    /// - Throws: if the former state can neither be replaced nor removed.
    func store(in folder: OutputFolder) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let rows = try encoder.encode(Rows(digests: digests, committing: committing))
        let head = Head(
            schema: OutputSchema.version, columns: OutputSchema.hash, stamp: stamp,
            rowsHash: WordHash.of([UInt8](rows).span))
        let line = try encoder.encode(head)
        let bytes = [UInt8](line) + [UInt8(ascii: "\n")] + [UInt8](rows)
        if folder.cache(bytes, as: OutputDigests.name, durably: true) || !OutputDigests.exists(in: folder) { return }
        try reportingCalls { () throws(SystemError) in
            try WholeFile.remove("\(folder.cachePath)/\(OutputDigests.name)")
            try Folder.sync(folder.cachePath)
        }
    }
}
