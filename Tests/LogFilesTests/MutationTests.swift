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
        var consumer = Collecting()
        var report: FileReport
        do {
            report = try reader.read(path, into: &consumer)
        } catch let error as LogFileError {
            guard let kind = error.foreignKind else { throw error }
            (status, text, size) = (kind.rawValue, [], 0)
            return
        }
        if report.status == .damaged {
            consumer = Collecting()
            report = try reader.read(path, members: report.wholeMembers, into: &consumer)
        }
        (status, text, size) = (report.status.rawValue, consumer.bytes, report.bytes)
    }

    init(reference file: [UInt8]) {
        let unpacked = Unpacked(file)
        (status, text, size) = (unpacked.status.rawValue, unpacked.text, file.count)
        if let kind = unpacked.foreign { (status, text, size) = (kind, [], 0) }
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
        var wrong = member(lines, 9)
        wrong[wrong.count - 8] ^= 1
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
            // It is damaged even if the file ends after its CRC.
            Sample("a wrong CRC", member([0x0A], 6) + wrong),
            Sample(
                "members and padding",
                member(Array(lines.prefix(200)), 6) + [0, 0] + member([], 6)
                    + member(Array(lines.dropFirst(200)), 9, long: true) + [0]),
        ]
    }()
}

@Suite struct MutationTests {
    private static let member = GzipRecipe(level: 9).member(sampleLines(5))
    private static let frame = ZstdRecipe(hasChecksum: true).frame(sampleLines(5, seed: 1))
    /// What may follow a member or a frame: padding, and what looks like it or is something else.
    private static let ends: [[UInt8]] = [
        [0], [UInt8](repeating: 0, count: 700), [0, 0] + text("tail"), text("tail"), text("a line of a log\n"), [0x1F],
        [0x28, 0xB5], [0x50, 0x2A, 0x4D, 0x18], [0x5F, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 0x28, 0xB5],
        [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1], member, [0, 0, 0] + frame, [0] + member.dropLast(3),
    ]

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [1, 2, 3, 11, 512, 1 << 17]) func whatFollowsAMemberIsReadAsTheReferenceReadsIt(blockSize: Int)
        throws
    {
        let folder = try ScratchFolder()
        var reader = Reader(blockSize: blockSize)
        for start in [Self.member, Self.frame, Self.frame + Self.member, Self.member + Self.frame] {
            for end in Self.ends {
                for last in [[], Self.ends[0], Self.ends[2], Self.member] {
                    let file = start + end + last
                    let isSame = try Reading(folder.file(file), &reader) == Reading(reference: file)
                    #expect(isSame, "\(start.prefix(2)), \(end), \(last)")
                }
            }
        }
    }

    /// Every third length and all that end inside the trailer, or all.
    @Test(arguments: Sample.all)
    fileprivate func aCutFileIsReadAsTheReferenceReadsIt(_ sample: Sample) throws {
        let size = sample.file.count
        let folder = try ScratchFolder()
        var readers = [1, 1 << 13].map { Reader(blockSize: $0) }
        for length in 0...size where Long.isOn || length % 3 == 0 || length >= size - 9 {
            let file = Array(sample.file.prefix(length))
            let path = try folder.file(file)
            let expected = Reading(reference: file)
            for index in readers.indices {
                let isRight = try Reading(path, &readers[index]) == expected
                #expect(isRight, "cut at \(length), in blocks of \(readers[index].blockSize)")
            }
        }
    }

    /// One bit of every byte, or all.
    @Test(arguments: Sample.all)
    fileprivate func aFileWithAFlippedBitIsReadAsTheReferenceReadsIt(_ sample: Sample) throws {
        let bits = 0..<(sample.file.count * 8)
        let folder = try ScratchFolder()
        let whole = Reading(reference: sample.file)
        var readers = [31, 1 << 13].map { Reader(blockSize: $0) }
        for bit in bits where Long.isOn || bit % 8 == bit / 8 % 8 {
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
