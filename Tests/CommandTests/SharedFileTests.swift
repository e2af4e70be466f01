import Foundation
import Support
import Testing

/// Several commands that write the same files at once.
@Suite(.needsPushetl)
struct SharedFileTests {
    private static let commands = 8

    private let place: Workplace

    init() throws {
        let hits = (1...300).map { Workplace.hit("h\($0),d\($0),7") }
        place = try Workplace.withHits(hits)
        try place.scratch.write(
            Workplace.hit("h9,d9,7").replacing("19/Nov", with: "02/Dec") + "\n", to: "logs/2026-12-02.log")
        for date in ["2026-11-19", "2026-12-02"] { #expect(try place.run("run", "--date", date).exit == 0) }
    }

    private func start(_ arguments: [String]) throws -> RunningProgram {
        try place.program.start(
            arguments, in: place.scratch.url, environment: ["PUSHETL_PIPELINE": "push.yaml"])
    }

    private static let writing = [
        ["export", "csv", "--out", "x"], ["export", "datasette", "--out", "x"], ["export", "superset", "--out", "x"],
        ["report", "--out", "x/r.html"], ["guess", "logs/2026-11-19.log", "--out", "x/p.yaml", "--force"],
        ["run", "--date", "2026-11-19", "--metrics", "x/m.prom", "--wait", "60"],
    ]

    @Test(arguments: writing)
    func eachOfSeveralAtOnceEndsAsIfItWereAlone(_ arguments: [String]) throws {
        try place.scratch.makeFolder("x")
        let alone = try place.run(arguments)
        let expected = place.scratch.contentsOfAll("x")
        #expect(alone.exit == 0)
        try place.scratch.remove("x")
        try place.scratch.makeFolder("x")
        let outcomes = try (0..<Self.commands).map { _ in try start(arguments) }.map { try $0.wait() }
        // Only one may write the output, whatever files it makes.
        let isRun = arguments[0] == "run"
        let sentence = "another command is writing there"
        #expect(
            outcomes.allSatisfy { $0.exit == (isRun && $0.stderr.contains(sentence) ? 75 : 0) },
            "\(outcomes.map(\.stderr))")
        #expect(isRun || outcomes.allSatisfy { $0.stderr == alone.stderr })
        #expect(place.scratch.contentsOfAll("x").keys == expected.keys)
        if !isRun { #expect(place.scratch.contentsOfAll("x") == expected) }
    }

    @Test(arguments: writing.dropLast())
    func afterKillsFilesAreWholeAndNothingElseIsLeft(_ arguments: [String]) throws {
        try place.scratch.makeFolder("x")
        #expect(try place.run(arguments).exit == 0)
        let expected = place.scratch.contentsOfAll("x")
        try place.scratch.remove("x")
        try place.scratch.makeFolder("x")
        for delay in 0..<UInt32(Self.commands) {
            let running = try (0..<3).map { _ in try start(arguments) }
            usleep(10_000 * delay)
            for program in running { program.send(SIGKILL) }
            for program in running { _ = try program.wait() }
            for (name, bytes) in place.scratch.contentsOfAll("x") where !name.hasSuffix(".tmp") && expected[name] != nil
            {
                #expect(bytes == expected[name] ?? Data())
            }
        }
        #expect(try place.run(arguments).exit == 0)
        #expect(place.scratch.contentsOfAll("x") == expected)
    }

    @Test func theFileOfALivingProcessStaysAndThatOfAKilledOneIsRemoved() throws {
        try place.scratch.write("half", to: ".r.html.pushetl-1.tmp")
        try place.scratch.write("half", to: ".r.html.pushetl-2.tmp")
        try place.scratch.write("mine", to: ".r.html.tmp")
        try place.scratch.write("mine", to: ".other.html.pushetl-3.tmp")
        let living = open(place.scratch.path(".r.html.pushetl-2.tmp"), O_RDWR)
        defer { close(living) }
        try #require(flock(living, LOCK_EX | LOCK_NB) == 0)
        #expect(try place.run("report", "--out", "r.html").exit == 0)
        #expect(
            try place.scratch.names("").filter { $0.hasSuffix(".tmp") } == [
                ".other.html.pushetl-3.tmp", ".r.html.pushetl-2.tmp", ".r.html.tmp",
            ])
    }

    @Test func exportsOfOtherMonthsIntoOneFolderDoNoHarm() throws {
        let november = ["export", "csv", "--to", "2026-11-01", "--out", "x"]
        let december = ["export", "csv", "--from", "2026-12-01", "--out", "x"]
        #expect(try place.run("export", "csv", "--out", "x").exit == 0)
        let expected = place.scratch.contentsOfAll("x")
        try place.scratch.remove("x")
        let outcomes = try (0..<4).flatMap { _ in [try start(november), try start(december)] }.map { try $0.wait() }
        #expect(outcomes.allSatisfy { $0.exit == 0 }, "\(outcomes.map(\.stderr))")
        #expect(place.scratch.contentsOfAll("x") == expected)
    }

    @Test func aLinkThatLeadsNowhereIsFollowed() throws {
        try place.scratch.makeFolder("www")
        try place.scratch.makeLink("link.html", to: "www/r.html")
        #expect(try place.run("report", "--out", "link.html").exit == 0)
        #expect(try place.run("report", "--out", "r.html").exit == 0)
        #expect(place.bytes("www/r.html") == place.bytes("r.html"))
        let link = place.scratch.path("link.html")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "www/r.html")
        try place.scratch.makeLink("round", to: "round")
        let round = try place.run("report", "--out", "round")
        #expect(round.exit == 74)
        #expect(round.stderr == "error: round: cannot be written: too many levels of symbolic links\n")
    }

    @Test func aDescriptorIsWrittenToAndNotReplaced() throws {
        #expect(try place.run("report", "--out", "r.html", "--quiet").exit == 0)
        let program = place.program.executable.path
        let command = "PUSHETL_PIPELINE=push.yaml '\(program)' report --quiet --out /dev/stdout"
        try place.scratch.write("before\n", to: "all")
        _ = try Tool.output(of: "(\(command) >>all)", in: place.scratch)
        #expect(place.bytes("all") == Data("before\n".utf8) + (place.bytes("r.html") ?? Data()))
        #expect(try Tool.output(of: "\(command) | cat", in: place.scratch) == [UInt8](place.bytes("r.html") ?? Data()))
    }

    @Test(arguments: [
        (["report", "--out", "none/r.html"], "none/r.html: cannot be written: no such file or directory"),
        (["report", "--out", "logs"], "logs: cannot be written: is a directory"),
        (
            ["guess", "logs/2026-11-19.log", "--out", "none/p.yaml"],
            "none/p.yaml: cannot be written: no such file or directory"
        ),
        (["guess", "logs/2026-11-19.log", "--force", "--out", "logs"], "logs: cannot be written: is a directory"),
        (
            ["export", "csv", "--out", "push.yaml"],
            "push.yaml: is not a folder; nothing was written; give another --out"
        ),
    ])
    func anOutThatCannotBeWrittenIsSaid(_ arguments: [String], _ sentence: String) throws {
        let outcome = try place.run(arguments)
        #expect(outcome.exit == 74)
        #expect(outcome.stderr == "error: \(sentence)\n")
        #expect(!place.scratch.exists("none"))
    }
}
