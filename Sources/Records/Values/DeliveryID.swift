import CVectors

/// Delivery ids: 1 to 128 bytes, no byte below 0x20. The normal form is in lower case. Invalid UTF-8 is repaired,
/// because SQLite and BI tools need valid text.
package enum DeliveryID {
    /// Replaces `output` by the normal form of the id in `range`, which has no white space at both ends. Returns false
    /// if the id is malformed.
    package static func normalize(_ text: Span<UInt8>, in range: Range<Int>, into output: inout [UInt8]) -> Bool {
        guard (1...128).contains(range.count) else { return false }
        if range.count <= 16, range.lowerBound + 16 <= text.count,
            text.leadingAlphanumerics(at: range.lowerBound) >= range.count
        {
            output.removeAll(keepingCapacity: true)
            output.append(text, in: range)
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
        output.append(text, in: range)
        if hasCapital {
            for index in output.indices { output[index] = output[index].lowerCased }
        }
        if all >= 0x80 { output = Array(String(decoding: output, as: UTF8.self).utf8) }
        return true
    }
}
