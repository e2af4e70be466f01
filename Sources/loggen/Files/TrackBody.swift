import Reference

/// A body of users_track in the making, or some events of another vendor.
struct TrackBody {
    private let format: Pipeline.Format
    /// Decides what stands before the lists, and whether empty ones are there.
    private let order: UInt64
    /// The elements of each list, as JSON texts.
    private var attributes: [String] = []
    private var events: [String] = []
    private var purchases: [String] = []

    init(format: Pipeline.Format, order: UInt64) {
        self.format = format
        self.order = order
    }

    var count: Int { attributes.count + events.count + purchases.count }

    /// `more` is another property, and `spelling` says how the time is spelled.
    mutating func addEvent(
        _ name: String, of message: Message, user: Int, at time: Int, spelling: Int = 2, more: String? = nil
    ) {
        if format == .events {
            let (kind, time) = (Self.kinds[name] ?? name, Self.text(of: time, spelling))
            let event = #""event":{"kind":"\#(kind)","timestamp":\#(time)\#(more.map { "," + $0 } ?? "")}"#
            let pushed = #""message":{"id":"h\#(message.id)","delivery":"\#(message.deliveryText)"}"#
            events.append(#"{\#(event),\#(pushed),"user":{"external_id":"user-\#(user)"}}"#)
            return
        }
        let ids = #""broadlogId":"h\#(message.id)","deliveryId":"\#(message.deliveryText)""#
        let properties = #""properties":{\#(ids)\#(more.map { "," + $0 } ?? "")}"#
        let id = #""external_id":"user-\#(user)""#
        // Those of some users have their members in another order.
        let (first, last) = user.isMultiple(of: 5) ? (properties, id) : (id, properties)
        events.append(#"{\#(first),"name":"\#(name)","time":\#(Self.text(of: time, spelling)),\#(last)}"#)
    }

    /// What a vendor calls an event that users_track has by another name.
    private static let kinds = [
        "push_impression": "message.push.displayed", "push_click": "message.push.clicked",
        "push_open": "message.push.opened",
    ]

    /// The actions of a vendor's events.
    static let vendorActions = [
        "message.push.displayed": "impression", "message.push.clicked": "click", "message.push.opened": "open",
    ]

    /// Where a vendor's events have what is read of them.
    static let vendorFields = [
        "broadlog_id": "message.id", "delivery_id": "message.delivery", "action": "event.kind",
        "time": "event.timestamp", "platform": "event.platform", "tracking": "event._acsDeliveryTracking",
    ]

    mutating func addPurchase(of product: String, user: Int, at time: Int) {
        let sold = #""product_id":"\#(product)","currency":"EUR","price":19.99,"quantity":1"#
        purchases.append(
            #"{\#(unmapped("purchase"))"external_id":"user-\#(user)",\#(sold),"time":\#(Self.text(of: time, 0))}"#)
    }

    mutating func addAttributes(ofUser user: Int, areVisits: Bool) {
        let values =
            areVisits
            ? #""visits":{"inc":1},"tags":{"add":["otoño"]},"phone":null"#
            : #""email":"user\#(user)@example.com","home_city":"Málaga""#
        attributes.append(#"{\#(unmapped("attributes"))"external_id":"user-\#(user)",\#(values)}"#)
    }

    /// A vendor says what kind of event it is.
    private func unmapped(_ kind: String) -> String { format == .events ? #""event":{"kind":"\#(kind)"},"# : "" }

    /// A time in milliseconds in one of seven common spellings.
    private static func text(of milliseconds: Int, _ spelling: Int) -> String {
        let time = GeneratedTime(milliseconds: milliseconds, zone: Zone("UTC"))
        let (day, clock, rest) = time.clock(offset: [0, 3600, 0, 3600, 7200, 0, 0][spelling])
        return switch spelling {
        case 0: "\"\(day)T\(clock)Z\""
        case 1: "\"\(day)T\(clock)+01:00\""
        case 2: "\"\(day)T\(clock).\(padded(rest, 3))Z\""
        case 3: "\"\(day)T\(clock):\(padded(rest, 3))+0100\""
        case 4: "\"\(day)T\(clock)+02\""
        case 5: String(floored(milliseconds, by: 1000))
        default: String(milliseconds)
        }
    }

    var text: String {
        if format == .events {
            let all = attributes + events + purchases
            return all.count == 1 ? all[0] : "[\(all.joined(separator: ","))]"
        }
        var members: [String] = []
        if order & 7 == 0 { members.append(#""partner":"ExampleSender""#) }
        if order & 7 == 1 { members.append(#""api_key":"00000000-0000-0000-0000-000000000000""#) }
        for (name, elements) in [("attributes", attributes), ("events", events), ("purchases", purchases)]
        where !elements.isEmpty || order & 24 == 0 {
            members.append("\"\(name)\":[\(elements.joined(separator: ","))]")
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
