/// The fields of one log line: ranges of their unescaped bytes. Every layout fills this type, and the rules read it. It
/// is reused for every line.
struct LogFields {
    /// The unescaped bytes of all fields.
    private(set) var bytes: [UInt8] = []
    var time: Range<Int>?
    var timeForm = ReceiptClock.Form.any
    // The byte ranges of the time and the body in the line itself, for messages.
    var timeInLine = 0..<0
    var bodyInLine = 0..<0
    var request: Range<Int>?
    var method: Range<Int>?
    var uri: Range<Int>?
    var status: Range<Int>?
    var userAgent: Range<Int>?
    var body: Range<Int>?

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        time = nil
        request = nil
        method = nil
        uri = nil
        status = nil
        userAgent = nil
        body = nil
    }

    /// Adds a field with escapes of nginx or Apache, and returns its range in `bytes`.
    mutating func unescape(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let start = bytes.count
        LogEscapes.append(line, range, to: &bytes)
        return start..<bytes.count
    }

    /// Sets the time, unless it is empty or there is a time already.
    mutating func keepTime(_ form: ReceiptClock.Form, _ line: Span<UInt8>, _ range: Range<Int>) {
        guard time == nil, !range.isEmpty else { return }
        time = unescape(line, range)
        timeForm = form
        timeInLine = range
    }

    /// Sets the status. Throws if it is invalid.
    mutating func keepStatus(_ line: Span<UInt8>, _ range: Range<Int>) throws(Misfit) {
        let status = unescape(line, range)
        guard HTTPStatus.fits(bytes.span, status) else { throw HTTPStatus.misfit(line, range) }
        self.status = status
    }

    /// Adds a JSON string, whose bytes between the quotes are in `range`. Returns its range in `bytes`.
    mutating func unescapeJSON(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let start = bytes.count
        JSONText.append(line, range, to: &bytes)
        return start..<bytes.count
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
