import Reference
import Testing

/// Examples of real logs and of the rules for ids, worked out by hand.
@Suite struct RecordTests {
    private let day = Day(number: 20_776)  // 2026-11-19

    private func outcome(
        _ request: String, status: String = "200", userAgent: String = "-",
        _ change: (inout Pipeline.Source) -> Void = { _ in }
    ) -> String {
        var source = Pipeline.Source(name: "adobe", format: .collector, files: "")
        change(&source)
        let line = "1.2.3.4 - - [19/Nov/2026:10:00:00 +0100] \"\(request)\" \(status) 43 \"-\" \"\(userAgent)\"\n"
        return summary(records(line, source: source))
    }

    private func records(_ text: String, source: Pipeline.Source) -> [Record] {
        var pipeline = Pipeline()
        pipeline.sources = [source]
        return Reading(source: source, pipeline: pipeline, logDate: day).records(Unpacked(Bytes(text)))
    }

    private func summary(_ records: [Record]) -> String {
        records.map { record in
            switch record.outcome {
            case .accepted(let hit, let fallback):
                "\(hit.broadlogID.text) \(hit.deliveryID.text) \(hit.action) \(hit.platform)"
                    + (fallback ? " fallback" : "")
            case .filtered(let reason): "filtered \(reason)"
            case .rejected(let reason): "rejected \(reason)"
            }
        }.joined(separator: "; ")
    }

    @Test(arguments: [
        ("GET /r/?id=h153d80,b670ea,7&mcId=1 HTTP/1.1", "hex:153d80 b670ea impression unknown"),
        ("GET /r/?id=h153d80,b670ea,1&mcId=1 HTTP/1.1", "hex:153d80 b670ea open unknown"),
        ("GET /r/?id=h153d80,b670ea,2&mcId=1 HTTP/1.1", "hex:153d80 b670ea click unknown"),
        ("POST /r/?id=h153d80,b670ea,2&mcId=1 HTTP/1.1", "hex:153d80 b670ea click unknown"),
        ("GET /r/?id=h1bd500,13ccd4c,7", "hex:1bd500 13ccd4c impression unknown"),
        ("GET /r/?id=d1bd500,13ccd4c,13ccd88", "filtered link"),
        ("GET /r/?id=h1c1380,1442de4,2", "hex:1c1380 1442de4 click unknown"),
        ("GET /r/?id=h11901a,86f10d,3&mcid=1", "hex:11901a 86f10d button_1 unknown"),
        ("GET /r/?id=h11901a,86f10d,4&mcid=1", "hex:11901a 86f10d button_2 unknown"),
        ("GET /r/?id=h11901a,86f10d,5&mcid=1", "hex:11901a 86f10d button_close unknown"),
        ("GET /r/?id=s1685a5,d57fd6,d57ff5", "filtered link"),
        ("GET /r/?id=h3039,a,1", "hex:3039 a open unknown"),
        ("GET /r/?id=h34aa061c0c56,a,1", "hex:34aa061c0c56 a open unknown"),
        ("GET /r/?id=h80000000,a,1", "hex:80000000 a open unknown"),
        ("GET /r/?id=h7fffffffffffffff,a,1", "hex:7fffffffffffffff a open unknown"),
        ("GET /r/?id=hffffffffd7e15e5c,a,1", "hex:d7e15e5c a open unknown"),
        ("GET /r/?id=hd7e15e5c,a,1", "hex:d7e15e5c a open unknown"),
        ("GET /r/?id=hffffffff7fffffff,a,1", "hex:ffffffff7fffffff a open unknown"),
        ("GET /r/?id=h05,a,1", "hex:5 a open unknown"),
        ("GET /r/?id=hD828,A,1", "hex:d828 a open unknown"),
        ("GET /r/?id=h61c0c56,a,1", "hex:61c0c56 a open unknown"),
        ("GET https://t-info.mail.adobe.com/r/?id=h18c130e8,fd4c527c,bf9fea0f", "filtered link"),
        ("GET /r/?id=h554970bb,cc766bf,187167&p1=x", "filtered link"),
        ("GET /r/?id=,,&mcId=", "rejected empty_id"),
        ("GET /r/?id=h153d80,b670ea,&mcId=1", "rejected empty_id"),
        ("GET /r/?id=h26a4148c", "rejected malformed_id"),
        ("GET /r/?id=hSOC1", "rejected malformed_id"),
        ("GET /r/?id=hSOC1,a,1", "rejected malformed_id"),
        ("GET /r/?id=153d80,a,1", "rejected malformed_id"),
        ("GET /r/?id=h,a,1", "rejected malformed_id"),
        ("GET /r/?id=h0,a,1", "rejected malformed_id"),
        ("GET /r/?id=d57fd6,a,1", "hex:57fd6 a open unknown"),
        ("GET /r/test", "filtered not_tracking"),
        ("GET /r/9862?tagid=home", "filtered not_tracking"),
        ("GET /r/2456?tagid=home&jobid=e6", "filtered not_tracking"),
        ("GET /r/?id=h153d80%2Cb670ea%2c7", "hex:153d80 b670ea impression unknown"),
        ("GET /r/?id=h153d80%252Cb670ea%252C7", "rejected malformed_id"),
        ("GET //r/?id=h5,a,1", "hex:5 a open unknown"),
        ("HEAD /r/?id=h5,a,1", "filtered not_tracking"),
        ("GET /R/?id=h5,a,1", "filtered not_tracking"),
        ("GET /r/?ID=h5,a,1", "filtered not_tracking"),
        ("-", "filtered not_tracking"),
        ("", "filtered not_tracking"),
        ("\\x16\\x03\\x01", "filtered not_tracking"),
        ("GET /r/?id=h5,a,6", "rejected unknown_action"),
        ("GET /r/?id=h5,a,07", "filtered link"),
        ("GET /r/?id=h5,a,a", "filtered link"),
        ("GET /r/?id=h5,a,x", "rejected malformed_id"),
        ("GET /r/?id=h5,a+b,1", "hex:5 a+b open unknown"),
        ("GET /r/?id=%20h5%20,%09a,1%20", "hex:5 a open unknown"),
        ("GET /r/?id=h5,a%00,1", "rejected malformed_id"),
        ("GET /r/?id=h5,%FF,1", "hex:5 \u{FFFD} open unknown"),
        ("GET /r/?id", "rejected malformed_id"),
        ("GET /r/?id=h5,a,1&id=h6,b,2", "hex:5 a open unknown"),
    ])
    func aHitIsReadInTheCampaignStandardDialect(request: String, expected: String) {
        #expect(outcome(request) == expected)
    }

    @Test(arguments: [
        ("GET /r/?id=hd828,deliveryId,2", "hex:d828 deliveryid open unknown"),
        (
            "GET /r/?id=h6b6499a8-9d43-4bc5-acf0-b6aeb96846f6,testDeliveryId,1",
            "uuid:6b6499a8-9d43-4bc5-acf0-b6aeb96846f6 testdeliveryid impression unknown"
        ),
        (
            "GET /r/?id=h6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6,testDeliveryId,1",
            "uuid:6b6499a8-9d43-4bc5-acf0-b6aeb96846f6 testdeliveryid impression unknown"
        ),
        ("GET /r/?id=h5,a,7", "rejected unknown_action"),
    ])
    func aHitIsReadInTheCampaignClassicDialect(request: String, expected: String) {
        #expect(outcome(request) { $0.actions = Pipeline.Source.campaignClassic } == expected)
    }

    @Test func aHitWithoutARequiredMcIDIsNoPush() {
        let pixel = "GET //r/?id=h1f69f0f9,87536dde,1"
        #expect(outcome(pixel) { $0.requiresMcid = true } == "filtered not_push")
        #expect(outcome(pixel + "&MCID=") { $0.requiresMcid = true } == "filtered not_push")
        #expect(outcome(pixel + "&MCID=7") { $0.requiresMcid = true } == "hex:1f69f0f9 87536dde open unknown")
    }

    @Test(arguments: [
        ("404", "filtered tracking_disabled"), ("400", "filtered http_error"), ("199", "filtered http_error"),
        ("0", "filtered http_error"), ("-", "hex:5 a open unknown"), ("399", "hex:5 a open unknown"),
    ])
    func theStatusIsCheckedAfterTheID(status: String, expected: String) {
        #expect(outcome("GET /r/?id=h5,a,1", status: status) == expected)
        #expect(outcome("GET /r/?id=h0,a,1", status: status) == "rejected malformed_id")
    }

    @Test(arguments: ["abc", "20", "2000", "00", "2 0", "+20", "--"])
    func aLineWithAnInvalidStatusIsMalformed(status: String) {
        #expect(outcome("GET /r/?id=h5,a,1", status: status) == "rejected malformed_line")
        #expect(outcome("GET / HTTP/1.1", status: status) == "rejected malformed_line")
    }

    @Test(arguments: [
        ("Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US)", "ios"),
        ("Mozilla/5.0 (Linux; U; Android 14; en-US; Pixel 8 Build/UQ1A)", "android"), ("Dalvik/2.1", "android"),
        ("x CFNetwork/1", "ios"), ("iPad Android", "android"), ("android", "unknown"),
    ])
    func thePlatformIsInTheUserAgent(userAgent: String, expected: String) {
        #expect(outcome("GET /r/?id=h5,a,1", userAgent: userAgent) == "hex:5 a open \(expected)")
    }

    @Test(arguments: [
        "x", "1.2.3.4 - - [19/Nov/2026:10:00:00 +0100] \"GET / HTTP/1.1\" 200",
        "1.2.3.4 - - [19/Nov/2026:10:00:00 +0100] \"GET / HTTP/1.1\" 200 5 \"-\"",
        "1.2.3.4 - - [19/Nov/2026:10:00:00 +0100] \"GET / HTTP/1.1 200 5",
    ])
    func aLineThatIsNoCombinedLogLineIsMalformed(line: String) {
        let source = Pipeline.Source(name: "adobe", format: .collector, files: "")
        #expect(summary(records(line, source: source)) == "rejected malformed_line")
    }

    @Test func plusesOfAnMzipBodyAreDecodedBeforeEscapes() {
        var source = Pipeline.Source(name: "momo", format: .mzip, files: "")
        source.platform = "ios"
        source.fields["broadlog_id"] = "log_content.data.n"
        source.fields["delivery_id"] = "log_content.data.msg_id"
        let line =
            "mzip=%7B%22log_content%22%3A%7B%22time%22%3A1763596800123%2C%22data%22%3A%7B%22n%22%3A%22h1685a5%22"
            + "%2C%22title%22%3A%22%E9%99%8C%E9%99%8C+a%2Bb+%26+c%5C%2Fd%22%2C%22msg_id%22%3A%22T-ab3ae1e11a12771a"
            + "-9831-0%22%7D%2C%22type%22%3A1%7D%2C%22security%22%3A%22aGVsbG8%2B%5C%2Fw%3D%3D%22%7D"
        // 2025-11-20 is a year before the log date. So the clock was wrong, and there is no receipt time.
        #expect(summary(records(line, source: source)) == "hex:1685a5 t-ab3ae1e11a12771a-9831-0 arrival ios fallback")
        #expect(summary(records("mzip=%7B%", source: source)) == "rejected malformed_line")
        #expect(summary(records("a=1", source: source)) == "rejected malformed_line")
        #expect(summary(records("mzip=AbCd", source: source)) == "rejected not_json")
        #expect(summary(records("mzip=", source: source)) == "rejected not_json")
        #expect(summary(records("%7B%7D", source: source)) == "rejected missing_action")
        #expect(summary(records("mzip=%7B", source: source)) == "rejected bad_json")
    }

    @Test(arguments: [
        ("12345", "hex:3039"), ("\"h1685A5\"", "hex:1685a5"), ("\"h00001685a5\"", "hex:1685a5"),
        ("\"1685a5\"", "hex:1685a5"), ("\"H5\"", "hex:5"), ("\"hello\"", "opaque:hello"),
        ("\"d1685a5\"", "hex:d1685a5"),
        ("\"s5\"", "opaque:s5"), ("18446744073709551615", "hex:ffffffff"), ("\" h5\\t\"", "hex:5"),
        ("\"12345678901234567\"", "opaque:12345678901234567"),
    ])
    func anIDIsReadFromJSON(json: String, expected: String) throws {
        let tree = try #require(JSONReader.document(Bytes(json)))
        guard case .id(let id) = broadlogID(json: tree) else {
            Issue.record("no id")
            return
        }
        #expect(id.text == expected)
    }

    @Test(arguments: [
        "0", "-5", "1.5", "1e3", "18446744073709551616", "true", "{}", "\"h0\"", "\"000\"", "\"a\\u0001b\"",
    ])
    func aMalformedIDInJSONIsRejected(json: String) throws {
        let tree = try #require(JSONReader.document(Bytes(json)))
        guard case .malformed = broadlogID(json: tree) else {
            Issue.record("not malformed")
            return
        }
    }

    private func braze(_ text: String, _ change: (inout Pipeline.Source) -> Void = { _ in }) -> [Record] {
        var source = Pipeline.Source(name: "braze", format: .usersTrack, files: "")
        source.actions = ["push_open": "open"]
        change(&source)
        return records(text, source: source)
    }

    private let event =
        "{\"name\":\"push_open\",\"time\":\"2026-11-19T10:00:00Z\",\"properties\":{\"broadlogId\":\"h5\",\"deliveryId\":9}}"

    @Test func usersTrackBodiesAreReadInAllTheirForms() {
        let body = "{\"events\":[\(event)]}"
        let accepted = "hex:5 9 open unknown"
        for text in [
            body, "[\(body)]", "\n\u{0B},\(body)\n", "[\n\(body)\n,\n]",
        ] {
            #expect(summary(braze(text)) == accepted)
        }
        #expect(summary(braze(body + body)) == accepted + "; " + accepted)
        #expect(
            summary(braze("{\"events\":[],\"attributes\":[{}],\"purchases\":[1]}"))
                == "filtered not_an_event; filtered not_an_event")
        #expect(summary(braze("{\"a\":1}")) == "rejected not_users_track")
        #expect(summary(braze("{\"events\":{}}")) == "rejected not_users_track")
        #expect(
            summary(braze("{\"events\":[1,\(event),{}]}"))
                == "rejected missing_action; \(accepted); rejected missing_action")
    }

    @Test func afterAFaultReadingContinuesAtTheNextLineThatBeginsABody() {
        let body = "{\"events\":[\(event)]}"
        let records = braze(
            "\(body) x\nrest \(body)\n \(body)\n\(body)\n{\"events\":[\n{\"a\" 1},\n[\(body)]\n{\"events\":[")
        #expect(
            summary(records)
                == "hex:5 9 open unknown; rejected bad_json; hex:5 9 open unknown; rejected bad_json; rejected bad_json; "
                + "hex:5 9 open unknown; rejected bad_json")
        #expect(records.map(\.line) == [1, 1, 4, 5, 6, 7, 8])
    }

    @Test func anElementIsOnTheLineOfItsFirstByte() {
        let records = braze("{\n\"events\"\n:[\n1,\n\n2 ]\n}\n")
        #expect(records.map(\.line) == [4, 6])
    }

    @Test(arguments: [
        ("1763596800", 1_763_596_800_000), ("1763596800.1239", 1_763_596_800_123), ("99999999999", 99_999_999_999_000),
        ("100000000000", 100_000_000_000), ("1.7635968e9", 1_763_596_800_000), ("17635968000e-1", 1_763_596_800_000),
        ("-1.5", -1500), ("0.0001e13", 1_000_000_000_000), ("\"1763596800123\"", 1_763_596_800_123),
        ("\"2013-07-16T19:20:30+01:00\"", 1_373_998_830_000), ("\"2013-07-16T19:20:30:123+0100\"", 1_373_998_830_123),
        ("\"2013-07-16 19:20:30.1\"", 1_374_002_430_100), ("\"2013-07-16\"", 1_373_932_800_000),
        ("\"2013-07-16T19:20:60Z\"", 1_374_002_460_000), ("\"2013-07-16T19:20:30.9999999+01\"", 1_373_998_830_999),
    ])
    func aPayloadTimeIsRead(json: String, expected: Int) {
        #expect(payloadTime(JSONReader.document(Bytes(json))) == expected)
    }

    @Test(arguments: [
        "\"\"", "\" 1\"", "\"1e9\"", "\"1.\"", "true", "null", "\"2026-02-30\"", "\"2026-11-19T10:00Z\"",
        "\"2026-11-19T24:00:00Z\"", "\"2026-11-19T10:00:00.Z\"", "\"2026-11-19T10:00:00+24\"",
        "\"2026-11-19T10:00:00z\"",
    ])
    func anInvalidPayloadTimeIsNotRead(json: String) {
        #expect(payloadTime(JSONReader.document(Bytes(json))) == nil)
    }
}
