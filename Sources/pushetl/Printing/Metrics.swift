import Foundation
import Output
import Partitions
import Pipelines
import Posix

/// The metrics of a command that has ended, in the text format of Prometheus. What cannot be known now is taken from
/// the former file.
///
///     # HELP pushetl_exit_code The exit code of the last command.
///     # TYPE pushetl_exit_code gauge
///     pushetl_exit_code 0
struct Metrics {
    let exitCode: Int32
    /// The duration of the command, in seconds.
    let seconds: Double
    /// The time at which the command ended.
    let finished: Date
    /// Nil if the pipeline file, which names it, cannot be read.
    let output: OutputFolder?

    /// The text of the metrics file. `former` provides the values that are not known now.
    func text(after former: FormerMetrics) -> String {
        (aboutTheCommand(after: former) + aboutTheOutput).map { metric in
            let lines = metric.samples?.map { "\(metric.name)\($0)" } ?? former.samples(of: metric.name)
            guard !lines.isEmpty else { return "" }
            let head = ["# HELP \(metric.name) \(metric.help)", "# TYPE \(metric.name) gauge"]
            return (head + lines).map { $0 + "\n" }.joined()
        }.joined()
    }

    private func aboutTheCommand(after former: FormerMetrics) -> [Metric] {
        let now = finished.timeIntervalSince1970
        // The former file may be of another command, and older than the history. The history lacks commands that
        // changed nothing. The later of the two counts. An unreadable push.db tells nothing.
        let success = "last_success_timestamp_seconds"
        let inHistory = database.flatMap { (try? $0.lastSuccess()) ?? nil }
        let known = [former.value(of: success), inHistory.map { Double($0) }].compactMap(\.self).max()
        func text(_ time: Double) -> String { String(format: "%.3f", time) }
        return [
            Metric(
                "last_run_timestamp_seconds", help: "When the last command ended, in seconds since 1970.",
                value: text(now)),
            Metric(
                success, help: "When the last command with exit code 0 ended, in seconds since 1970.",
                value: (exitCode == 0 ? now : known).map(text)),
            Metric("exit_code", help: "The exit code of the last command.", value: exitCode),
            Metric("run_seconds", help: "How long the last command took.", value: String(format: "%.3f", seconds)),
        ]
    }

    private var database: OutputDatabase? { output.map { OutputDatabase($0, busyTimeout: 1) } }

    private var aboutTheOutput: [Metric] {
        let database = database
        // Values that cannot be read now stay unknown.
        let required = (try? database?.publishedSettings(programVersion))?.requiredSources ?? []
        let health = output.flatMap { try? OutputHealth(of: $0, required: required) }
        let latest = health?.latest
        let isKnown = health != nil
        let warnings = database.flatMap { database in health.flatMap { (try? $0.warnings(in: database)) ?? nil } }
        let findings = try? database?.checkFindings()
        let days = try? database?.days()
        let ids = output.flatMap { try? StoredIDs(in: $0) }
        return [
            Metric(
                "latest_log_date_timestamp_seconds",
                help: "The latest log date that is loaded: its 00:00 UTC, in seconds since 1970.",
                value: latest.map { $0.summary.logDate.dayNumber * 86_400 }, isKnown: isKnown),
            Metric(
                "records", help: "Records of the latest log date that is loaded, by source, outcome and reason.",
                values: health.map { health in
                    (health.latest?.outcomes ?? []).map { count in
                        (
                            ["source": count.source, "outcome": count.outcome.rawValue, "reason": count.reason],
                            count.records
                        )
                    }
                }),
            Metric(
                "events", help: "Events of the latest loaded log date, before other log dates are compared.",
                value: latest?.summary.events, isKnown: isKnown),
            Metric(
                "duplicates", help: "Accepted records of the latest loaded log date that repeat its events.",
                value: latest?.summary.duplicates, isKnown: isKnown),
            Metric(
                "warnings", help: "1 for each kind of warning of the latest log date that is loaded.",
                values: warnings.map { codes in codes.map { (["code": $0], 1) } }),
            Metric(
                "check_rows",
                help: "The rows that a check found at the last publishing; 1 if it could not be answered.",
                values: findings.map { checks in checks.map { (["name": $0.name], $0.rows ?? 1) } }),
            Metric(
                "log_dates", help: "Log dates by state, from the first that is loaded or held back to the last.",
                values: health.map { health in
                    OutputHealth.State.allCases.map { (["state": $0.rawValue], health.logDates[$0] ?? 0) }
                }),
            Metric(
                "final_day_timestamp_seconds",
                help: "The last day whose figures are final: its 00:00 UTC, in seconds since 1970.",
                value: days?.last(where: \.isFinal).map { $0.day.dayNumber * 86_400 }, isKnown: days != nil),
            Metric(
                "ids_since_timestamp_seconds",
                help: "The first log date that holds ids: its 00:00 UTC, in seconds since 1970.",
                value: ids?.logDates.first.map { $0.dayNumber * 86_400 }, isKnown: ids != nil),
            Metric("ids_bytes", help: "The bytes of the files that hold ids.", value: ids?.bytes, isKnown: ids != nil),
        ]
    }
}

private struct Metric {
    let name: String
    let help: String
    /// The labels and values as text. An empty list leaves the metric out; nil means that the values are not known now.
    let samples: [String]?

    /// A metric of one value, or none.
    init(_ name: String, help: String, value: (some CustomStringConvertible)?, isKnown: Bool = true) {
        self.name = "pushetl_" + name
        self.help = help
        samples = isKnown ? value.map { [" \($0)"] } ?? [] : nil
    }

    init(_ name: String, help: String, values: [(labels: KeyValuePairs<String, String>, value: Int)]?) {
        self.name = "pushetl_" + name
        self.help = help
        samples = values?.map { labels, value in
            "{\(labels.map { "\($0.key)=\"\(Metric.escaped($0.value))\"" }.joined(separator: ","))} \(value)"
        }
    }

    private static func escaped(_ label: String) -> String {
        label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// The state of an output in numbers, for monitoring. It follows from the output alone, without a look at the logs.
private struct OutputHealth {
    /// The state of a log date is the first of these that applies.
    enum State: String, CaseIterable, Sendable {
        case heldBack = "held"
        /// The partition cannot be read.
        case damaged
        case complete
        case partial
        /// There is no partition, though there are earlier and later ones.
        case missing
    }

    /// The number of log dates in each state, from the first that is loaded or held back to the last.
    let logDates: [State: Int]
    /// The latest log date that is loaded, with its outcomes; nil if none is, or only damaged ones are.
    let latest: (summary: PartitionSummary, outcomes: [OutcomeCount])?

    /// - Parameter required: names of sources without which a log date is partial.
    init(of output: OutputFolder, required: Set<String>) throws {
        let loaded = Set(try output.logDates())
        let held = Set(try output.heldDates())
        let known = loaded.union(held).sorted()
        var counts: [State: Int] = [:]
        var latest: (summary: PartitionSummary, outcomes: [OutcomeCount])?
        for date in known {
            let partition = loaded.contains(date) ? output.partition(of: date) : nil
            let isHeld =
                held.contains(date) && HeldLoad(date, in: output, installed: partition?.summary.version) != nil
            let state: State =
                if isHeld {
                    .heldBack
                } else if let partition {
                    partition.summary.status(required: required) == .complete ? .complete : .partial
                } else {
                    loaded.contains(date) ? .damaged : .missing
                }
            counts[state, default: 0] += 1
            // If they cannot be read, the next earlier log date is tried.
            if let partition, let outcomes = try? partition.outcomes() {
                latest = (partition.summary, outcomes)
            }
        }
        if let first = known.first, let last = known.last {
            counts[.missing, default: 0] += last.days(since: first) + 1 - known.count
        }
        logDates = counts
        self.latest = latest
    }

    /// The codes of the warnings of the latest log date that is loaded; nil if push.db does not show it yet.
    ///
    /// - Throws: `OutputError` if push.db cannot be read now.
    func warnings(in database: OutputDatabase) throws -> [String]? {
        guard let latest else { return [] }
        guard try database.publishedVersions()[latest.summary.logDate] == latest.summary.version else { return nil }
        return try database.warnings()[latest.summary.logDate]?.codes ?? []
    }
}
