/// The content of a pipeline file.
package struct Pipeline: Equatable {
    package enum Format: String, CaseIterable {
        case collector
        case mzip
        case usersTrack = "users_track"
        case events
    }

    package enum Layout: Equatable {
        case combined
        case json
        case body
        case nginx(String)
        /// An Apache `LogFormat`.
        case apache(String)
        case w3c
        case cloudfront
        case alb
        case gcpLB
        case caddy
        /// Rows with a header.
        case csv

        /// Those that are given by a name.
        package static let named: [Layout] = [.combined, .json, .body, .w3c, .cloudfront, .alb, .gcpLB, .caddy, .csv]

        /// The value of the key `layout`.
        package var text: String {
            switch self {
            case .nginx(let format), .apache(let format): format
            case .gcpLB: "gcp_lb"
            default: "\(self)"
            }
        }
    }

    /// The path of the time of an action.
    package struct TimedAction: Equatable {
        package var action: String
        package var path: String

        package init(_ action: String, _ path: String) {
            self.action = action
            self.path = path
        }
    }

    package struct Source: Equatable {
        package var name: String
        package var format: Format
        package var layout: Layout
        /// The layouts that are tried in this order where `layout` does not fit.
        package var otherLayouts: [Layout] = []
        /// Texts of lines that are left out where no layout fits.
        package var skip: [String] = []
        /// The keys of JSON lines by the name of the value: `layout_fields`.
        package var layoutFields: [String: String] = [:]
        /// The key of the JSON object that holds a line; none if lines are not wrapped.
        package var unwrap: String?
        /// Patterns, one of which a file must match.
        package var files: [String]
        /// The zone of the layout's times without an offset, if it is not the pipeline's. Of the format `events` that of the
        /// payload's times too, if it is not UTC.
        package var timeZone: String?
        package var isRequired = true
        package var idSpace = "push"
        package var requiresMcid = false
        package var path = ""
        package var platform: String?
        /// JSON paths by the name of the value.
        package var fields: [String: String] = [:]
        /// The paths of the values that make the id together, in place of the field `broadlog_id`; none if it is one value.
        package var idParts: [String] = []
        /// By a path of a field, the paths that are tried after it where it leads to nothing: `first`.
        package var otherPaths: [String: [String]] = [:]
        /// Paths that must lead to a value: `require`.
        package var required: [String] = []
        /// The action of all events, if they do not tell it.
        package var action: String?
        /// The times that a message may have, if each is a record.
        package var times: [TimedAction] = []
        /// The path of the array of events; none if each object is an event.
        package var elements: String?
        /// Platforms by other words for them.
        package var platforms: [String: String] = [:]
        /// Action names by code.
        package var actions: [String: String] = [:]

        package init(name: String, format: Format, files: String) {
            self.name = name
            self.format = format
            self.files = [files]
            switch format {
            case .collector:
                layout = .combined
                actions = Source.campaignStandard
            case .mzip:
                layout = .body
                path = "/push/log/iosarrive"
                fields = Source.mzipFields
                actions = ["1": "arrival"]
            case .usersTrack:
                layout = .body
                path = "/users/track"
                fields = Source.usersTrackFields
            case .events:
                layout = .body
            }
        }

        package static let campaignStandard = [
            "1": "open", "2": "click", "7": "impression", "3": "button_1", "4": "button_2", "5": "button_close",
        ]
        package static let campaignClassic = ["1": "impression", "2": "open"]
        package static let mzipFields = [
            "broadlog_id": "log_content.data._mId", "delivery_id": "log_content.data._dId",
            "action": "log_content.type", "time": "log_content.time",
            "tracking": "log_content.data._acsDeliveryTracking",
        ]
        package static let usersTrackFields = [
            "broadlog_id": "properties.broadlogId", "delivery_id": "properties.deliveryId", "action": "name",
            "time": "time", "platform": "properties.platform", "tracking": "properties._acsDeliveryTracking",
        ]
    }

    package var timeZone = "UTC"
    package var windowDays = 30
    /// As it is written in the file, such as `0.05`.
    package var rejectRatio = "0.05"
    package var failsOnDamagedFiles = false
    /// How many days ids are held: `retention`. Nil if they stay.
    package var idDays: Int?
    package var sources: [Source] = []
    package var deliveries: [DeliveryEntry] = []

    package init() {}
}
