import LogFiles
import Records

/// Cuts a file's bytes into records, by the source's format and layout.
struct RecordReader {
    private enum Form {
        /// Lines of at most 1 MiB.
        case lines
        /// JSON objects, each in a line of any length.
        case objects
        /// Lines that begin with `{`, read as objects, and other lines.
        case linesAndObjects
        /// Objects that may span lines.
        case bodies
        /// Rows of CSV, which may span lines.
        case rows
    }

    private let form: Form
    /// Whether each line is one record, so that the two counts can be compared.
    let countsLines: Bool
    private(set) var lines = 0
    private var splitter = LineSplitter()
    private var place = ObjectPlace()
    private var parser: LineParser
    private var bodies: BodyReader
    private var rows: RowReader?

    init(_ rules: RecordRules) {
        form =
            if rules.layout == .csv {
                .rows
            } else if rules.layout == .body, rules.format.hasBodies {
                .bodies
            } else if !rules.layouts.contains(where: \.isJSON) {
                .lines
            } else if rules.layouts.count == 1 || !rules.unwrap.isEmpty {
                .objects
            } else {
                .linesAndObjects
            }
        countsLines =
            !rules.format.hasBodies && rules.unwrap.isEmpty && form == .lines && rules.layout != .cloudFront
        parser = LineParser(rules)
        bodies = BodyReader(rules)
        rows = form == .rows ? RowReader(rules) : nil
    }

    mutating func beginFile(_ rules: RecordRules) {
        lines = 0
        splitter = LineSplitter()
        place = ObjectPlace()
        parser.beginFile()
        if form == .bodies { bodies = BodyReader(rules) }
        rows?.beginFile()
    }

    /// The time of receipt in the first line of `bytes` that has one. It uses the parser, so `beginFile` must be called
    /// before the next file is read.
    mutating func firstReceiptTime(in bytes: Span<UInt8>) -> Int64? {
        guard form != .bodies, form != .rows else { return nil }
        var time: Int64?
        var splitter = LineSplitter()
        _ = splitter.split(bytes, atEnd: true) { line, _ in
            if time == nil { time = parser.receiptTime(of: line) }
        } overlong: { beginning, _ in
            if time == nil { time = parser.receiptTime(of: beginning) }
        }
        return time
    }

    /// Whether a time without an offset was read, so that the zone decided its meaning.
    var hasUsedZone: Bool { bodies.hasUsedZone || parser.hasUsedZone || rows?.hasUsedZone == true }

    /// Why the header makes all rows unreadable; nil if it does not.
    var headerFault: HeaderFault? { rows?.headerFault }

    /// The names of a payload's actions by their numbers, including the names found while reading.
    var actions: [UInt16: String] {
        switch form {
        case .bodies: bodies.actions
        case .rows: rows?.actions ?? [:]
        default: parser.actions
        }
    }

    /// The file is cut off after `bytes`. A cut line does not count, but for its whole objects; bytes that begin no
    /// body are rejects.
    mutating func endCut(_ bytes: Span<UInt8>, into sink: inout some RecordSink) {
        if form == .bodies { _ = bodies.read(bytes, ending: .cut, into: &sink) }
        _ = rows?.read(bytes, ending: .cut, into: &sink)
        let isOfObjects = form == .objects || form == .linesAndObjects && place.isInObjects(bytes)
        if isOfObjects { _ = parser.parseObjects(bytes, ending: .cut, from: &place, into: &sink) }
    }

    /// Reads the beginning of a file without the fast path, so that each record comes with its line number.
    /// - Parameter isAtEnd: whether the bytes end where the log does.
    mutating func readSample(
        _ bytes: Span<UInt8>, isAtEnd: Bool, rules: RecordRules, into sink: inout some RecordSink
    ) {
        beginFile(rules)
        let taken = read(bytes, atEnd: isAtEnd, isFast: false, into: &sink)
        if !isAtEnd { endCut(bytes.extracting(taken..<bytes.count), into: &sink) }
    }

    /// - Parameter isFast: whether to use the fast path, which does not tell line numbers.
    mutating func read(
        _ bytes: Span<UInt8>, atEnd: Bool, isFast: Bool = true, into sink: inout some RecordSink
    ) -> Int {
        let ending = atEnd ? BodyReader.Ending.fileEnds : .moreComes
        switch form {
        case .lines: return readLines(bytes, atEnd: atEnd, isFast: isFast, into: &sink)
        case .objects: return parser.parseObjects(bytes, ending: ending, from: &place, into: &sink)
        case .linesAndObjects: return readLinesAndObjects(bytes, ending: ending, isFast: isFast, into: &sink)
        case .bodies: return bodies.read(bytes, ending: ending, into: &sink)
        case .rows: return rows?.read(bytes, ending: ending, into: &sink) ?? bytes.count
        }
    }

    private mutating func readLines(
        _ bytes: Span<UInt8>, atEnd: Bool, isFast: Bool, into sink: inout some RecordSink
    ) -> Int {
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

    /// Reads lines by the source's layouts. Lines that begin with `{` are read object by object.
    private mutating func readLinesAndObjects(
        _ bytes: Span<UInt8>, ending: BodyReader.Ending, isFast: Bool, into sink: inout some RecordSink
    ) -> Int {
        var index = 0
        while index < bytes.count {
            let rest = bytes.extracting(index..<bytes.count)
            let isOfObjects = place.isInObjects(rest)
            if isFast, !isOfObjects {
                let read = parser.parseOrdinaryLines(rest, from: 0, into: &sink)
                place.skipLines(read.lines)
                index += read.end
                if read.lines > 0 { continue }
            }
            let feed = LineSplitter.nextLineFeed(in: rest, from: 0)
            let line = rest.extracting(0..<(feed.map { $0 + 1 } ?? rest.count))
            let lineEnding = feed == nil ? ending : .fileEnds
            if !isOfObjects, lineEnding == .fileEnds {
                readLine(line.extracting(0..<(feed ?? line.count)), into: &sink)
                place.skipLines(1)
                index += line.count
                continue
            }
            if !isOfObjects {
                // One byte more than the limit may be the CR of a line that is just short enough.
                guard line.count > LineSplitter.lineLimit + 1 else { return index }
                rejectOverlong(line, into: &sink)
                place.skipsLine = true
            }
            let taken = parser.parseObjects(line, ending: lineEnding, from: &place, into: &sink)
            index += taken
            guard taken == line.count else { return index }
        }
        return index
    }

    /// Reads a line, which may end in CR.
    private mutating func readLine(_ bytes: Span<UInt8>, into sink: inout some RecordSink) {
        let hasReturn = !bytes.isEmpty && bytes[bytes.count - 1] == 0x0D
        let line = bytes.extracting(0..<bytes.count - (hasReturn ? 1 : 0))
        guard line.count <= LineSplitter.lineLimit else { return rejectOverlong(line, into: &sink) }
        parser.parse(line, number: place.line, into: &sink)
    }

    private func rejectOverlong(_ line: Span<UInt8>, into sink: inout some RecordSink) {
        sink.reject(
            .lineTooLong, line: place.line, evidence: line.extracting(0..<min(line.count, LineSplitter.keptBytes)))
    }
}
