import Foundation

/// Reads and writes small files as a whole.
package enum WholeFile {
    /// Reads all bytes of anything that can be opened and read.
    package static func read(_ path: String) throws(SystemError) -> [UInt8] {
        try read(try FileDescriptor(reading: path))
    }

    /// Reads all bytes of a regular file, or of one that a link leads to. Throws at once for anything else.
    package static func readFile(_ path: String) throws(SystemError) -> [UInt8] {
        try read(try FileDescriptor(file: path))
    }

    /// Reads at most so many bytes from the beginning of a file.
    package static func beginning(of path: String, count: Int) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(file: path)
        defer { file.close() }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try file.fill(&bytes, in: 0..<count)
        return Array(bytes[..<read])
    }

    private static func read(_ file: FileDescriptor) throws(SystemError) -> [UInt8] {
        defer { file.close() }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try file.fill(&block, in: 0..<block.count)
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }

    /// Replaces a file atomically and durably: writes a new file in the same folder, and renames it to `path`. On
    /// failure the old file is unchanged. Several processes may do so at once: each new file is whole, and the last one
    /// stays. A symbolic link is followed. A device or FIFO is written to instead.
    package static func replace(_ path: String, by bytes: [UInt8]) throws(SystemError) {
        try replace(path) { file throws(SystemError) in try file.write(bytes.span) }
    }

    /// The same for a file that is too large for memory: `write` writes it.
    /// - Parameter mode: the permissions of the new file; nil for those that the process's umask leaves.
    package static func replace(
        _ path: String, mode: mode_t? = nil, write: (FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        guard let target = try target(of: path) else {
            let file = try FileDescriptor(path, flags: O_WRONLY | O_APPEND)
            defer { file.close() }
            return try write(file)
        }
        let new = try TemporaryFile(replacing: target)
        try write(new.file)
        if let mode { try new.file.setMode(mode) }
        try new.install(durably: true)
    }

    /// Replaces a file of an output, like `replace`. A link, FIFO, socket or device at `path` is replaced too; a folder
    /// is an error. The command that holds the output's lock removes what killed processes left.
    /// - Parameter durably: whether the new file must survive a power failure after this call returns.
    package static func store(
        at path: String, durably: Bool, _ write: (FileDescriptor) throws -> Void
    ) throws {
        let new = try TemporaryFile(replacing: path, removesLeftovers: false)
        try write(new.file)
        try new.install(durably: durably)
    }

    /// The same for a file in memory.
    package static func store(_ bytes: [UInt8], at path: String, durably: Bool) throws {
        try store(at: path, durably: durably) { try $0.write(bytes.span) }
    }

    /// Copies a file to `path`, durably, as `store` does.
    package static func copy(_ original: String, to path: String) throws {
        try store(at: path, durably: true) { file in
            try forEachPiece(of: original) { try file.write($0) }
        }
    }

    /// Calls `body` with the bytes of a regular file, in order.
    static func forEachPiece(
        of path: String, _ body: (Span<UInt8>) throws -> Void
    ) throws {
        let file = try FileDescriptor(file: path)
        defer { file.close() }
        var block = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try file.fill(&block, in: 0..<block.count)
            if count == 0 { return }
            try body(block.span.extracting(first: count))
        }
    }

    /// The path of the file to replace: where symbolic links lead to, even if there is no file yet. Nil for what is
    /// written to: a device, a FIFO, or a descriptor of this process such as `/dev/stdout`.
    package static func target(of path: String) throws(SystemError) -> String? {
        let kind = FileKind(at: path)
        if kind == .other { return nil }
        if kind == .folder { throw SystemError(call: "open", path: path, code: EISDIR) }
        var path = path
        // The system follows no more links either.
        for _ in 0..<40 {
            if ["/proc/", "/dev/fd/"].contains(where: path.hasPrefix) { return nil }
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &bytes, bytes.count)
            guard count >= 0 else { return path }
            let destination = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            path = destination.hasPrefix("/") ? destination : "\(Folder.parent(of: path))/\(destination)"
        }
        throw SystemError(call: "open", path: path, code: ELOOP)
    }

    /// Renames a file. An existing file at `other` is replaced.
    package static func rename(_ path: String, to other: String) throws {
        guard Foundation.rename(path, other) == 0 else {
            throw SystemError(call: "rename", path: other, code: errno)
        }
    }

    /// Removes a file if it exists. Returns whether it did.
    @discardableResult
    package static func remove(_ path: String) throws -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw SystemError(call: "unlink", path: path, code: errno) }
        return false
    }
}
