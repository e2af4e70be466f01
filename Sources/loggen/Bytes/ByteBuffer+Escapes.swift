/// The spellings that writers of logs give to bytes.
extension ByteBuffer {
    /// nginx's default: below 0x20, quote, backslash and from 0x7F on as `\xHH`.
    mutating func appendNginxEscaped(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x7F {
                append(0x5C)
                append(0x78)
                append(Self.upperHex(byte >> 4))
                append(Self.upperHex(byte & 15))
            } else {
                append(byte)
            }
        }
    }

    /// Apache's: a backslash before a quote and a backslash, `\n` and its like, and else `\xhh` in lower case.
    mutating func appendApacheEscaped(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 0x22: append("\\\"")
            case 0x5C: append("\\\\")
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0B: append("\\v")
            case 0x0D: append("\\r")
            case 0..<0x20, 0x7F...:
                append("\\x")
                append(hex: UInt64(byte), digits: 2)
            default: append(byte)
            }
        }
    }

    /// CloudFront's: control bytes, spaces, bytes from 0x7F on and some others as `%HH`, a percent sign as well. So what
    /// the client escaped is escaped twice.
    mutating func appendCloudFrontEncoded(_ bytes: UnsafeRawBufferPointer, spaces: StaticString = "%20") {
        for byte in bytes {
            switch byte {
            case 0x20: append(spaces)
            case 0..<0x20, 0x7F..., 0x22, 0x23, 0x25, 0x27, 0x3C, 0x3E, 0x5B...0x5E, 0x60, 0x7B...0x7E:
                append("%")
                append(Self.upperHex(byte >> 4))
                append(Self.upperHex(byte & 15))
            default: append(byte)
            }
        }
    }

    /// nginx's `escape=json`, and JSON's own: bytes from 0x7F on stay as they are.
    mutating func appendJSONEscaped(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 0x22: append("\\\"")
            case 0x5C: append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20:
                append("\\u00")
                append(Self.upperHex(byte >> 4))
                append(Self.upperHex(byte & 15))
            default: append(byte)
            }
        }
    }

    /// A form body: unreserved bytes as they are, a space as `+`, all else as `%HH`.
    mutating func appendFormEncoded(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: append(byte)
            case 0x20: append(0x2B)
            default:
                append(0x25)
                append(Self.upperHex(byte >> 4))
                append(Self.upperHex(byte & 15))
            }
        }
    }

    private static func upperHex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? 0x30 + digit : 0x37 + digit
    }
}
