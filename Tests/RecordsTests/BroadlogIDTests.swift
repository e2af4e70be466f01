import Events
import Testing

@testable import Records

@Suite struct BroadlogIDTests {
    /// What it means in a request and in a payload.
    @Test(
        arguments: [
            ("h1685a5", ["url 1685a5"]), ("1685a5", ["jsonText 1685a5"]), ("H00001685A5", ["url 1685a5"]),
            ("h1685a5,d57fd6,7", ["url 1685a5", "jsonText opaque"]),
            (" h1685a5%2Cd57fd6%2c7 ", ["url 1685a5", "jsonText opaque"]),
            ("d1685a5", ["url 1685a5", "jsonText d1685a5"]), ("s1685a5", ["url 1685a5", "jsonText opaque"]),
            ("12345", ["jsonText 12345", "jsonInteger 3039"]), ("012345", ["jsonText 12345"]),
            ("1", ["jsonText 1"]), ("4294967295", ["jsonText 4294967295", "jsonInteger ffffffff"]),
            ("18446744073709551615", ["jsonText opaque", "jsonInteger ffffffff"]),
            ("ffffffffd7e15e5c", ["url fffffffd7e15e5c", "jsonText d7e15e5c"]), ("hffffffffd7e15e5c", ["url d7e15e5c"]),
            ("6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6", ["jsonText 6b6499a8-9d43-4bc5-acf0-b6aeb96846f6"]),
            (
                "t00000000-0000-0000-0000-000000000001",
                ["url 00000000-0000-0000-0000-000000000001", "jsonText opaque"]
            ),
            ("welcome push", ["jsonText opaque"]), ("d0", ["jsonText d0"]),
            ("", []), (" \t", []), ("0", []), ("h0", []), ("a\u{1}b", []),
            (String(repeating: "x", count: 129), []),
        ] as [(String, [String])])
    func allReadings(text: String, expected: [String]) {
        #expect(BroadlogIDReading.all(of: text).map { "\($0.form) \($0.id)" } == expected)
    }

    @Test(
        arguments: [
            ("n-1 ,\t7", [2], "n-1\u{1F}7"), ("a,b", [1], "a,b"), ("0", [1], "0"), ("h1685a5", [1], "h1685a5"),
            (
                " 6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6,D-1", [3, 2],
                "6b6499a8-9d43-4bc5-acf0-b6aeb96846f6\u{1F}D-1"
            ),
            ("a,b", [3], nil), ("a,,b", [3], nil), ("a,", [2], nil), ("", [1], nil), ("a,b\u{1F}", [2], nil),
            ("a", [], nil),
            ("a,b,c", [2], "a\u{1F}b,c"), ("a , b,c", [2], "a , b\u{1F}c"), (",a,b", [2], ",a\u{1F}b"),
            ("a,b,c,d", [3], "a\u{1F}b,c\u{1F}d"), ("a,b,,c", [3], "a\u{1F}b\u{1F},c"),
        ] as [(String, Set<Int>, String?)])
    func valuesOfAnIDHaveCommasBetween(text: String, counts: Set<Int>, joined: String?) {
        let readings = BroadlogIDReading.all(of: text, valueCounts: counts)
        let id = joined.map { BroadlogID(joined: Array($0.utf8).span) }
        // What a JSON string means as well is not told twice.
        #expect(readings.contains { $0.id == id } == (id != nil))
        #expect(readings.contains { $0.form == .values } == (id != nil && text != "a,b"))
    }

    @Test func anOpaqueIDIsTheFrontOfItsDigest() {
        // The case counts, the white space around it does not.
        #expect(BroadlogID(jsonText: "xyz") == BroadlogID(jsonText: " xyz "))
        #expect(BroadlogID(jsonText: "xyz") != BroadlogID(jsonText: "Xyz"))
        #expect(
            BroadlogID(jsonText: "hello world")?.id == EventID(high: 0xb94d_27b9_934d_3e08, low: 0xa52e_52d7_da7d_abfa))
    }
}
