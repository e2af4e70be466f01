/// A campaign or a delivery that has a page of its own.
package enum ReportSubject: Equatable, Sendable {
    case campaign(String)
    case delivery(String)

    var isCampaign: Bool {
        switch self {
        case .campaign: true
        case .delivery: false
        }
    }

    var kind: String { isCampaign ? "campaign" : "delivery" }

    /// The name of the campaign, or the id of the delivery.
    var name: String {
        switch self {
        case .campaign(let name), .delivery(let name): name
        }
    }
}
