import Calendar
import Messages
import Posix

/// One or more patterns for the files of a source.
package struct FilePatterns: Sendable {
    package let patterns: [FilePattern]

    package init(_ patterns: [FilePattern]) {
        self.patterns = patterns
    }

    /// For messages.
    package var text: String { patterns.map(\.text).joined(separator: ", ") }

    /// For messages: with the placeholders filled in.
    package func text(on date: LogDate) -> String { patterns.map { $0.text(on: date) }.joined(separator: ", ") }

    /// The patterns that contain a date. What others find now says nothing about a past log date.
    package var withDate: FilePatterns { FilePatterns(patterns.filter(\.hasDatePlaceholder)) }

    package var withoutDate: FilePatterns { FilePatterns(patterns.filter { !$0.hasDatePlaceholder }) }

    package var isEmpty: Bool { patterns.isEmpty }

    /// Whether a pattern contains the year, without which the log dates of its files cannot be listed.
    package var hasYear: Bool { patterns.contains(where: \.hasYear) }

    /// The patterns that are URIs.
    package var atURIs: [FilePattern] { patterns.filter { $0.uriRoot != nil } }

    /// The files of a log date, as `FilePattern.files(on:in:)` gives them. A file that matches several patterns is
    /// returned once.
    ///
    /// - Parameter listing: the files at URIs.
    package func files(
        on date: LogDate, in folder: String, listing: FileListing = FileListing()
    ) throws(Fault) -> [FoundFile] {
        try files(on: [date], in: folder, listing: listing)[date] ?? []
    }

    /// The result of `files(on:in:)` for each of several dates; dates without files are omitted.
    package func files(
        on dates: [LogDate], in folder: String, listing: FileListing = FileListing()
    ) throws(Fault) -> [LogDate: [FoundFile]] {
        var found: [LogDate: FoundFiles] = [:]
        for pattern in patterns {
            let ofPattern =
                pattern.uriRoot != nil
                ? listing.files(of: pattern, on: dates) : try pattern.files(on: dates, in: folder)
            if patterns.count == 1 { return ofPattern }
            for (date, files) in ofPattern { found[date, default: FoundFiles()].add(files) }
        }
        return found.mapValues(\.onceEach)
    }

    /// The log dates that have files, in order.
    package func dates(in folder: String) throws(Fault) -> [LogDate] {
        var dates: Set<LogDate> = []
        for pattern in patterns { dates.formUnion(try pattern.dates(in: folder)) }
        return dates.sorted()
    }

    /// Whether any log date has files.
    ///
    /// - Parameter listing: the files at URIs, of all dates.
    package func hasFiles(in folder: String, listing: FileListing) throws(Fault) -> Bool {
        for pattern in patterns {
            let isFound =
                pattern.uriRoot != nil ? listing.hasFiles(of: pattern) : try !pattern.dates(in: folder).isEmpty
            if isFound { return true }
        }
        return false
    }

    /// The log dates that have a file among theirs; nil if it matches no pattern. `path` is absolute; its folder may be
    /// named by links that a pattern does not go through.
    package func dates(ofFileAt path: String, in folder: String) -> [LogDate]? {
        let resolved = Folder.resolved(Folder.parent(of: path)).map { $0 + "/" + Folder.name(of: path) }
        return [path, resolved].lazy.compactMap(\.self).flatMap { path in
            patterns.lazy.compactMap { $0.dates(ofFileAt: path, in: folder) }
        }.first
    }

    /// The name of a log date's file that it has on any date; see `FilePattern.undated`.
    package func undated(_ path: String, on date: LogDate) -> String? {
        patterns.lazy.compactMap { $0.undated(path, on: date) }.first
    }

    /// The patterns whose folder exists, and the others.
    package func parted(in folder: String) -> (present: FilePatterns, absent: FilePatterns) {
        let areAbsent = Dictionary(grouping: patterns) { $0.missingFolder(in: folder) != nil }
        return (FilePatterns(areAbsent[false] ?? []), FilePatterns(areAbsent[true] ?? []))
    }

    /// The first missing folder of a pattern. See `FilePattern.missingFolder(in:)`.
    package func missingFolder(in folder: String) -> String? {
        patterns.lazy.compactMap { $0.missingFolder(in: folder) }.first
    }
}
