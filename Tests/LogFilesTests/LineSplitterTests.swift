import Foundation
import Support
import Testing

@testable import LogFiles

/// The lines of a file that is read in chunks of each of the sizes.
private func split(_ bytes: [UInt8], chunks: [Int]) throws -> [(chunk: Int, lines: CollectingLines)] {
    let folder = try ScratchFolder()
    let path = try folder.file(bytes)
    return try chunks.map { chunk in
        var lines = CollectingLines()
        _ = try readFile(path, blockSize: chunk, into: &lines)
        return (chunk, lines)
    }
}

/// The lines, found in the simplest way.
private func obviousLines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap { index, line in
        let content = line.last == 0x0D ? line.dropLast() : line
        return content.isEmpty ? nil : "\(index + 1):" + String(decoding: content, as: UTF8.self)
    }
}

@Suite struct LineSplitterTests {
    @Test(arguments: [
        ("a\nb\n", ["1:a", "2:b"]), ("a\r\nb", ["1:a", "2:b"]), ("\n\r\n\na\n\n", ["4:a"]), ("", []), ("\r", []),
        ("a\rb\r\r\n", ["1:a\rb\r"]), ("x", ["1:x"]), (" \n", ["1: "]),
    ])
    func linesEndInLFOrCRLFAndEmptyLinesAreSkipped(_ text: String, _ expected: [String]) throws {
        for (chunk, found) in try split(Array(text.utf8), chunks: [1, 2, 3, 1000]) {
            #expect(found.lines == expected, "in chunks of \(chunk)")
        }
    }

    @Test func anUnfinishedLastLineOfATruncatedFileIsDropped() {
        var lines = CollectingLines()
        // All of a truncated file is offered, and none of it as the end.
        _ = lines.consume(Array("a\nb\nc".utf8).span, atEnd: false)
        #expect(lines.lines == ["1:a", "2:b"])
    }

    @Test(arguments: [-1, 0, 1, 2, 5000, 3_000_000], ["\n", "\r\n", ""])
    func aLineOverTheLimitIsReportedOnceAndTheNextIsRead(_ over: Int, _ ending: String) throws {
        let long = String(repeating: "x", count: LineSplitter.lineLimit + over)
        let text = "first\n" + long + ending + (ending.isEmpty ? "" : "last")
        for (_, lines) in try split(Array(text.utf8), chunks: [4096, 1 << 17]) {
            let last = ending.isEmpty ? [] : ["3:last"]
            if over > 0 {
                #expect(lines.overlong == [2])
                #expect(lines.lines == ["1:first"] + last)
            } else {
                #expect(lines.overlong == [])
                #expect(lines.lines == ["1:first", "2:" + long] + last)
            }
        }
    }

    @Test(arguments: [
        ["\n"], ["\r\n"], ["\r\n", "\n"], ["\n", "\n", "\n", "\n", "\n", "\r\n"], ["\r", "\n"], ["\r\n", "\r\n", "\r"],
    ])
    func emptyLinesAreCountedWithAnyBlockSize(_ ends: [String]) throws {
        let run = Array((0..<150).map { ends[$0 % ends.count] }.joined().utf8)
        for before in ["", "a\n", "ab\r\n"] {
            let text = Array(before.utf8) + run + Array("x\n".utf8) + run + Array("\ry".utf8) + run
            let expected = obviousLines(text)
            for (chunk, found) in try split(text, chunks: Array(1...140) + [1000]) {
                #expect(found.lines == expected, "in chunks of \(chunk)")
            }
            var lines = CollectingLines()
            #expect(lines.consume(text.span, atEnd: true) == text.count)
            #expect(lines.lines == expected)
        }
    }
}
