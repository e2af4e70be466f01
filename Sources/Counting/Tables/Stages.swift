/// The funnel stages that a message reached: which of these actions it has an event of.
package struct Stages: OptionSet, Sendable {
    package let rawValue: UInt8

    package static let arrived = Stages(rawValue: 1)
    package static let impressed = Stages(rawValue: 2)
    package static let clicked = Stages(rawValue: 4)
    package static let opened = Stages(rawValue: 8)
    package static let sent = Stages(rawValue: 16)
    package static let failed = Stages(rawValue: 32)
    /// Those of daily_paths, in the order in which messages reach them.
    package static let ofPath: [Stages] = [.arrived, .impressed, .clicked, .opened]

    /// The actions of the funnel that devices send, in the order in which a message passes them.
    package static let actionsOfDevices = ["arrival", "impression", "click", "open"]
    /// All actions of the funnel.
    package static let actions = ["sent", "failed"] + actionsOfDevices

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Those of daily_paths.
    package var path: Stages { Stages(rawValue: rawValue & 15) }

    /// An open always sends a click too. A click without an open is a dismissal.
    package var isDismissed: Bool { contains(.clicked) && !contains(.opened) }

    /// The stage of an action; empty for actions that are not part of the funnel.
    init(action: String) {
        switch action {
        case "sent": self = .sent
        case "failed": self = .failed
        case "arrival": self = .arrived
        case "impression": self = .impressed
        case "click": self = .clicked
        case "open": self = .opened
        default: self = []
        }
    }
}
