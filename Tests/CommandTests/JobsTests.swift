import Foundation
import Reference
import Support
import Testing

/// A file so large that a second thread helps to read it.
private let log = Result {
    let place = try Workplace.withLoggen("--seed 5 --records 24000 --from 2026-11-19 --preset hard --files 1")
    return try place.scratch.bytes("collector/2026-11-19/host1.log.gz")
}

@Suite(.needsPushetl, .needsLoggen)
struct JobsTests {
    private static let kinds: [(kind: String, exit: Int32)] = [
        ("whole", 0), ("damaged", 65), ("two members", 0), ("truncated", 65), ("plain", 0),
    ]

    @Test(arguments: kinds.prefix(Long.isOn ? 5 : 2))
    func oneFileGivesTheSameFiguresWithAnyNumberOfThreads(kind: String, exit: Int32) throws {
        let log = try log.get()
        let place = try Workplace.withHits([])
        let file: [UInt8] =
            switch kind {
            case "two members": log + log
            case "damaged": log + log.dropLast(5) + [0, 0, 0, 0, 0]
            case "truncated": log.dropLast(100_000)
            case "plain": Unpacked(log).text
            default: log
            }
        try place.scratch.write(file, to: "logs/2026-11-19.log")
        var results: Set<[String]> = []
        for jobs in kind == "whole" ? [1, 2, 4] : [1, 2] {
            let output = "out\(jobs)"
            let outcome = try place.run(
                "run", "--date", "2026-11-19", "--jobs", "\(jobs)", "--output", output, "--json")
            #expect(outcome.exit == exit, "\(outcome.stderr)")
            let told = outcome.stderr.replacing(output, with: "out")
            results.insert(
                try place.dump("\(output)/push.db") + place.dump("\(output)/partitions/2026-11-19.sqlite") + [told])
        }
        #expect(results.count == 1)
        let records = try place.rows("SELECT records FROM partitions", "out1/push.db").compactMap { Int($0) }.reduce(
            0, +)
        #expect(records > 20_000)
        // Every record counts once, also in a file that is read again up to its damaged member.
        if kind != "truncated" { #expect(records % 24_000 == 0, "\(records)") }
    }
}
