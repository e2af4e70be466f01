import CVectors
import Foundation

/// Cuts a file's bytes into lines, whatever blocks they come in.
package struct LineSplitter {
    /// The most bytes that a line may have, without its end.
    package static let lineLimit = 1 << 20
    /// Bytes that are kept of a longer one.
    private static let beginningKept = 1024

    private var number = 1
    private var overlongBeginning: [UInt8]?

    package init() {}

    /// Hands the whole lines in `bytes`, and with `atEnd` also a last one that has no end, to `line`: without LF or
    /// CRLF, never empty, with their 1-based number. Of a line over the limit only the beginning goes to `overlong`.
    ///
    /// - Parameter ownWay: a quicker way to read lines, which is asked first wherever a line begins. It answers where the
    ///   line begins that it has not read, and how many it has.
    /// - Returns: how many bytes are done with; the rest is to come again with more behind it.
    package mutating func split(
        _ bytes: Span<UInt8>, atEnd: Bool, ownWay: (Int) -> (end: Int, lines: Int) = { ($0, 0) },
        line: (Span<UInt8>, Int) -> Void, overlong: (Span<UInt8>, Int) -> Void
    ) -> Int {
        var start = 0
        while true {
            if overlongBeginning == nil {
                start = skipEmptyLines(in: bytes, from: start)
                let read = ownWay(start)
                start = read.end
                number += read.lines
            }
            guard let end = LineSplitter.nextLineFeed(in: bytes, from: start) else { break }
            finishLine(bytes.extracting(start..<end), line, overlong)
            number += 1
            start = end + 1
        }
        let rest = bytes.extracting(start..<bytes.count)
        if atEnd {
            finishLine(rest, line, overlong)
            return bytes.count
        }
        // One byte more than the limit could still be a CR.
        guard overlongBeginning != nil || rest.count > LineSplitter.lineLimit + 1 else { return start }
        if overlongBeginning == nil { overlongBeginning = LineSplitter.beginning(of: rest) }
        return bytes.count
    }

    @inline(__always)
    private mutating func finishLine(
        _ bytes: Span<UInt8>, _ line: (Span<UInt8>, Int) -> Void, _ overlong: (Span<UInt8>, Int) -> Void
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
        (0..<min(beginningKept, bytes.count)).map { bytes[$0] }
    }

    /// Answers where the first line from `start` on begins that is not empty, or that lies in the last bytes.
    @inline(__always)
    private mutating func skipEmptyLines(in bytes: Span<UInt8>, from start: Int) -> Int {
        guard start < bytes.count, bytes[start] <= 0x0D else { return start }
        return skipRun(ofEmptyLinesIn: bytes, from: start)
    }

    /// As `memchr`, a run costs a few instructions for 64 bytes, however many lines these are.
    @inline(never)
    private mutating func skipRun(ofEmptyLinesIn bytes: Span<UInt8>, from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return start }
            var start = start
            while buffer.count - start >= 64 {
                let feeds = vector_places64(base + start, 0x0A)
                let returns = vector_places64(base + start, 0x0D)
                // A CR belongs to an empty line if a line feed follows.
                let count = (~(feeds | returns & feeds >> 1)).trailingZeroBitCount
                if count == 0 { break }
                number += (feeds << UInt64(64 - count)).nonzeroBitCount
                start += count
            }
            return start
        }
    }

    @inline(__always)
    private static func nextLineFeed(in bytes: Span<UInt8>, from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            // `start` is at most the count, so the search stays within the buffer.
            guard let base = buffer.baseAddress, start < buffer.count,
                let found = memchr(base + start, 0x0A, buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
