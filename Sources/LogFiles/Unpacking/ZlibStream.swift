import CZlib

/// Unpacks gzip members with zlib. One stream serves for one member after another. It is on the heap, because zlib
/// stores its address.
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

    /// Prepares for a member. The path is for error messages.
    mutating func begin(_ path: String) throws(LogFileError) {
        if isOpen {
            inflateReset(stream)
            return checksCRC(true)
        }
        // A window of 15 bits; +16 selects the gzip format.
        let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw LogFileError(step: .inflate, path: path, code: code) }
        isOpen = true
    }

    /// Switches zlib's own checks on or off: the CRC and the length of a member's content, and the CRC of a header.
    mutating func checksCRC(_ checks: Bool) {
        inflateValidate(stream, checks ? 1 : 0)
    }

    /// Unpacks from `input` into `output` until the input is empty, the output is full, or the member ends.
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
        /// Continues reading a member's header, and stops at its end.
        mutating func readHeader(
            _ input: UnsafeMutableBufferPointer<UInt8>, output: UnsafeMutableBufferPointer<UInt8>
        ) -> (taken: Int, isWhole: Bool, isDamaged: Bool) {
            // Z_BLOCK stops after the header, and then bit 128 of `data_type` is set. The output is empty as well.
            let code = run(input, UnsafeMutableBufferPointer(rebasing: output.prefix(0)), Z_BLOCK)
            let taken = input.count - Int(stream.pointee.avail_in)
            let isWhole = stream.pointee.data_type & 128 != 0
            return (taken, isWhole, code != Z_OK && code != Z_BUF_ERROR)
        }
    }
#endif
