/// A message among some events.
struct FoundMessage: Sendable {
    /// The index of its first event.
    var first: Int32
    var stages: Stages
}
