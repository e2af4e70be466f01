import Testing

@testable import Records

/// JSON layouts read objects, wherever the lines end.
@Suite struct ObjectTests {
    private static func hit(_ id: Int) -> String {
        #"{"time":1795078800,"request":"GET /r/?id=h\#(id),a,7 HTTP/1.1","status":200}"#
    }

    /// What the text becomes if it comes in pieces of so many bytes.
    private func read(
        _ text: [UInt8], pieces: Int, _ ending: BodyReader.Ending = .fileEnds,
        _ rules: RecordRules = .collector(.json(.nginx))
    ) -> Collected {
        var parser = LineParser(rules)
        var sink = Collected()
        var place = ObjectPlace()
        var (taken, end) = (0, 0)
        while end < text.count {
            end = min(end + pieces, text.count)
            taken += parser.parseObjects(
                text.span.extracting(taken..<end), ending: .moreComes, from: &place, into: &sink)
        }
        _ = parser.parseObjects(text.span.extracting(taken..<end), ending: ending, from: &place, into: &sink)
        return sink
    }

    private func read(_ text: String, _ ending: BodyReader.Ending = .fileEnds) -> Collected {
        let bytes = Array(text.utf8)
        let whole = read(bytes, pieces: bytes.count + 1, ending)
        for pieces in 1...min(bytes.count, 40) {
            let found = read(bytes, pieces: pieces, ending)
            #expect(found == whole, "in pieces of \(pieces)")
        }
        expectReference(whole, .collector(.json(.nginx)), bytes, isTruncated: ending == .cut)
        return whole
    }

    @Test(arguments: ["\n", "\r\n", "", " ", ",", ", ", "\r", "\u{0}\u{0}", "\t\u{B},\n,"])
    func eachObjectIsARecord(joint: String) {
        let text = (1...3).map(Self.hit).joined(separator: joint)
        for (before, after) in [("", ""), ("\u{0} ", "\n"), (",\n", joint)] {
            let found = read(before + text + after)
            #expect(found.codes == ["accepted", "accepted", "accepted"])
            #expect(found.records.map(\.id.low) == [1, 2, 3])
        }
    }

    @Test(
        arguments: [
            // An object that is faulty, and what follows it.
            ("<1> {\"a\":tru} <2>\n<3>", ["accepted", "malformed_line", "malformed_line", "accepted"], [1, 1]),
            ("{\"a\":[}} <2>\n<3>", ["malformed_line", "malformed_line", "accepted"], [1, 1]),
            ("<1> {\"a\":tru},\n<3>", ["accepted", "malformed_line", "accepted"], [1]),
            // One without an end.
            ("<1> {\"a\":\"} <2>\n<3>", ["accepted", "malformed_line", "accepted"], [1]),
            // No object.
            ("<1>x<2>\n\n<3>", ["accepted", "malformed_line", "accepted"], [1]),
            ("[1]\n<3>", ["malformed_line", "accepted"], [1]),
            // An object that does not fit is not faulty.
            (
                "{\"a\":1}<2>{\"status\":true}\n<3>", ["malformed_line", "accepted", "malformed_line", "accepted"],
                [1, 1]
            ),
            // An object ends in its line.
            ("<1>{\"a\":\n1}<2>", ["accepted", "malformed_line", "malformed_line"], [1, 2]),
            (" \n,\u{0}\n", [], []),
        ] as [(String, [String], [Int])])
    func aFaultEndsTheReadingOfALine(text: String, codes: [String], lines: [Int]) {
        var text = text
        for id in 1...3 { text = text.replacing("<\(id)>", with: Self.hit(id)) }
        let found = read(text)
        #expect(found.codes == codes)
        #expect(found.rejectedLines == lines)
    }

    @Test func ofACutFileTheWholeObjectsCount() {
        for end in ["{\"a\":", "{\"a\":tru}", "x", ""] {
            let found = read(Self.hit(1) + "\n" + Self.hit(2) + Self.hit(3) + end, .cut)
            #expect(found.codes == ["accepted", "accepted", "accepted"], "\(end)")
        }
    }

    @Test func bytesInDetailsCountFromTheLinesBeginning() {
        let first = Self.hit(1)
        let found = read(
            "\n" + first + "," + first.replacing("200", with: "OKK") + "\n" + first
                + first.replacing("17950788", with: "x7950788"))
        #expect(found.details.count == 2)
        let place = first.utf8.count + 1 + first.utf8.count - 4
        #expect(read("{} x").details.last == "json: expected a JSON value at byte 4; found a letter")
        let rest = "json: not read from byte 9 on, since the object before is faulty"
        #expect(read("{\"a\":x} {} x").details == ["json: expected a JSON value at byte 6; found a letter", rest])
        #expect(found.details[0] == "json: expected a JSON value at byte \(place + 1); found a letter")
    }

    @Test func anObjectMayHave8MiB() {
        func object(_ length: Int) -> [UInt8] {
            let hit = Array(Self.hit(7).dropLast().utf8) + Array(",\"x\":\"".utf8)
            return hit + [UInt8](repeating: UInt8(ascii: "x"), count: length - hit.count - 2) + Array("\"}".utf8)
        }
        let other = Array(Self.hit(8).utf8)
        for (length, code) in [(ObjectPlace.limit, "accepted"), (ObjectPlace.limit + 1, "line_too_long")] {
            // The rest of the line of a longer one is not read.
            let codes =
                code == "accepted" ? ["accepted", code, "accepted", "accepted"] : ["accepted", code, "accepted"]
            for pieces in [1 << 18, 1 << 30] {
                #expect(read(other + object(length) + other + [0x0A] + other, pieces: pieces).codes == codes)
            }
            #expect(read(object(length) + [0x0D, 0x0A] + other, pieces: 1 << 20).codes == [code, "accepted"])
        }
        // An object without an end, and 8 MiB without a line end.
        let open = Array("{\"a\":\"".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: ObjectPlace.limit)
        #expect(read(open, pieces: 1 << 20).codes == ["line_too_long"])
        #expect(read(open.dropLast(10) + [0x0A] + other, pieces: 1 << 20).codes == ["malformed_line", "accepted"])
    }
}
