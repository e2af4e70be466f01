import Reference
import Support
import Testing

@testable import Records

/// What a reader makes of a file that comes in pieces of `chunk` more bytes each.
func read(
    _ rules: RecordRules, _ bytes: [UInt8], chunk: Int, isTruncated: Bool = false, limit: Int = 8 << 20,
    rowLimit: Int = 1024
) -> Collected {
    var sink = Collected()
    var reader = BodyReader(rules, limit: limit, rowLimit: rowLimit)
    var done = 0
    var end = 0
    while end < bytes.count {
        end = min(end + chunk, bytes.count)
        let ending: BodyReader.Ending = end < bytes.count ? .moreComes : isTruncated ? .cut : .fileEnds
        done += reader.read(bytes.span.extracting(done..<end), ending: ending, into: &sink)
    }
    return sink
}

/// The same of a whole file, which is what the reference makes of it.
func read(_ rules: RecordRules, _ text: String) -> Collected {
    let read = read(rules, Array(text.utf8), chunk: .max / 2)
    expectReference(read, rules, Array(text.utf8))
    return read
}

@Suite struct BodyReaderTests {
    private static let event =
        #"{"name":"push_open","time":1795050000,"properties":{"broadlogId":"h1","deliveryId":"d"}}"#
    private static let body = #"{"events":[\#(event)]}"#

    @Test(
        arguments: [
            (body + "\n" + body, ["accepted", "accepted"]), (body + body, ["accepted", "accepted"]),
            ("[\(body),\r\n \(body)]\n", ["accepted", "accepted"]), ("\u{FEFF}" + body, ["bad_json"]), ("", []),
            (" \n[],", []), ("\u{B}\(body)\t\u{C}\(body)\u{B}", ["accepted", "accepted"]),
            ("\(body) \u{FEFF}\n\(body)", ["accepted", "bad_json", "accepted"]),
            (body.replacing(",", with: ",\n  ").replacing(":", with: " : "), ["accepted"]),
            ("x\n" + body, ["bad_json", "accepted"]),
            ("\(body) x \(body)\n\(body)", ["accepted", "bad_json", "accepted"]),
            ("x\n x\ny\n \(body)\n[\(body)", ["bad_json", "accepted"]),
            ("{\"a\":\n{\"events\":[1]}\n\(body)", ["bad_json", "missing_action", "accepted"]),
            ("{\"a\":1\n{\"b\":2\n\(body)", ["bad_json", "bad_json", "accepted"]),
            ("{\"a\":1 } }\n\(body)", ["not_users_track", "bad_json", "accepted"]),
            ("{\"events\":[\n{\"name\":1}\n", ["bad_json", "not_users_track"]),
            ("{\"a\":\"x\n\"}\n\(body)", ["bad_json", "accepted"]),
            (body + "{\"events\":", ["accepted", "bad_json"]),
            ("{\"a\":tru}\(body)\n\(body)", ["bad_json", "accepted"]),
            ("\"\(body)\"", ["bad_json"]), ("{} 5 {}\n{}", ["not_users_track", "bad_json", "not_users_track"]),
        ] as [(String, [String])])
    func bodiesReadAlikeHoweverTheyComeIn(text: String, codes: [String]) {
        let bytes = Array(text.utf8)
        let whole = read(.usersTrack(), bytes, chunk: bytes.count + 1)
        #expect(whole.codes == codes)
        for chunk in 1...max(1, bytes.count) {
            #expect(read(.usersTrack(), bytes, chunk: chunk) == whole)
        }
    }

    @Test func anEvidenceDoesNotDependOnTheChunks() {
        var bytes = Array(
            "{} stray \(String(repeating: "x", count: 3000))\n{\"a\":\"\(String(repeating: "y", count: 3000))".utf8)
        bytes += [0x01] + Array("\"}\n{}".utf8)
        let whole = read(.usersTrack(), bytes, chunk: bytes.count)
        #expect(whole.codes == ["not_users_track", "bad_json", "bad_json", "not_users_track"])
        for chunk in [1, 2, 3, 7, 1000, 1023, 1024, 1025, 4096] {
            #expect(read(.usersTrack(), bytes, chunk: chunk) == whole)
        }
    }

    @Test func elementsBeyondTheRowsAreReadAlike() {
        let elements = [Self.event, "5", "\n{\"name\":\"x\"}", " {} ", Self.event.replacing("h1", with: "h0"), "[[]]"]
        for count in 0...12 {
            let events = (0..<count).map { elements[$0 % elements.count] }.joined(separator: ",")
            let body = Array("{\"events\":[1,2,3,4,5],\"attributes\":[\(events)],\"events\":[ \(events) ]}\n{}".utf8)
            let whole = read(.usersTrack(), body, chunk: body.count)
            for rows in 1...12 { #expect(read(.usersTrack(), body, chunk: 7, rowLimit: rows) == whole) }
        }
    }

    /// Any number of bodies, whole, broken or cut, over several lines, within one another or not, long or short.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func anyFileReadsAsTheReferenceSaysInPiecesOfAnySize(seed: UInt64) {
        let pieces = [
            "{\"a\":\n", "{\"a\":\n", "{\"a\":\n", "{\"a\":1,\n", "{\"a\":[\n", "{\"a\":[\n", "[\n", "[", "}", "}\n",
            "]\n",
            "]}\n", "]}\n", ",", ",\n", "{}", "{}\n", "\n", "x\n", "\"b\":1,\n", "\"b\":2}\n", "1,\n", "0", "-",
            "5.0e1\n",
            "\"a string of some length\"\n", "{\"a\":\"a longer string, é and all\"}\n", "tru", "null\n",
            "\"\\u00e9\":\n",
            "] {\"c\":[\n", Self.body, Self.body + "\n", "{\"events\":[5,\n7]},\n", "\"",
            String(repeating: "{\"a\":\n", count: 30), String(repeating: "[\n", count: 40),
            String(repeating: "{\"d\":[", count: 31),
        ]
        var random = SplitMix64(seed: seed)
        for _ in 0..<(Long.isOn ? 250 : 80) {
            let count = Int.random(in: 1...40, using: &random)
            // Few of the pieces, so that they often fit together.
            let few = (0..<Int.random(in: 2...8, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            let text = (0..<count).map { _ in few[Int.random(in: 0..<few.count, using: &random)] }.joined()
            var bytes = Array(text.utf8)
            if Int.random(in: 0..<10, using: &random) == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<5, using: &random) == 0 {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            let limit = [20, 60, 200, 1000][Int.random(in: 0..<4, using: &random)]
            for isTruncated in [false, true] {
                let whole = read(.usersTrack(), bytes, chunk: bytes.count, isTruncated: isTruncated, limit: limit)
                expectReference(whole, .usersTrack(), bytes, isTruncated: isTruncated, longestBody: limit)
                let chunk = 1 + Int.random(in: 0..<200, using: &random)
                let read = read(.usersTrack(), bytes, chunk: chunk, isTruncated: isTruncated, limit: limit)
                #expect(read == whole, "limit \(limit), pieces of \(chunk), \(isTruncated): \(text.debugDescription)")
            }
        }
    }

    @Test(arguments: [
        "{\"a\":[\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\",\n\n", "{\"a\":\n", "{\"a\":1,\n", "[{\"a\":[{\"a\":[\n",
        "{\"a\":[1,2,3,\n4,5,6,\n7,8,9]+\n",
        "{\"a\":[1,2,3,\n4,5,6,\n7,8,9] }] {\"b\":[1,2,3,\n4,5,6,\n7,8,9,] {\"c\":[\n5,6,7,\n",
        "{\"a\":[\"1234567890€\n1,\n2,\n",
    ])
    func longBrokenBodiesReadAsTheReferenceSays(unit: String) {
        // A euro sign loses its last byte.
        let bytes = Array((String(repeating: unit, count: 150) + Self.body).utf8.filter { $0 != 0xAC })
        for limit in [1...8, 15...17, 31...33, 62...70].joined() {
            let read = read(.usersTrack(), bytes, chunk: 64, limit: limit)
            expectReference(read, .usersTrack(), bytes, longestBody: limit)
        }
    }

    @Test(.timeLimit(.minutes(1))) func largeAndBrokenInputsTakeLinearTime() {
        let long = Array("{\"events\":[\"\(String(repeating: "x", count: 1 << 20))\"]}".utf8)
        #expect(read(.usersTrack(), long, chunk: 64).codes == ["missing_action"])
        let open = Array(String(repeating: "{\"a\":[1,2,\n", count: 40_000).utf8)
        #expect(read(.usersTrack(), open, chunk: 64).codes.count > 30_000)
        let stray = Array(String(repeating: "x", count: 1 << 20).utf8)
        #expect(read(.usersTrack(), stray, chunk: 64).codes == ["bad_json"])
    }
}
