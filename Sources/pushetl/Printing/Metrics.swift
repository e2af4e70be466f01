import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Posix

/// The metrics of a command that has ended. What cannot be known now is taken from the former file.
struct Metrics {
    let exitCode: Int32
    /// How long the command took.
    let seconds: Double
    /// When it ended.
    let finished: Date
    /// Nil if the pipeline file, which names it, cannot be read.
    let output: OutputFolder?

    /// The content of the file that takes the place of `former`.
    func text(after former: FormerMetrics) -> String {
        let families = aboutTheCommand(former) + aboutTheOutput(former)
        return families.map(\.text).joined()
    }

    private func aboutTheCommand(_ former: FormerMetrics) -> [MetricFamily] {
        let now = Metrics.decimal(finished.timeIntervalSince1970)
        let success = "pushetl_last_success_timestamp_seconds"
        return [
            MetricFamily(
                "pushetl_last_run_timestamp_seconds", "When the last command ended, in seconds since 1970.", now),
            MetricFamily(
                success, "When the last command with exit code 0 ended, in seconds since 1970.",
                samples: exitCode == 0 ? ["\(success) \(now)"] : former.samples(of: success)),
            MetricFamily("pushetl_exit_code", "The exit code of the last command.", exitCode),
            MetricFamily(
                "pushetl_run_seconds", "How long the last command took.",
                Metrics.decimal(seconds)),
        ]
    }

    private func aboutTheOutput(_ former: FormerMetrics) -> [MetricFamily] {
        let health = output.flatMap { try? OutputHealth(of: $0) }
        let latest = health?.latest
        let finalDay = output.flatMap { output in Result { try OutputHealth.finalDay(of: output) }.success }
        /// The metric by what is known now, or as it was.
        func family(_ name: String, _ help: String, _ make: (OutputHealth) -> MetricFamily) -> MetricFamily {
            health.map(make) ?? MetricFamily(name, help, samples: former.samples(of: name))
        }
        func number(_ name: String, _ help: String, _ value: Int?, isKnown: Bool) -> MetricFamily {
            MetricFamily(
                name, help,
                samples: isKnown ? value.map { ["\(name) \($0)"] } ?? [] : former.samples(of: name))
        }
        let ids = output.flatMap { try? HeldIDs(in: $0) }
        let (records, logDates) = ("pushetl_records", "pushetl_log_dates")
        let recordsHelp = "Records of the latest log date that is loaded, by source, outcome and reason."
        let datesHelp = "Log dates by state, from the first that is loaded or held back to the last."
        let warnings = "pushetl_warnings"
        let warningsHelp = "1 for each kind of warning of the latest log date that is loaded."
        let (checks, checksHelp) = ("pushetl_check_rows", "The rows that a check found at the last publishing.")
        let findings = output.flatMap { try? OutputDatabase($0, busyTimeout: 1).checkFindings() }
        let isKnown = health != nil
        return [
            number(
                "pushetl_latest_log_date_timestamp_seconds",
                "The latest log date that is loaded: its 00:00 UTC, in seconds since 1970.",
                latest.map { $0.date.dayNumber * 86_400 }, isKnown: isKnown),
            family(records, recordsHelp) { health in
                MetricFamily(
                    records, recordsHelp,
                    labelled: (health.latest?.outcomes ?? []).map { count in
                        let labels = [
                            ("source", count.source), ("outcome", count.outcome.rawValue), ("reason", count.reason),
                        ]
                        return (labels.map { (name: $0.0, value: $0.1) }, count.records)
                    })
            },
            number(
                "pushetl_events", "Events of the latest loaded log date, before other log dates are compared.",
                latest?.summary.events, isKnown: isKnown),
            number(
                "pushetl_duplicates", "Accepted records of the latest loaded log date that repeat its events.",
                latest?.summary.duplicates, isKnown: isKnown),
            MetricFamily(warnings, warningsHelp, samples: warningSamples(health) ?? former.samples(of: warnings)),
            findings.map { findings in
                MetricFamily(
                    checks, checksHelp,
                    labelled: findings.compactMap { check in
                        check.rows.map { ([(name: "name", value: check.name)], $0) }
                    })
            } ?? MetricFamily(checks, checksHelp, samples: former.samples(of: checks)),
            family(logDates, datesHelp) { health in
                MetricFamily(
                    logDates, datesHelp,
                    labelled: OutputHealth.State.allCases.map { state in
                        ([(name: "state", value: state.rawValue)], health.logDates[state] ?? 0)
                    })
            },
            number(
                "pushetl_final_day_timestamp_seconds",
                "The last day whose figures are final: its 00:00 UTC, in seconds since 1970.",
                finalDay.flatMap { $0 }.map { $0.dayNumber * 86_400 }, isKnown: finalDay != nil),
            number(
                "pushetl_ids_since_timestamp_seconds",
                "The first log date that holds ids: its 00:00 UTC, in seconds since 1970.",
                ids?.logDates.first.map { Int($0) * 86_400 }, isKnown: ids != nil),
            number("pushetl_ids_bytes", "The bytes of the files that hold ids.", ids?.bytes, isKnown: ids != nil),
        ]
    }

    /// Nil if they are not known now.
    private func warningSamples(_ health: OutputHealth?) -> [String]? {
        guard let output, let codes = try? health?.warnings(in: output) else { return nil }
        return MetricFamily("pushetl_warnings", "", labelled: codes.map { ([(name: "code", value: $0)], 1) }).samples
    }

    private static func decimal(_ value: Double) -> String { String(format: "%.3f", value) }
}

extension Result {
    /// Nil for a failure.
    fileprivate var success: Success? { try? get() }
}

/// A metric in the text format of Prometheus: its help, its type, and its samples.
///
///     # HELP pushetl_exit_code The exit code of the last command.
///     # TYPE pushetl_exit_code gauge
///     pushetl_exit_code 0
struct MetricFamily {
    let name: String
    let help: String
    /// Lines without line ends.
    let samples: [String]

    init(_ name: String, _ help: String, samples: [String]) {
        self.name = name
        self.help = help
        self.samples = samples
    }

    /// With one sample that has no labels.
    init(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
        self.init(name, help, samples: ["\(name) \(value)"])
    }

    /// With a sample for each entry.
    init(_ name: String, _ help: String, labelled values: [(labels: [(name: String, value: String)], value: Int)]) {
        let samples = values.map { labels, value in
            let text = labels.map { "\($0.name)=\"\(MetricFamily.escaped($0.value))\"" }.joined(separator: ",")
            return "\(name){\(text)} \(value)"
        }
        self.init(name, help, samples: samples)
    }

    /// Empty if there are no samples.
    var text: String {
        guard !samples.isEmpty else { return "" }
        return (["# HELP \(name) \(help)", "# TYPE \(name) gauge"] + samples).map { $0 + "\n" }.joined()
    }

    private static func escaped(_ label: String) -> String {
        label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// The file that `--metrics` names, for the text collector of Prometheus' node exporter. It is written aside and renamed,
/// and all may read it.
struct MetricsFile {
    let path: String

    /// A message if the file cannot be written. The command's result does not depend on it.
    func write(_ metrics: Metrics) -> Message? {
        let absolute = URL(fileURLWithPath: path).path
        do {
            let text = metrics.text(after: try FormerMetrics(absolute))
            try WholeFile.replace(absolute, durably: true, mode: 0o644) { file throws(SystemError) in
                try file.write(Array(text.utf8).span)
            }
            return nil
        } catch let error as SystemError {
            return message("the metrics file cannot be written: \(SystemError.reason(error.code))")
        } catch {
            return message("is not a metrics file of pushetl, so it was left as it is; give --metrics another file")
        }
    }

    private func message(_ text: MessageText) -> Message {
        // Such as: the metrics file cannot be written: …
        Message.at(path, "unwritable_metrics", text).shown(.stored)
    }
}

/// The metrics file that an earlier command has left.
struct FormerMetrics {
    /// A file that is there and was not written by pushetl. It must not be replaced.
    struct ForeignFile: Error {}

    private let lines: [Substring]

    /// Without content if there is no such file.
    ///
    /// - Throws: `SystemError` or `ForeignFile`.
    init(_ path: String) throws {
        var status = stat()
        // A device or a pipe would be replaced, or be waited for.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw ForeignFile() }
        do throws(SystemError) {
            lines = String(decoding: try WholeFile.read(path), as: UTF8.self).split(separator: "\n")
        } catch {
            guard error.code == ENOENT else { throw error }
            lines = []
        }
        guard lines.allSatisfy({ $0.hasPrefix("# HELP pushetl_") || $0.hasPrefix("# TYPE pushetl_") || isSample($0) })
        else { throw ForeignFile() }
    }

    /// The lines of a metric.
    func samples(of name: String) -> [String] {
        lines.filter { $0.hasPrefix(name + " ") || $0.hasPrefix(name + "{") }.map(String.init)
    }
}

private func isSample(_ line: Substring) -> Bool {
    line.wholeMatch(of: /pushetl_[a-z_]+(\{.*\})? -?[0-9.]+/) != nil
}
