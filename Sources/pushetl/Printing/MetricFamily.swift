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
