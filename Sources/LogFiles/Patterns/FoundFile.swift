import Posix

/// A file that matches a pattern.
package struct FoundFile: Hashable, Sendable {
    /// The pattern with its placeholders and globs replaced. It is relative if the pattern is.
    package let path: String
    /// The absolute path for opening the file, or its URI.
    package let location: String
    /// The size of the file; 0 if it cannot be looked at, as that of a link that leads nowhere.
    package let bytes: Int
    /// The stamp of a file at a URI, by its listing; nil for a file of this machine.
    let listedStamp: FileStamp?

    package init(path: String, location: String, bytes: Int, listedStamp: FileStamp? = nil) {
        self.path = path
        self.location = location
        self.bytes = bytes
        self.listedStamp = listedStamp
    }

    /// Whether this machine can open it.
    package var isLocal: Bool { listedStamp == nil }

    /// The file's stamp now; nil if it is not there any more.
    package var stamp: FileStamp? { listedStamp ?? FileStamp(path: location) }
}
