import Events
import LogFiles
import Records

/// One entry of `sources` in a pipeline file.
package struct Source: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case collector
        case mzip
        case usersTrack = "users_track"
    }

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

    package let name: String
    package let format: Format
    package let layout: Layout
    package let layoutText: String
    package let dialect: Dialect
    package let requireMcid: Bool
    /// Whether a log date on which it matches no file is partial.
    package let required: Bool
    package let files: FilePattern
    /// The platform of records that do not say theirs.
    package let platform: Platform?
    package let idSpace: String
    /// The path of the requests that carry a payload; empty for a collector.
    package let path: String
    /// Where the values lie in a payload; empty for a collector.
    package let fields: FieldPaths
    /// The code or name on the wire → the action's name; never empty.
    package let actions: [String: String]
    /// The line of the pipeline file on which it begins.
    package let line: Int
    /// Where its pattern stands in the pipeline file.
    package let filesLocation: PipelineFileError.Location
}
