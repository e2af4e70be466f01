/// A delivery that a marketer sends on each date, to many people at once. What is sent to one person by an event, such
/// as an order, belongs to no campaign.
struct Campaign: Sendable {
    /// A `#` stands for the number of the date.
    var label: String
    var name: String
    var variant = ""
    /// How many people get it, in relation to the others.
    var size: Int
    /// Of a hundred people who would open another, those who open this.
    var appeal: Int
    /// Of a hundred messages that were sent, those that become known to a log.
    var reach: Int
    /// The one of `times` at which it is sent on Mondays, and the next one on the day after.
    var time: Int
    /// Whether the delivery file tells what was sent for each platform.
    var split = Split.none

    enum Split: Sendable {
        /// One number for all platforms, only one for each platform, both.
        case none, only, both
    }

    /// The minutes of the day at which people send.
    private static let times = [600, 1110, 1200, 750, 540, 1260, 1020, 480, 810, 1140]

    /// By their rank in a date.
    static let all = [
        Campaign(label: "Black Friday, wave #", name: "Black Friday", size: 300, appeal: 95, reach: 88, time: 0),
        Campaign(
            label: "Weekend offers", name: "Weekend offers", variant: "A", size: 110, appeal: 65, reach: 84, time: 1,
            split: .only),
        Campaign(
            label: "Weekend offers", name: "Weekend offers", variant: "B", size: 110, appeal: 95, reach: 84, time: 1,
            split: .only),
        Campaign(label: "Rebajas de otoño: −20 %", name: "Otoño", size: 90, appeal: 80, reach: 81, time: 2),
        Campaign(
            label: "Order \"as new\", today only", name: "", size: 60, appeal: 60, reach: 78, time: 3, split: .both),
        Campaign(label: "Your basket misses you 🛒", name: "Reminders", size: 50, appeal: 100, reach: 90, time: 4),
        Campaign(
            label: "عروض الجمعة البيضاء", name: "Black Friday", size: 36, appeal: 85, reach: 86, time: 5, split: .only),
        Campaign(
            label: "Come back, 30 days", name: "Win-back", variant: "A", size: 25, appeal: 40, reach: 62, time: 6),
        Campaign(
            label: "Come back, 30 days", name: "Win-back", variant: "B", size: 25, appeal: 45, reach: 62, time: 6),
        Campaign(label: "Crème brûlée & café", name: "Recipes", size: 14, appeal: 90, reach: 80, time: 7),
        Campaign(label: "=New in: sneakers", name: "Recipes", size: 9, appeal: 70, reach: 83, time: 8, split: .both),
        Campaign(label: "Überraschung für dich", name: "Birthday", size: 5, appeal: 100, reach: 91, time: 9),
    ]

    /// The minute of the day at which it is sent.
    func minute(on weekday: Int) -> Int {
        Self.times[(time + weekday) % Self.times.count]
    }
}
