import CZlib
import Foundation
import Posix
import Reference

@testable import LogFiles

// The first byte says what the rest is: a file as it lies on disk, or lines that are gzipped here, in members of the
// size that the second byte gives. The third cuts bytes off the end, or it and the fourth damage one byte.

private struct Line: Equatable {
    let number: Int
    /// Nil where the line is too long.
    let bytes: [UInt8]?
}

private struct Lines: ByteConsumer {
    var splitter = LineSplitter()
    var lines: [Line] = []

    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) -> Int {
        splitter.split(bytes, atEnd: atEnd) { line, number in
            lines.append(Line(number: number, bytes: line.withUnsafeBufferPointer { Array($0) }))
        } overlong: { _, number in
            lines.append(Line(number: number, bytes: nil))
        }
    }
}

private let path = NSTemporaryDirectory() + "pushetl-fuzz-\(getpid())"
private let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    var input = Input(data, size)
    let choice = input.byte()
    let file: [UInt8]
    if choice & 1 == 0 {
        file = input.bytes
    } else {
        let memberSize = Int(input.byte()) * 8 + 64
        let isDamaged = choice & 2 != 0
        let place = Int(input.byte())
        let mask = isDamaged ? input.byte() : 0
        var bytes = stride(from: 0, to: max(1, input.bytes.count), by: memberSize).flatMap { start in
            member(Array(input.bytes[min(start, input.bytes.count)..<min(start + memberSize, input.bytes.count)]))
        }
        if isDamaged {
            if place < bytes.count { bytes[place] ^= mask }
        } else {
            bytes = bytes.dropLast(place & 15)
        }
        file = bytes
    }

    let unpacked = Unpacked(file)
    // A few bytes may say millions, which take long and tell nothing new.
    guard unpacked.text.count <= 1 << 16, unpacked.foreign == nil else { return -1 }
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, file, file.count, 0) == file.count else { abort() }
    let expected = unpacked.lines.map { line in
        Line(number: line.number, bytes: line.bytes)
    }
    for blockSize in [1 << 13, Int(choice >> 2) + 16] {
        let (lines, status) = read(blockSize)
        #if ISAL
            // Codes that are incomplete are nothing to ISA-L, if the CRC is right.
            if status == .ok && unpacked.status == .damaged { continue }
        #endif
        expect(
            lines == expected && status.rawValue == unpacked.status.rawValue,
            "in blocks of \(blockSize) the program: \(status), \(lines.count) lines; "
                + "the reference: \(unpacked.status), \(expected.count) lines")
    }
    return 0
}

/// As the program reads a file: a damaged one again, up to the damaged member.
private func read(_ blockSize: Int) -> ([Line], FileStatus) {
    let unpacker = Unpacker(blockSize: blockSize)
    var block = Block(size: blockSize)
    func read(members: Int, into lines: inout Lines) -> FileReport {
        guard (try? unpacker.begin(path, members: members)) != nil,
            let report = try? unpacker.feed(&lines, through: &block)
        else { abort() }
        return report
    }

    var lines = Lines()
    var report = read(members: .max, into: &lines)
    if report.status == .damaged {
        lines = Lines()
        let again = read(members: report.wholeMembers, into: &lines)
        expect(again.wholeMembers == report.wholeMembers, "\(report.wholeMembers) members, then \(again.wholeMembers)")
        report = again
    }
    return (lines.lines, report.status)
}

/// A gzip member with one stored block.
private func member(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(bytes.count)
    func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + littleEndian(length) + littleEndian(~length) + bytes
        + littleEndian(UInt32(crc32(0, bytes, UInt32(bytes.count)))) + littleEndian(UInt32(bytes.count))
}
