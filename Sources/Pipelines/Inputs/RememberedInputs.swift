import Calendar
import Foundation
import Posix
import Warehouse

/// The stamps of a partition's log files when they were read. A file with the same stamp has the same bytes, so it need not
/// be read again to compare it.
///
/// It is a file of its own, `partitions/.kept/2026-11-19.inputs`, so that partitions depend on the files' bytes alone:
///
///     {"files":[{"path":"../logs/a.log.gz","source":"adobe","stamp":{"bytes":172,"changed":1795046400000000000,
///     "inode":42,"modified":1795046400000000000}}],"version":"0f…"}
///
/// It is a cache: losing it only costs time, errors of writing are ignored, and a file that cannot be read is ignored.
struct RememberedInputs: Codable, Equatable, Sendable {
    struct File: Codable, Hashable, Sendable {
        let source: String
        let path: String
        let stamp: FileStamp
    }

    /// The version of the partition that the stamps belong to.
    let version: String
    let files: [File]
}

extension RememberedInputs {
    /// Nil if there is no such file, or it cannot be read.
    init?(_ date: LogDate, in output: OutputFolder) {
        guard let data = output.cached(RememberedInputs.name(date)),
            let value = try? JSONDecoder().decode(RememberedInputs.self, from: data)
        else { return nil }
        self = value
    }

    /// Writes the file, unless it has the same content already. Only for the holder of the output's lock.
    func write(_ date: LogDate, in output: OutputFolder) {
        guard let data = try? encoded(), data != output.cached(RememberedInputs.name(date)) else { return }
        output.cache([UInt8](data), as: RememberedInputs.name(date))
    }

    /// Encodes one file at a time, since the encoder takes many times the memory of its output.
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
