import Foundation

/// Reads and writes small files as a whole.
package enum WholeFile {
    /// Reads all bytes of a file.
    package static func read(_ path: String) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(reading: path)
        defer { file.close() }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try file.fill(&block, 0..<block.count)
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }

    /// Replaces a file atomically: writes `.name.tmp` in the same folder, and renames it to `path`. On failure the old
    /// file is unchanged.
    /// - Parameter durably: whether the new file must survive a power failure after this call returns.
    package static func replace(_ path: String, by bytes: [UInt8], durably: Bool) throws(SystemError) {
        try replace(path, durably: durably) { file throws(SystemError) in try file.write(bytes.span) }
    }

    /// The same for a file that is too large for memory: `write` writes it.
    package static func replace(
        _ path: String, durably: Bool, _ write: (FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        let folder = Folder.parent(of: path)
        let temporary = "\(folder)/.\(path.split(separator: "/").last ?? "").tmp"
        do {
            try create(temporary, durably: durably, write)
            try rename(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
        if durably { try Folder.sync(folder) }
    }

    /// Renames a file. An existing file at `other` is replaced.
    package static func rename(_ path: String, to other: String) throws(SystemError) {
        guard Foundation.rename(path, other) == 0 else {
            throw SystemError(call: "rename", path: other, code: errno)
        }
    }

    /// Removes a file if it exists.
    package static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError(call: "unlink", path: path, code: errno) }
    }

    private static func create(
        _ path: String, durably: Bool, _ write: (FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        let file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_TRUNC)
        defer { file.close() }
        try write(file)
        if durably { try file.sync() }
    }
}
