import LogFiles
import Records

/// The lines of a sample.
struct SampleLines {
    let bytes: [UInt8]
    /// Whether `bytes` end where the log does.
    let isAtEnd: Bool
    let ranges: [Range<Int>]

    init(_ sample: Sample) {
        self.init(sample.bytes, isAtEnd: sample.isAtEnd)
    }

    init(_ bytes: [UInt8], isAtEnd: Bool) {
        self.bytes = bytes
        self.isAtEnd = isAtEnd
        var ranges: [Range<Int>] = []
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            ranges.append(start..<(end > start && bytes[end - 1] == 0x0D ? end - 1 : end))
            start = end + 1
        }
        self.ranges = ranges
    }

    var count: Int { ranges.count }

    /// The indexes of the lines that have a sign.
    func lines(of format: RecordFormat) -> [Int] {
        let bytes = bytes.span
        return ranges.indices.filter { format.hasSign(in: bytes.extracting(ranges[$0])) }
    }
}
