import Calendar

/// Why a text that has the shape of a time is none, for messages.
enum TimeFault: CustomStringConvertible {
    case noSuchDate, noSuchTimeOfDay, noSuchOffset, beyondYear9999, otherShape
    /// Its abbreviation is none of this zone at that time.
    case foreignZone(String)

    init(_ text: Span<UInt8>, _ range: Range<Int>, _ form: ReceiptClock.Form, _ zone: ZoneRules) {
        let bytes = range.map { text[$0] }
        // Where the time of day begins, and where the seconds end.
        let start: Int
        if bytes.count >= 20, bytes[2] == UInt8(ascii: "/") {
            start = 12
        } else if bytes.count >= 19, bytes[4] == UInt8(ascii: "-") {
            start = 11
        } else {
            self = bytes.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } ? .beyondYear9999 : .otherShape
            return
        }
        var time = Array(bytes[..<(start + 8)])
        func isTime() -> Bool {
            CivilTime(timeLocal: time.span, time.indices) != nil
                || CivilTime(iso: time.span, time.indices, dateAlone: false) != nil
        }
        if isTime() {
            self = form == .named ? .foreignZone(zone.name) : .noSuchOffset
            return
        }
        time.replaceSubrange(start..., with: "00:00:00".utf8)
        self = isTime() ? .noSuchTimeOfDay : .noSuchDate
    }

    var description: String {
        switch self {
        case .noSuchDate: "a date that does not exist"
        case .noSuchTimeOfDay: "a time of day that does not exist"
        case .noSuchOffset: "an offset that does not exist"
        case .beyondYear9999: "a time beyond the year 9999"
        case .otherShape: "something else"
        case .foreignZone(let zone): "an abbreviation that \(zone) does not have then"
        }
    }
}
