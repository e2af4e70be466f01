import Foundation
import Reference
import Support
import Testing

/// What `preview` shows is what `run` loads.
@Suite(.needsPushetl)
struct PreviewTests {
    @Test func theRowsOfPreviewAreTheRecordsOfRun() throws {
        try Seeds(8).expectSame { seed, program, folder in
            let step = GeneratedCase(seed: seed).steps[0]
            for input in step.inputs { try folder.write(input.bytes, to: input.path) }
            try folder.write(step.pipeline, writesDefaults: step.writesDefaults)
            let loaded = try folder.load(program, step.logDate, ["--force"])
            let previewed = try program.run(
                ["preview", "--pipeline", "push.yaml", "--date", "\(step.logDate)", "--limit", "100000", "--json"],
                in: folder.url)
            guard folder.exists("out/partitions/\(step.logDate).sqlite") else { return .skipped("nothing loaded") }
            let tables = try folder.tables(
                "out/push.db",
                like: [OutputTable("outcomes", ["source", "outcome", "reason", "records"], [])])
            let rejects = try folder.tables(
                "out/partitions/\(step.logDate).sqlite",
                like: [OutputTable("rejects", ["path", "line", "reason", "detail"], [])])
            guard loaded.exit == 0 || previewed.exit == 0 else { return .skipped("neither could read all") }
            let preview = try Sums(previewed.stdout)
            let expected = Set(tables[0].rows.map { $0.map(\.plain).joined(separator: " ") })
            if preview.outcomes != expected {
                return .different(
                    "outcomes: run \(expected.subtracting(preview.outcomes)), preview "
                        + "\(preview.outcomes.subtracting(expected))")
            }
            let kept = rejects[0].rows.map { $0.map(\.plain).joined(separator: " ") }.sorted()
            return kept == preview.rejects
                ? .same() : .different("rejects: run \(kept.prefix(4)), preview \(preview.rejects.prefix(4))")
        }
    }
}

/// The figures of a preview in the words of the output DB.
private struct Sums {
    /// `adobe rejected malformed_line 2`
    var outcomes: Set<String> = []
    /// `logs/a.gz 7 malformed_line combined: …`, sorted.
    var rejects: [String] = []

    init(_ json: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        var sums: [String: Int] = [:]
        for file in value?["files"] as? [[String: Any]] ?? [] {
            let source = file["source"] as? String ?? ""
            for count in file["outcomes"] as? [[String: Any]] ?? [] {
                let key = "\(source) \(count["outcome"] ?? "") \(count["reason"] ?? "")"
                sums[key, default: 0] += count["records"] as? Int ?? 0
            }
            for row in file["rows"] as? [[String: Any]] ?? [] where row["outcome"] as? String == "rejected" {
                rejects.append(
                    "\(file["path"] ?? "") \(row["line"] ?? "") \(row["reason"] ?? "") \(row["detail"] ?? "")")
            }
        }
        outcomes = Set(sums.map { "\($0) \($1)" })
        rejects.sort()
    }
}
