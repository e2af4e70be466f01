import Reports

/// The files of an export, and how to open them.
struct ExportResult: CommandResult {
    struct File: Encodable {
        let path: String
        let table: String?
        let month: String?
        let rows: Int?
        /// `written`, `unchanged` or `removed`.
        let state: String
    }

    /// `csv`, `datasette` or `superset`.
    let format: String
    let files: [File]
    /// Commands that open the export in its tool; empty for CSV.
    let commands: [String]

    init(_ format: String, _ files: [ExportedFile], _ sentence: Sentence, commands: [String] = []) {
        self.format = format
        self.commands = commands
        self.files = files.map { file in
            File(
                path: sentence.paths.opening(file.path), table: file.table, month: file.month, rows: file.rows,
                state: file.state.rawValue)
        }
    }

    var text: String {
        var parts: [String] = []
        for state in [ExportedFile.State.written, .unchanged, .removed] {
            let count = files.count { $0.state == state.rawValue }
            if count > 0 || state == .written { parts.append("\(Text.plural(count, "file")) \(state.rawValue)") }
        }
        let rows = files.compactMap(\.rows).reduce(0, +)
        let line = parts.joined(separator: ", ") + (format == "csv" ? "; \(Text.plural(rows, "row"))" : "")
        return ([line] + (commands.isEmpty ? [] : [""] + commands.map { "  \($0)" })).joined(separator: "\n")
    }
}
