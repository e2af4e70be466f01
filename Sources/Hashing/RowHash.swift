/// A 64-bit hash of a row of numbers. It is stored in partitions, so it must not change.
package enum RowHash {
    /// The hash of the words in this order.
    @inlinable @inline(__always)
    package static func of<let count: Int>(_ words: InlineArray<count, UInt64>) -> UInt64 {
        var state: UInt64 = 0
        for index in 0..<count { state = WordHash.mix(state ^ words[index]) }
        return state ^ (state >> 29)
    }
}
