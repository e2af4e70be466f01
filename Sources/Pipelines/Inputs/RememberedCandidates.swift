import Calendar
import Foundation
import Posix
import Warehouse

/// What was found out about a log date's files that may be files of its last load under another name. A file with the same
/// stamp has the same bytes, so it need not be read and unpacked again.
///
/// It is the file `partitions/.kept/2026-11-19.candidates`:
///
///     {"files":[{"facts":{"outline":{…},"reading":{…}},"path":"../logs/a.log.1.gz","source":"adobe","stamp":{…}}]}
///
/// It is a cache: losing it only costs time, errors of writing are ignored, and a file that cannot be read is ignored.
struct RememberedCandidates: Codable, Equatable, Sendable {
    struct File: Codable, Equatable, Sendable {
        let source: String
        let path: String
        let stamp: FileStamp
        let facts: CandidateFacts
    }

    let files: [File]
}

extension RememberedCandidates {
    /// Nil if there is no such file, or it cannot be read.
    init?(_ date: LogDate, in output: OutputFolder) {
        guard let data = output.cached(RememberedCandidates.name(date)),
            let value = try? JSONDecoder().decode(RememberedCandidates.self, from: data)
        else { return nil }
        self = value
    }

    /// Writes the file, unless it has the same content already. Only for the holder of the output's lock.
    func write(_ date: LogDate, in output: OutputFolder) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self), data != output.cached(RememberedCandidates.name(date)) else {
            return
        }
        output.cache([UInt8](data), as: RememberedCandidates.name(date))
    }

    /// Removes the file, since the date is loaded. Only for the holder of the output's lock.
    static func remove(_ date: LogDate, in output: OutputFolder) {
        output.removeCached(name(date))
    }

    private static func name(_ date: LogDate) -> String { "\(date).candidates" }
}
