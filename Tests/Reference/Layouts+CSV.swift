/// A row of CSV, or what stands in its place.
enum CSVPiece {
    case row([Bytes])
    case emptyLine
    /// A row that is a reject for this reason.
    case faulty(String)
    /// The file is cut off within the row, which has so many values so far.
    case cut(values: Int, isFaulty: Bool)
}

/// Reads CSV byte by byte.
struct CSVText {
    let text: Bytes
    let isCut: Bool
    var separator: UInt8?

    /// What begins at an offset, and where the next row does.
    func piece(at start: Int) -> (piece: CSVPiece, end: Int) {
        let separator = separator ?? firstSeparator(at: start)
        var values: [Bytes] = [[]]
        var (isQuoted, wasQuoted, isFaulty) = (false, false, false)
        var position = start
        func byte(_ offset: Int) -> UInt8? { position + offset < text.count ? text[position + offset] : nil }
        while let here = byte(0) {
            if position - start > longestLine + 1 { return (.faulty("line_too_long"), position) }
            if isQuoted {
                if here == 0x22, byte(1) == 0x22 {
                    values[values.count - 1].append(here)
                    position += 1
                } else if here == 0x22 {
                    (isQuoted, wasQuoted) = (false, true)
                } else {
                    values[values.count - 1].append(here)
                }
            } else if here == 0x0A || here == 0x0D && (byte(1) == 0x0A || byte(1) == nil && !isCut) {
                let end = min(text.count, position + (here == 0x0A ? 1 : 2))
                return (piece(values, isFaulty: isFaulty, wasQuoted: wasQuoted, length: position - start), end)
            } else if here == 0x0D, byte(1) == nil {
                // The line feed is cut off, or something else.
            } else if here == separator {
                values.append([])
                wasQuoted = false
            } else if here == 0x22, values[values.count - 1].isEmpty, !wasQuoted {
                isQuoted = true
            } else {
                isFaulty = isFaulty || wasQuoted
                values[values.count - 1].append(here)
            }
            position += 1
        }
        if isCut { return (.cut(values: values.count, isFaulty: isFaulty), text.count) }
        let length = position - start
        if isQuoted { return (.faulty(length > longestLine ? "line_too_long" : "malformed_line"), text.count) }
        return (piece(values, isFaulty: isFaulty, wasQuoted: wasQuoted, length: length), text.count)
    }

    private func piece(_ values: [Bytes], isFaulty: Bool, wasQuoted: Bool, length: Int) -> CSVPiece {
        if length > longestLine { return .faulty("line_too_long") }
        if values == [[]], !wasQuoted { return .emptyLine }
        return isFaulty ? .faulty("malformed_line") : .row(values)
    }

    /// The first byte that may separate values, outside of the quotes of a first value.
    func firstSeparator(at start: Int) -> UInt8 {
        var position = start
        if text[start] == 0x22 {
            position += 1
            while position < text.count {
                let isDoubled = text[position...].starts(with: [0x22, 0x22])
                if text[position] == 0x22, !isDoubled { break }
                position += isDoubled ? 2 : 1
            }
        }
        let rest = text[min(position, text.count)...].prefix { $0 != 0x0A }
        return rest.first { ",;\t".utf8.contains($0) } ?? UInt8(ascii: ",")
    }
}

extension Reading {
    /// The records of a CSV file. Nil if its header is not one that the source's columns are in.
    package func rowRecords(_ file: Unpacked) -> [Record]? {
        var csv = CSVText(text: file.body, isCut: file.status == .truncated)
        var records: [Record] = []
        var header: [Bytes]?
        var position = 0
        func line(of offset: Int) -> Int { csv.text[..<offset].count { $0 == 0x0A } + 1 }
        func trimmedNames(_ values: [Bytes]) -> [Bytes] { values.map(\.trimmed) }
        while position < csv.text.count {
            var (piece, end) = csv.piece(at: position)
            let rest = Bytes(csv.text[position...])
            // The separator of the first row is that of the file.
            if case .row = piece { csv.separator = csv.separator ?? csv.firstSeparator(at: position) }
            if rest.starts(with: [0xEF, 0xBB, 0xBF]), rest.count > 3, case .row = piece,
                case (.row(let values), let other) = csv.piece(at: position + 3),
                header.map({ isSame($0, trimmedNames(values)) }) ?? true
            {
                (piece, end) = (.row(values), other)
            }
            if case .cut(let values, let isFaulty) = piece, let header, rest.contains(0x0A),
                isFaulty || values > header.count
            {
                piece = .faulty("malformed_line")
            }
            switch piece {
            case .cut: return records
            case .emptyLine: break
            case .row(let values) where header == nil || isSame(header ?? [], trimmedNames(values)):
                if header == nil, !isHeader(trimmedNames(values)) { return nil }
                header = trimmedNames(values)
            case .faulty where header == nil: return nil
            case .row(let values) where values.count <= header?.count ?? 0:
                let members = zip(header ?? [], values).filter { !$0.1.isEmpty }.map { name, value in
                    (key: name, value: JSONTree(kind: .string(value), offset: position))
                }
                let row = JSONTree(kind: .object(members), offset: position)
                records += elementOutcomes(row, LogLine()).map { Record(line: line(of: position), outcome: $0) }
            case .row, .faulty:
                let reason = if case .faulty(let reason) = piece { reason } else { "malformed_line" }
                let whole = rest.firstIndex(of: 0x0A).map { Bytes(rest[..<$0]) } ?? rest
                let outcome = reason == "malformed_line" ? misfitOutcome(whole) : .rejected(reason)
                records.append(Record(line: line(of: position), outcome: outcome))
                end = min(csv.text.count, position + whole.count + 1)
            }
            position = end
        }
        return records
    }

    private func isSame(_ header: [Bytes], _ names: [Bytes]) -> Bool {
        func sorted(_ names: [Bytes]) -> [Bytes] { names.sorted { $0.lexicographicallyPrecedes($1) } }
        return sorted(header) == sorted(names)
    }

    /// Whether a first row has each column that the source names, once.
    private func isHeader(_ names: [Bytes]) -> Bool {
        let paths = source.fields.filter { !source.isTold($0.key) }.values + source.idParts
        let wanted =
            paths + paths.flatMap { source.otherPaths[$0] ?? [] } + source.required + source.times.map(\.path)
        let areThere = wanted.allSatisfy { name in names.count { $0 == Bytes(name) } == 1 }
        let hasBareReturn = names.contains { name in
            name.indices.contains { name[$0] == 0x0D && ($0 + 1 == name.count || name[$0 + 1] != 0x0A) }
        }
        return areThere && !hasBareReturn
    }
}
