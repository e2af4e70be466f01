/// Reads the layout `json`: one JSON object per line, as nginx writes it with `escape=json`.
///
///     {"time_local":"19/Nov/2026:10:00:00 +0100","request":"GET /r/?id=… HTTP/1.1","status":200,"http_user_agent":"…"}
struct JSONLayout {
    private enum Key: Int, CaseIterable {
        case timeLocal, timeISO8601, msec, time, request, requestMethod, requestURI, status, userAgent, requestBody

        var name: String {
            switch self {
            case .timeLocal: "time_local"
            case .timeISO8601: "time_iso8601"
            case .msec: "msec"
            case .time: "time"
            case .request: "request"
            case .requestMethod: "request_method"
            case .requestURI: "request_uri"
            case .status: "status"
            case .userAgent: "http_user_agent"
            case .requestBody: "request_body"
            }
        }
    }

    private var scanner: JSONScanner

    init() {
        // nginx copies bytes from 0x80 unchanged. Only the payload must be valid UTF-8.
        scanner = JSONScanner(capturing: Key.allCases.map { [$0.name] }, checksUTF8: false)
    }

    /// Fills `fields`.
    mutating func read(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        fields.removeAll()
        guard scanner.scanDocument(line) else {
            throw Misfit(scanner.fault.expected, at: min(scanner.faultOffset, line.count))
        }
        guard scanner.root.kind == .object else {
            throw Misfit("'{'", at: scanner.skipWhiteSpace(line, at: 0))
        }
        fields.request = string(.request, line, &fields)
        fields.method = string(.requestMethod, line, &fields)
        fields.uri = string(.requestURI, line, &fields)
        fields.userAgent = string(.userAgent, line, &fields)
        fields.body = string(.requestBody, line, &fields)
        fields.bodyInLine = scanner.value(Key.requestBody.rawValue).range
        fields.status = text(.status, line, &fields)
        if let status = fields.status, !HTTPStatus.fits(fields.bytes.span, status) {
            throw HTTPStatus.misfit(line, scanner.value(Key.status.rawValue).range)
        }
        for (key, form) in Self.times {
            guard let time = text(key, line, &fields), !time.isEmpty else { continue }
            fields.time = time
            fields.timeForm = form
            fields.timeInLine = scanner.value(key.rawValue).range
            break
        }
    }

    private static let times: [(Key, ReceiptClock.Form)] = [
        (.timeLocal, .timeLocal), (.timeISO8601, .iso8601), (.msec, .msec), (.time, .any),
    ]

    private func string(_ key: Key, _ line: Span<UInt8>, _ fields: inout LogFields) -> Range<Int>? {
        let value = scanner.value(key.rawValue)
        return value.isString ? fields.unescapeJSON(line, value.range) : nil
    }

    /// The text of a string or a number; nil if the value is missing or null. Other values give a text that is invalid
    /// everywhere.
    private func text(_ key: Key, _ line: Span<UInt8>, _ fields: inout LogFields) -> Range<Int>? {
        let value = scanner.value(key.rawValue)
        return value.isAbsent ? nil : fields.unescapeJSON(line, value.range)
    }
}
