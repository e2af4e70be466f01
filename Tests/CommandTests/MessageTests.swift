import Foundation
import Support
import Testing

/// Messages say what happened, where, and what to do.
@Suite(.needsPushetl)
struct MessageTests {
    @Test(arguments: [["runn"], ["help", "runn"]])
    func anUnknownCommandIsWrongUsageAndASimilarOneIsSuggested(arguments: [String]) throws {
        let outcome = try Workplace().run(arguments)
        #expect(outcome.exit == 64)
        #expect(outcome.stderr.hasPrefix("error: There is no command 'runn'; did you mean 'run'?\n"))
        #expect(outcome.stdout == "")
        #expect(try Workplace().run("help", "run").exit == 0)
        #expect(try Workplace().run("help").exit == 0)
    }

    @Test(arguments: [["run", "--bogus"], ["run", "--jobs", "x"], ["backfill"], ["run", "--date"]])
    func wrongUsageIsPrintedAsAnError(arguments: [String]) throws {
        let outcome = try Workplace().run(arguments)
        #expect(outcome.exit == 64)
        #expect(outcome.stderr.hasPrefix("error: "))
        #expect(outcome.stderr.contains("\nUsage: pushetl \(arguments[0]) "))
    }

    /// A code is public. None may go or change because something inside has another name.
    @Test func theCodesOfMessagesAreThoseOfTheDocumentation() throws {
        let sources = Workplace.packageFolder.appendingPathComponent("Sources/pushetl")
        // Those of `status --check` are the kinds of needs.
        var codes: Set = ["damaged", "held_back", "stale", "partial", "missing", "not_loaded", "unpublished"]
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            let calls = text.matches(of: /\b(?:Message|at)\(\s*(?:[\w.]+,\s*(?:line: line,\s*)?)?"(\w+)",/)
            codes.formUnion(calls.map { String($0.1) })
        }
        let article = try String(
            contentsOf: sources.appendingPathComponent("pushetl.docc/Output.md"), encoding: .utf8)
        let list = try #require(article.firstMatch(of: /### Codes\n\n[^`]*`code`[^`]*```text\n([^`]*)```/)).1
        #expect(codes == Set(list.split { $0 == " " || $0 == "\n" }.map(String.init)))
        #expect(codes.count > 140)
    }

    @Test func aDateMayBeCountedFromToday() throws {
        let pipeline = Workplace.onePipeline.replacing(
            "version: 1\n", with: "version: 1\ntimezone: Pacific/Kiritimati\n")
        let place = try Workplace()
        try place.scratch.write(pipeline, to: "push.yaml")
        try place.scratch.makeFolder("logs")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Pacific/Kiritimati"))
        func text(_ daysAgo: Int) throws -> String {
            let day = try #require(calendar.date(byAdding: .day, value: -daysAgo, to: Date()))
            let parts = calendar.dateComponents([.year, .month, .day], from: day)
            return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        }
        for (argument, daysAgo) in [("today", 0), ("yesterday", 1), ("-1", 1), ("-40", 40)] {
            let outcome = try place.run("run", "--date", argument)
            #expect(outcome.exit == 66)
            #expect(outcome.stderr.contains("error: \(try text(daysAgo)): no source has files; "))
        }
        let outcome = try place.run("backfill", "--last", "3")
        #expect(outcome.stderr.contains("error: \(try text(3)) to \(try text(1)): no source has files; "))
        #expect(try place.run("backfill", "--last", "3", "--from", "today").exit == 64)
        #expect(try place.run("backfill", "--last", "0").exit == 64)
        #expect(try place.run("backfill", "--from", "today", "--to", "yesterday").exit == 64)
    }

    @Test func printedPathsOpenFromTheWorkingFolder() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7"), "junk"])
        let folder = place.scratch.url
        try place.scratch.makeFolder("a/b")
        for (working, pipeline) in [("", "push.yaml"), ("a/b", "../../push.yaml"), ("logs", "../push.yaml")] {
            let working = working.isEmpty ? folder : folder.appendingPathComponent(working)
            let outcome = try place.program.run(["run", "--date", "2026-11-19", "-p", pipeline], in: working)
            #expect(outcome.exit == 65)
            let path = try #require(outcome.stderr.firstMatch(of: #/\n  (.+):2: malformed_line: /#)?.1)
            let full = path.hasPrefix("/") ? String(path) : working.appendingPathComponent(String(path)).path
            #expect(FileManager.default.fileExists(atPath: full), "\(path)")
            #expect(path.hasPrefix("/") == (pipeline == "../../push.yaml"))
        }
    }

    @Test func anUnpublishedDateIsNotReportedAsPublished() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: Workplace.twoSources)
        try place.scratch.write((Workplace.hit("h3,d,7") + "\n"), to: "logs/2026-11-18.log")
        #expect(try place.run("run", "--date", "2026-11-18").stderr.contains("it is published as partial\n"))
        let outcome = try whileRead(place.scratch.path("out/push.db")) {
            try place.run("run", "--date", "2026-11-19", "--wait", "0")
        }
        #expect(outcome.exit == 75)
        #expect(
            outcome.stderr.contains(
                "2026-11-19: loaded in part, see the warnings; it is not published yet: the next 'run' or 'backfill' does that\n"
            ))
        #expect(!outcome.stderr.contains("it is published as partial"))
    }

    @Test func aFailedCommandLeavesNoFolders() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let outcome = try place.run("run", "--date", "2026-11-19", "--output", "new/deep/out", "--memory", "16M")
        #expect(outcome.exit == 0)
        try place.scratch.write("x", to: "file")
        #expect(try place.run("run", "--date", "2026-11-19", "--output", "file/out").exit == 74)
        #expect(try place.run("run", "--date", "2026-11-18", "--output", "other").exit == 66)
        #expect(!place.scratch.exists("other"))
    }

    @Test func aBackfillOfManyDatesListsOnlyThoseThatNeedAttention() throws {
        let pipeline = Workplace.onePipeline + "limits: {reject_ratio: 0.5}\n"
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: pipeline)
        for month in 1...10 {
            for day in 1...20 {
                let date = String(format: "2026-%02d-%02d", month, day)
                let line = month == 5 && day == 7 ? "junk" : Workplace.hit("h\(month * 100 + day),d,7")
                try place.scratch.write((line + "\n"), to: "logs/\(date).log")
            }
        }
        let range = ["backfill", "--from", "2026-01-01", "--to", "2026-10-31"]
        let outcome = try place.run(range)
        #expect(outcome.exit == 65)
        #expect(
            outcome.stdout.hasPrefix("2026-05-07  held_back  1 file  5 B  1 record    "),
            "\(outcome.stdout.prefix(200))")
        #expect(outcome.stdout.contains("\n199 more log dates, all complete; --verbose lists them\n"))
        #expect(outcome.stdout.split(separator: "\n").count < 12)
        #expect(try place.run(range + ["--only", "all", "--verbose"]).stdout.contains("2026-03-05  complete  "))
    }

    @Test func statusFits80Columns() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: Workplace.twoSources)
        for day in 1...15 {
            let date = "2026-11-" + String(format: "%02d", day)
            try place.scratch.write((Workplace.hit("h1,d,7") + "\n"), to: "logs/\(date).log")
        }
        #expect(try place.run("backfill", "--from", "2026-11-01", "--to", "2026-11-20").exit == 65)
        for day in ["03", "05", "07", "09", "11", "13"] {
            try place.scratch.write("other\n", to: "logs/2026-11-\(day).log")
        }
        let text = try place.run("status").stdout
        #expect(text.contains("2026-11-01 to 2026-11-02  partial: source 'second' has no files\n"))
        let long = text.split(separator: "\n").filter { $0.count > 80 }
        #expect(long.isEmpty, "\(long)")
    }
}
