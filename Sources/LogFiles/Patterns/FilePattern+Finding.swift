import Calendar
import Foundation
import Messages
import Posix

extension FilePattern {
    /// The files of a log date, sorted by the bytes of their paths.
    ///
    /// A file with several names (through symbolic links) is returned once, with its first name. A missing folder has
    /// no files. A folder that cannot be read is an error. So is a link that leads to no folder. A link that leads to
    /// no file is returned: whoever reads it finds out why it cannot be read.
    /// - Parameter folder: the absolute path of the folder that a relative pattern starts from.
    package func files(on date: LogDate, in folder: String) throws(Fault) -> [FoundFile] {
        try files(on: [date], in: folder)[date] ?? []
    }

    /// The result of `files(on:in:)` for each of several dates; dates without files are omitted. A folder that has
    /// files of several dates is searched once for all dates.
    package func files(on dates: [LogDate], in folder: String) throws(Fault) -> [LogDate: [FoundFile]] {
        var found: [LogDate: FoundFiles] = [:]
        if dates.count > 1, hasYear, parts.contains(where: \.listsDates) {
            let wanted = Set(dates)
            let search = FileSearch(pattern: self, folder: folder) { $0.dates.contains(where: wanted.contains) }
            try search.walk { file, parts in
                for date in parts.dates where wanted.contains(date) { found[date, default: FoundFiles()].add([file]) }
            }
        } else {
            let search = FileSearch(pattern: self, folder: folder)
            for date in dates {
                try search.walk(knowing: DateParts(date)) { file, _ in found[date, default: FoundFiles()].add([file]) }
            }
        }
        return found.mapValues(\.onceEach)
    }

    /// The log dates that have files, in order. Empty if the pattern has no year.
    package func dates(in folder: String) throws(Fault) -> [LogDate] {
        guard hasDatePlaceholder, uriRoot == nil else { return [] }
        var found: Set<DateParts> = []
        let search = FileSearch(pattern: self, folder: folder) { !found.contains($0) }
        try search.walk { _, parts in found.insert(parts) }
        return Set(found.flatMap(\.dates)).sorted()
    }

    /// The folder before the first placeholder or glob, as written in the pattern, if it does not exist; otherwise nil.
    package func missingFolder(in folder: String) -> String? {
        guard uriRoot == nil else { return nil }
        let fixed = fixedNames
        guard !fixed.isEmpty else { return nil }
        let path = (isAbsolute ? "/" : "") + fixed.joined(separator: "/")
        if let kind = FileKind(at: isAbsolute ? path : folder + "/" + path) { return kind == .folder ? nil : path }
        return errno == ENOENT || errno == ENOTDIR ? path : nil
    }
}

/// One search. It descends part by part and lists one folder at a time.
private struct FileSearch {
    let pattern: FilePattern
    let folder: String
    /// Whether files with these date parts are wanted. It is called once no later part can add to the date.
    var isWanted: (FilePattern.DateParts) -> Bool = { _ in true }

    typealias Found = (FoundFile, FilePattern.DateParts) -> Void

    /// - Parameter date: what is known of the log date.
    func walk(knowing date: FilePattern.DateParts = .init(), _ found: Found) throws(Fault) {
        try walk(at: 0, below: pattern.isAbsolute ? "/" : "", knowing: date, found)
    }

    /// Searches below `path`, which is relative if the pattern is. It is empty or ends in a slash.
    private func walk(
        at index: Int, below path: String, knowing date: FilePattern.DateParts, _ found: Found
    ) throws(Fault) {
        let part = pattern.parts[index]
        let isLast = index == pattern.parts.count - 1
        let isDateComplete = !pattern.parts[index...].contains { $0.hasPlaceholder }
        if isDateComplete, !isWanted(date) { return }

        if let name = part.fixedName(knowing: date) {
            if isLast {
                if let file = try file(path + name, isListed: false) { found(file, date) }
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
                try checkName(of: entry, below: path)
                try walk(at: index, below: path + entry.name + "/", knowing: date, found)
                continue
            }
            for date in part.matches(entry.name, knowing: date) {
                guard isLast else {
                    guard entry.kind != .other else { continue }
                    try checkName(of: entry, below: path)
                    try walk(at: index + 1, below: path + entry.name + "/", knowing: date, found)
                    continue
                }
                guard entry.kind != .folder, isWanted(date) else { continue }
                try checkName(of: entry, below: path)
                if let file = try file(path + entry.name, isListed: true) { found(file, date) }
            }
        }
    }

    private func location(_ path: String) -> String {
        pattern.isAbsolute ? path : path.isEmpty ? folder : folder + "/" + path
    }

    /// The entries of a folder in the system's order; none if the folder does not exist.
    private func entries(of path: String) throws(Fault) -> [Folder.Entry] {
        do {
            return try Folder.entries(of: location(path))
        } catch {
            guard FileSearch.isMissing(error.code), brokenLink(onTheWayTo: path) == nil else {
                throw FileSearch.unreadableFolder(path.isEmpty ? "." : path, code: error.code)
            }
            return []
        }
    }

    /// The file at a path, unless it is not there, or is no regular file. One that is there and cannot be looked at
    /// counts as a regular file.
    /// - Parameter isListed: whether its folder has the name.
    private func file(_ path: String, isListed: Bool) throws(Fault) -> FoundFile? {
        let location = location(path)
        var status = stat()
        if stat(location, &status) == 0 {
            guard FileKind(status.st_mode) == .file else { return nil }
            return FoundFile(path: path, location: location, bytes: Int(status.st_size))
        }
        let code = errno
        guard !isListed, lstat(location, &status) != 0 else {
            return FoundFile(path: path, location: location, bytes: 0)
        }
        if !FileSearch.isMissing(code) {
            throw .at(
                path, code: .unreadableFile,
                text: "cannot be looked at: \(SystemError.reason(code)); make it readable and run again")
        }
        if let link = brokenLink(onTheWayTo: path) { throw FileSearch.unreadableFolder(link, code: code) }
        return nil
    }

    private static func unreadableFolder(_ path: String, code: Int32) -> Fault {
        .at(
            path, code: .unreadableFolder,
            text: "the folder cannot be searched: \(SystemError.reason(code)); make it readable and run again")
    }

    private static func isMissing(_ code: Int32) -> Bool { code == ENOENT || code == ENOTDIR }

    /// The first link on the way to a path that leads nowhere. Nil if something on the way is missing, or if the broken
    /// link is a folder in which the whole search begins: that one counts as missing, see `missingFolder`.
    private func brokenLink(onTheWayTo path: String) -> String? {
        guard pattern.missingFolder(in: folder) == nil else { return nil }
        var part = pattern.isAbsolute ? "/" : ""
        for name in path.utf8.split(separator: UInt8(ascii: "/")) {
            part += String(Substring(name))
            if FileKind(at: location(part)) == nil {
                return FileKind(at: location(part), followsLinks: false) == nil ? nil : part
            }
            part += "/"
        }
        return nil
    }

    private func checkName(of entry: Folder.Entry, below path: String) throws(Fault) {
        guard !entry.isUTF8 else { return }
        let name = path + entry.name
        throw .at(
            name, code: .nameNotUtf8,
            text: "the file's name is not UTF-8, so no database can hold it; rename the file and run again")
    }
}
