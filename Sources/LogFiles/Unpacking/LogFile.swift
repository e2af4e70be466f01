import Posix

/// A log file: gzipped, with any number of members, or plain. Its first two bytes decide which.
package struct LogFile: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Computes the fingerprint of `FileReport` without unpacking the file.
    ///
    /// Returns the stamp from before the file was read; nil if it is not settled, or the file changed meanwhile. Calls
    /// `didRead` with the number of bytes of each block.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func fingerprint(
        didRead: (Int) throws -> Void = { _ in }
    ) throws -> (fingerprint: String, stamp: FileStamp?) {
        var input = FileInput(blockSize: Block.size)
        let stamp = try input.open(path)
        try input.skipToEnd(didRead)
        return (input.fingerprint, stamp?.bytes == input.bytesRead ? stamp : nil)
    }

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
            let done = input.take(into: &block) { zlib.inflate($0, into: $1) }
            guard done.step == .moreToCome else { return done.step == .memberDamaged }
            if input.available == 0 {
                try input.readBlock { _ in }
                if input.available == 0 && done.filled < Block.size { return false }
            }
        }
    }
}
