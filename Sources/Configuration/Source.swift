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

        /// What the third part of an `id` stands for.
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
    /// Each line is read by the first that fits it; one at least.
    package let layouts: [Layout]
    /// The layouts, as written in the file.
    package let layoutTexts: [String]
    /// Texts of which a line that fits no layout has one if it is filtered; each once, by their bytes.
    package let skip: [String]
    /// `layout_fields`, as written in the file.
    package let layoutFields: [String: String]
    /// `unwrap`: the path of a line in the JSON object that it is wrapped in; empty if it is not.
    package let unwrap: [String]
    package let dialect: Dialect
    /// Whether a hit without mcId is filtered.
    package let requireMcid: Bool
    /// Whether a log date without a file of this source is partial.
    package let required: Bool
    /// Relative to the pipeline file's folder, or absolute.
    package let files: FilePatterns
    /// The zone of times without an offset in the source's lines, if it is not the pipeline's. See also `payloadZone`.
    package let zone: ZoneRules?
    /// The platform of records that do not name one.
    package let platform: Platform?
    /// Ids of sources with different id spaces never meet.
    package let idSpace: String
    /// The path of the requests that carry a payload; empty for a collector, and for events in the layout `body`.
    package let path: String
    /// Where each value of a payload lies; empty for a collector.
    package let fields: FieldPaths
    /// Of the format `events`: an event that lacks a value at one of these paths is filtered, `not_push`.
    package let require: [[String]]
    /// The path of the array of events in an object of the format `events`; empty if each object is an event.
    package let elements: [String]
    /// The platform of each other word that a payload may say, in any case of letters.
    package let platforms: [String: Platform]
    /// By the code or name in the logs, the action's name; empty only where `action` or `times` tells the actions.
    package let actions: [String: String]
    /// The action of all events; nil if each names its own, or has a time for each.
    package let action: String?
    /// Of the format `events`: the actions that have a time each, in the order of the file, with the path of the time.
    package let times: [(action: String, path: [String])]
    /// The names of all actions.
    package var actionNames: Set<String> {
        Set(actions.values).union(times.map(\.action)).union(action.map { [$0] } ?? [])
    }

    /// The zone of times without an offset in payloads; nil for UTC.
    package var payloadZone: ZoneRules? { format == .events ? zone : nil }

    /// The only layout of many sources, and the first of several.
    package var layout: Layout { layouts[0] }
}

extension RecordFormat {
    /// The path of the requests that carry a payload, unless the pipeline file gives another; empty if it has no default.
    package var defaultPath: String {
        switch self {
        case .collector, .events: ""
        case .mzip: "/push/log/iosarrive"
        case .usersTrack: "/users/track"
        }
    }

    /// The paths of the values in a payload, unless the pipeline file gives others; empty if they have no defaults.
    package var defaultFields: FieldPaths {
        switch self {
        case .collector, .events: [:]
        case .mzip: .mzip
        case .usersTrack: .usersTrack
        }
    }
}
