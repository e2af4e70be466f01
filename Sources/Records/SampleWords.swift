/// The words that a sample may show.
enum SampleWords {
    /// What a value is about, by its key.
    enum Subject {
        case nothing, trackingID, messageID, deliveryID, time, name, code, platform, tracking
    }

    static func subject(of key: String) -> Subject {
        switch key {
        case "id": .trackingID
        case "_mId", "broadlogId", "broadlog_id", "broadlogID": .messageID
        case "_dId", "deliveryId", "delivery_id", "deliveryID": .deliveryID
        case "time", "time_local", "time_iso8601", "msec", "timestamp": .time
        case "name", "event", "event_name": .name
        case "type", "action", "status": .code
        case "platform": .platform
        case "_acsDeliveryTracking": .tracking
        default: .nothing
        }
    }

    private static let keys: Set<String> = [
        "mzip", "log", "data", "security", "events", "purchases", "attributes", "properties", "mcId", "mcid", "email",
        "phone", "price", "currency", "quantity", "request", "status", "partner", "errors", "message",
    ]

    /// A key of the known formats, or a name that only a program would give: `campaign_id`, `deviceModel`.
    static func isHarmlessKey(_ word: String) -> Bool {
        if keys.contains(word) || subject(of: word) != .nothing { return true }
        let bytes = Array(word.utf8)
        guard bytes.count <= 24, let first = bytes.first, first.isLetter || first == UInt8(ascii: "_"),
            bytes.allSatisfy({ $0.isLetter || $0 == UInt8(ascii: "_") })
        else { return false }
        return hasWords(bytes)
    }

    /// Two words of small letters at least, joined by an underscore: base64 hardly ever looks like that.
    private static func hasWords(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(UInt8(ascii: "_")) else { return false }
        return !bytes.contains { $0 &- 0x41 < 26 }
    }

    private static let words: Set<String> = [
        "-", "GET", "POST", "HEAD", "PUT", "OPTIONS", "DELETE", "HTTP/1.0", "HTTP/1.1", "HTTP/2.0", "HTTP/3.0", "/r/",
        "/r",
        "//r/", "/push/log/iosarrive", "/users/track", "true", "false", "null",
    ]

    /// A word that tells nothing about anybody, wherever it stands.
    static func isHarmless(_ word: String) -> Bool { words.contains(word) }

    /// Whether a value has the shape of what its key promises.
    static func isHarmless(_ word: String, as subject: Subject) -> Bool {
        let bytes = Array(word.utf8)
        switch subject {
        case .nothing, .time: return false
        case .trackingID, .messageID, .deliveryID: return isID(bytes)
        case .name:
            return bytes.count <= 40 && hasWords(bytes)
                && bytes.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        case .code:
            return bytes.count <= 3 && bytes.allSatisfy(\.isDigit)
        case .platform: return ["ios", "android", "web"].contains(word.lowercased())
        case .tracking: return ["on", "off"].contains(word.lowercased())
        }
    }

    /// Up to 17 letters, digits, hyphens and underscores, or a UUID behind a letter; no nine digits in a row, which
    /// might be a telephone's.
    private static func isID(_ bytes: [UInt8]) -> Bool {
        var digits = 0
        for byte in bytes {
            guard byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else {
                return false
            }
            digits = byte.isDigit ? digits + 1 : 0
            if digits >= 9 { return false }
        }
        if bytes.count <= 17 {
            return bytes.reduce(0) { $0 + ($1.isDigit ? 1 : 0) } < 9 || bytes.contains { $0.isLetter }
        }
        guard bytes.count == 37, let first = bytes.first, first.isLetter,
            case .id = BroadlogID.hexOrUUID(bytes.span, 1..<37)
        else { return false }
        return true
    }

    /// `19/Nov/2026:10:00:00` and `2026-11-19T10:00:00.123Z` anywhere, an offset behind them; behind a key of a time also
    /// its parts, and a number of seconds or milliseconds.
    static func isTime(_ word: String, after time: Bool, _ subject: Subject) -> Bool {
        let bytes = Array(word.utf8)
        let span = bytes.span
        if CivilTime(timeLocal: span, 0..<span.count) != nil { return true }
        if CivilTime(iso: span, 0..<span.count, dateAlone: subject == .time) != nil { return true }
        if time, bytes.count == 5, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-") {
            return bytes.dropFirst().allSatisfy(\.isDigit)
        }
        guard subject == .time else { return false }
        if time, bytes.count <= 18, bytes.count >= 8, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":") {
            return bytes.allSatisfy { $0.isDigit || [0x2B, 0x2D, 0x2E, 0x3A, 0x5A].contains($0) }
        }
        return (9...14).contains(bytes.count) && bytes.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    }
}
