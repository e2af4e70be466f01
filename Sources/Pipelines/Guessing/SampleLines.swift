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

    /// The same lines, but each object of a line that holds several JSON objects is a line.
    var withObjectsApart: SampleLines {
        let objects = ranges.map { bytes.span.extracting($0).objects }
        guard objects.contains(where: { $0.count > 1 }) else { return self }
        var apart: [UInt8] = []
        for (line, objects) in zip(ranges, objects) {
            for object in objects {
                apart += bytes[line.lowerBound + object.lowerBound..<line.lowerBound + object.upperBound]
                apart.append(0x0A)
            }
        }
        return SampleLines(apart, isAtEnd: isAtEnd)
    }

    /// The lines that were in JSON objects. Others are left out.
    func unwrapped(_ path: [String]) -> SampleLines {
        var unwrapper = LineUnwrapper(path)
        var unwrapped: [UInt8] = []
        for range in ranges {
            guard unwrapper.unwrap(bytes.span.extracting(range)) != nil else { continue }
            while let line = unwrapper.nextLine() {
                for index in line { unwrapped.append(unwrapper.bytes[index]) }
                unwrapped.append(0x0A)
            }
        }
        return SampleLines(unwrapped, isAtEnd: true)
    }

    /// The most lines that JSON fields are looked for in.
    private static let jsonLines = 300

    /// What lines of JSON have.
    func fields(of indexes: [Int]) -> JSONFieldGuess {
        JSONFieldGuess(indexes.prefix(Self.jsonLines).map { Array(bytes[ranges[$0]]) })
    }

    /// What the lines have that seem to hold hits, as JSON.
    var fieldsOfHits: JSONFieldGuess {
        fields(of: RecordFormat.allCases.map { lines(of: $0) }.max { $0.count < $1.count } ?? [])
    }

    /// The number of lines that seem to hold more than one record.
    func linesWithSeveral(_ format: RecordFormat) -> Int {
        let bytes = bytes.span
        return ranges.count { format.hasSeveralSigns(in: bytes.extracting($0)) }
    }

    /// The indexes of the lines that have a sign.
    func lines(of format: RecordFormat) -> [Int] {
        let bytes = bytes.span
        return ranges.indices.filter { format.hasSign(in: bytes.extracting(ranges[$0])) }
    }
}
