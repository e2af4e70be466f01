/// Deliveries whose rates may stand in one table: how many were sent is known of them in the same way, or of none.
enum DeliveryGroup: String, CaseIterable {
    case file, events
    case others = ""

    /// How it is known how many were sent.
    var caption: String {
        switch self {
        case .file: "Sent as the delivery files say"
        case .events: "Sent as the events say"
        case .others: "Sent not known"
        }
    }
}
