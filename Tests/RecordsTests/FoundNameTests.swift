import Events
import Testing

@testable import Records

/// What a record calls its delivery.
struct FoundNameTests {
    @Test(arguments: [
        ("Black Friday", "Black Friday"), (" \tWave 2 ", "Wave 2"), ("", nil), (" ", nil), ("ana@example.com", nil),
        (String(repeating: "a", count: 201), String(repeating: "a", count: 200)),
        // 199 bytes, and no room for the two of the next letter.
        ("x" + String(repeating: "é", count: 150), "x" + String(repeating: "é", count: 99)),
        (String(repeating: "\u{1F4E3}", count: 60), String(repeating: "\u{1F4E3}", count: 50)),
    ])
    func aNameHasTheWholeLettersOfTwoHundredBytes(written: String, name: String?) {
        #expect(found(Array(written.utf8)) == name)
    }

    /// As in CSV. Each such byte becomes three.
    @Test func bytesThatAreNoTextCountAsTheyAreStored() {
        #expect(found([0xFF, 0x41]) == "\u{FFFD}A")
        #expect(found(Array(repeating: 0xFF, count: 300)) == String(repeating: "\u{FFFD}", count: 66))
        #expect(found(Array("a".utf8) + Array(repeating: 0xC3, count: 300))?.utf8.count == 199)
    }

    private func found(_ bytes: [UInt8]) -> String? {
        let name = FoundName(.label, from: bytes.span, in: bytes.span.trimmed(0..<bytes.count))
        return name.map { String(decoding: $0.text, as: UTF8.self) }
    }
}
