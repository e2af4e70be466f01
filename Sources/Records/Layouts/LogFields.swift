/// The fields of one log line: ranges of their unescaped bytes. Every layout fills this type, and the rules read it. It
/// is reused for every line.
struct LogFields {
    /// The unescaped bytes of all fields. If nothing in the line is escaped, the line itself is at the beginning, so that
    /// its fields have the same ranges here.
    private(set) var bytes: [UInt8] = []
    private var holdsLine: Bool { lineLength > 0 }
    /// The length of the line at the beginning of `bytes`.
    private var lineLength = 0
    var time: Range<Int>?
    var timeForm = ReceiptClock.Form.any
    // The byte ranges of the time and the body in the line itself, for messages.
    var timeInLine = 0..<0
    var bodyInLine = 0..<0
    /// The parts of a time that the layout does not have in one place.
    private var timeParts = TimeParts()
    /// The format of the time, if the pipeline file gives it, and the offset at which the line differs from it.
    private(set) var timeFormat: (text: String, misfit: Int?)?
    var request: Range<Int>?
    var method: Range<Int>?
    var uri: Range<Int>?
    /// Path and query, where the line has them apart. `joinURI` makes the URI from them.
    var path: Range<Int>?
    var query: Range<Int>?
    /// The date and the time of day, where the line has them apart. `joinTime` makes the time from them.
    var date: Range<Int>?
    var timeOfDay: Range<Int>?
    var status: Range<Int>?
    var userAgent: Range<Int>?
    var body: Range<Int>?

    /// Begins a line.
    /// - Parameter isVerbatim: whether the layout has no escapes.
    mutating func begin(_ line: Span<UInt8>, isVerbatim: Bool = false) {
        bytes.removeAll(keepingCapacity: true)
        let isPlain = isVerbatim || line.firstIndex(of: UInt8(ascii: "\\"), from: 0) == nil
        lineLength = isPlain ? line.count : 0
        bytes.append(line, 0..<lineLength)
        time = nil
        request = nil
        method = nil
        uri = nil
        path = nil
        query = nil
        date = nil
        timeOfDay = nil
        timeParts = TimeParts()
        timeFormat = nil
        status = nil
        userAgent = nil
        body = nil
    }

    /// Adds a field with escapes of nginx or Apache, and returns its range in `bytes`.
    mutating func unescape(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        if holdsLine { return range }
        let start = bytes.count
        LogEscapes.append(line, range, to: &bytes)
        return start..<bytes.count
    }

    /// Sets the time, unless it is empty or there is a time already.
    mutating func keepTime(_ form: ReceiptClock.Form, _ line: Span<UInt8>, _ range: Range<Int>) {
        guard time == nil, timeParts.isEmpty, !range.isEmpty else { return }
        time = unescape(line, range)
        timeForm = form
        timeInLine = range
    }

    /// Reads a part of the time at `start`, unless there is a time already. Returns its end; nil if the text has another
    /// shape, so that there is no valid time.
    mutating func readTimePart(_ format: TimeFormat, _ line: Span<UInt8>, from start: Int) -> Int? {
        var parts = timeParts
        let (end, fits) = format.read(line, from: start, into: &parts)
        if time == nil, !fits || !parts.isEmpty {
            if timeParts.isEmpty { timeInLine = start..<end }
            if timeFormat == nil || !fits { timeFormat = (format.text, fits ? nil : end) }
            timeParts = parts
            timeParts.isValid = parts.isValid && fits
        }
        return fits ? end : nil
    }

    /// Makes the time from its parts.
    mutating func joinTime() {
        guard time == nil, !timeParts.isEmpty else { return }
        let start = bytes.count
        if let form = timeParts.append(to: &bytes) { timeForm = form }
        time = start..<bytes.count
    }

    /// Makes the time from the date and the time of day.
    mutating func joinTime(isUTC: Bool) {
        guard let date, let timeOfDay, !isMissing(date), !isMissing(timeOfDay) else { return }
        var joined = join(date, UInt8(ascii: "T"), timeOfDay)
        if isUTC { joined = join(joined, UInt8(ascii: "Z"), joined.upperBound + 1..<joined.upperBound + 1) }
        time = joined
        timeForm = .iso8601
        timeFormat = ("a date, yyyy-mm-dd, and a time, HH:MM:SS", nil)
    }

    /// Two fields with a byte between them. Where only a separator of the line is between them, that becomes the byte.
    private mutating func join(_ first: Range<Int>, _ mark: UInt8?, _ second: Range<Int>) -> Range<Int> {
        if let mark, first.upperBound + 1 == second.lowerBound, second.upperBound <= lineLength {
            bytes[first.upperBound] = mark
            return first.lowerBound..<second.upperBound
        }
        let start = bytes.count
        append(first)
        if let mark { bytes.append(mark) }
        if !second.isEmpty { append(second) }
        return start..<bytes.count
    }

    /// What stands between path and query.
    enum QueryMark {
        /// The query has its `?`, if it is not empty.
        case inQuery
        /// The query has none.
        case missing
        /// The query may have one.
        case unknown
    }

    /// Makes the URI from path and query, unless there is one.
    mutating func joinURI(_ mark: QueryMark) {
        guard uri == nil, let path else { return }
        guard let query, !query.isEmpty else {
            uri = path
            return
        }
        let isMarked = bytes[query.lowerBound] == UInt8(ascii: "?")
        let needsMark = mark == .missing || mark == .unknown && !isMarked
        uri = join(path, needsMark ? UInt8(ascii: "?") : nil, query)
    }

    /// Appends bytes of a field again. A slice of `bytes` would make the array copy itself.
    private mutating func append(_ field: Range<Int>) {
        for index in field { bytes.append(bytes[index]) }
    }

    /// Percent-decodes a field. A `+` and an invalid escape stay.
    mutating func percentDecoded(_ field: Range<Int>?) -> Range<Int>? {
        field.map { PercentCoding.decodeQuery(&bytes, $0) }
    }

    /// The field, or an empty one if it is `-`.
    func withoutHyphen(_ field: Range<Int>?) -> Range<Int>? {
        guard let field, isMissing(field) else { return field }
        return field.lowerBound..<field.lowerBound
    }

    /// Replaces each `+` in a field by a space.
    mutating func withSpaces(_ field: Range<Int>) -> Range<Int> {
        for index in field where bytes[index] == UInt8(ascii: "+") { bytes[index] = 0x20 }
        return field
    }

    /// Adds a field in which two quotes stand for one, and returns its range in `bytes`.
    mutating func halveQuotes(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let start = bytes.count
        var from = range.lowerBound
        while let quote = line.firstIndex(of: UInt8(ascii: "\""), from: from, to: range.upperBound) {
            bytes.append(line, from..<quote + 1)
            from = quote + 2
        }
        bytes.append(line, min(from, range.upperBound)..<range.upperBound)
        return start..<bytes.count
    }

    /// Sets the status. Throws if it is invalid.
    mutating func keepStatus(_ line: Span<UInt8>, _ range: Range<Int>) throws(Misfit) {
        let status = unescape(line, range)
        guard HTTPStatus.fits(bytes.span, status) else { throw HTTPStatus.misfit(line, range) }
        self.status = status
    }

    /// Adds a JSON string, whose bytes between the quotes are in `range`. Returns its range in `bytes`.
    mutating func unescapeJSON(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        if holdsLine { return range }
        let start = bytes.count
        JSONText.append(line, range, to: &bytes)
        return start..<bytes.count
    }

    /// Sets method and URI from a request: what its first and its last space enclose, spaces included, is the URI.
    mutating func split(request: Range<Int>) {
        let end = request.upperBound
        let first = bytes.span.firstIndex(of: 0x20, from: request.lowerBound, to: end) ?? end
        let last = request.last { bytes[$0] == 0x20 } ?? end
        method = request.lowerBound..<first
        uri = min(first + 1, end)..<(last > first ? last : end)
    }

    /// The method and the URI of the request; nil if the line has no request. In `GET /r/?id=… HTTP/1.1` they end at
    /// the first and the second space.
    var requestParts: (method: Range<Int>, uri: Range<Int>)? {
        guard let request else {
            guard let method, let uri else { return nil }
            return (method, uri)
        }
        let text = bytes.span
        let start = request.lowerBound
        let end = request.upperBound
        guard let space = text.firstIndex(of: 0x20, from: start, to: end) else { return (request, end..<end) }
        return (start..<space, space + 1..<(text.firstIndex(of: 0x20, from: space + 1, to: end) ?? end))
    }

    /// Whether a field is absent, empty or `-`.
    func isMissing(_ field: Range<Int>?) -> Bool {
        guard let field else { return true }
        return field.isEmpty || (field.count == 1 && bytes[field.lowerBound] == UInt8(ascii: "-"))
    }
}
