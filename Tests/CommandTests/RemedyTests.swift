import Foundation
import Support
import Testing

/// What a message, or `status`, names as a command works in the state in which it is named, and mends what it was named for.
@Suite(.needsPushetl)
struct RemedyTests {
    private static let second = "  - {name: second, format: mzip, files: 'second/%Y-%m-%d.log'}\n"

    /// A state, and whether `status --check` finds it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Makes the state of three loaded log dates. Returns what the last command has printed.
        let make: @Sendable (Workplace) throws -> Program.Outcome
    }

    private static let check = ["status", "--check", "--quiet", "--from", "2026-11-14", "--to", "2026-11-20"]
    private static let range = ["--from", "2026-11-17", "--to", "2026-11-19"]

    private static let cases = [
        Case(testDescription: "a source without files, held back") { place in
            try place.scratch.write(Workplace.onePipeline + second, to: "push.yaml")
            return try place.run("run", "--date", "2026-11-19", "--catch-up", "2")
        },
        Case(testDescription: "too many rejects") { place in
            for day in 18...19 { try place.scratch.write("junk\n", to: "logs/2026-11-\(day).log") }
            return try place.run(["backfill"] + range)
        },
        Case(testDescription: "a load that loses") { place in
            try place.scratch.write("", to: "logs/2026-11-18.log")
            return try place.run("run", "--date", "2026-11-18")
        },
        Case(testDescription: "a damaged partition") { place in
            try place.scratch.write("x", to: "out/partitions/2026-11-18.sqlite")
            return try place.run("run", "--date", "2026-11-19")
        },
        Case(testDescription: "a partition that is gone") { place in
            for day in 17...18 { try place.scratch.remove("out/partitions/2026-11-\(day).sqlite") }
            return try place.run("run", "--date", "2026-11-19")
        },
        Case(testDescription: "another pipeline") { place in
            let text = Workplace.onePipeline.replacing("collector\n", with: "collector\n    id_space: mail\n")
            try place.scratch.write(text, to: "push.yaml")
            return try place.run("run", "--date", "2026-11-19")
        },
        Case(testDescription: "files that are gone, and others") { place in
            try place.scratch.move("logs/2026-11-18.log", to: "logs/2026-11-18.old")
            try place.scratch.write(Workplace.onePipeline.replacing("%d.log", with: "%d*g"), to: "push.yaml")
            try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-18-b.log")
            return try place.run(check)
        },
        Case(testDescription: "a stale date") { place in
            try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-17.log")
            try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-18.log")
            return try place.run(check)
        },
        Case(testDescription: "dates that are not loaded") { place in
            for day in 14...16 {
                try place.scratch.write(Workplace.hit("h\(day),d,7") + "\n", to: "logs/2026-11-\(day).log")
            }
            return try place.run(check)
        },
        Case(testDescription: "a file that is cut") { place in
            let packed = try Tool.output(of: "gzip -nc logs/2026-11-19.log", in: place.scratch)
            try place.scratch.write(packed.prefix(packed.count / 2), to: "logs/2026-11-20.log")
            return try place.run("run", "--date", "2026-11-20")
        },
    ]

    @Test(arguments: cases)
    func whatIsNamedWorks(_ state: Case) throws {
        let place = try Workplace()
        for day in 17...19 {
            let lines = (0..<1100).map { Workplace.hit("h\(String($0 + 5000 * day, radix: 16)),d,7") + "\n" }
            try place.scratch.write(lines.joined(), to: "logs/2026-11-\(day).log")
        }
        try place.scratch.makeFolder("second")
        try place.scratch.write(Workplace.onePipeline, to: "push.yaml")
        #expect(try place.run(["backfill"] + RemedyTests.range).exit == 0)
        place.settle()
        let outcome = try state.make(place)
        var texts = [outcome.stderr, try place.run(RemedyTests.check).stderr]
        #expect(!RemedyTests.commands(texts[0]).isEmpty, "\(outcome.stderr)")
        for _ in 0..<3 {
            for command in Set(texts.flatMap(RemedyTests.commands)).sorted() {
                // Without --force, a command may say again what it has said.
                let done = try place.run(command.split(separator: " ").map(String.init))
                #expect([0, 65].contains(done.exit), "\(command): \(done.stderr)")
                if command.contains("--force") { #expect(done.exit == 0, "\(command): \(done.stderr)") }
            }
            texts = [try place.run(RemedyTests.check).stderr]
        }
        #expect(texts == [""])
    }

    private static func commands(_ text: String) -> [String] {
        text.matches(of: /'pushetl ([^']+)'/).map { String($0.1) }
    }
}
