import Foundation

extension LogFile {
    /// Whether of a member that ends with the file the CRC is there already, and wrong: then the member is damaged, not only
    /// truncated. How much of a trailer zlib has taken it does not tell, so it looks at the member once more, now with a
    /// CRC of its own.
    func hasWrongCRC(memberAt start: Int) throws -> Bool {
        var input = FileInput(blockSize: Block.size)
        _ = try input.open(path)
        try input.go(to: start)
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
