import Calendar
import Reference

/// When each record of a file is written.
struct Clock: Sendable {
    let start: Int
    let end: Int
    private let firstOfBucket: [Int]

    /// A day as the file sees it, in milliseconds: hosts turn their logs over a little after midnight.
    init(plan: Plan, file: Plan.File, shape: DayShape) {
        let turn = file.index * 137 % 600
        self.init(
            start: (plan.zone.start(of: file.date) + turn) * 1000,
            end: (plan.zone.start(of: file.date.adding(days: 1)) + turn) * 1000, records: file.records, shape: shape)
    }

    /// A number of records from `start` to `end`, in milliseconds.
    init(start: Int, end: Int, records: Int, shape: DayShape) {
        self.start = start
        self.end = end
        firstOfBucket = shape.before.map { (records * $0) >> 32 }
    }

    /// The time of the record at `index`, in milliseconds; `bucket` is a memory between calls in order.
    func time(of index: Int, bucket: inout Int) -> Int {
        while bucket < DayShape.buckets - 1, index >= firstOfBucket[bucket + 1] { bucket += 1 }
        let first = firstOfBucket[bucket]
        let count = max(1, firstOfBucket[bucket + 1] - first)
        let length = (end - start) / DayShape.buckets
        // Anywhere in its part of the bucket.
        let part = SplitMix64.scale(SplitMix64.mix(UInt64(index)), to: UInt64(length / count))
        return start + bucket * length + (index - first) * length / count + Int(part)
    }
}
