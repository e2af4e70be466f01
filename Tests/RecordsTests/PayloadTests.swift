import CVectors
import Events
import Foundation
import Support
import Testing

import struct Reference.SplitMix64
import func Reference.isUnreserved
import func Reference.percentDecoded

@testable import Records

/// A value as the extension encodes it.
private func form(_ json: String) -> String {
    json.utf8.map { byte -> String in
        if byte == 0x20 || isUnreserved(byte) { return byte == 0x20 ? "+" : String(UnicodeScalar(byte)) }
        return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
}

private func arrival(
    type: String = "1", id: String = "\"h1685a5\"", delivery: String = "\"d57fd6\"", time: String = "1795050000123",
    more: String = ""
) -> String {
    """
    {"log_content":{"time":\(time),"data":{"_mId":\(id),"_dId":\(delivery)\(more)},"type":\(type)},"security":"aGVs\\/w=="}
    """
}

@Suite struct MzipTests {
    private func code(_ line: String, _ layout: String = "body") throws -> String {
        parse(.mzip(try Layout(parsing: layout)), layout: layout, line).codes.first ?? "nothing"
    }

    @Test func theExtensionsBodyIsRead() {
        let read = parse(.mzip(), "mzip=" + form(arrival()))
        let id = EventID(high: 0, low: 0x1685a5)
        #expect(read.records == [Record(id: id, kind: .hex, time: 1_795_050_000_123, action: 21, platform: .ios)])
        #expect(read.deliveries == ["d57fd6"])
    }

    @Test func theSampleOfTheDomainIsRead() {
        var rules = RecordRules.mzip()
        rules.fields[.broadlogID] = ["log_content", "data", "n"]
        rules.fields[.deliveryID] = ["log_content", "data", "msg_id"]
        let line =
            "mzip=%7B%22log_content%22%3A%7B%22time%22%3A1763596800123%2C%22data%22%3A%7B%22n%22%3A%22h1685a5%22%2C%22title"
            + "%22%3A%22%E9%99%8C%E9%99%8C+a%2Bb+%26+c%5C%2Fd%22%2C%22msg_id%22%3A%22T-ab3ae1e11a12771a-9831-0%22%7D%2C"
            + "%22type%22%3A1%7D%2C%22security%22%3A%22aGVsbG8%2B%5C%2Fw%3D%3D%22%7D"
        let read = parse(rules, line)
        #expect(read.deliveries == ["t-ab3ae1e11a12771a-9831-0"])
        // Its clock is a year behind the log date.
        #expect(read.records.map(\.clockFallback) == [true])
        #expect(read.records.map(\.time) == [RecordRules.window.start])
    }

    @Test(arguments: [
        ("mzip=" + form(arrival()), "accepted"), (form(arrival()).lowercased(), "missing_id"),
        (form(arrival()), "accepted"),
        ("a=b&mzip=" + form(arrival()) + "&mzip=x", "accepted"), ("a=b", "malformed_line"),
        ("Mzip=%7B%7D", "malformed_line"),
        ("mzip=%7", "malformed_line"), ("mzip=%7B%zz%7D", "malformed_line"), ("mzip=%7B%", "malformed_line"),
        ("mzip=", "not_json"), ("mzip", "not_json"), ("mzip&a=b", "not_json"), ("mzip=++", "not_json"),
        ("mzip=aGVsbG8%3D", "not_json"),
        ("mzip=%5B%5D", "not_json"), ("mzip=+%0A%7B%7D+", "missing_action"), ("mzip=%7B%7D%7B", "bad_json"),
        ("mzip=%7B%22a%22%3A%22%FF%22%7D", "bad_json"), ("mzip=%0B%7B%7D", "bad_json"), ("{\"a\":1}", "missing_action"),
        ("{\"a\":\"b=\"}", "malformed_line"),
    ])
    func aBodyHasOneOutcome(line: String, expected: String) throws {
        #expect(try code(line) == expected)
    }

    @Test(arguments: [
        (arrival(type: "\"1\""), "accepted"), (arrival(type: "01"), "bad_json"),
        (arrival(type: "1.0"), "missing_action"),
        (arrival(type: "true"), "missing_action"), (arrival(type: "null"), "missing_action"),
        (arrival(type: "{}"), "missing_action"),
        (arrival(type: "2"), "unmapped_action"), (arrival(type: "\" 1\""), "unmapped_action"),
        (arrival(type: "\"\""), "unmapped_action"),
        (arrival(type: "\"\\u0031\""), "accepted"), (arrival(type: "-1"), "unmapped_action"),
        (arrival(more: ",\"_acsDeliveryTracking\":\" OFF\""), "tracking_off"),
        (arrival(more: ",\"_acsDeliveryTracking\":\"On \""), "accepted"),
        (arrival(more: ",\"_acsDeliveryTracking\":null"), "accepted"),
        (arrival(more: ",\"_acsDeliveryTracking\":\"\""), "bad_tracking"),
        (arrival(more: ",\"_acsDeliveryTracking\":true"), "bad_tracking"),
        (arrival(more: ",\"_acsDeliveryTracking\":1"), "bad_tracking"),
        (arrival(more: ",\"_acsDeliveryTracking\":\"off\",\"_acsDeliveryTracking\":\"on\""), "accepted"),
        (arrival(id: "null"), "missing_id"), (arrival(id: "\" \\t\""), "missing_id"),
        (arrival(delivery: "\"\""), "missing_id"),
        (arrival(delivery: "null"), "missing_id"), (arrival(id: "true"), "malformed_id"),
        (arrival(id: "1.5"), "malformed_id"),
        (arrival(id: "[]"), "missing_id"), (arrival(id: "[true]"), "malformed_id"),
        (arrival(id: "[[\"h7\"],{}]"), "accepted"), (arrival(id: "0"), "malformed_id"),
        (arrival(id: "\"h0\""), "malformed_id"),
        (arrival(id: "\"a\\u0001\""), "malformed_id"), (arrival(id: "12345"), "accepted"),
        (arrival(id: "1e3"), "malformed_id"),
        (arrival(delivery: "1.5"), "malformed_id"), (arrival(delivery: "{}"), "malformed_id"),
        (arrival(delivery: "-7"), "accepted"),
        (arrival(delivery: "\"a\\nb\""), "malformed_id"), (arrival(id: "{}", delivery: "null"), "missing_id"),
        (arrival(time: "\"never\""), "bad_time"), (arrival(time: "null"), "bad_time"),
        (arrival(time: "\" 1795050000\""), "bad_time"),
        (arrival(time: "\"1795050000\""), "accepted"), (arrival(time: "1e400"), "accepted"),
        (arrival(time: "2147483647"), "accepted"),
        ("{\"log_content\":5}", "missing_action"), ("{\"log_content\":{\"type\":1,\"data\":[]}}", "missing_id"),
        ("{}", "missing_action"),
    ])
    func aPayloadHasOneOutcome(json: String, expected: String) throws {
        #expect(try code("mzip=" + form(json)) == expected)
    }

    @Test(arguments: [
        (arrival(type: "true", more: ",\"_acsDeliveryTracking\":1"), "missing_action"),
        (arrival(type: "9", more: ",\"_acsDeliveryTracking\":1"), "unmapped_action"),
        (arrival(id: "null", more: ",\"_acsDeliveryTracking\":1"), "bad_tracking"),
        (arrival(id: "true", delivery: "null"), "missing_id"), (arrival(id: "true", time: "null"), "malformed_id"),
    ])
    func theFirstFaultInOrderIsTheReason(json: String, expected: String) throws {
        #expect(try code("mzip=" + form(json)) == expected)
    }

    static let log = "[$time_local] \"$request\" $status \"$http_user_agent\" \"$request_body\""

    private func logged(_ body: String, time: String = "19/Nov/2026:10:00:00 +0100") -> String {
        "[\(time)] \"POST /push/log/iosarrive HTTP/1.1\" 200 \"x\" \"\(body)\""
    }

    @Test func theReceiptTimeStandsInForABrokenOne() throws {
        let rules = RecordRules.mzip(try Layout(parsing: Self.log))
        let receipt = 1_795_078_800_000 as Int64
        let window = RecordRules.window
        for (time, expected, isFallback) in [
            ("1795050000123", 1_795_050_000_123, false), ("null", receipt, false), ("\"x\"", receipt, false),
            ("2147483647", receipt, true), ("\(window.start - 30 * 86_400_000)", window.start - 30 * 86_400_000, false),
            ("\(window.start - 30 * 86_400_000 - 1)", receipt, true),
            ("\(window.end + 86_399_999)", window.end + 86_399_999, false),
            ("\(window.end + 86_400_000)", receipt, true),
        ] as [(String, Int64, Bool)] {
            let read = parse(rules, layout: Self.log, logged("mzip=" + form(arrival(time: time))))
            #expect(read.records.map(\.time) == [expected])
            #expect(read.records.map(\.clockFallback) == [isFallback])
        }
        // Without a receipt time that parses, the log date stands in for the clock that was wrong.
        let body = "mzip=" + form(arrival(time: "2147483647"))
        #expect(parse(rules, layout: Self.log, logged(body, time: "-")).records.map(\.time) == [window.start])
        #expect(
            parse(rules, layout: Self.log, logged("mzip=" + form(arrival(time: "null")), time: "-")).codes == [
                "bad_time"
            ])
        // The receipt time itself may lie anywhere.
        #expect(
            parse(rules, layout: Self.log, logged(body, time: "19/Nov/2006:10:00:00 +0100")).records.map(\.time) == [
                1_163_926_800_000
            ])
    }

    /// With little after it and with much, of what would be digits.
    private func compareDecoding(_ encoded: [UInt8], _ decoder: inout FormDecoder, before: Int) {
        for behind in [1, 65, 66, 100] {
            let rest = Array(repeatElement(Array("41%".utf8), count: behind).joined().prefix(behind))
            let text = [UInt8](repeating: UInt8(ascii: "%"), count: before) + encoded + rest
            let length = decoder.decode(text.span, in: before..<before + encoded.count)
            let expected = percentDecoded(encoded.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, strict: true)
            if length.map({ Array(decoder.decoded[..<$0]) }) != expected {
                Issue.record("\(String(decoding: encoded, as: UTF8.self))")
            }
        }
    }

    /// The wide one where the processor has it.
    static let decoders = vector_decodes_forms() != 0 ? [false, true] : [false]

    @Test(arguments: decoders) func formsAreDecodedAsTheyAreByteByByte(isWide: Bool) {
        var random = SplitMix64(seed: 5)
        var decoder = FormDecoder(isWide: isWide)
        let parts = ["%22", "%7b", "%e9", "+", "a", "b_c", "0123456789abcdef", "%", "%2", "%%", "%2G", "-"]
        for round in 0..<5000 {
            // Broken escapes are left out of most, since nothing is decoded after the first.
            let known = round % 8 == 0 ? parts.count : 7
            var encoded: [UInt8] = []
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                encoded += Array(parts[Int.random(in: 0..<known, using: &random)].utf8)
            }
            compareDecoding(encoded, &decoder, before: round % 5)
        }
        for length in 0..<150 {
            for byte in [UInt8(ascii: "a"), UInt8(ascii: "+")] {
                let plain = [UInt8](repeating: byte, count: length)
                compareDecoding(plain, &decoder, before: 0)
                compareDecoding(plain + Array("%41".utf8), &decoder, before: 1)
                compareDecoding(plain + Array("%4".utf8), &decoder, before: 1)
                compareDecoding(Array("%41".utf8) + plain, &decoder, before: 1)
            }
        }
    }

    @Test(arguments: decoders) func everyByteAtEveryPlaceOfAFormIsDecoded(isWide: Bool) {
        var decoder = FormDecoder(isWide: isWide)
        let form = Array("%7B%22log_content%22%3A%7B%22time%22%3A1795042793462+%7D+%25plain+words+and+more%7D".utf8)
        for place in form.indices {
            var form = form
            for byte in 0...UInt8.max where Long.isOn || (Int(byte) + place) % 5 == 0 {
                form[place] = byte
                compareDecoding(form, &decoder, before: 0)
            }
        }
    }
}

@Suite struct EventsTests {
    private func event(
        _ kind: String = "\"message.push.clicked\"", id: String = "\"n-1\"", device: String = "\"d-1\"",
        more: String = ""
    ) -> String {
        #"{"event":{"kind":\#(kind),"timestamp":1795078800,"device":\#(device)\#(more)},"message":{"id":\#(id)}}"#
    }

    private func ids(_ texts: String...) -> [EventID] {
        texts.map { BroadlogID(joined: Array($0.utf8).span).id }
    }

    @Test func anEventIsRead() {
        let read = read(.events(), event(more: #","device_type":"Chrome""#))
        #expect(
            read.records == [
                Record(
                    id: ids("n-1\u{1F}d-1")[0], kind: .opaque, time: 1_795_078_800_000, action: 42, platform: .web)
            ])
        #expect(read.deliveries == ["n-1"])
    }

    @Test(arguments: ["Chrome", "chrome", "CHROME"], ["Chrome", "chrome", "cHROME"])
    func aWordForAPlatformMatchesInAnyCase(key: String, word: String) {
        var rules = RecordRules.events()
        rules.platforms = [key: .web]
        #expect(read(rules, event(more: ",\"device_type\":\"\(word)\"")).records.map(\.platform) == [.web])
    }

    @Test(
        arguments: [
            ("{}", ["missing_action"]), ("[1,{}]", ["bad_json"]),
            ("{}{}[{},{}]", Array(repeating: "missing_action", count: 4)),
            (#"{"event":[{"kind":7}]}"#, ["missing_id"]), (#"{"event":{"kind":"opened"}}"#, ["unmapped_action"]),
        ] as [(String, [String])])
    func eachObjectIsAnEvent(text: String, codes: [String]) {
        #expect(read(.events(), text).codes == codes)
    }

    @Test(
        arguments: [
            (#"{"batch":{"items":[{},1,[],"x",null]}}"#, Array(repeating: "missing_action", count: 5)),
            (#"{"batch":{"items":[]}}"#, []), (#"{"batch":{"items":{}}}"#, ["not_events"]), ("{}", ["not_events"]),
            (#"{"batch":{"items":"text"}}"#, ["not_events"]), (#"{"batch":{"items":null}}"#, ["not_events"]),
            (#"{"batch":[{"items":[]}]}"#, ["not_events"]), (#"{"items":[{}],"batch":{}}"#, ["not_events"]),
            (#"{"batch":{"items":[{}]},"batch":{}}"#, ["not_events"]),
            (#"{"batch":{},"batch":{"items":[{}],"items":[{},{}]}}"#, ["missing_action", "missing_action"]),
            (#"{"b\u0061tch":{"items":[{}]}}"#, ["missing_action"]), (#"{"batch":{"items":[{}}}"#, ["bad_json"]),
        ] as [(String, [String])])
    func orEachElementOfTheArray(text: String, codes: [String]) throws {
        let rules = RecordRules.events(elements: "batch.items")
        #expect(read(rules, text).codes == codes)
        let bytes = Array("\(text)\n\(text)".utf8)
        for rows in [1, 2, 1024] {
            #expect(RecordsTests.read(rules, bytes, chunk: 3, rowLimit: rows).codes == codes + codes)
        }
        let requests = RecordRules.events(try Layout(parsing: "$request_body"), elements: "batch.items")
        #expect(parse(requests, text).codes == codes)
        // An array of payloads is as good as one.
        guard codes != ["bad_json"] else { return }
        #expect(parse(requests, "[\(text) , \(text)]").codes == codes + codes)
    }

    @Test(
        arguments: [
            ("[]", []), ("[1,{}]", ["missing_action", "missing_action"]), ("5", ["missing_action"]),
            ("[[{}]]", ["missing_action"]), ("[{},]", ["bad_json"]), ("{} {}", ["bad_json"]),
        ] as [(String, [String])])
    func aRequestHasOneObjectOrAnArrayOfThem(text: String, codes: [String]) throws {
        #expect(parse(.events(try Layout(parsing: "$request_body")), text).codes == codes)
    }

    @Test(arguments: [
        ("\"n-1\"", "\"d-1\"", "n-1\u{1F}d-1"), ("\" n-1\\t\"", "7", "n-1\u{1F}7"), ("1685", "-0", "1685\u{1F}-0"),
        (
            "\"6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6\"", "\"H1685A5\"",
            "6b6499a8-9d43-4bc5-acf0-b6aeb96846f6\u{1F}H1685A5"
        ),
        ("\"\\u00e9\"", "\"a,b\"", "é\u{1F}a,b"),
    ])
    func theValuesMakeOneID(id: String, device: String, joined: String) {
        let read = read(.events(), event(id: id, device: device))
        #expect(read.records.map(\.id) == ids(joined))
    }

    @Test(arguments: [
        ("null", "\"d\"", "missing_id"), ("\" \"", "\"d\"", "missing_id"), ("\"n\"", "null", "missing_id"),
        ("\"n\"", "\"\"", "missing_id"), ("true", "null", "missing_id"), ("\"n\"", "1.5", "malformed_id"),
        ("\"n\"", "{}", "malformed_id"), ("\"n\"", "\"a\\u001fb\"", "malformed_id"),
        ("\"n\"", "\"\(String(repeating: "o", count: 513))\"", "malformed_id"),
        ("\"n\"", "\"\(String(repeating: "o", count: 512))\"", "accepted"),
    ])
    func anIDLacksNoneOfItsValues(id: String, device: String, code: String) {
        #expect(read(.events(), event(id: id, device: device)).codes == [code])
    }

    @Test(arguments: [
        ("\"CHROME\"", Platform.web), ("5", .ios), ("\"5\"", .ios), ("\"Android\"", .android), ("6", .unknown),
        ("\"ios \"", .unknown), ("null", .unknown), ("5.0", .unknown),
    ])
    func otherWordsAreMappedToPlatforms(value: String, platform: Platform) {
        let read = read(.events(), event(more: ",\"device_type\":\(value)"))
        #expect(read.records.map(\.platform) == [platform])
    }

    @Test func noPartOfAnIDIsInASample() {
        let lines = [
            event(id: "\"d57fd6\"", device: "{\"id\":\"a1b2c3\"}"),
            event("\"other\"", id: "\"d57fd6\"", device: "\"a1b2c3\""),
            #"{"user":{"id":"6b6499a8-9d43-4bc5-acf0-b6aeb96846f6"},"message":{"id":"d57fd6"},"event":{"device":"a1b2c3"}}"#,
        ]
        for line in lines {
            let sample = maskedSample(of: Array(line.utf8).span, keys: SampleKeys(.events()))
            for value in ["d57fd6", "a1b2c3", "6b6499a8"] { #expect(!sample.contains(value), "\(sample)") }
            #expect(sample.contains("\"message\":{\"id\":"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func aMillionObjectsInALineAreRead() {
        let count = 1_000_000
        let bytes = Array("[\(Array(repeating: "{}", count: count).joined(separator: ","))]".utf8)
        #expect(RecordsTests.read(.events(), bytes, chunk: 1 << 16).codes.count == count)
    }
}

@Suite struct UsersTrackTests {
    private func event(_ name: String = "push_open", id: String = "h1", more: String = "") -> String {
        #"{"external_id":"u","name":"\#(name)","time":"2026-11-19T10:00:00+01:00","properties":{"broadlogId":"\#(id)","deliveryId":"D"\#(more)}}"#
    }

    @Test(
        arguments: [
            (#"{"events":[]}"#, []),
            (#"{"purchases":[{},1],"attributes":[{}]}"#, ["not_an_event", "not_an_event", "not_an_event"]),
            (#"{"braze_id":"x","custom_events":[{"count":1}]}"#, ["not_users_track"]),
            (#"{"events":{}}"#, ["not_users_track"]),
            (#"{"events":[],"purchases":null}"#, ["not_users_track"]), (#"{}"#, ["not_users_track"]),
            (#"[]"#, ["not_users_track"]),
            (#"{"events":[1,null,[],"x",{}]}"#, Array(repeating: "missing_action", count: 5)),
            (#"{"events":[{"name":"session"}]}"#, ["unmapped_action"]), (#"{"events":[}"#, ["bad_json"]),
            (#"{"events":[]} x"#, ["bad_json"]),
            (#"{"events":[{}],"events":[]}"#, []),
            (#"{"events":[],"events":[{},{}]}"#, ["missing_action", "missing_action"]),
            (#"{"events":[{}],"events":5,"attributes":[]}"#, ["not_users_track"]),
            (#"{"ev\u0065nts":[{}]}"#, ["missing_action"]),
            (#"{"attributes":[{}],"attributes":[]}"#, []),
        ] as [(String, [String])])
    func aBodysRecordsAreItsElements(body: String, codes: [String]) throws {
        #expect(parse(.usersTrack(try Layout(parsing: "$request_body")), body).codes == codes)
        if codes != ["bad_json"], body != "[]" { #expect(read(.usersTrack(), body).codes == codes) }
    }

    @Test func anEventIsRead() throws {
        let read = parse(
            .usersTrack(try Layout(parsing: "json")),
            #"{"request":"POST /users/track HTTP/1.1","request_body":""#
                + #"{"events":[\#(event(more: #","platform":"Android""#))]}"#.replacing("\"", with: "\\\"") + "\"}")
        let id = EventID(high: 0, low: 1)
        #expect(read.records == [Record(id: id, kind: .hex, time: 1_795_078_800_000, action: 33, platform: .android)])
        #expect(read.deliveries == ["d"])
    }
}
