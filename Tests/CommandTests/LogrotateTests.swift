import Foundation
import Support
import Testing

/// Nights with Debian's logrotate, whose clock `faketime` sets.
@Suite(.needsPushetl, .needs(.logrotate), .needs(.faketime), .needs(.gzip))
struct LogrotateTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private func set(_ options: String, files: String, log: String = "logs/access.log") throws {
        let pipeline = Workplace.onePipeline.replacing("logs/%Y-%m-%d.log", with: files)
        try place.scratch.write(pipeline, to: "push.yaml")
        let lines = options.split(separator: " ").map { $0.replacing("=", with: " ") }
        let text = "\(place.scratch.path(log)) {\n" + lines.map { "    \($0)\n" }.joined() + "}\n"
        try place.scratch.write(text, to: "logrotate.conf")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: place.scratch.path("logrotate.conf"))
        // logrotate rotates no log that it sees for the first time.
        try place.scratch.write(
            "logrotate state -- version 2\n\"\(place.scratch.path(log))\" 2026-11-1-0:0:0\n", to: "state")
    }

    /// The hits of a day.
    private func write(day: Int, _ ids: ClosedRange<Int>, to log: String = "logs/access.log") throws {
        let lines = ids.map {
            Workplace.hit("h\(String($0, radix: 16)),d,7").replacing("19/Nov", with: "\(day)/Nov") + "\n"
        }
        let before = place.scratch.exists(log) ? try place.scratch.text(log) : ""
        try place.scratch.write(before + lines.joined(), to: log)
    }

    private func rotate(_ time: String, options: String = "") throws {
        let command = "TZ=UTC faketime '\(time)' logrotate \(options) --state state logrotate.conf"
        _ = try Tool.output(of: command, in: place.scratch)
        place.settle()
    }

    @Test func datedNamesWithDelayedCompression() throws {
        try set(
            "daily dateext dateyesterday compress delaycompress missingok create rotate=60",
            files: "logs/access.log-%Y%m%d*")
        for day in 16...20 {
            try write(day: day, day * 100...day * 100 + 9)
            try rotate("2026-11-\(day + 1) 00:10:00")
            let outcome = try place.run("run", "--date", "2026-11-\(day)", "--catch-up", "7")
            #expect(outcome.exit == 0, "\(outcome)")
            #expect(outcome.stderr == "")
            #expect(!outcome.stdout.contains("shrunk") && !outcome.stdout.contains("stale"), "\(outcome)")
        }
        #expect(
            try place.scratch.names("logs") == [
                "access.log", "access.log-20261116.gz", "access.log-20261117.gz", "access.log-20261118.gz",
                "access.log-20261119.gz", "access.log-20261120",
            ])
        // Every date was loaded once, when its file was not compressed yet.
        #expect(try place.rows("SELECT log_date FROM loads ORDER BY 1") == (16...20).map { "2026-11-\($0)" })
        #expect(try place.rows("SELECT path FROM files") == (16...20).map { "logs/access.log-202611\($0)" })
        #expect(try place.rows("SELECT day, events FROM days") == (16...20).map { "2026-11-\($0)|10" })
        #expect(try place.run("status").stdout.contains("  2026-11                 CCCCC\n"))
        let all = try place.run("backfill", "--from", "2026-11-16", "--to", "2026-11-20")
        #expect(all.stdout.hasPrefix("nothing to load\n  up to date       5\n"), "\(all)")
    }

    @Test func numberedNamesThatMoveUpWithinALogDate() throws {
        let log = "logs/2026-11-19/access.log"
        try set("compress delaycompress create rotate=9", files: "logs/%Y-%m-%d/access.log.*", log: log)
        for hour in 1...4 {
            try write(day: 19, hour * 100...hour * 100 + 9, to: log)
            try rotate("2026-11-19 0\(hour):00:00", options: "--force")
            let outcome = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19")
            #expect(outcome.exit == 0, "\(outcome)")
            #expect(!outcome.stdout.contains("shrunk"), "\(outcome)")
            #expect(try place.rows("SELECT events FROM days") == ["\(hour * 10)"])
        }
        #expect(
            try place.scratch.names("logs/2026-11-19") == [
                "access.log", "access.log.1", "access.log.2.gz", "access.log.3.gz", "access.log.4.gz",
            ])
        // A rotation that adds nothing: the empty log is no new file.
        try set(
            "compress delaycompress create rotate=9 notifempty", files: "logs/%Y-%m-%d/access.log.*", log: log)
        let before = try place.dump()
        try rotate("2026-11-19 05:00:00", options: "--force")
        let outcome = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19")
        #expect(outcome.stdout.hasPrefix("nothing to load\n  up to date       1\n"), "\(outcome)")
        #expect(try place.dump() == before)
    }

    // Debian's names have no date. Each night reads the file that logrotate has just made.
    @Test func numberedNamesWithoutADate() throws {
        try set("daily compress delaycompress missingok create notifempty rotate=14", files: "logs/access.log.1")
        for day in 16...20 {
            try write(day: day, day * 100...day * 100 + 9)
            try rotate("2026-11-\(day + 1) 00:10:00")
            let outcome = try place.run("run", "--date", "2026-11-\(day)")
            #expect(outcome.exit == 0, "\(outcome)")
        }
        #expect(try place.scratch.names("logs").contains("access.log.5.gz"))
        #expect(try place.rows("SELECT day, events FROM days") == (16...20).map { "2026-11-\($0)|10" })
        #expect(try place.run("status").stdout.contains("  2026-11                 CCCCC\n"))
        #expect(try place.run("run", "--date", "2026-11-20", "--catch-up", "3").exit == 78)
    }
}
