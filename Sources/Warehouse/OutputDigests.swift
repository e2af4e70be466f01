import Events
import Foundation

/// What push.db was when the last command left it: the stamp of its file, and digests of its rows.
///
/// It lies in `partitions/.kept/push.digests`, the hash of a JSON object in hexadecimal digits and the object:
///
///     9ad1f04c2b77e310
///     {"changeCounter":7,"digests":{"days":{"":1234},"daily_actions":{"2026-11-19":5678}},"schema":2,"stamp":{…}}
///
/// Without it push.db is compared with the partitions.
struct OutputDigests: Codable, Sendable {
    private static let name = "push.digests"

    /// That of push.db; other versions have other tables.
    private let schema: Int
    /// Nil while a command commits: then the file is as `digests` or as `committing` says.
    var stamp: DatabaseStamp?
    /// SQLite's count of the file's transactions.
    var changeCounter: UInt32?
    var digests: TableDigests
    var committing: TableDigests?

    init(_ digests: TableDigests) {
        schema = OutputSchema.version
        self.digests = digests
    }

    /// Nil if there is nothing, or nothing that can be read.
    init?(in folder: OutputFolder) {
        guard let bytes = folder.kept(OutputDigests.name).map([UInt8].init), bytes.count > 17,
            String(decoding: bytes[..<16], as: UTF8.self) == OutputDigests.hash(Array(bytes[17...])),
            let value = try? JSONDecoder().decode(OutputDigests.self, from: Data(bytes[17...])),
            value.schema == OutputSchema.version
        else { return nil }
        self = value
    }

    /// Only for who holds the output. Where it cannot be written there is nothing rather than what was before.
    func keep(in folder: OutputFolder) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let object = try? encoder.encode(self) else { return }
        let bytes = [UInt8](object)
        if !folder.keep(Array((OutputDigests.hash(bytes) + "\n").utf8) + bytes, as: OutputDigests.name) {
            folder.removeKept(ending: OutputDigests.name, besides: [])
        }
    }

    private static func hash(_ bytes: [UInt8]) -> String {
        let digits = String(WordHash.of(bytes.span), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
