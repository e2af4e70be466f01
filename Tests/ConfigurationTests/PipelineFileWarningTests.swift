import Foundation
import Support
import Testing

@testable import Configuration
@testable import pushetl

/// The warnings of a valid file beside some folders, without the path of its folder.
private func warnings(_ text: String, folders: [String] = []) throws -> [String] {
    let folder = try ScratchFolder()
    try folder.write(text, to: "push.yaml")
    for name in folders { try folder.write("", to: name + "/file") }
    return try PipelineFile.read(folder.path("push.yaml")).warnings
        .map { $0.text.replacing(folder.root + "/", with: "") }
}

/// The same for a file whose only source is on the fourth line.
private func warnings(source: String, folders: [String] = []) throws -> [String] {
    try warnings("version: 1\noutput: out\nsources:\n  - \(source)\n", folders: folders)
}

@Suite struct PipelineFileWarningTests {
    @Test func aFileWithoutASlipHasNoWarning() throws {
        #expect(
            try warnings(
                source: "{name: a, format: collector, files: logs/%Y-%m-%d/*.gz, actions: {1: open, 2: bounce}}",
                folders: ["logs"]) == [])
    }

    @Test(
        arguments: [
            ("$statsu", "$status"), ("$Status", "$status"), ("${requst}", "$request"), ("$time_locl", "$time_local"),
            ("$time_iso8610", "$time_iso8601"), ("$mesc", "$msec"), ("$http_user_agnt", "$http_user_agent"),
            ("$http_usr_agnt", "$http_user_agent"), ("$request_url", "$request_uri"),
        ] as [(String, String)])
    func aMisspeltVariableIsAnErrorUnlessTheCorrectOneIsThereToo(misspelt: String, right: String) throws {
        let variables = [
            "$request", "$time_local", "$status", "$http_user_agent", "$msec", "$time_iso8601", "$request_uri",
        ]
        func source(_ variables: [String]) -> String {
            let layout = (variables + [misspelt]).joined(separator: " - ")
            return "{name: a, format: collector, files: '%Y-%m-%d', layout: '\(layout)'}"
        }
        let name = misspelt.filter { !"{}".contains($0) }
        let sentence = "unknown variable '\(name)', did you mean '\(right)'?"
        #expect(try warnings(source: source(variables)) == ["push.yaml:4:61: warning: \(sentence)"])
        let without = source(variables.filter { $0 != right })
        let errors = try problems("version: 1\noutput: out\nsources:\n  - \(without)\n")
        #expect(errors.first == "push.yaml:4:61: \(sentence)")
    }

    @Test(arguments: [
        "$request_id", "$request_time", "$request_length", "$upstream_status", "$http_referer", "$http_host", "$host",
        "$http_x_forwarded_for", "$remote_user", "$htp_user_agnt", "$body_bytes_sent", "$uri", "$https",
    ])
    func otherVariablesAreNoSlips(_ variable: String) throws {
        let layout = "$time_local \"$request\" $status \"$http_user_agent\" \(variable) -"
        #expect(
            try warnings(source: "{name: a, format: collector, files: '%Y-%m-%d', layout: '\(layout)'}") == [])
    }

    private static let noStatus = "the layout has no '$status', so failed requests count as well"
    private static let noUserAgent =
        "the layout has no '$http_user_agent', so the platform of every hit is unknown"

    private static func cut(_ value: String) -> String {
        "'\(value)' has no quotes around it and ends at its first space; put it in quotes, in the server's configuration "
            + "too, or last in the line"
    }

    @Test(
        arguments: [
            ("[$time_local] \"$request\" $status \"$http_user_agent\"", []),
            ("[$time_local] \"$request\" \"$http_user_agent\"", [noStatus]),
            ("[$time_local] \"$request\" $status", [noUserAgent]),
            ("[$time_local] \"$request\"", [noStatus, noUserAgent]),
            ("[$time_local] $request $status $http_user_agent", [cut("$request")]),
            ("$http_user_agent [$time_local] $status $request", []),
            ("$status $http_user_agent $msec $request", [cut("$http_user_agent")]),
            ("%t %r %>s \"%{User-Agent}i\"", [cut("%r")]),
            (
                "%t \"%r\"",
                [
                    noStatus.replacing("$status", with: "%>s"),
                    noUserAgent.replacing("$http_user_agent", with: "%{User-Agent}i"),
                ]
            ),
        ] as [(String, [String])])
    func whatALayoutLacksOrCutsIsNamed(layout: String, sentences: [String]) throws {
        let found = try warnings(source: "{name: a, format: collector, files: '%Y-%m-%d', layout: '\(layout)'}")
        #expect(found == sentences.map { "push.yaml:4:61: warning: \($0)" })
        let mzip = try warnings(
            source: "{name: a, format: mzip, files: '%Y-%m-%d', layout: '\(layout) \"$request_body\"'}")
        #expect(mzip.allSatisfy { $0.contains("quotes") })
    }

    @Test(
        arguments: [
            ("opn", "open"), ("opens", "open"), ("opened", "open"), ("openend", "open"), ("clik", "click"),
            ("clicks", "click"), ("clicked", "click"), ("impresion", "impression"), ("impressions", "impression"),
            ("imperssion", "impression"), ("impressed", "impression"), ("arival", "arrival"), ("arrived", "arrival"),
            ("open", nil), ("click", nil), ("impression", nil), ("arrival", nil), ("button_1", nil), ("open2", nil),
            ("open_2", nil), ("close", nil), ("bounce", nil), ("button_close", nil), ("token", nil), ("view", nil),
        ] as [(String, String?)])
    func anActionSimilarToAFunnelActionIsNamed(name: String, near: String?) throws {
        let found = try warnings(source: "{name: a, format: mzip, files: '%Y-%m-%d', actions: {1: \(name)}}")
        let lines = near.map {
            ["push.yaml:4:61: warning: action name '\(name)' does not count as '\($0)', did you mean '\($0)'?"]
        }
        #expect(found == lines ?? [])
    }

    @Test(arguments: ["%Y-%m", "%Y", "%Y-%d", "%y", "all"])
    func aPatternWithoutAWholeDateIsNamed(_ pattern: String) throws {
        #expect(
            try warnings(source: "{name: a, format: mzip, files: '\(pattern).gz'}") == [
                "push.yaml:4:36: warning: the pattern '\(pattern).gz' does not tell the day; write the date as "
                    + "'%Y-%m-%d', or as '%Y' and '%j'"
            ])
    }

    @Test(arguments: ["%m-%d", "%j"])
    func aPatternThatLacksOnlyTheYearIsNamed(_ pattern: String) throws {
        #expect(
            try warnings(source: "{name: a, format: mzip, files: '\(pattern).gz'}") == [
                "push.yaml:4:36: warning: the pattern '\(pattern).gz' does not tell the year, so it finds the logs of every "
                    + "year; write it as '%Y'"
            ])
    }

    @Test(
        arguments: [
            ("lgos/%Y-%m-%d", ["logs"], "lgos", "logs"), ("x/%Y-%m-%d", ["logs"], "x", nil),
            ("logs/hosta/b/%Y%j", ["logs/host-a"], "logs/hosta/b", "logs/host-a/b"),
            ("./lgos/*/%Y%j", ["logs"], "./lgos", "./logs"), ("logs/%Y/nothing/%j", ["logs"], nil, nil),
            ("logs/file/%Y%j", ["logs"], "logs/file", nil),
        ] as [(String, [String], String?, String?)])
    func aMissingFolderIsNamed(pattern: String, folders: [String], missing: String?, near: String?) throws {
        let found = try warnings(source: "{name: a, format: mzip, files: '\(pattern)'}", folders: folders)
        let advice = near.map { ", did you mean '\($0)'?" } ?? "; check 'files'"
        #expect(found == (missing.map { ["push.yaml:4:36: warning: there is no folder '\($0)'\(advice)"] } ?? []))
    }

    @Test func aMissingOutputIsNamedUnlessTheCommandHasOne() throws {
        let folder = try ScratchFolder()
        try folder.write("# ours\nversion: 1\nsources: [{name: a, format: mzip, files: '%Y%j'}]\n", to: "push.yaml")
        let pipeline = try PipelineFile.read(folder.path("push.yaml"))
        #expect(
            pipeline.warnings(outputIsGiven: false).map(\.text) == [
                "\(folder.root)/push.yaml:2:1: warning: no 'output', so push.db goes to '../warehouse'; name its folder "
                    + "here, or with --output"
            ])
        #expect(pipeline.warnings(outputIsGiven: true) == [])
    }

    @Test func warningsAreInTheOrderOfTheFileAndAccompanyErrors() throws {
        let text = """
            version: 1
            sources:
              - name: a
                format: mzip
                actions: &map {1: opn}
                files: all.gz
              - name: b
                format: mzip
                files: no/%Y%j
                actions: *map
            """
        let lines = try warnings(text).map { String($0.prefix { $0 != " " }) }
        #expect(lines == ["push.yaml:1:1:", "push.yaml:5:23:", "push.yaml:6:12:", "push.yaml:9:12:"])
        let folder = try ScratchFolder()
        try folder.write(text + "\n    plattform: ios\n", to: "push.yaml")
        let error = try #require(throws: PipelineFileError.self) { try PipelineFile.read(folder.path("push.yaml")) }
        #expect(error.problems.count == 1)
        #expect(error.warnings.count == 4)
    }

    @Test func warningsDoNotChangeTheFingerprint() throws {
        let folder = try ScratchFolder()
        let text = "version: 1\noutput: out\nsources: [{name: a, format: mzip, files: logs/%Y%j}]\n"
        try folder.write(text, to: "push.yaml")
        let warned = try PipelineFile.read(folder.path("push.yaml"))
        try folder.write("", to: "logs/file")
        let unwarned = try PipelineFile.read(folder.path("push.yaml"))
        #expect(warned.warnings.count == 1)
        #expect(unwarned.warnings.isEmpty)
        #expect(warned.fingerprint == unwarned.fingerprint)
    }
}
