/// A figure that people look at first.
struct Card {
    let name: String
    /// Nil if it is not known.
    let value: String?
    /// What is to be known of the name.
    var detail: String?
    var change: Markup?
}
