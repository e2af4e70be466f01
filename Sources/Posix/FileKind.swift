import Foundation

/// What is at a path.
package enum FileKind: Sendable {
    /// A regular file.
    case file
    case folder
    /// A symbolic link; only where links are not followed.
    case link
    /// A FIFO, a socket or a device.
    case other

    /// Nil if it cannot be looked at; `errno` then says why.
    /// - Parameter followsLinks: whether a symbolic link counts as what it leads to.
    package init?(at path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status.st_mode)
    }

    package init(_ mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
    }

    /// The error code of opening it, where a file is needed; nil for a file.
    package var openingCode: Int32? {
        switch self {
        case .file: nil
        case .folder: EISDIR
        case .link, .other: SystemError.notAFile
        }
    }
}
