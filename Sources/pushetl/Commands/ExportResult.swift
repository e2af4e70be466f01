import ArgumentParser
import Messages
import Reports

/// The files of an export, and how to open them.
struct ExportResult: CommandResult {
    /// `csv`, `datasette`, `dbt`, `grafana` or `superset`; `archive` of a report's.
    let format: String
    private(set) var files: [ExportedFile]
    /// Commands that open the export in its tool; empty for CSV.
    let commands: [String]

    init(_ format: String, files: [ExportedFile], paths: ShownPaths, commands: [String] = []) {
        self.format = format
        self.commands = commands
        self.files = files
        for index in files.indices { self.files[index].path = paths.opening(files[index].path) }
    }

    var layout: ResultLayout { .lines }

    var text: String {
        var parts: [String] = []
        for state in [ExportedFile.State.written, .unchanged, .removed] {
            let count = files.count { $0.state == state }
            if count > 0 || state == .written { parts.append("\(Text.plural(count, of: "file")) \(state.rawValue)") }
        }
        let rows = files.compactMap(\.rows).reduce(0, +)
        let line = parts.joined(separator: ", ") + (format == "csv" ? "; \(Text.plural(rows, of: "row"))" : "")
        return ([line] + (commands.isEmpty ? [] : [""] + commands.map { "  \($0)" })).joined(separator: "\n")
    }
}
