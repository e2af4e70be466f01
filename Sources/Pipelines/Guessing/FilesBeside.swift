import Calendar
import Foundation
import LogFiles

/// The files of a given file's day, and how many of them the patterns of a guess find.
package struct FilesBeside: Hashable, Sendable {
    /// Written as the given path is.
    package let folder: String
    /// The day of files that lie among those of other days; nil if the folder is the day's.
    package let date: LogDate?
    /// At most `most`.
    package let files: Int
    package let found: Int

    /// The most files that are looked at.
    private static let most = 10_000

    /// Nil if the patterns find all of them, or the path has no date.
    init?(_ file: FileGuess, _ patterns: [FilePattern]) {
        let pattern = FileNamePattern(file.file.location, day: file.mainDay)
        let names = file.file.location.split(separator: "/")
        guard let date = pattern.date, !file.file.isStandardInput else { return nil }
        let isOfDay = pattern.datedFolders != nil
        let depth = pattern.datedFolders ?? names.count - 1
        let location = "/" + names.prefix(depth).joined(separator: "/")
        let options: FileManager.DirectoryEnumerationOptions =
            isOfDay ? .skipsHiddenFiles : [.skipsHiddenFiles, .skipsSubdirectoryDescendants]
        let found = Set(patterns.flatMap { (try? $0.files(on: date, in: "/")) ?? [] }.map(\.location))
        let paths = FileManager.default.enumerator(
            at: URL(fileURLWithPath: location), includingPropertiesForKeys: [.isRegularFileKey], options: options)
        var (count, foundCount) = (0, 0)
        while count < FilesBeside.most, let url = paths?.nextObject() as? URL {
            guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
                isOfDay || FileNamePattern(url.path, day: date).date == date
            else { continue }
            count += 1
            if found.contains(url.path) { foundCount += 1 }
        }
        guard foundCount < count else { return nil }
        let given = file.file.path.split(separator: "/", omittingEmptySubsequences: false)
        let shown = given.dropLast(names.count - depth).joined(separator: "/")
        folder = shown.isEmpty ? location : shown
        self.date = isOfDay ? nil : date
        (files, self.found) = (count, foundCount)
    }
}
