import Foundation
import Support
import Testing

/// Each command takes the options that it uses, and no others.
@Suite(.needsPushetl)
struct OptionsTests {
    private static let printing = ["json", "quiet", "log-format"]
    private static let input = ["pipeline"] + printing
    private static let output = ["output"] + input
    private static let work = ["jobs", "memory", "wait"]
    private static let load = ["settle", "no-progress", "force", "accept-loss", "verbose", "metrics"] + work + output
    private static let sparkRoom = ["memory", "scratch", "job"]

    /// The options of each command, and arguments with which it runs.
    private static let commands: [(name: String, arguments: [String], options: [String])] = [
        ("run", ["--date", "2026-11-19"], ["date", "catch-up"] + load),
        ("backfill", ["--last", "1"], ["from", "to", "last", "only", "dry-run", "skip", "forget"] + load),
        ("status", [], ["from", "to", "check", "jobs"] + output),
        ("rejects", [], ["date", "reason", "source", "limit", "summary"] + output),
        ("explain", ["h1"], output),
        ("validate", [], output),
        ("preview", ["--date", "2026-11-19"], ["source", "date", "limit", "verbose"] + input),
        ("guess", ["logs/2026-11-19.log"], ["out", "force"] + printing),
        ("report", [], ["from", "to", "compare", "out", "text", "check", "wait"] + output),
        ("export", ["csv", "--out", "csv"], ["out", "tables", "from", "to", "excel", "wait"] + output),
        ("doctor", [], work + output),
        (
            "spark-drive", [],
            [
                "date", "catch-up", "from", "to", "last", "only", "shards", "settle", "skip", "forget", "force",
                "accept-loss", "verbose",
            ]
                + work + output
        ),
        ("spark-map", ["--job", "job", "--file", "0"], ["file", "stdin"] + sparkRoom),
        ("spark-reduce", ["--job", "job", "--shard", "0"], ["shard"] + sparkRoom),
        ("spark-figures", ["--job", "job", "--shard", "0"], ["shard"] + sparkRoom),
        ("spark-add", ["--job", "job", "--day", "0"], ["day", "job"]),
    ]

    private static var all: Set<String> { Set(commands.flatMap(\.options)) }
    private static let flags: Set = [
        "settle", "no-progress", "force", "accept-loss", "verbose", "json", "quiet", "dry-run", "check", "summary",
        "excel",
        "text", "stdin",
    ]

    @Test func theHelpListsTheOptionsOfEachCommand() throws {
        let help = try Workplace().run("--experimental-dump-help").object()
        let command = try #require(help["command"] as? [String: Any])
        let subcommands = try #require(command["subcommands"] as? [[String: Any]])
        var listed: [String: [String]] = [:]
        for command in subcommands {
            guard let name = command["commandName"] as? String, name != "help" else { continue }
            for argument in command["arguments"] as? [[String: Any]] ?? []
            where argument["kind"] as? String != "positional" {
                let names = (argument["names"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
                let long = names.first { $0.count > 1 } ?? ""
                guard long != "help", long != "version" else { continue }
                #expect(argument["shouldDisplay"] as? Bool == true, "\(name) --\(long)")
                listed[name, default: []].append(long)
            }
        }
        #expect(listed.count == OptionsTests.commands.count)
        for (name, _, options) in OptionsTests.commands {
            #expect(listed[name]?.sorted() == options.sorted(), "\(name)")
        }
    }

    @Test(arguments: commands.indices)
    func anOptionThatACommandDoesNotUseIsWrongUsage(index: Int) throws {
        let (name, arguments, options) = OptionsTests.commands[index]
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let before = place.outputBytes()
        for option in OptionsTests.all.subtracting(options).sorted() {
            let value = OptionsTests.flags.contains(option) ? [] : ["3"]
            let outcome = try place.run([name] + arguments + ["--\(option)"] + value)
            #expect(outcome.exit == 64, "\(name) --\(option)")
            #expect(outcome.stderr.hasPrefix("error: Unknown option '--\(option)'"), "\(outcome)")
        }
        #expect(place.outputBytes() == before)
    }

    @Test(arguments: [
        ("validate push.yaml --pipeline push.yaml", "Give the pipeline files either as FILE or with --pipeline."),
        ("guess logs/2026-11-19.log --force", "--force is for the file of --out: give both."),
        ("backfill --last 2 --dry-run --metrics push.prom", "--dry-run writes nothing: leave --metrics out."),
        ("backfill --skip 2026-11-19 --force", "--force does nothing for --skip: leave it out."),
        (
            "backfill --forget 2026-11-19 --accept-loss",
            "--accept-loss does nothing for --skip and --forget: leave it out."
        ),
        (
            "backfill --skip 2026-11-19 --only all",
            "--skip and --forget are about one log date: give no others, and no --dry-run."
        ),
        ("rejects --summary --limit 3", "--limit is for the records themselves; --summary prints all their numbers."),
        (
            "export csv --tables deliveries --to 2026-11-19 --out x",
            "--from and --to are for tables with days; deliveries has none."
        ),
        (
            "export csv --tables deliveries,about --from 2026-11-19 --out x",
            "--from and --to are for tables with days; deliveries, about have none."
        ),
        ("export superset --from 2026-11-19 --out x", "--from is for csv; superset shows all of push.db."),
        ("run --date 2026-11-19 --settle", "The pipeline file has no 'retention'."),
        ("backfill --last 1 --settle", "The pipeline file has no 'retention'."),
    ])
    func anOptionThatDoesNothingBesideAnotherIsWrongUsage(command: String, sentence: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let outcome = try place.run(command.split(separator: " ").map(String.init))
        #expect(outcome.exit == 64)
        #expect(outcome.stderr.hasPrefix("error: " + sentence), "\(outcome)")
        #expect(!place.scratch.exists("x") && !place.scratch.exists("push.prom"))
    }

    @Test(arguments: ["report", "export csv --out x", "doctor"])
    func withOutputAPipelineFileIsReadOnlyWhereItIsNamed(command: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.remove("push.yaml")
        let arguments = command.split(separator: " ").map(String.init) + ["--output", "out"]
        #expect(try place.run(arguments).exit == 0)
        #expect(try place.run(arguments + ["--pipeline", "push.yaml"]).exit == 78)
    }

    @Test func keysOfAPipelineThatDoNothingAreWarnings() throws {
        let pipeline = """
            version: 1
            output: out
            sources:
              - name: adobe
                format: collector
                dialect: campaign_classic
                actions: {7: impression}
                files: logs/%Y-%m-%d.log
              - name: momo
                format: mzip
                timezone: Europe/Madrid
                required: false
                files: logs/%Y-%m-%d.mzip

            """
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: pipeline)
        let warnings = """
            push.yaml:6:5: warning: 'dialect' does nothing beside 'actions', which replaces all of its codes; remove one
            push.yaml:11:5: warning: 'timezone' of a source does nothing with the layout 'body', whose lines have no time of their own

            """
        #expect(try place.run("validate").stderr == warnings)
        let outcome = try place.run("run", "--date", "2026-11-19", "-q")
        #expect(outcome.exit == 0)
        #expect(outcome.stderr == warnings)
    }
}
