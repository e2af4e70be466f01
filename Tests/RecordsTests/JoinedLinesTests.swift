import Testing

@testable import Records

/// Lines that hold a second hit, because the line end between them is missing or foreign.
@Suite struct JoinedLinesTests {
    private static let time = "[19/Nov/2026:10:00:00 +0100]"
    private static let request = "GET /r/?id=h1,a,7 HTTP/1.1"
    private static let combined = "1.2.3.4 - - \(time) \"\(request)\" 200 0 \"-\" \"iPad\""
    private static let alb =
        "https 2026-11-19T10:00:00.1Z app/a/1 192.0.2.1:2 10.0.0.1:80 0.0 0.0 0.0 200 200 0 57 "
        + "\"GET https://t.example.com:443/r/?id=h1,a,7 HTTP/1.1\" \"iPad\" - -"

    private static let layouts: [(layout: String, line: String)] = [
        ("combined", combined), ("combined", combined + " \"192.0.2.1\" rt=0.003"), ("alb", alb),
        (
            "$time_local \"$request\" $status \"$http_user_agent\" end",
            "\(time.dropFirst().dropLast()) \"\(request)\" 200 \"iPad\" end"
        ),
        // A skipped value goes on to the line's end, or to the next literal.
        ("$msec \"$request\" $status $request_time", "1795078800.123 \"\(request)\" 200 0.003"),
        ("$msec \"$request\" $status $request_time|$host", "1795078800.123 \"\(request)\" 200 0.003|host"),
        // So does a request or a user agent without quotes.
        ("$msec $status $request", "1795078800.123 200 \(request)"),
        ("$msec $status $request_method $request_uri $http_user_agent", "1795078800.123 200 GET /r/?id=h1,a,7 iPad"),
        ("%{sec}t %m %U%q %s", "1795078800 GET /r/?id=h1,a,7 200 "),
        ("%h %l %u %t \"%r\" %>s %b", "::1 - - \(time) \"\(request)\" 200 43 "),
    ]

    private func codes(_ layout: String, _ line: String) throws -> [String] {
        parse(.collector(try Layout(parsing: layout)), layout: layout, line).codes
    }

    @Test(arguments: layouts, ["", " ", "\r"])
    func aLineThatHoldsAnotherHitIsRejected(_ layout: (layout: String, line: String), joint: String) throws {
        let (layout, line) = layout
        #expect(try codes(layout, line) == ["accepted"])
        let other = line.replacing("h1,a,7", with: "h2,b,1")
        // A time that begins with the status of the line before makes that one invalid.
        let both = try codes(layout, line + joint + other)
        #expect(both == ["joined_lines"] || joint.isEmpty && both == ["malformed_line"], "\(both)")
        // The same hit twice is one hit.
        #expect(try codes(layout, line + " " + line) == ["accepted"])
        #expect(try codes(layout, line + " " + line.replacing("h1,a,7", with: "h1%2Ca,7")) == ["accepted"])
        // The line before is no hit.
        let page = line.replacing("/r/?id=h1,a,7", with: "/favicon.ico")
        #expect(try codes(layout, page + " " + line) == ["joined_lines"])
        #expect(try codes(layout, line + " " + page) == ["accepted"])
    }

    @Test(arguments: [
        (" GET /r/?id=h2,b,1", "joined_lines"), (" POST https://x:443//r?a=b&id=h2 HTTP/1.1", "joined_lines"),
        ("GET /r/?id", "joined_lines"), (" \"GET /r/?id=\\x682,b,1\"", "joined_lines"),
        ("\u{0}\u{0}GET /r?id=&", "joined_lines"),
        (" GET /r/?id=h1,a,7\" 200", "accepted"), (" GET /r/?id=\\x681,a,7", "accepted"),
        (" HEAD /r/?id=h2,b,1", "accepted"),
        (" /r/?id=h2,b,1", "accepted"), (" GET /r/x?id=h2,b,1", "accepted"), (" GET /r/?ID=h2,b,1", "accepted"),
        (" GET  /r/?id=h2,b,1", "accepted"), (" get /r/?id=h2,b,1", "accepted"), (" GET\t/r/?id=h2,b,1", "accepted"),
    ])
    func anotherHitIsARequestWithAnotherID(text: String, code: String) {
        #expect(parse(.collector(), Self.combined + text).codes == [code])
    }

    @Test func aReadValueInQuotesIsNotSearched() {
        let line = Self.combined.replacing("iPad", with: "GET /r/?id=h2,b,1")
        #expect(parse(.collector(), line).codes == ["accepted"])
    }

    /// A hit ends at a quote or a control character if it stands elsewhere in a line. The line's own does not.
    @Test(
        arguments: [
            ("/r/?id=h1,a\",7", "accepted"), ("/r/?id=h1,a\u{B},7", "accepted"),
            ("/r/?id=h1\"GET ,a,7", "malformed_id"),
            ("/r/?id=h1,a\u{1},7", "malformed_id"), ("/r/?id=h1,a\\x01,7", "malformed_id"),
            ("/r/?id=h1,\\x5c\\\",7", "accepted"), ("/r/?id=h1,a\",7\\\\x20GET", "malformed_id"),
            // The own request ends at its second space.
            ("/r/?id=h1,a,7\\x20GET /r/?id=h2,b,1", "joined_lines"),
            ("/r/?id=h1,a\",7 GET /r/?id=h2,b,1", "joined_lines"),
            ("/r/?id=h1,a,7\\\\x20GET /r/?id=h2,b,1", "malformed_id"),
            ("GET /r/?id=h2,b,1", "not_tracking"), ("/x\"GET /r/?id=h2,b,1", "not_tracking"),
            ("/x GET /r/?id=h2,b,1", "joined_lines"), ("/r/?id=h1,a,7\"GET", "malformed_id"),
        ], ["$msec $status $request", "%{sec}t %s %r"])
    func theOwnRequestIsNotSearched(target: (text: String, code: String), layout: String) throws {
        #expect(try codes(layout, "1795078800 200 GET \(target.text)") == [target.code])
        #expect(try codes(layout, "1795078800 200 GET \(target.text) HTTP/1.1") == [target.code])
        let other = " 1795078800 200 POST /r/?id=h2,b,1 HTTP/1.1"
        #expect(try codes(layout, "1795078800 200 GET \(target.text) HTTP/1.1\(other)") == ["joined_lines"])
    }

    @Test func columnsAreNotSearched() throws {
        var parser = LineParser(.collector(.w3c))
        var sink = Collected()
        let fields = Array("#Fields: date time cs-method cs-uri-stem cs-uri-query".utf8)
        let isTaken = parser.takeDirective(fields.span)
        #expect(isTaken)
        let line = Array("2026-11-19 10:00:00 GET /r/ id=h1,a,7 GET /r/?id=h2,b,1".utf8)
        parser.parse(line.span, number: 2, into: &sink)
        #expect(sink.codes == ["accepted"])
    }
}
