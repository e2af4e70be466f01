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
        return try readFile(folder.file(bytes), blockSize: blockSize, into: &consumer)
    }

    private func reading(_ bytes: [UInt8]) throws -> ContentReading? {
        let folder = try ScratchFolder()
        return try ContentReading.read(folder.file(bytes)).reading
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
                #expect(try content == reading(packed)?.content)
            }
        }
    }

    @Test func theContentOfZstdIsThatOfGzip() throws {
        let bytes = sampleLines(20_000)
        let expected = try reading(GzipRecipe().member(bytes))
        let frames = ZstdRecipe(hasSize: false).frame(Array(bytes.prefix(7000)))
        let zstd = frames + ZstdRecipe(hasChecksum: true).frame(Array(bytes.dropFirst(7000)))
        for file in [ZstdRecipe().frame(bytes), zstd] {
            #expect(try reading(file)?.content == expected?.content)
            #expect(try reading(file)?.fingerprint == expected?.fingerprint)
            #expect(try report(file).content == expected?.content)
        }
    }

    @Test func aPlainFileHasItsFingerprintAsItsContent() throws {
        let bytes = sampleLines(10_000)
        let plain = try report(bytes)
        #expect(plain.content == nil)
        #expect(try reading(GzipRecipe().member(bytes))?.fingerprint == plain.fingerprint)
    }
}
