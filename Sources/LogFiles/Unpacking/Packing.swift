/// How a file is compressed.
package enum Packing: String, Codable, Sendable {
    case plain, gzip, zstd
}

extension Packing {
    /// A skippable frame may also begin an lz4 file.
    init(beginning: [UInt8]) {
        switch MemberStart(beginning) {
        case .gzip: self = .gzip
        case .zstd: self = .zstd
        case .skippable: self = ForeignKind(beginning: beginning.span) == .lz4 ? .plain : .zstd
        // No log is so short a text.
        case .cut: self = beginning == [0x1F] ? .gzip : .zstd
        case .other: self = .plain
        }
    }
}

/// What begins at a byte of a file, by the magic numbers.
enum MemberStart {
    case gzip, zstd
    /// A frame of zstd that holds no content.
    case skippable
    /// The file ends inside one of the magic numbers.
    case cut
    case other

    /// - Parameter bytes: at least four, or all that the file has.
    init(_ bytes: [UInt8]) {
        let magics: [(start: MemberStart, magic: [UInt8])] = [
            (.gzip, [0x1F, 0x8B]), (.zstd, [0x28, 0xB5, 0x2F, 0xFD]), (.skippable, [0x50, 0x2A, 0x4D, 0x18]),
        ]
        var bytes = Array(bytes.prefix(4))
        // There are sixteen magic numbers of skippable frames.
        if let first = bytes.first, first >> 4 == 5 { bytes[0] = 0x50 }
        let isCut = !bytes.isEmpty && magics.contains { $0.magic.starts(with: bytes) }
        self = magics.first { bytes.starts(with: $0.magic) }?.start ?? (isCut ? .cut : .other)
    }
}

extension FileInput {
    /// What begins at the next byte.
    mutating func memberStart(_ didRead: (Int) throws -> Void) throws -> MemberStart {
        try need(4, onRead: didRead)
        return MemberStart(first(4))
    }

    /// Skips a skippable frame: its magic number, a length of 4 bytes, and so many bytes. Returns false if the file
    /// ends inside.
    mutating func skipFrame(_ didRead: (Int) throws -> Void) throws -> Bool {
        try need(8, onRead: didRead)
        guard available >= 8 else { return false }
        var left = 8 + number(at: 4, bytes: 4)
        while left > 0 {
            if available == 0 { try readBlock(didRead) }
            guard available > 0 else { return false }
            left -= skip(left)
        }
        return true
    }

    /// The header of the zstd frame that begins at the next byte; nil if the file ends inside.
    mutating func zstdHeader(_ didRead: (Int) throws -> Void) throws -> ZstdHeader? {
        try need(18, onRead: didRead)
        guard available >= 5 else { return nil }
        let flags = Int(byte(4))
        let isSingleSegment = flags & 0x20 != 0
        let dictionarySize = [0, 1, 2, 4][flags & 3]
        let sizeSize = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >> 6]
        let dictionary = isSingleSegment ? 5 : 6
        guard available >= dictionary + dictionarySize + sizeSize else { return nil }
        let hasDictionary = number(at: dictionary, bytes: dictionarySize) != 0
        if isSingleSegment {
            // The window is the content. A size of two bytes does not count the first 256.
            let size = number(at: dictionary + dictionarySize, bytes: sizeSize) + (sizeSize == 2 ? 256 : 0)
            return ZstdHeader(window: size, hasDictionary: hasDictionary)
        }
        let window = 1 << (10 + Int(byte(5) >> 3))
        return ZstdHeader(window: window + window / 8 * Int(byte(5) & 7), hasDictionary: hasDictionary)
    }

    /// A number of available bytes, lowest byte first; at most `Int.max / 2`.
    private func number(at offset: Int, bytes: Int) -> Int {
        Int(min((0..<bytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(byte(offset + $1)) }, UInt64(Int.max / 2)))
    }
}
