import Testing

@testable import Records

/// A source with several layouts reads each line by the first that fits.
@Suite struct LayoutListTests {
    private static func rules(_ layouts: [Layout], skip: [String] = []) -> RecordRules {
        var rules = RecordRules.collector()
        (rules.layouts, rules.skip) = (layouts, skip)
        return rules
    }

    private static let agent = "Mozilla/5.0 (Linux; Android 14)"

    private static func combined(_ id: String, host: String = "192.0.2.1", status: String = "200") -> String {
        "\(host) - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=\(id),a,7 HTTP/1.1\" \(status) 0 \"-\" \"\(agent)\""
    }

    private static func alb(_ id: String, status: String = "200") -> String {
        "https 2026-11-19T09:00:00.186641Z app/x 192.0.2.1:2817 10.0.0.1:80 0.0 0.0 0.0 \(status) 200 0 57 "
            + "\"GET https://t.example.com:443/r/?id=\(id),a,7 HTTP/1.1\" \"\(agent)\" - -"
    }

    private static func json(_ id: String) -> String {
        #"{"time":1795078800,"request":"GET /r/?id=\#(id),a,7 HTTP/1.1","status":200,"http_user_agent":"Android"}"#
    }

    private static let three = [Layout.combined, .alb, .json(.nginx)]

    @Test(arguments: [three, three.reversed(), [.alb, .json(.nginx), .combined]])
    func eachLineIsReadByTheFirstThatFits(layouts: [Layout]) {
        let lines = [Self.combined("h1"), Self.alb("h2"), Self.json("h3"), Self.combined("h4"), Self.alb("h5")]
        let found = parse(Self.rules(layouts), lines: lines)
        #expect(found.codes == [String](repeating: "accepted", count: 5))
        #expect(found.records.map(\.id.low) == [1, 2, 3, 4, 5])
        #expect(found.records.allSatisfy { $0.platform == .android })
    }

    /// Both fit the line, and the status stands elsewhere.
    @Test func theFirstOfTwoThatFitCounts() throws {
        let first = try Layout(parsing: "$time_iso8601 $status $x \"$request\"")
        let second = try Layout(parsing: "$time_iso8601 $x $status \"$request\"")
        let line = "2026-11-19T10:00:00+01:00 200 404 \"GET /r/?id=h1,a,7 HTTP/1.1\""
        #expect(parse(Self.rules([first, second]), lines: [line]).codes == ["accepted"])
        #expect(parse(Self.rules([second, first]), lines: [line]).codes == ["tracking_disabled"])
        // Where the status is no number, the layout does not fit, so the other one is tried.
        let other = parse(Self.rules([first, second]), lines: [line.replacing("200", with: "2000")])
        #expect(other.codes == ["tracking_disabled"])
    }

    @Test func theMisfitOfTheFirstIsTold() {
        let found = parse(
            Self.rules(Self.three), lines: ["x", Self.combined("h1", status: "20"), Self.alb("h2", status: "x")])
        #expect(found.codes == ["malformed_line", "malformed_line", "malformed_line"])
        #expect(found.details.allSatisfy { $0.hasPrefix("combined: expected ") })
        let reversed = parse(Self.rules(Self.three.reversed()), lines: ["x"])
        #expect(reversed.details == ["json: expected a JSON value at byte 1; found a letter"])
    }

    /// What is said of a line afterwards is said of the layout that read it.
    @Test func theTimeIsToldInTheWordsOfTheLayoutThatFits() {
        let line = Self.alb("h1").replacing("2026-11-19T09", with: "2026-11-19T99")
        let found = parse(Self.rules(Self.three), lines: [line, Self.combined("h1").replacing("/Nov/", with: "/Non/")])
        #expect(found.codes == ["bad_time", "bad_time"])
        #expect(found.details.map { $0.prefix { $0 != ":" } } == ["alb", "combined"])
    }

    @Test func linesThatBeginWithABraceAreOfTheJSONLayoutAlone() {
        for layouts in [Self.three, Self.three.reversed()] {
            // The host may begin with any byte.
            let found = parse(
                Self.rules(layouts), lines: [Self.combined("h1", host: "{a"), Self.combined("h2", host: ",{a")])
            #expect(found.codes == ["malformed_line", "accepted"])
            #expect(found.details == ["json: expected a key in quotes at byte 2; found a letter"])
        }
        let alone = parse(Self.rules([.combined, .alb]), lines: [Self.combined("h1", host: "{a")])
        #expect(alone.codes == ["accepted"])
    }

    @Test(
        arguments: [
            ("<1>, <2>", ["accepted", "accepted"]), (" ,<1>", ["accepted"]), ("<1> x", ["accepted", "malformed_line"]),
            ("<1>" + combined("h2"), ["accepted", "malformed_line"]), ("{\"a\":1}", ["malformed_line"]),
            (" \t", ["malformed_line"]), (" {", ["malformed_line"]),
            ("{\"a\":}} <1>", ["malformed_line", "malformed_line"]),
        ])
    func aLineMayHoldSeveralObjects(line: String, codes: [String]) {
        let text = line.replacing("<1>", with: Self.json("h1")).replacing("<2>", with: Self.json("h2"))
        for layouts in [Self.three, Self.three.reversed()] {
            #expect(parse(Self.rules(layouts), lines: [text, Self.combined("h5")]).codes == codes + ["accepted"])
        }
    }

    @Test func anObjectInFrontMayBePartOfAnotherLayoutsLine() throws {
        let other = try Layout(parsing: "$host | $time_iso8601 $status \"$request\"")
        let line = " \(Self.json("h1")) | 2026-11-19T10:00:00+01:00 200 \"GET /r/?id=h2,a,7 HTTP/1.1\""
        for layouts in [[.json(.nginx), other], [other, .json(.nginx)]] {
            let found = parse(Self.rules(layouts), lines: [line])
            #expect(found.codes == ["accepted"])
            #expect(found.records.map(\.id.low) == [2])
        }
    }

    @Test func wrappedLinesHaveLayoutsInTurn() {
        var rules = Self.rules(Self.three, skip: ["[error]"])
        rules.unwrap = ["log"]
        func wrapped(_ line: String) -> String { "{\"log\":\"" + line.replacing("\"", with: "\\\"") + "\\n\"}" }
        let lines = [
            wrapped(Self.alb("h1")), wrapped(Self.json("h2")), wrapped(Self.combined("h3")), wrapped("[error] x"),
            "[error] not wrapped", "{\"log\":7}", "{\"log\":7} [error]",
        ]
        let found = parse(rules, lines: lines)
        #expect(
            found.codes == [
                "accepted", "accepted", "accepted", "skipped", "skipped", "malformed_line", "malformed_line", "skipped",
            ])
    }

    @Test func payloadsHaveLayoutsInTurn() throws {
        var rules = RecordRules.mzip()
        rules.layouts = [.json(.nginx), try Layout(parsing: "$status \"$request_body\"")]
        rules.skip = ["[error]"]
        let payload =
            "mzip=%7B%22log_content%22:%7B%22time%22:1795078800,%22type%22:1,"
            + "%22data%22:%7B%22_mId%22:%22h1%22,%22_dId%22:%22d%22%7D%7D%7D"
        let lines = [
            "{\"request_body\":\"\(payload)\"}", "200 \"\(payload)\"", "[error] 200", "200 \"x=1\"",
            "200 \"x=[error]\"",
        ]
        let found = parse(rules, lines: lines)
        // A body without the field fits the layout.
        #expect(found.codes == ["accepted", "accepted", "skipped", "malformed_line", "malformed_line"])
    }

    // MARK: skip

    @Test func aLineThatDoesNotFitMayBeSkipped() {
        let error = "2026/11/19 10:00:00 [error] 7#7: *1 open() failed, request: \"GET /r/?id=h1,a,7 HTTP/1.1\""
        let rules = Self.rules([.combined], skip: ["[warn]", "[error]"])
        let found = parse(rules, lines: [error, "[warn]", "[warn", "[ERROR]", Self.combined("h1", host: "[error]")])
        #expect(found.codes == ["skipped", "skipped", "malformed_line", "malformed_line", "accepted"])
        #expect(parse(Self.rules([.combined]), lines: [error]).codes == ["malformed_line"])
    }

    /// Whatever stands beside it in its line.
    @Test func anObjectOrWhatFollowsItIsSkippedByItsOwnText() {
        let rules = Self.rules([.json(.nginx)], skip: ["err"])
        let line = "{\"err\":1}{\"a\":1}" + Self.json("h1") + "{\"a\":err} {\"b\":1} err"
        #expect(parse(rules, lines: [line]).codes == ["skipped", "malformed_line", "accepted", "skipped", "skipped"])
        #expect(parse(rules, lines: ["{\"a\":err} b"]).codes == ["skipped", "malformed_line"])
    }

    // MARK: Layouts that get into each other's way

    @Test(
        arguments: [
            ("combined", "alb", false), ("alb", "combined", false),
            // More values at the end, or in front, are skipped.
            ("combined", "$remote_addr - - [$time_local] \"$request\" $status 0 \"-\" \"$http_user_agent\" $rt", false),
            (
                "combined", "$host $remote_addr - - [$time_local] \"$request\" $status 0 \"-\" \"$http_user_agent\"",
                false
            ),
            // The user agent is the referer.
            ("combined", "$x - - [$time_local] \"$request\" $status 0 \"$http_user_agent\" \"$http_referer\"", true),
            ("%h %t \"%r\" %>s \"%{User-Agent}i\"", "%h %t \"%r\" %>s \"%{Referer}i\" \"%{User-Agent}i\"", true),
            ("%h %t \"%r\" %>s \"%{Referer}i\" \"%{User-Agent}i\"", "%h %t \"%r\" %>s \"%{User-Agent}i\"", false),
            ("%{%F %T}t \"%r\" %>s", "%{%F %T}t.%{msec_frac}t \"%r\" %>s", false),
            ("$x $y \"$request\" $msec", "$msec $y \"$request\" $status", true),
        ])
    func aLineOfOneLayoutMayBeMisreadByAnother(first: String, second: String, isMisread: Bool) throws {
        let example = try #require(LayoutExample(of: Layout(parsing: second)))
        #expect(try example.isMisread(by: Layout(parsing: first)) == isMisread)
        #expect(try !example.isMisread(by: Layout(parsing: second)))
        #expect(!example.beginsLikeObject)
    }

    @Test func anExampleHasATimeOfEveryForm() throws {
        let formats = [
            "%{sec}t", "%{msec}t", "%{usec}t", "%{%s}t.%{usec_frac}t", "%{%a, %e %b %Y %k:%M:%S %Z}t",
            "%{%D %R:%S %z}t",
            "%{%y.%j %T}t", "%{%s}t%{msec_frac}t", "%t",
        ]
        for format in formats + ["$time_local $x", "$time_iso8601 $x", "$msec $x"] {
            let isApache = format.contains("%")
            let layout = try Layout(parsing: "<" + format + (isApache ? "> \"%r\"" : "> \"$request\""))
            let example = try #require(LayoutExample(of: layout))
            // Another zone, or none, would be another time.
            let other = try Layout(parsing: isApache ? "<%h> \"%r\"" : "<$x> \"$request\"")
            #expect(example.isMisread(by: other), "\(format)")
        }
        #expect(LayoutExample(of: .json(.nginx)) == nil)
        #expect(try LayoutExample(of: Layout(parsing: "{$msec \"$request\"}"))?.beginsLikeObject == true)
    }
}

/// What a parser makes of lines, as the quick way and the reference make of them.
private func parse(_ rules: RecordRules, lines: [String]) -> Collected {
    var all = Collected()
    for (number, line) in lines.enumerated() {
        let found = parse(rules, line)
        all.items += found.items.map { item in
            guard case .rejected(let reason, _, let evidence) = item else { return item }
            return .rejected(reason, line: number + 1, evidence: evidence)
        }
        all.details += found.details
    }
    // What is said of a line does not depend on its neighbours.
    var parser = LineParser(rules)
    var together = Collected()
    for (number, line) in lines.enumerated() {
        parser.parse(Array(line.utf8).span, number: number + 1, into: &together)
    }
    #expect(together == all)
    return all
}
