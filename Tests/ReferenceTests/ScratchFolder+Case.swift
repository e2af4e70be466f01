import Reference
import SQLite
import Support

/// A folder with the pipeline and the logs of a generated case.
extension ScratchFolder {
    func write(_ pipeline: Pipeline, writesDefaults: Bool = false) throws {
        try write(pipeline.yaml(output: "out", writesDefaults: writesDefaults), to: "push.yaml")
    }

    /// Writes the files of a step, and removes those that its log date had before.
    func write(_ step: GeneratedCase.Step, inPlaceOf written: inout [Day: [String]]) throws {
        for path in written[step.logDate] ?? [] where exists(path) { try remove(path) }
        written[step.logDate] = step.inputs.map(\.path) + step.decoys
        for input in step.inputs { try write(input.bytes, to: input.path) }
        for decoy in step.decoys { try write("no log", to: decoy) }
        if exists("deliveries") { try remove("deliveries") }
        for file in step.deliveryFiles { try write(file.bytes, to: file.path) }
        try write(step.pipeline, writesDefaults: step.writesDefaults)
    }

    /// `run --date` with the options that every run has.
    func load(
        _ program: Program, _ date: Day, output: String? = nil, _ more: [String] = []
    ) throws -> Program.Outcome {
        try run(program, ["run", "--date", "\(date)"], output, more)
    }

    /// `backfill` with the options that every run has.
    func backfill(
        _ program: Program, _ from: Day, _ to: Day, output: String, _ more: [String] = []
    ) throws -> Program.Outcome {
        try run(program, ["backfill", "--from", "\(from)", "--to", "\(to)"], output, more)
    }

    private func run(
        _ program: Program, _ command: [String], _ output: String?, _ more: [String]
    ) throws -> Program.Outcome {
        var options = ["--pipeline", "push.yaml", "--no-progress"]
        if let output { options += ["--output", output] }
        return try program.run(command + options + more, in: url)
    }
}

extension Program.Outcome {
    /// The exit code and the first lines of stderr.
    var summary: String {
        "exit code \(exit)\n" + stderr.split(separator: "\n").prefix(6).joined(separator: "\n")
    }
}

extension ScratchFolder {
    /// Tables of a database, with the columns of the expected ones.
    func tables(_ path: String, like expected: [OutputTable]) throws -> [OutputTable] {
        let database = try Database(self.path(path), isReadOnly: true)
        return try expected.map { table in
            OutputTable(table.name, table.columns, try rows(database, table.name, table.columns))
        }
    }

    /// All tables of the output DB but those of the history, and without the warnings, which are history too. None if there is
    /// no such file, since every log date was held back.
    func dump(_ path: String) throws -> [OutputTable] {
        if !exists(path) { return [] }
        let database = try Database(self.path(path), isReadOnly: true)
        return try PushSnapshot.figures.map { name in
            var columns: [String] = try database.column("SELECT name FROM pragma_table_info(?)", binding: .of(name))
            columns.removeAll { name == "partitions" && $0 == "warnings" }
            return OutputTable(name, columns, try rows(database, name, columns))
        }
    }

    private func rows(_ database: Database, _ table: String, _ columns: [String]) throws -> [OutputRow] {
        // The numbers of `changes` are times: here they count.
        let terms = columns.map { column in
            table == "changes" && column == "number" ? "dense_rank() OVER (ORDER BY number)" : "\"\(column)\""
        }
        let sql =
            "SELECT \(terms.joined(separator: ", ")) FROM \"\(table)\""
            // These rows are about the program, the text of the pipeline file, and the history.
            + (table == "about" ? " WHERE key NOT IN ('pipeline', 'version', 'history_since')" : "")
        return try database.rows(sql) { row in
            row.values.map { value in
                switch value {
                case .null: .null
                case .int64(let number): .integer(Int(number))
                case .double(let number): .real(number)
                case .string(let text): .text(text)
                case .blob(let bytes): .text("a blob: \(bytes)")
                }
            }
        }
    }
}

/// The first rows in which tables differ. Nil if they are equal.
func difference(_ found: [OutputTable], _ expected: [OutputTable]) -> String? {
    if found.count != expected.count { return "\(found.count) tables instead of \(expected.count)" }
    for (found, expected) in zip(found, expected) where found != expected {
        var lines = ["table \(expected.name) (\(expected.columns.joined(separator: ", ")))"]
        let missing = rest(of: expected.rows, without: found.rows)
        let surplus = rest(of: found.rows, without: expected.rows)
        lines += missing.prefix(4).map { "  expected \($0)" } + surplus.prefix(4).map { "  found    \($0)" }
        if missing.count > 4 || surplus.count > 4 {
            lines.append("  … \(missing.count) missing, \(surplus.count) surplus")
        }
        return lines.joined(separator: "\n")
    }
    return nil
}

/// The rows that are left of some if each of the others takes one away. There may be thousands.
private func rest(of rows: [OutputRow], without others: [OutputRow]) -> [OutputRow] {
    var counts: [OutputRow: Int] = [:]
    for row in others { counts[row, default: 0] += 1 }
    return rows.filter { row in
        guard let count = counts[row], count > 0 else { return true }
        counts[row] = count - 1
        return false
    }
}
