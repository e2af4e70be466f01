import Foundation

extension LogFile {
    /// Whether a member that is cut off by the end of the file has a wrong CRC in its incomplete trailer. Such a member
    /// is damaged, and not only truncated.
    ///
    /// zlib does not say how much of a trailer it has taken, so it unpacks the member again, this time with its own
    /// CRC.
    /// - Parameter start: the offset of the member in the file.
    func hasWrongCRC(memberAt start: Int) throws -> Bool {
        var input = FileInput(blockSize: Block.size)
        _ = try input.open(path)
        try input.seek(to: start)
        var zlib = ZlibStream()
        try zlib.begin(path)
        var block = Block()
        while true {
            block.clear()
            let (filled, step) = block.append { output in
                input.take { available in
                    let done = zlib.inflate(available, into: output)
                    return (done.taken, (done.filled, (done.filled, done.step)))
                }
            }
            guard step == .moreToCome else { return step == .memberDamaged }
            if input.available == 0 {
                try input.readBlock { _ in }
                if input.available == 0 && filled < Block.size { return false }
            }
        }
    }
}
