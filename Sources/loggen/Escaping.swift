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

    /// A form body: all but unreserved bytes as `%HH`.
    static let form = Escaping([" ": "+"], "%") { byte in
        isControl(byte) || !(Unicode.Scalar(byte).properties.isAlphabetic || "0123456789-._~".utf8.contains(byte))
    }

    /// As `Layouts.txt` and `Oddities.tsv` name them.
    static let named = [
        "nginx": Escaping([:], "\\x") { isControl($0) || $0 == 0x22 || $0 == 0x5C },
        "apache": Escaping(quotes, "\\x", inLowerCase: true, isSpecial: isControl),
        "w3c": Escaping([" ": "+"], "") { _ in false },
        // What the client escaped is escaped twice, and spaces always.
        "cloudfront": Escaping([" ": "%2520"], "%") { isControl($0) || "\"#%'<>[\\]^`{|}~".utf8.contains($0) },
        // nginx's `escape=json`, and JSON's own: bytes from 0x7F on stay as they are.
        "json": Escaping(quotes, "\\u00") { $0 < 0x20 },
        // Every byte of a form escaped, as other encoders do.
        "whole": Escaping([:], "%", inLowerCase: true) { _ in true },
    ]
}
