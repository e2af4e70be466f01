import Calendar
import Events

/// The settings for reading the records of a source on a log date.
package struct RecordRules: Sendable {
    package var format: RecordFormat
    /// Whether a collector's hit without an `mcId` does not count.
    package var requireMcid: Bool
    package var layout: Layout
    /// Where a line is in the JSON object that it is wrapped in; empty if it is not.
    package var unwrap: [String] = []
    /// The index of each action, by its code or name in the logs.
    package var actions: [String: UInt16]
    /// The time zone of the pipeline, for times in log lines without an offset.
    package var zone: ZoneRules
    /// The plausible times of payloads.
    package var window: LogWindow
    /// The path of requests with a payload. Not used for collectors and for the layout `body`.
    package var path: String
    /// The platform of records that do not name theirs. Not used for collectors.
    package var platform: Platform?
    /// The paths of the values in a payload. Not used for collectors.
    package var fields: FieldPaths
    /// Whether payloads may have other actions than these, which then get the next indices. For logs whose actions are
    /// not known.
    package var learnsActions = false

    package init(
        format: RecordFormat, requireMcid: Bool = false, layout: Layout, actions: [String: UInt16], zone: ZoneRules,
        window: LogWindow, path: String = "", platform: Platform? = nil, fields: FieldPaths = FieldPaths()
    ) {
        self.format = format
        self.requireMcid = requireMcid
        self.layout = layout
        self.actions = actions
        self.zone = zone
        self.window = window
        self.path = path
        self.platform = platform
        self.fields = fields
    }
}
