import LogFiles

/// A file that is neither gzip nor plain text, or holds such a file inside gzip.
package struct ForeignFile: Hashable, Codable, Sendable {
    /// As the pattern of its source gives it.
    package let path: String
    package let kind: ForeignKind
    package let isInsideGzip: Bool
}

extension ForeignFile {
    /// Nil for a log file.
    init?(path: String, _ beginning: BeginningReader.Beginning) {
        guard let kind = beginning.foreignKind else { return nil }
        self.init(path: path, kind: kind, isInsideGzip: beginning.isGzipped)
    }
}
