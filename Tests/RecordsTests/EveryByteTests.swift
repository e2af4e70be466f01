import Support
import Testing

@testable import Records

/// Each byte of a line of every kind is replaced, removed and doubled. `parse` and `read` compare with the reference what comes
/// of it. In long runs each byte is replaced by all others, and more lines are tried.
@Suite struct EveryByteTests {
    fileprivate enum Kind: Sendable { case collector, push, mzip, usersTrack, body, events, batch }

    private static let format = #"$time_iso8601 $request_method $request_uri $status "$request_body""#
    private static let event = #"{"name":"push_open","time":"2026-11-19T10:00:00.123+01:00","properties":"#
    private static let body = #"{"events":[\#(event){"broadlogId":"h1685a5","deliveryId":"d57fd6"}}],"attributes":[]}"#
    private static let objects =
        #"{"purchases":[{"price":1.5e1}],"\u0065vents":[\#(event){"broadlogId":12345,"deliveryId":"\u00e9"}},1]}"#
    private static let payload =
        #"mzip={"log_content":{"data":{"_mId":"\u0068\u0031","_dId":57,"_acsDeliveryTracking":"on"},"type":1,"time":1.7950788e9}}"#

    private static let pushed =
        #"{"event":{"kind":"message.push.clicked","timestamp":1795078800,"device":"d-\u0037","device_type":"Chrome"},"#
        + #""message":{"id":"6B6499A8-9d43-4bc5-acf0-b6aeb96846f6"}}"#

    fileprivate static let lines: [(kind: Kind, layout: String, line: String)] =
        QuickHitTests.ordinary.prefix(Long.isOn ? 100 : 1).map { (.collector, "combined", $0) } + [
            (.push, "combined", QuickHitTests.ordinary[3]),
            (
                .collector,
                "$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\" $time_iso8601 $msec",
                #"203.0.113.7 [19/Nov/2026:06:30:00.123 +0100] "GET /r/?id=h1,\x412,7 HTTP/1.1" 200 "iPad" - -"#
            ),
            (
                .collector, "$msec|$status|$request_method|$request_uri|$http_user_agent",
                "1795078800.12|0|GET|/r?id=h1,2,7|iPad"
            ),
            (
                .collector, "%{%F %T}t.%{msec_frac}t %m %U%q %s %{User-Agent}i",
                "2026-11-19 10:00:00.500 GET /r/ ?id=h1,2,7 204 iPad"
            ),
            (
                .collector, "json",
                #"{"status":"404","msec":1795078800.123,"time":"x","request_method":"GET","request_uri":"/r/?id=h1,2,7","a":[{}]}"#
            ),
            (.mzip, "body", payload), (.mzip, "body", "a=b&" + payload.replacing("\"", with: "%22") + "&security=a%2B"),
            (
                .mzip, format,
                "2026-11-19T10:00:00+01:00 POST /push/log/iosarrive 200 \"\(payload.replacing("\"", with: "\\x22"))\""
            ),
            (
                .usersTrack, format,
                "2026-11-19T10:00:00Z POST /users/track 201 \"\(body.replacing("\"", with: "\\\""))\""
            ),
            (.body, "body", body), (.body, "body", objects), (.events, "body", pushed),
            (.batch, "body", #"{"a":1,"batch":{"items":[\#(pushed),{"event":{"kind":7}}]}}"#),
            (.events, "$request_body", "[\(pushed),{\"event\":{\"kind\":7}}]"),
            (.batch, "$request_body", #"[{"batch":{"items":[]}},{"batch":{"items":[{"event":{"kind":7}},1]}}]"#),
        ]

    @Test(arguments: lines) fileprivate func everyByteCounts(kind: Kind, layout: String, line: String) throws {
        let parsed = try Layout(parsing: layout)
        let rules: RecordRules =
            switch kind {
            case .collector, .push: .collector(parsed, requireMcid: kind == .push)
            case .mzip: .mzip(parsed)
            case .usersTrack, .body: .usersTrack(parsed)
            case .events: .events(parsed)
            case .batch: .events(parsed, elements: "batch.items")
            }
        let line = Array(line.utf8)
        func check(_ variant: [UInt8]) {
            if rules.format.hasBodies, layout == "body" {
                expectReference(read(rules, variant, chunk: variant.count + 1), rules, variant)
            } else {
                _ = parse(rules, layout: layout, variant)
            }
        }
        for place in line.indices {
            for byte in UInt8.min...UInt8.max where Long.isOn || (Int(byte) + place) % 8 == 0 {
                var variant = line
                variant[place] = byte
                check(variant)
            }
            check(Array(line[..<place] + line[(place + 1)...]))
            check(Array(line[...place] + line[place...]))
        }
        check(line)
    }
}
