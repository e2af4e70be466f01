import Foundation
import Support
import Testing

/// The pipelines of `Pipelines` for the logs of single programs, each on its sample logs as they lie in `SampleLogs`.
/// One traffic is in the logs of five of them.
@Suite(.needsPushetl)
struct OwnLogsTests {
    private static let collectors = ["nginx-log-format", "apache-log-format", "alb", "cloudfront", "gcp-lb"]
    private static let albFolder = "SampleLogs/alb/AWSLogs/123456789012/elasticloadbalancing/eu-west-1/2026/11"
    private static let albFile = """
        123456789012_elasticloadbalancing_eu-west-1_app.push.50dc6c495c0c9188_20261119T2200Z_203.0.113.81_\
        4d8fyk3t.log.gz
        """

    private let place: Workplace

    init() throws {
        place = try Workplace.withSamples()
    }

    private func validate(_ pipeline: String) throws {
        let outcome = try place.run("validate", "Pipelines/\(pipeline).yaml")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout == "Pipelines/\(pipeline).yaml: valid, 1 source\n")
        #expect(outcome.stderr == "")
    }

    private func load(_ pipeline: String, _ date: String = "2026-11-19", _ more: String...) throws {
        let outcome = try place.run(["run", "--date", date, "--pipeline", "Pipelines/\(pipeline).yaml"] + more)
        #expect(outcome.exit == 0, "\(outcome)")
        #expect(outcome.stderr == "")
    }

    private func figures(_ sql: String, _ pipeline: String) throws -> [String] {
        try place.rows(sql, "warehouse-\(pipeline)/push.db")
    }

    /// What does not depend on how the logs are cut into files.
    private func tables(_ pipeline: String) throws -> [String] {
        try place.dump("warehouse-\(pipeline)/push.db", besides: ["about", "files", "partitions", "publication"])
    }

    @Test(arguments: collectors) func thePipelineOfAServerCountsItsHits(pipeline: String) throws {
        try validate(pipeline)
        try load(pipeline)
        #expect(try figures("SELECT day, events, messages FROM days", pipeline) == ["2026-11-19|106|72"])
        #expect(
            try figures(
                """
                SELECT platform, sum(messages), sum(arrived), sum(impressed), sum(clicked), sum(opened), sum(dismissed) \
                FROM daily_funnel GROUP BY platform
                """, pipeline) == ["android|28|0|26|4|4|1", "ios|40|0|32|17|15|3", "unknown|4|0|4|1|1|0"])
        #expect(
            try figures("SELECT outcome, reason, records FROM outcomes", pipeline)
                == [
                    "accepted||106", "filtered|link|1", "filtered|not_tracking|1", "filtered|tracking_disabled|1",
                ])
    }

    @Test func oneTrafficHasTheSameFiguresWhicheverServerLogsIt() throws {
        for pipeline in Self.collectors { try load(pipeline) }
        let expected = try tables(Self.collectors[0])
        for pipeline in Self.collectors {
            #expect(try tables(pipeline) == expected, "\(pipeline)")
        }
    }

    @Test func thePipelineOfBodiesCountsArrivals() throws {
        try validate("mzip-bodies")
        try load("mzip-bodies")
        // The log is of a day in UTC. Its last hour is the next day in Madrid.
        #expect(
            try figures("SELECT day, events, messages FROM days", "mzip-bodies")
                == ["2026-11-19|58|58", "2026-11-20|1|1"])
        let platforms = "SELECT platform, sum(messages), sum(arrived) FROM daily_funnel GROUP BY platform"
        #expect(try figures(platforms, "mzip-bodies") == ["ios|59|59"])
        #expect(try figures("SELECT outcome, reason, records FROM outcomes", "mzip-bodies") == ["accepted||60"])
    }

    /// The folder of a file of ALB has the date of its delivery.
    @Test func theEndOfADayMayLieInTheNextDaysFolder() throws {
        let actions = "SELECT * FROM daily_actions"
        try load("alb")
        let expected = try figures(actions, "alb")
        try place.scratch.makeFolder("\(Self.albFolder)/20")
        try place.scratch.move("\(Self.albFolder)/19/\(Self.albFile)", to: "\(Self.albFolder)/20/\(Self.albFile)")
        try load("alb")
        #expect(try figures(actions, "alb") != expected)
        try load("alb", "2026-11-20")
        #expect(try figures(actions, "alb") == expected)
    }

    /// CloudFront delivers some files a day late, with the hour of the requests in the name.
    @Test func aFileThatComesLateIsLoadedByTheNextNightsCatchUp() throws {
        let actions = "SELECT * FROM daily_actions"
        try load("cloudfront")
        let expected = try figures(actions, "cloudfront")
        let file = "SampleLogs/cloudfront/E1PUSH2EXAMPLE.2026-11-19-21.4d8fyk3t.gz"
        try place.scratch.move(file, to: "late.gz")
        try load("cloudfront")
        #expect(try figures(actions, "cloudfront") != expected)
        try place.scratch.move("late.gz", to: file)
        let next = "SampleLogs/cloudfront/E1PUSH2EXAMPLE.2026-11-20-00.5e9gzl4u.gz"
        try place.scratch.write("#Version: 1.0\n#Fields: date time\n", to: next)
        try load("cloudfront", "2026-11-20", "--catch-up", "7")
        #expect(try figures(actions, "cloudfront") == expected)
    }

    /// A line as the section's server writes it, whose time is 10:00 in Madrid.
    private static let otherServers = [
        (
            "Cloudflare",
            #"{"ClientRequestMethod":"GET","ClientRequestURI":"/r/?id=h1,d,7","ClientRequestUserAgent":"(Android 14)","#
                + #""EdgeResponseStatus":200,"EdgeStartTimestamp":1795078800123456789}"#
        ),
        (
            "HAProxy",
            "Nov 19 10:00:00 lb haproxy[14387]: 203.0.113.7:33317 [19/Nov/2026:09:00:00.655] http-in push/web1 "
                + "10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {Mozilla/5.0 (Android 14)} \"GET /r/?id=h1,d,7 HTTP/1.1\""
        ),
        (
            "IIS",
            "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) sc-status\r\n"
                + "2026-11-19 09:00:00 192.0.2.10 GET /r/ id=h1,d,7 443 203.0.113.7 Mozilla/5.0+(Android+14) 200\r"
        ),
        ("CSV exports", "2026-11-19 09:00:00.123,GET,\"/r/?id=h1,d,7\",200,\"Mozilla/5.0 (Android 14)\""),
        (
            "Docker and Kubernetes",
            "2026-11-19T09:00:00.123456789Z stdout F 203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "
                + "\"GET /r/?id=h1,d,7 HTTP/1.1\" 200 43 \"-\" \"Mozilla/5.0 (Android 14)\""
        ),
    ]

    @Test(arguments: otherServers)
    func theLayoutOfASectionReadsTheLinesOfItsServer(section: String, line: String) throws {
        let article = Workplace.packageFolder.appendingPathComponent("Sources/pushetl/pushetl.docc/YourOwnLogs.md")
        let text = String(decoding: try Data(contentsOf: article), as: UTF8.self)
        let rest = try #require(text.components(separatedBy: "## \(section)\n").last)
        let block = try #require(rest.components(separatedBy: "```yaml\n").dropFirst().first)
        let keys = block.components(separatedBy: "```")[0].split(separator: "\n").filter { !$0.hasPrefix("files:") }
        let place = try Workplace.withHits(
            [line],
            pipeline: "timezone: Europe/Madrid\n" + Workplace.onePipeline + keys.map { "    \($0)\n" }.joined())
        #expect(try place.run("validate", "push.yaml").stdout == "push.yaml: valid, 1 source\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(
            try place.rows("SELECT hour_start, platform, action, events FROM hourly_actions")
                == ["2026-11-19 10:00:00|android|impression|1"])
    }
}
