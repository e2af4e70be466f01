/// Why a load is partial.
package enum PartialCause: Hashable, Codable, Sendable {
    case truncatedFile(path: String)
    case damagedFile(path: String)
    /// A required source has no files.
    case missingSource(name: String)
}
