import LogFiles
import Records

/// The lines of a sample.
struct SampleLines {
    let bytes: [UInt8]
    /// Whether `bytes` end where the log does.
    let isAtEnd: Bool
    /// Without their ends.
    let lines: [[UInt8]]

    /// The most lines that JSON fields are looked for in.
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

    /// The same lines, but each object of a line that holds several JSON objects is a line.
    var withObjectsApart: SampleLines {
        let objects = lines.map { line in line.span.objects.map { line[$0] } }
        guard objects.contains(where: { $0.count > 1 }) else { return self }
        return SampleLines(objects.joined(), isAtEnd: isAtEnd)
    }

    /// The lines that were in JSON objects. Others are left out.
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

    /// What lines of JSON have.
    func fields(of indexes: [Int]) -> JSONFieldGuess {
        JSONFieldGuess(indexes.prefix(Self.jsonLines).map { lines[$0] })
    }

    /// What the lines have that seem to hold hits, as JSON.
    var fieldsOfHits: JSONFieldGuess {
        fields(of: RecordFormat.allCases.map { hinted($0) }.max { $0.count < $1.count } ?? [])
    }
}
