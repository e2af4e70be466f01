/// The fields of one log line, unescaped, one behind the other in `bytes`. The obvious way to read a line: every layout
/// ends here, and the rules start from here. It is used again for every line.
struct LogFields {
    private(set) var bytes: [UInt8] = []
    var time: Range<Int>?
    var timeForm = ReceiptClock.Form.any
    /// Where the time and the body lie in the line itself, for what is said of them.
    var timePlace = 0..<0
    var bodyPlace = 0..<0
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

    /// Keeps a field that was escaped as nginx and Apache do it, and says where it lies.
    mutating func unescape(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let start = bytes.count
        LogEscapes.append(line, range, to: &bytes)
        return start..<bytes.count
    }

    /// Keeps a time that is not empty, if it is the first.
    mutating func keepTime(_ form: ReceiptClock.Form, _ line: Span<UInt8>, _ range: Range<Int>) {
        guard time == nil, !range.isEmpty else { return }
        time = unescape(line, range)
        timeForm = form
        timePlace = range
    }

    mutating func keepStatus(_ line: Span<UInt8>, _ range: Range<Int>) throws(Misfit) {
        let status = unescape(line, range)
        guard HTTPStatus.fits(bytes.span, status) else { throw HTTPStatus.misfit(line, range) }
        self.status = status
    }

    /// Keeps the content of a JSON string.
    mutating func unescapeJSON(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let start = bytes.count
        JSONText.append(line, range, to: &bytes)
        return start..<bytes.count
    }

    /// Where the request's method and URI lie. `GET /r/?id=… HTTP/1.1` holds them up to the first and the second space;
    /// nil if the line has no request.
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

    /// A field that says that there is nothing to say.
    func isMissing(_ field: Range<Int>?) -> Bool {
        guard let field else { return true }
        return field.isEmpty || (field.count == 1 && bytes[field.lowerBound] == UInt8(ascii: "-"))
    }
}

extension LogFields: ReusableBuffer {}
