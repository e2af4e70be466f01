import Foundation
import Testing

@testable import LogFiles

private func split(_ bytes: [UInt8], chunk: Int, truncated: Bool = false) throws -> CollectingLines {
    let folder = try ScratchFolder()
    var lines = CollectingLines()
    if truncated {
        // What a truncated file gives: everything is offered, the end is never said.
        _ = lines.consume(bytes.span, atEnd: false)
    } else {
        _ = try LogFile(try folder.file(bytes)).read(blockSize: chunk, into: &lines)
    }
    return lines
}

@Test(arguments: [
    ("a\nb\n", ["1:a", "2:b"]), ("a\r\nb", ["1:a", "2:b"]), ("\n\r\n\na\n\n", ["4:a"]), ("", []), ("\r", []),
    ("a\rb\r\r\n", ["1:a\rb\r"]), ("x", ["1:x"]), (" \n", ["1: "]),
])
func linesEndInLFOrCRLFAndEmptyOnesAreNone(_ text: String, _ expected: [String]) throws {
    for chunk in [1, 2, 3, 1000] { #expect(try split(Array(text.utf8), chunk: chunk).lines == expected) }
}

@Test func anUnfinishedLastLineOfATruncatedFileIsNone() throws {
    #expect(try split(Array("a\nb\nc".utf8), chunk: 1, truncated: true).lines == ["1:a", "2:b"])
}

@Test(arguments: [-1, 0, 1, 2, 5000, 3_000_000], ["\n", "\r\n", ""])
func aLineOverTheLimitIsReportedOnceAndTheNextIsReadNormally(_ over: Int, _ ending: String) throws {
    let long = String(repeating: "x", count: LineSplitter.lineLimit + over)
    for chunk in [4096, 1 << 17] {
        let text = "first\n" + long + ending + (ending.isEmpty ? "" : "last")
        let lines = try split(Array(text.utf8), chunk: chunk)
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
