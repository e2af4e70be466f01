import Calendar

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

// Types of this module are public, and not `package`, if other modules create or compare millions of them. The compiler
// inlines public code into other modules, but not `package` code, even with @inlinable.

/// One (broadlogId, action) of a section: its earliest record, and the number of its records.
///
/// `source`, `action` and `delivery` are indices into tables that accompany the events. Sources are in the order of the
/// pipeline file. In a written partition, actions and deliveries are sorted by the bytes of their texts.
public struct Event: BitwiseCopyable, Sendable {
    /// The id of the message.
    public var id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    public var delivery: UInt32
    /// The number of records of this (broadlogId, action), at least 1.
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

extension Span<Event> {
    /// Whether the events are sorted by (id, action), with one event for each.
    package var isSorted: Bool {
        for index in indices.dropFirst() {
            let a = self[index - 1]
            let b = self[index]
            guard a.id < b.id || a.id == b.id && a.action < b.action else { return false }
        }
        return true
    }
}

/// The id of a message in 128 bits.
///
/// A hexadecimal id is in `low`, with 0 in `high`. A UUID has its 16 bytes in order. An opaque id is the first 16 bytes
/// of its SHA-256 digest. Ids of different kinds are never compared, because they belong to different sections.
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
    public static func < (a: EventID, b: EventID) -> Bool { a.number < b.number }

    /// Both words as one number.
    @inlinable @inline(__always)
    var number: UInt128 { UInt128(high) &<< 64 | UInt128(low) }
}

/// The platform of a device. The raw values have the order of the names.
public enum Platform: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case android = 0
    case ios = 1
    case unknown = 2
    case web = 3

    /// The name in the databases.
    public var name: String {
        switch self {
        case .android: "android"
        case .ios: "ios"
        case .unknown: "unknown"
        case .web: "web"
        }
    }
}

/// The order in which the events of a message come: by time, position of the source in the pipeline, delivery id, platform,
/// action, log date. This is the only place that knows it.
///
/// Of events with the same action, the first one counts. Of all events, the first one is the message's first.
public struct EventRank: Comparable, BitwiseCopyable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// Source, delivery and platform side by side.
    @usableFromInline let detail: UInt64
    public let action: UInt16
    @usableFromInline let logDate: LogDate

    /// `source` is the source's position in the pipeline. `delivery` and `action` compare as the bytes of the texts do.
    /// Among events of one partition, `logDate` is the same.
    @inlinable @inline(__always)
    public init(
        time: Int64, source: UInt16, delivery: UInt32, platform: Platform, action: UInt16, logDate: LogDate = .epoch
    ) {
        self.time = time
        detail = UInt64(source) << 34 | UInt64(delivery) << 2 | UInt64(platform.rawValue)
        self.action = action
        self.logDate = logDate
    }

    @inlinable @inline(__always)
    public static func < (a: EventRank, b: EventRank) -> Bool {
        if a.time != b.time { return a.time < b.time }
        if a.detail != b.detail { return a.detail < b.detail }
        return a.action != b.action ? a.action < b.action : a.logDate < b.logDate
    }
}

/// An event that was found in some bytes. Its delivery id is a range of these bytes.
public struct FoundEvent: BitwiseCopyable, Sendable {
    public var id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    /// The offset of the delivery id in the bytes.
    public var delivery: Int
    /// The length of the delivery id in bytes.
    public var deliveryCount: Int32
    /// The index of the action, as in `Event`.
    public var action: UInt16
    public var kind: Section.Kind
    public var platform: Platform

    @inlinable
    public init(
        id: EventID, kind: Section.Kind, time: Int64, action: UInt16, platform: Platform, delivery: Range<Int>
    ) {
        self.id = id
        self.kind = kind
        self.time = time
        self.action = action
        self.platform = platform
        self.delivery = delivery.lowerBound
        deliveryCount = Int32(truncatingIfNeeded: delivery.count)
    }
}

/// The texts that the numbers in events stand for.
package struct EventNames: Codable, Equatable, Sendable {
    /// In pipeline order.
    package var sources: [String]
    package var actions: [String]
    package var deliveries: [String]

    package init(sources: [String] = [], actions: [String] = [], deliveries: [String] = []) {
        self.sources = sources
        self.actions = actions
        self.deliveries = deliveries
    }

    /// Whether actions and deliveries are sorted by their bytes, each of them once.
    package var areSorted: Bool {
        [actions, deliveries].allSatisfy { texts in
            zip(texts, texts.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    /// Numbers of events, which are by the numbers of source and action, by their names.
    package func named(_ events: [Int: [Int: Int]]) -> [String: [String: Int]] {
        var named: [String: [String: Int]] = [:]
        for (source, counts) in events {
            for (action, count) in counts { named[sources[source], default: [:]][actions[action], default: 0] += count }
        }
        return named
    }
}

/// Returns the first index in `range` that is not before a searched element, or the end of the range.
///
/// `isBefore` must be true for all indices up to that one and false from there on.
@inline(__always)
package func firstIndex(in range: Range<Int>, whereNot isBefore: (Int) -> Bool) -> Int {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper {
        let middle = (lower + upper) / 2
        if isBefore(middle) { lower = middle + 1 } else { upper = middle }
    }
    return lower
}
