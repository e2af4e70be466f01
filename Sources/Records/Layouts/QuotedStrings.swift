/// The joined content of quoted strings, as a format stands in nginx's or Apache's configuration:
///
///     '$remote_addr - $remote_user [$time_local] '
///     '"$request" $status';
enum QuotedStrings {
    /// Nil if the text is something else. Escapes are not replaced. A format may itself begin with a double quote, as in
    /// `"$request" "$status"`. So a text that begins with one must also hold an escaped quote, or no quotes but the first
    /// and the last, and several values between them.
    static func joined(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let first = bytes.first { !$0.isWhiteSpace }
        guard first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") && isSurelyQuoted(text) else { return nil }
        var content: [UInt8] = []
        var quote: UInt8?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch quote {
            case byte: quote = nil
            case .some:
                content.append(byte)
                guard byte == UInt8(ascii: "\\"), index < bytes.count else { continue }
                content.append(bytes[index])
                index += 1
            case nil where byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\""): quote = byte
            case nil where byte.isWhiteSpace: continue
            case nil:
                guard byte == UInt8(ascii: ";"), bytes[index...].allSatisfy(\.isWhiteSpace) else { return nil }
            }
        }
        return quote == nil ? String(decoding: content, as: UTF8.self) : nil
    }

    private static func isSurelyQuoted(_ text: String) -> Bool {
        if text.contains("\\\"") { return true }
        let values = text.count { $0 == "$" || $0 == "%" }
        return values > 1 && text.count { $0 == "\"" } == 2
    }
}
