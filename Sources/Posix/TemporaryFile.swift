import Foundation

/// A new file beside the one that it will replace. It is removed unless it is installed.
///
///     reports/push.html
///     reports/.push.html.pushetl-8c41f0d2b7e6935a.tmp
///
/// Every process has a name of its own, so several may replace the same file at once, and the last one wins. As long as
/// the file is open, its process holds a lock on it (`flock`), and the system frees the lock of a killed process. So a
/// name whose lock is free was left by a killed process, and the next one that replaces the same file removes it.
package final class TemporaryFile {
    /// Open for reading and writing. Its path, for error messages, is that of the file to replace.
    package let file: FileDescriptor
    package let path: String
    private var isInstalled = false

    /// Creates the file.
    /// - Parameters:
    ///   - target: the path of the file to replace. There need not be one.
    ///   - removesLeftovers: whether to remove what killed processes left. It lists the folder.
    package init(replacing target: String, removesLeftovers: Bool = true) throws(SystemError) {
        if removesLeftovers { TemporaryFile.removeLeftovers(of: target) }
        let start = "\(Folder.parent(of: target))/\(TemporaryFile.beginning(target))"
        while true {
            let path = "\(start)\(String(UInt64.random(in: .min ... .max), radix: 16))\(TemporaryFile.end)"
            let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if number < 0 && errno == EEXIST { continue }
            guard number >= 0 else { throw SystemError(call: "open", path: target, code: errno) }
            let file = FileDescriptor(number, path: target)
            // Before it was locked, another process may have taken it for a leftover. Where a file system has no locks,
            // nobody removes it.
            if flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, access(path, F_OK) == 0 {
                self.file = file
                self.path = path
                return
            }
            file.close()
        }
    }

    deinit {
        if !isInstalled { unlink(path) }
        file.close()
    }

    /// Renames the file to `target`, the path that `init` was given.
    /// - Parameter durably: whether the new file must survive a power failure after this call returns.
    package func install(durably: Bool) throws(SystemError) {
        if durably { try file.sync() }
        guard rename(path, file.path) == 0 else { throw SystemError(call: "rename", path: file.path, code: errno) }
        isInstalled = true
        if durably { try Folder.sync(Folder.parent(of: file.path)) }
    }

    /// Removes the files that killed processes left beside `target`. What cannot be looked at stays.
    package static func removeLeftovers(of target: String) {
        let folder = Folder.parent(of: target)
        let beginning = beginning(target)
        for name in (try? Folder.names(in: folder)) ?? []
        where name.utf8.starts(with: beginning.utf8) && TemporaryFile.target(ofName: name) != nil {
            let path = "\(folder)/\(name)"
            let file = FileDescriptor(open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), path: path)
            guard file.number >= 0 else { continue }
            // Its process renames it before it frees the lock. So a name that is still there will not be installed.
            if flock(file.number, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            file.close()
        }
    }

    /// What a temporary file of this name would replace; nil for the name of another file.
    package static func target(ofName name: String) -> String? {
        name.wholeMatch(of: /\.(.+)\.pushetl-[0-9a-f]{1,16}\.tmp/).map { String($0.1) }
    }

    private static let end = ".tmp"

    /// How the names of the files beside `target` begin. A name may have 255 bytes.
    private static func beginning(_ target: String) -> String {
        ".\(String(decoding: Folder.name(of: target).utf8.prefix(200), as: UTF8.self)).pushetl-"
    }
}
