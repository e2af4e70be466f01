/// A delivery id: 1–128 bytes, none below 0x20; in lower case; broken UTF-8 is repaired, as SQLite and BI tools want text.
enum DeliveryID {
    /// Replaces `output` by the id in `range`, which is trimmed; false if it is malformed.
    static func normalize(_ text: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]) -> Bool {
        guard (1...128).contains(range.count) else { return false }
        if range.count <= 16, range.lowerBound + 16 <= text.count,
            text.leadingPlain(at: range.lowerBound) >= range.count
        {
            output.removeAll(keepingCapacity: true)
            output.append(text, range)
            return true
        }
        var all = 0 as UInt8
        var hasCapital = false
        for index in range {
            let byte = text[index]
            guard byte >= 0x20 else { return false }
            all |= byte
            hasCapital = hasCapital || byte &- 0x41 < 26
        }
        output.removeAll(keepingCapacity: true)
        output.append(text, range)
        if hasCapital {
            for index in output.indices { output[index] = output[index].lowerCased }
        }
        if all >= 0x80 { output = Array(String(decoding: output, as: UTF8.self).utf8) }
        return true
    }
}

extension Span<UInt8> {
    func hasControl(_ range: Range<Int>) -> Bool {
        for index in range where self[index] < 0x20 { return true }
        return false
    }
}
