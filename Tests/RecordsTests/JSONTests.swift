import Testing

import struct Reference.JSONReader
import struct Reference.SplitMix64

@testable import Records

@Suite struct JSONTests {
    private struct Fault: Equatable {
        let kind: JSONFault
        let offset: Int
    }

    /// What is wrong with a text, if anything is. The reference thinks so too.
    private func fault(_ bytes: [UInt8]) -> Fault? {
        var scanner = JSONScanner(capturing: [])
        let isValid = scanner.scanDocument(bytes.span)
        #expect((JSONReader.document(bytes) != nil) == isValid)
        if isValid { return nil }
        return Fault(kind: scanner.fault, offset: scanner.faultOffset)
    }

    private func fault(_ text: String) -> Fault? { fault(Array(text.utf8)) }

    @Test(arguments: [
        "{}", "[]", "null", "true", "false", "0", "-0", "10", "1.5", "-0.0e+10", "1E-3", "\"\"", " \t\r\n[ ] \n",
        #"{"a":[1,{"b":null}],"":{}}"#, #""\"\\\/\b\f\n\r\t\u00e9\uD834\uDd1E""#, #""\ud834""#, #""\udd1e x""#,
        "\"陌 é 😀\"",
        "\"\u{7F}\u{FFFF}\u{10FFFF}\u{800}\u{D7FF}\u{E000}\"", #"{"a":1,"a":2}"#, "1e400", "12345678901234567890123",
        #""0123456701234567012345670123456\"""#,
    ])
    func validTextsPass(text: String) {
        #expect(fault(text) == nil)
    }

    @Test(
        arguments: [
            ("", .end, 0), (" ", .end, 1), ("{", .end, 1), ("{\"a\"", .end, 4), ("{\"a\":", .end, 5),
            ("{\"a\":1", .end, 6),
            ("{\"a\":1,", .end, 7), ("[", .end, 1), ("[1", .end, 2), ("[1,", .end, 3), ("\"", .end, 1),
            ("\"a", .end, 2),
            ("\"\\", .end, 2), ("\"\\u00", .end, 5), ("tru", .end, 3), ("-", .end, 1), ("1.", .end, 2), ("1e", .end, 2),
            ("1e+", .end, 3),
            ("{,}", .key, 1), ("{\"a\":1,}", .key, 7), ("[1,]", .value, 3),
            ("[,1]", .value, 1),
            ("{\"a\" 1}", .colon, 5), ("{\"a\":}", .value, 5), ("{a:1}", .key, 1),
            ("{'a':1}", .key, 1), ("{\"a\":1 \"b\":2}", .commaOrBrace, 7), ("[1 2]", .commaOrBracket, 3),
            ("[1}", .commaOrBracket, 2), ("{1:2}", .key, 1), ("truE", .value, 3),
            ("NaN", .value, 0),
            ("nul", .end, 3), ("Infinity", .value, 0), ("+1", .value, 0), (".5", .value, 0),
            ("//x", .value, 0), ("01", .number, 1), ("-01", .number, 2), ("1.e5", .number, 2),
            ("-a", .number, 1),
            ("1e+x", .number, 3), ("0x10", .trailing, 1), ("{}{}", .trailing, 2), ("1 2", .trailing, 2),
            ("[]]", .trailing, 2),
            ("\"\\x41\"", .escape, 2), ("\"\\u00g0\"", .escape, 5), ("\"\\'\"", .escape, 2),
            ("\"\\U0041\"", .escape, 2),
            ("\"a\nb\"", .control, 2), ("\"\u{0}\"", .control, 1), ("\"12345678\u{1F}\"", .control, 9),
            ("\"\t\"", .control, 1),
            ("\u{FEFF}{}", .value, 0), ("{}\u{C}", .trailing, 2),
        ] as [(String, JSONFault, Int)])
    func aFaultIsFoundAtItsFirstByte(text: String, kind: JSONFault, offset: Int) {
        let found = fault(text)
        #expect(found?.kind == kind)
        #expect(found?.offset == offset)
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
            [0xED, 0xA0, 0x80],
            [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xFE], [0xFF],
        ] as [[UInt8]])
    func brokenUTF8IsAFault(bytes: [UInt8]) {
        for padding in 0..<40 {
            let text = [0x22] + [UInt8](repeating: 0x61, count: padding) + bytes + [0x22]
            #expect(fault(text)?.kind == .utf8)
            #expect(fault(text)?.offset == 1 + padding)
        }
    }

    @Test func everyByteAtEveryPlaceOfAStringIsSeen() {
        for length in [1, 15, 16, 17, 33] {
            for place in 0..<length {
                for byte in 0...UInt8.max {
                    var content = [UInt8](repeating: UInt8(ascii: "n"), count: length)
                    content[place] = byte
                    let kind: JSONFault?
                    var offset = 2 + place
                    switch byte {
                    case 0..<0x20: kind = .control
                    case 0x80...: kind = .utf8
                    case UInt8(ascii: "\""): (kind, offset) = (.commaOrBracket, offset + 1)
                    case UInt8(ascii: "\\") where place + 1 == length: (kind, offset) = (.end, length + 4)
                    default: kind = nil
                    }
                    // With little and with much after it: what is near the text's end is read another way.
                    for more in ["]", "  ,\"0123456789abcdef0123456789abcdef\"]"] {
                        let text = [0x5B, 0x22] + content + [0x22] + Array(more.utf8)
                        let found = fault(text)
                        if kind == .end {
                            #expect(found != nil)
                        } else {
                            #expect(found?.kind == kind && (kind == nil || found?.offset == offset))
                        }
                    }
                }
            }
        }
    }

    @Test func numbersOfAnyLengthAreRead() {
        for length in 1...40 {
            let number = [UInt8](repeating: UInt8(ascii: "7"), count: length)
            for more in ["]", ",\"0123456789abcdef0123456789abcdef\"]"] {
                #expect(fault([0x5B] + number + Array(more.utf8)) == nil)
                #expect(fault([0x5B] + number + Array(("x" + more).utf8))?.offset == 1 + length)
                #expect(fault([0x5B] + number + Array((".5" + more).utf8)) == nil)
                #expect(fault([0x5B] + number + Array(("." + more).utf8))?.offset == 2 + length)
            }
        }
    }

    @Test func keysOfAnyLengthAreFoundAndNoOthers() {
        for length in 1...40 {
            let key = String((0..<length).map { Character(Unicode.Scalar(UInt8(0x61 + $0 % 26))) })
            for more in ["}", ",\"0\":\"0123456789abcdef\"}"] {
                let text = Array("{\"\(key)\":1\(more)".utf8)
                var scanner = JSONScanner(capturing: [[key], [key + "x"], ["x" + key.dropFirst(), "z"]])
                let isValid = scanner.scanDocument(text.span)
                #expect(isValid && scanner.value(0).kind == .integer && scanner.value(1).kind == .missing)
                for place in 2..<2 + length {
                    var other = text
                    other[place] ^= 0x01
                    let isValid = scanner.scanDocument(other.span)
                    #expect(isValid && scanner.value(0).kind == .missing)
                }
            }
        }
    }

    @Test func nestingEndsAt64() {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + String(repeating: close, count: depth)
        }
        #expect(fault(nested(64, "[", "]")) == nil)
        #expect(fault(nested(65, "[", "]")) == Fault(kind: .depth, offset: 64))
        #expect(fault(String(repeating: "{\"a\":", count: 64) + "1" + String(repeating: "}", count: 64)) == nil)
        #expect(
            fault(String(repeating: "{\"a\":", count: 64) + "[]" + String(repeating: "}", count: 64))?.kind == .depth)
        #expect(fault(String(repeating: "[", count: 100_000))?.kind == .depth)
    }

    @Test(
        arguments: [
            (#"{"a":{"b":1},"c":"x"}"#, ["1", "x"]), (#"{"c":"x","a":{"z":0,"b":[1,2]}}"#, ["[1,2]", "x"]),
            (#"{"a":{"b":1},"a":{"b":2}}"#, ["2", nil]), (#"{"a":{"b":1},"a":5}"#, [nil, nil]),
            (#"{"a":{"b":1,"b":{}}}"#, ["{}", nil]),
            (#"{"\u0061":{"\u0062":7},"\u0063":"\u0063"}"#, ["7", "\\u0063"]),
            (#"{"a":{"a":{"b":1}},"x":{"c":2}}"#, [nil, nil]),
            (#"{"a":{"bb":1,"B":2,"":3},"cc":1}"#, [nil, nil]), (#"[{"a":{"b":1}}]"#, [nil, nil]), ("5", [nil, nil]),
            (#"{ "a" : { "b" : "é" } , "c" : null }"#, ["é", "null"]), (#"{"a":{"b":-1.5e3}}"#, ["-1.5e3", nil]),
            // Through an array the path leads to its first element.
            (#"{"a":[{"b":1},{"b":2}],"c":[3]}"#, ["1", "[3]"]), (#"{"a":[[{"b":[1]}]]}"#, ["[1]", nil]),
            (#"{"a":[]}"#, [nil, nil]), (#"{"a":[1,{"b":2}]}"#, [nil, nil]),
        ] as [(String, [String?])])
    func thePathsAreFound(text: String, values: [String?]) {
        let bytes = Array(text.utf8)
        var scanner = JSONScanner(capturing: [["a", "b"], ["c"]])
        let isValid = scanner.scanDocument(bytes.span)
        #expect(isValid)
        let found = (0..<2).map { path in
            let value = scanner.value(path)
            return value.kind == .missing ? nil : String(decoding: bytes[value.range], as: UTF8.self)
        }
        #expect(found == values)
    }

    @Test func longKeysAndPathsWithinPathsAreFound() {
        let bytes = Array(#"{"_acsDeliveryTracking":{"on":1},"_acsDeliveryTrackinG":2}"#.utf8)
        var scanner = JSONScanner(capturing: [["_acsDeliveryTracking"], ["_acsDeliveryTracking", "on"], []])
        let isValid = scanner.scanDocument(bytes.span)
        #expect(isValid)
        #expect((0..<3).map { scanner.value($0).kind } == [.object, .integer, .object])
    }

    @Test(arguments: [
        (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"a\u00e9\u9678b"#, "aé陸b"), (#"\uD83D\uDE00"#, "😀"),
        (#"\uD83Dx"#, "\u{FFFD}x"), (#"\uDE00\uD83D"#, "\u{FFFD}\u{FFFD}"), (#"\uD83D\uD83D\uDE00"#, "\u{FFFD}😀"),
        ("", ""),
    ])
    func stringsAreUnescaped(escaped: String, plain: String) {
        let bytes = Array(escaped.utf8)
        var output: [UInt8] = []
        JSONText.append(bytes.span, in: 0..<bytes.count, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == plain)
        #expect(JSONReader.document([0x22] + bytes + [0x22])?.string == output)
    }

    /// So an object that comes in parts reads like a whole one.
    @Test func aBeginningIsUnfinishedOrHasTheFaultOfTheWhole() {
        let texts = [
            #"{"a":[1,{"b":"x\"}"},[]],"c":{}}"#, #"{"a" : "é\\" , "b":-1.5e+3,"c":true}"#, "{}",
            #"{"a":[[[{"b":[{}]}]]]}"#, #"{"a":[0,-0.5,10E-2,null,false],"😀\u00e9\n":"\/ and a long string"}"#,
            "{\"a\":" + String(repeating: "[", count: 63) + String(repeating: "]", count: 63) + "}",
        ]
        let others =
            Array(#"{}[]",:\/01e-.anutf "#.utf8) + [0x01, 0x0A, 0x7F, 0x80, 0xBF, 0xC3, 0xE0, 0xED, 0xF0, 0xF4]
        var random = SplitMix64(seed: 3)
        for round in 0..<8000 {
            var text = Array(texts[round % texts.count].utf8)
            if round >= texts.count {
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let place = Int.random(in: 1..<text.count, using: &random)
                    let other = others[Int.random(in: 0..<others.count, using: &random)]
                    if Bool.random(using: &random) { text[place] = other } else { text.insert(other, at: place) }
                }
            }
            var scanner = JSONScanner(capturing: [])
            let end = scanner.scan(text.span, at: 0, node: -1, depth: 1)
            let fault = end < 0 && scanner.fault != .end ? scanner.faultOffset : Int.max
            for length in 1..<text.count where end < 0 || length < end {
                var beginning = JSONScanner(capturing: [])
                let end = beginning.scan(text.span.extracting(0..<length), at: 0, node: -1, depth: 1)
                let isSame = beginning.fault == .end || beginning.faultOffset == fault
                if end >= 0 || !isSame {
                    Issue.record("\(length) bytes of \(String(decoding: text, as: UTF8.self)): \(beginning.fault)")
                }
            }
        }
    }
}
