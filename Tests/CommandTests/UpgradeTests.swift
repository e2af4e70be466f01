import Foundation
import Reference
import Support
import Testing

/// Outputs that earlier versions of the program wrote. `RepairTests` has one of schema 1.
@Suite(.needsPushetl)
struct UpgradeTests {
    private let date = "2026-11-19"
    private let pipeline = Workplace.onePipeline.replacing("%Y-%m-%d.log", with: "%Y-%m-%d/*")

    /// Outputs of all schemas show the same as one of today from the same logs: the page, its text, the exports, and what
    /// doctor says. Until a command has brought them up, none of these is made.
    @Test(arguments: [2, 3, 5, 6])
    func anUpgradedOutputIsShownAsANewOne(schema: Int) throws {
        let names = schema == 3 ? ["push.db", "\(date).sqlite"] : ["push.db", "\(date).sqlite", "2026-11-20.sqlite"]
        let fixtures = Workplace.packageFolder.appendingPathComponent("Tests/Fixtures/schema\(schema)")
        let place = try Workplace.withHits([], pipeline: schema == 3 ? pipeline : Workplace.onePipeline)
        for name in names {
            let packed = Bytes(try Data(contentsOf: fixtures.appendingPathComponent("\(name).gz")))
            try place.scratch.write(
                Unpacked(packed).text, to: name == "push.db" ? "out/push.db" : "out/partitions/\(name)")
        }
        let commands = [
            ["report", "--out", "page.html"], ["report", "--text"], ["export", "csv", "--out", "csv"],
            ["export", "datasette", "--out", "datasette"], ["export", "superset", "--out", "superset"], ["doctor"],
        ]
        for command in commands { #expect(try place.run(command).exit == 65, "\(command)") }
        #expect(
            try place.scratch.names("") == place.scratch.names("").filter { ["logs", "out", "push.yaml"].contains($0) })

        #expect(try place.run("run", "--date", "2026-01-01").stderr.contains("made anew from the partitions"))
        var texts: [String] = []
        for command in commands {
            let outcome = try place.run(command)
            #expect(outcome.exit == 0, "\(command): \(outcome)")
            texts.append(outcome.stdout)
        }
        #expect(texts[1].contains("\nOpened of messages") && !texts[5].contains("  fault  "))
        let page = try ParsedPage(place.scratch.text("page.html"))
        // Of the finer steps, counted from the events: the page shows what push.db says, and that is something.
        let opens = "opens by the time since the message's first event"
        for (name, column) in [("15 min", "opened_15m"), ("12 h", "opened_12h")] {
            let sums = try place.rows("SELECT sum(\(column)), sum(opened_seen), sum(opened) FROM daily_totals")[0]
            let counts = sums.split(separator: "|").compactMap { Int($0) }
            #expect(counts[0] > 0 && counts[0] <= counts[1] && counts[1] <= counts[2])
            if !page.table(opens).isEmpty { #expect(page.row(name, of: opens)?[1] == "\(counts[0])") }
        }
        let days = try place.rows("SELECT day || '|' || coalesce(log_date_status, '') FROM days ORDER BY day")
        let shown = try place.scratch.text("csv/days/2026-11.csv").split(separator: "\r\n").dropFirst().map { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            return "\(cells[0])|\(cells[3])"
        }
        #expect(shown == days && days.contains("\(date)|complete"))
        let results = try place.scratch.text("csv/delivery_results.csv").split(separator: "\r\n")
        let columns = results[0].split(separator: ",").map(String.init)
        #expect(Set(["sent_day", "first_day", "last_day", "arrived_unseen", "opened_15m"]).isSubset(of: columns))
        let ends = try place.rows("SELECT min(first_day), max(last_day) FROM delivery_results")[0].split(separator: "|")
        #expect(try place.rows("SELECT min(day), max(day) FROM daily_actions")[0].split(separator: "|") == ends)

        // The same partitions, published into an empty folder, say the same.
        let other = try Workplace.withHits([], pipeline: schema == 3 ? pipeline : Workplace.onePipeline)
        for name in names.dropFirst() {
            try other.scratch.write(try #require(place.bytes("out/partitions/\(name)")), to: "out/partitions/\(name)")
        }
        _ = try other.run("run", "--date", "2026-01-01")
        for (command, text) in zip(commands, texts).prefix(5) {
            #expect(try other.run(command).stdout == text, "\(command)")
        }
        for file in ["page.html", "csv/delivery_results.csv", "csv/daily_funnel/2026-11.csv"] {
            #expect(other.bytes(file) == place.bytes(file), "\(file)")
        }
    }
}
