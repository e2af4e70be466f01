import Testing

@testable import Records

/// What ends the reading of a file.
private enum End: Equatable {
    case whole, tooLong
    case openQuote(line: Int)
}

/// Reads text in pieces of some size.
private func read(_ bytes: [UInt8], pieces size: Int) -> (rows: [[String]], lines: [Int], end: End) {
    var reader = CSVReader()
    var (rows, lines, left): ([[String]], [Int], [UInt8]) = ([], [], [])
    var (row, line) = (CSVRow(), 1)
    for start in stride(from: 0, to: bytes.count, by: size) {
        let end = min(start + size, bytes.count)
        left += bytes[start..<end]
        var index = 0
        reading: while index < left.count {
            switch reader.read(left.span, from: index, atEnd: end == bytes.count) {
            case .unfinished: break reading
            case .emptyLine(let next):
                index = next
                line += 1
            case .row(let next):
                row.copy(reader, of: left.span)
                rows.append((0..<row.count).map { String(decoding: row.bytes[row.range($0)], as: UTF8.self) })
                lines.append(line)
                index = next
                line += 1 + reader.lineFeeds
            case .openQuote:
                let quote = reader.openQuote ?? 0
                return (rows, lines, .openQuote(line: line + left.span.lineFeeds(in: index..<quote)))
            case .tooLong: return (rows, lines, .tooLong)
            }
        }
        left.removeFirst(index)
    }
    #expect(left.isEmpty)
    return (rows, lines, .whole)
}

@Suite struct CSVReaderTests {
    @Test(
        arguments: [
            ("", [], []),
            ("a", [["a"]], [1]),
            ("a,b\n1,2\n", [["a", "b"], ["1", "2"]], [1, 2]),
            ("a,b\r\n1,2", [["a", "b"], ["1", "2"]], [1, 2]),
            ("a,b\r\n1,2\r", [["a", "b"], ["1", "2"]], [1, 2]),
            ("a;b,c\n1;2,3;\n", [["a", "b,c"], ["1", "2,3", ""]], [1, 2]),
            ("a\tb;c\n1\t2\n", [["a", "b;c"], ["1", "2"]], [1, 2]),
            ("\"a;b\",c\n1;2,3\n", [["a;b", "c"], ["1;2", "3"]], [1, 2]),
            ("a\n1,2;3\n", [["a"], ["1", "2;3"]], [1, 2]),
            ("\n\r\na,b\n\n1,2\n\r\n\n", [["a", "b"], ["1", "2"]], [3, 5]),
            ("a,b\n\"\"\n,\n", [["a", "b"], [""], ["", ""]], [1, 2, 3]),
            ("a,b\n\"x\ny\r\n\",2\n3,4", [["a", "b"], ["x\ny\r\n", "2"], ["3", "4"]], [1, 2, 5]),
            ("a,b\n\"Black \"\"Friday\"\"\",2\n", [["a", "b"], ["Black \"Friday\"", "2"]], [1, 2]),
            ("a,b\nx\"y\"\"z, \"q\"\n", [["a", "b"], ["x\"y\"\"z", " \"q\""]], [1, 2]),
            ("a,b\n\"x\"y\"z,2\n", [["a", "b"], ["xy\"z", "2"]], [1, 2]),
            ("a,b\nx\ry,\r\r\n", [["a", "b"], ["x\ry", "\r"]], [1, 2]),
            ("é,ß\nœ,😀\n", [["é", "ß"], ["œ", "😀"]], [1, 2]),
        ] as [(String, [[String]], [Int])])
    func rowsAreTheSameInPiecesOfEverySize(text: String, rows: [[String]], lines: [Int]) {
        for size in 1...max(1, text.utf8.count) {
            let reader = read(Array(text.utf8), pieces: size)
            #expect(reader.rows == rows)
            #expect(reader.lines == lines)
            #expect(reader.end == .whole)
        }
    }

    @Test func aQuoteWithoutAnEndIsAFaultOfItsLine() {
        let text = Array("a,b\n1,2\n3,\"x\n\n4,5\n".utf8)
        for size in 1...text.count {
            #expect(read(text, pieces: size).end == .openQuote(line: 3))
        }
    }

    @Test func charactersOfEveryLengthAreUTF8() {
        for scalar in stride(from: UInt32(0), through: 0x10FFFF, by: 7).lazy.compactMap(Unicode.Scalar.init) {
            let text = Array(String(scalar).utf8)
            #expect(text.span.invalidUTF8(in: 0..<text.count) == nil)
        }
    }

    @Test func aRowMayHave1MiB() {
        let header = Array("a\n".utf8)
        func row(_ count: Int, begins: String = "", ends: String = "\n") -> [UInt8] {
            header + Array(begins.utf8) + Array(repeating: UInt8(ascii: "x"), count: count - begins.count)
                + Array(ends.utf8)
        }
        let most = CSVReader.longestRow
        for ends in ["\n", "\r\n", ""] {
            #expect(read(row(most, ends: ends), pieces: 1 << 18).end == .whole)
            #expect(read(row(most + 1, ends: ends), pieces: 1 << 18).end == .tooLong)
        }
        #expect(read(row(most, begins: "\"", ends: ""), pieces: 1 << 18).end == .openQuote(line: 2))
        #expect(read(row(most + 1, begins: "\"", ends: ""), pieces: 1 << 18).end == .tooLong)
        #expect(read(row(most - 1, begins: "\"", ends: "\"\n"), pieces: 1 << 18).end == .whole)
        #expect(read(row(most, begins: "\"", ends: "\"\n"), pieces: 1 << 18).end == .tooLong)
    }
}
