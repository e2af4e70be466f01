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
        var report = try reader.read(path, into: &consumer)
        if report.status == .damaged {
            consumer = Tail()
            report = try reader.read(path, members: report.wholeMembers, into: &consumer)
        }
        (status, text, size) = (report.status.rawValue, consumer.bytes, report.bytes)
    }

    init(reference file: [UInt8]) {
        let unpacked = Unpacked(file)
        (status, text, size) = (unpacked.status.rawValue, unpacked.text, file.count)
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
        return [
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
    @Test(arguments: Sample.all)
    private func aFileCutAtAnyByteIsReadAsTheReferenceReadsIt(_ sample: Sample) throws {
        let folder = try ScratchFolder()
        var readers = [1, 1 << 13].map { Reader(blockSize: $0) }
        for count in 0...sample.file.count {
            let file = Array(sample.file.prefix(count))
            let path = try folder.file(file)
            let expected = Reading(reference: file)
            for index in readers.indices {
                let isRight = try Reading(path, &readers[index]) == expected
                #expect(isRight, "cut at \(count), in blocks of \(readers[index].blockSize)")
            }
        }
    }

    @Test(arguments: Sample.all)
    private func aFileWithAnyBitFlippedIsReadAsTheReferenceReadsIt(_ sample: Sample) throws {
        let folder = try ScratchFolder()
        let whole = Reading(reference: sample.file)
        var readers = [31, 1 << 13].map { Reader(blockSize: $0) }
        for bit in 0..<(sample.file.count * 8) {
            var file = sample.file
            file[bit / 8] ^= 1 << UInt8(bit % 8)
            let path = try folder.file(file)
            let expected = Reading(reference: file)
            let reading = try Reading(path, &readers[bit % 2])
            // ISA-L accepts an incomplete code that is never used.
            let isRight = reading == expected || !Inflater.library.hasPrefix("zlib") && reading == whole
            #expect(isRight, "bit \(bit), in blocks of \(readers[bit % 2].blockSize)")
        }
    }
}
