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
        // What a killed process left, or somebody's link, must not be written to.
        try remove(temporary)
        do {
            try create(temporary, durably: durably, mode: mode, write)
            try rename(temporary, to: target)
        } catch {
            unlink(temporary)
            throw error
        }
        if durably { try Folder.sync(folder) }
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

    /// Removes a file if it exists.
    package static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError(call: "unlink", path: path, code: errno) }
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
