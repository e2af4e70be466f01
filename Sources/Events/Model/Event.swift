// What is public here is made and compared by the million in other modules: the compiler inlines there what is public, and
// calls what is `package`, whatever else it is marked as.

/// The id of a message, 128 bits wide: a hexadecimal id in `low` with `high` 0, a UUID's 16 bytes in order, or the
/// first 16 bytes of an opaque id's digest. Ids of different kinds never meet, so they lie in different sections.
public struct EventID: Hashable, Comparable, BitwiseCopyable, Sendable {
    public var high: UInt64
    public var low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    @inlinable @inline(__always)
    public static func == (a: EventID, b: EventID) -> Bool {
        a.low == b.low && a.high == b.high
    }

    @inlinable @inline(__always)
    public static func < (a: EventID, b: EventID) -> Bool {
        a.high != b.high ? a.high < b.high : a.low < b.low
    }
}

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

/// A platform; the raw values are in the order of the names' bytes.
public enum Platform: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case android = 0
    case ios = 1
    case unknown = 2
    case web = 3

    public var name: String {
        switch self {
        case .android: "android"
        case .ios: "ios"
        case .unknown: "unknown"
        case .web: "web"
        }
    }
}

/// One (broadlogId, action) of a section: its earliest record, and how many records it had. `source`, `action` and
/// `delivery` are indices into tables that travel beside the events; the indices of `source` are in pipeline order,
/// those of `action` and `delivery`, once a partition is written, in the order of their texts' bytes.
public struct Event: Sendable {
    public var id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    public var delivery: UInt32
    /// Records of this (broadlogId, action), the event itself included; at least 1.
    public var records: UInt32
    public var source: UInt16
    public var action: UInt16
    public var platform: Platform

    @inlinable @inline(__always)
    public init(
        id: EventID, time: Int64, delivery: UInt32, records: UInt32 = 1, source: UInt16, action: UInt16,
        platform: Platform
    ) {
        self.id = id
        self.time = time
        self.delivery = delivery
        self.records = records
        self.source = source
        self.action = action
        self.platform = platform
    }
}
