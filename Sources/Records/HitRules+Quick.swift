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

    func quick(_ line: Span<UInt8>, clock: inout ReceiptClock) -> Quick {
        line.withUnsafeBytes { bytes in
            guard let bytes = UncheckedBytes(bytes) else { return .unusual }
            return quick(bytes, line, clock: &clock)
        }
    }

    @inline(__always)
    private func quick(_ bytes: UncheckedBytes, _ line: Span<UInt8>, clock: inout ReceiptClock) -> Quick {
        // Bounds: the type letter is 46 or 47 bytes behind the host's end; then come an id of up to 36, a comma, a delivery
        // of up to 16, a comma, and eight more are loaded: all that ends before the 112th.
        guard let host = Self.hostEnd(bytes), bytes.count &- host >= 112,
            bytes.word(at: host) & 0xFFFF_FFFF_FFFF == Self.beforeTime
        else { return .unusual }
        let method = bytes.word(at: host &+ 32)
        let isPost = method == Self.post && bytes[host &+ 40] == UInt8(ascii: "/")
        guard method == Self.get || isPost else { return .unusual }
        let start = isPost ? host &+ 41 : host &+ 40
        let path = bytes.word(at: start)
        guard path & 0xFFFF_FFFF_FFFF == Self.beforeID, UInt8(truncatingIfNeeded: path >> 48).isLetter,
            let (message, messageEnd) = Self.message(bytes, at: start &+ 7), bytes[messageEnd] == UInt8(ascii: ",")
        else { return .unusual }
        let delivery = messageEnd &+ 1
        let deliveryLength = Self.plainRun(bytes, at: delivery)
        let third = delivery &+ deliveryLength &+ 1
        guard deliveryLength &- 1 < 16, deliveryLength > 0, bytes[third &- 1] == UInt8(ascii: ",") else {
            return .unusual
        }
        let thirdWord = bytes.word(at: third)
        let thirdLength = HexWord.leadingDigits(thirdWord)
        guard thirdLength &- 1 < 7, thirdLength > 0 else { return .unusual }
        let thirdEnd = third &+ thirdLength
        guard bytes[thirdEnd] == UInt8(ascii: "&") || bytes[thirdEnd] == 0x20,
            let (status, agent, agentEnd) = Self.rest(bytes, from: thirdEnd),
            let time = clock.timeLocal(bytes, line, at: host &+ 6)
        else { return .unusual }

        let code = Int(truncatingIfNeeded: thirdWord & 0xFF) &- 0x30
        guard thirdLength == 1, code < 10 else { return .filter(.link) }
        guard let action = actions[code], !requiresMcid || Self.hasMcid(bytes, at: thirdEnd) else { return .unusual }
        guard status &- 200 < 200, status >= 200 else { return .filter(status == 404 ? .trackingDisabled : .httpError) }
        guard let platform = UserAgent.quickPlatform(bytes, agent, agentEnd) else { return .unusual }
        return .accept(
            Record(id: message.id, kind: message.kind, time: time, action: action, platform: platform),
            delivery: delivery..<delivery &+ deliveryLength)
    }

    private static let beforeTime = 0x5B20_2D20_2D20 as UInt64  // ` - - [`
    private static let get = 0x2F20_5445_4722_205D as UInt64  // `] "GET /`
    private static let post = 0x2054_534F_5022_205D as UInt64  // `] "POST `
    private static let beforeID = 0x3D64_693F_2F72 as UInt64  // `r/?id=`
    private static let noReferer = 0x2220_222D_2220 as UInt64  // ` "-" "`

    /// The first space, if it is among the first 48 bytes but not the first of them.
    @inline(__always)
    private static func hostEnd(_ bytes: UncheckedBytes) -> Int? {
        guard bytes.count >= 48 else { return nil }
        var index = 0
        while index < 48 {
            let word = bytes.word(at: index) ^ eight(0x20)
            let found = (word &- eight(0x01)) & ~word & eight(0x80)
            if found != 0 {
                index &+= found.trailingZeroBitCount >> 3
                return index > 0 ? index : nil
            }
            index &+= 8
        }
        return nil
    }

    /// The id that begins here, with 36 bytes behind it, and the place behind it.
    @inline(__always)
    private static func message(_ bytes: UncheckedBytes, at start: Int) -> (BroadlogID, end: Int)? {
        let first = bytes.word(at: start)
        let count = HexWord.leadingDigits(first)
        if count < 8 {
            guard count > 0, let id = BroadlogID(number: HexWord.value(first, count: count)) else { return nil }
            return (id, start &+ count)
        }
        let second = bytes.word(at: start &+ 8)
        var number = HexWord.value(first, count: 8)
        switch UInt8(truncatingIfNeeded: second) {
        case UInt8(ascii: ","): return BroadlogID(number: number).map { ($0, start &+ 8) }
        case UInt8(ascii: "-"): return uuid(bytes, at: start).map { ($0, start &+ 36) }
        default:
            let more = HexWord.leadingDigits(second)
            guard more > 0 else { return nil }
            number = number << UInt64(4 &* more) | HexWord.value(second, count: more)
            return BroadlogID(number: number).map { ($0, start &+ 8 &+ more) }
        }
    }

    /// How many digits and small letters, up to 16, there are from here on; 16 bytes lie there.
    @inline(__always)
    private static func plainRun(_ bytes: UncheckedBytes, at start: Int) -> Int {
        let first = leadingPlain(bytes.word(at: start))
        return first < 8 ? first : 8 &+ leadingPlain(bytes.word(at: start &+ 8))
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
    private static func rest(
        _ bytes: UncheckedBytes, from start: Int
    ) -> (status: Int, userAgent: Int, userAgentEnd: Int)? {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        guard let request = bytes.firstIndex(of: quote, from: start), bytes[request &- 1] != backslash,
            bytes.count &- request >= 16
        else { return nil }
        // `" 200 0 `: two spaces, three digits between them, and often a size of one digit.
        let word = bytes.word(at: request)
        let digits = ((word >> 16) & 0xFF_FFFF) ^ 0x30_3030
        guard word & 0xFF00_0000_FF00 == 0x2000_0000_2000, ((digits &+ 0x76_7676) | digits) & 0x80_8080 == 0,
            (word >> 48) & 0xFF != 0x20
        else { return nil }
        let status = Int((digits & 0xFF) &* 100 &+ ((digits >> 8) & 0xFF) &* 10 &+ (digits >> 16))
        // Up to eight bytes before the end it may go; the loads below stay within those.
        let last = bytes.count &- 8
        var index = request &+ 7
        while index < last, bytes[index] != 0x20 { index &+= 1 }
        guard index < last else { return nil }
        if bytes.word(at: index) & 0xFFFF_FFFF_FFFF == noReferer {
            index &+= 6
        } else {
            guard bytes[index] == 0x20, bytes[index &+ 1] == quote,
                let referer = bytes.firstIndex(of: quote, from: index &+ 2), bytes[referer &- 1] != backslash,
                referer &+ 3 < bytes.count, bytes[referer &+ 1] == 0x20, bytes[referer &+ 2] == quote
            else { return nil }
            index = referer &+ 3
        }
        guard let end = bytes.firstIndex(of: quote, from: index), bytes[end &- 1] != backslash else { return nil }
        return (status, index, end)
    }

    /// Whether `&mcId=` stands here, in any case, and a value behind it; the request's end is known to come later, and at
    /// least 16 bytes behind that.
    @inline(__always)
    private static func hasMcid(_ bytes: UncheckedBytes, at start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "&"), bytes.halfWord(at: start &+ 1) | 0x2020_2020 == 0x6469_636D,
            bytes[start &+ 5] == UInt8(ascii: "=")
        else { return false }
        switch bytes[start &+ 6] {
        case UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x20: return false
        default: return true
        }
    }

    @inline(__always)
    private static func uuid(_ bytes: UncheckedBytes, at start: Int) -> BroadlogID? {
        BroadlogID(
            uuid: bytes.word(at: start), bytes.word(at: start &+ 8), bytes.word(at: start &+ 16),
            bytes.word(at: start &+ 24), bytes.halfWord(at: start &+ 32))
    }
}
