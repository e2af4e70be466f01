import CChecksum
import Hashing

/// The prefixes of a file's unpacked content that were asked for.
package struct ContentReading: Hashable, Codable, Sendable {
    /// By length. Those that are longer than the content are missing.
    package let prefixes: [ContentPrefix]
    /// All of the content, as far as it could be unpacked. Nil if it is longer than all that was asked for.
    package let whole: ContentPrefix?
    /// Whether the file was read to its end, and is neither truncated nor damaged.
    package let isOK: Bool

    package init(prefixes: [ContentPrefix], whole: ContentPrefix?, isOK: Bool) {
        self.prefixes = prefixes
        self.whole = whole
        self.isOK = isOK
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
        var prefixes: [ContentPrefix] = []
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
            if isOver { break }
            if left.isEmpty && offset < block.count {
                return ContentReading(prefixes: prefixes, whole: nil, isOK: false)
            }
            sum.add(block.span.extracting(offset..<block.count))
        }
        return ContentReading(prefixes: prefixes, whole: sum.prefix, isOK: unpacker.report.status == .ok)
    }
}

/// Hashes content.
private struct PrefixSum {
    private(set) var bytes = 0
    private var crc: UInt32 = 0
    private var head = ContentHead()
    private var hash = FileHash()

    mutating func add(_ span: Span<UInt8>) {
        guard span.count > 0 else { return }
        crc = span.withUnsafeBufferPointer { checksum_crc32(crc, $0.baseAddress, $0.count) }
        head.add(span)
        hash.add(span)
        bytes += span.count
    }

    var prefix: ContentPrefix {
        ContentPrefix(
            content: UnpackedContent(bytes: bytes, crc32: crc, head: head.text),
            fingerprint: hash.text(byteCount: bytes))
    }
}
