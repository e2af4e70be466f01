import Hashing

/// What identifies a file's content: its source, and the size and hashes of the unpacked bytes. For a file that is not
/// compressed, the fingerprint of its bytes.
struct FileContent: Hashable {
    let source: String
    var unpacked: UnpackedContent?
    var fingerprint: String?
}
