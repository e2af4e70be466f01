/// One of the most important figures.
struct Card {
    let name: String
    /// Nil if it is not known.
    let value: String?
    /// An explanation of the name.
    var detail: String?
    var change: Markup?
}
