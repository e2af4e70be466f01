/// A message in a span of events.
struct FoundMessage: Sendable {
    /// The index of its first event in the span.
    var first: Int32
    var stages: Stages
}
