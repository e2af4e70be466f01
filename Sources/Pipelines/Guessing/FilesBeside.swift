import Calendar
import Foundation
import LogFiles
import Messages

/// The files of a given file's day, and how many of them the patterns of a guess find.
package struct FilesBeside: Sendable {
    /// Where they lie.
    private struct Place: Hashable {
        /// Absolute.
        let folder: String
        /// As the given path is written.
        let shown: String
        let date: LogDate
        /// Whether the folder is the day's. Else files of other days lie in it.
        let isOfDay: Bool

        /// Nil if the path has no date.
        init?(_ file: FileGuess) {
            guard !file.file.isStandardInput else { return nil }
            let pattern = FileNamePattern(file.file.location, day: file.mainDay)
            guard let date = pattern.date else { return nil }
            let names = file.file.location.split(separator: "/")
            let depth = pattern.datedFolders ?? names.count - 1
            folder = "/" + names.prefix(depth).joined(separator: "/")
            let shown = file.file.path.split(separator: "/", omittingEmptySubsequences: false)
                .dropLast(names.count - depth).joined(separator: "/")
            self.shown = shown.isEmpty ? folder : shown
            self.date = date
            isOfDay = pattern.datedFolders != nil
        }

        /// The paths of its files, at most so many.
        func paths(_ most: Int) -> [String] {
            let paths = FileManager.default.enumerator(
                at: URL(fileURLWithPath: folder), includingPropertiesForKeys: [.isRegularFileKey],
                options: isOfDay ? .skipsHiddenFiles : [.skipsHiddenFiles, .skipsSubdirectoryDescendants])
            var found: [String] = []
            while found.count < most, let url = paths?.nextObject() as? URL {
                let isFile = (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
                if isFile, isOfDay || FileNamePattern(url.path, day: date).date == date { found.append(url.path) }
            }
            return found
        }
    }

    /// Written as the given path is.
    package let folder: String
    /// The day, if the folder has files of others too.
    package let date: LogDate?
    /// At most `most`.
    package let files: Int
    package let found: Int

    /// The most files that are looked at in one folder.
    private static let most = 10_000

    /// The folders in which the patterns do not find all files of the day.
    static func missed(by patterns: [FilePattern], beside files: [FileGuess]) -> [FilesBeside] {
        var places: [Place] = []
        for place in files.compactMap(Place.init) where !places.contains(place) { places.append(place) }
        var known: [LogDate: Set<String>] = [:]
        return places.compactMap { place in
            let found =
                known[place.date]
                ?? Set(patterns.flatMap { (try? $0.files(on: place.date, in: "/")) ?? [] }.map(\.location))
            known[place.date] = found
            let paths = place.paths(most)
            let count = paths.count { found.contains($0) }
            guard count < paths.count else { return nil }
            return FilesBeside(
                folder: place.shown, date: place.isOfDay ? nil : place.date, files: paths.count, found: count)
        }
    }
}
