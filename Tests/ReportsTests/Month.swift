import Calendar
import Events
import Output
import Support

@testable import Partitions

/// Eight weeks of pushes of a shop, published as the program publishes them: a newsletter every fourth day in two variants, a
/// message about what was left in the cart each day, and Black Friday.
final class Month: Sendable {
    /// A delivery, and what became of its messages.
    private struct Sending {
        let id: String
        let label: String
        var campaign: String?
        var variant: String?
        let day: LogDate
        var sent: Int?
        /// How many messages the logs know.
        let messages: Int
        /// How many of 100 of them are opened.
        let opened: Int
    }

    static let lastDate = LogDate(dayNumber: 20_785)
    private static let days = 56

    private let scratch: ScratchFolder
    var output: OutputDatabase { OutputDatabase(OutputFolder(scratch.root)) }

    init() throws {
        scratch = try ScratchFolder()
        let sendings = (0..<Month.days).flatMap { Month.sendings(daysAgo: $0) }
        let folder = OutputFolder(scratch.root)
        try folder.create()
        var events: [LogDate: [Event]] = [:]
        let names = EventNames(
            sources: ["app"], actions: ["arrival", "click", "impression", "open"],
            deliveries: Set(sendings.map(\.id)).sorted())
        for sending in sendings {
            for event in Month.events(of: sending, names: names) {
                let date = LogDate(dayNumber: Int(event.time / 86_400_000))
                if date <= Month.lastDate { events[date, default: []].append(event) }
            }
        }
        for (date, events) in events {
            let sorted = events.sorted { $0.id != $1.id ? $0.id < $1.id : $0.action < $1.action }
            try folder.install(sorted, of: date, names: names)
        }
        var settings = PublicationSettings(zone: .utc, windowDays: 30, sourceNames: ["app"], programVersion: "1")
        settings.deliveries = (Month.list(of: sendings), "1")
        _ = try output.publish(PublishRequest(settings: settings), in: LockedOutput(folder: folder))
    }

    private static func sendings(daysAgo: Int) -> [Sending] {
        let day = lastDate.adding(days: -daysAgo)
        var all = [
            Sending(id: "c0", label: "Left in the cart", day: day, messages: 100, opened: 40)
        ]
        if daysAgo % 4 == 3 {
            let campaign = "News of \(day.day)/\(day.month)"
            // One was sent with a wrong certificate.
            let isFailed = daysAgo == 15
            for (number, variant) in ["A", "B"].enumerated() {
                all.append(
                    Sending(
                        id: "a\(daysAgo)\(variant.lowercased())", label: "\(campaign) \(variant)", campaign: campaign,
                        variant: variant, day: day, sent: 1000, messages: isFailed && number == 1 ? 10 : 800,
                        opened: 10))
            }
        }
        if daysAgo == 1 {
            for (id, variant, opened) in [("b1", "Short", 30), ("b2", "Long", 20)] {
                all.append(
                    Sending(
                        id: id, label: "Black Friday \(variant.lowercased())", campaign: "Black Friday",
                        variant: variant, day: day, sent: 2000, messages: 1600, opened: opened))
            }
        }
        return all
    }

    /// Three of four messages are of Android. On iOS each arrives, and one of ten is not shown. Of what is shown some are opened,
    /// soon or after a day, and one of twenty is dismissed.
    private static func events(of sending: Sending, names: EventNames) -> [Event] {
        let delays: [Int64] = [5, 40, 240, 1_800, 7_200, 100_000]
        let start = Int64(sending.day.dayNumber) * 86_400_000 + 18 * 3_600_000
        let delivery = UInt32(names.deliveries.firstIndex(of: sending.id) ?? 0)
        return (0..<sending.messages).flatMap { number -> [Event] in
            let isIOS = number % 4 == 3
            func event(_ action: String, after seconds: Int64 = 0) -> Event {
                Event(
                    id: EventID(
                        high: UInt64(sending.day.dayNumber), low: UInt64(delivery) << 32 | UInt64(number)),
                    time: start + Int64(number % 600) * 1000 + seconds * 1000, delivery: delivery, records: 1,
                    source: 0,
                    action: UInt16(names.actions.firstIndex(of: action) ?? 0), platform: isIOS ? .ios : .android)
            }
            let arrival = isIOS ? [event("arrival")] : []
            if isIOS, number % 40 == 39 { return arrival }
            let shown = arrival + [event("impression")]
            if number % 100 < sending.opened {
                let delay = delays[number / 7 % delays.count]
                return shown + [event("click", after: delay), event("open", after: delay)]
            }
            return shown + (number % 20 == 19 ? [event("click", after: 60)] : [])
        }
    }

    private static func list(of sendings: [Sending]) -> DeliveryList {
        var list = DeliveryList()
        for sending in sendings {
            for (platform, share) in [(Platform.android, 3), (.ios, 1)] {
                list.add(
                    sending.id, label: sending.label, campaign: sending.campaign, variant: sending.variant,
                    platform: platform, day: sending.sent.map { _ in sending.day },
                    sent: sending.sent.map { $0 * share / 4 })
            }
        }
        return list
    }
}
