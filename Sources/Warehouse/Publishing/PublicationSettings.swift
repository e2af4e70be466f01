import Calendar

/// The settings of the pipeline file for publishing.
package struct PublicationSettings: Sendable {
    package var zone: ZoneRules
    /// Log dates are within reach of each other if they are at most this many days apart.
    package var windowDays: Int
    /// In pipeline order.
    package var sourceNames: [String]
    /// The fingerprint of the pipeline file, for `about`. The figures do not depend on it.
    package var pipeline: String
    /// Whether a log date was read by other rules of a time zone than the present ones. Then its fingerprint in
    /// `partitions` is another than the pipeline's.
    package var isReadByOtherRules: @Sendable (PartitionSummary) -> Bool = { _ in false }
    /// For `about`. The figures do not depend on it.
    package var programVersion: String
    /// What `deliveries.csv` says. The figures by day do not depend on it.
    package var deliveries = DeliveryList()

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
    var version: String {
        let quoted = sourceNames.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        return "3; time zone \(zone.version); window_days \(windowDays); sources \(quoted.joined(separator: ", "))"
    }
}
