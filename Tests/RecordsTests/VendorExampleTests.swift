import Events
import Testing

@testable import Records

/// The example lines of the vendors' documentation as they are published, and each of them turned into a hit.
@Suite struct VendorExampleTests {
    struct Example: CustomTestStringConvertible, Sendable {
        var vendor: String
        var layout: String
        /// The lines before it.
        var directives: [String] = []
        var line: String
        /// What is replaced to make a hit of it.
        var edits: [(String, String)]
        /// The user agent, and another one with the same escapes, which is known by the spaces in `CPU OS `.
        var agents: (String, String)?
        /// Of the hit.
        var time: Int64 = 0
        var outcome = "accepted"

        var testDescription: String { vendor }

        var hit: String {
            edits.reduce(line) { line, edit in line.replacing(edit.0, with: edit.1) }
        }
    }

    private func read(_ layout: String, _ lines: [String]) throws -> Collected {
        let rules = RecordRules.collector(try Layout(parsing: layout))
        var parser = LineParser(rules)
        var sink = Collected()
        parser.beginFile()
        for (index, line) in lines.enumerated() {
            let bytes = Array(line.utf8)
            if !parser.takeDirective(bytes.span) { parser.parse(bytes.span, number: index + 1, into: &sink) }
        }
        expectReference(sink, rules, layout: layout, Array(lines.joined(separator: "\n").utf8))
        return sink
    }

    private func read(_ example: Example, _ line: String) throws -> Collected {
        try read(example.layout, example.directives + [line])
    }

    private static let target = "/r/?id=h1685a5,d57fd6,7"
    private static let query = "id=h1685a5,d57fd6,7"
    private static let agent = "Mozilla/5.0 (CPU OS 17_6)"

    /// docs.aws.amazon.com, Elastic Load Balancing: access logs of application load balancers.
    private static let alb = [
        Example(
            vendor: "ALB, HTTP", layout: "alb",
            line: #"""
                http 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2817 10.0.0.1:80 \#
                0.000 0.001 0.000 200 200 34 366 "GET http://www.example.com:80/ HTTP/1.1" "curl/7.46.0" - - \#
                arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 \#
                "Root=1-58337262-36d228ad5d99923122bbe354" "-" "-" 0 2018-07-02T22:22:48.364000Z "forward" "-" "-" \#
                "10.0.0.1:80" "200" "-" "-" TID_1234abcd5678ef90 "-" "-" "-"
                """#,
            edits: [(":80/ HTTP", ":80\(target) HTTP")], agents: ("curl/7.46.0", agent), time: 1_530_570_180_186),
        Example(
            vendor: "ALB, WebSockets", layout: "alb",
            line: #"""
                ws 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 10.0.0.140:40914 10.0.1.192:8010 \#
                0.001 0.003 0.000 101 101 218 587 "GET http://10.0.0.30:80/ HTTP/1.1" "-" - - \#
                arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 \#
                "Root=1-58337364-23a8c76965a2ef7629b185e3" "-" "-" 1 2018-07-02T22:22:48.364000Z "forward" "-" "-" \#
                "10.0.1.192:8010" "101" "-" "-" TID_1234abcd5678ef90 "-" "-" "-"
                """#,
            edits: [(":80/ HTTP", ":80\(target) HTTP")], outcome: "http_error"),
        Example(
            vendor: "ALB, failed Lambda function", layout: "alb",
            line: #"""
                http 2018-11-30T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2817 - \#
                0.000 0.001 0.000 502 - 34 366 "GET http://www.example.com:80/ HTTP/1.1" "curl/7.46.0" - - \#
                arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 \#
                "Root=1-58337364-23a8c76965a2ef7629b185e3" "-" "-" 0 2018-11-30T22:22:48.364000Z "forward" "-" \#
                "LambdaInvalidResponse" "-" "-" "-" "-" TID_1234abcd5678ef90 "-" "-" "-"
                """#,
            edits: [(":80/ HTTP", ":80\(target) HTTP")], outcome: "http_error"),
    ]

    /// docs.aws.amazon.com, Elastic Load Balancing: access logs of Classic load balancers.
    private static let classic = [
        Example(
            vendor: "Classic, HTTP", layout: "alb",
            line: #"""
                2015-05-13T23:39:43.945958Z my-loadbalancer 192.168.131.39:2817 10.0.0.1:80 0.000073 0.001048 0.000057 \#
                200 200 0 29 "GET http://www.example.com:80/ HTTP/1.1" "curl/7.38.0" - -
                """#,
            edits: [(":80/ HTTP", ":80\(target) HTTP")], agents: ("curl/7.38.0", agent), time: 1_431_560_383_945),
        Example(
            vendor: "Classic, TCP", layout: "alb",
            line: #"""
                2015-05-13T23:39:43.945958Z my-loadbalancer 192.168.131.39:2817 10.0.0.1:80 0.001069 0.000028 0.000041 \#
                - - 82 305 "- - - " "-" - -
                """#,
            edits: [(#""- - - ""#, "\"GET http://www.example.com:80\(target) HTTP/1.1\"")], time: 1_431_560_383_945),
    ]

    private static let cloudFrontFields = """
        #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) \
        cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes \
        time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version \
        fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type \
        sc-content-type sc-content-len sc-range-start sc-range-end
        """
    private static let cloudFrontAgent = """
        Mozilla/5.0%20(Windows%20NT%2010.0;%20Win64;%20x64)%20AppleWebKit/537.36%20(KHTML,%20like%20Gecko)\
        %20Chrome/78.0.3904.108%20Safari/537.36
        """
    private static let cloudFrontLine = """
        2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\t\
        \(cloudFrontAgent)\t-\t-\tHit\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\t\
        d111111abcdef8.cloudfront.net\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0\t-\t-\t\
        11040\t0.001\tHit\ttext/html\t78\t-\t-
        """

    /// docs.aws.amazon.com, CloudFront: standard logging reference. The user agent's spaces are encoded twice in real
    /// logs, and once in this example.
    private static let cloudFront = [
        Example(
            vendor: "CloudFront", layout: "cloudfront", directives: ["#Version: 1.0", cloudFrontFields],
            line: cloudFrontLine,
            edits: [("/index.html", "/r/"), ("Safari/537.36\t-", "Safari/537.36\t\(query)")],
            agents: (cloudFrontAgent, "Mozilla/5.0%2520(CPU%2520OS%252017_6)"), time: 1_575_493_351_000),
        // The same record in the other form that CloudFront delivers: an object with the columns as keys.
        Example(
            vendor: "CloudFront, JSON", layout: "cloudfront",
            line: #"""
                {"date":"2019-12-04","time":"21:02:31","x-edge-location":"LAX1","sc-bytes":"392","c-ip":"192.0.2.100",\#
                "cs-method":"GET","cs(Host)":"d111111abcdef8.cloudfront.net","cs-uri-stem":"/index.html",\#
                "sc-status":"200","cs(Referer)":"-","cs(User-Agent)":"\#(cloudFrontAgent)","cs-uri-query":"-",\#
                "cs(Cookie)":"-","x-edge-result-type":"Hit",\#
                "x-edge-request-id":"SOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==",\#
                "x-host-header":"d111111abcdef8.cloudfront.net","cs-protocol":"https","cs-bytes":"23",\#
                "time-taken":"0.001","x-forwarded-for":"-","ssl-protocol":"TLSv1.2",\#
                "ssl-cipher":"ECDHE-RSA-AES128-GCM-SHA256","x-edge-response-result-type":"Hit",\#
                "cs-protocol-version":"HTTP/2.0","fle-status":"-","fle-encrypted-fields":"-","c-port":"11040",\#
                "time-to-first-byte":"0.001","x-edge-detailed-result-type":"Hit","sc-content-type":"text/html",\#
                "sc-content-len":"78","sc-range-start":"-","sc-range-end":"-"}
                """#,
            edits: [("/index.html", "/r/"), (#""cs-uri-query":"-""#, "\"cs-uri-query\":\"\(query)\"")],
            agents: (cloudFrontAgent, "Mozilla/5.0%2520(CPU%2520OS%252017_6)"), time: 1_575_493_351_000),
    ]

    private static let others = [
        // learn.microsoft.com, IIS 6.0: W3C extended log file examples.
        Example(
            vendor: "IIS", layout: "w3c",
            directives: [
                "#Software: Microsoft Internet Information Services 6.0", "#Version: 1.0", "#Date: 2002-05-02 17:42:15",
                """
                #Fields: date time c-ip cs-username s-ip s-port cs-method cs-uri-stem cs-uri-query sc-status \
                cs(User-Agent)
                """,
            ],
            line: """
                2002-05-02 17:42:15 172.22.255.255 - 172.30.255.255 80 GET /images/picture.jpg - 200 \
                Mozilla/4.0+(compatible;MSIE+5.5;+Windows+2000+Server)
                """,
            edits: [("/images/picture.jpg -", "/r/ \(query)")],
            agents: ("Mozilla/4.0+(compatible;MSIE+5.5;+Windows+2000+Server)", "Mozilla/5.0+(CPU+OS+17_6)"),
            time: 1_020_361_335_000),
        // cloud.google.com, Cloud CDN: logging. Its capitals stand for values.
        Example(
            vendor: "Google Cloud", layout: "gcp_lb",
            line: #"""
                {"insertId":"1oek5rg3l3fxj7","jsonPayload":\#
                {"@type":"type.googleapis.com/google.cloud.loadbalancing.type.LoadBalancerLogEntry",\#
                "cacheId":"SFO-fbae48ad","statusDetails":"response_from_cache"},"httpRequest":{"requestMethod":"GET",\#
                "requestUrl":"http://LOAD_BALANCER_IP_ADDRESS/static/us/three-cats.jpg","requestSize":"577",\#
                "status":304,"responseSize":"157","userAgent":"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) \#
                AppleWebKit/537.36 (KHTML, like Gecko) Chrome/83.0.4103.61 Safari/537.36",\#
                "remoteIp":"CLIENT_IP_ADDRESS","cacheHit":true,"cacheLookup":true},\#
                "resource":{"type":"http_load_balancer","labels":{"zone":"global","url_map_name":"URL_MAP_NAME",\#
                "forwarding_rule_name":"FORWARDING_RULE_NAME","target_proxy_name":"TARGET_PROXY_NAME",\#
                "backend_service_name":"","project_id":"PROJECT_ID"}},"timestamp":"2020-06-08T23:41:30.078651Z",\#
                "severity":"INFO","logName":"projects/PROJECT_ID/logs/requests",\#
                "trace":"projects/PROJECT_ID/traces/241d69833e64b3bf83fabac8c873d992",\#
                "receiveTimestamp":"2020-06-08T23:41:30.588272510Z","spanId":"7b6537d3672e08e1"}
                """#,
            edits: [("/static/us/three-cats.jpg", target)],
            agents: ("Macintosh; Intel Mac OS X 10_14_6", "CPU OS 17_6"), time: 1_591_659_690_078),
        // caddyserver.com/docs/logging.
        Example(
            vendor: "Caddy", layout: "caddy",
            line: #"""
                {"level":"info","ts":1646861401.5241024,"logger":"http.log.access","msg":"handled request",\#
                "request":{"remote_ip":"127.0.0.1","remote_port":"41342","client_ip":"127.0.0.1","proto":"HTTP/2.0",\#
                "method":"GET","host":"localhost","uri":"/","headers":{"User-Agent":["curl/7.82.0"],"Accept":["*/*"],\#
                "Accept-Encoding":["gzip, deflate, br"]},"tls":{"resumed":false,"version":772,"cipher_suite":4865,\#
                "proto":"h2","server_name":"example.com"}},"bytes_read":0,"user_id":"","duration":0.000929675,\#
                "size":10900,"status":200,"resp_headers":{"Server":["Caddy"],"Content-Encoding":["gzip"],\#
                "Content-Type":["text/html; charset=utf-8"],"Vary":["Accept-Encoding"]}}
                """#,
            edits: [(#""uri":"/""#, "\"uri\":\"\(target)\"")], agents: ("curl/7.82.0", agent), time: 1_646_861_401_524),
    ]

    private static let apacheCommon = #"""
        127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326
        """#
    private static let apacheCombined = #"""
        \#(apacheCommon) "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"
        """#

    /// httpd.apache.org: log files, and the formats of mod_log_config.
    private static let apache = [
        ("combined", apacheCommon, false), (#""%h %l %u %t \"%r\" %>s %b""#, apacheCommon, false),
        ("combined", apacheCombined, true),
        (#""%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\"""#, apacheCombined, true),
        (#"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\""#, apacheCombined, true),
        (#""%v %h %l %u %t \"%r\" %>s %b""#, "www.example.com " + apacheCommon, false),
    ].map { layout, line, hasAgent in
        Example(
            vendor: "Apache, \(layout)", layout: layout, line: line, edits: [("/apache_pb.gif", target)],
            agents: hasAgent ? ("Mozilla/4.08 [en] (Win98; I ;Nav)", agent) : nil, time: 971_211_336_000)
    }

    private static let examples = alb + classic + cloudFront + others + apache
    private static let withAgents = examples.filter { $0.agents != nil }

    @Test(arguments: examples) func aPublishedLineIsRead(example: Example) throws {
        #expect(try read(example, example.line).codes == ["not_tracking"])
    }

    @Test(arguments: examples) func aHitInItsPlaceIsCounted(example: Example) throws {
        let found = try read(example, example.hit)
        #expect(found.codes == [example.outcome])
        guard example.outcome == "accepted" else { return }
        #expect(found.records.map(\.id) == [EventID(high: 0, low: 0x1685a5)])
        #expect(found.deliveries == ["d57fd6"])
        #expect(found.records.map(\.action) == [17])
        #expect(found.records.map(\.time) == [example.time])
        #expect(found.records.map(\.platform) == [.unknown])
    }

    @Test(arguments: withAgents) func itsUserAgentTellsThePlatform(example: Example) throws {
        let agents = try #require(example.agents)
        let line = example.hit.replacing(agents.0, with: agents.1)
        #expect(try read(example, line).records.map(\.platform) == [.ios])
    }

    /// CloudFront encodes the percent sign of what the client has encoded. The user agent's spaces it encodes twice.
    @Test(arguments: [
        ("id=h1685a5%252Cd57fd6%252C7", "iPhone", "accepted"), ("id=h1685a5%252cd57fd6%252c7", "iPhone", "accepted"),
        ("id=%2568%31685a5%2C%2520d57fd6,7&mcId=1", "iPhone%2520OS", "accepted"),
        ("id=h1685a5%25252Cd57fd6%25252C7", "iPhone", "malformed_id"),
        ("%69d=h1685a5,d57fd6,7", "CPU%2520OS%252017_6", "accepted"),
        ("id=h1685a5,d57fd6,7", "CPU%20OS%2017_6", "accepted"),
    ])
    func cloudFrontsEncodingIsUndone(query: String, agent: String, code: String) throws {
        let line = Self.cloudFrontLine.replacing("/index.html", with: "/%72/")
            .replacing("\(Self.cloudFrontAgent)\t-", with: "\(agent)\t\(query)")
        let found = try read("cloudfront", ["#Version: 1.0", Self.cloudFrontFields, line])
        #expect(found.codes == [code])
        guard code == "accepted" else { return }
        #expect(found.records.map(\.id) == [EventID(high: 0, low: 0x1685a5)])
        #expect(found.deliveries == ["d57fd6"])
        #expect(found.records.map(\.platform) == [.ios])
    }

    /// The draft's example has `cs-uri`, and no date. Imperva's logs have it with a host, and `cs-uri-query` beside it.
    @Test func theWholeURIOfTheW3CIsRead() throws {
        func codes(_ fields: String, _ line: String) throws -> [String] {
            try read("w3c", ["#Fields: \(fields)", line]).codes
        }
        #expect(try codes("time cs-method cs-uri", "00:34:23 GET /foo/bar.html") == ["not_tracking"])
        #expect(try codes("time cs-method cs-uri-stem", "00:34:23 GET /foo/bar.html") == ["not_tracking"])
        for (fields, uri) in [
            ("cs-uri", "/r/?id=h1,d2,7"), ("cs-uri", "https://t.example.com/r/?id=h1,d2,7"),
            ("cs-uri", "t.example.com/r/?id=h1,d2,7"), ("cs-uri cs-uri-query", "t.example.com/r/ id=h1,d2,7"),
            ("cs-uri-query cs-uri", "id=h1,d2,7 \"https://t.example.com/r/\""),
            ("cs-uri cs-uri-stem cs-uri-query", "- /r/ id=h1,d2,7"),
        ] {
            #expect(
                try codes("date time cs-method \(fields)", "2026-11-19 00:34:23 GET \(uri)") == ["accepted"], "\(uri)")
        }
        #expect(try codes("date time cs-method cs-uri", "2026-11-19 00:34:23 GET -") == ["not_tracking"])
    }

    /// What mod_log_config has for milliseconds.
    @Test func theTimeOfSeveralPartsIsRead() throws {
        let found = try read(
            #"%h "%{%d/%b/%Y %T %z}t" %{msec_frac}t "%r""#,
            [#"127.0.0.1 "10/Oct/2000 13:55:36 -0700" 123 "GET \#(Self.target) HTTP/1.0""#])
        #expect(found.records.map(\.time) == [971_211_336_123])
    }
}
