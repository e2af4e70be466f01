import Foundation

/// Paths relative to the command's working folder, and what the commands in messages need. In the databases paths are
/// relative to the pipeline file's folder.
package struct ShownPaths: Sendable {
    /// The absolute folder that relative paths begin in.
    package let folder: String
    /// The absolute working folder of the command; nil to leave paths as they are.
    let workingFolder: String?
    /// What a command in a message must be given to find the pipeline and the output: ` --pipeline FILE`. Empty if it
    /// finds them.
    package let options: String
    /// Whether 'backfill' takes the pipeline file.
    package let hasBackfill: Bool

    package init(
        _ folder: String, workingFolder: String? = FileManager.default.currentDirectoryPath, options: String = "",
        hasBackfill: Bool = true
    ) {
        self.folder = folder
        self.options = options
        self.hasBackfill = hasBackfill
        // It is empty where it does not exist any more.
        self.workingFolder = workingFolder == "" ? nil : workingFolder
    }

    /// For texts in the databases.
    package static var stored: ShownPaths { ShownPaths("", workingFolder: nil) }

    /// For texts: unsafe characters are escaped.
    package func callAsFunction(_ path: String) -> String { opening(path).shown }

    /// For JSON, which has escapes of its own: a path without the working folder in front, if it lies there.
    package func opening(_ path: String) -> String {
        guard let workingFolder else { return path }
        let absolute = path.absolute(in: folder)
        let start = workingFolder.hasSuffix("/") ? workingFolder : workingFolder + "/"
        // By bytes: to Swift a slash with an accent after it is another character.
        guard absolute.utf8.starts(with: start.utf8), absolute.utf8.count > start.utf8.count else {
            return absolute
        }
        return String(decoding: absolute.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    }
}

/// Under this key an encoder has how paths are shown; without it they stay as they are.
private let shownPathsKey = CodingUserInfoKey(rawValue: "shownPaths")

extension JSONEncoder {
    package func show(_ paths: ShownPaths) {
        if let shownPathsKey { userInfo[shownPathsKey] = paths }
    }
}

extension Encoder {
    package var shownPaths: ShownPaths { shownPathsKey.flatMap { userInfo[$0] as? ShownPaths } ?? .stored }
}

extension String {
    /// A path in an absolute folder without links; a URI as it is. A leading `..` removes the folder's last name; after
    /// a link this would be another folder.
    package func absolute(in folder: String) -> String {
        let slash = UInt8(ascii: "/")
        guard utf8.first != slash, firstMatch(of: /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\//) == nil else { return self }
        var base = folder.utf8.split(separator: slash).map { Substring($0) }
        var names = utf8.split(separator: slash).map { Substring($0) }[...]
        while let name = names.first, name == ".." || name == "." {
            names.removeFirst()
            if name == ".." { _ = base.popLast() }
        }
        return "/" + (base + names).joined(separator: "/")
    }
}
