import Configuration
import Foundation

/// Paths relative to the command's working folder. In the databases they are relative to the pipeline file's folder.
struct ShownPaths: Sendable {
    /// The absolute folder that relative paths begin in.
    let folder: String
    /// The absolute working folder of the command; nil to leave paths as they are.
    let workingFolder: String?

    init(_ folder: String, workingFolder: String? = FileManager.default.currentDirectoryPath) {
        self.folder = folder
        self.workingFolder = workingFolder
    }

    /// For texts in the databases.
    static var stored: ShownPaths { ShownPaths("", workingFolder: nil) }

    /// For texts: unsafe characters are escaped.
    func callAsFunction(_ path: String) -> String { opening(path).shown }

    /// For JSON, which has escapes of its own: a path without the working folder in front, if it lies there.
    func opening(_ path: String) -> String {
        guard let workingFolder else { return path }
        let absolute = Pipeline.resolve(path, in: folder)
        let start = workingFolder.hasSuffix("/") ? workingFolder : workingFolder + "/"
        // By bytes: to Swift a slash with an accent after it is another character.
        guard absolute.utf8.starts(with: start.utf8), absolute.utf8.count > start.utf8.count else {
            return absolute
        }
        return String(decoding: absolute.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    }
}
