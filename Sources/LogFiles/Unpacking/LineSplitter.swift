import Foundation

/// Splits a file's bytes into lines. The result does not depend on how the bytes are cut into blocks.
package struct LineSplitter {
    /// The longest line in bytes, without its line end.
    package static let lineLimit = 1 << 20
    /// The bytes that are kept of a longer line.
    package static let keptBytes = 1024

    /// The 1-based number of the next line.
    private var number = 1
    /// The beginning of the current line, if it is longer than `lineLimit`.
    private var overlongBeginning: [UInt8]?

    package init() {}

    /// Calls `line` with each complete line and its 1-based number. A line is passed without LF or CRLF. Empty lines
    /// are counted and not passed. For a line longer than `lineLimit`, calls `overlong` with its beginning.
    ///
    /// - Parameters:
    ///   - atEnd: the file ends here, so that bytes without a line end are a line, too.
    ///   - fastPath: a faster reader, which is called at each line start. It takes the offset of the line and returns
    ///     the offset of the first line that it did not read, and the number of lines that it read.
    /// - Returns: the number of bytes taken. Pass the other bytes again, followed by more.
    package mutating func split(
        _ bytes: Span<UInt8>, atEnd: Bool, fastPath: (Int) -> (end: Int, lines: Int) = { ($0, 0) },
        line: (Span<UInt8>, Int) -> Void, overlong: (Span<UInt8>, Int) -> Void
    ) -> Int {
        var start = 0
        while true {
            if overlongBeginning == nil {
                start = skipEmptyLines(in: bytes, from: start)
                let read = fastPath(start)
                assert((start...bytes.count).contains(read.end) && (read.lines > 0) == (read.end > start))
                start = read.end
                number += read.lines
            }
            guard let end = LineSplitter.nextLineFeed(in: bytes, from: start) else { break }
            finishLine(bytes.extracting(start..<end), line: line, overlong: overlong)
            number += 1
            start = end + 1
        }
        let rest = bytes.extracting(start..<bytes.count)
        if atEnd {
            finishLine(rest, line: line, overlong: overlong)
            return bytes.count
        }
        // A line of one byte more than the limit may still end in CR.
        guard overlongBeginning != nil || rest.count > LineSplitter.lineLimit + 1 else { return start }
        if overlongBeginning == nil { overlongBeginning = LineSplitter.beginning(of: rest) }
        return bytes.count
    }

    @inline(__always)
    private mutating func finishLine(
        _ bytes: Span<UInt8>, line: (Span<UInt8>, Int) -> Void, overlong: (Span<UInt8>, Int) -> Void
    ) {
        if overlongBeginning != nil { return finishOverlongLine(overlong) }
        var count = bytes.count
        if count > 0 && bytes[count &- 1] == 0x0D { count &-= 1 }
        guard count > 0 else { return }
        guard count <= LineSplitter.lineLimit else {
            overlongBeginning = LineSplitter.beginning(of: bytes)
            return finishOverlongLine(overlong)
        }
        line(bytes.extracting(0..<count), number)
    }

    private mutating func finishOverlongLine(_ overlong: (Span<UInt8>, Int) -> Void) {
        guard let beginning = overlongBeginning else { return }
        overlong(beginning.span, number)
        overlongBeginning = nil
    }

    private static func beginning(of bytes: Span<UInt8>) -> [UInt8] {
        (0..<min(keptBytes, bytes.count)).map { bytes[$0] }
    }

    /// Returns the start of the next line that is not empty.
    @inline(__always)
    private mutating func skipEmptyLines(in bytes: Span<UInt8>, from start: Int) -> Int {
        guard start < bytes.count, bytes[start] <= 0x0D else { return start }
        return skipRun(ofEmptyLinesIn: bytes, from: start)
    }

    @inline(never)
    private mutating func skipRun(ofEmptyLinesIn bytes: Span<UInt8>, from start: Int) -> Int {
        var start = start
        while start < bytes.count {
            let isCRLF = bytes[start] == 0x0D && start + 1 < bytes.count && bytes[start + 1] == 0x0A
            guard isCRLF || bytes[start] == 0x0A else { break }
            start += isCRLF ? 2 : 1
            number += 1
        }
        return start
    }

    @inline(__always)
    package static func nextLineFeed(in bytes: Span<UInt8>, from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            // `start` is below `count`, so `memchr` reads only within the buffer.
            guard let base = buffer.baseAddress, start < buffer.count,
                let found = memchr(base + start, 0x0A, buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
