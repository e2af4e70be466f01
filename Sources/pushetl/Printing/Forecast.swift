import Messages
import Output
import Partitions
import Pipelines

/// What a backfill would do: a line for each log date, with the reason.
struct Forecast: CommandResult {
    struct Date: Encodable {
        let load: Bool
        let state: LogDateState

        func encode(to encoder: any Encoder) throws {
            try state.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(load, forKey: .load)
        }

        private enum CodingKeys: CodingKey { case load }
    }

    let dryRun = true
    let logDates: [Date]
    /// Of the log dates that would be loaded.
    let files: Int
    let bytes: Int
    let output: String
    /// What the next publishing would do about old log dates; absent without `retention`.
    let retention: ClosingResult?
    let version: String
    let text: String
    let status: ExitStatus

    private enum CodingKeys: CodingKey {
        case dryRun, logDates, files, bytes, output, retention, version
    }

    init(
        _ dates: [(state: LogDateState, isWanted: Bool)], closing: ClosingResult?, output: OutputFolder,
        _ paths: ShownPaths
    ) {
        let wanted = dates.filter(\.isWanted).map(\.state)
        logDates = dates.map { Date(load: $0.isWanted, state: $0.state) }
        files = wanted.reduce(0) { $0 + $1.files }
        bytes = wanted.reduce(0) { $0 + $1.bytes }
        self.output = paths.opening(output.databasePath)
        version = programVersion
        // A dry run that finds files is done, whatever their state. A folder that could not be searched is an error.
        status =
            dates.contains { $0.state.searchFailure != nil }
            ? .failedIO : dates.contains { $0.state.files > 0 } ? .done : .noInput
        retention = closing
        text = Forecast.table(dates, wanted: wanted, closing, paths)
    }

    private static func table(
        _ dates: [(state: LogDateState, isWanted: Bool)], wanted: [LogDateState], _ closing: ClosingResult?,
        _ paths: ShownPaths
    ) -> String {
        var columns = Columns([.left, .left, .right, .right, .left])
        for (state, isWanted) in dates {
            let verb = isWanted ? "load" : state.files > 0 ? "leave" : "-"
            let hasFiles = state.files > 0
            columns.add([
                state.date.description, verb, hasFiles ? Text.plural(state.files, "file") : "",
                hasFiles ? Text.bytes(state.bytes) : "", state.text.shown(paths),
            ])
        }
        let (files, bytes) = (wanted.reduce(0) { $0 + $1.files }, wanted.reduce(0) { $0 + $1.bytes })
        let total =
            wanted.isEmpty
            ? "nothing to load of \(Text.plural(dates.count, "log date"))"
            : "would load \(Text.number(wanted.count)) of \(Text.plural(dates.count, "log date")): "
                + "\(Text.plural(files, "file")), \(Text.bytes(bytes))"
        let closes = closing?.lines ?? []
        let next = closes.isEmpty ? [] : ["", "the next publishing would do this about old log dates:"] + closes
        return (columns.lines + next + ["", total + "; nothing was written"]).joined(separator: "\n")
    }
}
