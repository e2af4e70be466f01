/// The properties of a file that its first bytes show.
package struct FileBeginning: Equatable, Sendable {
    package let isGzipped: Bool
    /// The foreign kind of the file, or of its content if it is gzipped; nil if it is a log file.
    package let foreignKind: ForeignKind?
}
