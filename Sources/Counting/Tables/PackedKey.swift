import Calendar

/// The key of a row of a daily table, packed into two words.
package struct PackedKey: Equatable, Sendable {
    var high: UInt64
    var low: UInt64

    @inline(__always)
    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter number: of a day or an hour. Keys are sorted by it first, also where it lies before 1970.
    @inline(__always)
    init(number: Int32, rest: UInt32, low: UInt64) {
        self.init(high: UInt64(UInt32(bitPattern: number) ^ 1 << 31) << 32 | UInt64(rest), low: low)
    }

    @inline(__always)
    init(day: LogDate, rest: UInt32, low: UInt64) {
        self.init(number: Int32(truncatingIfNeeded: day.dayNumber), rest: rest, low: low)
    }

    @inline(__always)
    var day: LogDate { LogDate(dayNumber: Int(number)) }

    @inline(__always)
    var number: Int32 { Int32(bitPattern: UInt32(high >> 32) ^ 1 << 31) }
    @inline(__always)
    var rest: UInt32 { UInt32(truncatingIfNeeded: high) }

    @inline(__always)
    func precedes(_ other: PackedKey) -> Bool {
        high != other.high ? high < other.high : low < other.low
    }
}
