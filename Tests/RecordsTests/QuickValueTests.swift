import Events
import Foundation
import Testing

@testable import Records

/// Every value that is read several bytes at a time is what reading it byte by byte says, whatever byte stands where.
@Suite struct QuickValueTests {
    /// Each byte replaced by all others. Tells the first text that is read in another way.
    private func expectAlike(_ text: String, _ isAlike: ([UInt8]) -> Bool) {
        let bytes = Array(text.utf8)
        for place in bytes.indices {
            var variant = bytes
            for byte in UInt8.min...UInt8.max {
                variant[place] = byte
                if isAlike(variant) { continue }
                Issue.record("\(String(decoding: variant, as: UTF8.self))")
                return
            }
        }
    }

    private func quickTime(_ clock: inout ReceiptClock, _ text: [UInt8]) -> Int64? {
        text.withUnsafeBytes { UncheckedBytes($0).flatMap { clock.timeLocal($0, of: text.span, at: 0) } }
    }

    /// The clock remembers the second, the minute and the day of the line before.
    @Test(arguments: [
        ["19/Nov/2026:06:30:00 +0100"], ["19/Nov/2026:06:30:59 +0100"], ["19/Nov/2026:06:31:00 +0100"],
        ["19/Nov/2026:23:59:59 +0100"], ["20/Nov/2026:06:30:00 +0100"], ["19/Nov/2026:06:30:60 +0100"],
        ["19/Nov/2026:06:30:00 -0100"], ["19/Nov/2026:06:30:00 +0100", "18/Nov/2026:06:30:00 +0100"],
        ["19/Nov/2026:06:30:60 +0100", "19/Nov/2026:06:29:07 +0100"], ["29/Mar/2026:01:00:00.00000"], [],
    ])
    func aTimeIsTheSameWhateverStoodBefore(before: [String]) {
        var warm = ReceiptClock(RecordRules.madrid)
        for text in before { #expect(quickTime(&warm, Array(text.utf8)) != nil) }
        // The clocks have changed between the last of them and the one before it.
        for text in ["19/Nov/2026:06:30:00 +0100", "19/Nov/2026:10:59:48 +0100", "29/Mar/2026:05:00:00.00000"] {
            expectAlike(text) { variant in
                var zoned = ReceiptClock(RecordRules.madrid)
                let expected = (try? CivilTime.timeLocal(variant.span, in: 0..<variant.count)).map { zoned.instant($0) }
                var clock = warm
                let isSame = quickTime(&clock, variant) == expected && quickTime(&clock, variant) == expected
                var thorough = warm
                return isSame && thorough.time(variant.span, in: 0..<variant.count, as: .timeLocal) == expected
            }
        }
    }

    /// Digit by digit.
    private func number(_ text: ArraySlice<UInt8>) -> UInt64? {
        var number = 0 as UInt64
        for byte in text {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    private func expectedHex(_ text: [UInt8]) -> EventID? {
        guard let number = number(text[...]), number != 0 else { return nil }
        let isExtended = text.count == 16 && number >= 0xFFFF_FFFF_8000_0000
        return EventID(high: 0, low: isExtended ? number & 0xFFFF_FFFF : number)
    }

    @Test func hexadecimalIDsAreReadDigitByDigit() {
        for length in 1...16 {
            for id in ["ffffffffd7e15e5c", "0000000000000000", "9aF0c3B1d57fd6e8"].map({ String($0.suffix(length)) }) {
                expectAlike(id) { variant in
                    // With enough after it, the digits are read at once.
                    [[], Array("0123456789abcdef".utf8)].allSatisfy { rest in
                        let text = variant + rest
                        let found: EventID? =
                            switch BroadlogID.hexOrUUID(text.span, in: 0..<length) {
                            case .id(let id): id.id
                            case .zero, .neither: nil
                            }
                        return found == expectedHex(variant)
                    }
                }
            }
        }
    }

    @Test func uuidsAreReadDigitByDigit() {
        for id in ["6b6499a8-9d43-4bc5-acf0-b6aeb96846f6", "00000000-0000-0000-0000-000000000000"] {
            expectAlike(id) { variant in
                let groups = variant.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
                var expected: EventID?
                let digits = Array(groups.joined())
                if groups.map(\.count) == [8, 4, 4, 4, 12], let high = number(digits[..<16]),
                    let low = number(digits[16...])
                {
                    expected = EventID(high: high, low: low)
                }
                return BroadlogID.uuid(variant.span, at: 0)?.id == expected
            }
        }
    }

    @Test func deliveryIDsAreReadByteByByte() {
        for length in [1, 2, 15, 16, 17] {
            expectAlike(String("d57fd6e8a0b1z9y8x".prefix(length))) { variant in
                var expected: [UInt8]?
                if !variant.contains(where: { $0 < 0x20 }) {
                    let lower = variant.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
                    expected = Array(String(decoding: lower, as: UTF8.self).utf8)
                }
                return [[], Array("0123456789abcdef".utf8)].allSatisfy { rest in
                    var found: [UInt8] = [0]
                    let isID = DeliveryID.normalize((variant + rest).span, in: 0..<length, into: &found)
                    return isID ? found == expected : expected == nil
                }
            }
        }
    }
}
