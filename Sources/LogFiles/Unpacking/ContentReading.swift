import CChecksum
import Hashing
import Posix

/// The hashes of the first bytes of a file's unpacked content. They compare it with files that were loaded before.
package struct ContentReading: Hashable, Codable, Sendable {
    package struct Prefix: Hashable, Codable, Sendable {
        /// What `FileReport` has of a gzip file with this content.
        package let content: UnpackedContent
        /// The fingerprint of a plain file with this content.
        package let fingerprint: String
    }

    /// By length, for those that were asked for and that the content has. If it was unpacked to its end, the last is all of it.
    package let prefixes: [Prefix]
    /// The state of the file; nil if its content is longer than all that was asked for.
    let status: FileStatus?

    /// All of the content of a file that is neither truncated nor damaged, if it was unpacked to its end.
    package var whole: Prefix? { status == .ok ? prefixes.last : nil }

    /// Whether the first so many bytes are known, or that there are fewer.
    package func covers(_ bytes: Int) -> Bool {
        prefixes.contains { $0.content.bytes == bytes }
            || status != nil && prefixes.allSatisfy { $0.content.bytes < bytes }
    }
}

extension LogFile {
    /// Unpacks the file, and hashes the first bytes of its content, for each of `lengths`. Stops after the longest.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func contentReading(
        _ lengths: Set<Int>, didRead: @escaping Unpacker.DidRead = { _ in }
    ) throws -> ContentReading {
        let unpacker = Unpacker()
        try unpacker.begin(self, didRead: didRead)
        var block = Block()
        var sum = PrefixSum()
        var prefixes: [ContentReading.Prefix] = []
        var left = lengths.sorted()[...]
        while true {
            let isOver = try !unpacker.fill(&block)
            var offset = 0
            while let next = left.first, next - sum.bytes <= block.count - offset {
                let end = offset + next - sum.bytes
                sum.add(block.span.extracting(offset..<end))
                prefixes.append(sum.prefix)
                left.removeFirst()
                offset = end
            }
            if isOver {
                if prefixes.last?.content.bytes != sum.bytes { prefixes.append(sum.prefix) }
                return ContentReading(prefixes: prefixes, status: unpacker.report.status)
            }
            if left.isEmpty && offset < block.count { return ContentReading(prefixes: prefixes, status: nil) }
            sum.add(block.span.extracting(offset..<block.count))
        }
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
