import Foundation
import Reference
import Testing

/// The program and the reference on generated small inputs. `PUSHETL_SEEDS=5000` for a long run.
@Suite(.enabled(if: Program.built != nil, "the program pushetl is not built beside the tests"))
struct DifferentialTests {
    @Test func `the program says what the reference says`() throws {
        let program = try #require(Program.built)
        let faults = Seeds.faults(Seeds.range(usual: 150)) { seed in
            let folder = CaseFolder()
            guard let fault = firstFault(GeneratedCase(seed: seed).steps, program, folder) else {
                folder.remove()
                return nil
            }
            return "\(fault)\nin \(folder.url.path)"
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
    }

    private let hit = "1.2.3.4 - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=h5,a,7 HTTP/1.1\" 200 43"

    /// One file at the limits of what is read.
    private func expectSame(_ format: Pipeline.Format, _ text: Bytes) throws {
        let program = try #require(Program.built)
        var pipeline = Pipeline()
        pipeline.rejectRatio = "1"
        pipeline.sources = [Pipeline.Source(name: "a", format: format, files: "logs/*")]
        pipeline.sources[0].actions["push_open"] = format == .usersTrack ? "open" : nil
        let input = InputFile(source: "a", path: "logs/a.gz", bytes: GzipRecipe().member(text))
        let step = GeneratedCase.Step(
            logDate: Day(number: 20_776), pipeline: pipeline, writesDefaults: true, force: false, inputs: [input],
            decoys: [])
        let folder = CaseFolder()
        defer { folder.remove() }
        #expect(firstFault([step], program, folder) == nil)
    }

    @Test func `a line may have 1 MiB`() throws {
        for (length, end) in [
            (longestLine, "\n"), (longestLine, "\r\n"), (longestLine + 1, "\n"), (longestLine + 1, ""),
        ] {
            let line = Bytes(hit + " \"-\" \"")
            let long = line + Bytes(repeating: UInt8(ascii: "x"), count: length - line.count - 1) + Bytes("\"")
            try expectSame(.collector, Bytes(hit + "\n") + long + Bytes(end) + Bytes(end.isEmpty ? "" : hit))
        }
    }

    @Test func `a body may have 8 MiB`() throws {
        let begin = Bytes(
            "{\"events\":[{\"name\":\"push_open\",\"time\":\"2026-11-19T10:00:00Z\",\"properties\":"
                + "{\"broadlogId\":\"h5\",\"deliveryId\":9}}]")
        for length in [longestBody, longestBody + 1] {
            let body = begin + Bytes(repeating: 0x20, count: length - begin.count - 1) + Bytes("}")
            try expectSame(.usersTrack, Bytes("\n") + body + begin + Bytes("}\n") + begin + Bytes("}\n"))
        }
    }

    /// Both members of the file are read again where the first object has no end; in the second the file is damaged.
    @Test func `an object without an end loses nothing behind its first line, however long it is`() throws {
        let body =
            "{\"events\":[{\"name\":\"push_open\",\"properties\":{\"broadlogId\":\"h5\",\"deliveryId\":9}}],\"x\":\""
        let long = Bytes(body) + Bytes(repeating: UInt8(ascii: "x"), count: longestBody / 2) + Bytes("\"},\n")
        let open = Bytes("{\"events\":[\n")
        try expectSame(.usersTrack, open + long + long + long)
        try expectSame(.usersTrack, long + open + long + long + Bytes("x\n") + open + long + long + long)
    }

    @Test func `a thousand rejects a reason and file are kept`() throws {
        let lines = [String](repeating: "x", count: 1002) + [hit] + [String](repeating: hit + " 1", count: 1001)
        try expectSame(.collector, Bytes(lines.joined(separator: "\n")))
        try expectSame(.mzip, Bytes([String](repeating: "mzip=x\na=b", count: 1001).joined(separator: "\n")))
    }

    /// Loads step by step, and compares the exit code, the output DB and the partition after each.
    private func firstFault(_ steps: [GeneratedCase.Step], _ program: Program, _ folder: CaseFolder) -> String? {
        var warehouse = ReferenceWarehouse()
        var written: [Day: [String]] = [:]
        for (index, step) in steps.enumerated() {
            let place = "step \(index), run --date \(step.logDate)"
            for path in written[step.logDate] ?? [] { folder.remove(path) }
            written[step.logDate] = step.inputs.map(\.path) + step.decoys
            for input in step.inputs { folder.write(input.bytes, to: input.path) }
            for decoy in step.decoys { folder.write(Bytes("no log"), to: decoy) }
            folder.write(step.pipeline, writesDefaults: step.writesDefaults)

            let expected = warehouse.load(
                step.logDate, files: step.inputs, pipeline: step.pipeline, force: step.force)
            let code = folder.load(program, step.logDate, step.force ? ["--force"] : [])
            if code != expected.exitCode {
                let partition = Partition(logDate: step.logDate, files: step.inputs, pipeline: step.pipeline)
                return "\(place): exit code \(code), expected \(expected.exitCode)\n\(folder.messages)\n"
                    + "expected rejects: \(partition.rejects.rows)"
            }
            if warehouse.partitions.isEmpty { continue }
            // Whether a run that loads nothing publishes under a changed pipeline is left open.
            if expected.verdict != .loaded, warehouse.pipeline != step.pipeline { continue }
            do {
                let file = "out/partitions/\(step.logDate).sqlite"
                let partition = warehouse.partitions[step.logDate]
                // The rejects first: they say which line it was.
                if let rejects = partition?.rejects {
                    let found = try folder.tables(file, like: [rejects])
                    if let fault = difference(found, [rejects]) {
                        return "\(place): \(fault)\n\(lines(found[0], rejects, step.inputs))"
                    }
                }
                let tables = try folder.tables("out/push.db", like: warehouse.tables)
                if let fault = difference(tables, warehouse.tables) { return "\(place): \(fault)" }
                if let daily = partition?.dailyActions {
                    let found = try folder.tables(file, like: [daily])
                    if let fault = difference(found, [daily]) { return "\(place): partition: \(fault)" }
                }
            } catch {
                return "\(place): \(error)\n\(folder.messages)"
            }
        }
        return nil
    }

    /// The lines, unescaped bytes and all, of the first rejects that only one side has.
    private func lines(_ found: OutputTable, _ expected: OutputTable, _ inputs: [InputFile]) -> String {
        let surplus = found.rows.filter { !expected.rows.contains($0) }
        let missing = expected.rows.filter { !found.rows.contains($0) }
        return (missing + surplus).prefix(3).compactMap { row -> String? in
            guard case .text(let path) = row[1], case .integer(let number) = row[2],
                let input = inputs.first(where: { Bytes($0.path) == path })
            else { return nil }
            let line = Unpacked(input.bytes).body.pieces("\n").dropFirst(number - 1).first ?? []
            let text = line.prefix(600)
            return "  line \(number): \(Bytes(text).text.debugDescription)"
        }.joined(separator: "\n")
    }
}
