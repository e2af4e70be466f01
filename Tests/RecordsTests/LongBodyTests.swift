import Reference
import Support
import Testing

@testable import Records

/// Objects over the limit whose events are read one by one.
@Suite struct LongBodyTests {
    private static let event =
        #"{"message":{"id":"m"},"event":{"kind":"7","device":"d","timestamp":1795050000,"device_type":"Chrome"}}"#
    private static let bad = #"{"message":1}"#
    private static let rules = RecordRules.events(elements: "data.batch")

    /// What becomes of the text, which is what the reference makes of it, whatever the pieces are in which it comes.
    private func outcomes(
        _ text: String, limit: Int = 120, isTruncated: Bool = false, rules: RecordRules = rules
    ) -> [String] {
        let bytes = Array(text.utf8)
        let whole = read(rules, bytes, chunk: bytes.count + 1, isTruncated: isTruncated, limit: limit)
        expectReference(whole, rules, bytes, isTruncated: isTruncated, longestBody: limit)
        for chunk in Array(1...40) + [97, 121, 200, 333] {
            let read = read(rules, bytes, chunk: chunk, isTruncated: isTruncated, limit: limit)
            #expect(read == whole, "in pieces of \(chunk): \(text)")
        }
        var lines = whole.rejectedLines[...]
        return whole.codes.map { code in code == "accepted" ? code : "\(code) \(lines.removeFirst())" }
    }

    private static let spaces = String(repeating: " ", count: 120)
    private static let long = #"{"x":"\#(String(repeating: "y", count: 120))"}"#
    private static let begin = "{\"data\":{\"batch\":["

    @Test(
        arguments: [
            ("\(begin)\(event),\n\(event)\(spaces)]}}", ["accepted", "accepted"]),
            (
                "\(begin)\(event),\n\(bad),\n5,\(event)]}}",
                ["accepted", "missing_action 2", "missing_action 3", "accepted"]
            ),
            // What is beside the events may be of any length.
            ("{\"x\":\(long),\n\"data\":{\"y\":[[\(long)]],\"batch\":[\(event)]},\"\(spaces)\":1.5e7}", ["accepted"]),
            ("{\"x\":\"\(spaces)\\u00e9é\\\\\",\"d\\u0061ta\":{\"batch\":[\(event)]}}", ["accepted"]),
            // An event that is too long is one reject.
            ("\(begin)\(event),\n\(long),\n\(event)]}}", ["accepted", "line_too_long 2", "accepted"]),
            (
                "\(begin)\"\(spaces)\",\n[\"\(spaces)\"],\(event)]}}",
                ["line_too_long 1", "line_too_long 2", "accepted"]
            ),
            ("\(begin)\(event),\n{\"a\":\n\(long),,", ["accepted", "bad_json 2"]),
            // From a fault on the rest is one reject.
            ("\(begin)\(event),\n\(event),\n{\"x\":tru},\n\(event)]}}\n", ["accepted", "accepted", "bad_json 3"]),
            ("\(begin)\(event),\n\(event),\n\(event) \(event)]}}", ["accepted", "accepted", "accepted", "bad_json 3"]),
            ("\(begin)\(event),\n\(event),\n]}}", ["accepted", "accepted", "bad_json 3"]),
            ("\(begin)\(event),\n\(event)\n", ["accepted", "accepted", "bad_json 3"]),
            ("\(begin)\(event),\n\(event)]}\n\n", ["accepted", "accepted", "bad_json 4"]),
            ("\(begin)\(event),\(event)],\n\"a\":\"\(spaces)\n\"}}", ["accepted", "accepted", "bad_json 2"]),
            (
                "\(begin)\(event),\(event)],\n\"a\":01}}\n{}\nx\n\(begin)]}}\n{}",
                ["accepted", "accepted", "bad_json 2", "not_events 6"]
            ),
            (
                "\(begin)\(event),\(event)],\"a\"}}\n{\"x\":1}\n[\n\(begin)\(event)]}}{}",
                ["accepted", "accepted", "bad_json 1", "accepted", "not_events 4"]
            ),
            (
                "\(begin)\(event),\(long)!]}}\n\(begin)\(event),\(long)!",
                ["accepted", "line_too_long 1", "bad_json 1", "accepted", "line_too_long 2", "bad_json 2"]
            ),
            // Without events, and what stands behind.
            ("{\"data\":{\"x\":\n\(long)},\"batch\":[\(event)]}\n{}x", ["not_events 1", "not_events 3", "bad_json 3"]),
            ("{\"data\":{\"batch\":\(long)}}\(begin)]}}", ["not_events 1"]),
            ("{\"data\":[{\"batch\":[\(event),\(event)]}]}", ["not_events 1"]),
            ("\(begin)\(spaces)]}}\(begin)[[\(event)]]]}}", ["missing_action 1"]),
            // Those of both arrays count.
            ("\(begin)\(event),\(event)]},\"data\":{\"batch\":[\n5]}}", ["accepted", "accepted", "missing_action 2"]),
        ] as [(String, [String])])
    func itsEventsAreReadOneByOne(text: String, codes: [String]) {
        #expect(outcomes(text) == codes)
    }

    @Test func ofACutBodyTheWholeEventsCount() {
        let text = "\(Self.begin)\(Self.event),\n\(Self.event),\(Self.event),5"
        for (length, count) in [(0, 3), (1, 3), (2, 3), (3, 2), (90, 2)] {
            let cut = String(text.dropLast(length))
            #expect(outcomes(cut, isTruncated: true) == [String](repeating: "accepted", count: count))
        }
    }

    /// A body that fits is rejected whole.
    @Test func aShorterBodyIsReadAsEver() {
        let text = "\(Self.begin)\(Self.event),\(Self.event)"
        #expect(outcomes(text + "!", limit: text.utf8.count + 1) == ["bad_json 1"])
        #expect(outcomes(text + "!", limit: text.utf8.count) == ["accepted", "accepted", "bad_json 1"])
        #expect(outcomes(text + "]}}", limit: text.utf8.count + 2) == ["accepted", "accepted"])
        #expect(outcomes("[\(text)]}}]", rules: .events()) == ["line_too_long 1"])
        #expect(outcomes("{\"a\":{\"b\":\(text)]}}}}", rules: .usersTrack()) == ["line_too_long 1"])
    }

    @Test(arguments: [64, 65])
    func objectsAreNestedNoDeeperThanInOtherBodies(depth: Int) {
        let nested = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
        let text = "{\"a\":{\"b\":\(nested)},\n\"data\":{\"batch\":[\(Self.event),\(Self.event)]}}"
        #expect(outcomes(text, limit: 200) == (depth == 64 ? ["accepted", "accepted"] : ["bad_json 1"]))
    }

    /// Any number of objects, whole, broken or cut, over several lines, within one another or not, long or short.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func anyFileReadsAsTheReferenceSaysInPiecesOfAnySize(seed: UInt64) {
        let pieces = [
            Self.begin, Self.begin, Self.begin + "\n", Self.event + ",\n", Self.event + ",", Self.event,
            Self.event + "]}}\n",
            "{\"data\":\n", "{\"batch\":[", "\"data\":{\"x\":1,\"batch\":[", "[", "]", "}", "]}}\n", "},\n", ",", "{}",
            "{},\n",
            "5,", "-1.5e3,", "12", "\"é\\n\",", "\"\\u00", "e9\":", "\"a\":", "null,\n", "tru", "\"", "\n", "x\n",
            Self.bad + ",\n",
            "\"batch\":", "{\"data\":{\"batch\":5}}\n", Self.long, Self.long + ",", "\"\(Self.spaces)\":",
        ]
        var random = SplitMix64(seed: seed)
        for _ in 0..<(Long.isOn ? 400 : 120) {
            let few = (0..<Int.random(in: 2...9, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            let count = Int.random(in: 1...30, using: &random)
            let text = Self.begin + (0..<count).map { _ in few[Int.random(in: 0..<few.count, using: &random)] }.joined()
            var bytes = Array(text.utf8)
            if Int.random(in: 0..<10, using: &random) == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let limit = [60, 130, 250, 500][Int.random(in: 0..<4, using: &random)]
            for isTruncated in [false, true] {
                let whole = read(Self.rules, bytes, chunk: bytes.count, isTruncated: isTruncated, limit: limit)
                expectReference(whole, Self.rules, bytes, isTruncated: isTruncated, longestBody: limit)
                let chunk = 1 + Int.random(in: 0..<200, using: &random)
                let read = read(Self.rules, bytes, chunk: chunk, isTruncated: isTruncated, limit: limit)
                #expect(read == whole, "limit \(limit), pieces of \(chunk), \(isTruncated): \(text.debugDescription)")
            }
        }
    }

    /// The file may end where all of its bytes have been taken.
    @Test func anEndWithoutBytesIsAFault() {
        var sink = Collected()
        var reader = BodyReader(Self.rules, limit: 120)
        let text = Array("\(Self.begin)\(Self.event)],\"x\":\"\(Self.spaces)\"}".utf8)
        #expect(reader.read(text.span, ending: .moreComes, into: &sink) == text.count)
        #expect(sink.codes == ["accepted"])
        _ = reader.read([UInt8]().span, ending: .fileEnds, into: &sink)
        #expect(sink.codes == ["accepted", "bad_json"])
    }
}
