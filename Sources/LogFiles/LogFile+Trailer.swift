import Foundation

extension LogFile {
    /// Whether of a member that ends with the file the CRC is there already, and wrong: then the member is damaged, not only
    /// truncated. How much of a trailer zlib has taken it does not tell, so it looks at the member once more, now with a
    /// CRC of its own.
    func hasWrongCRC(memberAt start: Int) throws -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFileError(step: .open, path: path, code: errno) }
        defer { close(descriptor) }
        guard lseek(descriptor, off_t(start), SEEK_SET) >= 0 else {
            throw LogFileError(step: .read, path: path, code: errno)
        }
        var input = FileInput(descriptor: descriptor, path: path, blockSize: blockSize)
        var zlib = try ZlibStream(path: path)
        var output = [UInt8](repeating: 0, count: blockSize)
        var nobody = Nobody()
        while true {
            let (filled, step) = output.withUnsafeMutableBufferPointer { output in
                input.take { available in
                    let done = zlib.inflate(available, into: output)
                    return (done.taken, (done.filled, done.step))
                }
            }
            guard step == .moreToCome else { return step == .memberDamaged }
            if input.available == 0 {
                try input.readBlock(&nobody)
                if input.available == 0 && filled < blockSize { return false }
            }
        }
    }

    private struct Nobody: ByteConsumer {
        mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) -> Int { bytes.count }
        mutating func didRead(_ count: Int) {}
    }
}
