import Foundation

/// Tells the calendar day of an instant in a time zone. Offsets are looked up once for each quarter of an hour that
/// occurs, since that is the grain on which zones have changed theirs for a century.
package struct DayClock {
    private static let grain: Int64 = 900_000

    private let zone: TimeZone
    private var cachedGrain = Int64.min
    private var cachedOffset: Int64 = 0
    private var offsets: [Int64: Int64] = [:]

    package init(zone: TimeZone) {
        self.zone = zone
    }

    /// Days since 1970-01-01 of the local calendar day that holds `time`, in milliseconds since the epoch.
    package mutating func day(of time: Int64) -> Int32 {
        let grain = DayClock.floorDivide(time, DayClock.grain)
        if grain != cachedGrain {
            cachedGrain = grain
            cachedOffset = offset(grain: grain)
        }
        return Int32(truncatingIfNeeded: DayClock.floorDivide(time &+ cachedOffset, 86_400_000))
    }

    private mutating func offset(grain: Int64) -> Int64 {
        if let known = offsets[grain] { return known }
        let seconds = Double(grain * DayClock.grain / 1000)
        let offset = Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))) * 1000
        offsets[grain] = offset
        return offset
    }

    @inline(__always)
    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient &- 1 : quotient
    }
}
