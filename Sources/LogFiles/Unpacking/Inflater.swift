import CChecksum
import CZlib

#if ISAL
    import CISAL
#endif

/// Unpacks the members of a file, one after the other.
///
/// zlib checks a member's header; from the first output on it leaves the CRC and the length to us, since its own CRC takes
/// a fifth of its time.
///
/// With the trait ISAL, ISA-L unpacks what follows the header, and whatever is no whole member to it zlib unpacks once
/// more (`startAgainWithZlib`): so both say the same of every file, truncated and damaged ones included. But for one
/// kind, which no compressor writes: where a Huffman code of the data is incomplete, and CRC and length are right
/// nonetheless, zlib refuses the member and ISA-L reads it.
package struct Inflater: ~Copyable {
    private var zlib = ZlibStream()
    private var isInHeader = true
    private var crc: UInt32 = 0
    private var length: UInt32 = 0
    /// Whether what is found is zlib's word, which is the last.
    private(set) var isZlib = true

    // What unpacks, and its version.
    #if ISAL
        private var isal = ISALStream()
        package static let library = "ISA-L \(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION)"
    #else
        package static let library = "zlib \(String(cString: zlibVersion()))"
    #endif

    /// Whether what was taken last belongs to the member's last block of data, or to its trailer. Only zlib tells.
    var isNearEnd: Bool { zlib.isNearEnd }

    /// Makes ready for a member. The path is only for the error.
    mutating func begin(_ path: String) throws(LogFileError) {
        try zlib.begin(path)
        isInHeader = true
        crc = 0
        length = 0
        #if ISAL
            isal.reset()
            isZlib = false
        #endif
    }

    /// Makes ready for the same member once more.
    mutating func startAgainWithZlib(_ path: String) throws(LogFileError) {
        try begin(path)
        isZlib = true
    }

    /// Unpacks from `input` into `output` until one of them is used up or the member ends; may do less.
    mutating func inflate(
        _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> InflateProgress {
        #if ISAL
            if !isZlib { return inflateQuickly(input, into: output) }
        #endif
        let done = zlib.inflate(input, into: output)
        if done.filled > 0 {
            // Until then it checks: a header may have a CRC of its own.
            if isInHeader { zlib.checksCRC(false) }
            isInHeader = false
            crc = checksum_crc32(crc, output.baseAddress, done.filled)
            length &+= UInt32(truncatingIfNeeded: done.filled)
        }
        return done
    }

    /// Whether a member's trailer, the CRC and the length of what it holds, each in 4 bytes, lowest first, is right.
    func agrees(with trailer: ArraySlice<UInt8>) -> Bool {
        let words = trailer.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return words == UInt64(length) << 32 | UInt64(crc)
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
