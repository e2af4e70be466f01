/// Writes events as rows of CSV.
struct GeneratedTable {
    /// The paths that the source names, and others, in the order of the columns.
    private(set) var columns: [String]
    private let separator: String
    private let quotesPercent: Int

    init(_ source: Pipeline.Source, _ random: inout SplitMix64) {
        let paths = source.fields.filter { !source.isTold($0.key) }.values + source.idParts
        let named = paths + paths.flatMap { source.otherPaths[$0] ?? [] } + source.required + source.times.map(\.path)
        // Names are equal by their bytes, not as strings are.
        let names = Set(named.map { Bytes($0) }).sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
        columns = random.shuffle(names + random.pick([[], ["note"], ["note", "Größe; in \"cm\""]]))
        separator = random.pick([",", ",", ";", "\t"])
        quotesPercent = random.pick([0, 10, 100])
    }

    mutating func shuffle(_ random: inout SplitMix64) { columns = random.shuffle(columns) }

    func header(_ random: inout SplitMix64) -> Bytes {
        joined(columns.map { Bytes(random.chance(10) ? " \($0) " : $0) }, breaksLines: false, &random)
    }

    /// An event in one row.
    func row(_ event: GeneratedJSON, breaksLines: Bool, _ random: inout SplitMix64) -> Bytes {
        var values = columns.map { column in
            event.text(at: column) ?? Bytes(column == "note" ? random.pick(["", "a \"b\"", "x,y;z\n"]) : "")
        }
        // A last value that is not there is missing.
        while values.count > 1, values.last == [], random.chance(40) { values.removeLast() }
        return joined(values, breaksLines: breaksLines, &random)
    }

    private func joined(_ values: [Bytes], breaksLines: Bool, _ random: inout SplitMix64) -> Bytes {
        let written = values.map { value -> Bytes in
            let value = breaksLines ? value : value.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
            let mustQuote = value.contains { "\"\r\n,;\t".utf8.contains($0) }
            guard mustQuote || random.chance(quotesPercent) else { return value }
            return Bytes("\"") + value.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + Bytes("\"")
        }
        // A line that is empty is no row.
        return written == [[]] ? Bytes("\"\"") : Bytes(written.joined(separator: Bytes(separator)))
    }

    /// A row with a fault.
    func faulty(_ row: Bytes, _ random: inout SplitMix64) -> Bytes {
        switch random.below(6) {
        case 0: return row + Bytes(String(repeating: separator, count: columns.count))
        case 1: return Bytes("\"") + row
        case 2: return Bytes("\"x\"y\(separator)") + row
        case 3: return row + Bytes("\(separator)\"")
        case 4: return Bytes("x\r\(separator)") + row
        default: return mutated(row, &random)
        }
    }
}

extension GeneratedJSON {
    /// The text of a value as a column has it; nil if there is none.
    fileprivate func text(at path: String) -> Bytes? {
        var value = self
        for name in pathNames(path) {
            guard case .object(let members) = value, let found = members.last(where: { $0.0 == name }) else {
                return nil
            }
            value = found.1
        }
        switch value {
        case .raw("null"): return nil
        case .raw(let text): return Bytes(text)
        case .string(let bytes): return bytes
        default: return Bytes("{}")
        }
    }
}

/// A CSV file of events, whose header comes again, perhaps in another order.
func generatedTable(
    _ source: Pipeline.Source, _ world: GeneratedWorld, _ date: Day, faults: Int, _ random: inout SplitMix64
) -> Bytes {
    let writer = GeneratedLineWriter(source: source, zone: world.zone, &random)
    let records = GeneratedRecords(world: world, source: source, logDate: date, faults: faults, writer: writer)
    var table = writer.table
    var rows = [table.header(&random)]
    if faults > 0, random.chance(20) { rows[0] = table.faulty(rows[0], &random) }
    for _ in 0..<random.pick(world.recordCounts) {
        let row = table.row(records.element(&random), breaksLines: true, &random)
        rows.append(random.chance(faults) ? table.faulty(row, &random) : row)
        if !source.skip.isEmpty, random.chance(15) {
            rows.append(table.faulty(GeneratedLayouts.errorLine(&random), &random))
        }
        if random.chance(4) {
            if random.chance(50) { table.shuffle(&random) }
            rows.append((random.chance(30) ? [0xEF, 0xBB, 0xBF] : []) + table.header(&random))
        }
    }
    if random.chance(1), random.chance(30) {
        rows.append(Bytes(repeating: UInt8(ascii: "x"), count: longestLine + random.pick([0, 1, 2, 2000])))
    }
    return GeneratedText(lines: rows, faults: faults, &random).bytes
}
