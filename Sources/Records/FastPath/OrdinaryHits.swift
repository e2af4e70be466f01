import Events

/// Reads an ordinary hit without splitting the line into fields:
///
///     203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,d57fd6,7&mcId=… HTTP/1.1" 200 0 "-" "Mozilla/…"
///
/// An unusual line (an escape, another method, `id` not first, a capital letter in the delivery id, a fault) is left to
/// `CombinedLayout` and `HitRules`. They give the same result for every line that is read here.
struct OrdinaryHits {
    enum Reading {
        case accept(FoundEvent)
        /// The user agent is empty or `-`.
        case acceptWithoutUserAgent(FoundEvent)
        case filter(FilterReason)
        /// Not read.
        case unusual
    }

    private let requiresMcid: Bool
    let actions: HitRules.Actions

    /// Copies the settings of the rules. It has no arrays, so copying it counts no references.
    init(_ rules: borrowing HitRules) {
        requiresMcid = rules.requiresMcid
        actions = rules.actions
    }

    /// Reads a line.
    /// - Parameters:
    ///   - bytes: the bytes of `text`.
    ///   - start: the offset of the line.
    ///   - end: the offset of the first line feed after `start`. `text` has at least 64 bytes from there on.
    ///   - marks: include the quotes of the line.
    ///   - codes: `actions` as a span.
    @inline(__always)
    func read(
        _ bytes: UncheckedBytes, of text: Span<UInt8>, from start: Int, to end: Int, marks: LineMarks.View,
        codes: Span<UInt16?>, clock: inout ReceiptClock
    ) -> Reading {
        assert(text[end] == 0x0A && end + 64 <= bytes.count)
        // Bounds: All bytes that have been matched so far are not line feeds. So every offset is at most the line's
        // end, and no load reads more than 64 bytes from its offset.
        var host = start &+ bytes.leadingVisible(at: start)
        if host == start &+ 16 { host &+= bytes.leadingVisible(at: host) }
        if host == start &+ 32 { host &+= bytes.leadingVisible(at: host) }
        guard host > start, bytes.holds(" - - [", at: host) else { return .unusual }
        let isPost = bytes.holds("] \"POST /", at: host &+ 32)
        guard isPost || bytes.holds("] \"GET /", at: host &+ 32) else { return .unusual }
        let path = isPost ? host &+ 41 : host &+ 40
        guard let time = clock.timeLocal(bytes, of: text, at: host &+ 6) else { return .unusual }
        guard bytes.holds("r/?id=", at: path) else { return Self.elsewhere(in: bytes, at: path, to: end, marks: marks) }
        guard bytes[path &+ 6].isLetter,
            let (message, messageEnd) = Self.message(bytes, at: path &+ 7), bytes[messageEnd] == UInt8(ascii: ",")
        else { return .unusual }
        let delivery = messageEnd &+ 1
        let deliveryLength = bytes.leadingAlphanumerics(at: delivery)
        let third = delivery &+ deliveryLength &+ 1
        guard deliveryLength > 0, bytes[third &- 1] == UInt8(ascii: ",") else { return .unusual }
        let code = bytes[third] &- 0x30
        guard code < 10, Self.endsID(bytes[third &+ 1]) else {
            return Self.link(in: bytes, at: third, to: end, marks: marks)
        }
        guard let (status, agent) = Self.rest(of: bytes, from: third &+ 1, to: end, marks: marks),
            let action = codes[Int(code)],
            !requiresMcid || Self.hasMcid(bytes, at: third &+ 1),
            let platform = UserAgent.fastPlatform(bytes, from: agent, to: end, marks: marks)
        else { return .unusual }
        guard status &- 200 < 200, status >= 200 else { return .filter(status == 404 ? .trackingDisabled : .httpError) }
        let event = FoundEvent(
            id: message.id, kind: message.kind, time: time, action: action, platform: platform,
            delivery: delivery..<delivery &+ deliveryLength)
        if platform == .unknown, Self.lacksUserAgent(bytes, at: agent) { return .acceptWithoutUserAgent(event) }
        return .accept(event)
    }

    /// Whether the user agent is empty or `-`.
    private static func lacksUserAgent(_ bytes: UncheckedBytes, at start: Int) -> Bool {
        let quote = UInt8(ascii: "\"")
        return bytes[start] == quote || bytes[start] == UInt8(ascii: "-") && bytes[start &+ 1] == quote
    }

    /// A tracked link, if the third part of the id is several hexadecimal digits, or a single one that is a letter.
    @inline(never)
    private static func link(
        in bytes: UncheckedBytes, at third: Int, to end: Int, marks: LineMarks.View
    ) -> Reading {
        let length = bytes.hexDigits(at: third).count
        guard length > 0, endsID(bytes[third &+ length]),
            let (_, agent) = rest(of: bytes, from: third &+ length, to: end, marks: marks),
            UserAgent.fastPlatform(bytes, from: agent, to: end, marks: marks) != nil
        else { return .unusual }
        return .filter(.link)
    }

    /// A request with another path, if the path after its first slash is certainly neither `r` nor `r/`.
    @inline(never)
    private static func elsewhere(
        in bytes: UncheckedBytes, at path: Int, to end: Int, marks: LineMarks.View
    ) -> Reading {
        var index = path
        if bytes[index] == UInt8(ascii: "r") {
            index &+= 1
            if bytes[index] == UInt8(ascii: "/") { index &+= 1 }
            if bytes[index] == UInt8(ascii: "?") || bytes[index] == 0x20 { return .unusual }
        }
        guard bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: "\\"),
            let (_, agent) = rest(of: bytes, from: index, to: end, marks: marks),
            UserAgent.fastPlatform(bytes, from: agent, to: end, marks: marks) != nil
        else { return .unusual }
        return .filter(.notTracking)
    }

    @inline(__always)
    private static func endsID(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "&") || byte == 0x20 }

    /// The id at `start` and the offset after it.
    @inline(__always)
    private static func message(_ bytes: UncheckedBytes, at start: Int) -> (BroadlogID, end: Int)? {
        let (count, number) = bytes.hexDigits(at: start)
        if count == 8, bytes[start &+ 8] == UInt8(ascii: "-") {
            return BroadlogID(
                uuid: bytes.word(at: start), bytes.word(at: start &+ 8), bytes.word(at: start &+ 16),
                bytes.word(at: start &+ 24), bytes.halfWord(at: start &+ 32)
            ).map { ($0, start &+ 36) }
        }
        return BroadlogID(number: number).map { ($0, start &+ count) }
    }

    /// The status and the offset of the user agent; nil if the rest of the line is unusual.
    @inline(__always)
    private static func rest(
        of bytes: UncheckedBytes, from start: Int, to end: Int, marks: LineMarks.View
    ) -> (status: Int, userAgent: Int)? {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        guard let request = marks.firstQuote(from: start, to: end), bytes[request &- 1] != backslash
        else { return nil }
        if bytes.holds("\" 200 0 \"-\" \"", at: request) { return (200, request &+ 13) }
        // As in `" 200 0`: a quote, a space, three digits, a space, and another byte.
        let word = bytes.word(at: request)
        let digits = ((word >> 16) & 0xFF_FFFF) ^ 0x30_3030
        guard word & 0xFF00_0000_FF00 == 0x2000_0000_2000, ((digits &+ 0x76_7676) | digits) & 0x80_8080 == 0,
            (word >> 48) & 0xFF > 0x20
        else { return nil }
        let status = Int((digits & 0xFF) &* 100 &+ ((digits >> 8) & 0xFF) &* 10 &+ (digits >> 16))
        var index = request &+ 7
        while bytes[index] > 0x20 { index &+= 1 }
        if bytes.holds(" \"-\" \"", at: index) { return (status, index &+ 6) }
        guard bytes[index] == 0x20, bytes[index &+ 1] == quote,
            let referer = marks.firstQuote(from: index &+ 2, to: end), bytes[referer &- 1] != backslash,
            bytes[referer &+ 1] == 0x20, bytes[referer &+ 2] == quote,
            !UserAgent.mayHoldRequest(bytes, from: index &+ 2, to: referer)
        else { return nil }
        return (status, referer &+ 3)
    }

    /// Whether `&mcId=` is at `start`, ignoring case, and is followed by a value.
    @inline(__always)
    private static func hasMcid(_ bytes: UncheckedBytes, at start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "&"), bytes[start &+ 1].lowerCased == UInt8(ascii: "m"),
            bytes[start &+ 2].lowerCased == UInt8(ascii: "c"), bytes[start &+ 3].lowerCased == UInt8(ascii: "i"),
            bytes[start &+ 4].lowerCased == UInt8(ascii: "d"), bytes[start &+ 5] == UInt8(ascii: "=")
        else { return false }
        switch bytes[start &+ 6] {
        case UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x20: return false
        default: return true
        }
    }
}
