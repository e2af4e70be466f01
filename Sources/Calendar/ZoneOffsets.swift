/// The offsets of a time zone by local time. The last offset is cached with the local times that have it.
package struct ZoneOffsets {
    private let zone: ZoneRules
    private var offset: Int64 = 0
    private var range: Range<Int64> = 0..<0

    /// The offsets of `zone`, with an empty cache.
    package init(_ zone: ZoneRules) {
        self.zone = zone
    }

    /// The offset in seconds east of UTC at a local time. `seconds` counts from 1970-01-01T00:00:00 local time. A local
    /// time that occurs twice means its earlier instant; one that is skipped takes the offset from before the gap.
    package mutating func offset(atLocal seconds: Int64) -> Int64 {
        if !range.contains(seconds) { (offset, range) = zone.offset(atLocal: seconds) }
        return offset
    }
}
