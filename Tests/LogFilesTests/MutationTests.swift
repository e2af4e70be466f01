import Foundation
import Reference
import Support
import Testing

@testable import LogFiles

/// What was read from a file. Of a damaged one it is what comes before the damaged member.
private struct Reading: Equatable {
    var status: String
    var text: [UInt8]

    /// The bytes of the file, also those after a fault.
    var size: Int

    init(_ path: String, _ reader: inout Reader) throws {
        var consumer = Tail()
        var report: FileReport
        do {
            report = try reader.read(path, into: &consumer)
        } catch let error as LogFileError {
            guard let kind = error.foreignKind else { throw error }
            (status, text, size) = (kind.rawValue, [], 0)
            return
        }
        if report.status == .damaged {
            consumer = Tail()
            report = try reader.read(path, members: report.wholeMembers, into: &consumer)
        }
        (status, text, size) = (report.status.rawValue, consumer.bytes, report.bytes)
    }

    init(reference file: [UInt8]) {
        let unpacked = Unpacked(file)
        (status, text, size) = (unpacked.status.rawValue, unpacked.text, file.count)
        if let kind = unpacked.foreign { (status, text, size) = (kind, [], 0) }
    }

    /// Keeps all bytes, also the last ones of a cut file.
    private struct Tail: ByteConsumer {
        var bytes: [UInt8] = []

        mutating func consume(_ offered: Span<UInt8>, atEnd: Bool) -> Int {
            offered.withUnsafeBufferPointer { bytes += $0 }
            return offered.count
        }

        mutating func endCut(_ offered: Span<UInt8>) {
            offered.withUnsafeBufferPointer { bytes += $0 }
        }
    }
}

private struct Sample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let file: [UInt8]

    init(_ name: String, _ file: [UInt8]) {
        (testDescription, self.file) = (name, file)
    }

    static let all: [Sample] = {
        let lines = sampleLines(6)
        let noise = (0..<150).map { UInt8(truncatingIfNeeded: ($0 &* $0 &* 2_654_435_761) >> 7) }
        func member(_ text: [UInt8], _ level: Int32, _ strategy: Int32 = 0, long: Bool = false) -> [UInt8] {
            GzipRecipe(level: level, strategy: strategy, hasLongHeader: long).member(text)
        }
        func frame(_ text: [UInt8], _ level: Int32, checksum: Bool = false, size: Bool = true) -> [UInt8] {
            ZstdRecipe(level: level, hasChecksum: checksum, hasSize: size).frame(text)
        }
        let skippable: [UInt8] = [0x51, 0x2A, 0x4D, 0x18, 5, 0, 0, 0, 1, 2, 3, 4, 5]
        return [
            Sample("zstd", frame(lines, 1)), Sample("zstd with a checksum", frame(lines, 19, checksum: true)),
            Sample("a stream of zstd", frame(lines + lines, 3, checksum: true, size: false)),
            Sample("zstd of noise", frame(noise, 3)), Sample("zstd of nothing", frame([], 3, checksum: true)),
            Sample("a run of zstd", frame([UInt8](repeating: 0x0A, count: 5000), 3, size: false)),
            Sample(
                "frames, members and padding",
                skippable + frame(Array(lines.prefix(200)), 3) + [0, 0] + member([0x41], 6) + skippable
                    + frame(Array(lines.dropFirst(200)), 1, checksum: true) + [0] + skippable),
            Sample("stored", member(lines, 0)), Sample("fast", member(lines, 1)), Sample("best", member(lines, 9)),
            Sample("Huffman codes only", member(lines, 6, 2)), Sample("runs only", member(lines + lines, 6, 3)),
            Sample("fixed codes", member(lines, 6, 4)), Sample("noise", member(noise, 6)),
            Sample("a long header", member(lines, 6, long: true)), Sample("nothing", member([], 6)),
            Sample("one byte", member([0x0A], 6)),
            Sample(
                "members and padding",
                member(Array(lines.prefix(200)), 6) + [0, 0] + member([], 6)
                    + member(Array(lines.dropFirst(200)), 9, long: true) + [0]),
        ]
    }()
}

@Suite struct MutationTests {
    /// Every third length and all that end inside the trailer.
    @Test(arguments: Sample.all)
    fileprivate func aCutFileIsReadAsTheReferenceReadsIt(_ sample: Sample) throws {
        let size = sample.file.count
        try expectSame((0...size).filter { $0 % 3 == 0 || $0 >= size - 9 }, of: sample)
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"), arguments: Sample.all)
    fileprivate func aFileCutAtAnyByteIsReadAsTheReferenceReadsIt(_ sample: Sample) throws {
        try expectSame(Array(0...sample.file.count), of: sample)
    }

    private func expectSame(_ lengths: [Int], of sample: Sample) throws {
        let folder = try ScratchFolder()
        var readers = [1, 1 << 13].map { Reader(blockSize: $0) }
        for length in lengths {
            let file = Array(sample.file.prefix(length))
            let path = try folder.file(file)
            let expected = Reading(reference: file)
            for index in readers.indices {
                let isRight = try Reading(path, &readers[index]) == expected
                #expect(isRight, "cut at \(length), in blocks of \(readers[index].blockSize)")
            }
        }
    }

    /// One bit of every byte.
    @Test(arguments: Sample.all)
    fileprivate func aFileWithAFlippedBitIsReadAsTheReferenceReadsIt(_ sample: Sample) throws {
        try expectSame(flipping: sample.file.indices.map { $0 * 8 + $0 % 8 }, in: sample)
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"), arguments: Sample.all)
    fileprivate func aFileWithAnyBitFlippedIsReadAsTheReferenceReadsIt(_ sample: Sample) throws {
        try expectSame(flipping: Array(0..<(sample.file.count * 8)), in: sample)
    }

    private func expectSame(flipping bits: [Int], in sample: Sample) throws {
        let folder = try ScratchFolder()
        let whole = Reading(reference: sample.file)
        var readers = [31, 1 << 13].map { Reader(blockSize: $0) }
        for bit in bits {
            var file = sample.file
            file[bit / 8] ^= 1 << UInt8(bit % 8)
            let path = try folder.file(file)
            let expected = Reading(reference: file)
            let reading = try Reading(path, &readers[bit % 2])
            // ISA-L accepts an incomplete code that is never used; libzstd compares the size in a frame's header with an empty
            // content only if it has room for as much.
            let isLenient = !Inflater.library.hasPrefix("zlib") || sample.testDescription == "zstd of nothing"
            let isRight = reading == expected || isLenient && reading == whole
            #expect(isRight, "bit \(bit), in blocks of \(readers[bit % 2].blockSize)")
        }
    }
}
