import Foundation
import Reference
import Support
import Testing

/// One file, so large that a second thread helps with it.
private let log: [UInt8]? = {
    guard let folder = try? ScratchFolder(), let loggen = Program.named("loggen") else { return nil }
    let arguments = "--seed 5 --records 24000 --from 2026-11-19 --preset hard --files 1 --out ."
    guard let outcome = try? loggen.run(arguments.split(separator: " ").map(String.init), in: folder.url),
        outcome.exit == 0
    else { return nil }
    return try? [UInt8](Data(contentsOf: folder.url.appendingPathComponent("collector/2026-11-19/host1.log.gz")))
}()

@Test(
    arguments: [
        ("whole", 0), ("two members", 0), ("damaged", 65), ("truncated", 65), ("plain", 0),
    ] as [(String, Int32)])
func aSingleFileComesToTheSameWithAnyNumberOfThreads(_ kind: String, exit: Int32) throws {
    let log = try #require(log, "loggen is not built beside the tests")
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
        let outcome = try place.run("run", "--date", "2026-11-19", "--jobs", "\(jobs)", "--output", output, "--json")
        #expect(outcome.exit == exit, "\(outcome.stderr)")
        results.insert(
            try dump(place.scratch.path("\(output)/push.db"))
                + dump(place.scratch.path("\(output)/partitions/2026-11-19.sqlite")) + [outcome.stderr])
    }
    #expect(results.count == 1)
    let records = try place.rows("SELECT records FROM partitions", "out1/push.db").compactMap { Int($0) }.reduce(0, +)
    #expect(records > 20_000)
    // Each record once, also of a file that is read again up to its damaged member.
    if kind != "truncated" { #expect(records % 24_000 == 0, "\(records)") }
}
