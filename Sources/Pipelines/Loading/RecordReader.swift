import LogFiles
import Records

/// Cuts a file's bytes into records, by the source's format and layout.
struct RecordReader {
    private let readsBodies: Bool
    /// Whether the records are objects of lines that may have any length.
    private let readsObjects: Bool
    /// Whether each line is one record, so that the two counts can be compared.
    let countsLines: Bool
    private(set) var lines = 0
    private var splitter = LineSplitter()
    private var place = ObjectPlace()
    private var parser: LineParser
    private var bodies: BodyReader

    init(_ rules: RecordRules) {
        if case .body = rules.layout { readsBodies = rules.format.hasBodies } else { readsBodies = false }
        if case .json = rules.layout { readsObjects = true } else { readsObjects = false }
        countsLines =
            !rules.format.hasBodies && rules.unwrap.isEmpty && !readsObjects && rules.layout != .cloudFront
        parser = LineParser(rules)
        bodies = BodyReader(rules)
    }

    mutating func beginFile(_ rules: RecordRules) {
        lines = 0
        splitter = LineSplitter()
        place = ObjectPlace()
        parser.beginFile()
        if readsBodies { bodies = BodyReader(rules) }
    }

    /// The time of receipt of the first line in `bytes` that has one. The next file must be begun afterwards.
    mutating func firstReceiptTime(in bytes: Span<UInt8>) -> Int64? {
        guard !readsBodies else { return nil }
        var time: Int64?
        var splitter = LineSplitter()
        _ = splitter.split(bytes, atEnd: true) { line, _ in
            if time == nil { time = parser.receiptTime(of: line) }
        } overlong: { beginning, _ in
            if time == nil { time = parser.receiptTime(of: beginning) }
        }
        return time
    }

    /// Whether the zone decided what a time of a line means.
    var hasUsedZone: Bool { parser.hasUsedZone }

    /// The names of a payload's actions by their indices, with those that were learned.
    var actions: [UInt16: String] { readsBodies ? bodies.actions : parser.actions }

    /// The file is cut off after `bytes`. A cut line does not count, but for its whole objects; bytes that begin no body are
    /// rejects.
    mutating func endCut(_ bytes: Span<UInt8>, into sink: inout some RecordSink) {
        if readsBodies { _ = bodies.read(bytes, .cut, into: &sink) }
        if readsObjects { _ = parser.parseObjects(bytes, .cut, from: &place, into: &sink) }
    }

    /// Reads the beginning of a file on the obvious path, which tells the lines of records.
    /// - Parameter isAtEnd: whether the bytes end where the log does.
    mutating func readSample(
        _ bytes: Span<UInt8>, isAtEnd: Bool, _ rules: RecordRules, into sink: inout some RecordSink
    ) {
        beginFile(rules)
        let taken = read(bytes, atEnd: isAtEnd, isFast: false, into: &sink)
        if !isAtEnd { endCut(bytes.extracting(taken..<bytes.count), into: &sink) }
    }

    /// - Parameter isFast: whether the fast path is used, which does not tell the lines of records.
    mutating func read(
        _ bytes: Span<UInt8>, atEnd: Bool, isFast: Bool = true, into sink: inout some RecordSink
    ) -> Int {
        if readsBodies { return bodies.read(bytes, atEnd ? .fileEnds : .moreComes, into: &sink) }
        if readsObjects {
            return parser.parseObjects(bytes, atEnd ? .fileEnds : .moreComes, from: &place, into: &sink)
        }
        var splitter = splitter
        let taken = splitter.split(bytes, atEnd: atEnd) { start in
            guard isFast else { return (start, 0) }
            let read = parser.parseOrdinaryLines(bytes, from: start, into: &sink)
            lines &+= read.lines
            return read
        } line: { line, number in
            guard !parser.takeDirective(line) else { return }
            lines &+= 1
            parser.parse(line, number: number, into: &sink)
        } overlong: { beginning, number in
            lines &+= 1
            sink.reject(.lineTooLong, line: number, evidence: beginning)
        }
        self.splitter = splitter
        return taken
    }
}
