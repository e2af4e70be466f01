import Foundation
import Reference
import Support
import Testing

/// Three weeks of nights, each with an accident as they happen. Each is seen, told and healed, and in the end all tables equal
/// one backfill.
@Suite(.needsPushetl)
struct NightsTests {
    private static let hosts = 1...3
    private static let pipeline = """
        version: 1
        output: out
        deliveries: {files: names/*.csv}
        sources:
          - {name: web, format: collector, files: logs/%Y-%m-%d/*}
          - {name: second, format: collector, required: false, files: more/%Y-%m-%d.log}

        """

    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.scratch.write(NightsTests.pipeline, to: "push.yaml")
        try place.scratch.write("delivery_id,label\nd57fd6,Sale\n", to: "names/a.csv")
        try place.scratch.write("", to: "more/README")
    }

    private static func path(_ day: Int, _ host: Int) -> String { "logs/2026-11-\(day)/web\(host).log.gz" }

    /// The hits of a day and those of the day before again, as logs have them.
    private static func text(_ day: Int, _ host: Int) -> String {
        (1...40).map { number in
            let (hour, minute) = (number % 24 < 10 ? "0\(number % 24)" : "\(number % 24)", 10 + (number * 7) % 50)
            let id = "h\((day - (number % 9 == 0 ? 1 : 0)) * 1000 + host * 100 + number)"
            return Workplace.hit(
                "\(id),d57fd6,\([7, 2, 1][number % 3])", "\(hour):\(minute):00",
                agent: host == 1 ? "Dalvik/2 (Linux; Android 14)" : "Shop CFNetwork/1"
            ).replacing("19/Nov", with: "\(day)/Nov") + "\n"
        }.joined()
    }

    private func write(_ day: Int, _ hosts: ClosedRange<Int> = NightsTests.hosts) throws {
        for host in hosts {
            try place.scratch.write(
                GzipRecipe().member(Bytes(NightsTests.text(day, host))), to: NightsTests.path(day, host))
        }
        place.settle()
    }

    /// The nightly command. The codes are those of its warnings and errors.
    private func night(_ day: Int, _ exit: Int32, _ codes: String..., options: [String] = []) throws {
        let outcome = try place.run(
            ["run", "--date", "2026-11-\(day)", "--catch-up", "7", "--json", "--wait", "0"] + options)
        let object = try outcome.object()
        let told = ["errors", "warnings"].flatMap { key in
            ((object[key] as? [[String: Any]]) ?? []).compactMap { $0["code"] as? String }
        }
        #expect(outcome.exit == exit, "2026-11-\(day): \(outcome.stderr)\(outcome.stdout)")
        #expect(Set(told) == Set(codes), "2026-11-\(day): \(outcome.stderr)")
    }

    private func check(_ exit: Int32, _ place: String = "") throws {
        #expect(try self.place.run("status", "--check", "--from", "2026-11-01", "--quiet").exit == exit, "\(place)")
    }

    @Test func everyAccidentIsSeenToldAndHealed() throws {
        let scratch = place.scratch
        for day in 10...12 {
            try write(day)
            try night(day, 0)
        }

        // A file that is still being written.
        try write(13)
        try scratch.write(scratch.bytes(Self.path(13, 2)).dropLast(40), to: Self.path(13, 2))
        try night(13, 65, "partial", "truncated_file")
        try write(13)
        try write(14)
        try night(14, 0)

        // A byte that was damaged on the way, and a file of another kind.
        try write(15)
        var bytes = try scratch.bytes(Self.path(15, 1))
        bytes[bytes.count - 6] ^= 0x55
        try scratch.write(bytes, to: Self.path(15, 1))
        try night(15, 65, "partial", "damaged_file")
        try write(15)
        try write(16)
        try scratch.write([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4, 0xE6, 0xD6, 0xB4, 0x46], to: Self.path(16, 3))
        try night(16, 65, "held_back_foreign_files", "foreign_file")
        try write(16)

        // A host whose files come a day late, and a night without any.
        try write(17, 1...2)
        try night(17, 0, "missing_usual_files")
        try write(17)
        try night(18, 0, "no_files")
        try night(18, 66, "no_files")
        try write(18)

        // A log in another layout.
        try write(19)
        try scratch.write(
            GzipRecipe().member(Bytes(String(repeating: "{\"time\":1}\n", count: 40))), to: Self.path(19, 1))
        try night(19, 65, "held_back_too_many_rejects")
        try write(19)
        try night(19, 0)

        // Files under other names, unpacked, and once more beside them.
        try scratch.move(Self.path(18, 1), to: "logs/2026-11-18/web1.log.1.gz")
        try scratch.remove(Self.path(18, 2))
        try scratch.write(Self.text(18, 2), to: "logs/2026-11-18/web2.log")
        try write(20)
        try night(20, 0)

        // The pipeline file edited for one night.
        try write(21)
        try scratch.write(
            Self.pipeline.replacing("name: web,", with: "name: web, require_mcid: true,"), to: "push.yaml")
        try night(21, 0, "former_pipeline")
        try scratch.write(Self.pipeline, to: "push.yaml")
        try write(22)
        try night(22, 0, "former_pipeline")
        // A date before those that are caught up.
        try check(65)
        #expect(try place.run("run", "--date", "2026-11-14").exit == 0)

        // A reader, and another command.
        try write(23)
        try whileRead(scratch.path("out/push.db")) { try night(23, 75, "busy") }
        try place.whileLocked { try night(23, 75, "output_held") }
        try night(23, 0)

        // push.db is gone, and is edited by hand.
        try scratch.remove("out/push.db")
        try write(24)
        try night(24, 0)
        try execute("UPDATE daily_actions SET events = events + 1", on: scratch.path("out/push.db"))
        try write(25)
        try night(25, 0, "repaired_output")

        // A partition that the disk has damaged.
        try scratch.write(
            scratch.bytes("out/partitions/2026-11-24.sqlite").prefix(4096), to: "out/partitions/2026-11-24.sqlite")
        try check(65)
        try write(26)
        try night(26, 0)
        try check(0)

        // A link to a disk that is not mounted, and a delivery file that cannot be read.
        try write(27, 1...2)
        try scratch.makeLink(Self.path(27, 3), to: "/nowhere/web3.log.gz")
        try night(27, 74, "held_back_unreadable_file")
        try scratch.remove(Self.path(27, 3))
        try write(27)
        try scratch.write("label\nSale\n", to: "names/b.csv")
        try night(27, 65, "deliveries_missing_column")
        try scratch.remove("names/b.csv")

        // A kill in the midst of the work.
        try write(28)
        let running = try place.start(["run", "--date", "2026-11-28"], until: "out/partitions/.lock")
        running.send(SIGKILL)
        _ = try running.wait()
        try night(28, 0)

        // Logs that are deleted too early stay loaded.
        try scratch.remove(Self.path(12, 1))
        try check(0)

        try write(12)
        try check(0)
        let whole = try place.run("backfill", "--from", "2026-11-10", "--to", "2026-11-28", "--output", "whole")
        #expect(whole.exit == 0, "\(whole.stderr)")
        #expect(try place.dump("out/push.db") == place.dump("whole/push.db"))
        #expect(try place.run("doctor").exit == 0)
    }
}
