import Messages
import SQLite

package struct Reject: Codable, Equatable, Sendable {
    package var source: String
    package var path: String
    /// The line number in the decompressed file, from 1.
    package var line: Int
    package var reason: String
    /// Why a line does not match its layout; empty if `reason` is enough. Contains no value from the log.
    package var detail: String
    /// The line, at most 200 bytes, with personal values masked.
    package var sample: String

    package init(source: String, path: String, line: Int, reason: String, detail: String, sample: String) {
        self.source = source
        self.path = path
        self.line = line
        self.reason = reason
        self.detail = detail
        self.sample = sample
    }

    /// `logs/a.log:95: bad_time: ***`
    package var text: MessageText {
        "\(path: path):\(line): \(reason): \(detail.isEmpty ? "" : "\(detail): ")\(sample)"
    }
}

extension Reject {
    package var values: [DatabaseValue] {
        .of(source, path, line, reason, detail, sample)
    }
}
