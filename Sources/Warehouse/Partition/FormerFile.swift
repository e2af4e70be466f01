import Hashing
import Posix

/// A log file as a log date's last load read it. What is not known is nil: a load may not have read the file, and an older
/// program may not have stored it.
package struct FormerFile: Codable, Equatable, Sendable {
    package let source: String
    package let path: String
    package let bytes: Int?
    package let fingerprint: String?
    /// Whether it was neither truncated nor damaged.
    package let isOK: Bool?
    /// Identifies what was unpacked of a compressed file. Nil for a plain file.
    package let content: UnpackedContent?
    /// Nil as well if a later write might not change it.
    package let stamp: FileStamp?

    package init(_ file: LoadedFile, stamp: FileStamp? = nil) {
        (source, path, bytes, fingerprint) = (file.source, file.path, file.bytes, file.fingerprint)
        (isOK, content, self.stamp) = (file.status == .ok, file.content, stamp)
    }

    private init(_ file: FormerFile, stamp: FileStamp?) {
        (source, path, bytes, fingerprint) = (file.source, file.path, file.bytes, file.fingerprint)
        (isOK, content, self.stamp) = (file.isOK, file.content, stamp)
    }

    /// The same with a stamp.
    package func stamped(_ stamp: FileStamp?) -> FormerFile { FormerFile(self, stamp: stamp) }

    /// A file that was not read.
    package init(source: String, path: String, bytes: Int, stamp: FileStamp?) {
        (self.source, self.path, self.bytes, self.stamp) = (source, path, bytes, stamp)
        (fingerprint, isOK, content) = (nil, nil, nil)
    }

    /// The number of bytes of its content.
    package var contentBytes: Int { content?.bytes ?? bytes ?? 0 }
}
