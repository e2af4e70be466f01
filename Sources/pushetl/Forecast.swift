import LogFiles
import Pipelines
import Warehouse

/// What a backfill would do: a line a log date, and why.
struct Forecast {
    let dates: [(state: LogDateState, isWanted: Bool)]

    init(_ dates: [(state: LogDateState, isWanted: Bool)]) {
        self.dates = dates
    }

    var wanted: [LogDateState] { dates.filter(\.isWanted).map(\.state) }

    /// A dry run that finds files has done its work; folders that it could not search it tells of.
    var status: ExitStatus {
        if dates.contains(where: { $0.state.searchFailure != nil }) { return .failedIO }
        return dates.contains { $0.state.files > 0 } ? .done : .noInput
    }

    var text: String {
        var columns = Columns([.left, .left, .right, .right, .left])
        for (state, isWanted) in dates {
            let verb = isWanted ? "load" : state.files > 0 ? "leave" : "-"
            let hasFiles = state.files > 0
            columns.add([
                state.date.description, verb, hasFiles ? Text.plural(state.files, "file") : "",
                hasFiles ? Text.bytes(state.bytes) : "", Sentence.of(state),
            ])
        }
        let wanted = wanted
        let (files, bytes) = (wanted.reduce(0) { $0 + $1.files }, wanted.reduce(0) { $0 + $1.bytes })
        let total =
            wanted.isEmpty
            ? "nothing to load of \(Text.plural(dates.count, "log date"))"
            : "would load \(Text.number(wanted.count)) of \(Text.plural(dates.count, "log date")): "
                + "\(Text.plural(files, "file")), \(Text.bytes(bytes))"
        return (columns.lines + ["", total + "; nothing was written"]).joined(separator: "\n")
    }
}

/// The same as one JSON object.
struct ForecastSummary: Encodable {
    struct Date: Encodable {
        let load: Bool
        let state: StateSummary

        func encode(to encoder: any Encoder) throws {
            try state.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(load, forKey: .load)
        }

        private enum CodingKeys: CodingKey { case load }
    }

    let dryRun = true
    let dates: [Date]
    /// Of the log dates that would be loaded.
    let files: Int
    let bytes: Int
    let output: String
    let exitCode: Int32
    let version: String

    init(_ forecast: Forecast, output: OutputFolder) {
        dates = forecast.dates.map { Date(load: $0.isWanted, state: StateSummary($0.state)) }
        files = forecast.wanted.reduce(0) { $0 + $1.files }
        bytes = forecast.wanted.reduce(0) { $0 + $1.bytes }
        self.output = output.databasePath
        exitCode = forecast.status.rawValue
        version = programVersion
    }
}
