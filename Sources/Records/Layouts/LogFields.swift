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

/// The escapes of log files: `\xHH` in either case (nginx, Apache), `\"`, `\\` and `\b \n \r \t \v` (Apache). Anything
/// else stays as it is: `{\x22t\x22:\x22\x5Cx22\x22}` is `{"t":"\x22"}`.
enum LogEscapes {
    static func append(_ line: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        var from = range.lowerBound
        while let escape = line.firstIndex(of: UInt8(ascii: "\\"), from: from, to: range.upperBound) {
            output.append(line, from..<escape)
            from = escape + 1
            guard from < range.upperBound else {
                output.append(line[escape])
                break
            }
            switch line[from] {
            case UInt8(ascii: "x"):
                if from + 2 < range.upperBound, let high = line[from + 1].hexValue, let low = line[from + 2].hexValue {
                    output.append(high << 4 | low)
                    from += 3
                } else {
                    output.append(line[escape])
                }
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(line[from])
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "v"): output.append(0x0B)
            default:
                output.append(line[escape])
                continue
            }
            from += 1
        }
        output.append(line, from..<range.upperBound)
    }

    /// The quote that ends a value which begins at `start`; one behind a backslash belongs to the value.
    static func closingQuote(_ line: Span<UInt8>, from start: Int) -> Int? {
        var from = start
        while let quote = line.firstIndex(of: UInt8(ascii: "\""), from: from) {
            var backslashes = 0
            while quote - 1 - backslashes >= start, line[quote - 1 - backslashes] == UInt8(ascii: "\\") {
                backslashes += 1
            }
            if backslashes % 2 == 0 { return quote }
            from = quote + 1
        }
        return nil
    }
}
