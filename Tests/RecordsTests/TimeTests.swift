import Calendar
import Foundation
import Testing

import struct Reference.JSONReader
import enum Reference.ReceiptTime
import struct Reference.Zone
import func Reference.payloadTime

@testable import Records

@Suite struct TimeTests {
    private func iso(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let time = CivilTime(iso: bytes.span, in: 0..<bytes.count, dateAlone: true).map {
            $0.instant(offset: $0.offset ?? 0)
        }
        #expect(payloadTime(JSONReader.document([0x22] + bytes + [0x22]), zone: Zone("UTC")).map { Int64($0) } == time)
        return time
    }

    private func payload(_ text: String, exponent: Bool = true) -> Int64? {
        let bytes = Array(text.utf8)
        return EpochTime.payloadTime(bytes.span, in: 0..<bytes.count, exponent: exponent)
    }

    @Test(
        arguments: [
            ("2013-07-16T19:20:30+01:00", 1_373_998_830_000), ("2013-07-16T19:20:30:123+0100", 1_373_998_830_123),
            ("2013-07-16 19:20:30.1239999-08", 1_374_031_230_123), ("2017-05-12T18:47:12Z", 1_494_614_832_000),
            ("2017-05-12T18:47:12", 1_494_614_832_000), ("2017-05-12T18:47:12.5", 1_494_614_832_500),
            ("2017-05-12", 1_494_547_200_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("2024-02-29", 1_709_164_800_000),
            ("0000-01-01", -62_167_219_200_000), ("1969-12-31T23:59:59.250Z", -750),
            ("2017-05-12T18:47:12.05Z", 1_494_614_832_050),
            ("2023-02-29", nil), ("1900-02-29", nil), ("2017-13-01", nil), ("2017-00-01", nil), ("2017-01-00", nil),
            ("2017-04-31", nil), ("2017-05-12T24:00:00", nil), ("2017-05-12T18:60:12", nil),
            ("2017-05-12T18:47:61", nil),
            ("2017-05-12T18:47", nil), ("2017-05-12t18:47:12", nil), ("2017-05-12T18:47:12z", nil),
            ("2017-05-12T18:47:12.", nil), ("2017-05-12T18:47:12+1", nil), ("2017-05-12T18:47:12+24", nil),
            ("2017-05-12T18:47:12+01:60", nil), ("2017-05-12T18:47:12+01:0", nil),
            ("2017-05-12T18:47:12 +0100", 1_494_611_232_000), ("2017-05-12 18:47:12 UTC", 1_494_614_832_000),
            ("2017-05-12 18:47:12.5 GMT", 1_494_614_832_500), ("2017-05-12T18:47:12UTC", 1_494_614_832_000),
            ("2017-05-12 18:47:12 Z", 1_494_614_832_000), ("2017-05-12 18:47:12+00", 1_494_614_832_000),
            ("2017-05-12 18:47:12 -01:30", 1_494_620_232_000), ("2017-05-12 18:47:12 ", nil),
            ("2017-05-12 18:47:12  UTC", nil), ("2017-05-12 18:47:12 CET", nil), ("2017-05-12 18:47:12 utc", nil),
            ("2017-05-12 18:47:12 UT", nil), ("2017-05-12 18:47:12 UTC+1", nil), ("2017-05-12 UTC", nil),
            (" 2017-05-12", nil), ("2017-05-12 ", nil), ("2017-5-12", nil), ("2017-05-12T18:47:12ZZ", nil), ("", nil),
        ] as [(String, Int64?)])
    func isoTimes(text: String, expected: Int64?) {
        #expect(iso(text) == expected)
    }

    /// Others of 14 digits are milliseconds.
    @Test(
        arguments: [
            ("20261119100000", 1_795_082_400_000), ("19700101000000", 0), ("20991231235960", 4_102_444_800_000),
            ("19691231235959", 19_691_231_235_959), ("21000101000000", 21_000_101_000_000),
            ("20261131100000", 20_261_131_100_000), ("20261119240000", 20_261_119_240_000),
            ("20261119100061", 20_261_119_100_061), ("020261119100000", 20_261_119_100_000),
        ] as [(String, Int64)])
    func fourteenDigitsAreADateAndATime(text: String, expected: Int64) {
        let bytes = Array(text.utf8)
        for time in [
            PayloadTime(number: bytes.span, in: 0..<bytes.count), PayloadTime(text: bytes.span, in: 0..<bytes.count),
        ] {
            switch time {
            case .instant(let instant): #expect(instant == expected)
            case .civil(let time): #expect(time.offset == nil && time.instant(offset: 0) == expected)
            case nil: Issue.record("\(text)")
            }
        }
        for json in [bytes, [0x22] + bytes + [0x22]] where bytes.first != 0x30 {
            #expect(payloadTime(JSONReader.document(json), zone: Zone("UTC")).map { Int64($0) } == expected)
        }
    }

    @Test(
        arguments: [
            ("1795078800", 1_795_078_800_000), ("1795078800123", 1_795_078_800_123),
            ("1795078800.1239", 1_795_078_800_123),
            ("99999999999", 99_999_999_999_000), ("100000000000", 100_000_000_000),
            ("99999999999.9999", 99_999_999_999_999),
            ("1.7950788e9", 1_795_078_800_000), ("17950788E+2", 1_795_078_800_000),
            ("1795078800000000e-3", 1_795_078_800_000),
            ("1e11", 100_000_000_000), ("0", 0), ("-0", 0), ("-1.5", -1500), ("-100000000000", -100_000_000_000_000),
            ("0.0019", 1), ("0.0009", 0), ("1e-400", 0), ("1e400", .max), ("-1e400", .min), ("0e400", 0),
            ("123456789012345678901234567890", .max), ("0.00000000000000000000000000001e40", 100_000_000_000),
            ("100e-1", 10_000), ("0001795078800", 1_795_078_800_000),
        ] as [(String, Int64)])
    func numbersAreReadExactly(text: String, expected: Int64) {
        #expect(payload(text) == expected)
    }

    @Test(arguments: ["", "-", "+1", "1.", ".5", "1e5", "1 ", " 1", "0x10", "1_000", "NaN", "١"])
    func whatIsNoPlainDecimalIsNoTime(text: String) {
        #expect(payload(text, exponent: false) == nil)
    }

    @Test(
        arguments: [
            ("1795078800", 1_795_078_800_000), ("1795078800.123", 1_795_078_800_123),
            ("253402300799.999", 253_402_300_799_999),
            ("253402300800", nil), ("-1", nil), ("1e9", nil), ("", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func msecIsInSeconds(text: String, expected: Int64?) {
        let bytes = Array(text.utf8)
        let time = try? EpochTime.time(bytes.span, in: 0..<bytes.count)
        #expect(time == expected)
    }

    @Test(
        arguments: [
            ("19/Nov/2026:10:00:00 +0100", 1_795_078_800_000), ("19/Nov/2026:10:00:00", 1_795_078_800_000),
            ("28/Sep/1970:12:00:00 +0600", 23_349_600_000), ("29/Feb/2024:00:00:00 -0000", 1_709_164_800_000),
            ("19/Nov/2026:10:00:00.5", 1_795_078_800_500), ("19/Nov/2026:10:00:00.584999 +0100", 1_795_078_800_584),
            ("19/Nov/2026:10:00:60.001 +0100", 1_795_078_860_001), ("19/Nov/2026:10:00:00.", nil),
            ("19/Nov/2026:10:00:00. +0100", nil), ("19/Nov/2026:10:00:00:584", nil),
            ("19/Nov/2026:10:00:00.584+0100", nil), ("19/Nov/2026:10:00:00.584 +0100 ", nil),
            ("19/nov/2026:10:00:00", nil), ("19/Nov/2026:10:00:00 0100", nil), ("19/Nov/2026:10:00:00 +01:00", nil),
            ("19/Nov/2026:10:00:00 +0160", nil), ("31/Nov/2026:10:00:00", nil), ("-", nil), ("", nil),
            ("19-Nov-2026:10:00:00", nil), ("1/Nov/2026:10:00:00", nil),
        ] as [(String, Int64?)])
    func localTimes(text: String, expected: Int64?) {
        var clock = ReceiptClock(RecordRules.madrid)
        let bytes = Array(text.utf8)
        for _ in 0..<2 {
            let time = clock.time(bytes.span, in: 0..<bytes.count, as: .timeLocal)
            #expect(time == expected)
        }
        let reference = ReceiptTime.timeLocal.milliseconds(bytes, zone: Zone("Europe/Madrid"))
        #expect(reference.map { Int64($0) } == expected)
    }

    @Test func plainNumbersAreReadAsOthersAre() {
        for digits in 1...20 {
            for digit in ["1", "9", "3"] {
                let number = String(repeating: digit, count: digits)
                // A fraction is read the thorough way.
                #expect(payload(number) == payload(number + ".0"))
                #expect(payload("0" + number) == payload("0" + number + ".0"))
                for place in number.indices {
                    var broken = number
                    broken.replaceSubrange(place...place, with: ":")
                    #expect(payload(broken) == nil)
                }
            }
        }
    }
}

/// A time that cannot be follows one that can.
@Test func aTimeThatCannotBeIsNotReadLikeTheOneBeforeIt() throws {
    let layout = try Layout(parsing: #"%{%F %T %Z}t "%r" %>s"#)
    let request = #" "GET /r/?id=h1,d2,7 HTTP/1.1" 200"#
    let found = parse(
        .collector(layout), Array("2026-11-19 10:00:00 UTC\(request)".utf8),
        Array("2026-02-30 10:00:00 UTC\(request)".utf8))
    #expect(found.codes == ["accepted", "bad_time"])
}
