import Reference

/// When each record of a file is written.
struct Clock: Sendable {
    /// In milliseconds.
    let start: Int
    let end: Int
    private let firstOfBucket: [Int]
    private var bucket = 0

    init(start: Int, end: Int, records: Int, shape: DayShape) {
        self.start = start
        self.end = end
        firstOfBucket = shape.before.map { (records * $0) >> 32 }
    }

    /// The time of the record at `index`, in milliseconds. Calls come in order.
    mutating func time(of index: Int) -> Int {
        while bucket < DayShape.buckets - 1, index >= firstOfBucket[bucket + 1] { bucket += 1 }
        let first = firstOfBucket[bucket]
        let count = max(1, firstOfBucket[bucket + 1] - first)
        let length = (end - start) / DayShape.buckets
        // Anywhere in its part of the bucket.
        let part = SplitMix64.scale(SplitMix64.mix(UInt64(index)), to: UInt64(length / count))
        return start + bucket * length + (index - first) * length / count + Int(part)
    }
}
