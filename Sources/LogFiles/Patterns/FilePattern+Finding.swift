import Calendar
import Foundation
import Posix

extension FilePattern {
    /// The files of a log date, by the bytes of their paths. `folder` is the absolute folder in which a relative
    /// pattern begins. A file that is found under two names, through a symbolic link, is there once, under the first.
    /// A folder that does not exist holds no files; one that must not be read is an error.
    package func files(on date: LogDate, in folder: String) throws(FileSearchError) -> [FoundFile] {
        let search = FileSearch(pattern: self, parts: parts.map { $0.filled(for: date) }, folder: folder)
        var found = FoundFiles()
        try search.walk { file, _ in found.add(file) }
        return found.onceEach
    }

    /// What `files(on:in:)` says for each of several dates; those without files are left out. Where the dates' files lie
    /// side by side in a folder, it is searched once for all dates.
    package func files(on dates: [LogDate], in folder: String) throws(FileSearchError) -> [LogDate: [FoundFile]] {
        var files: [LogDate: [FoundFile]] = [:]
        guard dates.count > 1, saysYear, parts.contains(where: \.listsDates) else {
            for date in dates {
                let found = try self.files(on: date, in: folder)
                if !found.isEmpty { files[date] = found }
            }
            return files
        }
        let wanted = Set(dates)
        var found: [LogDate: FoundFiles] = [:]
        var search = FileSearch(pattern: self, parts: parts, folder: folder)
        search.isWanted = { $0.dates.contains(where: wanted.contains) }
        try search.walk { file, parts in
            for date in parts.dates where wanted.contains(date) { found[date, default: FoundFiles()].add(file) }
        }
        return found.mapValues(\.onceEach)
    }

    /// The log dates, in order, for which `files(on:in:)` finds something. None if the pattern does not say the year.
    package func dates(in folder: String) throws(FileSearchError) -> [LogDate] {
        guard hasDatePlaceholder else { return [] }
        var search = FileSearch(pattern: self, parts: parts, folder: folder)
        var found: Set<DateParts> = []
        search.isWanted = { !found.contains($0) }
        try search.walk { _, parts in found.insert(parts) }
        return Set(found.flatMap(\.dates)).sorted()
    }

    /// The folder that the pattern names before its first placeholder or glob, as it is written there, if there is no
    /// such folder.
    package func missingFolder(in folder: String) -> String? {
        var fixed: [String] = []
        for part in parts.dropLast() {
            guard let name = part.fixedName else { break }
            fixed.append(name)
        }
        guard !fixed.isEmpty else { return nil }
        let path = (isAbsolute ? "/" : "") + fixed.joined(separator: "/")
        var status = stat()
        if stat(isAbsolute ? path : folder + "/" + path, &status) == 0 {
            return status.st_mode & S_IFMT == S_IFDIR ? nil : path
        }
        return errno == ENOENT || errno == ENOTDIR ? path : nil
    }
}

/// One search: from part to part, a folder at a time.
private struct FileSearch {
    let pattern: FilePattern
    let parts: [FilePattern.Part]
    let folder: String
    /// Asked where no part ahead can say more about the date: whether a file with this date is still of interest.
    var isWanted: (FilePattern.DateParts) -> Bool = { _ in true }

    typealias Found = (FoundFile, FilePattern.DateParts) -> Void

    init(pattern: FilePattern, parts: [FilePattern.Part], folder: String) {
        self.pattern = pattern
        self.parts = parts
        self.folder = folder
    }

    func walk(_ found: Found) throws(FileSearchError) {
        try walk(at: 0, below: pattern.isAbsolute ? "/" : "", knowing: .init(), found)
    }

    /// `path` is what is behind, as the pattern writes it: empty, or ending in a slash.
    private func walk(
        at index: Int, below path: String, knowing date: FilePattern.DateParts, _ found: Found
    ) throws(FileSearchError) {
        let part = parts[index]
        let isLast = index == parts.count - 1
        let saysNoMore = !parts[index...].contains { $0.hasPlaceholder }
        if saysNoMore, !isWanted(date) { return }

        if let name = part.fixedName {
            if isLast {
                if let file = try regularFile(path + name) { found(file, date) }
            } else {
                try walk(at: index + 1, below: path + name + "/", knowing: date, found)
            }
            return
        }
        if case .anyFolders = part {
            try walk(at: index + 1, below: path, knowing: date, found)
        }
        for entry in try entries(of: path) {
            if case .anyFolders = part {
                guard entry.kind == .folder, !entry.name.isDotName else { continue }
                try checkName(entry, path)
                try walk(at: index, below: path + entry.name + "/", knowing: date, found)
                continue
            }
            for date in part.matches(entry.name, knowing: date) {
                guard isLast else {
                    guard entry.kind != .other else { continue }
                    try checkName(entry, path)
                    try walk(at: index + 1, below: path + entry.name + "/", knowing: date, found)
                    continue
                }
                guard entry.kind != .folder, isWanted(date) else { continue }
                try checkName(entry, path)
                if let file = try regularFile(path + entry.name) { found(file, date) }
            }
        }
    }

    private func location(_ path: String) -> String {
        pattern.isAbsolute ? path : path.isEmpty ? folder : folder + "/" + path
    }

    private func regularFile(_ path: String) throws(FileSearchError) -> FoundFile? {
        let location = location(path)
        var status = stat()
        guard stat(location, &status) == 0 else {
            switch errno {
            // ELOOP: a link that leads to itself is no file.
            case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: return nil
            case let code: throw .unreadableFile(path, code: code)
            }
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FoundFile(path: path, location: location, bytes: Int(status.st_size))
    }

    private func checkName(_ entry: Folder.Entry, _ path: String) throws(FileSearchError) {
        guard entry.isUTF8 else { throw .nameNotUTF8(path + entry.name) }
    }
}

/// What a search found, by the bytes of the paths: texts are the same in Swift, and files are not, where one has a letter
/// and its accent as two characters and the other as one.
private struct FoundFiles {
    private var files: [[UInt8]: FoundFile] = [:]

    mutating func add(_ file: FoundFile) {
        files[Array(file.path.utf8)] = file
    }

    /// In the order of their paths; of those that are one file the first.
    var onceEach: [FoundFile] {
        var seen: Set<[UInt8]> = []
        return files.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            .filter { seen.insert(FoundFiles.trueLocation($0.location)).inserted }
    }

    /// The path without links, `.` and `..`; the path itself where the system does not tell.
    private static func trueLocation(_ location: String) -> [UInt8] {
        guard let resolved = realpath(location, nil) else { return Array(location.utf8) }
        defer { free(resolved) }
        return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) }
    }
}

extension FileSearch {
    /// The names in a folder, in the system's order. A folder that does not exist has no names.
    fileprivate func entries(of path: String) throws(FileSearchError) -> [Folder.Entry] {
        do {
            return try Folder.entries(of: location(path))
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: return []
            case let code: throw .unreadableFolder(path.isEmpty ? "." : path, code: code)
            }
        }
    }
}
