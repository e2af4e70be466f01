import CChecksum
import Hashing
import Posix

/// What is known of a file that may be a former one, renamed or compressed anew.
package struct FileOutline: Hashable, Codable, Sendable {
    /// As in `FileReport`.
    package let fingerprint: String
    /// Nil if it was not unpacked.
    package var reading: ContentReading?
}

/// The hashes of a file's unpacked content, and of its first bytes. They compare it with files that were loaded before.
package struct ContentReading: Hashable, Codable, Sendable {
    package struct Prefix: Hashable, Codable, Sendable {
        /// What `FileReport` has of a compressed file with this content.
        package let content: UnpackedContent
        /// The fingerprint of a plain file with this content.
        package let fingerprint: String
    }

    /// By length, for those that were asked for and that the content has. The last is all of it.
    package let prefixes: [Prefix]
    let status: FileStatus

    /// All of the content, if the file is neither truncated nor damaged.
    package var whole: Prefix? { status == .ok ? prefixes.last : nil }

    /// Whether the first so many bytes are known, or that there are fewer.
    package func covers(_ bytes: Int) -> Bool {
        prefixes.contains { $0.content.bytes == bytes } || prefixes.allSatisfy { $0.content.bytes < bytes }
    }
}

extension LogFile {
    /// Reads the file without unpacking it. Returns the stamp from before; nil if it is not steady, or the file
    /// changed meanwhile. Calls `didRead` with the number of bytes of each block.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func outline(
        didRead: (Int) throws -> Void = { _ in }
    ) throws -> (outline: FileOutline, stamp: FileStamp?) {
        var input = FileInput(blockSize: Block.size)
        let stamp = try input.open(path)
        try input.skipToEnd(didRead)
        return (FileOutline(fingerprint: input.fingerprint), stamp?.bytes == input.bytesRead ? stamp : nil)
    }

    /// Unpacks the whole file, and hashes its content and the first bytes of it, for each of `lengths`. The closures are those of
    /// `Unpacker`.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func contentReading(
        _ lengths: Set<Int>, didRead: @escaping Unpacker.DidRead = { _ in },
        willTakeWindow: @escaping (Int) -> Void = { _ in }
    ) throws -> ContentReading {
        let unpacker = Unpacker()
        try unpacker.begin(self, didRead: didRead, willTakeWindow: willTakeWindow)
        var block = Block()
        var sum = PrefixSum()
        var prefixes: [ContentReading.Prefix] = []
        var left = lengths.sorted()[...]
        while try unpacker.fill(&block) {
            var offset = 0
            while let next = left.first, next - sum.bytes <= block.count - offset {
                let end = offset + next - sum.bytes
                sum.add(block.span.extracting(offset..<end))
                prefixes.append(sum.prefix)
                left.removeFirst()
                offset = end
            }
            sum.add(block.span.extracting(offset..<block.count))
        }
        if prefixes.last?.content.bytes != sum.bytes { prefixes.append(sum.prefix) }
        return ContentReading(prefixes: prefixes, status: unpacker.report.status)
    }
}

/// Hashes content.
private struct PrefixSum {
    private(set) var bytes = 0
    private var crc: UInt32 = 0
    private var head = ContentHead()
    private var hash = FileHash()

    mutating func add(_ span: Span<UInt8>) {
        crc = span.withUnsafeBufferPointer { checksum_crc32(crc, $0.baseAddress, $0.count) }
        head.add(span)
        hash.add(span)
        bytes += span.count
    }

    var prefix: ContentReading.Prefix {
        ContentReading.Prefix(
            content: UnpackedContent(bytes: bytes, crc32: crc, head: head.text),
            fingerprint: hash.text(byteCount: bytes))
    }
}
