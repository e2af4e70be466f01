import Testing

import func Reference.unescaped

@testable import Records

@Suite struct LayoutTests {
    private func codes(_ layout: String, _ lines: String...) throws -> [String] {
        let rules = RecordRules.collector(try Layout(parsing: layout))
        return lines.flatMap { parse(rules, layout: layout, $0).codes }
    }

    private static let request = "\"GET /r/?id=h1,2,7 HTTP/1.1\""
    private static let time = "[19/Nov/2026:10:00:00 +0100]"
    private static let ownFraction = #""%{%F %T}t" "%{usec_frac}t" "%r""#

    @Test(arguments: [
        ("1.2.3.4 - - \(time) \(request) 200 0", "accepted"),
        ("1.2.3.4 - - \(time) \(request) 200 -", "accepted"),
        ("1.2.3.4 - - \(time) \(request) 200 0 \"-\" \"x\"", "accepted"),
        ("1.2.3.4 - - \(time) \(request) 200 0 \"-\" \"x\" 0.003 \"more", "accepted"),
        ("1.2.3.4 - - \(time) \(request) 200 0 \"a\\\"b\" \"\\\\\"", "accepted"),
        ("1.2.3.4 - John Doe \(time) \(request) 200 0", "accepted"),
        ("2001:db8::1 - - \(time) \(request) 200 0", "accepted"),
        ("1.2.3.4 - - \(time) \(request) 200", "malformed_line"),
        ("1.2.3.4 - - \(time) \(request)", "malformed_line"),
        ("1.2.3.4 - - \(time) \"GET /r/?id=h1,2,7", "malformed_line"),
        ("1.2.3.4 - - \(time) \(request) 200 0 \"-\"", "malformed_line"),
        ("1.2.3.4 - - \(time) \(request) 200 0 \"-\" \"x", "malformed_line"),
        ("1.2.3.4 - - \(time) \(request) 200 0 extra", "malformed_line"),
        ("1.2.3.4 - \(time) \(request) 200 0", "malformed_line"),
        (" - - \(time) \(request) 200 0", "malformed_line"),
        ("1.2.3.4 - - 19/Nov/2026:10:00:00 +0100 \(request) 200 0", "malformed_line"),
    ])
    func combinedFitsOrNot(line: String, code: String) throws {
        #expect(try codes("combined", line) == [code])
    }

    @Test(arguments: [
        "id=h1\\x2c2\\x2C7", "id=h1,\\x22\\\"2,7", "id=h1,2,7\\t", "id=\\x681,2,7", "id=h1,2\\\\,7",
    ])
    func escapesOfEveryServerAreUndone(query: String) throws {
        #expect(try codes("combined", "1.2.3.4 - - \(Self.time) \"GET /r/?\(query) HTTP/1.1\" 200 0") == ["accepted"])
    }

    @Test(arguments: [
        ("{\\x22t\\x22:\\x22\\xE9\\x99\\x8C\\x5Cx22\\x0A\\x22}", "{\"t\":\"陌\\x22\n\"}"),
        ("\\xe9\\x99\\x8c", "陌"), ("\\b\\n\\r\\t\\v", "\u{8}\n\r\t\u{B}"), ("\\\"\\\\x41", "\"\\x41"),
        ("\\q\\x4\\", "\\q\\x4\\"),
    ])
    func escapesAreUndoneInOnePass(escaped: String, plain: String) {
        let bytes = Array(escaped.utf8)
        var output: [UInt8] = []
        LogEscapes.append(bytes.span, in: 0..<bytes.count, to: &output)
        #expect(output == Array(plain.utf8))
        #expect(unescaped(bytes) == output)
    }

    @Test(arguments: [
        (
            "$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\" \"$request_body\"",
            "1.2.3.4 \(time) \(request) 200 \"x\" \"-\" and more", "accepted"
        ),
        (
            "$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\" \"$request_body\"",
            "1.2.3.4 \(time) \(request) 404 \"x\" \"-\"", "tracking_disabled"
        ),
        (
            "$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\" \"$request_body\"",
            "1.2.3.4 \(time) \(request) 200 \"x\" \"-", "malformed_line"
        ),
        ("$msec $request_method $request_uri $status", "1795078800.123 GET /r/?id=h1,2,7 200", "accepted"),
        ("$msec $request_method $request_uri $status", "1795078800.123 GET /r/?id=h1,2,7 200 more", "accepted"),
        ("$msec $request_method $request_uri $status", "1795078800.123 GET /r/?id=h1,2,7", "malformed_line"),
        ("${time_iso8601}|$request", "2026-11-19T10:00:00+01:00|GET /r/?id=h1,2,7 HTTP/1.1", "accepted"),
        ("${time_iso8601}|$request", "2026-11-19T10:00:00+01|GET /r/?id=h1,2,7 HTTP/1.1", "accepted"),
        ("${time_iso8601}|$request", "2026-11-19|GET /r/?id=h1,2,7 HTTP/1.1", "bad_time"),
        ("req=\"$request\" $time_local", "req=\"GET /r/?id=h1,2,7\" 19/Nov/2026:10:00:00 +0100", "accepted"),
        ("req=\"$request\" $time_local", "x\"GET /r/?id=h1,2,7\" 19/Nov/2026:10:00:00 +0100", "malformed_line"),
        ("\"$request\"$time_local", "\"GET /r/?id=h1,2\\x2C7\"19/Nov/2026:10:00:00", "accepted"),
        ("$request_uri \"$request\" $msec", "/x \"GET /r/?id=h1,2,7\" 1795078800", "accepted"),
        ("$request", "GET /r/?id=h1,2,7 HTTP/1.1", "bad_time"),
        ("$status \"$request\" $msec", "OK \"GET /\" 1795078800", "malformed_line"),
        ("$status \"$request\" $msec", "0 \"GET /r/?id=h1,2,7\" 1795078800", "http_error"),
        ("\"$status\" \"$request\" $msec", "\"\" \"GET /r/?id=h1,2,7\" 1795078800", "accepted"),
        ("$time_iso8601|$msec|$request", "|1795078800|GET /r/?id=h1,2,7", "accepted"),
        ("$time_iso8601|$msec|$request", "-|1795078800|GET /r/?id=h1,2,7", "bad_time"),
        ("\"$request\" $time_local", "\"GET /r/?id=h1,2,7\" 19/Nov/2026:10:00:00 more", "accepted"),
        ("\"$request\" $time_local", "\"GET /r/?id=h1,2,7\" 19/Nov/2026:10:00:00 -", "accepted"),
        ("\"$request\" $time_local", "\"GET /r/?id=h1,2,7\" 19/Nov/2026:10:00:00 +0x00", "bad_time"),
        ("$time_local|$request", "19/Nov/2026:10:00:00.584|GET /r/?id=h1,2,7", "accepted"),
        ("$status $time_local", "200 19/Nov/2026:10:00:00", "malformed_line"),
        ("\"$request\" \"$status\" $msec", "\"GET /r/?id=h1,2,7\" \"\" 1795078800", "accepted"),
        ("$time_iso8601\t$request\t$status", "2026-11-19T10:00:00Z\tGET /r/?id=h1,2,7\t200", "accepted"),
        ("$time_iso8601\\t$request\\t$status", "2026-11-19T10:00:00Z\tGET /r/?id=h1,2,7\t200", "accepted"),
        (
            "time:$msec\\treq:$request\\tstatus:$status", "time:1795078800\treq:GET /r/?id=h1,2,7\tstatus:404\tx:y",
            "tracking_disabled"
        ),
        (#"\"$request\" it\'s \\ $msec"#, #""GET /r/?id=h1,2,7" it's \ 1795078800"#, "accepted"),
        ("\"$request\" $time_local", "\"GET /r/?id=h1,2,7\" 19/Nov/2026:10:00:00 +0100 more", "accepted"),
        ("$scheme$host \"$request\" $msec", "https://a.example \"GET /r/?id=h1,2,7\" 1795078800", "accepted"),
        (#"%h %l %u %t \"%r\" %>s"#, "::1 - - \(time) \(request) 200", "accepted"),
        (
            #"%{%d/%b/%Y:%T %z}t.%{msec_frac}t \"%r\" %s"#, "19/Nov/2026:11:00:00 +0100.000 \(request) 200",
            "accepted"
        ),
        ("%{sec}t|%m|%U%q|%s", "1795082400|GET|/r/?id=h5,a,7|200", "accepted"),
        ("%{sec}t%{msec_frac}t|%m|%U%q|%s", "1795082400000|GET|/r/?id=h5,a,7|200", "accepted"),
        ("%U|%m|%q|%s|%{begin:usec}t", "/r/|GET|?id=h5,a,7|200|1795082400000999 x", "accepted"),
        ("%{%F%T}t%h%l %!400{x}i%% %m %U%q %s", "2026-11-1910:00:00::1 -% GET /r/?id=h5,a,7 200", "accepted"),
        (
            "%{%A, %e %b %y %k:%M:%S%Z}t %b %m %U%q %400s",
            "Thursday, 19 Nov 26 10:00:00UTC x GET /r/?id=h5,a,7 200", "accepted"
        ),
        (#"[%{%F %T %z %Z}t] "%r""#, "[2026-11-19 10:00:00 +0100 W. Europe Standard Time] \(request)", "accepted"),
        (#"%{%F %T %z (%Z)}t "%r""#, "2026-11-19 10:00:00 +0100 (Paris, Madrid (heure d'été)) \(request)", "accepted"),
        (#"[%{%F %T %Z}t] "%r""#, "[2026-11-19 10:00:00 W. Europe Standard Time] \(request)", "bad_time"),
        // A line was cut in the name, and another one follows.
        (
            #"%{%F %T %z %Z}t "%r""#, "2026-11-19 10:00:00 +0100 W. Eu 2026-11-19 11:00:00 +0100 UTC \(request)",
            "malformed_line"
        ),
        (#"%{%T %Z/%F}t "%r""#, "10:00:00 UTC/2026-11-19 \(request)", "accepted"),
        (#"%{%a-%F-%T}t "%r""#, "Thu-2026-11-19-10:00:00 \(request)", "accepted"),
        ("%{msec_frac}t %t %m %U%q", "7 \(time) GET /r/?id=h5,a,7", "accepted"),
        (#"'%{%Y%j %k.%M.%S}t ' '"%r" %s';"#, "2026323 10.00.00 \(request) 200", "accepted"),
        (#""%{end:msec}t\t\"%r\" " "%s""#, "1795082400000\t\(request) 200", "accepted"),
        (#""%{%F %T}t" %m %U%q"#, #""2026-02-29 10:00:00" GET /r/?id=h5,a,7"#, "bad_time"),
        (#""%{%F %T}t" %m %U%q"#, #""2026-11-19 24:00:00" GET /r/?id=h5,a,7"#, "bad_time"),
        (#""%{%F %T}t" %m %U%q"#, #""2026-11-19 10:60:00" GET /r/?id=h5,a,7"#, "bad_time"),
        (#""%{%F %T}t" %m %U%q"#, #""2026-11-19 10:00:61" GET /r/?id=h5,a,7"#, "bad_time"),
        (#""%{%F %T}t" %m %U%q"#, #""yesterday" GET /r/?id=h5,a,7"#, "bad_time"),
        // A time that goes on, or whose fraction does.
        (#""%{%F %T}t" %m %U%q"#, #""2026-11-19 10:00:00x" GET /r/?id=h5,a,7"#, "malformed_line"),
        ("%m %U%q %s %{%F %T}t", "GET /r/?id=h5,a,7 200 2026-11-19 10:00:00x", "malformed_line"),
        ("%m %U%q %s %{%F %T}t", "GET /r/?id=h5,a,7 200 2026-11-19 10:00:00\tx", "accepted"),
        (ownFraction, #""2026-11-19 10:00:00x" "123456" \#(request)"#, "malformed_line"),
        (ownFraction, #""2026-11-19 10:00:00" "1234567" \#(request)"#, "malformed_line"),
        (ownFraction, #""2026-11-19 10:00:00" \#(request)"#, "malformed_line"),
        // A fraction with quotes of its own is a value of its own.
        (ownFraction, #""2026-11-19 10:00:00" "123456" \#(request)"#, "accepted"),
        (ownFraction, #""yesterday" "123456" \#(request)"#, "bad_time"),
        (ownFraction, #""2026-11-31 10:00:00" "123456" \#(request)"#, "bad_time"),
        (ownFraction, #""2026-11-19 10:00:00" "" \#(request)"#, "bad_time"),
        (ownFraction, #""2026-11-19 10:00:00" "12345x" \#(request)"#, "bad_time"),
        (ownFraction, #""19.11. \"10:00\"" "-" \#(request)"#, "bad_time"),
        (#""%{%F %T}t" \#(ownFraction)"#, #""" "2026-11-19 10:00:00" "123456" \#(request)"#, "accepted"),
        (#""%{%F %T}t" \#(ownFraction)"#, #""2026-11-19 10:00:00" "" "x" \#(request)"#, "accepted"),
        (#"%{msec}t "%{usec_frac}t" "%r""#, #"1795082400000 "-" \#(request)"#, "accepted"),
    ])
    func everyLogFormatCanBeRead(format: String, line: String, code: String) throws {
        #expect(try codes(format, line) == [code])
    }

    /// `Tests/Transcripts/validate-layouts.md` has the sentences.
    @Test(arguments: [
        ("apache", "unknown_layout"), ("$status$msec", "adjacent_values"), ("$status $ x", "stray_dollar"),
        ("${status", "stray_dollar"), ("$host$request_uri", "adjacent_values"),
        ("$status\\n$request", "control_character"), ("%{%F}t %{%T}t %r", "incomplete_time"),
        ("%{%F %T}t.%{msec_frac}t %{%z}t %r", "incomplete_time"), ("%t %{%z}t %r", "incomplete_time"),
        ("%{%F %H:%M}t %r", "incomplete_time"), ("%{%F %I:%M:%S %p}t %r", "bad_time_format"),
    ])
    func brokenLayoutsAreNamed(text: String, code: String) {
        let error = #expect(throws: LayoutError.self) { try Layout(parsing: text) }
        #expect(error?.code.name == code)
    }

    @Test(arguments: [
        (
            #"{"time_local":"19/Nov/2026:10:00:00 +0100","request":"GET /r/?id=h1,2,7 HTTP/1.1","status":200}"#,
            "accepted"
        ),
        (
            #"{"time_iso8601":"2026-11-19T10:00:00+01:00","request":"GET \/r\/?id=\u00681,2,7","status":"200"}"#,
            "accepted"
        ),
        (#"{"msec":1795078800.123,"request_method":"POST","request_uri":"/r/?id=h1,2,7","status":""}"#, "accepted"),
        (#"{"msec":"","time":"1795078800.123","request":"GET /r/?id=h1,2,7","status":null}"#, "accepted"),
        (#"{"time":"2026-11-19 10:00:00","request":"GET /r/?id=h1,2,7","status":"-"}"#, "accepted"),
        (#"{"time":"19/Nov/2026:10:00:00","request":"GET /r/?id=h1,2,7"}"#, "accepted"),
        (#"{"time_local":"2026-11-19T10:00:00Z","time":1795078800,"request":"GET /r/?id=h1,2,7"}"#, "bad_time"),
        (#"{"time":1795078800,"request":"GET /r/?id=h1,2,7","status":true}"#, "malformed_line"),
        (#"{"time":1795078800,"request":"GET /","status":{}}"#, "malformed_line"),
        (#"{"time":1795078800,"request":"GET /","status":[200]}"#, "malformed_line"),
        (#"{"time":1795078800,"request":"GET /r/?id=h1,2,7","status":2e2}"#, "malformed_line"),
        (#"{"time":1795078800,"request":"GET /r/?id=h1,2,7","status":" 200"}"#, "malformed_line"),
        (#"{"time":1795078800,"request":"GET /r/?id=h1,2,7","status":0}"#, "http_error"),
        (#"{"time":1795078800,"request":"GET /r/?id=h1,2,7","status":"\u00320\u0030"}"#, "accepted"),
        (#"{"time":1795078800,"request":"GET /r/?id=h1,2,7","status":404}"#, "tracking_disabled"),
        (#"{"time":1795078800,"request":null}"#, "malformed_line"),
        (#"{"time":1795078800,"request":1}"#, "malformed_line"),
        (#"{"time":1795078800,"request_uri":"/r/?id=h1,2,7"}"#, "malformed_line"),
        (#"{"time":,"request":"GET /r/?id=h1,2,7"}"#, "malformed_line"),
        (#"["time"]"#, "malformed_line"),
        (#"x {"request":"x"}"#, "malformed_line"),
    ])
    func aJSONLineCanBeRead(line: String, code: String) throws {
        #expect(try codes("json", line) == [code])
    }

    @Test func aJSONLineMayHoldBrokenUTF8() {
        let line =
            Array(#"{"time":1795078800,"http_user_agent":"x"#.utf8) + [0xFF]
            + Array(#"iPhone","request":"GET /r/?id=h1,2,7"}"#.utf8)
        #expect(parse(.collector(.json(.nginx)), line).records.map(\.platform) == [.ios])
    }

    @Test func theTimeOfALineIsItsRecordsTime() throws {
        for (layout, line, expected) in [
            ("combined", "1.2.3.4 - - [19/Nov/2026:10:00:00 +0530] \(Self.request) 200 0", 1_795_062_600_000),
            ("combined", "1.2.3.4 - - [19/Nov/2026:10:00:00] \(Self.request) 200 0", 1_795_078_800_000),
            ("combined", "1.2.3.4 - - [19/Nov/2026:10:00:00.584] \(Self.request) 200 0", 1_795_078_800_584),
            ("combined", "1.2.3.4 - - [19/Nov/2026:10:00:00.5849 +0530] \(Self.request) 200 0", 1_795_062_600_584),
            (Self.ownFraction, "\"2026-11-19 10:00:00\" \"584999\" \(Self.request)", 1_795_078_800_584),
            (
                "\"%{%F %T}t\" \(Self.ownFraction)",
                "\"2026-11-19 10:00:00\" \"2026-11-19 11:00:00\" \"584999\" \(Self.request)", 1_795_078_800_000
            ),
            ("$msec $request", "1795078800.9999 GET /r/?id=h1,2,7", 1_795_078_800_999),
            ("$time_iso8601 $request", "2026-11-19T10:00:60.5 GET /r/?id=h1,2,7", 1_795_078_860_500),
            // The space inside the time does not end it.
            ("$time_local $status \"$request\"", "19/Nov/2026:10:00:00 -0500 200 \(Self.request)", 1_795_100_400_000),
            ("$status $time_local \"$request\"", "200 19/Nov/2026:10:00:00 -0500 \(Self.request)", 1_795_100_400_000),
        ] as [(String, String, Int64)] {
            let rules = RecordRules.collector(try Layout(parsing: layout))
            #expect(parse(rules, layout: layout, line).records.map(\.time) == [expected])
        }
    }
}
