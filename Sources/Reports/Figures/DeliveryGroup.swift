/// How it is known how many messages of a delivery were sent. Only rates of one group may stand in one table.
enum DeliveryGroup: String, CaseIterable {
    case file, events
    case others = ""

    /// The caption for deliveries of this group.
    var caption: String {
        switch self {
        case .file: "Sent as the delivery files say"
        case .events: "Sent as the events say"
        case .others: "Sent not known"
        }
    }
}
