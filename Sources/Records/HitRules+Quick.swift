import Events

/// Reads the ordinary hit without taking the line apart:
///
///     203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,d57fd6,7&mcId=… HTTP/1.1" 200 0 "-" "Mozilla/5.0 …"
///
/// Whatever is unusual about a line (an escape, another method or path, `id` not first, a capital in the delivery, a
/// fault) is left to the obvious way, which says the same of every line that is read here.
extension HitRules {
    enum Quick {
        case accept(Record, delivery: Range<Int>)
        case filter(FilterReason)
        case unusual
    }

    @inline(__always)
    func quick(_ line: Span<UInt8>, clock: inout ReceiptClock) -> Quick {
        // From the host's end to the type letter there are 46 bytes; what is loaded behind them, the longest id and
        // delivery included, ends before the 112th.
        guard let host = Self.hostEnd(line), line.count - host >= 112,
            line.word(at: host) & 0xFFFF_FFFF_FFFF == Self.beforeTime,
            line.word(at: host + 32) == Self.beforePath,
            line.word(at: host + 40) & 0xFFFF_FFFF_FFFF == Self.beforeID, line[host + 46].isLetter,
            let (message, messageEnd) = Self.message(line, at: host + 47), line[messageEnd] == UInt8(ascii: ",")
        else { return .unusual }
        let delivery = messageEnd + 1..<messageEnd + 1 + Self.plainRun(line, at: messageEnd + 1)
        guard (1...16).contains(delivery.count), line[delivery.upperBound] == UInt8(ascii: ",") else { return .unusual }
        let third = delivery.upperBound + 1
        let thirdLength = HexWord.leadingDigits(line.word(at: third))
        guard (1...7).contains(thirdLength) else { return .unusual }
        let thirdEnd = third + thirdLength
        guard line[thirdEnd] == UInt8(ascii: "&") || line[thirdEnd] == 0x20,
            let (status, userAgent) = Self.rest(line, from: thirdEnd),
            let time = clock.timeLocal(line, at: host + 6)
        else { return .unusual }

        guard thirdLength == 1, line[third].isDigit else { return .filter(.link) }
        guard let action = actions[Int(line[third] - 0x30)], !requiresMcid || Self.hasMcid(line, at: thirdEnd)
        else { return .unusual }
        guard (200..<400).contains(status) else { return .filter(status == 404 ? .trackingDisabled : .httpError) }
        guard let platform = UserAgent.quickPlatform(line, userAgent) else { return .unusual }
        return .accept(
            Record(id: message.id, kind: message.kind, time: time, action: action, platform: platform),
            delivery: delivery)
    }

    private static let beforeTime = 0x5B20_2D20_2D20 as UInt64  // ` - - [`
    private static let beforePath = 0x2F20_5445_4722_205D as UInt64  // `] "GET /`
    private static let beforeID = 0x3D64_693F_2F72 as UInt64  // `r/?id=`
    private static let noReferer = 0x2220_222D_2220 as UInt64  // ` "-" "`

    /// The first space, if it is among the first 48 bytes but not the first of them.
    @inline(__always)
    private static func hostEnd(_ line: Span<UInt8>) -> Int? {
        guard line.count >= 48 else { return nil }
        var index = 0
        while index < 48 {
            let word = line.word(at: index) ^ eight(0x20)
            let found = (word &- eight(0x01)) & ~word & eight(0x80)
            if found != 0 {
                index += found.trailingZeroBitCount >> 3
                return index > 0 ? index : nil
            }
            index += 8
        }
        return nil
    }

    /// The id that begins here, and the place behind it.
    @inline(__always)
    private static func message(_ line: Span<UInt8>, at start: Int) -> (BroadlogID, end: Int)? {
        let first = line.word(at: start)
        let count = HexWord.leadingDigits(first)
        if count < 8 {
            guard count > 0, let id = BroadlogID(number: HexWord.value(first, count: count)) else { return nil }
            return (id, start + count)
        }
        let second = line.word(at: start + 8)
        let more = HexWord.leadingDigits(second)
        var number = HexWord.value(first, count: 8)
        if more > 0 {
            number = number << UInt64(4 * more) | HexWord.value(second, count: more)
        } else if line[start + 8] == UInt8(ascii: "-") {
            return BroadlogID.uuid(line, at: start).map { ($0, start + 36) }
        }
        return BroadlogID(number: number).map { ($0, start + 8 + more) }
    }

    /// How many digits and small letters, up to 16, there are from here on.
    @inline(__always)
    private static func plainRun(_ line: Span<UInt8>, at start: Int) -> Int {
        let first = leadingPlain(line.word(at: start))
        return first < 8 ? first : 8 + leadingPlain(line.word(at: start + 8))
    }

    @inline(__always)
    private static func leadingPlain(_ word: UInt64) -> Int {
        let top = eight(0x80)
        let low = word & ~top
        let digit = (low &+ eight(0x50)) & ~(low &+ eight(0x46))
        let letter = (low &+ eight(0x1F)) & ~(low &+ eight(0x05))
        return (~((digit | letter) & ~word) & top).trailingZeroBitCount >> 3
    }

    /// The status, and where the user agent lies; nil if the line goes on in some other way.
    @inline(__always)
    private static func rest(_ line: Span<UInt8>, from start: Int) -> (status: Int, userAgent: Range<Int>)? {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        guard let request = line.firstIndex(of: quote, from: start), line[request - 1] != backslash,
            line.count - request >= 16, line[request + 1] == 0x20, line[request + 5] == 0x20,
            let status = line.number(at: request + 2, digits: 3)
        else { return nil }
        var index = request + 6
        while index + 8 < line.count, line[index] != 0x20 { index += 1 }
        guard index > request + 6, index + 8 < line.count else { return nil }
        if line.word(at: index) & 0xFFFF_FFFF_FFFF == noReferer {
            index += 6
        } else {
            guard line[index] == 0x20, line[index + 1] == quote,
                let referer = line.firstIndex(of: quote, from: index + 2), line[referer - 1] != backslash,
                referer + 3 < line.count, line[referer + 1] == 0x20, line[referer + 2] == quote
            else { return nil }
            index = referer + 3
        }
        guard let end = line.firstIndex(of: quote, from: index), line[end - 1] != backslash else { return nil }
        return (status, index..<end)
    }

    /// Whether `&mcId=` stands here, in any case, and a value behind it.
    @inline(__always)
    private static func hasMcid(_ line: Span<UInt8>, at start: Int) -> Bool {
        guard line[start] == UInt8(ascii: "&"), line.halfWord(at: start + 1) | 0x2020_2020 == 0x6469_636D,
            line[start + 5] == UInt8(ascii: "=")
        else { return false }
        switch line[start + 6] {
        case UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x20: return false
        default: return true
        }
    }
}
