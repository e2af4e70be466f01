import Calendar
import Foundation
import Posix

/// A file that a pattern found.
package struct FoundFile: Hashable, Sendable {
    /// The pattern with its placeholders and globs filled in; it stays relative where the pattern is.
    package let path: String
    /// The absolute path by which to open it.
    package let location: String
    /// Its size as it lies on disk.
    package let bytes: Int

    package init(path: String, location: String, bytes: Int) {
        self.path = path
        self.location = location
        self.bytes = bytes
    }
}
