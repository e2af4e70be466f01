/// The id of a message in the one form of all its spellings: `hex:3039`, `uuid:…` or `opaque:…`.
package typealias BroadlogID = Bytes

private func hasControlByte(_ bytes: Bytes) -> Bool {
    bytes.contains { $0 < 0x20 }
}

private func isUUID(_ bytes: Bytes) -> Bool {
    let groups = bytes.pieces("-")
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy(\.isHex)
}

/// The form of a UUID or of 1 to 16 hex digits. Nil for anything else and for 0.
private func normalised(_ bytes: Bytes) -> BroadlogID? {
    if isUUID(bytes) { return Bytes("uuid:") + bytes.lowercased }
    guard bytes.isHex, bytes.count <= 16 else { return nil }
    var digits = Bytes(bytes.lowercased.drop { $0 == UInt8(ascii: "0") })
    if digits.isEmpty { return nil }
    if digits.count == 16, digits.hasPrefix("ffffffff"), let ninth = hexValue(digits[8]), ninth >= 8 {
        digits = Bytes(digits.suffix(8))
    }
    return Bytes("hex:") + digits
}

private func isMessageNumber(_ bytes: Bytes) -> Bool {
    isUUID(bytes) || (bytes.isHex && bytes.count <= 16)
}

/// The first part of a collector's `id`, trimmed.
package func broadlogID(collector part: Bytes) -> BroadlogID? {
    guard let letter = part.first, (0x61...0x7A).contains(letter) || (0x41...0x5A).contains(letter) else { return nil }
    return normalised(Bytes(part.dropFirst()))
}

/// The second part of a collector's `id`, or a JSON string, trimmed.
package func deliveryID(_ text: Bytes) -> Bytes? {
    guard (1...128).contains(text.count), !hasControlByte(text) else { return nil }
    return Bytes(text.text).lowercased
}

package enum JSONID {
    case missing
    case malformed
    case id(Bytes)
}

package func broadlogID(json value: JSONTree?) -> JSONID {
    guard let value, !value.isNull else { return .missing }
    if let literal = value.integerLiteral {
        guard let number = UInt64(literal.text), number > 0 else { return .malformed }
        return normalised(Bytes(String(number, radix: 16))).map { .id($0) } ?? .malformed
    }
    guard let text = value.string?.trimmed else { return .malformed }
    if text.isEmpty { return .missing }
    if hasControlByte(text) { return .malformed }
    let hasLetter = text.first == UInt8(ascii: "h") || text.first == UInt8(ascii: "H")
    if hasLetter, isMessageNumber(Bytes(text.dropFirst())) {
        return normalised(Bytes(text.dropFirst())).map { .id($0) } ?? .malformed
    }
    if isMessageNumber(text) { return normalised(text).map { .id($0) } ?? .malformed }
    return text.count <= 128 ? .id(Bytes("opaque:") + text) : .malformed
}

/// An id that several values make together.
package func broadlogID(parts: [JSONTree?]) -> JSONID {
    var texts: [Bytes] = []
    var isMalformed = false
    for part in parts {
        guard let part, !part.isNull else { return .missing }
        guard let text = (part.string ?? part.integerLiteral)?.trimmed else {
            isMalformed = true
            continue
        }
        if text.isEmpty { return .missing }
        isMalformed = isMalformed || text.count > 512 || hasControlByte(text)
        texts.append(isUUID(text) ? text.lowercased : text)
    }
    return isMalformed ? .malformed : .id(Bytes("opaque:") + Bytes(texts.joined(separator: [0x1F])))
}

package func deliveryID(json value: JSONTree?) -> JSONID {
    guard let value, !value.isNull else { return .missing }
    if let literal = value.integerLiteral {
        return deliveryID(literal).map { .id($0) } ?? .malformed
    }
    guard let text = value.string?.trimmed else { return .malformed }
    if text.isEmpty { return .missing }
    return deliveryID(text).map { .id($0) } ?? .malformed
}
