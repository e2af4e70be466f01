import Hashing
import Posix
import Warehouse

/// A file as a log date's last load read it.
struct FormerFile: Sendable {
    let key: InputKey
    let bytes: Int
    /// Nil if it is not known.
    let fingerprint: String?
    /// Whether it was neither truncated nor damaged.
    let isOK: Bool
    /// Nil for a plain file, or if it is not known.
    let content: UnpackedContent?
    /// Nil if it is not known, or a later write might not change it.
    let stamp: FileStamp?

    init(_ file: LoadedFile, stamp: FileStamp? = nil) {
        key = InputKey(file.source, file.path)
        (bytes, fingerprint, isOK, content) = (file.bytes, file.fingerprint, file.status == .ok, file.content)
        self.stamp = stamp
    }

    init(_ file: HeldLoad.File) {
        key = InputKey(file.source, file.path)
        (bytes, fingerprint, isOK, content) = (file.bytes, file.fingerprint, file.isOK ?? false, file.content)
        stamp = file.stamp
    }

    init(_ file: PartitionDamage.File) {
        key = InputKey(file.source, file.path)
        (bytes, fingerprint, isOK, content) = (file.bytes ?? 0, file.fingerprint, file.isOK ?? false, file.content)
        stamp = nil
    }

    /// The number of bytes of its content.
    var contentBytes: Int { content?.bytes ?? bytes }
}
