/// Decides which words a sample may show. A word must have a strict form, and most words must also follow a key.
///
/// No personal value has such a form. No form allows arbitrary letters or arbitrary digits, so none can contain a
/// telephone number, an IP address or the name of a person.
///
///               shown                                                 masked
///     an id     h1685a5   6b6499a8-9d43-4bc5-acf0-b6aeb96846f6        h600-111-222   h600111222   jdoe42
///     a time    2026-11-19T10:00:00.123Z   1795046400.123             203.0.113.7   1795046400   34600111222
enum SampleWords {
    /// Whether a word may be shown anywhere.
    static func mayShow(_ word: [UInt8]) -> Bool {
        words.contains(String(decoding: word, as: UTF8.self)) || isTime(word)
    }

    private static let words: Set<String> = [
        "-", "GET", "POST", "HEAD", "PUT", "OPTIONS", "DELETE", "HTTP/1.0", "HTTP/1.1", "HTTP/2.0", "HTTP/3.0",
        "/push/log/iosarrive", "/users/track", "true", "false", "null",
    ]

    /// Whether a word is hexadecimal digits or a UUID, optionally after a type letter, or a type letter alone. It must
    /// not have enough decimal digits in a row for a telephone number.
    static func isID(_ word: [UInt8]) -> Bool {
        guard let first = word.first else { return false }
        return isHexOrUUID(word) || first.isLetter && (word.count == 1 || isHexOrUUID(Array(word.dropFirst())))
    }

    /// Whether a word is the code of an action or a status: one to three digits.
    static func isCode(_ word: [UInt8]) -> Bool { (1...3).contains(word.count) && word.allSatisfy(\.isDigit) }

    private static func isHexOrUUID(_ word: [UInt8]) -> Bool {
        if case .neither = BroadlogID.hexOrUUID(word.span, in: 0..<word.count) { return false }
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
            let time = (try? CivilTime.timeLocal(text, in: 0..<text.count))
                ?? CivilTime(iso: text, in: 0..<text.count, dateAlone: false)
        else { return false }
        // The fraction may have any length, so it could be a telephone number.
        return thisCentury.contains(time.seconds) && !mayHoldTelephoneNumber(word)
    }

    /// The years 2000 to 2099 in seconds since 1970.
    private static let thisCentury = 946_684_800 as Int64..<4_102_444_800

    /// Whether a word is a time in milliseconds, or in seconds with three decimals as nginx writes it, and begins with
    /// 1, as all times up to 2033 do. No telephone number has thirteen digits and begins with 1. Seconds without
    /// decimals are not shown, because 1701234567, for example, could be a telephone number in Germany.
    static func isEpochTime(_ word: [UInt8]) -> Bool {
        guard word.first == UInt8(ascii: "1") else { return false }
        let digits = word.count == 14 && word[10] == UInt8(ascii: ".") ? word[..<10] + word[11...] : word[...]
        return digits.count == 13 && digits.allSatisfy(\.isDigit)
    }
}
