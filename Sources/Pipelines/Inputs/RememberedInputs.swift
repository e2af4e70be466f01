import Calendar
import Foundation
import LogFiles
import Posix
import Warehouse

/// What the system told of a partition's files when they were read: a file with the same stamp need not be read again
/// to know that it is the same.
///
/// It lies beside the partitions, in `.kept/2026-11-19.inputs`, so that these are a function of the files' bytes:
///
///     {"files":[{"path":"../logs/a.log.gz","source":"adobe","stamp":{"bytes":172,"changed":1795046400000000000,
///     "inode":42,"modified":1795046400000000000}}],"version":"0f…"}
///
/// Losing it costs time and nothing else; so writing it is no promise, and what cannot be read of it is forgotten.
struct RememberedInputs: Codable, Equatable, Sendable {
    struct File: Codable, Hashable, Sendable {
        let source: String
        let path: String
        let stamp: FileStamp
    }

    /// Of the partition: what is remembered of another one is of no use.
    let version: String
    let files: [File]

    init(version: String, files: [File]) {
        self.version = version
        self.files = files
    }

    /// Nil if there is nothing, or nothing that can be read.
    init?(_ date: LogDate, in output: OutputFolder) {
        guard let data = output.kept(RememberedInputs.name(date)),
            let value = try? JSONDecoder().decode(RememberedInputs.self, from: data)
        else { return nil }
        self = value
    }

    /// Only for who holds the output. The file is written aside, and not at all where it says the same.
    func write(_ date: LogDate, in output: OutputFolder) {
        guard let data = try? encoded(), data != output.kept(RememberedInputs.name(date)) else { return }
        output.keep([UInt8](data), as: RememberedInputs.name(date))
    }

    /// A file at a time: the encoder takes many times the room of what it writes.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = Data("{\"files\":[".utf8)
        for (index, file) in files.enumerated() {
            if index > 0 { data.append(UInt8(ascii: ",")) }
            data += try encoder.encode(file)
        }
        return try data + Data("],\"version\":".utf8) + encoder.encode(version) + Data("}".utf8)
    }

    private static func name(_ date: LogDate) -> String { "\(date).inputs" }
}
