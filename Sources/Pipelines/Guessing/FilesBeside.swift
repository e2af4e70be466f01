import Calendar
import Foundation
import LogFiles
import Messages

/// The files of a given file's day that lie in the same dated folder, or else directly beside the file.
struct FilesBeside: Hashable {
    /// Absolute.
    private let folder: String
    /// The folder in the form of the given path, for messages.
    private let shown: String
    private let date: LogDate
    /// Whether the folder holds one day only. Otherwise it holds files of other days too.
    private let isOfDay: Bool

    /// The most files that are looked at in one folder.
    private static let most = 10_000

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

    /// A doubt if the patterns miss files of the day; nil if they find all.
    func doubt(about patterns: [FilePattern]) -> Doubt? {
        // A folder that cannot be listed gives no files, so the doubt names its files as missing.
        let found = Set(patterns.flatMap { (try? $0.files(on: date, in: "/")) ?? [] }.map(\.location))
        let paths = paths
        let count = paths.count { found.contains($0) }
        guard count < paths.count else { return nil }
        let place = isOfDay ? "below" : "of \(date) in"
        return Doubt(
            .lostFiles,
            text: "finds \(Text.number(count)) of the \(Text.plural(paths.count, of: "file")) \(place) \(shown.shown)")
    }

    private var paths: [String] {
        let paths = FileManager.default.enumerator(
            at: URL(fileURLWithPath: folder), includingPropertiesForKeys: [.isRegularFileKey],
            options: isOfDay ? .skipsHiddenFiles : [.skipsHiddenFiles, .skipsSubdirectoryDescendants])
        var found: [String] = []
        while found.count < Self.most, let url = paths?.nextObject() as? URL {
            // A file that was removed meanwhile is left out.
            let isFile = (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
            if isFile, isOfDay || FileNamePattern(url.path, day: date).date == date { found.append(url.path) }
        }
        return found
    }
}
