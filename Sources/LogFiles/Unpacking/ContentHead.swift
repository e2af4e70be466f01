import CZlib
import Hashing

/// Hashes the beginning of a file's unpacked content.
struct ContentHead {
    private var hash = FileHash()
    private var count = 0

    /// Adds the next bytes. Those beyond the beginning are ignored.
    mutating func add(_ bytes: Span<UInt8>) {
        let added = min(bytes.count, UnpackedContent.headBytes - count)
        guard added > 0 else { return }
        hash.add(bytes.extracting(first: added))
        count += added
    }

    var text: String { hash.text(byteCount: count) }
}
