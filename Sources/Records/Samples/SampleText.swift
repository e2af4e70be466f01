/// A record that is being masked.
struct SampleText {
    /// The most bytes of a sample.
    static let limit = 200
    /// Stands for what is not shown.
    static let mask = ascii("***")

    private let text: [UInt8]
    private let keys: SampleKeys
    private var output: [UInt8] = []
    /// The range of the value of a tracking request's `id`, after the request has been reached.
    private var trackingID = 0..<0

    init(undoingEscapesOf evidence: Span<UInt8>, keys: SampleKeys) {
        self.keys = keys
        var bytes: [UInt8] = []
        bytes.append(evidence, in: 0..<min(evidence.count, 4096))
        // Escapes may have been escaped again on the way into a log.
        for _ in 0..<5 {
            let undone = Self.undoEscapes(bytes.span)
            if undone.count == bytes.count { break }
            bytes = undone
        }
        text = bytes
    }

    /// The sample; call it once.
    mutating func masked() -> String {
        var index = 0
        while index < text.count, output.count < Self.limit { index = write(from: index) }
        return String(decoding: output.prefix(Self.limit), as: UTF8.self)
    }

    /// Writes the word or the punctuation at `start`, shown or masked. Returns the index after it.
    private mutating func write(from start: Int) -> Int {
        if start == trackingID.lowerBound, !trackingID.isEmpty { return writeTrackingID() }
        let word = word(at: start)
        if word.isEmpty { return showPunctuation(start..<start + 1) }
        if let path = trackingPath(word) {
            trackingID = self.trackingID(ofQueryAt: word.upperBound, quote: openingQuote(ofTarget: word))
            if path != word { mask() }
            return show(path)
        }
        if let next = valueStart(after: word), let kind = keys.kinds[String(decoding: text[word], as: UTF8.self)] {
            return writeValue(from: next, of: word, kind: kind)
        }
        if let time = timeInTwoWords(word) { return show(time) }
        return SampleWords.mayShow(Array(text[word])) || isStatus(word) ? show(word) : mask(word)
    }

    /// Writes a key and the punctuation after it. Writes the value, too, if it has the form that belongs to the key.
    private mutating func writeValue(from start: Int, of key: Range<Int>, kind: SampleKeys.Kind) -> Int {
        _ = show(key)
        _ = showPunctuation(key.upperBound..<start)
        guard let value = value(at: start), keys.mayShow(Array(text[value]), as: kind) else { return start }
        return show(value)
    }

    /// Writes `h1685a5,d57fd6,7`: two ids and the code of an action.
    private mutating func writeTrackingID() -> Int {
        let parts = text[trackingID].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let kinds: [SampleKeys.Kind] = [.id, .id, .code]
        for (index, part) in parts.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if index < kinds.count, keys.mayShow(Array(part), as: kinds[index]) {
                output += part
            } else if !part.isEmpty {
                mask()
            }
        }
        return trackingID.upperBound
    }

    private mutating func show(_ range: Range<Int>) -> Int {
        output += text[range]
        return range.upperBound
    }

    private mutating func showPunctuation(_ range: Range<Int>) -> Int {
        for byte in text[range] { output.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte) }
        return range.upperBound
    }

    private mutating func mask(_ word: Range<Int>) -> Int {
        mask()
        return word.upperBound
    }

    /// Masks a word. Several masked words in a row become one mask.
    private mutating func mask() {
        let mask = Self.mask
        if output.last == 0x20, output.dropLast().suffix(3).elementsEqual(mask) { output.removeLast() }
        if !output.suffix(3).elementsEqual(mask) { output += mask }
    }
}

extension SampleText {
    /// The word at `start`; empty if there is punctuation.
    private func word(at start: Int) -> Range<Int> {
        var end = start
        while end < text.count, !isSeparator(end) { end += 1 }
        return start..<end
    }

    /// The path of a word that is the target of a tracking request: `/r/` or, after a method, `https://host:443//r`.
    private func trackingPath(_ word: Range<Int>) -> Range<Int>? {
        let target = RequestTarget(text.span, in: word)
        guard Self.trackingPaths.contains(where: { target.hasPath($0, in: text.span) }) else { return nil }
        // A referer, or the rest of one, is not a request.
        let before = text[..<word.lowerBound]
        let isRequest =
            target.path == word ? !before.isEmpty : Self.methods.contains { before.suffix($0.count).elementsEqual($0) }
        return isRequest ? target.path : nil
    }

    private static let trackingPaths = [ascii("/r/"), ascii("/r")]
    private static let methods = [ascii("GET "), ascii("POST ")]

    /// The quote before a request; nil without one. The request begins with this target, or with a method before it.
    private func openingQuote(ofTarget word: Range<Int>) -> UInt8? {
        var start = word.lowerBound
        if start > 0, text[start - 1] == 0x20 {
            start -= 1
            while start > 0, text[start - 1].isLetter { start -= 1 }
        }
        return start > 0 && Self.isQuote(text[start - 1]) ? text[start - 1] : nil
    }

    /// Where the value of the first parameter `id` stands in the query that begins at `start`. Without one the range is
    /// empty.
    /// - Parameter quote: the quote that ends the query. Any other quote belongs to a value, as in `O'Brien`.
    private func trackingID(ofQueryAt start: Int, quote: UInt8?) -> Range<Int> {
        guard start < text.count, text[start] == UInt8(ascii: "?") else { return 0..<0 }
        let end =
            text.indices[start...].first { text[$0] <= 0x20 || text[$0] == quote && endsRequest($0) } ?? text.count
        var parameters = Parameters(start + 1..<end)
        while let (name, value) = parameters.next(text.span) {
            if text[name].elementsEqual(ascii("id")) { return value }
        }
        return 0..<0
    }

    /// Whether the quote at `index` can end a request. Before a letter it belongs to a value.
    private func endsRequest(_ index: Int) -> Bool {
        let next = index + 1
        return next == text.count || text[next] <= 0x20 || ascii(",;|]}").contains(text[next])
    }

    /// The index of the value if the word is a key, which is followed by `:` or `=`, with optional quotes and spaces.
    private func valueStart(after word: Range<Int>) -> Int? {
        var index = word.upperBound
        if index < text.count, Self.isQuote(text[index]) { index += 1 }
        while index < text.count, text[index] == 0x20 { index += 1 }
        guard index < text.count, [UInt8(ascii: ":"), UInt8(ascii: "=")].contains(text[index]) else { return nil }
        index += 1
        while index < text.count, text[index] == 0x20 { index += 1 }
        if index < text.count, Self.isQuote(text[index]) { index += 1 }
        return index
    }

    /// The range of the value at `start`. After a quote it extends to the next such quote, otherwise to the end of the
    /// word. Nil if it has no proper end, since then it may go on.
    private func value(at start: Int) -> Range<Int>? {
        let quote = text[start - 1]
        let isQuoted = Self.isQuote(quote)
        let end = isQuoted ? text[start...].firstIndex(of: quote) : word(at: start).upperBound
        guard let end else { return nil }
        let next = isQuoted ? end + 1 : end
        return next == text.count || Self.ends.contains(text[next]) ? start..<end : nil
    }

    /// What may follow a value.
    private static let ends = ascii(" ,&]}")

    /// The range of a time of two words, `19/Nov/2026:10:00:00 +0100` or `2026-11-19 10:00:00`, that begins with this
    /// word.
    private func timeInTwoWords(_ word: Range<Int>) -> Range<Int>? {
        guard word.upperBound < text.count, text[word.upperBound] == 0x20 else { return nil }
        let both = word.lowerBound..<self.word(at: word.upperBound + 1).upperBound
        return SampleWords.isTime(Array(text[both])) ? both : nil
    }

    /// Whether the word is a status: three digits directly after a quoted request.
    private func isStatus(_ word: Range<Int>) -> Bool {
        guard word.count == 3, word.lowerBound >= 2, word.upperBound == text.count || text[word.upperBound] == 0x20,
            text[word.lowerBound - 2] == UInt8(ascii: "\""), text[word.lowerBound - 1] == 0x20,
            let status = text.span.number(at: word.lowerBound, digits: 3)
        else { return false }
        return (100..<600).contains(status)
    }

    private func isSeparator(_ index: Int) -> Bool {
        guard text[index] == UInt8(ascii: ":") else { return Self.isPunctuation(text[index]) }
        // Within a time or an IPv6 address, a colon belongs to the word.
        return index == 0 || index + 1 == text.count || Self.isPunctuation(text[index - 1])
            || Self.isPunctuation(text[index + 1])
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || marks.contains(byte)
    }

    private static let marks = ascii("\"'{}[]()<>,;&=?|")
}

extension SampleText {
    /// Undoes `\xHH`, `\uHHHH`, a backslash before another character, and `%HH`, once.
    static func undoEscapes(_ text: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            let next = index + 1 < text.count ? text[index + 1] : nil
            let digits: Range<Int>?
            switch (byte, next) {
            case (UInt8(ascii: "%"), _): digits = index + 1..<index + 3
            case (UInt8(ascii: "\\"), UInt8(ascii: "x")): digits = index + 2..<index + 4
            case (UInt8(ascii: "\\"), UInt8(ascii: "u")): digits = index + 2..<index + 6
            case (UInt8(ascii: "\\"), let next?):
                output.append(next.isLetter ? 0x20 : next)
                index += 2
                continue
            default: digits = nil
            }
            guard let digits, digits.upperBound <= text.count, let number = text.hexNumber(digits) else {
                output.append(byte)
                index += 1
                continue
            }
            // Bytes above ASCII are masked anyway.
            output.append(number < 0x100 ? UInt8(number) : 0xFF)
            index = digits.upperBound
        }
        return output
    }
}
