import CZlib

/// zlib's part of unpacking: one stream for gzip members, one after the other. It lies on the heap, since zlib remembers
/// its address.
struct ZlibStream: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private var isOpen = false

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Whether what was taken last belongs to the member's last block of data, or to its trailer.
    var isNearEnd: Bool { stream.pointee.data_type & 64 != 0 }

    /// Makes ready for a member. The path is only for the error.
    mutating func begin(_ path: String) throws(LogFileError) {
        if isOpen {
            inflateReset(stream)
            return checksCRC(true)
        }
        // 15 bits of window, +16: gzip.
        let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw LogFileError(step: .inflate, path: path, code: code) }
        isOpen = true
    }

    /// Whether zlib itself checks the CRC and the length of what a member holds, and the CRC of a header.
    mutating func checksCRC(_ checks: Bool) {
        inflateValidate(stream, checks ? 1 : 0)
    }

    /// Unpacks from `input` into `output` until one of them is used up or the member ends.
    mutating func inflate(
        _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> InflateProgress {
        let code = run(input, output, Z_NO_FLUSH)
        let taken = input.count - Int(stream.pointee.avail_in)
        let filled = output.count - Int(stream.pointee.avail_out)
        switch code {
        case Z_STREAM_END: return InflateProgress(taken: taken, filled: filled, step: .memberEnded)
        case Z_OK, Z_BUF_ERROR: return InflateProgress(taken: taken, filled: filled, step: .moreToCome)
        default: return InflateProgress(taken: taken, filled: filled, step: .memberDamaged)
        }
    }

    private mutating func run(
        _ input: UnsafeMutableBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>, _ flush: Int32
    ) -> Int32 {
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        return CZlib.inflate(stream, flush)
    }
}

#if ISAL
    extension ZlibStream {
        /// Reads on in a member's header, and nothing behind it.
        mutating func readHeader(
            _ input: UnsafeMutableBufferPointer<UInt8>, output: UnsafeMutableBufferPointer<UInt8>
        ) -> (taken: Int, isWhole: Bool, isDamaged: Bool) {
            // Z_BLOCK stops behind the header, which the 128 tells; there is no room for more either.
            let code = run(input, UnsafeMutableBufferPointer(rebasing: output.prefix(0)), Z_BLOCK)
            let taken = input.count - Int(stream.pointee.avail_in)
            let isWhole = stream.pointee.data_type & 128 != 0
            return (taken, isWhole, code != Z_OK && code != Z_BUF_ERROR)
        }
    }
#endif
