import Foundation
import Reference
import Testing

extension Pipeline.Layout {
    /// What it finds in a line of a collector.
    fileprivate func read(
        _ text: String, columns: [String]? = nil, fields: [String: String] = [:], zone: String = "UTC"
    ) -> LogLine? {
        var source = Pipeline.Source(name: "a", format: .collector, files: "")
        source.layout = self
        source.layoutFields = fields
        return source.read(Bytes(text), columns: columns, zone: Zone(zone))
    }
}

@Suite struct ReadingTests {
    @Test(arguments: [
        "[1,2]", "{\"a\":{\"b\":null}}", "-0", "1e5", "1.25E-3", "\"\\ud83d\\ude00\"", "\"\\ud800\"", " true ",
        "\"\u{7F}\"", "[[[]]]", "{}",
    ])
    func validJSONIsRead(text: String) {
        #expect(JSONReader.document(Bytes(text)) != nil)
    }

    @Test(arguments: [
        "", "[1,]", "{\"a\":1,}", "01", "1.", ".5", "+1", "1e", "nul", "\"\t\"", "\"\\q\"", "\"\\u12g4\"", "'a'",
        "[1 2]",
        "{a:1}", "{\"a\"}", "1 2", "[", "\"", "\u{FEFF}1", "NaN", "tRue",
    ])
    func invalidJSONIsRefused(text: String) {
        #expect(JSONReader.document(Bytes(text)) == nil)
    }

    @Test func loneSurrogatesAreReplacedInStrings() {
        #expect(JSONReader.document(Bytes("\"\\ud83d\\ude00\\n\\/\""))?.string?.text == "\u{1F600}\n/")
        #expect(
            JSONReader.document(Bytes("\"\\ud83d\\ud83d\\ude00\\udc00x\""))?.string?.text
                == "\u{FFFD}\u{1F600}\u{FFFD}x")
    }

    @Test(
        arguments: [[0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [Bytes]
    )
    func brokenUTF8IsNoJSONButAllowedInAnAccessLog(bytes: Bytes) {
        let text = Bytes("\"") + bytes + Bytes("\"")
        #expect(JSONReader.document(text) == nil)
        #expect(JSONReader.document(text, checksUTF8: false)?.string == bytes)
    }

    @Test func arraysMayNest64Levels() {
        func nested(_ depth: Int) -> Bytes {
            Bytes(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        #expect(JSONReader.document(nested(64)) != nil)
        #expect(JSONReader.document(nested(65)) == nil)
    }

    @Test func theLastOfTwoEqualKeysCounts() {
        let tree = JSONReader.document(Bytes("{\"a\":{\"b\":1},\"\\u0061\":{\"c\":2}}"))
        #expect(tree?.value(at: "a.b") == nil)
        #expect(tree?.value(at: "a.c")?.integerLiteral == Bytes("2"))
    }

    @Test func unescapingTakesOnePass() {
        #expect(
            unescaped(Bytes(#"{\x22t\x22:\x22\xE9\x99\x8C\x5Cx22\x0A\x22}"#)) == Bytes("{\"t\":\"\u{964C}\\x22\n\"}"))
        #expect(unescaped(Bytes(#"\"\\\b\n\r\t\v\q\x4\xe9\"#)) == Bytes("\"\\\u{8}\n\r\t\u{B}\\q\\x4") + [0xE9, 0x5C])
    }

    @Test func anNginxFormatIsReadLiteralByLiteral() throws {
        let layout = Pipeline.Layout.nginx("$remote_addr [$time_local] \"$request\" $status \"$request_body\"")
        let line = try #require(
            layout.read(#"::1 [19/Nov/2026:10:00:00 +0000] "POST /a?b HTTP/1.1" 200 "{\x22a\x22:1}" more"#))
        #expect(line.method == Bytes("POST"))
        #expect(line.uri == Bytes("/a?b"))
        #expect(line.status == Bytes("200"))
        #expect(line.body == Bytes("{\"a\":1}"))
        #expect(line.time == 1_795_082_400_000)
        #expect(layout.read(#"::1 [x] "POST /a" 200 "open"#) == nil)
    }

    private static let request = #""GET /r/?id=h5,a,7 HTTP/1.1""#

    @Test(arguments: [
        (#"%h %l %u %t \"%r\" %>s"#, "::1 - - [19/Nov/2026:10:00:00 +0000] " + request + " 200"),
        (#"%{%d/%b/%Y:%T}t.%{msec_frac}t %{%z}t \"%r\" %s"#, "19/Nov/2026:11:00:00.000 +0100 " + request + " 200"),
        ("%{sec}t|%m|%U%q|%s", "1795082400|GET|/r/?id=h5,a,7|200"),
        ("%U|%m|%q|%s|%{begin:usec}t", "/r/|GET|?id=h5,a,7|200|1795082400000999 x"),
        ("%{%F}t%{%T}t%h%l %!400{x}i%% %m %U%q %s", "2026-11-1910:00:00::1 -% GET /r/?id=h5,a,7 200"),
        ("%{%A, %e %B %y %l:%M:%S%p}t %b %m %U%q %400s", "Thursday, 19 November 26 10:00:00AM x GET /r/?id=h5,a,7 200"),
        (#"'%{%Y%j %k.%M.%S}t '\n  '"%r" %s';"#, "2026323 10.00.00 " + request + " 200"),
        (#""%{end:msec}t\t\"%r\" " "%s""#, "1795082400000\t" + request + " 200"),
    ])
    func anApacheFormatIsReadDirectiveByDirective(format: String, text: String) throws {
        let format = format.replacing("\\n", with: "\n")
        let line = try #require(Pipeline.Layout.apache(format).read(text))
        #expect(line.method == Bytes("GET"))
        #expect(line.uri == Bytes("/r/?id=h5,a,7"))
        #expect(line.status == Bytes("200"))
        #expect(line.time == 1_795_082_400_000)
    }

    @Test(arguments: [
        "2026-02-29 10:00:00", "2026-11-19 24:00:00", "2026-11-19 10:60:00", "2026-11-19 10:00:61", "yesterday",
    ])
    func aTimeOfApacheThatCannotBeReadIsNone(text: String) throws {
        let line = try #require(Pipeline.Layout.apache(#""%{%F %T}t" %m %U%q"#).read("\"\(text)\" GET /"))
        #expect(line.time == nil)
        #expect(line.uri == Bytes("/"))
    }

    @Test func theColumnsOfALineAreThoseOfTheLastFieldsLine() throws {
        let names = try #require(
            columns(inFieldsLine: Bytes("#Fields: date time cs-uri-stem\tcs-uri-query cs-method x cs(User-Agent)")))
        let line = try #require(
            Pipeline.Layout.w3c.read(
                #"2026-11-19 10:00:00.5 /r/ id=h5,a,7 GET "a ""b" CPU+OS+9 more"#, columns: names))
        #expect(line.method == Bytes("GET"))
        #expect(line.uri == Bytes("/r/?id=h5,a,7"))
        #expect(line.userAgent == Bytes("CPU OS 9"))
        #expect(line.time == 1_795_082_400_500)
        #expect(Pipeline.Layout.w3c.read("2026-11-19 10:00:00 /r/ - GET x", columns: names) == nil)
        #expect(Pipeline.Layout.w3c.read("2026-11-19 10:00:00 /r/ - GET \"x y", columns: names) == nil)
        #expect(Pipeline.Layout.w3c.read("2026-11-19 10:00:00 /r/ - GET x y", columns: nil) == nil)
        #expect(columns(inFieldsLine: Bytes("#Date: 2026-11-19")) == nil)
    }

    @Test(arguments: [
        "2026-11-19\t10:00:00\tGET\t/r/\tid=h5%252Ca,7\t200\tCPU%2520OS%25209\tmore",
        #"{"date":"2026-11-19","time":"10:00:00","cs-method":"GET","cs-uri-stem":"/r/","cs-uri-query":"id=h5%252Ca,7","#
            + #""sc-status":200,"cs(User-Agent)":"CPU%2520OS%25209"}"#,
    ])
    func cloudFrontEncodesOnceMore(text: String) throws {
        let names = ["date", "time", "cs-method", "cs-uri-stem", "cs-uri-query", "sc-status", "cs(User-Agent)"]
        let line = try #require(Pipeline.Layout.cloudfront.read(text, columns: names))
        #expect(line.uri == Bytes("/r/?id=h5%2Ca,7"))
        #expect(line.userAgent == Bytes("CPU OS 9"))
        #expect(line.status == Bytes("200"))
        #expect(line.time == 1_795_082_400_000)
    }

    @Test func aLoadBalancersURLEndsAtTheLastSpace() throws {
        let start = "2026-11-19T10:00:00.000001Z app/a/1 192.0.2.1:2817 - -1 -1 -1 200 - 34 366"
        let request = #" "GET https://t.example.com:443/r/?id=h5,a b,7 HTTP/1.1""#
        let line = try #require(Pipeline.Layout.alb.read("h2 " + start + request + #" "iPhone" - -"#))
        #expect(line.uri == Bytes("https://t.example.com:443/r/?id=h5,a b,7"))
        #expect(line.userAgent == Bytes("iPhone"))
        #expect(line.time == 1_795_082_400_000)
        #expect(Pipeline.Layout.alb.read("h2 " + start + request) == nil)
        #expect(Pipeline.Layout.alb.read("h4 " + start + request + #" "iPhone""#) == nil)
        #expect(Pipeline.Layout.alb.read(start + request)?.status == Bytes("200"))
    }

    @Test func layoutFieldsSayWhereTheValuesOfAJSONLineLie() throws {
        let caddy = #"{"ts":1795082400.25,"request":{"method":"GET","uri":"/r/","headers":{"User-Agent":["iPad"]}}}"#
        let line = try #require(Pipeline.Layout.caddy.read(caddy))
        #expect(line.time == 1_795_082_400_250)
        #expect(line.method == Bytes("GET"))
        #expect(line.userAgent == Bytes("iPad"))
        let own = #"{"d":"2026-11-19","t":"11:00:00","q":{"m":["GET","x"],"p":"/r/","q":"id=h5"},"status":[200]}"#
        let fields = ["date": "d", "time": "t", "method": "q.m", "path": "q.p", "query": "q.q", "status": "s"]
        let mapped = try #require(Pipeline.Layout.json.read(own, fields: fields, zone: "Europe/Madrid"))
        #expect(mapped.uri == Bytes("/r/?id=h5"))
        #expect(mapped.time == 1_795_082_400_000)
        #expect(mapped.status == nil)
        #expect(Pipeline.Layout.json.read(own, fields: [:]) == nil)
        let gcp = #"{"timestamp":"1795082400000","httpRequest":{"requestMethod":"GET","requestUrl":"https://a/r/"}}"#
        #expect(Pipeline.Layout.gcpLB.read(gcp)?.time == 1_795_082_400_000)
    }

    @Test func theFirstTimeOfAJSONLineCounts() throws {
        let text = #"{"request":"GET / HTTP/1.1","time_local":"","msec":1763596800.123,"time":"x","status":404}"#
        let line = try #require(Pipeline.Layout.json.read(text))
        #expect(line.time == 1_763_596_800_123)
        #expect(line.status == Bytes("404"))
    }

    @Test(arguments: [
        ("19/Nov/2026:10:00:00 +0530", "UTC", "2026-11-19 04:30:00"),
        ("19/Nov/2026:10:00:00", "Europe/Madrid", "2026-11-19 09:00:00"),
        ("25/Sep/2018:06:05:27.584", "Europe/Madrid", "2018-09-25 04:05:27"),
        ("25/Sep/2018:06:05:27.584 +0100", "UTC", "2018-09-25 05:05:27"),
        // Clocks show this time twice. The earlier one counts.
        ("25/Oct/2026:02:30:00", "Europe/Madrid", "2026-10-25 00:30:00"),
        // Clocks never show this time. It is read with the offset before the gap.
        ("29/Mar/2026:02:30:00", "Europe/Madrid", "2026-03-29 01:30:00"),
        ("30/Dec/2011:12:00:00", "Pacific/Apia", "2011-12-30 22:00:00"),
        ("31/Dec/2026:23:59:60 +0000", "UTC", "2027-01-01 00:00:00"),
    ])
    func aLocalTimeIsReadInItsZone(text: String, zone: String, expected: String) {
        #expect(ReceiptTime.timeLocal.milliseconds(Bytes(text), zone: Zone(zone)).map(timestamp) == expected)
    }

    @Test(arguments: [
        "Europe/Madrid", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Cairo", "UTC",
    ])
    func daysAreThoseOfFoundationsCalendar(name: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: name))
        for hour in stride(from: 0, to: 20 * 365 * 24, by: 7) {
            let seconds = 1_262_304_000 + hour * 3600
            let date = Date(timeIntervalSince1970: Double(seconds))
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let day = Zone(name).day(of: seconds * 1000 + 999)
            #expect(day == Day(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0))
        }
    }

    @Test func aDayStartsWhenFoundationsCalendarSays() throws {
        var calendar = Calendar(identifier: .gregorian)
        for name in ["Europe/Madrid", "Africa/Cairo", "America/Sao_Paulo", "Australia/Lord_Howe"] {
            calendar.timeZone = try #require(TimeZone(identifier: name))
            for number in stride(from: 17_000, to: 20_800, by: 1) {
                let (year, month, day) = Day(number: number).parts
                let noon = try #require(
                    calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12)))
                let start = Int(calendar.startOfDay(for: noon).timeIntervalSince1970)
                #expect(Zone(name).start(of: Day(number: number)) == start, "\(name) \(Day(number: number))")
            }
        }
    }

    @Test func linesEndInLFOrCRLFAndEmptyLinesAreSkipped() {
        let lines = Unpacked([0xEF, 0xBB, 0xBF] + Bytes("a\r\n\n\r\nb\nc")).lines
        #expect(lines.map(\.bytes.text) == ["a", "b", "c"])
        #expect(lines.map(\.number) == [1, 4, 5])
    }

    @Test func gzipMembersAreReadOneAfterAnother() {
        let recipes = [GzipRecipe(), GzipRecipe(level: 0, hasLongHeader: true), GzipRecipe(level: 9, strategy: 4)]
        let file = recipes[0].member(Bytes("a\nb")) + [0, 0] + recipes[1].member(Bytes("c\n")) + recipes[2].member([])
        let unpacked = Unpacked(file + Bytes("garbage"))
        #expect(unpacked.status == .ok)
        #expect(unpacked.text == Bytes("a\nbc\n"))
        for count in 2..<file.count {
            let cut = Unpacked(Bytes(file.prefix(count)))
            #expect(Bytes("a\nbc\n").starts(with: cut.text))
            #expect(
                cut.status == .truncated
                    || [recipes[0].member(Bytes("a\nb")).count].contains { $0 <= count && cut.status == .ok })
        }
        var damaged = file
        damaged[recipes[0].member(Bytes("a\nb")).count + 2 + recipes[1].member(Bytes("c\n")).count - 5] ^= 1
        #expect(Unpacked(damaged).status == .damaged)
        #expect(Unpacked(damaged).text == Bytes("a\nb"))
        #expect(Unpacked(damaged).lines.map(\.bytes.text) == ["a", "b"])
    }
}
