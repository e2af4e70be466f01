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
