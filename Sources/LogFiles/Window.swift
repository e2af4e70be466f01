/// The unpacked bytes that the consumer has not taken yet, with room for a block more behind them.
struct Window {
    private let blockSize: Int
    private var bytes: [UInt8]
    private var start = 0
    private var end = 0
    private var atFileStart = true

    init(blockSize: Int) {
        self.blockSize = blockSize
        bytes = Array(repeating: 0, count: blockSize * 2)
    }

    mutating func append(_ more: ArraySlice<UInt8>) {
        makeRoom(more.count)
        bytes.replaceSubrange(end..<(end + more.count), with: more)
        end += more.count
    }

    /// Unpacks at most `room` bytes, which are a block or less; answers how many came.
    mutating func inflate(
        with inflater: inout Inflater, from input: inout FileInput, room: Int
    ) -> (filled: Int, step: Inflater.Step) {
        makeRoom(room)
        let (from, to) = (end, end + room)
        let (filled, step) = bytes.withUnsafeMutableBufferPointer { output in
            input.take { available in
                let done = inflater.inflate(available, into: .init(rebasing: output[from..<to]))
                return (done.taken, (done.filled, done.step))
            }
        }
        end += filled
        return (filled, step)
    }

    /// Forgets the last bytes, which have not been offered yet.
    mutating func dropLast(_ count: Int) {
        end -= count
    }

    mutating func offer(to consumer: inout some ByteConsumer, atEnd: Bool) throws {
        guard atEnd || !atFileStart || end - start >= 3 else { return }
        skipByteOrderMark()
        guard end > start || atEnd else { return }
        start += try consumer.consume(bytes.span.extracting(start..<end), atEnd: atEnd)
    }

    /// The file is cut off behind what is left.
    mutating func offerCut(to consumer: inout some ByteConsumer) throws {
        skipByteOrderMark()
        try consumer.endCut(bytes.span.extracting(start..<end))
    }

    private mutating func skipByteOrderMark() {
        guard atFileStart else { return }
        atFileStart = false
        if end - start >= 3 && bytes[start] == 0xEF && bytes[start + 1] == 0xBB && bytes[start + 2] == 0xBF {
            start += 3
        }
    }

    /// Moves what is left to the front; grows where that is not enough.
    private mutating func makeRoom(_ count: Int) {
        guard end + count > bytes.count else { return }
        if start > 0 {
            let (from, to) = (start, end)
            bytes.withUnsafeMutableBytes { buffer in
                // Both ranges lie within the buffer; copyMemory allows them to overlap.
                UnsafeMutableRawBufferPointer(rebasing: buffer[0..<(to - from)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[from..<to]))
            }
            end -= start
            start = 0
        }
        if end + count > bytes.count { bytes += repeatElement(0, count: max(bytes.count, end + count - bytes.count)) }
    }
}
