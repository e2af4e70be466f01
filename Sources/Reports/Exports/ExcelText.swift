import Partitions

/// A text as Excel takes it for a text: the formula `="1e5"`. Excel would make the number 100000 of `1e5`, a day of `1-2`,
/// and a formula of `=1+1`.
enum ExcelText {
    /// Columns with names that others gave. Their values are always written as a formula.
    private static let names: Set = ["delivery_id", "label", "campaign", "variant"]
    /// The longest text that Excel allows between two quotes.
    private static let limit = 255

    /// Whether a value of a column is written as a formula. Of other columns these are texts that begin with anything but
    /// an ASCII letter.
    static func isNeeded(for text: UnsafeRawBufferPointer, in column: Table.Column) -> Bool {
        guard column.type == .text, let first = text.first else { return false }
        let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20
        return names.contains(column.name) || !isLetter
    }

    /// A long text is made of several, `="…"&"…"`.
    static func formula(of text: UnsafeRawBufferPointer) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var formula = [UInt8(ascii: "="), quote]
        var count = 0
        for byte in text {
            let beginsCharacter = byte & 0xC0 != 0x80
            // A character has at most four bytes.
            if count > limit - 4, beginsCharacter {
                formula += [quote, UInt8(ascii: "&"), quote]
                count = 0
            }
            if byte == quote { formula.append(quote) }
            formula.append(byte)
            count += 1
        }
        return formula + [quote]
    }
}
