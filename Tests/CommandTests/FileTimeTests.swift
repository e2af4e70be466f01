import Foundation
import Support
import Testing

private let pipeline = Workplace.onePipeline + "deliveries:\n  files: deliveries/*.csv\n"
private let run = ["run", "--date", "2026-11-19"]

/// Files whose time is far from today's, as after `touch -d` or a copy by a machine with another clock.
@Suite(.needsPushetl)
struct FileTimeTests {
    /// In seconds since 1970. A file system may store the nearest time that it has.
    private static let times = [
        "1900": -2_208_988_800, "0": 0, "2262, in range": 9_223_372_036, "2262, out of range": 9_223_372_037,
        "2300": 10_413_792_000, "2446": 15_032_385_535,
    ]

    private func setTimes(of files: [String], in place: Workplace, to seconds: Int) {
        for file in files {
            let time = timespec(tv_sec: seconds, tv_nsec: 0)
            #expect(utimensat(AT_FDCWD, place.scratch.path(file), [time, time], 0) == 0)
        }
    }

    @Test(arguments: times.keys.sorted()) func aFileOfAnyTimeIsReadAndRemembered(time: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d1,7")], pipeline: pipeline)
        try place.scratch.write("delivery_id,sent\nd1,5\n", to: "deliveries/a.csv")
        let inputs = ["logs/2026-11-19.log", "deliveries/a.csv", "push.yaml"]
        setTimes(of: inputs, in: place, to: try #require(Self.times[time]))
        place.settle()
        let first = try place.run(run)
        #expect(first.exit == 0 && first.stderr.isEmpty, "\(first)")
        #expect(try place.rows("SELECT sent FROM delivery_results") == ["5"])
        let loaded = try place.run("status")
        #expect(loaded.exit == 0 && loaded.stdout.contains(" C\n"), "\(loaded)")
        let figures = try place.dump()

        // Then the partition, too. With another time, push.db would be another file than the one that was left.
        let withPartition = inputs + ["out/partitions/2026-11-19.sqlite"]
        setTimes(
            of: withPartition, in: place, to: try #require(Self.times[time]) + 1)
        place.settle()
        for command in [["status"], run, ["status"], ["doctor"]] {
            let outcome = try place.run(command)
            #expect(outcome.exit == 0 && outcome.stderr.isEmpty, "\(command): \(outcome)")
            if command == ["status"] { #expect(outcome.stdout.contains(" C\n"), "\(outcome)") }
        }
        #expect(try place.dump() == figures)
        // The time of the log file, which need not be read again.
        var status = stat()
        stat(place.scratch.path(inputs[0]), &status)
        let remembered = try place.scratch.text("out/partitions/.kept/2026-11-19.inputs")
        #expect(remembered.contains("\"modified\":\(Int64(status.st_mtim.tv_sec) &* 1_000_000_000)}"), "\(remembered)")
    }
}
