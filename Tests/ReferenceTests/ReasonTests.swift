import Foundation
import Reference
import Testing

/// The reference is written from "How it counts". Here it is held to the article's tables of reasons.
@Suite struct ReasonTests {
    /// The outcomes and reasons of the rows, such as `filtered not_tracking`.
    private static func documented() throws -> Set<String> {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = try String(
            contentsOf: package.appending(path: "Sources/pushetl/pushetl.docc/Counting.md"), encoding: .utf8)
        var reasons: Set<String> = []
        for line in article.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, ["filtered", "rejected"].contains(cells[0]) else { continue }
            for reason in cells[1].matches(of: /`(\w+)`/) { reasons.insert("\(cells[0]) \(reason.1)") }
        }
        return reasons
    }

    /// The outcomes and reasons that the reference gives to generated logs, until it has given those that are expected.
    private static func given(_ expected: Set<String>) -> Set<String> {
        var reasons: Set<String> = []
        for seed in 0..<100 as Range<UInt64> where !reasons.isSuperset(of: expected) {
            for step in GeneratedCase(seed: seed).steps {
                let partition = Partition(logDate: step.logDate, files: step.inputs, pipeline: step.pipeline)
                for outcome in partition.records.map(\.outcome) where outcome.kind != "accepted" {
                    reasons.insert("\(outcome.kind) \(outcome.reason)")
                }
            }
        }
        return reasons
    }

    @Test func theTablesHaveTheReasonsThatTheReferenceGivesAndNoOthers() throws {
        let documented = try Self.documented()
        let given = Self.given(documented)
        #expect(given.subtracting(documented) == [], "not in Counting.md")
        #expect(documented.subtracting(given) == [], "never given by the reference")
    }
}
