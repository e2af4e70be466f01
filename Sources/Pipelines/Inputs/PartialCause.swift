import Posix

package enum PartialCause: Hashable, Codable, Sendable {
    case truncatedFile(path: String)
    case damagedFile(path: String)
    /// A required source has no files.
    case missingSource(name: String)

    /// Nil for a whole file.
    init?(path: String, status: FileStatus) {
        switch status {
        case .ok: return nil
        case .truncated: self = .truncatedFile(path: path)
        case .damaged: self = .damagedFile(path: path)
        }
    }
}
