import Foundation
import LogFiles

/// A folder that a pattern names in front of its first placeholder or glob, and that is not there.
struct MissingFolder {
    /// As the pattern has it.
    let path: String
    /// The same with the name of a folder that is there and looks like the first one that is not.
    let near: String?

    /// Nil if it is there. `folder` is the absolute folder in which a relative pattern begins.
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
