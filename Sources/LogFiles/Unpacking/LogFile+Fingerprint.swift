import Foundation

extension LogFile {
    /// The fingerprint that `read` reports, of the file as it is now, without unpacking it; and its stamp from before,
    /// nil if that is not settled. `didRead` is told the bytes of each block.
    ///
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func fingerprint(
        didRead: (Int) throws -> Void = { _ in }
    ) throws -> (fingerprint: String, stamp: FileStamp?) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFileError(step: .open, path: path, code: errno) }
        defer { close(descriptor) }
        let stamp = LogFile.stamp(of: descriptor).settled
        var hash = FileHash()
        var total = 0
        var block = [UInt8](repeating: 0, count: Block.size)
        while true {
            let got = Foundation.read(descriptor, &block, block.count)
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw LogFileError(step: .read, path: path, code: errno) }
            guard got > 0 else { break }
            hash.add(block.span.extracting(0..<got))
            total += got
            try didRead(got)
        }
        return (hash.text(byteCount: total), stamp?.bytes == total ? stamp : nil)
    }

    /// The size of an open file that is about to be read, and its stamp; nil if a later write might not show in that.
    static func stamp(of descriptor: Int32) -> (bytes: Int, settled: FileStamp?) {
        let now = FileStamp.now()
        guard let stamp = FileStamp(descriptor: descriptor) else { return (0, nil) }
        return (stamp.bytes, stamp.isSettled(at: now) ? stamp : nil)
    }
}
