import Foundation
import Messages
import Posix

/// The right to write in an output folder: a lock on the file `.lock`. The system releases it when the holder dies.
package struct OutputLock: ~Copyable {
    package let locked: LockedOutput
    private let descriptor: Int32
    private let path: String

    /// - Parameters:
    ///   - output: the output, whose folders must exist.
    ///   - holder: a description of this process, for others who wait.
    ///   - mayWait: asked while another command holds the lock, with the seconds waited so far.
    package init(
        _ output: OutputFolder, holder: String, mayWait: (_ seconds: Double) -> Bool = { _ in false }
    ) throws(Fault) {
        locked = LockedOutput(folder: output)
        path = output.partitionsPath + "/.lock"
        if let fault = output.obstacle { throw fault }
        let begin = ContinuousClock.now
        while true {
            // The file is written to, so a link to somebody's file must not be followed.
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
            guard opened >= 0 else {
                let code = errno
                guard [ELOOP, EISDIR, ENXIO].contains(code) else { throw .system(path, call: "open", code: code) }
                throw OutputLock.noFile(path)
            }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                defer { close(opened) }
                guard code == EWOULDBLOCK else { throw .system(path, call: "flock", code: code) }
                guard mayWait(begin.secondsAgo) else { throw OutputLock.held(output.path, by: opened) }
                usleep(OutputLock.pause)
                continue
            }
            var ours = stat()
            var current = stat()
            let isKnown = fstat(opened, &ours) == 0
            if isKnown, FileKind(ours.st_mode) != .file {
                close(opened)
                throw OutputLock.noFile(path)
            }
            // The former holder may have removed the file between the two calls.
            if isKnown, lstat(path, &current) == 0, ours.st_ino == current.st_ino, ours.st_dev == current.st_dev {
                let other = locked.sharedWith()
                if ours.st_nlink == 1, other == nil {
                    descriptor = opened
                    break
                }
                // The file may have a second name, as in a copy of the output by hard links. The copy must keep its
                // content, so a new file is made here.
                unlink(path)
                if let other {
                    close(opened)
                    throw .at(
                        output.partitionsPath, code: .sharedPartitions,
                        text: "is also the folder of the partitions of \(path: other); nothing has changed; "
                            + "two outputs cannot share it: make it a folder of its own, or use the other output",
                        exitStatus: .badPipeline)
                }
            }
            close(opened)
        }
        let text = Array(holder.utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    /// Between two trials, in microseconds.
    private static let pause: UInt32 = 50_000

    /// - Parameter mayWait: as above.
    /// - Throws: if another command holds the lock. Makes no file.
    package static func checkFree(
        folder: String, output: String, mayWait: (_ seconds: Double) -> Bool = { _ in false }
    ) throws(Fault) {
        let begin = ContinuousClock.now
        while true {
            let opened = open(folder + "/.lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard opened >= 0 else { return }
            defer { close(opened) }
            guard flock(opened, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
            guard mayWait(begin.secondsAgo) else { throw held(output, by: opened) }
            usleep(pause)
        }
    }

    /// Releases the lock. Leaving the scope releases it too.
    package consuming func release() {}

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// The error that something other than a regular file is in the place of the lock file.
    private static func noFile(_ path: String) -> Fault {
        .at(
            path, code: .noFile,
            text: "is a link, a folder or something else, and pushetl needs a regular file there; "
                + "nothing has changed; remove it and run again")
    }

    /// - Parameter descriptor: the lock file, which has the holder's own description.
    private static func held(_ output: String, by descriptor: Int32) -> Fault {
        let holder = content(of: descriptor)
        return .at(
            output, code: .outputHeld,
            text: "another command is writing there\(holder.isEmpty ? "" : " (\(holder))"); "
                + "try again when it has ended", exitStatus: .busy)
    }

    /// The description in the lock file. A process that has just taken the lock writes it a moment later, so an empty
    /// file is read again for a while.
    private static func content(of descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 512)
        for _ in 0..<100 {
            let count = pread(descriptor, &buffer, buffer.count, 0)
            guard count <= 0 else { return String(decoding: buffer.prefix(count), as: UTF8.self) }
            usleep(1000)
        }
        return ""
    }
}

extension ContinuousClock.Instant {
    fileprivate var secondsAgo: Double { (ContinuousClock.now - self) / .seconds(1) }
}

extension OutputFolder {
    /// What prevents every command from writing: something that is not ours, through which it would write or for which
    /// it would wait. Nil if there is nothing.
    fileprivate var obstacle: Fault? {
        if Folder.isLink(heldPath) {
            return .at(
                heldPath, code: .linkedFolder,
                text: "is a link, and pushetl needs a folder of its own there; nothing has changed; "
                    + "put that folder in its place, or remove it, and run again")
        }
        return DatabaseFile.obstacle(beside: databasePath)
    }
}

// `partitions` may be a link to a folder on another disk. But two outputs must not share it, since each has its own
// push.db. So an output whose `partitions` is a link stores its own path there, as a cache file.

extension LockedOutput {
    private static let ownerName = "output"

    /// The path of another output that has a push.db and the same folder of partitions; nil if none is known.
    fileprivate func sharedWith() -> String? {
        guard let partitions = Folder.resolved(folder.partitionsPath), let own = Folder.resolved(folder.path)
        else { return nil }
        let owner = folder.cached(LockedOutput.ownerName).map { String(decoding: $0, as: UTF8.self) }
        let others = [Folder.parent(of: partitions), owner].compactMap { $0.flatMap(Folder.resolved) }
        if let other = others.first(where: { other in
            other != own && Folder.resolved(other + "/partitions") == partitions
                && access(other + "/push.db", F_OK) == 0
        }) {
            return other
        }
        if partitions != own + "/partitions", owner != own { cache(Array(own.utf8), as: LockedOutput.ownerName) }
        return nil
    }
}
