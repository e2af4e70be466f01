import Foundation
import Support
import Testing

/// `diagnose` tells strangers about a fault, and nothing of anybody.
@Suite(.needsPushetl)
struct DiagnoseTests {
    /// Fifty values that are somebody's, by where they stand.
    private static let planted: [String: String] = [
        // Paths and names of files.
        "folder": "customers-of-zephyr", "output": "zephyr-warehouse", "log": "frontend-muenchen",
        "root": "srv-tenant-17",
        "delivery file": "sends-of-zephyr", "other folder": "exports-nebula", "user": "annika-home",
        "archive": "cold-archive-9",
        // Hosts, addresses and URLs.
        "host": "t.zephyr-airlines.example", "ip": "198.51.100.77", "ipv6": "2001:db8:5afe::beef",
        "referer": "intranet.zephyr.example",
        "port": "48443", "query": "bookingref=QX7T9P", "secret in URL": "apikey-3f9c77aa12",
        "password": "hunter2-hunter2",
        // People and devices.
        "e-mail": "annika.lindqvist@zephyr.example", "e-mail in query": "bo.ek%40zephyr.example",
        "phone": "+46701234567",
        "external id": "member-0099812", "user name": "svc_push_annika", "mcId": "01234567890123456789876543210",
        "idfa": "9F2C11D0-7777-4ABC-8DEF-00112233AABB",
        "device token": "fcm-APA91bHqZephyr",
        "apns token": "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad",
        "agent": "ZephyrApp/7.31", "session": "sess-5512-alpha", "name": "Annika Lindqvist",
        // Ids.
        "delivery": "d57fd6c1", "broadlog": "1f85a5be", "message id": "msg-77-gamma-12", "template": "tmpl-winter-33",
        "uuid": "6b6499a8-9d43-4bc5-acf0-b6aeb96846f6", "campaign id": "cmp-2026-q4-44",
        // Labels.
        "label": "Blue Friday Secret Sale", "campaign": "operation-nightjar", "variant": "variant-of-maja",
        "segment": "lapsed-vips",
        // What a pipeline file has.
        "source": "zephyr_source_one", "second source": "nebula-events", "id space": "tenant_seventeen",
        "check": "nobody_at_zephyr",
        "SQL": "'quarterly-target'", "action key": "zephyr.push.seen", "action": "zephyr_custom_action",
        "platform word": "zephyr-kiosk",
        "field": "payloadOfZephyr", "path": "/zephyr/internal/push", "skip": "[zephyr-warn]",
        "variable": "http_x_zephyr_trace",
    ]

    private static func value(_ name: String) -> String { planted[name] ?? "" }

    private static let pipeline = """
        version: 1
        timezone: Europe/Stockholm
        output: ../\(value("output"))/\(value("user"))
        limits: {reject_ratio: 1}
        deliveries: {files: ../\(value("delivery file"))*.csv}
        checks:
          - {name: \(value("check")), sql: "SELECT \(value("SQL")) AS found FROM days WHERE events > 1000"}
        sources:
          - name: \(value("source"))
            format: collector
            id_space: \(value("id space"))
            layout: '$remote_addr - \(value("user name")) [$time_local] "$request" $status $bytes "$\(value("variable"))" "$http_user_agent"'
            skip: ['\(value("skip"))']
            files: \(value("root"))/\(value("folder"))/%Y-%m-%d/\(value("log"))*.log
          - name: \(value("second source"))
            format: events
            layout: body
            require: [\(value("field")).id]
            fields: {broadlog_id: \(value("field")).id, delivery_id: template, action: kind, time: at, platform: os, label: title}
            actions: {\(value("action key")): impression, \(value("session")): \(value("action"))}
            platforms: {\(value("platform word")): web}
            files: \(value("other folder"))/%Y-%m-%d/*.jsonl
          - name: third
            format: users_track
            layout: '$time_local|"$request"|$status|$request_body'
            path: \(value("path"))
            required: false
            actions: {\(value("segment")): open}
            files: \(value("archive"))/%Y-%m-%d.log
        """

    private static let hits = """
        \(value("ip")) - \(value("user name")) [19/Nov/2026:10:00:00 +0000] "GET https://\(value("password"))@\(value("host")):\(value("port"))/r/?id=h\(value("broadlog")),\(value("delivery")),7&mcId=\(value("mcId"))&\(value("query")) HTTP/1.1" 200 7 "https://\(value("referer"))/?key=\(value("secret in URL"))" "\(value("agent")) (\(value("name")))"
        \(value("ipv6")) - \(value("user name")) [19/Nov/2026:10:00:01 +0000] "GET /r/?id=\(value("uuid")),\(value("campaign id")),2&mail=\(value("e-mail in query")) HTTP/1.1" 200 7 "-" "\(value("agent"))"
        \(value("ip")) \(value("skip")) \(value("e-mail")) \(value("phone")) what fits no layout
        {"\(value("field"))": "\(value("device token"))"} \(value("apns token"))

        """

    private static let events = """
        {"\(value("field"))":{"id":"\(value("message id"))","phone":"\(value("phone"))"},"template":"\(value("template"))","kind":"\(value("action key"))","at":"2026-11-19T10:00:00Z","os":"\(value("platform word"))","title":"\(value("label"))","token":"\(value("apns token"))"}
        {"\(value("field"))":{"id":"\(value("idfa"))"},"template":"\(value("campaign"))","kind":"\(value("session"))","at":"2026-11-19T10:00:00Z","external_id":"\(value("external id"))"}
        {"\(value("field"))":{"id":"\(value("device token"))"},"template":"","kind":"\(value("action key"))","user":"\(value("e-mail"))"}

        """

    private static let deliveries = """
        delivery_id,label,campaign,variant,sent
        \(value("delivery")),\(value("label")),\(value("campaign")),\(value("variant")),100

        """

    private let place: Workplace
    private let folder: String

    /// An output with a loaded log date, and a pipeline file beside it.
    init() throws {
        place = try Workplace()
        folder = "\(Self.value("root"))/\(Self.value("folder"))"
        try place.scratch.write(Self.pipeline, to: "conf/push.yaml")
        try place.scratch.write(Self.hits, to: "conf/\(folder)/2026-11-19/\(Self.value("log"))-1.log")
        try place.scratch.write(Self.events, to: "conf/\(Self.value("other folder"))/2026-11-19/a.jsonl")
        try place.scratch.write(Self.hits, to: "conf/\(Self.value("archive"))/2026-11-19.log")
        try place.scratch.write(Self.deliveries, to: "\(Self.value("delivery file"))-1.csv")
        #expect(try place.run("run", "--date", "2026-11-19", "-p", "conf/push.yaml", "-q").exit == 0)
    }

    /// What it prints, with a report of each planted value in it, and of what it has changed.
    private func diagnose(_ arguments: [String], says words: [String]) throws {
        let before = place.scratch.contentsOfAll("")
        for options in [[], ["--json"], ["--log-format", "json"]] {
            let outcome = try place.program.run(
                ["diagnose"] + arguments + options, in: place.scratch.url,
                environment: [
                    "USER": Self.value("user"), "HOME": "/home/\(Self.value("user"))", "HOSTNAME": Self.value("host"),
                    "PUSHETL_TOKEN": Self.value("secret in URL"), "TZ": "Europe/Oslo",
                ])
            #expect(outcome.exit == 0)
            #expect(outcome.stderr == "")
            for (name, value) in Self.planted.sorted(by: { $0.key < $1.key }) {
                for form in [value, value.uppercased(), value.lowercased()] where outcome.stdout.contains(form) {
                    Issue.record("\(name): \(form) is printed by diagnose \(arguments + options)")
                }
            }
            if options != ["--json"] { for word in words { #expect(outcome.stdout.contains(word), "\(arguments)") } }
        }
        #expect(place.scratch.contentsOfAll("") == before)
    }

    @Test func fiftyPlantedValuesDoNotSurvive() throws {
        #expect(Self.planted.count >= 50 && Set(Self.planted.values).count == Self.planted.count)
        let printed = Self.pipeline + Self.hits + Self.events + Self.deliveries + folder + Self.value("other folder")
        #expect(Self.planted.values.allSatisfy { printed.contains($0) })
        let words = [
            "pushetl 2.0.0, ", "layout: $*** - *** [$time_local]", "files: <path with %Y %m %d>", "impression",
            "schema 7, as the last command left it", "2026-11-19  loaded", "opens ok, structure ok",
            "malformed_line: ***",
            "source 2: events, body; 1 file; plain, ok; 2 accepted; 1 missing_id",
        ]
        try diagnose(["conf/push.yaml"], says: words)
        try diagnose(["-p", "conf/push.yaml"], says: words)
    }

    @Test func aHeldLoadSaysNothingOfAnybody() throws {
        try place.scratch.write(
            Self.pipeline.replacing("reject_ratio: 1", with: "reject_ratio: 0"), to: "conf/push.yaml")
        try place.scratch.write(Self.hits, to: "conf/\(folder)/2026-11-20/\(Self.value("log"))-1.log")
        #expect(try place.run("run", "--date", "2026-11-20", "-p", "conf/push.yaml", "-q").exit == 65)
        try diagnose(["conf/push.yaml"], says: ["held: too_many_rejects"])
    }

    @Test func anOutputThatIsBrokenIsTold() throws {
        let output = "\(Self.value("output"))/\(Self.value("user"))"
        try place.scratch.write("\(Self.value("e-mail")) is no database", to: "\(output)/partitions/2026-11-18.sqlite")
        try diagnose(["conf/push.yaml"], says: ["1 complete, 1 damaged"])
        try place.scratch.write("\(Self.value("e-mail")) \(Self.value("label"))", to: "\(output)/push.db")
        try diagnose(["conf/push.yaml"], says: ["no database of pushetl", "failures", "1 complete, 1 unreadable"])
        try place.scratch.remove("\(output)/push.db")
        try diagnose(["conf/push.yaml"], says: ["push.db     not there"])
        try place.scratch.remove(Self.value("output"))
        try diagnose(["conf/push.yaml"], says: ["output: the folder is not there"])
    }

    @Test func aPipelineWithErrorsIsToldByCodeAndLine() throws {
        let wrong = Self.pipeline + "\n    \(Self.value("field")): \(Self.value("e-mail"))\n"
        try place.scratch.write(wrong, to: "conf/push.yaml")
        let output = "\(Self.value("output"))/\(Self.value("user"))"
        try diagnose(
            ["conf/push.yaml", "--output", output],
            says: ["pipeline: not valid", "<key>: <text>", "error unknown_key in line", "1 complete"])
        try diagnose(["conf/push.yaml"], says: ["output: not known"])
        try place.scratch.write("\(Self.value("field")): [\(Self.value("e-mail"))", to: "conf/push.yaml")
        try diagnose(["conf/push.yaml"], says: ["error not_yaml in line"])
        try diagnose(["\(Self.value("folder")).yaml"], says: ["error unreadable in line 1"])
    }

    @Test func twoPipelineFilesAreWrongUsage() throws {
        #expect(try place.run("diagnose", "conf/push.yaml", "-p", "conf/push.yaml").exit == 64)
    }
}
