import Events
import Testing

@testable import Records

@Suite struct BroadlogIDTests {
    private func hex(_ number: UInt64) -> BroadlogID {
        BroadlogID(kind: .hex, id: EventID(high: 0, low: number))
    }

    @Test(
        arguments: [
            ("h1685A5", 0x1685a5), ("1685a5", 0x1685a5), ("h00001685a5", 0x1685a5), ("  H1685a5\t", 0x1685a5),
            ("12345", 0x12345),
            ("d57fd6", 0xd57fd6), ("ffffffffd7e15e5c", 0xd7e1_5e5c), ("hffffffff7fffffff", 0xffff_ffff_7fff_ffff),
            ("0000000000000001", 1), ("ffffffffffffffff", 0xffff_ffff),
        ] as [(String, UInt64)])
    func hexadecimalIDs(text: String, number: UInt64) {
        #expect(BroadlogID(jsonText: text) == hex(number))
    }

    @Test(arguments: ["6b6499a8-9d43-4bc5-acf0-b6aeb96846f6", "h6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6"])
    func uuids(text: String) {
        let id = EventID(high: 0x6b64_99a8_9d43_4bc5, low: 0xacf0_b6ae_b968_46f6)
        #expect(BroadlogID(jsonText: text) == BroadlogID(kind: .uuid, id: id))
    }

    @Test(arguments: ["", " \n", "h0", "0", "0000", "a\u{1}b", String(repeating: "x", count: 129)])
    func malformedIDs(text: String) {
        #expect(BroadlogID(jsonText: text) == nil)
    }

    @Test(arguments: [
        "h", "s1685a5", "hSOC1", "12345678901234567", "h12345678901234567", "T-ab3ae1e11a12771a-9831-0", "陌",
        "6b6499a8-9d43-4bc5-acf0-b6aeb96846f", "6b6499a8+9d43-4bc5-acf0-b6aeb96846f6",
        String(repeating: "x", count: 128),
    ])
    func everyOtherTextIsOpaque(text: String) {
        #expect(BroadlogID(jsonText: text)?.kind == .opaque)
    }

    @Test func anOpaqueIDIsTheFrontOfItsDigest() {
        // SHA-256 of "abc-": the case counts, the white space around it does not.
        #expect(BroadlogID(jsonText: "xyz") == BroadlogID(jsonText: " xyz "))
        #expect(BroadlogID(jsonText: "xyz") != BroadlogID(jsonText: "Xyz"))
        #expect(
            BroadlogID(jsonText: "hello world")?.id == EventID(high: 0xb94d_27b9_934d_3e08, low: 0xa52e_52d7_da7d_abfa))
    }

    @Test(
        arguments: [
            ("12345", 0x3039), ("18446744073709551615", 0xffff_ffff), ("9223372036854775807", 0x7fff_ffff_ffff_ffff),
            ("1", 1),
            ("0", nil), ("-0", nil), ("-5", nil), ("18446744073709551616", nil), ("99999999999999999999999", nil),
        ] as [(String, UInt64?)])
    func integersAreTheirValue(text: String, number: UInt64?) {
        let bytes = Array(text.utf8)
        let id = BroadlogID(integer: bytes.span, 0..<bytes.count)
        #expect(id == number.map(hex))
    }
}
