import ArgumentParser
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Reports

struct ExportCommand: PushetlCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case csv, datasette, dbt, grafana, superset
    }

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the tables as CSV files, or what Datasette, dbt, Grafana or Superset needs to show push.db.",
        discussion: """
            csv: one file per table, or per table and month if it has days: DIR/daily_funnel/2026-11.csv. A file whose rows \
            did not change is left as it is, so that copying tools see what is new. Files of months that are gone are \
            removed. With --excel they open in Excel with a double click: with a byte order mark, and ids and names as \
            texts, so that Excel makes no number and no formula of them; where Excel expects semicolons, add --separator ';'. Without --tables, these are written: \(CSVExport.defaultTables.joined(separator: ", ")).

            datasette: DIR/metadata.json, with titles, descriptions, the usual questions as queries, and a dashboard.

            dbt: sources, models, and metrics of its semantic layer, for a copy of push.db in a warehouse; DIR is a folder \
            of the project's models.

            grafana: DIR/dashboards/push.json, with what Datasette gets, and DIR/provisioning, which tells Grafana of it and of push.db.

            superset: DIR/push-superset.zip, for 'superset import-dashboards', with the same.

              pushetl export csv --out exports
              pushetl export csv --tables daily_funnel --from 2026-10-01 --out exports
              pushetl export csv --excel --out for-excel
              pushetl export datasette --out datasette
              pushetl export dbt --out models/push
              pushetl export grafana --out grafana
              pushetl export superset --out superset
            """)

    @Argument(help: ArgumentHelp("csv, datasette, dbt, grafana or superset.", valueName: "format"))
    var format: Format

    @Option(
        help: ArgumentHelp("The folder to write to. Created if it does not exist.", valueName: "dir"),
        completion: .directory)
    var out: String

    @Option(
        help: ArgumentHelp(
            "csv: only these tables, separated by commas. (default: see above)", valueName: "tables"))
    var tables: String?

    @Option(date: "csv: from the month of this day on: YYYY-MM-DD, yesterday, today, or -N. (default: all months)")
    var from: DateArgument?

    @Option(date: "csv: up to the month of this day. (default: all months)")
    var to: DateArgument?

    @Flag(help: "csv: for a double click in Excel, with a byte order mark, and ids and names as texts.")
    var excel = false

    @Option(
        help: ArgumentHelp(
            "csv: with --excel, what stands between two values: ',', ';' or tab. (default: ,)", valueName: "separator"))
    var separator: String?

    @OptionGroup var patience: WaitOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    private var tableNames: [String] {
        guard let tables else { return CSVExport.defaultTables }
        return tables.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    func validate() throws {
        guard out != "" else { throw ValidationError("--out takes a folder, and was given an empty name.") }
        if format != .csv {
            let given = [
                ("--tables", tables != nil), ("--from", from != nil), ("--to", to != nil), ("--excel", excel),
                ("--separator", separator != nil),
            ]
            if let option = given.first(where: \.1)?.0 {
                throw ValidationError("\(option) is for csv; \(format.rawValue) shows all of push.db.")
            }
        }
        if let separator {
            guard excel else { throw ValidationError("--separator is for --excel; other programs expect commas.") }
            if CSVForm.Separator(text: separator) == nil {
                throw ValidationError("--separator takes ',', ';' or tab, not '\(separator.shown)'.")
            }
        }
        for name in tableNames where !CSVExport.tableNames.contains(name) {
            let lower = name.lowercased()
            let near =
                (CSVExport.tableNames.contains(lower) ? lower : name.nearest(of: CSVExport.tableNames))
                .map { "did you mean '\($0)'?" }
            throw ValidationError(
                "There is no table '\(name.shown)'; "
                    + (near ?? "the tables are \(CSVExport.tableNames.joined(separator: ", "))."))
        }
        guard from == nil && to == nil || tableNames.contains(where: CSVExport.hasDays) else {
            throw ValidationError(
                "--from and --to are for tables with days; \(tableNames.joined(separator: ", ")) "
                    + "\(tableNames.count == 1 ? "has" : "have") none.")
        }
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        // Only push.db is needed. The pipeline file only tells where it is.
        let pipeline = try options.readPipelineIfNeeded()
        output.paths = options.shownPaths(of: pipeline)
        let folder = try options.output(of: pipeline)
        let resources = RunResources(
            wait: patience.wait, progress: printing.progress(), stop: output.stopping.flag)
        let database = resources.database(of: folder)
        do {
            return try write(database, paths: output.paths)
        } catch is Stopped {
            throw Fault.exportStopped
        }
    }

    private func write(_ database: OutputDatabase, paths: ShownPaths) throws -> ExportResult {
        let place = URL(fileURLWithPath: out, isDirectory: true).standardizedFileURL.path
        guard let tool = ToolExport(rawValue: format.rawValue) else {
            let zone = try database.timeZone()
            let range = try DateRange(from: from, to: to, in: zone)
            let months = ExportMonths(
                first: range.from.map { String($0.description.prefix(7)) },
                last: range.to.map { String($0.description.prefix(7)) })
            let form = CSVForm.excel(separator.flatMap { CSVForm.Separator(text: $0) } ?? .comma)
            let export = CSVExport(tableNames, of: months, to: place, as: excel ? form : .plain)
            return ExportResult(format.rawValue, files: try export.write(database), paths: paths)
        }
        let files = try tool.write(database, to: place)
        let commands = commands(of: tool, at: place, database: database.path, paths: paths)
        return ExportResult(format.rawValue, files: files, paths: paths, commands: commands)
    }

    /// The commands that open the export in its tool.
    private func commands(of tool: ToolExport, at place: String, database: String, paths: ShownPaths) -> [String] {
        func quoted(_ path: String) -> String { Shell.argument(paths.opening(path)) }
        return switch tool {
        case .datasette:
            [
                "pip install datasette datasette-dashboards datasette-vega",
                "datasette serve \(quoted(database)) -m \(quoted("\(place)/metadata.json")) "
                    + "--setting sql_time_limit_ms 5000",
            ]
        case .dbt:
            [
                "dbt run --select source:push+",
                "mf query --metrics push_messages,push_opened_of_messages --group-by metric_time__week",
            ]
        case .grafana:
            [
                "grafana cli plugins install frser-sqlite-datasource",
                "cp -r \(quoted("\(place)/provisioning")) /etc/grafana",
                "systemctl restart grafana-server",
            ]
        case .superset:
            [
                "superset import-dashboards --path \(quoted(ToolExport.zipPath(place))) --username admin"
            ]
        }
    }
}
