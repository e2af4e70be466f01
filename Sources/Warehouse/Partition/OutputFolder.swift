import Foundation

/// The folder of an output: `push.db`, and `partitions/2026-11-19.sqlite` for each log date.
package struct OutputFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var databasePath: String { path + "/push.db" }
    /// Where a new push.db is written before it takes its place.
    var temporaryDatabasePath: String { path + "/.push.db.tmp" }
    package var partitionsPath: String { path + "/partitions" }
    /// What is kept so that less work is done again; it may be removed at any time between two commands.
    package var keptPath: String { partitionsPath + "/.kept" }

    /// The place of a log date's partition; `logDate` in days since 1970-01-01.
    package func partitionPath(_ logDate: Int32) -> String {
        "\(partitionsPath)/\(CalendarText.date(ofDay: logDate)).sqlite"
    }

    /// Makes the folder and `partitions` in it, with the folders above them. Returns those that were not there, the
    /// outermost first.
    @discardableResult
    package func create() throws(WarehouseError) -> [String] {
        try OutputFolder.create(partitionsPath)
    }

    /// Removes those of some folders that are empty, the innermost first: a command that came to nothing leaves none behind.
    package func removeEmpty(_ folders: [String]) {
        guard !folders.isEmpty else { return }
        for folder in [keptPath] + folders.reversed() { rmdir(folder) }
    }

    /// The log dates that have a partition file, in order. None if the folder is not there.
    package func logDates() throws(WarehouseError) -> [Int32] {
        var dates: [Int32] = []
        for name in try OutputFolder.names(in: partitionsPath) where name.hasSuffix(".sqlite") {
            if let day = CalendarText.day(of: String(name.dropLast(7))) { dates.append(day) }
        }
        return dates.sorted()
    }

    /// Removes the temporary files that a killed writer left; returns their paths. Only for who holds the output.
    @discardableResult
    package func removeLeftovers() throws(WarehouseError) -> [String] {
        var removed: [String] = []
        for suffix in ["", "-journal"] where unlink(temporaryDatabasePath + suffix) == 0 {
            removed.append(temporaryDatabasePath + suffix)
        }
        for folder in [partitionsPath, keptPath, heldPath] {
            for name in try OutputFolder.names(in: folder).sorted() where name.hasPrefix(".") && name.hasSuffix(".tmp")
            {
                let path = "\(folder)/\(name)"
                guard unlink(path) == 0 || errno == ENOENT else {
                    throw .system(path: path, call: "unlink", errno: errno)
                }
                removed.append(path)
            }
        }
        return removed
    }

    /// Of a folder that is not there: none.
    static func names(in path: String) throws(WarehouseError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw .system(path: path, call: "opendir", errno: errno)
        }
        defer { closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            names.append(name)
            errno = 0
        }
        guard errno == 0 else { throw .system(path: path, call: "readdir", errno: errno) }
        return names
    }

    /// Makes a folder and those above it; returns those that were not there, the outermost first.
    @discardableResult
    static func create(_ path: String) throws(WarehouseError) -> [String] {
        var status = stat()
        if path.isEmpty { return [] }
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw .system(path: path, call: "mkdir", errno: ENOTDIR)
            }
            return []
        }
        let parent = parentOf(path)
        var made = parent == path ? [] : try create(parent)
        if mkdir(path, 0o777) == 0 {
            made.append(path)
            try sync(parent)
        } else if errno != EEXIST {
            throw .system(path: path, call: "mkdir", errno: errno)
        }
        return made
    }

    static func parentOf(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes a folder's entries durable.
    static func sync(_ folder: String) throws(WarehouseError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(path: folder, call: "open", errno: errno) }
        defer { close(descriptor) }
        // Some file systems know no sync of a folder and say EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw .system(path: folder, call: "fsync", errno: errno)
        }
    }
}
