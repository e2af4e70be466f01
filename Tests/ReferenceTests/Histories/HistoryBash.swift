import Foundation
import Support

/// Runs the steps of a history one by one in a fresh folder, and remembers them.
final class HistoryBash {
    let folder: ScratchFolder
    private let timeout = Program(executable: URL(fileURLWithPath: "/usr/bin/timeout"))
    private let environment: [String: String]
    private var commands: [(shell: String, exit: Int32)] = []

    init(_ program: Program) throws {
        folder = try ScratchFolder()
        environment = [
            "PUSHETL": program.executable.path, "CLOCK_LIBRARY": Program.clock?.path ?? "", "LC_ALL": "C.UTF-8",
        ]
    }

    func run(_ command: String) throws -> Program.Outcome {
        let outcome = try timeout.run(
            ["-k", "1", "120", "/bin/bash", "-c", HistoryShell.functions + "\n" + command], in: folder.url,
            environment: environment)
        commands.append((command, outcome.exit))
        return outcome
    }

    /// What was run, to paste into a bash.
    var script: String {
        let lines = commands.map { command, exit in
            exit == 0 ? command : "\(command)  # exit code \(exit)"
        }
        let functions = HistoryShell.functions(for: lines.joined(separator: "\n"))
        let start = ["cd \"$(mktemp -d)\"; PUSHETL=$(type -P pushetl)", "CLOCK_LIBRARY=\(Program.clock?.path ?? "")"]
        return (start + [functions] + lines).joined(separator: "\n")
    }
}
