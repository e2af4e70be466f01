import Reference

/// How a writer of logs spells the bytes that are special to it.
struct Escaping: Sendable {
    /// By byte; nil for one that stays as it is.
    private let spelled: [Bytes?]

    /// - Parameters:
    ///   - texts: bytes with a spelling of their own.
    ///   - prefix: what stands before the two digits of the other special bytes.
    private init(
        _ texts: [Unicode.Scalar: String], _ prefix: String, inLowerCase: Bool = false, isSpecial: (UInt8) -> Bool
    ) {
        spelled = (0...255).map { (byte: UInt8) in
            if let text = texts[Unicode.Scalar(byte)] { return Bytes(text) }
            let digits = String(UInt16(byte) + 0x100, radix: 16, uppercase: !inLowerCase).dropFirst()
            return isSpecial(byte) ? Bytes(prefix + digits) : nil
        }
    }

    func append(_ text: Bytes, to line: inout Bytes) {
        for byte in text {
            if let bytes = spelled[Int(byte)] { line += bytes } else { line.append(byte) }
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte >= 0x7F }

    private static let quotes: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]

    /// nginx's default: `\xHH`.
    static let nginx = Escaping([:], "\\x") { isControl($0) || $0 == 0x22 || $0 == 0x5C }

    /// Apache's: a backslash before a quote and a backslash, `\n` and its like, and else `\xhh`.
    static let apache = Escaping(
        quotes.merging(["\u{8}": "\\b", "\u{B}": "\\v"]) { $1 }, "\\x", inLowerCase: true, isSpecial: isControl)

    /// W3C's, as IIS writes it.
    static let w3c = Escaping([" ": "+"], "") { _ in false }

    /// CloudFront's, with a percent sign as well. So what the client escaped is escaped twice, and spaces always.
    static let cloudfront = Escaping([" ": "%2520"], "%") {
        isControl($0) || "\"#%'<>[\\]^`{|}~".utf8.contains($0)
    }

    /// nginx's `escape=json`, and JSON's own: bytes from 0x7F on stay as they are.
    static let json = Escaping(quotes, "\\u00") { $0 < 0x20 }

    /// A form body: all but unreserved bytes as `%HH`.
    static let form = Escaping([" ": "+"], "%") { byte in
        isControl(byte) || !(Unicode.Scalar(byte).properties.isAlphabetic || "0123456789-._~".utf8.contains(byte))
    }

    /// Every byte escaped, as other encoders of forms do.
    static let wholeForm = Escaping([:], "%", inLowerCase: true) { _ in true }
}
