import LogFiles

/// A file that is neither gzip, zstd nor plain text, or holds such a file; or one with a zstd frame that cannot be unpacked.
package struct ForeignFile: Hashable, Codable, Sendable {
    /// As the pattern of its source gives it.
    package let path: String
    package let kind: ForeignKind
    /// What it is inside of.
    package let packing: Packing
}

extension ForeignFile {
    package init(path: String, kind: ForeignKind) {
        (self.path, self.kind, packing) = (path, kind, .plain)
    }

    /// Nil for a log file.
    init?(path: String, _ beginning: BeginningReader.Beginning) {
        guard let kind = beginning.foreignKind else { return nil }
        self.init(path: path, kind: kind, packing: beginning.packing)
    }
}
