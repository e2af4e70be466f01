/// The fields of one log line: ranges of their unescaped bytes. Every layout fills this type, and the rules read it. It
/// is reused for every line.
struct LogFields {
    typealias Field = JSONFields.Field

    /// The unescaped bytes of all fields. If nothing in the line is escaped, the line itself is at the beginning, so
    /// that its fields have the same ranges here.
    private(set) var bytes: [UInt8] = []
    private var holdsLine: Bool { lineLength > 0 }
    /// The length of the line at the beginning of `bytes`.
    private var lineLength = 0
    /// The range of each field in `bytes`. Where the line has path and query apart, `joinURI` makes the URL from them.
    private var ranges = InlineArray<10, Range<Int>?>(repeating: nil)
    /// The time of day, where the line has it apart from the date. `joinTime` makes the time from them.
    var timeOfDay: Range<Int>?
    var timeForm = ReceiptClock.Form.any
    // The byte ranges of the time and the body in the line itself, for messages.
    var timeInLine = 0..<0
    var bodyInLine = 0..<0
    /// Ranges of the line itself that no value is read from, or that go on to its end, as far as a request may be
    /// there.
    private(set) var loose: [Range<Int>] = []
    /// The time, if a format of the pipeline file gives it, or why the line has none.
    private(set) var formattedTime: Result<CivilTime, TimeFault>?
    /// Whether that time is the last one of the line so far, so that a fraction after it is its own.
    private var takesFraction = false
    /// The format of the time, for messages, if it is not that of `timeForm`.
    private(set) var timeFormat: String?

    subscript(field: Field) -> Range<Int>? {
        @inline(__always) get { ranges[field.rawValue] }
        @inline(__always) set {
            assert((newValue?.upperBound ?? 0) <= bytes.count)
            ranges[field.rawValue] = newValue
        }
    }

    /// Begins a line.
    /// - Parameter isVerbatim: whether the layout has no escapes.
    mutating func begin(_ line: Span<UInt8>, isVerbatim: Bool = false) {
        bytes.removeAll(keepingCapacity: true)
        let isPlain = isVerbatim || line.firstIndex(of: UInt8(ascii: "\\"), from: 0) == nil
        lineLength = isPlain ? line.count : 0
        bytes.append(line, in: 0..<lineLength)
        ranges = InlineArray(repeating: nil)
        timeOfDay = nil
        formattedTime = nil
        timeFormat = nil
        takesFraction = false
        loose.removeAll(keepingCapacity: true)
    }

    /// Notes text of the line in which another line may have been joined to this one.
    @inline(__always)
    mutating func leaveLoose(_ line: Span<UInt8>, in range: Range<Int>) {
        // `GET /r?id` is the shortest request of a hit.
        guard range.count >= 9 else { return }
        if line.firstIndex(of: LogFields.afterMethod, from: range.lowerBound, to: range.upperBound) != nil {
            loose.append(range)
        }
    }

    /// The end of `GET ` and `POST `.
    private static let afterMethod = ascii("T ")

    /// Adds a field with escapes of nginx or Apache, and returns its range in `bytes`.
    mutating func unescape(_ line: Span<UInt8>, in range: Range<Int>) -> Range<Int> {
        if holdsLine { return range }
        let start = bytes.count
        LogEscapes.append(line, in: range, to: &bytes)
        return start..<bytes.count
    }

    /// Sets the time, unless it is empty or there is a time already.
    mutating func keepTime(_ form: ReceiptClock.Form, of line: Span<UInt8>, in range: Range<Int>) {
        guard self[.time] == nil, formattedTime == nil, !range.isEmpty else { return }
        self[.time] = unescape(line, in: range)
        timeForm = form
        timeInLine = range
    }

    /// Sets a time of a format, unless it is empty or there is a time already.
    mutating func keepTime(_ time: Result<CivilTime, TimeFault>, format: String, in range: Range<Int>) {
        takesFraction = self[.time] == nil && formattedTime == nil && !range.isEmpty
        guard takesFraction else { return }
        formattedTime = time
        timeFormat = format
        timeInLine = range
    }

    /// Adds a fraction of a second to the time before it, if that is the line's.
    mutating func keepFraction(_ fraction: Result<CivilTime, TimeFault>, format: String, in range: Range<Int>) {
        guard takesFraction, case .success(var time) = formattedTime else { return }
        switch fraction {
        case .success(let fraction):
            time.milliseconds = fraction.milliseconds
            formattedTime = .success(time)
        case .failure: (formattedTime, timeFormat, timeInLine) = (fraction, format, range)
        }
    }

    /// The time in milliseconds since 1970-01-01T00:00:00Z; nil if the line has none that can be read.
    func time(_ clock: inout ReceiptClock) -> Int64? {
        if let time = self[.time] { return clock.time(bytes.span, in: time, as: timeForm) }
        return (try? formattedTime?.get()).map { clock.instant($0) }
    }

    /// Why the time of a line cannot be read; nil if the line has none.
    func timeFault(of line: Span<UInt8>, clock: ReceiptClock) -> TimeFault? {
        var clock = clock
        do throws(TimeFault) {
            _ = try formattedTime?.get()
            guard let time = self[.time] else { return nil }
            if timeFormat == nil {
                _ = try clock.parse(line, in: timeInLine, as: timeForm)
            } else {
                _ = try clock.parse(bytes.span, in: time, as: timeForm)
            }
            return nil
        } catch {
            // A date and a time of day that were joined are not at these offsets in the line.
            guard timeFormat != nil, let time = self[.time], case .shape(let offset) = error else { return error }
            return offset - time.lowerBound < 11 ? .noSuchDate : .noSuchTimeOfDay
        }
    }

    /// Makes the time from the date and the time of day.
    mutating func joinTime(isUTC: Bool) {
        guard let date = self[.date], let timeOfDay, !isMissing(date), !isMissing(timeOfDay) else { return }
        var joined = join(date, by: UInt8(ascii: "T"), to: timeOfDay)
        if isUTC { joined = join(joined, by: UInt8(ascii: "Z"), to: joined.upperBound + 1..<joined.upperBound + 1) }
        self[.time] = joined
        timeForm = .iso8601
        timeFormat = "a date, yyyy-mm-dd, and a time, HH:MM:SS"
    }

    /// Two fields with a byte between them. Where only a separator of the line is between them, that becomes the byte.
    private mutating func join(_ first: Range<Int>, by mark: UInt8?, to second: Range<Int>) -> Range<Int> {
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

    /// Makes the URL from path and query, unless there is one.
    mutating func joinURI(_ mark: QueryMark) {
        guard self[.url] == nil, let path = self[.path] else { return }
        guard let query = self[.query], !query.isEmpty else {
            self[.url] = path
            return
        }
        let isMarked = bytes[query.lowerBound] == UInt8(ascii: "?")
        let needsMark = mark == .missing || mark == .unknown && !isMarked
        self[.url] = join(path, by: needsMark ? UInt8(ascii: "?") : nil, to: query)
    }

    /// Appends bytes of a field again. A slice of `bytes` would make the array copy itself.
    private mutating func append(_ field: Range<Int>) {
        for index in field { bytes.append(bytes[index]) }
    }

    /// Percent-decodes a field. A `+` and an invalid escape stay.
    mutating func percentDecode(_ field: Field) {
        if let range = self[field] { self[field] = PercentCoding.decodeQuery(&bytes, in: range) }
    }

    /// Empties a field that is `-`.
    mutating func dropHyphen(_ field: Field) {
        if let range = self[field], isMissing(range) { self[field] = range.lowerBound..<range.lowerBound }
    }

    /// Replaces each `+` in a field by a space.
    mutating func withSpaces(_ field: Range<Int>) -> Range<Int> {
        for index in field where bytes[index] == UInt8(ascii: "+") { bytes[index] = 0x20 }
        return field
    }

    /// Adds a field in which two quotes stand for one, and returns its range in `bytes`.
    mutating func halveQuotes(_ line: Span<UInt8>, in range: Range<Int>) -> Range<Int> {
        let start = bytes.count
        var from = range.lowerBound
        while let quote = line.firstIndex(of: UInt8(ascii: "\""), from: from, to: range.upperBound) {
            bytes.append(line, in: from..<quote + 1)
            from = quote + 2
        }
        bytes.append(line, in: min(from, range.upperBound)..<range.upperBound)
        return start..<bytes.count
    }

    /// Sets the status. Throws if it is invalid.
    mutating func keepStatus(_ line: Span<UInt8>, in range: Range<Int>) throws(Misfit) {
        let status = unescape(line, in: range)
        guard HTTPStatus.fits(bytes.span, in: status) else { throw HTTPStatus.misfit(of: line, in: range) }
        self[.status] = status
    }

    /// Adds a JSON string, whose bytes between the quotes are in `range`. Returns its range in `bytes`.
    mutating func unescapeJSON(_ line: Span<UInt8>, in range: Range<Int>) -> Range<Int> {
        if holdsLine { return range }
        let start = bytes.count
        JSONText.append(line, in: range, to: &bytes)
        return start..<bytes.count
    }

    /// Sets method and URL from a request: what its first and its last space enclose, spaces included, is the URL.
    mutating func split(request: Range<Int>) {
        let end = request.upperBound
        let first = bytes.span.firstIndex(of: 0x20, from: request.lowerBound, to: end) ?? end
        let last = request.last { bytes[$0] == 0x20 } ?? end
        self[.method] = request.lowerBound..<first
        self[.url] = min(first + 1, end)..<(last > first ? last : end)
    }

    /// The method and the URI of the request; nil if the line has no request. In `GET /r/?id=… HTTP/1.1` they end at
    /// the first and the second space.
    var requestParts: (method: Range<Int>, uri: Range<Int>)? {
        guard let request = self[.request] else {
            guard let method = self[.method], let uri = self[.url] else { return nil }
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
