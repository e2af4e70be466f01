/// A file that matches a pattern.
package struct FoundFile: Hashable, Sendable {
    /// The pattern with its placeholders and globs replaced. It is relative if the pattern is.
    package let path: String
    /// The absolute path for opening the file.
    package let location: String
    /// The size of the file on disk.
    package let bytes: Int

    package init(path: String, location: String, bytes: Int) {
        self.path = path
        self.location = location
        self.bytes = bytes
    }
}
