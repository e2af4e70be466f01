import Foundation
import Reference
import Support
import Testing

@testable import LogFiles

private struct Sample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let kind: ForeignKind?

    init(_ name: String, _ bytes: [UInt8], _ kind: ForeignKind?) {
        (testDescription, self.bytes, self.kind) = (name, bytes, kind)
    }
}

private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

private func bzip2(_ level: UInt8) -> [UInt8] { text("BZh") + [level, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59] }

/// A header of 512 bytes with this magic.
private func tar(_ magic: [UInt8]) -> [UInt8] {
    let head = text("access.log") + [UInt8](repeating: 0, count: 247) + magic
    return head + [UInt8](repeating: 0, count: 512 - head.count)
}

private let foreign: [Sample] = [
    Sample("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0, 4], .xz),
    Sample("zstd", [0x28, 0xB5, 0x2F, 0xFD, 4], .zstd),
    Sample("zstd after other data", [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9, 0x28, 0xB5, 0x2F, 0xFD], .zstd),
    Sample("zstd after much other data", [0x5F, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0xFF, 9], .zstd),
    Sample("lz4", [0x04, 0x22, 0x4D, 0x18, 0x64], .lz4),
    Sample("lz4 after other data", [0x53, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9, 0x04, 0x22, 0x4D, 0x18], .lz4),
    Sample("bzip2 -1", bzip2(0x31), .bzip2), Sample("bzip2 -9", bzip2(0x39), .bzip2),
    Sample("bzip2 of nothing", text("BZh5") + [0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0], .bzip2),
    Sample("zip", text("PK\u{3}\u{4}\u{14}"), .zip), Sample("an empty zip", text("PK\u{5}\u{6}\0\0"), .zip),
    Sample("POSIX tar", tar(text("ustar\u{0}00")), .tar), Sample("GNU tar", tar(text("ustar  \u{0}")), .tar),
    Sample("Avro", text("Obj\u{1}\u{4}"), .avro), Sample("Parquet", text("PAR1\u{15}\u{4}\u{15}"), .parquet),
    Sample("a short Parquet", text("PAR1 PAR1"), .parquet),
    Sample("gzip", [0x1F, 0x8B, 8, 0], .gzip),
    Sample("UTF-16, lowest byte first", [0xFF, 0xFE, 0x41, 0], .utf16),
    Sample("UTF-16, highest byte first", [0xFE, 0xFF, 0, 0x41], .utf16),
    Sample("UTF-32", [0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0], .utf16),
]

private let line = "192.0.2.1 - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=h1,d,7 HTTP/1.1\" 200 0\n"

private let texts: [Sample] = [
    Sample("nothing", [], nil), Sample("a line", text(line), nil), Sample("an mzip body", text("mzip=%7B%22a%22"), nil),
    Sample("JSON after UTF-8's mark", [0xEF, 0xBB, 0xBF] + text("{}"), nil),
    Sample("a host PK", text("PK\u{3}"), nil), Sample("PK and text", text("PK34 - - [19/Nov"), nil),
    Sample("BZh and text", text("BZh9 - - [19/Nov/2026:10"), nil),
    Sample("BZh and a wrong level", text("BZh0") + bzip2(0x31).dropFirst(4), nil),
    Sample("Obj and text", text("Obj1"), nil), Sample("a host in PAR1", text("PAR1-web7 \(line)"), nil),
    Sample("PAR1, a tab, and no more", text("PAR1\t200\r\n"), nil), Sample("PAR1 alone is no file", text("PAR"), nil),
    Sample("ustar in a line", text(String(repeating: "x", count: 257) + "ustar  agent\n"), nil),
    Sample("half of xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A], nil),
    Sample("xz with another end", text("\u{FD}7zXZ\u{1}"), nil),
    Sample("half of zstd", [0x28, 0xB5, 0x2F], nil), Sample("half of lz4", [0x04, 0x22, 0x4D], nil),
    Sample("one byte of UTF-16", [0xFF], nil), Sample("one byte of gzip", [0x1F], nil),
    Sample("a P and binary data", [0x50, 0x2A, 0x4D, 0x19], nil), Sample("a P alone", text("P*M"), nil),
]

@Suite struct ForeignKindTests {
    @Test(arguments: foreign + texts)
    fileprivate func aKindIsRecognisedByItsWholeSignatureInPlainAndPackedFiles(_ sample: Sample) throws {
        #expect(ForeignKind(beginning: sample.bytes.span) == sample.kind)
        // No byte of a signature may be missing.
        let shorter = sample.bytes.prefix(3)
        if sample.kind != .gzip && sample.kind != .utf16 { #expect(ForeignKind(beginning: Array(shorter).span) == nil) }
        let folder = try ScratchFolder()
        var reader = BeginningReader()
        let gzip = GzipRecipe(level: 9).member(sample.bytes + sampleLines(2000))
        let nothing = GzipRecipe(level: 9).member([])
        let zstd = ZstdRecipe().frame(sample.bytes + sampleLines(2000))
        // The kind may begin in a second member.
        for (bytes, packing) in [
            (gzip, .gzip), (nothing + nothing + gzip, .gzip), (zstd, .zstd), (nothing + zstd, .zstd),
            (sample.bytes + sampleLines(9), .plain),
        ] as [([UInt8], Packing)] {
            let beginning = try reader.read(folder.file(bytes))
            if sample.kind == .gzip || sample.kind == .zstd, packing == .plain { continue }
            // Followed by lines it is no short file.
            if sample.testDescription.hasPrefix("a short") { continue }
            #expect(beginning == BeginningReader.Beginning(packing: packing, foreignKind: sample.kind))
        }
    }

    /// Of a file of no lines and of one of many, plain and gzipped.
    @Test(
        .needs(.xz), .needs(.zstd), .needs(.lz4), .needs(.bzip2), .needs(.zip), .needs(.tar), .needs(.gzip),
        .needs(.iconv),
        arguments: [
            (.xz, "xz -c"), (.zstd, "zstd -c"), (.lz4, "lz4 -c"), (.bzip2, "bzip2 -c"), (.bzip2, "bzip2 -1 -c"),
            (.zip, "zip -q -"), (.tar, "tar -c --format=gnu -f -"), (.tar, "tar -c --format=ustar -f -"),
            (.tar, "tar -c --format=posix -f -"), (.gzip, "gzip -c"), (.utf16, "iconv -f UTF-8 -t UTF-16"),
        ] as [(ForeignKind, String)])
    func whatOtherProgramsWriteIsRecognised(kind: ForeignKind, command: String) throws {
        let folder = try ScratchFolder()
        for lines in [0, 3000] {
            // From an empty file iconv makes an empty file.
            if lines == 0 && kind == .utf16 { continue }
            try folder.write(sampleLines(lines), to: "access.log")
            let made = try Tool.output(of: "\(command) access.log", in: folder)
            var reader = BeginningReader()
            // A file that is compressed once is read.
            if kind != .gzip && kind != .zstd {
                #expect(try reader.read(folder.file(made)).foreignKind == kind, "\(lines)")
            }
            for packed in [GzipRecipe(level: 9).member(made), ZstdRecipe().frame(made)] {
                #expect(try reader.read(folder.file(packed)).foreignKind == kind, "\(lines)")
            }
        }
    }

    @Test func theBeginningOfADamagedOrTruncatedFileIsRecognised() throws {
        let folder = try ScratchFolder()
        var reader = BeginningReader()
        let whole = GzipRecipe(level: 9).member(bzip2(0x39) + sampleLines(2000))
        var damaged = whole
        damaged[whole.count - 8] ^= 1
        for bytes in [damaged, Array(whole.prefix(whole.count / 2))] {
            #expect(try reader.read(folder.file(bytes)).foreignKind == .bzip2)
        }
        let header = try reader.read(folder.file(Array(whole.prefix(5))))
        #expect(header == BeginningReader.Beginning(packing: .gzip, foreignKind: nil))
        #expect(throws: LogFileError(step: .open, path: "/nowhere/at/all", code: ENOENT)) {
            try reader.read("/nowhere/at/all")
        }
    }
}
