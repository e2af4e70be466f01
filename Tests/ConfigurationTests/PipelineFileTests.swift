import Events
import Foundation
import Messages
import Records
import Support
import Testing

@testable import Configuration
@testable import pushetl

/// What is read from a valid file. `Tests/Transcripts/validate.md` has what is wrong with others.
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

    @Test func theShortestFileHasTheDefaults() throws {
        let pipeline = try read(
            """
            version: 1
            sources:
              - {name: a, format: collector, files: logs/*.gz}
              - {name: m, format: mzip, files: m/*}
              - {name: u, format: users_track, files: u/*, actions: {push_click: click}}
            """)
        #expect(pipeline.zone.name == "UTC")
        #expect(pipeline.zone.version == "UTC")
        #expect(pipeline.windowDays == 30)
        #expect(pipeline.rejectRatio == 0.05)
        #expect(pipeline.damagedFiles == .skip)
        #expect(
            pipeline.actionNames == [
                "arrival", "button_1", "button_2", "button_close", "click", "impression", "open",
            ])

        try #require(pipeline.sources.count == 3)
        let collector = pipeline.sources[0]
        #expect(collector.name == "a")
        #expect(collector.format == .collector)
        #expect(collector.layout == .combined)
        #expect(collector.layoutText == "combined")
        #expect(collector.dialect == .campaignStandard)
        #expect(!collector.requireMcid)
        #expect(collector.required)
        #expect(collector.files.text == "logs/*.gz")
        #expect(collector.platform == nil)
        #expect(collector.idSpace == "push")
        #expect(
            collector.actions == [
                "1": "open", "2": "click", "7": "impression", "3": "button_1", "4": "button_2", "5": "button_close",
            ])

        let mzip = pipeline.sources[1]
        #expect(mzip.layout == .body)
        #expect(mzip.path == "/push/log/iosarrive")
        #expect(mzip.fields == .mzip)
        #expect(mzip.actions == ["1": "arrival"])

        let usersTrack = pipeline.sources[2]
        #expect(usersTrack.layout == .body)
        #expect(usersTrack.path == "/users/track")
        #expect(usersTrack.fields == .usersTrack)
        #expect(usersTrack.actions == ["push_click": "click"])
    }

    @Test func everyKeyIsRead() throws {
        let pipeline = try read(
            """
            version: 1
            timezone: Europe/Madrid
            output: /var/warehouse
            dedup: {window_days: 0}
            limits: {reject_ratio: 1, damaged_files: fail}
            sources:
              - name: a
                format: collector
                layout: '$remote_addr [$time_local] "$request" $status'
                dialect: campaign_classic
                require_mcid: yes
                required: false
                files: /logs/%Y/*
                id_space: mail
                actions: {9: bounce}
              - name: m
                format: mzip
                layout: json
                path: /x
                platform: web
                files: m/*
                fields: {broadlog_id: a.b, delivery_id: c, action: d, time: e, platform: f.g.h, tracking: i}
                actions: {1: arrival, "shown": impression}
            """)
        #expect(pipeline.zone.name == "Europe/Madrid")
        #expect(pipeline.output == "/var/warehouse")
        #expect(pipeline.windowDays == 0)
        #expect(pipeline.rejectRatio == 1)
        #expect(pipeline.damagedFiles == .fail)
        try #require(pipeline.sources.count == 2)
        let collector = pipeline.sources[0]
        #expect(collector.layoutText == #"$remote_addr [$time_local] "$request" $status"#)
        #expect(collector.dialect == .campaignClassic)
        #expect(collector.requireMcid)
        #expect(!collector.required)
        #expect(collector.idSpace == "mail")
        #expect(collector.actions == ["9": "bounce"])
        let mzip = pipeline.sources[1]
        #expect(mzip.layout.name == "json")
        #expect(mzip.path == "/x")
        #expect(mzip.platform == .web)
        #expect(
            mzip.fields
                == FieldPaths(
                    broadlogID: ["a", "b"], deliveryID: ["c"], action: ["d"], time: ["e"], platform: ["f", "g", "h"],
                    tracking: ["i"]))
        #expect(mzip.actions == ["1": "arrival", "shown": "impression"])
        #expect(pipeline.actionNames == ["arrival", "bounce", "impression"])
    }

    @Test func aClassicCollectorHasTheClassicActions() throws {
        let pipeline = try read(
            """
            version: 1
            sources: [{name: a, format: collector, dialect: campaign_classic, files: x}]
            """)
        #expect(pipeline.sources.first?.actions == ["1": "impression", "2": "open"])
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
        #expect(pipeline.fingerprint == "d6b9dd1a7414602989a3cfac206f0400")
    }

    @Test(arguments: [
        "# A comment\n" + base,
        base.replacing("timezone: Europe/Madrid\n", with: "") + "timezone: Europe/Madrid",
        base + "output: ../elsewhere\n",
        base + "dedup: {window_days: 30}\nlimits: {damaged_files: skip, reject_ratio: 0.050}\n",
        base + "limits: {volume: hold}\n",
        base.replacing("files: x", with: "files: x\n    layout: combined\n    id_space: push\n    required: yes"),
        base.replacing("files: x", with: "files: x\n    dialect: campaign_standard"),
        base.replacing(
            "files: x",
            with: "files: x\n    actions: {7: impression, 5: button_close, 4: button_2, 3: button_1, 2: click, 1: open}"
        ),
        base.replacing("format: mzip", with: "actions: {1: arrival}\n    format: mzip\n    layout: body"),
        base.replacing("files: m", with: "files: m\n    fields: {time: log_content.time}"),
        base.replacing("files: x", with: "files: x\n    timezone: Europe/Madrid"),
    ])
    func theFingerprintIgnoresChangesWithoutMeaning(text: String) throws {
        #expect(try read(text).fingerprint == read(Self.base).fingerprint)
    }

    @Test func warningsDoNotChangeTheFingerprint() throws {
        let folder = try ScratchFolder()
        let text = "version: 1\noutput: out\nsources: [{name: a, format: mzip, files: logs/%Y%j}]\n"
        try folder.write(text, to: "push.yaml")
        let warned = try PipelineFile.read(folder.path("push.yaml"))
        try folder.write("", to: "logs/file")
        let unwarned = try PipelineFile.read(folder.path("push.yaml"))
        #expect(warned.warnings.count == 1 && unwarned.warnings.isEmpty)
        #expect(warned.fingerprint == unwarned.fingerprint)
    }

    /// `off` is a truth value in YAML.
    @Test(arguments: [
        ("limits: {volume: off}", Pipeline.Volume.off), ("limits: {volume: 'off'}", .off),
        ("limits: {volume: warn}", .warn),
        ("limits: {volume: hold}", .hold), ("", .warn),
    ])
    func theVolumeIsOffWarnOrHold(limits: String, volume: Pipeline.Volume) throws {
        #expect(try read(Self.base + limits).volume == volume)
    }

    /// What was loaded by earlier versions counts as of a former pipeline, where a rule has changed that it uses.
    @Test(arguments: [
        ("format: collector", false), ("format: collector\n    layout: json", false),
        ("format: collector\n    layout: json\n    layout_fields: {time: t}", true),
        ("format: collector\n    layout: gcp_lb", true), ("format: collector\n    layout: caddy", true),
        ("format: collector\n    layout: cloudfront", false), ("format: mzip", true),
        ("format: users_track\n    actions: {a: open}", true),
        ("format: collector\n    layout: '%h %{%F %T %Z}t \"%r\"'", true),
        ("format: collector\n    layout: '%h %{%F %T %z (%Z)}t \"%r\"'", false),
        ("format: collector\n    layout: '%h %{%s %Z}t \"%r\"'", false),
    ])
    func aChangedRuleOfReadingChangesTheFingerprintOfWhatUsesIt(source: String, changes: Bool) throws {
        let pipeline = try read("version: 1\nsources:\n  - name: a\n    files: x\n    \(source)\n")
        #expect((pipeline.fingerprint != pipeline.earlierFingerprint) == changes)
    }

    @Test func theFingerprintChangesWithEveryMeaning() throws {
        let base = Self.base
        let texts = [
            base,
            base.replacing("Europe/Madrid", with: "UTC"),
            base + "dedup: {window_days: 31}",
            base + "limits: {reject_ratio: 0.06}",
            base + "limits: {damaged_files: fail}",
            base.replacing("name: a", with: "name: b"),
            base.replacing("files: x", with: "files: y"),
            base.replacing("files: x", with: "files: x\n    layout: json"),
            base.replacing("files: x", with: "files: x\n    dialect: campaign_classic"),
            base.replacing("files: x", with: "files: x\n    require_mcid: true"),
            base.replacing("files: x", with: "files: x\n    required: false"),
            base.replacing("files: x", with: "files: x\n    id_space: mail"),
            base.replacing("files: x", with: "files: x\n    timezone: UTC"),
            base.replacing("files: m", with: "files: m\n    timezone: UTC"),
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
}
