import Posix

extension LogFile {
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
        repeat {
            input.skipAll()
            try input.readBlock(didRead)
        } while input.available > 0
        return (input.fingerprint, stamp?.bytes == input.bytesRead ? stamp : nil)
    }
}
