import Hashing

/// The hashes of the first bytes of a file's unpacked content. They compare it with files that were loaded before.
package struct ContentPrefix: Hashable, Codable, Sendable {
    /// What `FileReport` has of a gzip file with this content.
    package let content: UnpackedContent
    /// The fingerprint of a plain file with this content.
    package let fingerprint: String

    package init(content: UnpackedContent, fingerprint: String) {
        self.content = content
        self.fingerprint = fingerprint
    }
}
