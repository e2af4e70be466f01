import Hashing

/// The content of a file that a source reads: what was unpacked of a compressed one, else the fingerprint of its bytes.
struct FileContent: Hashable {
    let source: String
    var unpacked: UnpackedContent?
    var fingerprint: String?
}
