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

    private static func read(_ file: FileDescriptor) throws(SystemError) -> [UInt8] {
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
    /// file is unchanged. A symbolic link is followed. A device or FIFO is written to instead.
    /// - Parameter durably: whether the new file must survive a power failure after this call returns.
    package static func replace(_ path: String, by bytes: [UInt8], durably: Bool) throws(SystemError) {
        try replace(path, durably: durably) { file throws(SystemError) in try file.write(bytes.span) }
    }

    /// The same for a file that is too large for memory: `write` writes it.
    /// - Parameters:
    ///   - mode: the permissions of the new file; nil for those that the process's umask leaves.
    ///   - isShared: whether other processes may replace the file at the same time. Then the temporary file is
    ///     `.name.PID.tmp`.
    package static func replace(
        _ path: String, durably: Bool, mode: mode_t? = nil, isShared: Bool = false,
        _ write: (FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        let target = target(of: path)
        var status = stat()
        if stat(target, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            let file = try FileDescriptor(target, O_WRONLY)
            defer { file.close() }
            return try write(file)
        }
        let folder = Folder.parent(of: target)
        let process = isShared ? ".\(getpid())" : ""
        let temporary = "\(folder)/.\(target.split(separator: "/").last ?? "")\(process).tmp"
        try install(temporary, as: target, durably: durably, mode: mode, write)
    }

    /// Replaces a file that belongs to the program atomically: writes `.name.tmp` in the same folder, and renames it to `path`.
    /// On failure the old file is unchanged. A link, FIFO, socket or device at `path` is replaced; a folder is an error.
    /// - Parameter durably: whether the new file must survive a power failure after this call returns.
    package static func store(
        at path: String, durably: Bool, _ write: (FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        let folder = Folder.parent(of: path)
        try install("\(folder)/.\(Folder.name(of: path)).tmp", as: path, durably: durably, mode: nil, write)
    }

    /// The same for a file in memory.
    package static func store(_ bytes: [UInt8], at path: String, durably: Bool) throws(SystemError) {
        try store(at: path, durably: durably) { file throws(SystemError) in try file.write(bytes.span) }
    }

    /// Writes a temporary file and renames it to `path`.
    private static func install(
        _ temporary: String, as path: String, durably: Bool, mode: mode_t?,
        _ write: (FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        // What a killed process left, or somebody's link, must not be written to.
        try remove(temporary)
        do {
            try create(temporary, durably: durably, mode: mode, write)
            try rename(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
        if durably { try Folder.sync(Folder.parent(of: path)) }
    }

    /// What a symbolic link leads to. The path itself if it is no link, or one that leads nowhere.
    package static func target(of path: String) -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let resolved = realpath(path, nil) else {
            return path
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Renames a file. An existing file at `other` is replaced.
    package static func rename(_ path: String, to other: String) throws(SystemError) {
        guard Foundation.rename(path, other) == 0 else {
            throw SystemError(call: "rename", path: other, code: errno)
        }
    }

    /// Removes a file if it exists. Returns whether it did.
    @discardableResult
    package static func remove(_ path: String) throws(SystemError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw SystemError(call: "unlink", path: path, code: errno) }
        return false
    }

    private static func create(
        _ path: String, durably: Bool, mode: mode_t?, _ write: (FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        let file = try FileDescriptor(creating: path)
        defer { file.close() }
        try write(file)
        if let mode { try file.setMode(mode) }
        if durably { try file.sync() }
    }
}
