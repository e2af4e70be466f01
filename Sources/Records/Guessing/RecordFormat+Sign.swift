/// What in a line suggests a hit or a payload, whatever the layout of the line. It is a sign, and no proof.
///
/// - Of a collector it is an `id` of three parts: `id=h1685a5,d57fd6,7`. The commas may be percent-encoded, once or
///   twice.
/// - Of mzip, a form with a field `mzip`, or its bare value.
/// - Of users_track, a JSON key `events`, perhaps with its quotes escaped.
/// - The events of other vendors have none: each calls its keys as it likes.
extension RecordFormat {
    /// Whether a line suggests a record of this format.
    package func hasSign(in line: Span<UInt8>) -> Bool {
        nextSign(in: line, from: 0) != nil || self == .mzip && line.firstRange(of: Self.mzipKey, from: 0) != nil
    }

    /// Whether a line suggests more than one record of this format: a second field `mzip`, or a second request with a
    /// sign, which for a collector is another `id`.
    package func hasSeveralSigns(in line: Span<UInt8>) -> Bool {
        guard let first = nextSign(in: line, from: 0) else { return false }
        var last = first.upperBound
        while let sign = nextSign(in: line, from: last) {
            let isSame =
                self == .collector && sign.count == first.count
                && line.holds(line.extracting(first), at: sign.lowerBound)
            let isRequest = Self.methods.contains { line.firstRange(of: $0, from: last, to: sign.lowerBound) != nil }
            if !isSame, isRequest || self == .mzip { return true }
            last = sign.upperBound
        }
        return false
    }

    private func nextSign(in line: Span<UInt8>, from start: Int) -> Range<Int>? {
        switch self {
        case .collector: Self.nextID(line, from: start)
        case .mzip: line.firstRange(of: Self.mzipField, from: start)
        case .usersTrack: line.firstRange(of: Self.eventsKey, from: start)
        case .events: nil
        }
    }

    private static let methods = [ascii("GET"), ascii("POST")]
    private static let mzipField = ascii("mzip=")
    private static let mzipKey = ascii("log_content%22")
    private static let eventsKey = ascii("events")
    private static let id = ascii("id=")
    private static let commas = [",", "%2c", "%2C", "%252c", "%252C"].map { ascii($0) }
    private static let afterID = ascii("\"&\\")

    /// The most bytes of an `id`.
    private static let idLength = 600

    /// The range of the next `id` of at least three parts.
    private static func nextID(_ line: Span<UInt8>, from start: Int) -> Range<Int>? {
        var from = start
        while let found = line.firstRange(of: id, from: from) {
            from = found.upperBound
            guard from < line.count, line[from].isLetter || line[from].isDigit else { continue }
            var end = from
            var parts = 1
            while end < min(from + idLength, line.count), line[end] > 0x20, !afterID.contains(line[end]) {
                if !line[end].isLetter, !line[end].isDigit, commas.contains(where: { line.holds($0, at: end) }) {
                    parts += 1
                }
                end += 1
            }
            if parts > 2 { return from..<end }
        }
        return nil
    }
}

extension Span<UInt8> {
    fileprivate func firstRange(of text: [UInt8], from start: Int, to end: Int? = nil) -> Range<Int>? {
        firstIndex(of: text, from: start, to: end ?? count).map { $0..<$0 + text.count }
    }
}
