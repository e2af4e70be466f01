import Foundation
import Posix

/// A file that is replaced only if its bytes are others: it is written beside the one that is there, and the two are
/// compared. Memory is bounded, whatever the file's size.
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

    /// Puts the file in its place, unless the one that is there is the same. Returns whether it did.
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
