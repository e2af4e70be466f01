import CZlib
import Foundation
import Hashing
import Reference
import Support
import Testing

@testable import LogFiles

/// The unpacked content of files, by which they are known again under another name.
@Suite struct ContentTests {
    private func report(_ bytes: [UInt8], blockSize: Int = Block.size) throws -> FileReport {
        let folder = try ScratchFolder()
        var consumer = Collecting()
        return try LogFile(folder.file(bytes)).read(blockSize: blockSize, into: &consumer)
    }

    private func reading(_ bytes: [UInt8], _ lengths: Set<Int>) throws -> ContentReading {
        let folder = try ScratchFolder()
        return try LogFile(folder.file(bytes)).contentReading(lengths)
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 300_000])
    func membersAndBlocksDoNotChangeTheContent(size: Int) throws {
        let bytes = Array(sampleLines(size / 60 + 1).prefix(size))
        let crc = UInt32(bytes.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) })
        for cuts in [[], [size / 2], [0, 1, size / 3, size]] {
            let ends = cuts.filter { $0 <= size } + [size]
            var packed: [UInt8] = []
            var start = 0
            for end in ends {
                packed += GzipRecipe().member(Array(bytes[start..<max(start, end)]))
                start = max(start, end)
            }
            for blockSize in [Block.size, 1000] {
                let content = try #require(try report(packed, blockSize: blockSize).content)
                #expect(content.bytes == size)
                #expect(content.crc32 == crc)
                #expect(try content == reading(packed, [size]).whole?.content)
            }
        }
    }

    @Test func theContentOfZstdIsThatOfGzip() throws {
        let bytes = sampleLines(20_000)
        let expected = try reading(GzipRecipe().member(bytes), [5000, bytes.count])
        let frames = ZstdRecipe(hasSize: false).frame(Array(bytes.prefix(7000)))
        let zstd = frames + ZstdRecipe(hasChecksum: true).frame(Array(bytes.dropFirst(7000)))
        for file in [ZstdRecipe().frame(bytes), zstd] {
            #expect(try reading(file, [5000, bytes.count]) == expected)
            #expect(try report(file).content == expected.whole?.content)
        }
    }

    @Test func aPlainFileHasItsFingerprintAsItsContent() throws {
        let bytes = sampleLines(10_000)
        let plain = try report(bytes)
        #expect(plain.content == nil)
        let reading = try reading(GzipRecipe().member(bytes), [bytes.count])
        #expect(reading.prefixes.map(\.fingerprint) == [plain.fingerprint])
        #expect(reading.whole == reading.prefixes.first)
    }

    @Test func aCutOrDamagedFileHasTheContentThatWasUnpacked() throws {
        let bytes = sampleLines(20_000)
        let whole = GzipRecipe().member(bytes)
        let cut = try #require(try report(Array(whole.prefix(whole.count / 2))).content)
        #expect(cut.bytes > 100_000 && cut.bytes < bytes.count)
        #expect(try reading(whole, [cut.bytes]).prefixes.first?.content == cut)
        #expect(try reading(bytes, [cut.bytes]).prefixes.first?.content == cut)

        var damaged = GzipRecipe().member(bytes) + whole
        damaged[damaged.count - 8] ^= 1
        let folder = try ScratchFolder()
        var consumer = Collecting()
        let report = try LogFile(folder.file(damaged)).read(members: 1, into: &consumer)
        #expect(report.status == .damaged)
        #expect(report.content == (try reading(whole, [bytes.count]).whole?.content))
    }

    @Test func aReadingCoversTheLengthsThatWereAskedForAndAllThatAreLonger() throws {
        let bytes = sampleLines(20_000)
        let reading = try reading(bytes, [0, 7, 5000, 600_000])
        #expect(reading.prefixes.map(\.content.bytes) == [0, 7, 5000, 600_000, bytes.count])
        #expect(reading.covers(7) && !reading.covers(8) && !reading.covers(600_001) && reading.covers(bytes.count + 1))
        #expect(reading.whole == reading.prefixes.last)
        let short = try self.reading(Array(bytes.prefix(5000)), [0, 7, 5000, 600_000])
        #expect(short.prefixes == Array(reading.prefixes.prefix(3)))
        #expect(short.whole == reading.prefixes[2] && short.covers(5001) && !short.covers(4999))
    }

    @Test(arguments: [0, 1, 7, 8, 9, 262_143, 262_144, 600_001])
    func aFingerprintIsTheSameWithoutUnpacking(size: Int) throws {
        let folder = try ScratchFolder()
        for magic: [UInt8] in [[], [0x1F, 0x8B]] {
            let bytes = magic + (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            let path = try folder.file(bytes)
            usleep(25_000)
            var consumer = Collecting()
            let report = try LogFile(path).read(into: &consumer)
            var total = 0
            let (outline, stamp) = try LogFile(path).outline { total += $0 }
            #expect(outline.fingerprint == report.fingerprint)
            #expect(total == bytes.count)
            #expect(stamp == report.stamp)
            #expect(stamp?.bytes == bytes.count)
        }
    }

    @Test func aFileThatWasJustWrittenHasNoStamp() throws {
        let folder = try ScratchFolder()
        let path = try folder.file([1, 2, 3])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 0.005)], ofItemAtPath: path)
        #expect(try LogFile(path).outline().stamp == nil)
    }
}
