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
    /// The minute of the day at which it is sent.
    var minute: Int
    /// Whether the delivery file tells what was sent for each platform.
    var isSplit = false

    /// By their rank in a date.
    static let all = [
        Campaign(label: "Black Friday, wave #", name: "Black Friday", size: 300, appeal: 95, minute: 600),
        Campaign(
            label: "Weekend offers", name: "Weekend offers", variant: "A", size: 110, appeal: 65, minute: 1110,
            isSplit: true),
        Campaign(
            label: "Weekend offers", name: "Weekend offers", variant: "B", size: 110, appeal: 95, minute: 1110,
            isSplit: true),
        Campaign(label: "Rebajas de otoño: −20 %", name: "Otoño", size: 90, appeal: 80, minute: 1200),
        Campaign(label: "Order \"as new\", today only", name: "", size: 60, appeal: 60, minute: 750),
        Campaign(label: "Your basket misses you 🛒", name: "Reminders", size: 50, appeal: 100, minute: 540),
        Campaign(label: "عروض الجمعة البيضاء", name: "Black Friday", size: 36, appeal: 85, minute: 1260, isSplit: true),
        Campaign(label: "Come back, 30 days", name: "Win-back", variant: "A", size: 25, appeal: 40, minute: 1020),
        Campaign(label: "Come back, 30 days", name: "Win-back", variant: "B", size: 25, appeal: 45, minute: 1020),
        Campaign(label: "Crème brûlée & café", name: "Recipes", size: 14, appeal: 90, minute: 480),
        Campaign(label: "=New in: sneakers", name: "Recipes", size: 9, appeal: 70, minute: 810),
        Campaign(label: "Überraschung für dich", name: "Birthday", size: 5, appeal: 100, minute: 1140),
    ]
}
