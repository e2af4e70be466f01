import CChecksum
import CZlib

/// One zlib stream for the members of a file, one after the other. The stream lies on the heap, since zlib remembers
/// its address.
///
/// zlib checks a member's header; from the first output on it leaves the CRC and the length to us, since its own CRC takes
/// a fifth of its time.
struct Inflater: ~Copyable {
    enum Step {
        case moreToCome
        /// The input that was taken ends with the member's trailer, which is still to be checked.
        case memberEnded
        case memberDamaged
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private var crc: UInt32 = 0
    private var length: UInt32 = 0
    /// Whether zlib still checks: its header may have a CRC of its own.
    private var isInHeader = true
    private let leavesCRCToUs: Bool

    init(path: String, leavesCRCToUs: Bool = true) throws(LogFileError) {
        self.leavesCRCToUs = leavesCRCToUs
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window, +16: gzip.
        let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw LogFileError(step: .inflate, path: path, code: code) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether what was taken last belongs to the member's last block of data, or to its trailer.
    var isNearEnd: Bool { stream.pointee.data_type & 64 != 0 }

    /// Makes ready for the next member.
    mutating func reset() {
        inflateReset(stream)
        inflateValidate(stream, 1)
        isInHeader = true
        crc = 0
        length = 0
    }

    /// Unpacks from `input` into `output` until one of them is used up or the member ends.
    mutating func inflate(
        _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> (taken: Int, filled: Int, step: Step) {
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let code = CZlib.inflate(stream, Z_NO_FLUSH)
        let taken = input.count - Int(stream.pointee.avail_in)
        let filled = output.count - Int(stream.pointee.avail_out)
        if filled > 0 {
            if isInHeader && leavesCRCToUs {
                inflateValidate(stream, 0)
                isInHeader = false
            }
            crc = checksum_crc32(crc, output.baseAddress, filled)
            length &+= UInt32(truncatingIfNeeded: filled)
        }
        switch code {
        case Z_STREAM_END: return (taken, filled, .memberEnded)
        case Z_OK, Z_BUF_ERROR: return (taken, filled, .moreToCome)
        default: return (taken, filled, .memberDamaged)
        }
    }

    /// Whether a member's trailer, the CRC and the length of what it holds, each in 4 bytes, lowest first, is right.
    func agrees(with trailer: ArraySlice<UInt8>) -> Bool {
        let words = trailer.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return words == UInt64(length) << 32 | UInt64(crc)
    }
}
