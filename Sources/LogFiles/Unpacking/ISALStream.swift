#if ISAL
    import CISAL

    /// ISA-L's part of unpacking: what lies between a member's header and its end. The state lies on the heap, since it is
    /// large and ISA-L wants its address.
    struct ISALStream: ~Copyable {
        private let state: UnsafeMutablePointer<inflate_state>

        init() {
            state = .allocate(capacity: 1)
            reset()
        }

        deinit {
            state.deallocate()
        }

        /// Of what the member has given.
        var crc: UInt32 { state.pointee.crc }

        /// Makes ready for the next member's data.
        mutating func reset() {
            isal_inflate_init(state)
            // The data, without the header, and the trailer.
            state.pointee.crc_flag = UInt32(ISAL_GZIP_NO_HDR_VER)
        }

        /// Unpacks from `input` into `output` until one of them is used up or the member ends.
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
            // It goes on, or else nobody would ever end.
            let goesOn = taken > 0 || filled > 0 || input.isEmpty
            return InflateProgress(taken: taken, filled: filled, step: goesOn ? .moreToCome : .memberDamaged)
        }
    }
#endif
