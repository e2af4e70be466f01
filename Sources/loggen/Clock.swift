import Reference

/// A day as a file sees it, in milliseconds, and when each record of the file is written.
struct Clock: Sendable {
    let start: Int
    let end: Int
    let records: Int
    let shape: DayShape

    func time(of index: Int) -> Int {
        let bucket = shape.bucket(at: ((index + 1) << 32 - 1) / records)
        let first = firstRecord(of: bucket)
        let count = max(1, firstRecord(of: bucket + 1) - first)
        let length = (end - start) / DayShape.buckets
        // Anywhere in its part of the bucket.
        let part = SplitMix64.scale(SplitMix64.mix(UInt64(index)), to: UInt64(length / count))
        return start + bucket * length + (index - first) * length / count + Int(part)
    }

    private func firstRecord(of bucket: Int) -> Int { (records * shape.before[bucket]) >> 32 }
}
