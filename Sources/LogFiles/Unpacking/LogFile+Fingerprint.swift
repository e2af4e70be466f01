import Hashing
import Posix

extension LogFile {
    /// The fingerprint that `read` reports, of the file as it is now, without unpacking it; and its stamp from before,
    /// nil if that is not settled. `didRead` is told the bytes of each block.
    ///
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func fingerprint(
        didRead: (Int) throws -> Void = { _ in }
    ) throws -> (fingerprint: String, stamp: FileStamp?) {
        let file = try LogFile.open(path)
        defer { file.close() }
        let stamp = LogFile.stamp(of: file).settled
        var hash = FileHash()
        var total = 0
        var block = [UInt8](repeating: 0, count: Block.size)
        while true {
            let got = try LogFile.reading { () throws(SystemError) in try file.fill(&block, 0..<block.count) }
            guard got > 0 else { break }
            hash.add(block.span.extracting(0..<got))
            total += got
            try didRead(got)
        }
        return (hash.text(byteCount: total), stamp?.bytes == total ? stamp : nil)
    }

    /// The size of an open file that is about to be read, and its stamp; nil if a later write might not show in that.
    static func stamp(of file: FileDescriptor) -> (bytes: Int, settled: FileStamp?) {
        let now = FileStamp.now()
        guard let stamp = FileStamp(file) else { return (0, nil) }
        return (stamp.bytes, stamp.isSettled(at: now) ? stamp : nil)
    }
}
