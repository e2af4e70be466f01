import Support
import Testing

/// A request of 2026-11-19, as a server knows it: a hit, or one for something else.
private struct Request: Sendable {
    let number: Int
    /// Seconds since midnight, UTC.
    let second: Int

    /// A number below `count` that nothing else tells.
    private func draw(_ count: Int, _ salt: UInt64) -> Int {
        Int(((UInt64(number) &+ salt) &* 0x9E37_79B9_7F4A_7C15) >> 40) % count
    }

    /// The code of its action; nil if it is no hit.
    var code: Int? { draw(4, 1) == 0 ? nil : [7, 2, 1][draw(3, 2)] }
    var target: String {
        guard let code else {
            return ["/health", "/static/app.js?v=12", "/", "/api/items?id=7&page=2"][draw(4, 3)]
        }
        return "/r/?id=h\(number),d57fd6,\(code)&mcId=4a"
    }
    var status: Int { (code == nil ? [200, 304, 301, 500, 200, 200] : [200, 200, 200, 302, 404, 503])[draw(6, 4)] }
    var agent: String { Request.agents[draw(4, 5)].text }
    var platform: String { Request.agents[draw(4, 5)].platform }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    var clock: String { "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))" }
    var iso: String { "2026-11-19T\(clock)" }
    var local: String { "19/Nov/2026:\(clock) +0000" }
    var epoch: Int { 1_795_046_400 + second }
    var line: String { "GET \(target) HTTP/1.1" }
    var address: String { "81.2.0.\(number % 200 + 1)" }
    var bytes: Int { number % 5 == 0 ? 0 : 10 + number * 37 % 4000 }
    var combined: String { "\(address) - - [\(local)] \"\(line)\" \(status) \(bytes) \"-\" \"\(agent)\"" }
    func json(_ pairs: (String, String)...) -> String {
        "{\(pairs.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }
    func pino(_ key: String, _ time: String) -> String {
        json(
            (key, time),
            ("req", json(("method", "\"GET\""), ("url", "\"\(target)\""), ("agent", "\"\(agent)\""))),
            ("res", json(("statusCode", "\(status)"))))
    }
    var nginxJSON: String {
        json(
            ("time_iso8601", "\"\(iso)+00:00\""), ("remote_addr", "\"\(address)\""), ("request", "\"\(line)\""),
            ("status", "\(status)"), ("body_bytes_sent", "\(bytes)"), ("http_user_agent", "\"\(agent)\""))
    }

    private static let agents: [(platform: String, text: String)] = [
        ("android", "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240105.004)"),
        ("ios", "Shop/7.1 CFNetwork/1410.0.3 Darwin/22.6.0"),
        (
            "android",
            "Mozilla/5.0 (Linux; Android 13; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36"
        ),
        (
            "ios",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
        ),
    ]

    /// In the order of their times.
    static func day(_ count: Int) -> [Request] {
        (1...count).map { Request(number: $0, second: ($0 - 1) * 86_400 / count) }
    }
}

/// A log as somebody has it.
private struct StrangerLog: CustomTestStringConvertible, Sendable {
    let name: String
    /// What the draft is in doubt of, by the beginnings of what follows `# check: `.
    var checks: [String] = []
    /// Whether platforms can be known.
    var hasAgent = true
    /// Whether failed requests can be told.
    var hasStatus = true
    /// Whether the figures are right as the draft is.
    var isRight = true
    let line: @Sendable (Request) -> String

    var testDescription: String { name }

    init(
        _ name: String, checks: [String] = [], hasAgent: Bool = true, hasStatus: Bool = true, isRight: Bool = true,
        line: @escaping @Sendable (Request) -> String
    ) {
        (self.name, self.checks, self.hasAgent, self.hasStatus) = (name, checks, hasAgent, hasStatus)
        self.isRight = isRight
        self.line = line
    }

    private static let noAgent = "no user agent was found in the lines"

    static let all = [
        StrangerLog("combined") { $0.combined },
        StrangerLog("bars between fields") {
            "\($0.address) | - | \($0.local) | \($0.line) | \($0.status) | \($0.bytes) | \($0.agent)"
        },
        StrangerLog("bars, the user agent before the time taken") {
            "\($0.iso)Z | \($0.line) | \($0.status) | \($0.agent) | 0.00\($0.number % 9)"
        },
        StrangerLog("Istio") {
            "[\($0.iso).123Z] \"\($0.line)\" \($0.status) - via_upstream - \"-\" 0 \($0.bytes) 4 4 \"-\" \"\($0.agent)\" "
                + "\"84961386-6d84-929d-98bd-c5aee93b5c88\" \"push.example:8000\" \"127.0.0.1:80\" inbound|8000|| "
                + "127.0.0.1:41854 10.44.1.27:80 10.44.1.23:37652 outbound_.8000_._.push.example default"
        },
        StrangerLog("a status in parentheses") {
            "\($0.address) [\($0.local)] \"\($0.line)\" (\($0.status)) \"\($0.agent)\""
        },
        StrangerLog("status/bytes") {
            "\($0.address) [\($0.local)] \"\($0.line)\" \($0.status)/\($0.bytes) \"\($0.agent)\""
        },
        StrangerLog("HTTP_404") { "\($0.iso)Z \($0.address) HTTP_\($0.status) \"\($0.line)\" \"\($0.agent)\"" },
        StrangerLog("Squid", checks: [noAgent], hasAgent: false) {
            "\($0.epoch).123    45 \($0.address) TCP_\($0.number % 3 == 0 ? "MISS" : "HIT")/\($0.status) \($0.bytes) GET "
                + "http://push.example\($0.target) - HIER_DIRECT/192.0.2.9 text/html"
        },
        StrangerLog("uWSGI", checks: [noAgent], hasAgent: false) {
            "[pid: 28234|app: 0|req: \($0.number)/\($0.number)] \($0.address) () {42 vars in 675 bytes} "
                + "[Thu Nov 19 \($0.clock) 2026] GET \($0.target) => generated \($0.bytes) bytes in 5 msecs "
                + "(HTTP/1.1 \($0.status)) 2 headers in 44 bytes (1 switches on core 0)"
        },
        StrangerLog("combined of Kubernetes") { "\($0.iso).123456789Z stdout F \($0.combined)" },
        StrangerLog("JSON of Kubernetes") { "\($0.iso).123456789Z stdout F \($0.nginxJSON)" },
        StrangerLog("JSON by syslog") { "Nov 19 \($0.clock) web1 nginx: \($0.nginxJSON)" },
        StrangerLog("combined of Docker") {
            $0.json(
                ("log", "\"\($0.combined.replacing("\"", with: "\\\"").replacing("&", with: "\\u0026"))\\n\""),
                ("stream", "\"stdout\""), ("time", "\"\($0.iso).123456789Z\""))
        },
        StrangerLog("JSON of Docker") {
            $0.json(
                ("log", "\"\($0.nginxJSON.replacing("\"", with: "\\\""))\\n\""), ("stream", "\"stdout\""),
                ("time", "\"\($0.iso).123456789Z\""))
        },
        StrangerLog("short keys") {
            $0.json(
                ("t", "\($0.epoch)"), ("a", "\"\($0.address)\""), ("m", "\"GET\""), ("u", "\"\($0.target)\""),
                ("s", "\($0.status)"), ("b", "\($0.bytes)"), ("g", "\"\($0.agent)\""))
        },
        StrangerLog("headers as an array") {
            $0.json(
                ("timestamp", "\($0.epoch)123"),
                (
                    "request",
                    $0.json(
                        ("method", "\"GET\""), ("uri", "\"\($0.target)\""),
                        (
                            "headers",
                            "[{\"name\":\"Host\",\"value\":\"push.example\"},{\"name\":\"User-Agent\",\"value\":"
                                + "\"\($0.agent)\"}]"
                        ))
                ), ("status", "\($0.status)"))
        },
        StrangerLog("a user agent without quotes") {
            "\($0.address) \($0.iso)Z GET \($0.target) \($0.status) \($0.bytes) \($0.agent)"
        },
        StrangerLog("a user agent without quotes, before a quote") {
            "\($0.address) [\($0.local)] \($0.status) \($0.agent) \"\($0.line)\" 0.00\($0.number % 9)"
        },
        StrangerLog("a user agent with plus signs") {
            "\($0.address) [\($0.local)] \"\($0.line)\" \($0.status) \($0.agent.replacing(" ", with: "+")) \($0.bytes)"
        },
        StrangerLog("HAProxy with braces") {
            "<134>Nov 19 \($0.clock) lb haproxy[123]: \($0.address):4444 [\($0.local.dropLast(6)).123] fe be/srv "
                + "0/0/1/2/3 \($0.status) \($0.bytes) - - ---- 1/1/0/0/0 0/0 {push.example|\($0.agent)} \"\($0.line)\""
        },
        StrangerLog(
            "two statuses", checks: ["the status is taken from $status; $body_bytes_sent could be it too"],
            isRight: false
        ) {
            "\($0.address) [\($0.local)] \"\($0.line)\" \($0.number % 9 == 0 ? 502 : $0.status) \($0.status) \"\($0.agent)\""
        },
        StrangerLog("three digits of bytes before the status") {
            "\($0.address) [\($0.local)] \"\($0.line)\" \(100 + $0.number % 800) \($0.status) \"\($0.agent)\""
        },
        StrangerLog(
            "a backend's status before the real one",
            checks: ["the status is taken from $status; $body_bytes_sent could be it too"], isRight: false
        ) { "\($0.address) [\($0.local)] \"\($0.line)\" 200 \($0.status) \"\($0.agent)\"" },
        StrangerLog(
            "a backend's status after the user agent",
            checks: ["the status is taken from $status; the text after $http_user_agent could be it too"]
        ) { "\($0.combined) -> 200" },
        StrangerLog("a status by name, and another one", checks: ["$skipped2 could be it too"]) {
            "[\($0.iso)Z] ip=\($0.address) req=\"\($0.line)\" ostatus=200 status=\($0.status) ua=\"\($0.agent)\""
        },
        StrangerLog("numbers that begin as a status") {
            "192.0.2.1 [\($0.local)] \"\($0.line)\" \($0.status) 0.\($0.number % 9) \"\($0.agent)\""
        },
        StrangerLog("a port") {
            "443 \($0.address) [\($0.local)] \"\($0.line)\" \($0.status) \($0.bytes) \"\($0.agent)\""
        },
        StrangerLog(
            "a status in JSON without its name", checks: ["the status is taken from resp; code could be it too"]
        ) {
            $0.json(
                ("ts", "\"\($0.iso)Z\""), ("request", "\"\($0.line)\""), ("code", "200"), ("resp", "\($0.status)"),
                ("ua", "\"\($0.agent)\""))
        },
        StrangerLog("a level that looks like a status") {
            $0.json(
                ("ts", "\"\($0.iso)Z\""), ("request", "\"\($0.line)\""), ("level", "200"), ("code", "\($0.status)"),
                ("ua", "\"\($0.agent)\""))
        },
        StrangerLog("the time of a build, first in the line") {
            "build=2026-11-19T03:00:00Z \($0.address) [\($0.local)] \"\($0.line)\" \($0.status) \"\($0.agent)\""
        },
        StrangerLog("the time of a build in JSON") {
            $0.json(
                ("timestamp", "\"2026-11-19T03:00:00Z\""), ("started", "\($0.epoch)123"), ("request", "\"\($0.line)\""),
                ("status", "\($0.status)"), ("ua", "\"\($0.agent)\""))
        },
        StrangerLog("the time of a build under the key of the time") {
            $0.json(
                ("time", "\"2026-11-19T03:00:00Z\""), ("at", "\"\($0.iso)Z\""), ("request", "\"\($0.line)\""),
                ("status", "\($0.status)"), ("http_user_agent", "\"\($0.agent)\""))
        },
        StrangerLog("a status alone under another key") {
            $0.json(
                ("time", "\"\($0.iso)Z\""), ("request", "\"\($0.line)\""), ("s", "\"\($0.status)\""),
                ("http_user_agent", "\"\($0.agent)\""))
        },
        StrangerLog("a number before the time that could be one") {
            "\(1_000_000_000 + $0.number * 7919 * 104_729 % 8_999_999_999) [\($0.local)] \"\($0.line)\" \($0.status) "
                + "\"\($0.agent)\""
        },
        StrangerLog("milliseconds as time") { $0.pino("time", "\($0.epoch)007") },
        StrangerLog("milliseconds as msec") { $0.pino("msec", "\($0.epoch)007") },
        StrangerLog("milliseconds as a text") { $0.pino("time", "\"\($0.epoch)007\"") },
        StrangerLog("microseconds without the name of a time") { $0.pino("x", "\($0.epoch)007000") },
        StrangerLog(
            "two user agents",
            checks: [
                "the user agent is taken from $http_user_agent; the text after $http_user_agent names another system"
            ],
            isRight: false
        ) { "\($0.address) - - [\($0.local)] \"\($0.line)\" \($0.status) 3 \"-\" \"okhttp/4.9\" \"\($0.agent)\"" },
        StrangerLog("a referer that names a system") {
            "\($0.address) - - [\($0.local)] \"\($0.line)\" \($0.status) 3 \"https://shop/iPhone?os=Android\" \"\($0.agent)\""
        },
        StrangerLog("date and time in two columns") {
            "2026-11-19,\($0.clock),\($0.address),GET,\"\($0.target)\",\($0.status),\"\($0.agent)\""
        },
        StrangerLog("a shipper's time that is the same in all lines") {
            "2026-11-19T23:59:59Z web1 nginx: \($0.combined)"
        },
        StrangerLog(
            "a shipper's time", checks: ["the time is taken from $time_local; $remote_addr has another one"]
        ) { "2026-11-20T\($0.clock)Z web1 nginx: \($0.combined)" },
        StrangerLog(
            "two times in JSON", checks: ["the time is taken from timestamp; start_time has another one"]
        ) {
            $0.json(
                ("timestamp", "\"\($0.iso)Z\""), ("start_time", "\($0.epoch - 60)"), ("request", "\"\($0.line)\""),
                ("status", "\($0.status)"), ("user_agent", "\"\($0.agent)\""))
        },
        StrangerLog(
            "no status", checks: ["no status was found in the lines, so failed requests count as well"],
            hasStatus: false
        ) { "\($0.address) [\($0.local)] \"\($0.line)\" \"\($0.agent)\"" },
        StrangerLog("no user agent", checks: [noAgent], hasAgent: false) {
            "\($0.address) - - [\($0.local)] \"\($0.line)\" \($0.status) \($0.bytes)"
        },
        StrangerLog(
            "an unknown user agent",
            checks: ["no user agent names a system that is known, so the platform of all hits is unknown"],
            hasAgent: false
        ) { "\($0.address) - - [\($0.local)] \"\($0.line)\" \($0.status) \($0.bytes) \"-\" \"Shop/7\"" },
        StrangerLog(
            "links alone",
            checks: ["no hit has the code or name of an action, so nothing counts; is it the log of another host?"],
            isRight: false
        ) {
            $0.combined.replacing(",7&", with: ",4d2f&").replacing(",2&", with: ",4d2f&").replacing(
                ",1&", with: ",4d2f&")
        },
        StrangerLog(
            "two statuses in JSON", checks: ["the status is taken from status; upstream_status could be it too"]
        ) {
            $0.json(
                ("time", "\"\($0.iso)Z\""), ("request", "\"\($0.line)\""), ("status", "\($0.status)"),
                ("upstream_status", "\"502\""), ("http_user_agent", "\"\($0.agent)\""))
        },
        StrangerLog("a shipper's time, a second later") { "2026-11-19T\($0.clock).999Z web1 nginx: \($0.combined)" },
        StrangerLog(
            "lines that do not fit", checks: [" lines do not fit, the first is line 3"], isRight: false
        ) {
            $0.number % 8 == 3 ? "lost \($0.number)" : $0.combined
        },
        StrangerLog("times that cannot be", checks: [" records rejected as bad_time; "], isRight: false) {
            $0.number % 2 == 0 ? $0.combined : $0.combined.replacing("19/Nov", with: "31/Nov")
        },
        StrangerLog("logfmt") {
            "time=\($0.iso)Z level=info method=GET uri=\($0.target) status=\($0.status) bytes=\($0.bytes) ua=\"\($0.agent)\""
        },
        StrangerLog("CSV") {
            "\"\($0.iso)Z\",\"\($0.address)\",\"\($0.line)\",\"\($0.status)\",\"\($0.bytes)\",\"\($0.agent)\""
        },
        StrangerLog("tabs") {
            "\($0.iso)Z\t\($0.address)\tGET\t\($0.target)\t\($0.status)\t\($0.bytes)\t\($0.agent)"
        },
        StrangerLog("semicolons") {
            "\($0.iso)Z;\($0.address);GET;\($0.target);\($0.status);\($0.bytes);\"\($0.agent)\""
        },
    ]
}

/// `guess` reads logs that it has never seen, or says what it lacks: no draft is wrong in silence.
@Suite(.needsPushetl)
struct StrangerLogTests {
    @Test(arguments: StrangerLog.all)
    fileprivate func figuresAreRightAndWhatIsMissingIsToBeChecked(log: StrangerLog) throws {
        let requests = Request.day(Long.isOn ? 6000 : 600)
        let place = try Workplace()
        try place.scratch.write(requests.map { log.line($0) + "\n" }.joined(), to: "logs/access-2026-11-19.log")
        let guess = try place.run("guess", "logs/access-2026-11-19.log", "--out", "guess.yaml")
        guard guess.exit == 0 else {
            Issue.record("\(guess.stderr)\(log.line(requests[1]))")
            return
        }
        let draft = try place.scratch.text("guess.yaml")
        let checks = draft.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("# check: ") }
            .map { String($0.dropFirst(9)) }
        #expect(
            checks.count == log.checks.count && zip(checks, log.checks).allSatisfy { $0.contains($1) },
            "\(draft)\(log.line(requests[1]))")
        guard log.isRight else { return }
        let run = try place.run("run", "--date", "2026-11-19", "--pipeline", "guess.yaml", "--output", "out")
        #expect(run.exit == 0, "\(run.stderr)\(draft)\(log.line(requests[1]))")
        var truth: [String: Int] = [:]
        for request in requests {
            guard let code = request.code, request.status < 400 || !log.hasStatus else { continue }
            let platform = log.hasAgent ? request.platform : "unknown"
            let action = [7: "impression", 2: "click", 1: "open"][code] ?? ""
            truth["2026-11-19|\(request.second / 3600)|\(platform)|\(action)", default: 0] += 1
        }
        let rows = try place.rows(
            "SELECT day, hour, platform, action, SUM(events) FROM hourly_actions GROUP BY 1, 2, 3, 4")
        #expect(Set(rows) == Set(truth.map { "\($0)|\($1)" }), "\(draft)\(log.line(requests[1]))")
    }
}
