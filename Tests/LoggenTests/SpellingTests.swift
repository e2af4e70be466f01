import Calendar
import Reference
import Testing

@testable import loggen

/// How the lines of a hit begin.
private let hits: [(Layout, String)] = [
    (.apache, #"::1 - 2026-11-17T08:20:00+0100 "GET /r/?id=h5,a%2Cb,7 HTTP/1.1" 200 0 "-" "iPhone \"x\"""#),
    (.w3c, "2026-11-17 07:20:00 192.0.2.80 GET /r/ id=h5,a%2Cb,7 443 - ::1 iPhone+\"x\" - 200 0 0 3"),
    (
        .cloudfront,
        """
        2026-11-17\t07:20:00\tMAD53-P2\t0\t::1\tGET\td111111abcdef8.cloudfront.net\t/r/\t200\t-\t\
        iPhone%2520%22x%22\tid=h5,a%252Cb,7\t-\tMiss\t
        """
    ),
    (
        .alb,
        #"""
        https 2026-11-17T07:20:00.000000Z app/push/50dc6c495c0c9188 ::1:40000 10.0.0.66:80 0.000 0.001 0.000 \#
        200 200 421 0 "GET https://track.example.com:443/r/?id=h5,a%2Cb,7 HTTP/1.1" "iPhone \x22x\x22" TLS
        """#
    ),
    (
        .gcpLB,
        #"""
        {"httpRequest":{"requestMethod":"GET","requestUrl":"https://track.example.com/r/?id=h5,a%2Cb,7",\#
        "status":200,"userAgent":"iPhone \"x\"","remoteIp":"::1","responseSize":"0"},\#
        "timestamp":"2026-11-17T07:20:00.000000Z",
        """#
    ),
    (
        .caddy,
        #"""
        {"level":"info","ts":1794900000.000000,"logger":"http.log.access","request":{"remote_ip":"::1",\#
        "method":"GET","host":"track.example.com","uri":"/r/?id=h5,a%2Cb,7",\#
        "headers":{"User-Agent":["iPhone \"x\""]}},"duration":0.003,"size":0,"status":200}
        """#
    ),
]

@Suite struct SpellingTests {
    @Test(arguments: [
        (TimeText.zulu, "\"2026-11-17T07:20:00Z\"", 0), (.offset, "\"2026-11-17T08:20:00+01:00\"", 0),
        (.fraction, "\"2026-11-17T07:20:00.123Z\"", 123), (.brazePattern, "\"2026-11-17T08:20:00:123+0100\"", 123),
        (.shortOffset, "\"2026-11-17T09:20:00+02\"", 0), (.seconds, "1794900000", 0),
        (.milliseconds, "1794900000123", 123), (.zoneless, "\"2026-11-17 07:20:00\"", 0),
        (.decimalText, "\"1794900000.123\"", 123), (.dateAlone, "\"2026-11-17\"", -26_400_000),
        (.nanoseconds, "\"2026-11-17T07:20:00.123987654Z\"", 123), (.decimal, "1794900000.1239", 123),
        (.west, "\"2026-11-17T02:20:00.123-05:00\"", 123), (.exponent, "1794900000.123e0", 123),
        (.millisecondText, "\"1794900000123\"", 123),
    ])
    func everySpellingOfATimeKeepsItsPrecision(spelling: TimeText, json: String, milliseconds: Int) {
        let (text, time) = spelling.spell(1_794_900_000_123)
        #expect(text == json)
        #expect(time == 1_794_900_000_000 + milliseconds)
    }

    @Test func outsideTheWindowAPayloadTimeIsReplaced() throws {
        let times = PayloadTimes(plan: try smallPlan(), date: try #require(LogDate("2026-11-17")))
        let start = 1_794_870_000_000
        let earliest = start - 30 * 86_400_000
        let end = start + 2 * 86_400_000
        for (payload, expected) in [(earliest, false), (end - 1, false), (earliest - 1, true), (end, true)] {
            let settled = try #require(times.settle(payload: payload, receipt: nil))
            #expect(settled.clockFallback == expected)
            #expect(settled.time == (expected ? start : payload))
        }
        #expect(times.settle(payload: end, receipt: 5999)?.time == 5000)
        #expect(times.settle(payload: nil, receipt: 5999)?.clockFallback == false)
        #expect(times.settle(payload: nil, receipt: nil) == nil)
    }

    @Test(arguments: hits)
    func everyServerSpellsAHitInItsOwnWay(layout: Layout, expected: String) throws {
        let line = WebLine(
            address: "::1", time: 1_794_900_000_123, request: Array("GET /r/?id=h5,a%2Cb,7 HTTP/1.1".utf8),
            agent: Array("iPhone \"x\"".utf8))
        var speller = LineSpeller(layout: layout, zone: try smallPlan().zone)
        var buffer = Bytes()
        speller.write(line, into: &buffer)
        let text = buffer.text
        #expect(text.hasPrefix(expected), "\(text)")
    }

    @Test func thePipelineFileFitsTheLogs() throws {
        let text = PipelineFile(plan: try smallPlan { $0.layout = .nginx }).text
        #expect(
            text == """
                # The logs that loggen wrote here, seed 7. Use it with
                #   pushetl --pipeline push.yaml
                version: 1
                timezone: Europe/Madrid
                output: warehouse
                dedup:
                  window_days: 30
                deliveries:
                  files: deliveries/*.csv
                sources:
                  - name: adobe
                    format: collector
                    layout: '$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body"'
                    files: collector/%Y-%m-%d/*.log.gz
                  - name: momo
                    format: mzip
                    layout: '$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body"'
                    files: mzip/%Y-%m-%d/*.gz
                    platform: ios
                  - name: braze
                    format: users_track
                    layout: '$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body"'
                    files: users_track/%Y-%m-%d/*.json.gz
                    actions: {push_impression: impression, push_click: click, push_open: open}

                """)
    }
}
