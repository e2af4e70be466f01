import Reference
import Support

/// A folder with the pipeline and the logs of a generated case.
extension ScratchFolder {
    func write(_ pipeline: Pipeline, writesDefaults: Bool = false) throws {
        try write(pipeline.yaml(output: "out", writesDefaults: writesDefaults), to: "push.yaml")
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
