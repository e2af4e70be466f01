/// A rejected record as a person may see it: at most 200 bytes of ASCII, every personal value masked.
///
///     203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=hSOC1,d57fd6,7&mcId=0123… HTTP/1.1" 200 0 "-" "Mozilla/…"
///     *** - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=hSOC1,d57fd6,7&mcId=*** HTTP/1.1" 200 *** "-" "***"
///
/// The line may be of any format, cut anywhere and escaped in any way, so nothing is looked for and taken out. Rather, the
/// escapes are undone, punctuation is kept, and of the words between it only those that are known to be harmless:
/// well-known words and keys, and what follows a key of ids, times, names and the like, if it looks like one.
package func maskedSample(_ evidence: Span<UInt8>) -> String {
    var sample = SampleText(undoingEscapesOf: evidence)
    return sample.masked()
}

struct SampleText {
    static let limit = 200

    private let text: [UInt8]
    private var output: [UInt8] = []
    /// What the value at hand is a value of.
    private var subject = SampleWords.Subject.nothing {
        didSet { hasValue = false }
    }
    /// Whether a word of that value has come.
    private var hasValue = false
    private var lastWordWasTime = false

    init(undoingEscapesOf evidence: Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.append(evidence, 0..<min(evidence.count, 4096))
        // Escapes may be escaped again on the way into a log.
        for _ in 0..<5 {
            let undone = Self.undoEscapes(bytes.span)
            if undone.count == bytes.count { break }
            bytes = undone
        }
        text = bytes
    }

    mutating func masked() -> String {
        var index = 0
        while index < text.count, output.count < Self.limit {
            if isSeparator(index) {
                separate(text[index])
                index += 1
            } else {
                var end = index + 1
                while end < text.count, !isSeparator(end) { end += 1 }
                write(index..<end)
                index = end
            }
        }
        return String(decoding: output.prefix(Self.limit), as: UTF8.self)
    }

    private mutating func write(_ word: Range<Int>) {
        // Nothing harmless is longer.
        guard word.count <= 40 else {
            lastWordWasTime = false
            hasValue = true
            return mask()
        }
        let characters = String(decoding: text[word], as: UTF8.self)
        let isTime = SampleWords.isTime(characters, after: lastWordWasTime, subject)
        defer { lastWordWasTime = isTime }
        if isKey(word), SampleWords.isHarmlessKey(characters) {
            // The first word may be the rest of one: `id` of `external_id`.
            subject = word.lowerBound == 0 ? .nothing : SampleWords.subject(of: characters)
        } else {
            defer { hasValue = true }
            guard
                isTime || SampleWords.isHarmless(characters) || isStatus(characters)
                    || SampleWords.isHarmless(characters, as: subject)
            else { return mask() }
        }
        output += text[word]
    }

    private mutating func mask() {
        let mask = Array("***".utf8)
        if output.suffix(3).elementsEqual(mask)
            || output.dropLast().suffix(3).elementsEqual(mask) && output.last == 0x20
        {
            return
        }
        output += mask
    }

    private mutating func separate(_ byte: UInt8) {
        output.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte)
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "="): break
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            if hasValue { subject = .nothing }
        case 0x20:
            // `2026-11-19 10:00:00` is one value in two words.
            if hasValue, subject != .time { subject = .nothing }
        case UInt8(ascii: ",") where subject == .trackingID && hasValue:
            // `id=h1685a5,d57fd6,7` is one value in three parts.
            break
        default: subject = .nothing
        }
    }

    /// Whether the three digits come right behind a quoted request, where a log has the status.
    private func isStatus(_ word: String) -> Bool {
        guard let status = Int(word), (100..<600).contains(status), word.utf8.count == 3 else { return false }
        return output.suffix(2).elementsEqual([UInt8(ascii: "\""), 0x20])
    }

    /// Whether a `:` or `=` follows, perhaps behind a quote and spaces.
    private func isKey(_ word: Range<Int>) -> Bool {
        var index = word.upperBound
        while index < text.count, [UInt8(ascii: "\""), UInt8(ascii: "'"), 0x20].contains(text[index]) { index += 1 }
        return index < text.count && (text[index] == UInt8(ascii: ":") || text[index] == UInt8(ascii: "="))
    }

    private func isSeparator(_ index: Int) -> Bool {
        switch text[index] {
        case 0...0x20, 0x7F: return true
        case UInt8(ascii: ":"):
            // Within a time or an IPv6 address it is a part of the word.
            guard index > 0, index + 1 < text.count else { return true }
            return Self.isPunctuation(text[index - 1]) || Self.isPunctuation(text[index + 1])
        default: return Self.isPunctuation(text[index])
        }
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "{"), UInt8(ascii: "}"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "="),
            UInt8(ascii: "?"), UInt8(ascii: "|"):
            true
        default: false
        }
    }
}

extension SampleText {
    /// Undoes `\xHH`, `\uHHHH`, a backslash before anything else, and `%HH`, once.
    private static func undoEscapes(_ text: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            let digits: Range<Int>
            switch byte {
            case UInt8(ascii: "%"): digits = index + 1..<index + 3
            case UInt8(ascii: "\\") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "x"):
                digits = index + 2..<index + 4
            case UInt8(ascii: "\\") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "u"):
                digits = index + 2..<index + 6
            case UInt8(ascii: "\\") where index + 1 < text.count:
                let isLetter = text[index + 1].isLetter
                output.append(isLetter ? 0x20 : text[index + 1])
                index += 2
                continue
            default:
                output.append(byte)
                index += 1
                continue
            }
            guard let number = number(text, digits) else {
                output.append(byte)
                index += 1
                continue
            }
            // Beyond ASCII it is masked anyhow.
            output.append(number < 0x100 ? UInt8(number) : 0xFF)
            index = digits.upperBound
        }
        return output
    }

    private static func number(_ text: Span<UInt8>, _ digits: Range<Int>) -> Int? {
        guard digits.upperBound <= text.count else { return nil }
        var number = 0
        for index in digits {
            guard let digit = text[index].hexValue else { return nil }
            number = number << 4 | Int(digit)
        }
        return number
    }
}
