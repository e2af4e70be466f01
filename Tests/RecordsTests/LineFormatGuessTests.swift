import Testing

@testable import Records

/// Formats after one line. That they give the right figures is tested by `GuessTests`.
@Suite struct LineFormatGuessTests {
    private static let request = "GET /r/?id=h1685a5,d57fd6,7&mcId=1 HTTP/1.1"
    private static let agent = "Dalvik/2.1.0 (Linux; U; Android 14)"

    @Test(arguments: [
        (
            "192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"\(request)\" 200 12 \"-\" \"\(agent)\"",
            #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#
        ),
        (
            "2026-11-19T10:00:00+00:00 \"\(request)\" 200 \"\(agent)\" rt=0.004",
            #"$time_iso8601 "$request" $status "$http_user_agent" rt=$skipped1"#
        ),
        (
            "1795078800.123\t200\tGET\t/r/?id=h1,d2,7\t\(agent)",
            #"$msec\t$status\t$request_method\t$request_uri\t$http_user_agent"#
        ),
        (
            "time:2026-11-19T10:00:00Z\tstatus:200\treq:\(request)\tua:\(agent)",
            #"time:$time_iso8601\tstatus:$status\treq:$request\tua:$http_user_agent"#
        ),
        ("2026-11-19T10:00:00Z|\(request)|200|\(agent)|x", "$time_iso8601|$request|$status|$http_user_agent|$skipped1"),
        // What only Apache's formats express.
        ("2026-11-19 10:00:00,123 \"\(request)\" 200", #"%{%Y-%m-%d %H:%M:%S}t,%{msec_frac}t "%r" %>s"#),
        ("2026-11-19\t10:00:00\t\(request)\t200", #"%{%Y-%m-%d%t%H:%M:%S}t\t%r\t%>s"#),
        ("1795078800123456 GET \"/r/?id=h1,d2,7\" 200", #"%{usec}t %m "%U%q" %>s"#),
        ("[19/Nov/2026:10:00:00 +0100.123] \"\(request)\" 200", #"[%{%d/%b/%Y:%H:%M:%S %z}t.%{msec_frac}t] "%r" %>s"#),
        ("19/Nov/2026:10:00:00 +0100 GET /r/ ?id=h1,d2,7 200", "%{%d/%b/%Y:%H:%M:%S %z}t %m %U %q %>s"),
        (
            "{ \"at\":\"2026-11-19T10:00:00+0000\", \"request\":\"\(request)\", \"status\":200, \"ua\":\"\(agent)\" }",
            #"{ "at":"$time_iso8601", "request":"$request", "status":$status, "ua":"$http_user_agent""#
        ),
    ])
    func aLineGivesItsFormat(line: String, format: String) {
        let formats = LineFormatGuess.formats(of: [Array(line.utf8)], as: .collector, on: nil)
        #expect(formats.contains(format), "\(formats)")
    }

    @Test func theBodyIsFound() {
        let line = "192.0.2.1 [19/Nov/2026:10:00:00 +0000] \"POST /push/log/iosarrive HTTP/1.1\" 200 \"mzip=%7B%7D\""
        let formats = LineFormatGuess.formats(of: [Array(line.utf8)], as: .mzip, on: nil)
        #expect(formats.first == #"$remote_addr [$time_local] "$request" $status "$request_body""#)
    }

    /// A backend's status is the same in all lines, or stops fewer hits.
    @Test(arguments: [
        ("200", "404", #""$request" $skipped1 $status"#), ("404", "200", #""$request" $status $body_bytes_sent"#),
    ])
    func ofTwoStatusesTheOneThatStopsHitsIsTaken(first: String, second: String, format: String) {
        let statuses = [("200", "200"), (first, second), ("200", "200")]
        let lines = statuses.map { Array("[19/Nov/2026:10:00:00 +0000] \"\(Self.request)\" \($0) \($1)".utf8) }
        #expect(LineFormatGuess.formats(of: lines, as: .collector, on: nil).first == "[$time_local] " + format)
    }

    @Test func aFewOddLinesMakeNoFormat() {
        let line = "[19/Nov/2026:10:00:00 +0000] \"\(Self.request)\""
        let lines = [Array(line.utf8)] + (1...9).map { Array("\(line) 20\($0 % 2)".utf8) }
        #expect(LineFormatGuess.formats(of: lines, as: .collector, on: nil) == [#"[$time_local] "$request" $status"#])
    }

    @Test(arguments: [
        "2026-11-19 10:00:00.123 +0100 \"\(request)\" 200", "", "no log line", "GET /robots.txt", "{\"a\":1}", "\"\"\"",
        "[[[", "\t\t|||;;;,,,", "id=h1,d2,7",
    ])
    func otherTextGivesNone(line: String) {
        #expect(LineFormatGuess.formats(of: [Array(line.utf8)], as: .collector, on: nil).isEmpty)
    }

    @Test(arguments: [
        ("GET /r/?id=h1685a5,d57fd6,7 HTTP", true), ("x id=1685a5%2cd57fd6%2C7", true),
        ("id=h1%252Cd2%252C7", true), ("/r/\tid=h1,d2,7\t", true), ("id=h1,d2", false), ("id=h1 ,d2,7", false),
        ("id=,,", false), ("id=", false), ("mcId=1,2,3", false), ("id=h1&x=,,", false), ("ID=h1,d2,7", false),
    ])
    func anIdOfThreePartsIsASign(line: String, isSign: Bool) {
        #expect(RecordFormat.collector.hasSign(in: Array(line.utf8).span) == isSign)
    }

    @Test func keysOfUnknownProgramsAreFound() throws {
        let lines = (1...20).map { number in
            Array(
                """
                {"log":{"when":"2026-11-19T10:00:\(number + 10)Z","verb":"GET","target":"/r/?id=h\(number),d2,7",\
                "response_code":200,"bytes":312},"client":{"agent":"curl"},"a.b":1,"status_text":"OK"}
                """.utf8)
        }
        let paths = try #require(JSONFieldGuess(lines).fields(.collector, on: nil))
        #expect(
            paths == [
                .time: ["log", "when"], .method: ["log", "verb"], .url: ["log", "target"],
                .status: ["log", "response_code"], .userAgent: ["client", "agent"],
            ])
        #expect(
            JSONFieldGuess([Array("{}".utf8), Array("[1]".utf8), Array("x".utf8)]).fields(.collector, on: nil) == nil)
    }
}
