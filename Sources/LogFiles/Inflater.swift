import CZlib

/// One zlib stream for the members of a file, one after the other. The stream lies on the heap, since zlib remembers
/// its address.
struct Inflater: ~Copyable {
    enum Step { case moreToCome, memberEnded, memberDamaged }

    private let stream: UnsafeMutablePointer<z_stream>

    init(path: String) throws(LogFileError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window, +16: gzip's header and trailer are read and checked.
        let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw LogFileError(step: .inflate, path: path, code: code) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func reset() {
        inflateReset(stream)
    }

    /// Unpacks from `input` into `output` until one of them is used up or the member ends.
    func inflate(
        _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> (taken: Int, filled: Int, step: Step) {
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let code = CZlib.inflate(stream, Z_NO_FLUSH)
        let taken = input.count - Int(stream.pointee.avail_in)
        let filled = output.count - Int(stream.pointee.avail_out)
        switch code {
        case Z_STREAM_END: return (taken, filled, .memberEnded)
        case Z_OK, Z_BUF_ERROR: return (taken, filled, .moreToCome)
        default: return (taken, filled, .memberDamaged)
        }
    }
}
