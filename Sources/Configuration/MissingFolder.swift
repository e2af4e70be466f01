import Foundation
import LogFiles

/// A folder that a pattern names before its first placeholder or glob, and that does not exist.
struct MissingFolder {
    /// As written in the pattern.
    let path: String
    /// The path with a similar name that exists instead of the first name that does not.
    let near: String?

    /// Nil if the folder exists. `folder` is the absolute folder that a relative pattern begins in.
    init?(of pattern: FilePattern, in folder: String) {
        guard let path = pattern.missingFolder(in: folder) else { return nil }
        self.path = path
        let names = path.split(separator: "/").map(String.init)
        let root = pattern.isAbsolute ? "/" : ""
        let base = pattern.isAbsolute ? "/" : folder + "/"
        let isThere = { (count: Int) in
            var isFolder: ObjCBool = false
            let path = base + names.prefix(count).joined(separator: "/")
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
        let known = names.indices.first { !isThere($0 + 1) } ?? 0
        let parent = base + names.prefix(known).joined(separator: "/")
        let others = (try? FileManager.default.contentsOfDirectory(atPath: parent))?.sorted() ?? []
        near = names[known].nearest(of: others).map { name in
            root + (names.prefix(known) + [name] + names.dropFirst(known + 1)).joined(separator: "/")
        }
    }
}
