import Messages
import Records
import Testing

@testable import Pipelines

/// Reads text in pieces of some size.
private func read(_ bytes: [UInt8], pieces size: Int) -> (rows: [[String]], lines: [Int], fault: Message?) {
    var reader = CSVReader(path: "d.csv")
    var (rows, lines, left): ([[String]], [Int], [UInt8]) = ([], [], [])
    func take(_ row: CSVRow) {
        rows.append((0..<row.count).map(row.text))
        lines.append(row.line)
    }
    for start in stride(from: 0, to: bytes.count, by: size) {
        left += bytes[start..<min(start + size, bytes.count)]
        left.removeFirst(reader.read(left.span, atEnd: false, take))
    }
    let taken = reader.read(left.span, atEnd: true, take)
    #expect(taken == left.count)
    return (rows, lines, reader.fault)
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
            #expect(reader.fault == nil)
        }
    }

    @Test func aQuoteWithoutAnEndIsAFaultOfItsLine() {
        let text = Array("a,b\n1,2\n3,\"x\n\n4,5\n".utf8)
        for size in 1...text.count {
            #expect(read(text, pieces: size).fault?.words == "d.csv:3: a quote begins there and never ends; close it")
        }
    }

    @Test(arguments: [[0xFF], [0xC3], [0xC3, 0x0A], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80]])
    func bytesThatAreNotUTF8AreAFaultOfTheirLine(bytes: [UInt8]) {
        let text = Array("a\n".utf8) + bytes
        for size in 1...text.count {
            #expect(read(text, pieces: size).fault?.words == "d.csv:2: the file is not UTF-8 text; export it as UTF-8")
        }
    }

    /// The two bytes are one character only where the separator is left out.
    @Test func aCharacterEndsWithinItsField() {
        let text = Array("a,b\n\"x\ny".utf8) + [0xC3] + Array("\",".utf8) + [0xA9, 0x0A]
        for size in 1...text.count {
            #expect(read(text, pieces: size).fault?.words == "d.csv:3: the file is not UTF-8 text; export it as UTF-8")
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
        func row(_ count: Int, quoted: Bool = false) -> [UInt8] {
            header + (quoted ? [UInt8(ascii: "\"")] : []) + Array(repeating: UInt8(ascii: "x"), count: count) + [0x0A]
        }
        #expect(read(row(longestCSVRow - 1), pieces: 1 << 18).fault == nil)
        #expect(
            read(row(longestCSVRow), pieces: 1 << 18).fault?.words
                == "d.csv:2: the row is longer than 1 MiB; shorten it")
        #expect(
            read(row(longestCSVRow, quoted: true), pieces: 1 << 18).fault?.words
                == "d.csv:2: a quote begins there and never ends; close it")
    }
}
