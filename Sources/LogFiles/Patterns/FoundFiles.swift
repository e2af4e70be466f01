import Foundation

/// The files that a search found, by the bytes of their paths. Strings would not do as keys: Swift treats a letter with
/// a combining accent and the single accented letter as equal, but they are different file names.
struct FoundFiles {
    private var files: [[UInt8]: FoundFile] = [:]

    mutating func add(_ found: [FoundFile]) {
        for file in found { files[Array(file.path.utf8)] = file }
    }

    /// The files sorted by path. Of several paths to one file, only the first.
    var onceEach: [FoundFile] {
        var seen: Set<[UInt8]> = []
        return files.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            .filter { seen.insert(FoundFiles.resolved($0.location)).inserted }
    }

    /// The path without links, `.` and `..`; the path itself if the system cannot resolve it.
    private static func resolved(_ location: String) -> [UInt8] {
        guard let resolved = realpath(location, nil) else { return Array(location.utf8) }
        defer { free(resolved) }
        return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) }
    }
}
