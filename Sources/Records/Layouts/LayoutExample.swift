import Calendar

/// A line that a layout could have written. It shows whether the layouts of a source get into each other's way.
package struct LayoutExample {
    private let line: [UInt8]
    private let values: Values

    /// Nil for a layout that never stands beside another one that could read its lines.
    package init?(of layout: Layout) {
        guard let line = LayoutExample.line(layout), let values = Values(of: line, layout: layout) else { return nil }
        self.line = line
        self.values = values
    }

    /// Whether it begins like a JSON object.
    package var beginsLikeObject: Bool { line.first == UInt8(ascii: "{") }

    /// Whether another layout fits it as well, and reads other values from it.
    package func isMisread(by other: Layout) -> Bool {
        Values(of: line, layout: other).map { $0 != values } ?? false
    }

    private static func line(_ layout: Layout) -> [UInt8]? {
        switch layout {
        case .combined:
            ascii("203.0.113.7 - - [\(timeLocal)] \"\(request)\" 200 43 \"-\" \"\(userAgent)\"")
        case .alb:
            ascii(
                "https \(iso8601) app/push/50dc6c495c0c9188 203.0.113.7:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "
                    + "\"GET https://t.example.com:443\(uri) HTTP/1.1\" \"\(userAgent)\" - -")
        case .nginx(let format), .apache(let format): format.example
        case .json, .w3c, .cloudFront, .body, .csv: nil
        }
    }

    fileprivate static let timeLocal = "19/Nov/2026:10:00:00 +0000"
    fileprivate static let iso8601 = "2026-11-19T10:00:00+00:00"
    fileprivate static let path = "/r/"
    fileprivate static let query = "?id=h1685a5,d57fd6,7"
    fileprivate static let uri = path + query
    fileprivate static let request = "GET \(uri) HTTP/1.1"
    fileprivate static let userAgent = "Mozilla/5.0 (Linux; Android 14)"

    /// What stands in a line for a variable or a directive that is not read.
    fileprivate static func skipped(_ name: String) -> String {
        let words: [(names: [String], value: String)] = [
            (["addr", "%h", "%a"], "203.0.113.7"), (["host", "server", "%v", "%V"], "t.example.com"),
            (["bytes", "length", "%b", "%B", "%I", "%O"], "43"), (["time", "%D", "%T"], "0.004"),
            (["port", "%p"], "443"), (["scheme"], "https"), (["protocol", "%H"], "HTTP/1.1"),
        ]
        return words.first { $0.names.contains { name.contains($0) } }?.value ?? "-"
    }
}

extension LineFormat {
    fileprivate var example: [UInt8] {
        pieces.reduce(into: opening) { line, piece in
            line += ascii(piece.value.map { text(of: $0) } ?? piece.names.map { LayoutExample.skipped($0) }.joined())
            line += piece.literal
        }
    }

    private func text(of value: Value) -> String {
        switch value {
        case .time(.timeLocal): LayoutExample.timeLocal
        case .time(.msec): "1795082400.000"
        case .time: LayoutExample.iso8601
        case .formattedTime(let format): format.example
        case .field(.request): LayoutExample.request
        case .field(.method): "GET"
        case .field(.url): LayoutExample.uri
        case .field(.path): LayoutExample.path
        case .field(.query): LayoutExample.query
        case .field(.status): "200"
        case .field(.userAgent): LayoutExample.userAgent
        case .field(.requestBody): "mzip=1"
        case .field(.time), .field(.date): ""
        }
    }
}

/// What matters of a line.
private struct Values: Equatable {
    private let request: [[UInt8]]
    private let status: [UInt8]?
    private let userAgent: [UInt8]?
    private let body: [UInt8]?
    private let time: Int64?

    /// Nil if the line does not fit the layout.
    init?(of line: [UInt8], layout: Layout) {
        var reader = LayoutReader(layout)
        var fields = LogFields()
        do throws(Misfit) {
            try reader.read(line.span, into: &fields)
        } catch {
            return nil
        }
        func bytes(_ range: Range<Int>?) -> [UInt8]? { range.map { Array(fields.bytes[$0]) } }
        request = [fields.requestParts?.method, fields.requestParts?.uri].compactMap(bytes)
        status = bytes(fields[.status])
        userAgent = bytes(fields[.userAgent])
        body = bytes(fields[.requestBody])
        var clock = ReceiptClock(.utc)
        time = fields.time(&clock)
    }
}
