import Foundation
import Posix

/// A file that is replaced only if its content changes. The new content is written beside the present file, and the two
/// are compared. The memory needed does not depend on the file's size.
final class RewrittenFile {
    private static let blockSize = 1 << 16

    let path: String
    private let new: TemporaryFile
    /// The bytes that are not written yet.
    private var waiting: [UInt8] = []

    init(_ path: String) throws {
        self.path = path
        new = try TemporaryFile(replacing: path)
        waiting.reserveCapacity(2 * RewrittenFile.blockSize)
    }

    func append(_ bytes: [UInt8]) throws {
        waiting.append(contentsOf: bytes)
        if waiting.count >= RewrittenFile.blockSize { try flush() }
    }

    /// Moves the new file to its place, unless the present one has the same content. Returns whether it was moved.
    func finish() throws -> Bool {
        try flush()
        if FileManager.default.contentsEqual(atPath: new.path, andPath: path) { return false }
        try new.install(durably: true)
        return true
    }

    private func flush() throws {
        let bytes = waiting
        try new.file.write(bytes.span)
        waiting.removeAll(keepingCapacity: true)
    }
}
