/// A section of a partition: the events with ids of one id space and one kind. Only ids of the same section can be
/// equal. Sections are ordered by the bytes of the id space, then by kind.
public struct Section: Hashable, Comparable, Sendable {
    /// The kind of an id. `EventID` says how an id of each kind is stored.
    public enum Kind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        case hex = 0
        case uuid = 1
        /// Any other text.
        case opaque = 2
    }

    /// The name of the id space, which the pipeline file gives.
    public var idSpace: String
    public var kind: Kind

    public init(idSpace: String, kind: Kind) {
        self.idSpace = idSpace
        self.kind = kind
    }

    // Texts are compared by their bytes, because Swift treats different bytes of canonically equivalent texts as equal.

    public static func == (a: Section, b: Section) -> Bool {
        a.kind == b.kind && a.idSpace.utf8.elementsEqual(b.idSpace.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        for byte in idSpace.utf8 { hasher.combine(byte) }
    }

    public static func < (a: Section, b: Section) -> Bool {
        if !a.idSpace.utf8.elementsEqual(b.idSpace.utf8) {
            return a.idSpace.utf8.lexicographicallyPrecedes(b.idSpace.utf8)
        }
        return a.kind.rawValue < b.kind.rawValue
    }
}
