import Calendar

extension Set<String> {
    /// Names of sources in the order of the pipeline file, followed by those that it does not have, by their bytes.
    func ordered(as pipeline: [String]) -> [String] {
        pipeline.filter(contains) + subtracting(pipeline).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// The settings of the pipeline file for publishing.
package struct PublicationSettings: Sendable {
    package var zone: ZoneRules
    /// The most days between log dates that are within reach of each other.
    package var windowDays: Int
    /// In pipeline order.
    package var sourceNames: [String]
    /// Names of sources without which a log date is partial.
    package var requiredSources: Set<String> = []
    /// The fingerprint of the pipeline file, for `about`. The figures do not depend on it.
    package var pipeline: String
    /// Whether a log date was read by other rules of a time zone than the present ones. Then its fingerprint in
    /// `partitions` is another than the pipeline's.
    package var isReadByOtherRules: @Sendable (PartitionSummary) -> Bool = { _ in false }
    /// Identifies the checks of the pipeline file. The figures do not depend on it, but what is kept of their findings
    /// does.
    package var checks = ""
    /// For `about`. The figures do not depend on it.
    package var programVersion: String
    /// The list of deliveries, and its version; nil to keep the list in push.db.
    package var deliveries: (list: DeliveryList, version: String?)?

    package init(
        zone: ZoneRules, windowDays: Int, sourceNames: [String], pipeline: String = "", programVersion: String
    ) {
        self.zone = zone
        self.windowDays = windowDays
        self.sourceNames = sourceNames
        self.pipeline = pipeline
        self.programVersion = programVersion
    }

    /// Equal versions and equal partitions give equal figures. The number at the front changes when the rules of the
    /// figures change.
    package var version: String {
        let quoted = sourceNames.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        return "3; time zone \(zone.version); window_days \(windowDays); sources \(quoted.joined(separator: ", "))"
    }

    /// The required sources on a line each.
    private var required: String { requiredSources.sorted().joined(separator: "\n") }

    /// The settings as facts in push.db, by key.
    package var facts: [String: String] {
        [
            "settings": version, "pipeline": pipeline, "checks": checks, "timezone": zone.name,
            "window_days": String(windowDays), "schema_version": String(OutputSchema.version),
            "version": programVersion, "required": required,
        ]
    }

    /// The settings that a `version` describes. Nil if the text has another form, or its time zone is not known here.
    package init?(version: String, required: String, programVersion: String) {
        let form = /[0-9]+; time zone ([^ ;]+)(?: [^;]*)?; window_days ([0-9]+); sources "(.*)"/.dotMatchesNewlines()
        guard let parts = version.wholeMatch(of: form), let windowDays = Int(parts.2),
            let zone = try? ZoneDatabase.zone(String(parts.1))
        else { return nil }
        let sources = parts.3.components(separatedBy: "\", \"").map { $0.replacing("\"\"", with: "\"") }
        self.init(zone: zone, windowDays: windowDays, sourceNames: sources, programVersion: programVersion)
        requiredSources = Set(required.split(separator: "\n").map(String.init))
    }
}
