import Reference
import Support
import Testing

@testable import loggen

@Suite struct GzipFileTests {
    private static let texts: [[UInt8]] = {
        var random = SplitMix64(seed: 5)
        let line = Array("203.0.113.7 - - [19/Nov/2026:10:22:33 +0100] \"GET /r/?id=h1685a5,d57fd6,7\" 200 0\n".utf8)
        return (0...20).map { [UInt8](repeating: 0x61, count: $0) }
            + [
                [UInt8](repeating: 0, count: 300_000),
                (0..<300_000).map { _ in UInt8(truncatingIfNeeded: random.next()) },
                (0..<300_000).map { _ in UInt8(truncatingIfNeeded: 0x30 + random.draw(10)) },
                (0..<4000).flatMap { _ in line + Array(String(random.next()).utf8) },
                Array("abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc".utf8),
            ]
    }()

    @Test(arguments: texts.indices, [1, 6, 9])
    func packedBytesUnpackToTheSame(index: Int, level: Int) throws {
        let text = Self.texts[index]
        let packed = try pack([text], level: level)
        let unpacked = try #require(gunzip(packed))
        #expect(unpacked == text)
    }

    @Test(arguments: [1, 6])
    func severalWritesAndMembersUnpackToOneText(level: Int) throws {
        let packed = try pack(Self.texts, level: level, memberEach: true)
        let unpacked = try #require(gunzip(packed))
        #expect(unpacked == Self.texts.flatMap { $0 })
        let members = try Self.texts.map { try pack([$0], level: level) } + [pack([], level: level)]
        #expect(packed == members.flatMap { $0 })
    }

    @Test func aFileInAMissingFolderCannotBeWritten() {
        #expect(throws: LoggenError.self) { try GzipFile(path: "/nowhere/at/all.gz", level: 1) }
    }

    private func pack(_ texts: [[UInt8]], level: Int, memberEach: Bool = false) throws -> [UInt8] {
        let folder = try ScratchFolder()
        let file = try GzipFile(path: folder.path("a.gz"), level: level)
        for text in texts {
            try file.write(text)
            if memberEach { try file.startMember() }
        }
        try file.close()
        let bytes = try folder.bytes("a.gz")
        #expect(file.compressedBytes == bytes.count)
        return bytes
    }
}
