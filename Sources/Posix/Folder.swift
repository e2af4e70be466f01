import Foundation

/// Lists, creates and syncs folders, which are given by their paths.
package enum Folder {
    /// One name in a folder.
    package struct Entry: Sendable {
        /// The type of the entry itself; a link is not followed.
        package enum Kind: Sendable {
            case folder
            /// A symbolic link to anything.
            case link
            /// A file, FIFO, socket or device.
            case other
        }

        /// The name. Invalid UTF-8 is replaced by U+FFFD.
        package let name: String
        /// Whether the name on disk is valid UTF-8.
        package let isUTF8: Bool
        package let kind: Kind
    }

    /// The entries of a folder in the system's order, without `.` and `..`.
    package static func entries(of path: String) throws(SystemError) -> [Entry] {
        guard let stream = opendir(path) else { throw SystemError(call: "opendir", path: path, code: errno) }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let next = readdir(stream) else {
                guard errno == 0 else { throw SystemError(call: "readdir", path: path, code: errno) }
                return entries
            }
            // `d_name` ends in a zero byte inside its fixed array, and the entry lives until the next `readdir`.
            let bytes = withUnsafeBytes(of: &next.pointee.d_name) { name in Array(name.prefix { $0 != 0 }) }
            let name = String(decoding: bytes, as: UTF8.self)
            guard name != ".", name != ".." else { continue }
            let kind: Entry.Kind =
                switch Int32(next.pointee.d_type) {
                case Int32(DT_DIR): .folder
                case Int32(DT_LNK): .link
                case Int32(DT_UNKNOWN): kind(of: path + "/" + name)
                default: .other
                }
            entries.append(Entry(name: name, isUTF8: name.utf8.elementsEqual(bytes), kind: kind))
        }
    }

    /// Whether a path leads to a folder.
    /// - Parameter mayBeLink: whether a symbolic link to a folder is one, too.
    package static func isThere(_ path: String, mayBeLink: Bool = true) -> Bool {
        FileKind(at: path, followsLinks: mayBeLink) == .folder
    }

    /// Whether a symbolic link has this path, wherever it leads.
    package static func isLink(_ path: String) -> Bool {
        FileKind(at: path, followsLinks: false) == .link
    }

    /// The names in a folder in the system's order; empty if the folder does not exist.
    package static func names(in path: String) throws -> [String] {
        do {
            return try entries(of: path).map(\.name)
        } catch {
            if error.code == ENOENT { return [] }
            throw error
        }
    }

    /// Creates a folder and its missing parents, and syncs them to the disk. Returns the created folders, the outermost
    /// first. Throws ENOTDIR if something else has this path.
    @discardableResult
    package static func create(_ path: String) throws -> [String] {
        if path.isEmpty { return [] }
        if let kind = FileKind(at: path) {
            guard kind == .folder else { throw SystemError(call: "mkdir", path: path, code: ENOTDIR) }
            return []
        }
        let parent = parent(of: path)
        var made = parent == path ? [] : try create(parent)
        if mkdir(path, 0o777) == 0 {
            made.append(path)
            try sync(parent)
        } else if errno != EEXIST {
            throw SystemError(call: "mkdir", path: path, code: errno)
        }
        return made
    }

    /// Flushes the names in a folder to the disk and waits for it (`fsync`).
    package static func sync(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(path, flags: O_RDONLY | O_DIRECTORY)
        defer { folder.close() }
        do {
            try folder.sync()
        } catch {
            // Some file systems cannot sync a folder.
            guard error.code == EINVAL else { throw error }
        }
    }

    /// The bytes that may still be written on a folder's disk; nil if the system does not say.
    package static func freeBytes(in path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// The path without links, `.` and `..`; nil, with `errno`, if there is nothing.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The path without its last name: `.` for a single name, `/` for a name in the root.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last name of a path.
    package static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    /// The kind of an entry that the listing gives no type for, as on some file systems.
    private static func kind(of path: String) -> Entry.Kind {
        switch FileKind(at: path, followsLinks: false) {
        case .folder: .folder
        case .link: .link
        case .file, .other, nil: .other
        }
    }
}
