import Posix

extension LogFile {
    /// The fingerprint that `read` reports, of the file as it is now, without unpacking it; and its stamp from before,
    /// nil if that is not settled. `didRead` is told the bytes of each block.
    ///
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func fingerprint(
        didRead: (Int) throws -> Void = { _ in }
    ) throws -> (fingerprint: String, stamp: FileStamp?) {
        var input = FileInput(blockSize: Block.size)
        let stamp = try input.open(path)
        repeat {
            input.skipAll()
            try input.readBlock(didRead)
        } while input.available > 0
        return (input.fingerprint, stamp?.bytes == input.bytesRead ? stamp : nil)
    }
}
