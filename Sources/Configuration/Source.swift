import Calendar
import Events
import LogFiles
import Records

/// One entry of `sources` in a pipeline file.
package struct Source: Sendable {
    /// The meaning of action codes in collector logs.
    package enum Dialect: String, CaseIterable, Sendable {
        case campaignStandard = "campaign_standard"
        case campaignClassic = "campaign_classic"

        /// The name of the action for the third part of an `id`.
        package var actions: [String: String] {
            switch self {
            case .campaignStandard:
                [
                    "1": "open", "2": "click", "7": "impression", "3": "button_1", "4": "button_2",
                    "5": "button_close",
                ]
            case .campaignClassic: ["1": "impression", "2": "open"]
            }
        }
    }

    /// Unique in the pipeline, compared by its bytes.
    package let name: String
    package let format: RecordFormat
    /// At least one. Each line is read by the first layout that it fits.
    package let layouts: [Layout]
    /// The layouts, as written in the file.
    package let layoutTexts: [String]
    /// A line that fits no layout is filtered if it contains one of these texts. Each occurs once, sorted by bytes.
    package let skip: [String]
    /// `layout_fields`, as written in the file.
    package let layoutFields: [String: String]
    /// The path of `unwrap`: where a JSON object holds the line that is wrapped in it. Empty if lines are not wrapped.
    package let unwrap: [String]
    package let dialect: Dialect
    /// Whether a hit without mcId is filtered.
    package let requireMcid: Bool
    /// Whether a log date without a file of this source is partial.
    package let required: Bool
    /// Relative to the pipeline file's folder, or absolute.
    package let files: FilePatterns
    /// The source's `timezone`, if it has one. See `lineZone` and `payloadZone`.
    package let zone: ZoneRules?
    /// The platform of records that do not name one.
    package let platform: Platform?
    /// The name of the id space. Ids in different id spaces are never the same message.
    package let idSpace: String
    /// The path of the requests that carry a payload; empty for a collector, and for events in the layout `body`.
    package let path: String
    /// Where each value of a payload lies; empty for a collector.
    package let fields: FieldPaths
    /// For the format `events`: an event without a value at one of these paths is filtered as `not_push`.
    package let require: [[String]]
    /// The path of the array of events in an object of the format `events`; empty if each object is an event.
    package let elements: [String]
    /// The platform for each word in payloads that is not pushetl's own, whatever the case of its letters.
    package let platforms: [String: Platform]
    /// The name of each action, by its code or name in the logs. Empty only if `action` or `times` gives the actions.
    package let actions: [String: String]
    /// The action of all events; nil if each names its own, or has a time for each.
    package let action: String?
    /// For the format `events`: the actions that have a time of their own, in the order of the file, with the path of
    /// the time.
    package let times: [(action: String, path: [String])]
    /// The names of all actions.
    package var actionNames: Set<String> {
        Set(actions.values).union(times.map(\.action)).union(action.map { [$0] } ?? [])
    }

    /// The zone of times without an offset in the source's lines; nil for the pipeline's, or if lines have no times.
    var lineZone: ZoneRules? { layout.isOfPayloads ? nil : zone }

    /// The zone of times without an offset in payloads; nil for UTC.
    package var payloadZone: ZoneRules? { format == .events ? zone : nil }

    /// The first layout, which most sources have as their only one.
    package var layout: Layout { layouts[0] }
}

extension RecordFormat {
    /// The default path of the requests that carry a payload; empty if there is no default.
    package var defaultPath: String {
        switch self {
        case .collector, .events: ""
        case .mzip: "/push/log/iosarrive"
        case .usersTrack: "/users/track"
        }
    }

    /// The default paths of the values in a payload; empty if there are no defaults.
    package var defaultFields: FieldPaths {
        switch self {
        case .collector, .events: [:]
        case .mzip: .mzip
        case .usersTrack: .usersTrack
        }
    }
}
