import Foundation
import Reference
import Support
import Testing

@testable import LogFiles

private func read(_ path: String, blockSize: Int = Block.size, members: Int = .max) throws
    -> (report: FileReport, bytes: [UInt8], ended: Bool)
{
    var consumer = Collecting()
    let report = try readFile(path, blockSize: blockSize, members: members, into: &consumer)
    return (report, consumer.bytes, consumer.ended)
}

@Suite struct LogFileTests {
    @Test(
        .needs(.gzip), .needs(.pigz), .needs(.zopfli), .needs(.python3), .needs(.zstd),
        arguments: [
            "gzip -1 -c", "gzip -9 -n -c", "pigz -c -p 2 -b 32", "zopfli -c --i1",
            "python3 -c \"import gzip,sys; sys.stdout.buffer.write(gzip.compress(open(sys.argv[1],'rb').read()))\"",
            "zstd -1 -c", "zstd -19 -c --no-check", "zstd -c --long=27", "zstd --ultra -22 -c", "zstd --fast=5 -c",
            "zstd -c <", "zstd -c --no-content-size", "zstd -c -T2 -B65536", "zstd -c --adapt --rsyncable",
        ])
    func whatPackersWriteIsRead(command: String) throws {
        let folder = try ScratchFolder()
        let text = sampleLines(4000)
        try folder.write(text, to: "input")
        let packed = try Tool.output(of: "\(command) input", in: folder)
        for blockSize in [7, 1000, 1 << 17] {
            let (report, bytes, ended) = try read(try folder.file(packed), blockSize: blockSize)
            #expect(bytes == text)
            #expect(ended)
            #expect(report.status == .ok)
            #expect(report.bytes == packed.count)
            #expect(report.wholeMembers == 1)
            #expect(report.trailingBytesAt == nil)
        }
    }

    @Test func aWindowOf128MiBIsReadAndALargerOneIsNot() throws {
        let folder = try ScratchFolder()
        let text = sampleLines(3)
        for (descriptor, window) in [(0x88, 1 << 27), (0x87, (1 << 26) / 8 * 15), (0x89, nil), (0xFF, nil)]
            as [(UInt8, Int?)]
        {
            // One block, as it is.
            let size = text.count << 3 | 1
            let header = [UInt8(size & 0xFF), UInt8(size >> 8), 0]
            let path = try folder.file([0x28, 0xB5, 0x2F, 0xFD, 0, descriptor] + header + text)
            for blockSize in [1, 100, 1 << 17] {
                guard let window else {
                    #expect(throws: LogFileError(step: .unpack(.zstdWindow), path: path, code: ENOTSUP)) {
                        try read(path, blockSize: blockSize)
                    }
                    continue
                }
                var taken: [Int] = []
                try Unpacker(blockSize: blockSize).begin(path, willTakeWindow: { taken.append($0) })
                #expect(taken == [window])
                #expect(try read(path, blockSize: blockSize).bytes == text)
            }
        }
    }

    @Test func aLaterFrameAsksForALargerWindowBeforeItIsUnpacked() throws {
        let folder = try ScratchFolder()
        let text = sampleLines(3)
        // One block, as it is.
        let block = [UInt8(truncatingIfNeeded: text.count << 3 | 1), UInt8(text.count >> 5), 0] + text
        let frames = [10, 20, 20, 27, 20].map { log in [0x28, 0xB5, 0x2F, 0xFD, 0, UInt8(log - 10) << 3] + block }
        let path = try folder.file(frames.flatMap(\.self) + GzipRecipe(level: 1).member(text))
        for blockSize in [1, 100, 1 << 17] {
            let unpacker = Unpacker(blockSize: blockSize)
            var taken: [Int] = []
            try unpacker.begin(path, willTakeWindow: { taken.append($0) })
            var unpacked = Block(size: text.count)
            for least in [1, 2, 2, 3, 3, 3] where try unpacker.fill(&unpacked) { #expect(taken.count >= least) }
            #expect(taken == [1 << 10, 1 << 20, 1 << 27])
        }
    }

    @Test func textIsReadWhateverItsName() throws {
        let folder = try ScratchFolder()
        for (bytes, content) in [
            (Array("a\nb".utf8), "a\nb"), ([], ""), ([0x28, 0x0A], "(\n"), ([0xEF, 0xBB, 0xBF] + Array("x".utf8), "x"),
            ([0xEF, 0xBB, 0xBF], ""), ([0xEF, 0xBB, 0xBF, 0x41, 0xEF, 0xBB, 0xBF], "A\u{FEFF}"),
            ([0xEF, 0xBB], String(decoding: [0xEF, 0xBB] as [UInt8], as: UTF8.self)),
        ] {
            for file in [bytes, GzipRecipe(level: 1).member(bytes)] {
                for blockSize in [1, 2, 100] {
                    let (report, read, ended) = try read(try folder.file(file, "a.log.gz"), blockSize: blockSize)
                    #expect(String(decoding: read, as: UTF8.self) == content)
                    #expect(report.status == .ok)
                    #expect(ended)
                }
            }
        }
    }

    @Test func aCutFileKeepsItsCompleteLinesHoweverShort() throws {
        let folder = try ScratchFolder()
        for (text, lines) in [
            ("x\n", ["1:x"]), ("\n", []), ("x", []), ("x\ny", ["1:x"]), ("\u{FEFF}", []), ("\u{FEFF}x\n", ["1:x"]),
        ] {
            let member = GzipRecipe(level: 9).member(Array(text.utf8))
            var found = CollectingLines()
            let report = try readFile(folder.file(member + member.prefix(5)), into: &found)
            #expect(report.status == .truncated)
            #expect(found.lines == lines, "\(text)")
        }
    }

    @Test func theBeginningOfAMagicNumberIsACutFile() throws {
        let folder = try ScratchFolder()
        for (magic, packing) in [
            ([0x1F, 0x8B], .gzip), ([0x28, 0xB5, 0x2F, 0xFD], .zstd), ([0x5A, 0x2A, 0x4D, 0x18], .zstd),
        ]
            as [([UInt8], Packing)]
        {
            for length in 1..<magic.count {
                let (report, bytes, _) = try read(try folder.file(Array(magic.prefix(length))))
                #expect(report.status == .truncated && report.packing == packing && bytes.isEmpty)
            }
            let text = try read(try folder.file(Array(magic.prefix(1)) + [0x0A]))
            #expect(text.report.status == .ok)
        }
    }

    @Test func theFingerprintDependsOnlyOnTheBytes() throws {
        let folder = try ScratchFolder()
        let packed = GzipRecipe(level: 9).member(sampleLines(200))
        let reference = try read(try folder.file(packed, "one")).report.fingerprint
        #expect(reference.count == 32)
        #expect(try read(try folder.file(packed, "two"), blockSize: 13).report.fingerprint == reference)
        var seen: Set<String> = [reference]
        for index in packed.indices {
            var bytes = packed
            bytes[index] ^= 0x40
            #expect(seen.insert(try read(try folder.file(bytes)).report.fingerprint).inserted, "byte \(index)")
        }
        #expect(seen.insert(try read(try folder.file(packed + [0])).report.fingerprint).inserted)
    }

    @Test func aDamagedFileIsFingerprintedToItsEnd() throws {
        let folder = try ScratchFolder()
        let member = GzipRecipe(level: 9).member(sampleLines(5))
        var wrong = member
        wrong[member.count - 8] ^= 1
        let path = try folder.file(member + wrong + member + member)
        let fingerprint = try read(path).report.fingerprint
        for blockSize in Array(1...80) + [member.count, member.count * 2] {
            for members in [0, 1, .max] {
                let report = try read(path, blockSize: blockSize, members: members).report
                #expect(report.status == .damaged)
                #expect(report.bytes == member.count * 4, "in blocks of \(blockSize)")
                #expect(report.fingerprint == fingerprint, "in blocks of \(blockSize)")
            }
        }
    }

    @Test(arguments: [1, 7, 64, 300])
    func aPlainFileThatShrinksWhileItIsReadIsTruncated(_ blockSize: Int) throws {
        let folder = try ScratchFolder()
        let line = "192.0.2.1 - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=h1,d57fd6,7 HTTP/1.1\" 200 0\n"
        let size = line.utf8.count
        for length in [0, 20, size, size + 1, 2 * size - 1, 23 * size - 1] {
            let path = try folder.file(Array(String(repeating: line, count: 23).utf8))
            let unpacker = Unpacker(blockSize: blockSize)
            var isCut = false
            try unpacker.begin(path) { _ in
                if !isCut { truncate(path, off_t(length)) }
                isCut = true
            }
            var block = Block(size: 100)
            var found = CollectingLines()
            let report = try unpacker.feed(&found, through: &block)
            #expect(report.status == .truncated)
            #expect(report.packing == .plain)
            #expect(report.stamp == nil)
            // What was read before the cut counts.
            #expect(found.lines.count == max(length, blockSize) / size, "cut at \(length)")
        }
    }

    @Test func aPlainFileThatGrowsWhileItIsReadIsReadToItsEnd() throws {
        let folder = try ScratchFolder()
        let path = try folder.file(Array("one\n".utf8))
        let unpacker = Unpacker(blockSize: 4)
        var more = ["two\n", "three"]
        try unpacker.begin(path) { _ in
            guard !more.isEmpty, let file = FileHandle(forWritingAtPath: path) else { return }
            try file.seekToEnd()
            try file.write(contentsOf: Data(more.removeFirst().utf8))
            try file.close()
        }
        var block = Block(size: 100)
        var found = CollectingLines()
        #expect(try unpacker.feed(&found, through: &block).status == .ok)
        #expect(found.lines == ["1:one", "2:two", "3:three"])
    }
}
