import Foundation
import Reference
import Support
import Testing

@testable import Calendar

@Suite struct ZoneTests {
    /// Half an hour of summer time, a day left out, offsets of 45 minutes, and changes at midnight.
    private static let oddZones = [
        "Europe/Madrid", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "America/Sao_Paulo", "Asia/Beirut",
    ]

    @Test func thereAreAllZones() {
        let names = ZoneDatabase.names
        #expect(names.count > 300)
        #expect(names.contains("Europe/Madrid"))
        #expect(names.contains("America/Argentina/Buenos_Aires"))
        #expect(!names.contains { $0.hasPrefix("posix") || $0.hasPrefix("right") || $0 == "localtime" })
    }

    /// The C library reads the same files by its own code, which prints them for the reference. A change that we did not see
    /// shows in one of the days that follow it.
    @Test(.needs(.zdump), arguments: Set(Long.cases(ZoneDatabase.names, oneOf: 7) + oddZones))
    func everyZoneIsReadAsTheCLibraryReadsIt(name: String) throws {
        let (zone, reference) = (try ZoneDatabase.zone(name), Reference.Zone(name))
        // Every other week from 1960 to 2040, then up to the year 9999.
        let near = Array(stride(from: -315_619_200 as Int64, to: 2_208_988_800, by: 86_400 * 14))
        let far = Array(stride(from: 2_208_988_800 as Int64, to: 253_402_300_800, by: 86_400 * 36_527))
        let changes = zip(near, near.dropFirst()).compactMap { begin, end -> Int64? in
            guard zone.offset(at: begin) != zone.offset(at: end) else { return nil }
            return firstInstant(in: begin..<end) { zone.offset(at: $0) != zone.offset(at: begin) }
        }
        let close = changes.flatMap { change in
            [-86_400, -3600, -1800, -1, 0, 1, 1800, 3599, 3600, 86_400].map { change + $0 }
        }
        for instant in near + far + close {
            let offset = zone.offset(at: instant)
            #expect(offset == Int64(reference.offset(at: Int(instant))), "at \(instant)")
            for local in Set([instant + offset, instant + zone.offset(at: instant - 86_400)]) {
                let expected = local - Int64(reference.seconds(local: Int(local)))
                #expect(zone.offset(atLocal: local) == expected, "at local \(local)")
            }
        }
    }

    private func firstInstant(in range: Range<Int64>, where isAfter: (Int64) -> Bool) -> Int64 {
        var (before, after) = (range.lowerBound, range.upperBound)
        while after - before > 1 {
            let middle = (before + after) / 2
            if isAfter(middle) { after = middle } else { before = middle }
        }
        return after
    }

    @Test(arguments: [
        "", "posix/UTC", "right/Europe/Madrid", "localtime", "../zoneinfo/UTC", "Europe", "Europe/", "tzdata.zi",
        "europe/madrid", "Mars/Olympus", "Europe/Madrid\u{0}", "zone.tab", "CET ",
    ])
    func otherNamesAreUnknown(name: String) {
        #expect(throws: ZoneError.unknown) { try ZoneDatabase.zone(name) }
    }

    @Test func theVersionTellsTheRules() throws {
        #expect(ZoneRules.utc.version == "UTC")
        let (madrid, paris) = (try ZoneDatabase.zone("Europe/Madrid"), try ZoneDatabase.zone("Europe/Paris"))
        #expect(madrid.version.hasPrefix("Europe/Madrid "))
        #expect(madrid.version.dropFirst(14) != paris.version.dropFirst(13))
        #expect(madrid.version == (try ZoneDatabase.zone("Europe/Madrid").version))
    }
}

/// Files made by hand.
@Suite struct ZoneFileTests {
    /// A file with the same data in both blocks.
    private func file(
        _ transitions: [(instant: Int32, type: UInt8)], types: [Int32], footer: String, version: String = "2",
        leaps: Int = 0
    ) -> [UInt8] {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
        func block(_ size: Int) -> [UInt8] {
            var block = Array("TZif\(version)".utf8) + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, leaps, transitions.count, types.count, 4] { block += bytes(Int32(count)) }
            for transition in transitions {
                block += size == 8 ? bytes(Int64(transition.instant)) : bytes(transition.instant)
            }
            block += transitions.map(\.type)
            for type in types { block += bytes(type) + [0, 0] }
            block += Array("LMT\0".utf8)
            block += [UInt8](repeating: 0, count: leaps * (size + 4))
            return block
        }
        return version == "\0" ? block(4) : block(4) + block(8) + Array("\n\(footer)\n".utf8)
    }

    private func offset(_ bytes: [UInt8], at instant: Int64) -> Int64? {
        ZoneFile.zone(bytes, name: "Made/Here")?.offset(at: instant)
    }

    @Test func theFirstTypeHoldsBeforeTheFirstTransitionAndTheRuleAfterTheLast() {
        let bytes = file([(0, 1), (1000, 0)], types: [-884, 3600], footer: "<-01>1<+00>,M3.5.0/0,M10.5.0/1")
        #expect(offset(bytes, at: -1) == -884)
        #expect(offset(bytes, at: 0) == 3600)
        #expect(offset(bytes, at: 1000) == -884)
        // 2026-03-29T01:00:00Z and 2026-10-25T01:00:00Z.
        #expect(offset(bytes, at: 1_774_746_000) == 0)
        #expect(offset(bytes, at: 1_774_745_999) == -3600)
        #expect(offset(bytes, at: 1_792_890_000) == -3600)
        // 9998-07-01T00:00:00Z.
        #expect(offset(bytes, at: 253_354_867_200) == 0)
    }

    @Test func aFileOfTheFirstVersionHasNoRule() {
        let bytes = file([(0, 1)], types: [0, 3600], footer: "", version: "\0")
        #expect(offset(bytes, at: -1) == 0)
        #expect(offset(bytes, at: 4_000_000_000) == 3600)
    }

    @Test(arguments: [
        // Daylight saving all year, the example of RFC 8536.
        ("XXX3EDT4,0/0,J365/23", 1_795_046_400 as Int64, -14_400 as Int64),
        ("XXX3EDT4,0/0,J365/23", 1_767_236_400, -14_400),
        // Winter time is the exception (Dublin), and hours before midnight (Nuuk, Godthab).
        ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_795_046_400, 0), ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_780_000_000, 3600),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_774_746_000, -3600),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_774_745_999, -7200),
        // Day 60 of the year 2028 is 1 March with J, and 29 February without it.
        ("AAA0BBB,J60/0,J300/0", 1_835_481_599, 0), ("AAA0BBB,J60/0,J300/0", 1_835_481_600, 3600),
        ("AAA0BBB,59/0,J300/0", 1_835_395_199, 0), ("AAA0BBB,59/0,J300/0", 1_835_395_200, 3600),
        // The southern summer goes over the new year.
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_767_225_600, 39_600),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_780_000_000, 36_000),
        ("<+0545>-5:45", 1_780_000_000, 20_700),
    ])
    func rulesAreThoseOfPOSIX(rule: String, instant: Int64, expected: Int64) {
        let standard = RecurringRule(rule)?.standard.offset ?? 0
        #expect(offset(file([], types: [standard], footer: rule), at: instant) == expected)
    }

    @Test(arguments: [
        "CE", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J300", "CET-1CEST,J366,J300",
        "CET-1CEST,366,J300", "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0x", "<+01-1", "CET-1:60",
    ])
    func aBrokenRuleMakesTheFileInvalid(rule: String) {
        #expect(ZoneFile.zone(file([(0, 0)], types: [0], footer: rule), name: "Made/Here") == nil)
    }

    @Test func invalidFilesAreNoZones() throws {
        #expect(ZoneFile.zone(file([(0, 0)], types: [0], footer: "", leaps: 1), name: "x") == nil)
        #expect(ZoneFile.zone(file([(0, 1)], types: [0], footer: ""), name: "x") == nil)
        #expect(ZoneFile.zone(file([(5, 0), (5, 0)], types: [0], footer: ""), name: "x") == nil)
        #expect(ZoneFile.zone(file([], types: [], footer: ""), name: "x") == nil)
        #expect(ZoneFile.zone(file([], types: [26 * 3600 + 1], footer: ""), name: "x") == nil)
        let bytes = try WholeFileBytes.of("Europe/Madrid")
        for count in 0..<bytes.count { #expect(ZoneFile.zone(Array(bytes[..<count]), name: "x") == nil, "\(count)") }
    }

    /// Any byte may be another one: the answer may be wrong, but the program goes on.
    @Test func aDamagedFileNeverTraps() throws {
        let bytes = try WholeFileBytes.of("Europe/Madrid")
        // The first block is skipped.
        let second = bytes.indices.dropFirst(44).first { bytes[$0...].starts(with: ZoneFile.magic) } ?? 0
        for index in Array(0..<44) + Array(second..<bytes.count) {
            var damaged = bytes
            damaged[index] ^= index % 3 == 0 ? 0x01 : index % 3 == 1 ? 0x80 : 0xFF
            let zone = ZoneFile.zone(damaged, name: "x")
            _ = zone?.offset(at: 1_795_046_400)
            _ = zone?.offset(atLocal: 1_795_046_400)
        }
    }
}

private enum WholeFileBytes {
    static func of(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(ZoneDatabase.folder)/\(name)")))
    }
}
