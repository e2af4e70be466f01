/// Decides which words a sample may show. A word must have a strict form, and most words must also follow a key.
///
/// No personal value has such a form. No form allows arbitrary letters or arbitrary digits, so none can contain a
/// telephone number, an IP address or the name of a person.
///
///               shown                                                 masked
///     an id     h1685a5   6b6499a8-9d43-4bc5-acf0-b6aeb96846f6        h600-111-222   h600111222   jdoe42
///     a time    2026-11-19T10:00:00.123Z   1795046400.123             203.0.113.7   1795046400   34600111222
///     a name    push_open   sessionStart                              maria_garcia
enum SampleWords {
    /// The kind of value that belongs to a key.
    enum Kind {
        case id, time, name, code, platform, tracking
    }

    /// The kind of value of a key; nil if its values are never shown.
    static func kind(of key: String) -> Kind? {
        switch key {
        case "_mId", "broadlogId", "broadlog_id", "broadlogID": .id
        case "_dId", "deliveryId", "delivery_id", "deliveryID": .id
        case "time", "time_local", "time_iso8601", "msec", "timestamp": .time
        case "name", "event", "event_name": .name
        case "type", "action", "status": .code
        case "platform": .platform
        case "_acsDeliveryTracking": .tracking
        default: nil
        }
    }

    /// Whether a value has the form of this kind.
    static func isHarmless(_ value: [UInt8], as kind: Kind) -> Bool {
        switch kind {
        case .id: isID(value)
        case .time: isTime(value) || isEpochTime(value)
        case .name: isMadeOfWords(value)
        case .code: (1...3).contains(value.count) && value.allSatisfy(\.isDigit)
        case .platform: ["ios", "android", "web"].contains(String(decoding: value, as: UTF8.self).lowercased())
        case .tracking: ["on", "off"].contains(String(decoding: value, as: UTF8.self).lowercased())
        }
    }

    /// Whether a key may be shown.
    static func isHarmlessKey(_ word: [UInt8]) -> Bool {
        kind(of: String(decoding: word, as: UTF8.self)) != nil || isMadeOfWords(word)
    }

    /// Whether a word may be shown anywhere.
    static func isHarmless(_ word: [UInt8]) -> Bool {
        words.contains(String(decoding: word, as: UTF8.self)) || isTime(word)
    }

    private static let words: Set<String> = [
        "-", "GET", "POST", "HEAD", "PUT", "OPTIONS", "DELETE", "HTTP/1.0", "HTTP/1.1", "HTTP/2.0", "HTTP/3.0",
        "/push/log/iosarrive", "/users/track", "true", "false", "null",
    ]
}

extension SampleWords {
    /// Whether a word is hexadecimal digits or a UUID, optionally after a type letter, or a type letter alone. It must
    /// not have enough decimal digits in a row for a telephone number.
    private static func isID(_ word: [UInt8]) -> Bool {
        guard let first = word.first else { return false }
        return isHexOrUUID(word) || first.isLetter && (word.count == 1 || isHexOrUUID(Array(word.dropFirst())))
    }

    private static func isHexOrUUID(_ word: [UInt8]) -> Bool {
        if case .neither = BroadlogID.hexOrUUID(word.span, 0..<word.count) { return false }
        return word.count == 36 || !mayHoldTelephoneNumber(word)
    }

    /// Whether a word has eight decimal digits in a row.
    private static func mayHoldTelephoneNumber(_ word: [UInt8]) -> Bool {
        var digits = 0
        for byte in word {
            digits = byte.isDigit ? digits + 1 : 0
            if digits == 8 { return true }
        }
        return false
    }

    /// Whether the whole word is a time of this century, `19/Nov/2026:10:00:00 +0100` or `2026-11-19T10:00:00.123Z`.
    static func isTime(_ word: [UInt8]) -> Bool {
        let text = word.span
        guard
            let time = CivilTime(timeLocal: text, 0..<text.count)
                ?? CivilTime(iso: text, 0..<text.count, dateAlone: false)
        else { return false }
        // The fraction may have any length, so it could be a telephone number.
        return thisCentury.contains(time.seconds) && !mayHoldTelephoneNumber(word)
    }

    /// The years 2000 to 2099 in seconds since 1970.
    private static let thisCentury = 946_684_800 as Int64..<4_102_444_800

    /// Whether a word is a time in milliseconds, or in seconds with three decimals as nginx writes it, and begins with
    /// 1, as all times up to 2033 do. No telephone number has thirteen digits and begins with 1. Seconds without
    /// decimals are not shown, because 1701234567, for example, could be a telephone number in Germany.
    private static func isEpochTime(_ word: [UInt8]) -> Bool {
        guard word.first == UInt8(ascii: "1") else { return false }
        let digits = word.count == 14 && word[10] == UInt8(ascii: ".") ? word[..<10] + word[11...] : word[...]
        return digits.count == 13 && digits.allSatisfy(\.isDigit)
    }
}

extension SampleWords {
    /// Whether the name of an event or a key, such as `push_open` or `deviceModel`, consists of known words.
    private static func isMadeOfWords(_ name: [UInt8]) -> Bool {
        var text: [UInt8] = []
        for byte in name {
            if byte &- 0x41 < 26, let last = text.last, last.isLetter { text.append(UInt8(ascii: "_")) }
            text.append(byte.lowerCased)
        }
        let parts = text.split { ascii("_- ").contains($0) }
        return !parts.isEmpty && parts.allSatisfy { vocabulary.contains(String(decoding: $0, as: UTF8.self)) }
    }

    /// The words of the known formats, and common words of push programs.
    private static let vocabulary: Set<String> = [
        "acs", "action", "addr", "agent", "alias", "android", "api", "app", "arrival", "arrived", "attribute",
        "attributes", "body", "braze", "broadlog", "button", "bytes", "campaign", "canvas", "click", "clicked", "code",
        "content", "currency", "custom", "data", "delivered", "delivery", "device", "dismiss", "dismissed", "dispatch",
        "email", "error", "errors", "event", "events", "existing", "external", "host", "http", "id", "ids", "import",
        "impression", "ios", "iso", "key", "label", "level", "link", "local", "log", "mc", "mcid", "message", "method",
        "model", "msec", "msg", "mzip", "name", "notification", "number", "only", "open", "opened", "os", "partner",
        "phone", "platform", "price", "product", "properties", "purchase", "purchases", "push", "quantity", "received",
        "referer", "remote", "request", "response", "sdk", "security", "send", "sent", "server", "session", "start",
        "started", "status", "stream", "text", "time", "timestamp", "title", "token", "tokens", "track", "tracking",
        "type", "update", "upstream", "uri", "url", "user", "version", "view", "viewed",
    ]
}
