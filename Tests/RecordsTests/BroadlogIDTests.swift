import Events
import Testing

import struct Reference.SplitMix64

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

    @Test func wordsOfDigitsAreReadAsNumbers() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<20_000 {
            let number = UInt64.random(in: 1...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random)
            guard number > 0, number >> 31 != 0x1_FFFF_FFFF else { continue }
            let text = String(number, radix: 16, uppercase: Bool.random(using: &random))
            guard BroadlogID(jsonText: text) == hex(number) else {
                Issue.record("\(text)")
                return
            }
        }
    }

    @Test(arguments: ["1685a5", "d", "ffffffffd7e15e5c", "6b6499a8-9d43-4bc5-acf0-b6aeb96846f6"])
    func everyByteOfAnIDCounts(id: String) {
        let spelling = Array(id.utf8)
        for place in spelling.indices {
            for byte in 0...UInt8.max {
                var spelling = spelling
                spelling[place] = byte
                let isDash = spelling.count == 36 && [8, 13, 18, 23].contains(place)
                let isValid = isDash ? byte == UInt8(ascii: "-") : byte.hexValue != nil
                // With other digits after it and with nothing after it.
                for more in [Array("0123456789abcdef".utf8), []] {
                    let text = spelling + more
                    switch BroadlogID.hexOrUUID(text.span, 0..<spelling.count) {
                    case .neither: #expect(!isValid)
                    case .zero: #expect(isValid && id == "d" && byte == 0x30)
                    case .id(let found):
                        let digits = String(decoding: spelling.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
                        #expect(isValid)
                        guard id.utf8.count < 16 || id.utf8.count == 36, isValid else { continue }
                        #expect(found.id.low == UInt64(digits.suffix(16), radix: 16))
                        #expect(found.id.high == UInt64(digits.dropLast(16), radix: 16) ?? 0)
                    }
                }
            }
        }
    }

    @Test(arguments: ["d57fd6", "0123456789abcdef", "z", "0123456789abcdefg"]) func everyByteOfADeliveryCounts(
        id: String
    ) {
        let spelling = Array(id.utf8)
        for place in spelling.indices {
            for byte in 0...UInt8.max {
                var text = spelling
                text[place] = byte
                var alone: [UInt8] = []
                var amongOthers: [UInt8] = []
                let isValid = DeliveryID.normalize(text.span, 0..<text.count, into: &alone)
                let more = text + Array("ABCDEFGHIJKLMNOPQ".utf8)
                #expect(DeliveryID.normalize(more.span, 0..<text.count, into: &amongOthers) == isValid)
                #expect(isValid == (byte >= 0x20) && alone == amongOthers)
                guard isValid, byte < 0x80 else { continue }
                #expect(String(decoding: alone, as: UTF8.self) == String(decoding: text, as: UTF8.self).lowercased())
            }
        }
    }
}
