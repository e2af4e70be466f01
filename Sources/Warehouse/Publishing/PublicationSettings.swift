import Foundation

/// What the pipeline file says about publishing.
package struct PublicationSettings: Sendable {
    package var zone: TimeZone
    /// As the pipeline file has it.
    package var zoneName: String
    package var windowDays: Int
    /// In the order of the pipeline file.
    package var sourceNames: [String]

    package init(zone: TimeZone, zoneName: String, windowDays: Int, sourceNames: [String]) {
        self.zone = zone
        self.zoneName = zoneName
        self.windowDays = windowDays
        self.sourceNames = sourceNames
    }

    /// Equal versions mean equal figures from equal partitions. The number in front changes with the figures' meaning.
    var version: String {
        let quoted = sourceNames.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        return "1; time zone \(zoneName); window_days \(windowDays); sources \(quoted.joined(separator: ", "))"
    }
}
