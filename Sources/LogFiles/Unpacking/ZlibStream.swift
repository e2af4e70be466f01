import CZlib

#if ISAL
    import CISAL
#endif

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
        let code = run(input, into: output, flush: Z_NO_FLUSH)
        let taken = input.count - Int(stream.pointee.avail_in)
        let filled = output.count - Int(stream.pointee.avail_out)
        switch code {
        case Z_STREAM_END: return InflateProgress(taken: taken, filled: filled, step: .memberEnded)
        case Z_OK, Z_BUF_ERROR: return InflateProgress(taken: taken, filled: filled, step: .moreToCome)
        default: return InflateProgress(taken: taken, filled: filled, step: .memberDamaged)
        }
    }

    private mutating func run(
        _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, flush: Int32
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
            let code = run(input, into: UnsafeMutableBufferPointer(rebasing: output.prefix(0)), flush: Z_BLOCK)
            let taken = input.count - Int(stream.pointee.avail_in)
            let isWhole = stream.pointee.data_type & 128 != 0
            return (taken, isWhole, code != Z_OK && code != Z_BUF_ERROR)
        }
    }
#endif

#if ISAL
    /// Unpacks with ISA-L: the data of a gzip member after its header, and its trailer. The state is on the heap,
    /// because it is large and ISA-L needs a stable address.
    struct ISALStream: ~Copyable {
        private let state: UnsafeMutablePointer<inflate_state>

        init() {
            state = .allocate(capacity: 1)
            reset()
        }

        deinit {
            state.deallocate()
        }

        /// The CRC of the unpacked bytes of the member.
        var crc: UInt32 { state.pointee.crc }

        /// Prepares for the data of the next member.
        mutating func reset() {
            isal_inflate_init(state)
            // Reads the data and the trailer, without a header, and does not verify the trailer.
            state.pointee.crc_flag = UInt32(ISAL_GZIP_NO_HDR_VER)
        }

        /// Unpacks from `input` into `output` until the input is empty, the output is full, or the member ends.
        mutating func inflate(
            _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
        ) -> InflateProgress {
            state.pointee.next_in = input.baseAddress
            state.pointee.avail_in = UInt32(input.count)
            state.pointee.next_out = output.baseAddress
            state.pointee.avail_out = UInt32(output.count)
            let code = isal_inflate(state)
            let taken = input.count - Int(state.pointee.avail_in)
            let filled = output.count - Int(state.pointee.avail_out)
            guard code == ISAL_DECOMP_OK else {
                return InflateProgress(taken: taken, filled: filled, step: .memberDamaged)
            }
            if state.pointee.block_state == ISAL_BLOCK_FINISH {
                return InflateProgress(taken: taken, filled: filled, step: .memberEnded)
            }
            // Without any progress the caller would loop forever.
            let progresses = taken > 0 || filled > 0 || input.isEmpty
            return InflateProgress(taken: taken, filled: filled, step: progresses ? .moreToCome : .memberDamaged)
        }
    }
#endif
