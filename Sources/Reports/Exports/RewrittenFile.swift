import Foundation
import Posix

/// A file that is written anew only from the first byte on that differs.
///
/// What is appended is compared with the file that is there. While both are equal, nothing is written. At the first
/// difference a new file is begun beside it, with a copy of the bytes up to there, and renamed at the end. Memory is
/// bounded, whatever the file's size.
final class RewrittenFile {
    private static let blockSize = 1 << 16

    let path: String
    /// The file that is there; nil if there is none, or since the first difference.
    private var former: FileDescriptor?
    private var new: TemporaryFile?
    /// The number of bytes appended, and those of them that are not compared or written yet.
    private var count = 0
    private var waiting: [UInt8] = []

    init(_ path: String) throws(SystemError) {
        self.path = path
        waiting.reserveCapacity(2 * RewrittenFile.blockSize)
        TemporaryFile.removeLeftovers(of: path)
        do throws(SystemError) {
            former = try FileDescriptor(file: path)
        } catch {
            guard error.code == ENOENT else { throw error }
            try begin(copying: 0)
        }
    }

    deinit {
        former?.close()
    }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        waiting.append(contentsOf: bytes)
        if waiting.count >= RewrittenFile.blockSize { try flush() }
    }

    /// Renames the new file, if there is one. Returns whether there is.
    func finish() throws(SystemError) -> Bool {
        try flush()
        if let former {
            var byte: [UInt8] = [0]
            if try former.fill(&byte, 0..<1) > 0 { try begin(copying: count) }
        }
        guard let new else { return false }
        try new.install(durably: true)
        return true
    }

    private func flush() throws(SystemError) {
        if let former {
            var there = [UInt8](repeating: 0, count: waiting.count)
            if try former.fill(&there, 0..<there.count) != there.count || there != waiting {
                try begin(copying: count)
            }
        }
        let bytes = waiting
        if let new { try new.file.write(bytes.span) }
        count += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }

    /// Begins the new file with the first bytes of the former.
    private func begin(copying length: Int) throws(SystemError) {
        let new = try TemporaryFile(replacing: path, removesLeftovers: false)
        self.new = new
        guard let former else { return }
        var block = [UInt8](repeating: 0, count: RewrittenFile.blockSize)
        var offset = 0
        while offset < length {
            let size = try former.fill(&block, 0..<min(block.count, length - offset), at: offset)
            guard size > 0 else { throw SystemError(call: "read", path: path, code: EIO) }
            let part = Array(block[..<size])
            try new.file.write(part.span)
            offset += size
        }
        former.close()
        self.former = nil
    }
}
