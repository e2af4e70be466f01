import Calendar
import Foundation
import Posix

extension FilePattern {
    /// The files of a log date, sorted by the bytes of their paths.
    ///
    /// A file with several names (through symbolic links) is returned once, with its first name. A missing folder has
    /// no files. A folder that cannot be read is an error.
    /// - Parameter folder: the absolute path of the folder that a relative pattern starts from.
    package func files(on date: LogDate, in folder: String) throws(FileSearchError) -> [FoundFile] {
        let search = FileSearch(pattern: self, parts: parts.map { $0.filled(for: date) }, folder: folder)
        var found = FoundFiles()
        try search.walk { file, _ in found.add([file]) }
        return found.onceEach
    }

    /// The result of `files(on:in:)` for each of several dates; dates without files are omitted. A folder that has
    /// files of several dates is searched once for all dates.
    package func files(on dates: [LogDate], in folder: String) throws(FileSearchError) -> [LogDate: [FoundFile]] {
        var files: [LogDate: [FoundFile]] = [:]
        guard dates.count > 1, hasYear, parts.contains(where: \.listsDates) else {
            for date in dates {
                let found = try self.files(on: date, in: folder)
                if !found.isEmpty { files[date] = found }
            }
            return files
        }
        let wanted = Set(dates)
        var found: [LogDate: FoundFiles] = [:]
        let search = FileSearch(pattern: self, parts: parts, folder: folder) {
            $0.dates.contains(where: wanted.contains)
        }
        try search.walk { file, parts in
            for date in parts.dates where wanted.contains(date) { found[date, default: FoundFiles()].add([file]) }
        }
        return found.mapValues(\.onceEach)
    }

    /// The log dates that have files, in order. Empty if the pattern has no `%Y`.
    package func dates(in folder: String) throws(FileSearchError) -> [LogDate] {
        guard hasDatePlaceholder, uriRoot == nil else { return [] }
        var found: Set<DateParts> = []
        let search = FileSearch(pattern: self, parts: parts, folder: folder) { !found.contains($0) }
        try search.walk { _, parts in found.insert(parts) }
        return Set(found.flatMap(\.dates)).sorted()
    }

    /// The folder before the first placeholder or glob, as written in the pattern, if it does not exist; otherwise nil.
    package func missingFolder(in folder: String) -> String? {
        guard uriRoot == nil else { return nil }
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

/// One search. It descends part by part and lists one folder at a time.
private struct FileSearch {
    let pattern: FilePattern
    let parts: [FilePattern.Part]
    let folder: String
    /// Whether files with these date parts are wanted. It is called once no later part can add to the date.
    var isWanted: (FilePattern.DateParts) -> Bool = { _ in true }

    typealias Found = (FoundFile, FilePattern.DateParts) -> Void

    func walk(_ found: Found) throws(FileSearchError) {
        try walk(at: 0, below: pattern.isAbsolute ? "/" : "", knowing: .init(), found)
    }

    /// Searches below `path`, which is relative if the pattern is. It is empty or ends in a slash.
    private func walk(
        at index: Int, below path: String, knowing date: FilePattern.DateParts, _ found: Found
    ) throws(FileSearchError) {
        let part = parts[index]
        let isLast = index == parts.count - 1
        let isDateComplete = !parts[index...].contains { $0.hasPlaceholder }
        if isDateComplete, !isWanted(date) { return }

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

    /// The entries of a folder in the system's order; none if the folder does not exist.
    private func entries(of path: String) throws(FileSearchError) -> [Folder.Entry] {
        do {
            return try Folder.entries(of: location(path))
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: return []
            case let code: throw .unreadableFolder(path.isEmpty ? "." : path, code: code)
            }
        }
    }

    private func regularFile(_ path: String) throws(FileSearchError) -> FoundFile? {
        let location = location(path)
        var status = stat()
        guard stat(location, &status) == 0 else {
            switch errno {
            // ELOOP: a link that points to itself.
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
