/// The header of a CSV file of events: which column has the value of each path.
struct CSVHeader {
    /// By path of the rules but the last, which is the row itself, the name of its column.
    private let wanted: [[UInt8]]
    /// The paths whose values a sample may show.
    private let shownPaths: [Int]
    /// The trimmed names, in the order of the columns; empty before the header was read.
    private var names: [[UInt8]] = []
    /// The same in order, to compare.
    private var sorted: [[UInt8]] = []
    /// The lengths of the names: a bit for each up to 63.
    private var lengths: UInt64 = 0
    /// By path, its column.
    private(set) var columns: [Int] = []
    private var shownColumns: Set<Int> = []
    /// Why no row can be read.
    private(set) var fault: HeaderFault?

    init(of rules: PayloadRules) {
        wanted = rules.paths.dropLast().map { ascii($0[0]) }
        shownPaths = rules.shownPaths
    }

    var isRead: Bool { !names.isEmpty }

    /// The number of columns.
    var count: Int { names.count }

    /// Takes a row if it is the first one, or has the header's names, perhaps in another order. Returns false for other
    /// rows.
    mutating func takeRow(of reader: borrowing CSVReader, in bytes: Span<UInt8>) -> Bool {
        if isRead {
            guard reader.fields.count == names.count, reader.misfit == nil, mayBeName(bytes, in: reader.fields[0])
            else {
                return false
            }
        }
        var row = CSVRow()
        row.copy(reader, of: bytes)
        let span = row.bytes.span
        let found = row.ranges.map { Array(row.bytes[span.trimmed($0)]) }
        if isRead {
            guard found != names else { return true }
            guard found.sorted(by: { $0.lexicographicallyPrecedes($1) }) == sorted else { return false }
        }
        read(found)
        if reader.misfit != nil { fault = .malformed }
        return true
    }

    /// Notes that the first row has no end.
    mutating func refuse(_ bytes: Span<UInt8>, from start: Int) {
        let end = min(bytes.count, start + CSVReader.longestRow)
        fault = bytes.firstIndex(of: 0x0D, from: start, to: end) == nil ? .malformed : .bareReturns
    }

    /// Whether a row's first field is as long as a name. Nearly all rows end here.
    private func mayBeName(_ bytes: Span<UInt8>, in field: Range<Int>) -> Bool {
        // A quote may be doubled in a name.
        let length = bytes.trimmed(field).count
        return length >= 63 || lengths >> UInt64(length) & 1 == 1
            || bytes.firstIndex(
                of: UInt8(ascii: "\""), from: field.lowerBound, to: field.upperBound) != nil
    }

    private mutating func read(_ names: [[UInt8]]) {
        self.names = names
        sorted = names.sorted { $0.lexicographicallyPrecedes($1) }
        for name in names { lengths |= 1 << UInt64(min(name.count, 63)) }
        // A CR in a name is rather the end of a line, unless it begins a CRLF in quotes.
        let isBroken = names.contains { name in
            name.indices.contains { name[$0] == 0x0D && name.dropFirst($0 + 1).first != 0x0A }
        }
        if isBroken {
            fault = .bareReturns
            return
        }
        let missing = Set(wanted).subtracting(names).map { String(decoding: $0, as: UTF8.self) }
        let twice = wanted.first { name in names.count(where: { $0 == name }) > 1 }
        if !missing.isEmpty {
            fault = .missingColumns(missing.sorted(), found: names.map { HeaderFault.shownName($0) })
        } else if let twice {
            fault = .columnTwice(String(decoding: twice, as: UTF8.self))
        } else {
            columns = wanted.map { names.firstIndex(of: $0) ?? 0 }
            shownColumns = Set(shownPaths.map { columns[$0] })
        }
    }

    /// What a sample is made of: the fields of a row, of which others than those of action, platform and times are
    /// masked.
    func evidence(of fields: [Range<Int>], in text: Span<UInt8>, separator: UInt8) -> [UInt8] {
        var evidence: [UInt8] = []
        for (column, field) in fields.enumerated() where evidence.count < SampleText.limit {
            if column > 0 { evidence.append(separator) }
            if shownColumns.contains(column) {
                evidence.append(text, in: field)
            } else if !field.isEmpty {
                evidence += SampleText.mask
            }
        }
        return evidence
    }
}
