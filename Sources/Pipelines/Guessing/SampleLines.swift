import LogFiles
import Records

struct SampleLines {
    let bytes: [UInt8]
    /// Whether `bytes` end where the log does.
    let isAtEnd: Bool
    /// The lines without their line ends.
    let lines: [[UInt8]]

    /// The most lines that are searched for JSON fields.
    private static let jsonLines = 300

    init(_ bytes: [UInt8], isAtEnd: Bool) {
        self.bytes = bytes
        self.isAtEnd = isAtEnd
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines.map { Array($0.last == 0x0D ? $0.dropLast() : $0) }
    }

    init(_ lines: some Sequence<some Sequence<UInt8>>, isAtEnd: Bool = true) {
        self.init(lines.flatMap { $0 + [0x0A] }, isAtEnd: isAtEnd)
    }

    /// The lines, with each object of a line that holds several JSON objects on a line of its own.
    var withObjectsApart: SampleLines {
        let objects = lines.map { line in line.span.objects.map { line[$0] } }
        guard objects.contains(where: { $0.count > 1 }) else { return self }
        return SampleLines(objects.joined(), isAtEnd: isAtEnd)
    }

    /// The lines inside JSON objects, taken from the value at `path`. Lines without such a value are left out.
    func unwrapped(_ path: [String]) -> SampleLines {
        var unwrapper = LineUnwrapper(path)
        var unwrapped: [[UInt8]] = []
        for line in lines where unwrapper.unwrap(line.span) != nil {
            while let range = unwrapper.nextLine() { unwrapped.append(range.map { unwrapper.bytes[$0] }) }
        }
        return SampleLines(unwrapped)
    }

    /// The indexes of the lines that have a sign.
    func hinted(_ format: RecordFormat) -> [Int] {
        lines.enumerated().filter { format.hasSign(in: $0.element.span) }.map(\.offset)
    }

    /// Whether a line holds a JSON object, perhaps with escapes.
    func holdsObject(_ index: Int) -> Bool {
        String(decoding: lines[index], as: UTF8.self).contains(String.objectStart)
    }

    /// Whether a line begins like a JSON object.
    func isJSON(_ index: Int) -> Bool { lines[index].first == UInt8(ascii: "{") }

    /// The JSON fields of some lines.
    func fields(of indexes: [Int]) -> JSONFieldGuess {
        JSONFieldGuess(indexes.prefix(Self.jsonLines).map { lines[$0] })
    }

    /// The JSON fields of the lines that seem to hold hits.
    var fieldsOfHits: JSONFieldGuess {
        fields(of: RecordFormat.allCases.map { hinted($0) }.max { $0.count < $1.count } ?? [])
    }
}
