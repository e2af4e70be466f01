/// A kind of file that cannot be read, recognized by the signature at its beginning.
package enum ForeignKind: String, CaseIterable, Codable, Sendable {
    /// `gzip` and `zstd` are such files inside a compressed one. The last two are zstd frames that cannot be unpacked.
    case xz, zstd, lz4, bzip2, zip, tar, avro, parquet, gzip, utf16, zstdWindow, zstdDictionary

    /// The number of bytes that contain all signatures.
    static let beginningBytes = 512

    /// The kind of a file that begins with these bytes; nil if they match no signature.
    init?(beginning: Span<UInt8>) {
        let signature = ForeignKind.signatures.first { beginning.holds($0.bytes, at: $0.offset) }
        if let signature {
            self = signature.kind
        } else if ForeignKind.hasSkippableFrame(beginning) {
            self = ForeignKind.kind(afterSkippableFrame: beginning)
        } else if ForeignKind.isParquet(beginning) {
            self = .parquet
        } else {
            return nil
        }
    }

    private struct Signature {
        let kind: ForeignKind
        let bytes: [UInt8]
        var offset = 0
    }

    private static let signatures: [Signature] =
        [
            Signature(kind: .xz, bytes: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
            Signature(kind: .zstd, bytes: [0x28, 0xB5, 0x2F, 0xFD]),
            Signature(kind: .lz4, bytes: [0x04, 0x22, 0x4D, 0x18]),
            Signature(kind: .zip, bytes: [0x50, 0x4B, 0x03, 0x04]),
            // An empty archive.
            Signature(kind: .zip, bytes: [0x50, 0x4B, 0x05, 0x06]),
            Signature(kind: .avro, bytes: Array("Obj\u{1}".utf8)),
            Signature(kind: .gzip, bytes: [0x1F, 0x8B]),
            // Also the beginning of UTF-32 with the lowest byte first.
            Signature(kind: .utf16, bytes: [0xFF, 0xFE]),
            Signature(kind: .utf16, bytes: [0xFE, 0xFF]),
            // The first is by POSIX, the second by GNU tar.
            Signature(kind: .tar, bytes: Array("ustar\u{0}".utf8), offset: 257),
            Signature(kind: .tar, bytes: Array("ustar  \u{0}".utf8), offset: 257),
        ] + bzip2Signatures

    /// `BZh`, the level, and the magic number of a block or of the end of the stream.
    private static let bzip2Signatures = (UInt8(ascii: "1")...UInt8(ascii: "9")).flatMap { level in
        [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]].map { mark in
            Signature(kind: .bzip2, bytes: Array("BZh".utf8) + [level] + mark)
        }
    }

    /// zstd and lz4 files may begin with a skippable frame: one of sixteen magic numbers, and a length.
    private static func hasSkippableFrame(_ beginning: Span<UInt8>) -> Bool {
        beginning.count >= 4 && beginning[0] >> 4 == 5 && beginning.holds([0x2A, 0x4D, 0x18], at: 1)
    }

    /// lz4 if an lz4 frame follows within these bytes, else zstd.
    private static func kind(afterSkippableFrame beginning: Span<UInt8>) -> ForeignKind {
        guard beginning.count >= 8 else { return .zstd }
        let length = (4..<8).reversed().reduce(0) { $0 << 8 | Int(beginning[$1]) }
        guard 8 + length < beginning.count else { return .zstd }
        return ForeignKind(beginning: beginning.extracting((8 + length)...)) == .lz4 ? .lz4 : .zstd
    }

    /// Whether `PAR1` is followed by binary data, or the whole file is seen and ends in `PAR1`. `PAR1` alone is not
    /// enough, because a line of a log may begin with these letters.
    private static func isParquet(_ beginning: Span<UInt8>) -> Bool {
        let mark = Array("PAR1".utf8)
        guard beginning.holds(mark, at: 0) else { return false }
        let isBinary = (4..<beginning.count).contains { index in
            let byte = beginning[index]
            return byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
        }
        return isBinary || beginning.count < beginningBytes && beginning.holds(mark, at: beginning.count - 4)
    }
}

extension Span<UInt8> {
    fileprivate func holds(_ bytes: [UInt8], at offset: Int) -> Bool {
        guard offset + bytes.count <= count else { return false }
        return bytes.indices.allSatisfy { self[offset + $0] == bytes[$0] }
    }
}
