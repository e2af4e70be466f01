import Hashing
import Posix

/// A log file as the last load of its log date recorded it. Values are nil if the load did not read the file.
package struct FormerFile: Codable, Equatable, Sendable {
    package var source: String
    package let path: String
    package let bytes: Int?
    package let fingerprint: String?
    /// Whether it was neither truncated nor damaged.
    package let isOK: Bool?
    /// Identifies what was unpacked of a compressed file. Nil for a plain file.
    package let content: UnpackedContent?
    /// The file's stamp. Also nil if a later write might leave it unchanged.
    package let stamp: FileStamp?

    package init(_ file: LoadedFile, stamp: FileStamp? = nil) {
        source = file.source
        path = file.path
        bytes = file.bytes
        fingerprint = file.fingerprint
        isOK = file.status == .ok
        content = file.content
        self.stamp = stamp
    }

    /// A file that was not read.
    package init(source: String, path: String, bytes: Int, stamp: FileStamp?) {
        self.source = source
        self.path = path
        self.bytes = bytes
        self.stamp = stamp
        fingerprint = nil
        isOK = nil
        content = nil
    }
}
