import Foundation
import Testing

@testable import Records

@Suite struct MaskedSampleTests {
    private func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return maskedSample(
            of: bytes.span, keys: text.contains("_mId") || text.contains("log_content") ? .mzip : .usersTrack)
    }

    @Test func aSampleShowsWhatIsHarmless() {
        #expect(
            masked(hit("GET /r/?id=hSOC1,d57fd6,7&mcId=0123456789 HTTP/1.1", agent: "Mozilla/5.0 (iPhone; x)"))
                == "*** - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=***,d57fd6,7&mcId=*** HTTP/1.1\" 200 *** \"-\" \"*** (***; ***)\""
        )
        #expect(
            masked(
                #"{"external_id":"juan","name":"push_open","time":"2026-11-19T10:00:00Z","properties":{"broadlogId":true}}"#
            )
                == #"{"external_id":"***","name":"push_open","time":"2026-11-19T10:00:00Z","properties":{"broadlogId":true}}"#
        )
        #expect(
            masked(
                "mzip=%7B%22log_content%22%3A%7B%22time%22%3A1763596800123%2C%22type%22%3A1%7D%2C%22security%22%3A%22aGV%3D%22"
            )
                == #"mzip={"log_content":{"time":1763596800123,"type":1},"security":"***=""#)
    }

    /// A line and its sample, of each place where something personal was once shown.
    private static let places: [(String, String)] = [
        // Behind a time.
        (
            #"web1 time=1795046400.123 203.0.113.7 "GET /r/?id=h1,,7 HTTP/1.1" 200"#,
            #"*** time=1795046400.123 *** "GET /r/?id=h1,,7 HTTP/1.1" 200"#
        ),
        (
            #"web1 time=2026-11-19T10:00:00+01:00 203.0.113.7 "GET /r/?id=h1,,7 HTTP/1.1" 200"#,
            #"*** time=2026-11-19T10:00:00+01:00 *** "GET /r/?id=h1,,7 HTTP/1.1" 200"#
        ),
        (
            "level=warn time=2026-11-19T10:00:00Z 203.0.113.7 600111222",
            "***=*** time=2026-11-19T10:00:00Z ***"
        ),
        ("time=2026-11-19 10:00:00 600111222", "time=2026-11-19 10:00:00 ***"),
        ("[19/Nov/2026:10:00:00 +0100] +0100 +34600111222", "[19/Nov/2026:10:00:00 +0100] ***"),
        // In the place of a time.
        (
            #"{"name":"push_open","time":"203.0.113.7","properties":{"deliveryId":"d57fd6"}}"#,
            #"{"name":"push_open","time":"***","properties":{"deliveryId":"d57fd6"}}"#
        ),
        (
            "mzip=%7B%22log_content%22%3A%7B%22time%22%3A%2234600111222%22%2C%22type%22%3A1%7D%7D",
            #"mzip={"log_content":{"time":"***","type":1}}"#
        ),
        // In the place of a part of an id, or run together with one.
        ("GET /r/?id=h1685a5,d57fd6,7mcId=4f3c9aa2bb", "GET /r/?id=h1685a5,d57fd6,***"),
        ("GET /r/?id=h1685a5,d57fd6,7/mcId=4f3c9aa2bb", "GET /r/?id=h1685a5,d57fd6,***"),
        ("GET /r/?id=h1685a5,,7externalId=jdoe42", "GET /r/?id=h1685a5,,***"),
        ("GET /r/?id=h1685a5,d57fd6,7&mcId4f3c9aa2bb", "GET /r/?id=h1685a5,d57fd6,7&***"),
        ("GET /r/?id=h600-111-222,d1,7", "GET /r/?id=***,d1,7"),
        ("GET /r/?id=h600111222,a600111222,34600111222", "GET /r/?id=***,***,***"),
        ("GET /r/?id=juan@example.com,jdoe42,203.0.113.7", "GET /r/?id=***,***,***"),
        (#"{"_mId":"jdoe42","_dId":600111222}"#, #"{"_mId":"***","_dId":***}"#),
        (#"{"broadlogId":"external_id":"a1b2c3d4"}"#, #"{"broadlogId":"external_id":"***"}"#),
        (#"{"broadlogId":"4f3c9aa2bb=="}"#, #"{"broadlogId":"***=="}"#),
        // In another parameter or request.
        ("GET /r/?id=h1,2,7&id=4f3c9aa2bb", "GET /r/?id=h1,2,7&id=***"),
        // A quote within a value does not end it.
        (#"x "GET /r/?id=b0bb1e5'brien@example.com,2,7 HTTP/1.1""#, #"*** "GET /r/?id=***,2,7 HTTP/1.1""#),
        ("{'id': 'b0bb1e5'brien@example.com'}", "{'id': '***'***'}"),
        (#""GET /profile?id=4f3c9aa2bb" 200"#, #""GET ***?id=***" 200"#),
        (#"200 0 "https://crm.example/r?id=4f3c9aa2bb""#, #"*** "***?id=***""#),
        ("/r?id=4f3c9aa2bb\" \"-\"", "***?id=***\" \"-\""),
        // Before a `=` or `:`, as keys are.
        ("GET /r/?id=h1,,7&mcId=abc_def_ghij=", "GET /r/?id=h1,,7&mcId=***="),
        ("external_id=jane_doe==", "external_id=***=="),
        ("1.2.3.4 - jane_doe: [19/Nov/2026:10:00:00 +0100]", "*** - ***: [19/Nov/2026:10:00:00 +0100]"),
        // Behind the rest of a key.
        (#"id\x22: \x22A1B2C3D4E5\x22, \x22time\x22:"#, #"id": "***", "time":"#),
        (#"name\x22: \x22maria_garcia\x22}"#, #"name": "***"}"#),
        // Values of a form that is not strict enough.
        (#"{"name":"maria_garcia","id":"a1b2","status":"1234"}"#, #"{"name":"***","id":"***","status":"***"}"#),
    ]

    @Test(arguments: places) func nothingPersonalIsShownWhereItOnceWas(line: String, sample: String) {
        #expect(masked(line) == sample)
    }

    @Test func theKeysOfTheConfiguredFieldsAreShownWithTheirValues() {
        let fields: FieldPaths = [
            .broadlogID: ["msg", "key"], .deliveryID: ["msg", "send"], .action: ["msg", "kind"], .time: ["at"],
            .platform: ["os"], .tracking: ["track"],
        ]
        let keys = SampleKeys.rules(.mzip, fields: fields, actions: ["seen": 0])
        let line = Array(
            (#"{"msg":{"key":"h1685a5","send":"d57fd6","kind":"seen"},"at":"2026-11-19T10:00:00Z","os":"iOS","#
                + #""track":"off","_mId":"h1685a5","type":"1","kind":"other"}"#).utf8)
        #expect(
            maskedSample(of: line.span, keys: SampleKeys(keys))
                == #"{"msg":{"key":"h1685a5","send":"d57fd6","kind":"seen"},"at":"2026-11-19T10:00:00Z","os":"iOS","#
                + #""track":"off","***":"***","***":"***","kind":"***"}"#)
    }

    private static let times: [(String, isShown: Bool)] = [
        ("2026-11-19T10:00:00Z", true), ("2026-11-19T10:00:00.123+01:00", true), ("2026-11-19 10:00:00", true),
        ("19/Nov/2026:10:00:00 +0100", true), ("1795046400.123", true), ("1795046400123", true),
        // A birthday, and a fraction of nine digits, as telephone numbers have.
        ("2001-11-19", false), ("1980-11-19T00:00:00Z", false), ("2026-11-19T10:00:00.600111222Z", false),
        ("2026-02-30T10:00:00Z", false),
        // Ten digits are those of a number in Germany or America, and 234 and 0034 are countries.
        ("1701234567", false), ("2348012345678", false), ("0034600111222", false), ("34600111222", false),
        ("600111222.123", false), ("10.11.12.133.5", false), ("1795046400.12", false), ("1795046400,123", false),
        ("", true),
    ]

    @Test(arguments: times) func aTimeIsShownThatLooksLikeNothingElse(time: String, isShown: Bool) {
        #expect((masked(#"{"time":"\#(time)"}"#) == #"{"time":"\#(time)"}"#) == isShown)
    }

    private static let ids: [(String, isShown: Bool)] = [
        ("h1685a5", true), ("1685A5", true), ("h", true), ("hffffffffd7e15e5c", true), ("h0", true), ("12345", true),
        ("h6b6499a8-9d43-4bc5-acf0-b6aeb96846f6", true), ("6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6", true),
        ("hSOC1", false), ("hh1685a5", false), ("promo-otono", false), ("testDelivery", false),
        ("h15200000", false), ("h+34600", false), ("fe80::1", false), ("h0123456789abcdef0", false),
        ("h6b6499a8-9d43-4bc5-acf0-b6aeb96846f", false),
    ]

    @Test(arguments: ids) func anIdIsShownThatIsHexadecimalOrAUUID(id: String, isShown: Bool) {
        for line in [
            "GET /r/?id=\(id),d57fd6,7", "POST /r?x=1&id=h1,\(id)", #"{"_mId":"\#(id)"}"#, #"{"deliveryId": \#(id)}"#,
        ] {
            #expect(masked(line).contains(id) == isShown, "\(line)")
        }
    }

    @Test func anotherHostIsMaskedAndItsRequestRead() {
        #expect(
            masked(#""POST https://crm.example:443//r/?e=aGV%3D&id=h1%2Cd57fd6%2C7 HTTP/2.0" 404"#)
                == #""POST ***//r/?***=***=&id=h1,d57fd6,7 HTTP/2.0" 404"#)
    }

    @Test func aSampleIsShortPlainText() {
        for bytes in [
            [UInt8](repeating: 0x7B, count: 100_000), [UInt8](0...255), [], [0xFF, 0x00, 0x5C], Array("%".utf8),
        ] {
            let sample = maskedSample(of: bytes.span, keys: .usersTrack)
            #expect(sample.utf8.count <= 200)
            #expect(sample.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        }
    }
}

extension SampleKeys {
    static let mzip = SampleKeys(rules(.mzip, fields: .mzip, actions: ["1": 0]))
    static let events = SampleKeys(RecordRules.events())
    static let usersTrack = SampleKeys(rules(.usersTrack, fields: .usersTrack, actions: ["push_open": 0]))

    static func rules(
        _ format: RecordFormat, fields: FieldPaths, actions: [String: UInt16]
    ) -> RecordRules {
        RecordRules(
            format: format, layout: .body, actions: actions, zone: .utc, window: LogWindow(start: 0, end: 0, days: 0),
            fields: fields)
    }
}
