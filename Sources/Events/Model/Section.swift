/// A section of a partition: the events whose ids can meet. Sections are ordered by the text of their id space, then
/// by kind.
public struct Section: Hashable, Comparable, Sendable {
    public enum Kind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        case hex = 0
        case uuid = 1
        case opaque = 2
    }

    public var idSpace: String
    public var kind: Kind

    public init(idSpace: String, kind: Kind) {
        self.idSpace = idSpace
        self.kind = kind
    }

    // By the bytes of the text: Swift takes texts for the same that look alike.

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
