/// A rejected record.
package struct Reject: Equatable, Sendable {
    package var source: String
    package var path: String
    /// 1-based, in the unpacked file.
    package var line: Int
    package var reason: String
    /// Why a line does not fit its layout; empty where the reason says all. It holds no value from the log.
    package var detail: String
    /// At most 200 bytes, personal values masked.
    package var sample: String

    package init(source: String, path: String, line: Int, reason: String, detail: String, sample: String) {
        self.source = source
        self.path = path
        self.line = line
        self.reason = reason
        self.detail = detail
        self.sample = sample
    }
}
