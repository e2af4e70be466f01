/// What in a line suggests a hit or a payload, whatever the layout of the line. It is a sign, and no proof.
///
/// - Of a collector it is an `id` of three parts: `id=h1685a5,d57fd6,7`. The commas may be percent-encoded, once or twice.
/// - Of mzip, a form with a field `mzip`, or its bare value.
/// - Of users_track, a JSON key `events`, perhaps with its quotes escaped.
extension RecordFormat {
    /// Whether a line suggests a record of this format.
    package func hasSign(in line: Span<UInt8>) -> Bool {
        switch self {
        case .collector: RecordFormat.nextID(line, from: 0) != nil
        case .mzip: line.contains(RecordFormat.mzipField) || line.contains(RecordFormat.mzipKey)
        case .usersTrack: line.contains(RecordFormat.events)
        }
    }

    /// Whether a line suggests more than one record of this format: a second field `mzip`, or a second request with a sign,
    /// which for a collector is another `id`.
    package func hasSeveralSigns(in line: Span<UInt8>) -> Bool {
        var first: Range<Int>?
        var last = 0
        while let sign = nextSign(in: line, from: last) {
            guard let known = first else {
                (first, last) = (sign, sign.upperBound)
                continue
            }
            let isSame =
                self == .collector && sign.count == known.count
                && line.holds(line.extracting(known), at: sign.lowerBound)
            let isRequest = RecordFormat.methods.contains { method in
                line.firstIndex(of: method, from: last, to: sign.lowerBound) != nil
            }
            if !isSame, isRequest || self == .mzip { return true }
            last = sign.upperBound
        }
        return false
    }

    private func nextSign(in line: Span<UInt8>, from start: Int) -> Range<Int>? {
        if self == .collector { return RecordFormat.nextID(line, from: start) }
        let sign = self == .mzip ? RecordFormat.mzipField : RecordFormat.events
        return line.firstIndex(of: sign, from: start, to: line.count).map { $0..<$0 + sign.count }
    }

    private static let methods = [ascii("GET"), ascii("POST")]
    private static let mzipField = ascii("mzip=")
    private static let mzipKey = ascii("log_content%22")
    private static let events = ascii("events")
    private static let id = ascii("id=")

    /// The most bytes of an `id`.
    private static let idLength = 600

    /// The range of the next `id` of at least three parts.
    private static func nextID(_ line: Span<UInt8>, from start: Int) -> Range<Int>? {
        var from = start
        while let found = line.firstIndex(of: id, from: from, to: line.count) {
            from = found + id.count
            guard isID(line, from: from) else { continue }
            var end = from
            while end < line.count, line[end] > 0x20, !afterID.contains(line[end]) { end += 1 }
            return from..<end
        }
        return nil
    }

    private static let afterID = ascii("\"&\\")

    /// Whether a text of at least three parts is at `start`.
    private static func isID(_ line: Span<UInt8>, from start: Int) -> Bool {
        guard start < line.count, line[start].isLetter || line[start].isDigit else { return false }
        var commas = 0
        for index in start..<min(start + idLength, line.count) {
            switch line[index] {
            case UInt8(ascii: ","): commas += 1
            case UInt8(ascii: "2"):
                // `%2C` or `%252C`
                let isComma = index + 1 < line.count && line[index + 1] | 0x20 == UInt8(ascii: "c")
                let isEscaped = line[index - 1] == UInt8(ascii: "%") || line.holds(escapedPercent, at: index - 3)
                if isComma, isEscaped { commas += 1 }
            case 0x20, 0x09, UInt8(ascii: "\""), UInt8(ascii: "&"): return false
            default: break
            }
            if commas == 2 { return true }
        }
        return false
    }

    private static let escapedPercent = ascii("%25")
}

extension Span<UInt8> {
    fileprivate func contains(_ text: [UInt8]) -> Bool { firstIndex(of: text, from: 0, to: count) != nil }
}
