import CChecksum
import CZlib

#if ISAL
    import CISAL
#endif

/// Unpacks the gzip members and zstd frames of a file, one at a time. Of both it computes the CRC.
///
/// zlib checks the header of a member. From the first output on, this type computes the CRC and the length itself,
/// because zlib's own CRC takes a fifth of zlib's time.
///
/// With the trait ISAL, ISA-L unpacks the data after the header. If ISA-L finds a member to be damaged or truncated,
/// zlib unpacks the member again (`startAgainWithZlib`). So both libraries give the same result for every file, with
/// one exception, which no compressor writes: If a Huffman code of the data is incomplete and the CRC and the length
/// are right, zlib rejects the member and ISA-L reads it.
package struct Inflater: ~Copyable {
    private var packing = Packing.gzip
    private var zlib = ZlibStream()
    private var zstd = ZstdStream()
    private var isInHeader = true
    /// The CRC of what was unpacked of the member.
    private(set) var crc: UInt32 = 0
    private var length: UInt32 = 0
    /// Whether the result is final. If not, zlib unpacks the member again.
    private(set) var isFinal = true

    #if ISAL
        private var isal = ISALStream()
        /// The name and version of the library that unpacks.
        package static let library = "ISA-L \(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION)"
    #else
        /// The name and version of the library that unpacks.
        package static let library = "zlib \(String(cString: zlibVersion()))"
    #endif

    /// Prepares for a member. The path is for error messages.
    mutating func begin(_ packing: Packing, of path: String) throws(LogFileError) {
        self.packing = packing
        crc = 0
        length = 0
        isFinal = true
        guard packing == .gzip else { return try zstd.begin(path) }
        try zlib.begin(path)
        isInHeader = true
        #if ISAL
            isal.reset()
            isFinal = false
        #endif
    }

    /// Prepares for unpacking the same member again with zlib.
    mutating func startAgainWithZlib(_ path: String) throws(LogFileError) {
        try begin(.gzip, of: path)
        isFinal = true
    }

    /// Frees memory that the next file may not need.
    mutating func end() {
        zstd.end()
    }

    /// Unpacks from `input` into `output`. Stops when the input is empty, the output is full, or the member ends, and
    /// may stop earlier.
    mutating func inflate(
        _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> InflateProgress {
        if packing == .zstd {
            let done = zstd.inflate(input, into: output)
            crc = checksum_crc32(crc, output.baseAddress, done.filled)
            return done
        }
        #if ISAL
            if !isFinal { return inflateQuickly(input, into: output) }
        #endif
        let done = zlib.inflate(input, into: output)
        if done.filled > 0 {
            // Within the header zlib's check stays on, because a header may have its own CRC.
            if isInHeader { zlib.checksCRC(false) }
            isInHeader = false
            crc = checksum_crc32(crc, output.baseAddress, done.filled)
            length &+= UInt32(truncatingIfNeeded: done.filled)
        }
        return done
    }

    /// Whether a member's trailer is correct: the CRC and the length of its content, with 4 bytes each, lowest byte
    /// first. A zstd frame has none.
    func agrees(with trailer: ArraySlice<UInt8>) -> Bool {
        let words = trailer.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return packing == .zstd || words == UInt64(length) << 32 | UInt64(crc)
    }

    /// Whether the CRC is correct: the first 4 bytes of a trailer.
    func agrees(withCRC bytes: ArraySlice<UInt8>) -> Bool {
        crc == bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }

    /// The number of bytes, from 1 to 7, that the trailer of a member lacks; nil if more is missing. To be called at
    /// the end of the input if `isFinal`. The member is over then.
    ///
    /// zlib does not say how much of a trailer it has taken, so it gets zeros until it takes the trailer for whole.
    mutating func missingTrailerBytes() -> Int? {
        guard packing == .gzip else { return nil }
        var (zero, output): ([UInt8], [UInt8]) = ([0], [0])
        return (1...7).first { _ in
            zero.withUnsafeMutableBufferPointer { zero in
                output.withUnsafeMutableBufferPointer { zlib.inflate(zero, into: $0).step == .memberEnded }
            }
        }
    }

    #if ISAL
        private mutating func inflateQuickly(
            _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
        ) -> InflateProgress {
            if isInHeader {
                let header = zlib.readHeader(input, output: output)
                isInHeader = !header.isWhole
                return InflateProgress(
                    taken: header.taken, filled: 0, step: header.isDamaged ? .memberDamaged : .moreToCome)
            }
            let done = isal.inflate(input, into: output)
            crc = isal.crc
            length &+= UInt32(truncatingIfNeeded: done.filled)
            return done
        }
    #endif
}
