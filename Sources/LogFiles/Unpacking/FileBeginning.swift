/// What the first bytes of a file tell.
package struct FileBeginning: Equatable, Sendable {
    package let isGzipped: Bool
    /// Set where the file is foreign, or what is gzipped in it.
    package let foreignKind: ForeignKind?
}
