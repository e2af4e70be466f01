/// Reads the objects of the JSON layouts.
///
///     {"time_local":"19/Nov/2026:10:00:00 +0100","request":"GET /r/?id=… HTTP/1.1","status":200,"http_user_agent":"…"}
struct JSONLayout {
    private typealias Field = JSONFields.Field

    private var scanner: JSONScanner
    /// Whether the scanner has the values of the object that is read next.
    private var isScanned = false
    /// By field, the index of its path among the captured paths; nil if it has none.
    private let indexes: [Int?]
    /// By field, whether `layout_fields` or the layout maps it.
    private let isMapped: [Bool]
    /// Whether an array at a mapped path stands for its first element.
    private let takesFirst: Bool
    /// The default keys of the time, in the order in which they count, by the index of their path.
    private let times: [(index: Int, form: ReceiptClock.Form)]
    /// Scans the elements of an array, which may have a name and a value. The empty path captures the element itself.
    private var element = JSONScanner(capturing: [["name"], ["value"], []], checksUTF8: false)
    /// The path of the array in which the user agent is one of several headers, by its index, and the user agent's
    /// name.
    private var headers: (index: Int, name: [UInt8])?

    static let defaultTimes: [(key: String, form: ReceiptClock.Form)] = [
        ("time_local", .timeLocal), ("time_iso8601", .iso8601), ("msec", .msec), ("time", .any),
    ]

    init(_ fields: JSONFields) {
        var paths: [[String]] = []
        indexes = Field.allCases.map { field in
            guard let path = fields.path(field) else { return nil }
            paths.append(path)
            return paths.count - 1
        }
        isMapped = Field.allCases.map { fields.isMapped($0) }
        takesFirst = fields.takesFirst
        if let path = fields.path(.userAgent), path.count > 1 {
            headers = (paths.count, ascii(path[path.count - 1].lowercased()))
            paths.append(path.dropLast())
        }
        if fields.isMapped(.time) {
            times = []
        } else {
            times = Self.defaultTimes.enumerated().map { (paths.count + $0, $1.form) }
            paths += Self.defaultTimes.map { [$0.key] }
        }
        // nginx copies bytes from 0x80 unchanged. Only the payload must be valid UTF-8.
        scanner = JSONScanner(capturing: paths, checksUTF8: false)
    }

    /// Scans the object at the front of a text, so that `read` need not do it again.
    mutating func scanFront(_ text: Span<UInt8>) -> JSONScanner.Front {
        let front = scanner.scanFront(text)
        if case .object = front { isScanned = true }
        return front
    }

    /// Fills `log` from the first object of a line.
    mutating func read(_ line: Span<UInt8>, into log: inout LogFields) throws(Misfit) {
        try readValues(line, into: &log)
        if log[.date] != nil { log.joinTime(isUTC: false) }
        log.joinURI(.unknown)
    }

    /// Fills `log`, with date and time, and path and query apart.
    mutating func readValues(_ line: Span<UInt8>, into log: inout LogFields) throws(Misfit) {
        if !isScanned {
            let start = scanner.skipWhiteSpace(line, at: 0)
            scanner.removeRows()
            let end = scanner.scanRow(line, at: start, depth: 1)
            let isOther = start < line.count && line[start] != UInt8(ascii: "{")
            guard !isOther || end < 0 && scanner.faultOffset == start else { throw Misfit("'{'", at: start) }
            guard end >= 0 else { throw Misfit(scanner.fault.rawValue, at: min(scanner.faultOffset, line.count)) }
        }
        isScanned = false
        log.begin(line)
        log[.request] = string(of: .request, in: line, into: &log)
        log[.method] = string(of: .method, in: line, into: &log)
        log[.url] = string(of: .url, in: line, into: &log)
        log[.path] = string(of: .path, in: line, into: &log)
        log[.query] = string(of: .query, in: line, into: &log)
        log[.userAgent] = string(of: .userAgent, in: line, into: &log) ?? header(of: line, into: &log)
        log[.requestBody] = string(of: .requestBody, in: line, into: &log)
        log.bodyInLine = value(of: .requestBody, in: line).range
        let status = value(of: .status, in: line)
        log[.status] = text(of: status, in: line, into: &log)
        if let text = log[.status], !HTTPStatus.fits(log.bytes.span, in: text) {
            throw HTTPStatus.misfit(of: line, in: status.range)
        }
        readTime(line, into: &log)
    }

    private mutating func readTime(_ line: Span<UInt8>, into log: inout LogFields) {
        if isMapped[Field.time.rawValue] {
            let time = value(of: .time, in: line)
            let text = text(of: time, in: line, into: &log)
            log.timeInLine = time.range
            if isMapped[Field.date.rawValue] {
                log.timeOfDay = text
                log[.date] = self.text(of: value(of: .date, in: line), in: line, into: &log)
            } else if let text, !text.isEmpty {
                log[.time] = text
                log.timeForm = .any
            }
            return
        }
        for (index, form) in times {
            let time = scanner.value(index)
            guard let text = text(of: time, in: line, into: &log), !text.isEmpty else { continue }
            log[.time] = text
            log.timeForm = form
            log.timeInLine = time.range
            return
        }
    }

    /// The user agent in an array of headers, each with a name and a value.
    private mutating func header(of line: Span<UInt8>, into log: inout LogFields) -> Range<Int>? {
        guard let headers, scanner.value(headers.index).kind == .array else { return nil }
        var start = scanner.value(headers.index).start
        repeat {
            start = element.skipWhiteSpace(line, at: start + 1)
            element.removeRows()
            guard line[start] != UInt8(ascii: "]") else { return nil }
            let end = element.scanRow(line, at: start, depth: 1)
            guard end >= 0 else { return nil }
            let name = element.value(0)
            let value = element.value(1)
            if name.isString, value.isString, line.equalsIgnoringCase(headers.name, in: name.range) {
                return log.unescapeJSON(line, in: value.range)
            }
            start = element.skipWhiteSpace(line, at: end)
        } while line[start] == UInt8(ascii: ",")
        return nil
    }

    /// The value of a field. Of an array at a mapped path, the first element.
    private mutating func value(of field: Field, in line: Span<UInt8>) -> JSONValue {
        guard let index = indexes[field.rawValue] else { return JSONValue() }
        var value = scanner.value(index)
        while value.kind == .array, isMapped[field.rawValue], takesFirst {
            let start = element.skipWhiteSpace(line, at: value.start + 1)
            element.removeRows()
            guard line[start] != UInt8(ascii: "]"), element.scanRow(line, at: start, depth: 1) >= 0 else {
                return JSONValue()
            }
            value = element.value(2)
        }
        return value
    }

    private mutating func string(of field: Field, in line: Span<UInt8>, into log: inout LogFields) -> Range<Int>? {
        let value = value(of: field, in: line)
        return value.isString ? log.unescapeJSON(line, in: value.range) : nil
    }

    /// The text of a string or a number; nil if the value is missing or null. Other values give a text that is invalid
    /// everywhere.
    private func text(of value: JSONValue, in line: Span<UInt8>, into log: inout LogFields) -> Range<Int>? {
        value.isAbsent ? nil : log.unescapeJSON(line, in: value.range)
    }
}
