import CChecksum
import Hashing
import Posix

/// Identifies the unpacked content of a file that was read to a sound end. It has all hashes that a load may have
/// stored: that of a compressed file's content, that of a plain file, and that of this very file.
package struct ContentReading: Hashable, Codable, Sendable {
    /// What `FileReport` has of a compressed file with this content.
    package let content: UnpackedContent
    /// The fingerprint of a plain file with this content.
    package let fingerprint: String
    /// The fingerprint of the file as it is on disk. Of the files of a partition that cannot be read, push.db has only
    /// this.
    package let fingerprintOnDisk: String

    /// Unpacks a whole file, and hashes its content. Returns also the stamp from before; nil if it is not steady, or
    /// the file changed meanwhile. The reading is nil if the file is truncated or damaged. The closures are those of
    /// `Unpacker`.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package static func read(
        _ path: String, didRead: @escaping Unpacker.DidRead = { _ in },
        willTakeWindow: @escaping (Int) -> Void = { _ in }
    ) throws -> (reading: ContentReading?, stamp: FileStamp?) {
        let unpacker = Unpacker()
        try unpacker.begin(path, didRead: didRead, willTakeWindow: willTakeWindow)
        var block = Block()
        var bytes = 0
        var crc: UInt32 = 0
        var head = ContentHead()
        var hash = FileHash()
        while try unpacker.fill(&block) {
            crc = block.span.withUnsafeBufferPointer { checksum_crc32(crc, $0.baseAddress, $0.count) }
            head.add(block.span)
            hash.add(block.span)
            bytes += block.count
        }
        let report = unpacker.report
        let reading = ContentReading(
            content: UnpackedContent(bytes: bytes, crc32: crc, head: head.text),
            fingerprint: hash.text(byteCount: bytes), fingerprintOnDisk: report.fingerprint)
        return (report.status == .ok ? reading : nil, report.stamp)
    }
}
