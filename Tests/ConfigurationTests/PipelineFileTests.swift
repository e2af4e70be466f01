import Events
import Foundation
import Messages
import Records
import Support
import Testing

@testable import Configuration
@testable import pushetl

/// What is read from a valid file. `Tests/Transcripts/validate-*.md` have what is wrong with others.
@Suite struct PipelineFileTests {
    /// Reads a text as the file `push.yaml` of a fresh folder.
    private func read(_ text: String) throws -> Pipeline {
        let folder = try ScratchFolder()
        try folder.write(text, to: "push.yaml")
        return try PipelineFile.read(folder.path("push.yaml"))
    }

    @Test func aTagTurnsQuotedTextIntoANumber() throws {
        let pipeline = try read(
            """
            version: !!int "1"
            limits: {reject_ratio: !!float "0.5"}
            sources:
              - {name: a, format: collector, files: logs/*.gz}
            """)
        #expect(pipeline.rejectRatio == 0.5)
    }

    @Test func aLogFormatMayContainTabs() throws {
        for tab in ["\"$msec\\t$request\"", "'$msec\\t$request'"] {
            let pipeline = try read(
                "version: 1\nsources:\n  - {name: a, format: collector, files: logs/*.gz, layout: \(tab)}\n")
            #expect(pipeline.sources.first?.layout == (try Layout(parsing: "$msec\t$request")))
        }
    }

    @Test(
        arguments: [
            ("../warehouse", "/srv/warehouse"), ("warehouse", "/srv/etl/warehouse"), ("./w/../v", "/srv/etl/w/../v"),
            ("../../../w", "/w"), ("/abs/w", "/abs/w"), (".", "/srv/etl"), ("../a//b/", "/srv/a/b"),
        ] as [(String, String)])
    func theOutputIsRelativeToTheFilesFolder(output: String, resolved: String) {
        #expect(output.absolute(in: "/srv/etl") == resolved)
    }

    @Test func theFoldersOfAFileAreAbsoluteAndWithoutLinks() throws {
        let folder = try ScratchFolder()
        try folder.write("version: 1\nsources: [{name: a, format: collector, files: x}]", to: "real/push.yaml")
        try folder.makeLink("link", to: "real")
        let pipeline = try PipelineFile.read(folder.path("link/push.yaml"))
        #expect(pipeline.file == folder.path("link/push.yaml"))
        #expect(pipeline.folder.hasSuffix("/real"))
        #expect(pipeline.output == pipeline.folder.dropLast("/real".count) + "/warehouse")
    }

    @Test func layoutsStandInTheirOrder() throws {
        let source = try #require(
            read(
                """
                version: 1
                sources:
                  - name: a
                    format: collector
                    files: x
                    layout: [caddy, combined, '%t "%r"']
                    layout_fields: {time: t}
                    skip: [warn, '[error]', warn]
                """
            ).sources.first)
        #expect(source.layoutTexts == ["caddy", "combined", "%t \"%r\""])
        #expect(source.layouts.map(\.name) == ["caddy", "combined", "LogFormat"])
        #expect(try source.layout != Layout(parsing: "caddy"))
        #expect(source.layoutFields == ["time": "t"])
        #expect(source.skip == ["[error]", "warn"])
    }

    // MARK: Fingerprints

    private static let base = """
        version: 1
        timezone: Europe/Madrid
        sources:
          - name: a
            format: collector
            files: x
          - name: m
            format: mzip
            files: m

        """

    /// The value was computed without this program, with the published constants of FNV. It must never change.
    @Test func theFingerprintIsTheSameOnEveryMachine() throws {
        let pipeline = try read(
            "version: 1\nsources: [{name: a, format: collector, dialect: campaign_classic, files: x}]")
        #expect(pipeline.fingerprint == "a8945473af261066d1debbae77caaf32")
    }

    @Test(arguments: [
        "# A comment\n" + base,
        base.replacing("timezone: Europe/Madrid\n", with: "") + "timezone: Europe/Madrid",
        base + "output: ../elsewhere\n",
        base + "dedup: {window_days: 30}\nlimits: {damaged_files: skip, reject_ratio: 0.050}\n",
        base + "deliveries: {files: a.csv, id: decimal}\n",
        base + "limits: {damaged_files: fail, reject_ratio: 0.06}\n",
        base.replacing("files: x", with: "files: x\n    required: false"),
        base.replacing("files: x", with: "files: x\n    layout: combined\n    id_space: push\n    required: yes"),
        base.replacing("files: x", with: "files: x\n    dialect: campaign_standard"),
        base.replacing("files: x", with: "files: x\n    layout: [combined]"),
        base.replacing(
            "files: x",
            with: "files: x\n    actions: {7: impression, 5: button_close, 4: button_2, 3: button_1, 2: click, 1: open}"
        ),
        base.replacing("format: mzip", with: "actions: {1: arrival}\n    format: mzip\n    layout: body"),
        base.replacing("files: m", with: "files: m\n    fields: {time: log_content.time}"),
        base.replacing("files: x", with: "files: x\n    timezone: Europe/Madrid"),
        base.replacing("files: m", with: "files: m\n    timezone: UTC"),
        base.replacing("files: m", with: "files: m\n    platforms: {IOS: ios, web: web}"),
    ])
    func theFingerprintIgnoresChangesWithoutMeaning(text: String) throws {
        #expect(try read(text).fingerprint == read(Self.base).fingerprint)
    }

    @Test(arguments: [
        (
            "format: events\n    action: open\n    fields: {broadlog_id: i, delivery_id: d, time: t}",
            "timezone: UTC"
        ),
        ("format: users_track\n    actions: {o: open}", "timezone: Asia/Tokyo"),
    ])
    func aDefaultThatIsWrittenOutHasNoMeaning(keys: String, added: String) throws {
        let usual = try read(Self.base.replacing("format: mzip", with: keys))
        let other = try read(Self.base.replacing("format: mzip", with: "\(keys)\n    \(added)"))
        #expect(usual.fingerprint == other.fingerprint)
        #expect(usual.zoneVersions == other.zoneVersions)
    }

    @Test func theOrderOfSkippedTextsHasNoMeaning() throws {
        let texts = ["[warn, error]", "[error, warn]", "[error, warn, error]"].map {
            Self.base.replacing("files: x", with: "files: x\n    skip: \($0)")
        }
        #expect(Set(try texts.map { try read($0).fingerprint }).count == 1)
    }

    @Test func theFingerprintChangesWithEveryMeaning() throws {
        let base = Self.base
        let texts = [
            base,
            base.replacing("Europe/Madrid", with: "UTC"),
            base + "dedup: {window_days: 31}",
            base.replacing("name: a", with: "name: b"),
            base.replacing("files: x", with: "files: y"),
            base.replacing("files: x", with: "files: x\n    layout: json"),
            base.replacing("files: x", with: "files: x\n    layout: [combined, json]"),
            base.replacing("files: x", with: "files: x\n    layout: [json, combined]"),
            base.replacing("files: x", with: "files: x\n    layout: [combined, json]\n    layout_fields: {time: t}"),
            base.replacing("files: x", with: "files: x\n    skip: [warn]"),
            base.replacing("files: x", with: "files: x\n    skip: [warn, error]"),
            base.replacing("files: x", with: "files: x\n    dialect: campaign_classic"),
            base.replacing("files: x", with: "files: x\n    require_mcid: true"),
            base.replacing("files: x", with: "files: x\n    id_space: mail"),
            base.replacing("files: x", with: "files: x\n    timezone: UTC"),
            base.replacing("files: x", with: "files: x\n    actions: {1: open}"),
            base.replacing("files: m", with: "files: m\n    platform: ios"),
            base.replacing("files: m", with: "files: m\n    layout: json"),
            base.replacing("files: m", with: "files: m\n    layout: json\n    path: /x"),
            base.replacing("files: m", with: "files: m\n    fields: {time: t}"),
            base.replacing("files: m", with: "files: m\n    fields: {platform: log_content.time}"),
            base.replacing("files: m", with: "files: m\n    actions: {2: arrival}"),
            base.replacing("files: m", with: "files: m\n    actions: {1: open}"),
            base.replacing("format: mzip", with: "format: users_track\n    actions: {1: arrival}"),
            """
            version: 1
            timezone: Europe/Madrid
            sources: [{name: m, format: mzip, files: m}, {name: a, format: collector, files: x}]
            """,
        ]
        #expect(Set(try texts.map { try read($0).fingerprint }).count == texts.count)
    }

    private static let events = """
        version: 1
        sources:
          - name: e
            format: events
            files: e
            fields: {broadlog_id: [a, b.c], delivery_id: d, action: k, time: t}
            actions: {1: open}

        """

    @Test(arguments: [
        ("broadlog_id: [a, b.c]", "broadlog_id: [{first: [a]}, '\"b\".c']"), ("time: t", "time: {first: ['\"t\"']}"),
        ("files: e", "files: e\n    timezone: UTC\n    elements: ''"), ("files: e", "files: e\n    layout: body"),
    ])
    func otherWordsForTheSameFieldsHaveNoMeaning(text: String, other: String) throws {
        let changed = Self.events.replacing(text, with: other)
        #expect(changed != Self.events)
        #expect(try read(changed).fingerprint == read(Self.events).fingerprint)
    }

    @Test func eachKeyOfEventsHasAMeaning() throws {
        let base = Self.events
        let action = base.replacing("action: k, ", with: "").replacing("actions: {1: open}", with: "action: open")
        let timed = base.replacing("action: k, time: t", with: "")
        func times(_ times: String) -> String { timed.replacing("actions: {1: open}", with: "times: {\(times)}") }
        let texts = [
            base, base.replacing("d,", with: "{first: [d, e]},"), base.replacing("d,", with: "{first: [e, d]},"),
            base.replacing("[a, b.c]", with: "[a, '\"b.c\"']"), base.replacing("[a, b.c]", with: "[{first: [a, b.c]}]"),
            base.replacing("[a, b.c]", with: "[a, {first: [b.c, b]}]"),
            base.replacing("[a, b.c]", with: "[{first: [a, b.c]}, b]"), base.replacing("[a, b.c]", with: "a"),
            base.replacing("files: e", with: "files: e\n    timezone: Europe/Madrid"),
            base.replacing("files: e", with: "files: e\n    timezone: Europe/Madrid") + "timezone: Europe/Madrid",
            base + "timezone: Europe/Madrid",
            base.replacing("files: e", with: "files: e\n    require: [a]"),
            base.replacing("files: e", with: "files: e\n    require: [a, b]"),
            base.replacing("files: e", with: "files: e\n    layout: csv"), action,
            action.replacing("action: open", with: "action: click"), times("open: t"), times("open: t, sent: s"),
            times("sent: s, open: t"), times("sent: t, open: s"),
        ]
        #expect(Set(try texts.map { try read($0).fingerprint }).count == texts.count)
    }

    @Test func aColumnsNameIsNoPath() throws {
        let text = Self.events.replacing("files: e", with: "files: e\n    layout: csv")
            .replacing("d,", with: "' a.b \"c\" ',")
        let source = try #require(read(text).sources.first)
        #expect(source.fields[.deliveryID] == ["a.b \"c\""])
        #expect(source.fields.idParts == [["a"], ["b.c"]])
    }
}
