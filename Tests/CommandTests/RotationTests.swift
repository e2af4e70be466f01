import Foundation
import Reference
import Support
import Testing

private let date = "2026-11-19"
private let range = ["backfill", "--from", date, "--to", date]
private let pipeline = Workplace.onePipeline.replacing("logs/%Y-%m-%d.log", with: "logs/%Y-%m-%d/*")
private let upToDate = "nothing to load\n  up to date       1\n"

extension Workplace {
    /// A loaded date with these files.
    fileprivate static func loaded(_ files: [String: Bytes], exit: Int32 = 0) throws -> Workplace {
        let place = try withHits([], pipeline: pipeline)
        for (name, bytes) in files { try place.scratch.write(bytes, to: "logs/\(date)/\(name)") }
        place.settle()
        let outcome = try place.run("run", "--date", date)
        #expect(outcome.exit == exit, "\(outcome)")
        return place
    }

    fileprivate static func text(_ ids: [Int]) -> Bytes {
        Bytes(ids.map { hit("h\(String($0, radix: 16)),d,7") + "\n" }.joined())
    }

    /// Runs commands of the shell in the folder of the logs.
    fileprivate func rotate(_ commands: String) throws {
        _ = try Tool.output(of: "(cd logs/\(date) && { \(commands); })", in: scratch)
        settle()
    }

    /// `status`'s sentence about the date, and its letter before it. It must not write anything.
    fileprivate func state() throws -> String {
        let before = outputBytes()
        let status = try run("status")
        #expect(status.exit == 0)
        #expect(outputBytes() == before)
        let lines = status.stdout.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let letter = lines.first { $0.hasPrefix("  2026-11 ") }?.last.map(String.init) ?? ""
        let start = lines.firstIndex { $0.hasPrefix("  \(date)  ") }
        let sentence =
            start.map { lines[$0...].prefix { !$0.isEmpty }.joined(separator: " ").replacing("     ", with: " ") } ?? ""
        return letter + sentence.dropFirst("  \(date)".count)
    }

    /// The range's backfill finds nothing to do, before and after it is remembered why.
    fileprivate func expectUpToDate(_ figures: [String]) throws {
        for _ in 0..<2 {
            let outcome = try run(range)
            #expect(outcome.exit == 0)
            #expect(outcome.stdout.hasPrefix(upToDate), "\(outcome)")
        }
        #expect(try dump() == figures)
        #expect(try state() == "C")
        let remembered = outputBytes()
        #expect(try run(range).exit == 0)
        #expect(outputBytes() == remembered)
    }
}

/// Files that are renamed or compressed after they were loaded.
@Suite(.needsPushetl, .needs(.gzip), .needs(.zstd))
struct RotationTests {
    @Test func aRenamedFileIsTheSameFile() throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1, 2])])
        let figures = try place.dump()
        try place.rotate("mv a.log b.log")
        // Its bytes tell, so status need not unpack it.
        #expect(try place.state() == "C")
        try place.expectUpToDate(figures)
        // The rows of files are those of the load, until the date is loaded again.
        #expect(try place.rows("SELECT path FROM files") == ["logs/2026-11-19/a.log"])
        #expect(try place.run("run", "--date", date).exit == 0)
        #expect(try place.rows("SELECT path FROM files") == ["logs/2026-11-19/b.log"])
        #expect(try place.rows("SELECT events FROM days") == ["2"])
        #expect(try !place.scratch.text("out/partitions/.kept/\(date).inputs").contains("outline"))
    }

    @Test(arguments: [
        "gzip a.log", "gzip -9 a.log && mv a.log.gz a.log.2.gz",
        "head -n1 a.log | gzip >b.gz; tail -n1 a.log | gzip >>b.gz; rm a.log",
        "zstd -q --rm a.log", "zstd -q -19 --no-check <a.log >b; rm a.log",
        "head -n1 a.log | gzip >b.gz; tail -n1 a.log | zstd -q >>b.gz; rm a.log",
    ])
    func aFileThatIsCompressedAfterLoadingIsTheSameFile(commands: String) throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1, 2])])
        let figures = try place.dump()
        try place.rotate(commands)
        #expect(try place.state().hasPrefix("C  not compared: logs/2026-11-19/"))
        let json = try place.run("status", "--json").logDates()
        #expect(json.map { $0["uncompared_files"] as? Int } == [1])
        #expect(json.map { ($0["uncompared"] as? [String])?.count } == [1])
        #expect(json.map { $0["stale"] as? Bool } == [false] && json.map { $0["shrunk"] as? Bool } == [false])
        #expect(try place.run(range + ["--dry-run"]).stdout.contains("up to date"))
        try place.expectUpToDate(figures)
        // What was found out is a cache.
        try place.scratch.remove("out/partitions/.kept/\(date).inputs")
        #expect(try place.state().hasPrefix("C  not compared: "))
        try place.expectUpToDate(figures)
    }

    @Test(arguments: [
        "gzip -d a.log.gz", "gzip -dc a.log.gz | gzip -1 >b.log.gz; rm a.log.gz",
        "gzip -dc a.log.gz | zstd -q >b; rm a.log.gz",
    ])
    func aGzipFileWithOtherBytesIsTheSameFile(commands: String) throws {
        let packed = GzipRecipe().member(Workplace.text([1])) + GzipRecipe().member(Workplace.text([2]))
        let place = try Workplace.loaded(["a.log.gz": packed])
        let figures = try place.dump()
        try place.rotate(commands)
        try place.expectUpToDate(figures)
    }

    @Test(arguments: [
        "zstd -qd --rm a.zst", "zstd -qdc a.zst | gzip >a.gz; rm a.zst",
        "zstd -qdc a.zst | zstd -q -19 >b.zst; rm a.zst",
    ])
    func aZstdFileWithOtherBytesIsTheSameFile(commands: String) throws {
        let packed = ZstdRecipe().frame(Workplace.text([1])) + ZstdRecipe().frame(Workplace.text([2]))
        let place = try Workplace.loaded(["a.zst": packed])
        let figures = try place.dump()
        try place.rotate(commands)
        try place.expectUpToDate(figures)
    }

    @Test func runSaysUpToDateAfterRotation() throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1])])
        try place.scratch.write(Workplace.text([2]), to: "logs/2026-11-20/a.log")
        #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
        try place.rotate("gzip a.log")
        let outcome = try place.run("run", "--date", "2026-11-20", "--catch-up", "3")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.hasPrefix("2026-11-20  complete, nothing new"))
        #expect(outcome.stdout.hasSuffix("out/push.db was up to date, " + outcome.stdout.split(separator: ", ").last!))
        #expect(try place.state() == "C")
    }

    @Test func numberedFilesMoveUpByOne() throws {
        let files = [
            "access.log.1": Workplace.text([1, 2]), "access.log.2.gz": GzipRecipe().member(Workplace.text([3])),
        ]
        let place = try Workplace.loaded(files)
        let figures = try place.dump()
        let moves = "mv access.log.2.gz access.log.3.gz; mv access.log.1 access.log.2; gzip access.log.2"
        try place.rotate(moves)
        try place.expectUpToDate(figures)
        // With the next file the date is stale, and nothing else is.
        try place.scratch.write(Workplace.text([4]), to: "logs/\(date)/access.log.1")
        place.settle()
        #expect(try place.state() == "S  stale: logs/2026-11-19/access.log.1 is new")
        #expect(try place.run(range).exit == 0)
        #expect(try place.rows("SELECT events FROM days") == ["4"])
        // The oldest is removed, and the others take its name.
        try place.rotate("rm access.log.3.gz; mv access.log.2.gz access.log.3.gz; mv access.log.1 access.log.2.gz")
        #expect(try place.run(range).exit == 0)
        #expect(try place.state() == "X  shrunk: logs/2026-11-19/access.log.3.gz is gone")
        #expect(try place.rows("SELECT events FROM days") == ["4"])
    }

    @Test(arguments: ["mv a.log b.log; cat ../more >>b.log", "cat ../more >>a.log; gzip a.log"])
    func aFileThatBeginsWithAGoneOneHasGrown(commands: String) throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1, 2])])
        try place.scratch.write(Workplace.text([3]), to: "logs/more")
        try place.rotate(commands)
        #expect(try place.state().contains("not compared: logs/2026-11-19/"))
        let outcome = try place.run(range)
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("was stale: logs/2026-11-19/"), "\(outcome)")
        #expect(outcome.stdout.contains(" has changed"))
        #expect(try place.rows("SELECT events FROM days") == ["3"])
        #expect(try place.state() == "C")
    }

    @Test func aFileWhoseNameAGrownOneHasTakenIsGone() throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1, 2]), "b.log": Workplace.text([3])])
        try place.scratch.write(Workplace.text([4]), to: "logs/more")
        try place.rotate("cat a.log ../more >b.log; rm a.log")
        #expect(try place.run(range).stdout.contains("  shrunk           1  2026-11-19; some of their files are gone"))
        let reason = "X  shrunk: logs/2026-11-19/b.log is gone, logs/2026-11-19/b.log has changed"
        #expect(try place.state() == reason)
        #expect(try place.rows("SELECT events FROM days") == ["3"])
    }

    @Test func equalFilesAreCountedOneToOne() throws {
        let text = Workplace.text([1, 2])
        let place = try Workplace.loaded(["a.log": text, "b.log": text])
        let figures = try place.dump()
        try place.rotate("mv a.log c.log; mv b.log a.log; mv c.log b.log")
        try place.expectUpToDate(figures)
        try place.rotate("gzip -c a.log >c.gz; rm a.log")
        try place.expectUpToDate(figures)
        // Two are gone, and one is there.
        try place.rotate("rm b.log")
        #expect(try place.state() == "X  shrunk: logs/2026-11-19/b.log is gone")
    }

    @Test func aGoneFileIsGoneThoughAnotherHasItsContent() throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1]), "b.log": Workplace.text([1])])
        try place.rotate("rm a.log")
        #expect(try place.state() == "X  shrunk: logs/2026-11-19/a.log is gone")
        #expect(try place.run(range).exit == 0)
        #expect(try place.state() == "X  shrunk: logs/2026-11-19/a.log is gone")
    }

    @Test func aFileWithAnotherContentIsNewAndTheGoneOneIsGone() throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1, 2])])
        // Its trailer says that it is shorter.
        try place.scratch.write(GzipRecipe().member(Workplace.text([3])), to: "logs/\(date)/b.log.gz")
        try place.rotate("rm a.log")
        let reason = "X  shrunk: logs/2026-11-19/a.log is gone, logs/2026-11-19/b.log.gz is new"
        #expect(try place.state() == reason)
        // This one may be the same, and is not.
        try place.scratch.write(GzipRecipe().member(Workplace.text([3, 4])), to: "logs/\(date)/b.log.gz")
        place.settle()
        #expect(try place.state() == "C  not compared: logs/2026-11-19/b.log.gz")
        let outcome = try place.run(range)
        #expect(outcome.stdout.contains("  shrunk           1  2026-11-19; some of their files are gone"))
        #expect(try place.state() == reason)
    }

    @Test func aTruncatedFileThatIsCompleteLaterIsStale() throws {
        let lines = Workplace.text(Array(1...2000))
        let whole = GzipRecipe().member(lines)
        let place = try Workplace.loaded(["a.log.gz": Array(whole.prefix(whole.count / 2))], exit: 65)
        #expect(try place.state().hasPrefix("P  partial: "))
        try place.scratch.write(whole, to: "logs/\(date)/b.log.gz")
        try place.rotate("rm a.log.gz")
        let outcome = try place.run(range)
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("stale: logs/2026-11-19/b.log.gz has changed"), "\(outcome)")
        #expect(try place.rows("SELECT events FROM days") == ["2000"])
        #expect(try place.state() == "C")
    }

    @Test func aHeldBackDateStaysHeldBackThoughItsFilesAreRenamed() throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1, 2])])
        let figures = try place.dump()
        try place.scratch.write(Workplace.text([3]) + Bytes("junk\n"), to: "logs/\(date)/b.log")
        place.settle()
        #expect(try place.run(range).exit == 65)
        #expect(try place.state().hasPrefix("H  held back: "))
        try place.rotate("gzip a.log b.log")
        let outcome = try place.run(range)
        #expect(outcome.exit == 65)
        #expect(outcome.stderr.contains("nothing has changed since, so it was not read again"), "\(outcome)")
        #expect(try place.state().hasPrefix("H  held back: "))
        #expect(try place.dump() == figures)
        // A file of the partition that is really gone.
        try place.rotate("rm a.log.gz")
        #expect(try place.state().hasPrefix("X  held back: "))
    }

    @Test func aDamagedPartitionIsLoadedFromRenamedFiles() throws {
        let place = try Workplace.loaded(["a.log": Workplace.text([1, 2])])
        let figures = try place.dump(besides: ["files", "publication"])
        try place.rotate("gzip a.log")
        try execute("UPDATE daily SET events = 7", on: place.scratch.path("out/partitions/\(date).sqlite"))
        #expect(try place.run("backfill", "--last", "1").exit != 70)
        #expect(try place.state().hasPrefix("D  damaged: "))
        #expect(try place.run(range).exit == 0)
        #expect(try place.dump(besides: ["files", "publication"]) == figures)
    }

    // The last program with schema 3 made Tests/Fixtures/schema3 from the logs there.
    @Test func aPartitionOfSchema3KnowsItsFiles() throws {
        let fixtures = Workplace.packageFolder.appendingPathComponent("Tests/Fixtures/schema3")
        func fixture(_ name: String) throws -> Bytes {
            Bytes(try Data(contentsOf: fixtures.appendingPathComponent(name)))
        }
        let place = try Workplace.withHits([], pipeline: pipeline)
        for name in ["a.log", "b.log.gz"] { try place.scratch.write(fixture(name), to: "logs/\(date)/\(name)") }
        for (name, folder) in [("push.db", ""), ("\(date).sqlite", "partitions/")] {
            try place.scratch.write(Unpacked(fixture(name + ".gz")).text, to: "out/\(folder)\(name)")
        }
        place.settle()
        #expect(try place.state() == "C")
        #expect(try place.run(range).stdout.hasPrefix(upToDate))
        let figures = try place.dump(besides: ["about"])
        // The bytes of a file are known, and those of a plain file are its content.
        try place.rotate("gzip a.log; mv b.log.gz c.log.gz")
        #expect(try place.run(range).stdout.hasPrefix(upToDate))
        #expect(try place.state() == "C")
        #expect(try place.dump(besides: ["about"]) == figures)
        #expect(try place.rows("PRAGMA user_version", "out/partitions/\(date).sqlite") == ["3"])
        // What was in a gzip file is not known.
        try place.rotate("gzip -d c.log.gz")
        #expect(try place.run(range).exit == 0)
        #expect(
            try place.state() == "X  shrunk: logs/2026-11-19/b.log.gz is gone, logs/2026-11-19/c.log is new")
    }
}
