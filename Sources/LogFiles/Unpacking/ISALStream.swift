#if ISAL
    import CISAL

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
