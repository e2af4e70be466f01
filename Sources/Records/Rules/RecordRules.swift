import Calendar
import Events

/// The settings for reading the records of a source on a log date.
package struct RecordRules: Sendable {
    package var format: RecordFormat
    /// Whether a collector's hit without an `mcId` does not count.
    package var requireMcid: Bool
    /// Each line is read by the first that fits it; one at least. Several are layouts of lines, with one of JSON at
    /// most.
    package var layouts: [Layout]
    /// A line that fits no layout is filtered if it contains one of these texts.
    package var skip: [String] = []
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
    /// The platform of each other word that a payload may say, in any case of letters.
    package var platforms: [String: Platform] = [:]
    /// Where each value of an event lies. Not used for collectors.
    package var fields: FieldPaths
    /// Of the format `events`: an event that lacks a value at one of these paths is filtered, `not_push`.
    package var require: [[String]] = []
    /// The action of all events, by its index; nil if each names its own, or has a time for each.
    package var action: UInt16?
    /// Of the format `events`: the path of the time of each action that a message may have, in the order of its
    /// records; empty if an event is one record.
    package var times: [(action: UInt16, path: [String])] = []
    /// The time zone of times in payloads that name none; nil for UTC.
    package var payloadZone: ZoneRules?
    /// The path of the array of events in a payload of the format `events`; empty if the payload itself is the event.
    package var elements: [String] = []
    /// Whether payloads may have other actions than these, which then get the next indices. For logs whose actions are
    /// not known.
    package var learnsActions = false

    package init(
        format: RecordFormat, requireMcid: Bool = false, layout: Layout, actions: [String: UInt16], zone: ZoneRules,
        window: LogWindow, path: String = "", platform: Platform? = nil, fields: FieldPaths = [:]
    ) {
        self.format = format
        self.requireMcid = requireMcid
        self.layouts = [layout]
        self.actions = actions
        self.zone = zone
        self.window = window
        self.path = path
        self.platform = platform
        self.fields = fields
    }
}

extension RecordRules {
    /// The path of the array of events in a payload; empty if the payload itself is the event.
    var eventArray: [String] { format == .usersTrack ? ["events"] : elements }

    /// The layout of sources that have one, and the first of several.
    package var layout: Layout { layouts[0] }

    /// The keys of arrays whose elements are no events.
    var otherArrays: [String] { format == .usersTrack ? ["purchases", "attributes"] : [] }
}
