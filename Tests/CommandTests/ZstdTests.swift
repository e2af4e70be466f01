import Foundation
import Reference
import Support
import Testing

private let pipeline = Workplace.onePipeline.replacing("logs/%Y-%m-%d.log", with: "logs/%Y-%m-%d/*")

private func lines(_ ids: ClosedRange<Int>) -> Bytes {
    Bytes(ids.map { Workplace.hit("h\(String($0, radix: 16)),d,7") + "\n" }.joined())
}

@Suite(.needsPushetl)
struct ZstdTests {
    private let place: Workplace
    private let run = ["run", "--date", "2026-11-19"]

    init() throws {
        place = try Workplace.withHits([], pipeline: pipeline)
    }

    private func write(_ bytes: Bytes, to name: String = "a.log.zst") throws {
        try place.scratch.write(bytes, to: "logs/2026-11-19/\(name)")
    }

    @Test func zstdFilesAreReadWhateverTheirNames() throws {
        try write(ZstdRecipe(hasChecksum: true).frame(lines(1...3)), to: "a.log")
        try write(GzipRecipe().member(lines(4...5)) + ZstdRecipe(hasSize: false).frame(lines(6...7)), to: "b.log.gz")
        let outcome = try place.run(run)
        #expect(outcome.exit == 0 && outcome.stderr.isEmpty)
        #expect(try place.rows("SELECT sum(events) FROM days") == ["7"])
    }

    @Test func aCutFrameCountsItsCompleteLines() throws {
        // Several blocks.
        let packed = ZstdRecipe(level: 1).frame(lines(1...9000))
        try write(Bytes(packed.prefix(packed.count * 2 / 3)))
        let outcome = try place.run(run)
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr.contains(
                "warning: logs/2026-11-19/a.log.zst: the file ends in the middle of a zstd frame; its complete lines count; "
            ))
        #expect(try place.rows("SELECT events BETWEEN 1000 AND 8999 FROM partitions") == ["1"])
    }

    @Test func framesBeforeADamagedOneCount() throws {
        var packed =
            ZstdRecipe(hasChecksum: true).frame(lines(1...2)) + ZstdRecipe(hasChecksum: true).frame(lines(3...9))
        packed[packed.count - 1] ^= 1
        try write(packed)
        let outcome = try place.run(run)
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr.contains(
                "logs/2026-11-19/a.log.zst: the file is damaged; only what comes before the damage counts; "))
        #expect(try place.rows("SELECT status, events FROM partitions") == ["partial|2"])
    }

    @Test func bytesAfterAFrameAreDamage() throws {
        try write(ZstdRecipe().frame(lines(1...2)) + Bytes("tail"))
        #expect(try place.run(run).exit == 65)
        #expect(try place.rows("SELECT status, events FROM partitions") == ["partial|2"])
        #expect(try place.rows("SELECT status FROM files") == ["damaged"])
    }

    @Test func aMissingLibraryIsNamedAndHoldsTheDateBackUntilItIsThere() throws {
        try place.scratch.write("no library", to: "lib/libzstd.so.1")
        let without = ["LD_LIBRARY_PATH": place.scratch.path("lib")]
        try write(ZstdRecipe().frame(lines(1...2)))
        let reason = "it is zstd-compressed, and libzstd is missing; install the package libzstd1"
        let outcome = try place.run(run, environment: without)
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr.contains(
                "error: 2026-11-19: held back: logs/2026-11-19/a.log.zst: cannot be read: \(reason); "),
            "\(outcome.stderr)")
        for command in [["guess", "logs/2026-11-19/a.log.zst"], ["preview", "logs/2026-11-19/a.log.zst"]] {
            let outcome = try place.run(command, environment: without)
            #expect(outcome.exit == 74)
            #expect(outcome.stderr.contains("cannot be read: \(reason)"))
        }
        // Other files need no library.
        try place.scratch.write(GzipRecipe().member(lines(1...2)), to: "logs/2026-11-20/a.log.gz")
        #expect(try place.run(["run", "--date", "2026-11-20"], environment: without).exit == 0)
        #expect(try place.run(["backfill", "--from", "2026-11-19", "--to", "2026-11-19"]).exit == 0)
        #expect(
            try place.rows("SELECT log_date, events FROM partitions WHERE log_date = '2026-11-19'") == ["2026-11-19|2"])
    }

    @Test func guessAndPreviewReadZstd() throws {
        try write(ZstdRecipe().frame(lines(1...200)))
        let guess = try place.run("guess", "logs/2026-11-19/a.log.zst")
        #expect(guess.exit == 0)
        #expect(guess.stdout.contains("a.log.zst: zstd, 200 lines: 200 fit, 200 hits"))
        let preview = try place.run("preview", "logs/2026-11-19/a.log.zst")
        #expect(preview.exit == 0 && preview.stderr.isEmpty)
    }
}
