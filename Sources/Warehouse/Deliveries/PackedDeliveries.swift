import Events

/// Rows of delivery files as bytes, one after the other:
///
///     06 64353766 6436   the id, after its length
///     03                 the platform: 0 for all, else 1 and its number
///     02                 which numbers follow: 1 sent_at, 2 sent, 4 delivered
///     96 01              sent: 150
///     04 57617665        label, campaign and variant, each after its length
///     00 00
///
/// Lengths and numbers have 7 bits a byte, lowest first; all bytes but the last have the highest bit.
struct PackedDeliveries: Sendable {
    private var bytes: [UInt8] = []

    var count: Int { bytes.count }

    /// Begins a row. `label`, `campaign` and `variant` must follow.
    mutating func append(id: Span<UInt8>, platform: Platform?, sentAt: Int64?, sent: Int?, delivered: Int?) {
        append(id)
        bytes.append(platform.map { $0.rawValue + 1 } ?? 0)
        bytes.append((sentAt == nil ? 0 : 1) | (sent == nil ? 0 : 2) | (delivered == nil ? 0 : 4))
        if let sentAt { append(number: UInt64(bitPattern: sentAt)) }
        if let sent { append(number: UInt64(sent)) }
        if let delivered { append(number: UInt64(delivered)) }
    }

    mutating func append(_ text: Span<UInt8>) {
        append(number: UInt64(text.count))
        text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// What a row says.
    func delivery(at offset: Int) -> Delivery {
        var offset = offset
        let id = text(&offset) ?? ""
        let (platform, numbers) = (bytes[offset], bytes[offset + 1])
        offset += 2
        let sentAt = numbers & 1 == 0 ? nil : Int64(bitPattern: number(&offset))
        let sent = numbers & 2 == 0 ? nil : Int(number(&offset))
        let delivered = numbers & 4 == 0 ? nil : Int(number(&offset))
        return Delivery(
            id: id, platform: platform == 0 ? nil : Platform(rawValue: platform - 1), label: text(&offset),
            campaign: text(&offset), variant: text(&offset), sentAt: sentAt, sent: sent, delivered: delivered)
    }

    /// The order of the ids of two rows, byte by byte: negative, 0 or positive.
    func order(_ a: Int, _ b: Int) -> Int {
        var b = b
        let range = range(&b)
        return order(a, bytes.span.extracting(range))
    }

    /// The order of a row's id and another.
    func order(_ offset: Int, _ id: Span<UInt8>) -> Int {
        var offset = offset
        let range = range(&offset)
        for index in 0..<min(range.count, id.count) {
            let (a, b) = (bytes[range.lowerBound + index], id[index])
            if a != b { return a < b ? -1 : 1 }
        }
        return range.count - id.count
    }

    /// The text at an offset, which is moved past it; nil if it is empty.
    private func text(_ offset: inout Int) -> String? {
        let range = range(&offset)
        return range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self)
    }

    private func range(_ offset: inout Int) -> Range<Int> {
        let count = Int(number(&offset))
        offset += count
        return offset - count..<offset
    }

    @inline(__always)
    private func number(_ offset: inout Int) -> UInt64 {
        if bytes[offset] < 0x80 {
            offset += 1
            return UInt64(bytes[offset - 1])
        }
        return longNumber(&offset)
    }

    private func longNumber(_ offset: inout Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }
}
