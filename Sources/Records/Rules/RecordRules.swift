import Events
import Foundation

/// What a source's pipeline entry and the log date say about reading its records.
package struct RecordRules: Sendable {
    package enum Format: Equatable, Sendable {
        case collector(requireMcid: Bool)
        case mzip
        case usersTrack
    }

    package var format: Format
    package var layout: Layout
    /// The code or name on the wire → the action's index.
    package var actions: [String: UInt16]
    /// The pipeline's zone, for times of the layout without an offset.
    package var zone: TimeZone
    package var window: LogWindow
    /// The path of the requests that carry a payload; unused for collectors and for the layout `body`.
    package var path: String
    /// The platform of records that do not say theirs; unused for collectors.
    package var platform: Platform?
    /// Where the values lie in a payload; unused for collectors.
    package var fields: FieldPaths

    package init(
        format: Format, layout: Layout, actions: [String: UInt16], zone: TimeZone, window: LogWindow,
        path: String = "", platform: Platform? = nil, fields: FieldPaths = FieldPaths()
    ) {
        self.format = format
        self.layout = layout
        self.actions = actions
        self.zone = zone
        self.window = window
        self.path = path
        self.platform = platform
        self.fields = fields
    }
}
