/// A line that a server writes to standard error, and not to its access log.
///
///     2026/11/19 10:00:00 [error] 7#7: *1 open() "/usr/share/nginx/html/r" failed (2: No such file or directory)
package enum ServerMessage {
    /// As nginx writes its levels.
    private static let levels = ["[error]", "[warn]", "[notice]", "[crit]", "[alert]", "[emerg]"]
        .map { (text: $0, bytes: ascii($0)) }

    /// The level, as it stands in the line; nil if there is none.
    package static func level(in line: Span<UInt8>) -> String? {
        levels.first { line.firstIndex(of: $0.bytes, from: 0, to: line.count) != nil }?.text
    }
}
