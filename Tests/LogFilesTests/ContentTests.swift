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

    private func outline(_ bytes: [UInt8]) throws -> FileOutline {
        let folder = try ScratchFolder()
        return try LogFile(folder.file(bytes)).outline().outline
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
            let outline = try outline(file)
            #expect(outline.isPacked && outline.trailer == nil && outline.mayBegin(with: 1 << 40, crc32: nil))
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

    @Test func readingStopsAfterTheLongestLength() throws {
        let bytes = sampleLines(20_000)
        let reading = try reading(bytes, [0, 7, 5000, 600_000])
        #expect(reading.prefixes.map(\.content.bytes) == [0, 7, 5000, 600_000])
        #expect(reading.whole == nil && reading.covers(7) && !reading.covers(8) && !reading.covers(600_001))
        let short = try self.reading(Array(bytes.prefix(5000)), [0, 7, 5000, 600_000])
        #expect(short.prefixes == Array(reading.prefixes.prefix(3)))
        #expect(short.whole == reading.prefixes[2] && short.covers(5001) && !short.covers(4999))
    }

    @Test func onlyATrailerOfASingleMemberIsTrusted() throws {
        let bytes = sampleLines(3000)
        let crc = UInt32(bytes.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) })
        let one = GzipRecipe().member(bytes)
        let outline = try outline(one)
        #expect(outline.trailer == FileOutline.Trailer(crc32: crc, bytes: UInt32(bytes.count)))
        #expect(outline.mayBegin(with: bytes.count, crc32: crc) && outline.mayBegin(with: bytes.count, crc32: nil))
        #expect(!outline.mayBegin(with: bytes.count, crc32: crc ^ 1))
        #expect(outline.mayBegin(with: bytes.count - 1, crc32: 7))
        #expect(!outline.mayBegin(with: bytes.count + 1, crc32: nil))

        for several in [one + one, GzipRecipe().member([]) + one] {
            let outline = try self.outline(several)
            #expect(outline.isPacked && outline.trailer == nil)
            #expect(outline.mayBegin(with: 7, crc32: 7) && outline.mayBegin(with: 1 << 40, crc32: nil))
        }
        #expect(try self.outline(one + Array(repeating: 0, count: 512)).trailer == nil)
        let plain = try self.outline(bytes)
        #expect(!plain.isPacked && plain.mayBegin(with: bytes.count - 1, crc32: nil))
        // Of two plain files the bytes have told.
        #expect(plain.mayBegin(with: bytes.count, crc32: 7) && !plain.mayBegin(with: bytes.count, crc32: nil))
        #expect(!plain.mayBegin(with: bytes.count + 1, crc32: nil))
        #expect(plain.fingerprint == (try report(bytes).fingerprint))
    }

    // A member may begin anywhere, also where one block of the file ends and the next begins.
    @Test func noSecondMemberIsMissedAtTheEdgeOfABlock() throws {
        let second = GzipRecipe().member(Array("x\n".utf8))
        for size in Block.size - 6...Block.size + 2 {
            let first = stored(size)
            #expect(first.count == size)
            #expect(try outline(first + second).trailer == nil, "\(size)")
            #expect(try outline(first).trailer != nil)
        }
    }

    /// A gzip member of so many bytes, made of stored blocks.
    private func stored(_ size: Int) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var left = size - 18
        var body: [UInt8] = []
        var content: [UInt8] = []
        while left > 0 {
            // A block has 5 bytes of its own, and may be empty.
            let count = max(0, min(60_000, left - 5))
            let isLast = left <= 60_005
            let length = UInt16(count)
            body += [
                isLast ? 1 : 0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8),
            ]
            let text = Array(repeating: UInt8(ascii: "a"), count: count)
            body += text
            content += text
            left -= count + 5
        }
        let crc = UInt32(content.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) })
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) } }
        return header + body + word(crc) + word(UInt32(content.count))
    }
}
