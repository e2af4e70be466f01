import Foundation

/// Another command holds the output, or the lock cannot be made.
package enum OutputLockError: Error, Equatable, Sendable {
    /// `by` is the holder's own description; empty if it cannot be read.
    case held(output: String, by: String)
    case system(path: String, call: String, code: Int32)
}

/// The right to write in an output folder: a lock on the file `.lock`. The system releases it when the holder dies.
package struct OutputLock: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// - Parameters:
    ///   - folder: the folder of the lock file, which must exist.
    ///   - holder: a description of this process, for others who wait.
    package init(folder: String, output: String, holder: String) throws(OutputLockError) {
        path = folder + "/.lock"
        while true {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
            guard opened >= 0 else { throw .system(path: path, call: "open", code: errno) }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                defer { close(opened) }
                guard code == EWOULDBLOCK else { throw .system(path: path, call: "flock", code: code) }
                throw .held(output: output, by: OutputLock.content(of: opened))
            }
            // The former holder may have removed the file between the two calls.
            var ours = stat()
            var current = stat()
            if fstat(opened, &ours) == 0, stat(path, &current) == 0, ours.st_ino == current.st_ino {
                descriptor = opened
                break
            }
            close(opened)
        }
        let text = Array(holder.utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    /// - Throws: `.held` if another command holds the lock now. Makes no file.
    static func checkFree(folder: String, output: String) throws(OutputLockError) {
        let opened = open(folder + "/.lock", O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return }
        defer { close(opened) }
        if flock(opened, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw .held(output: output, by: content(of: opened))
        }
    }

    /// Releases the lock. So does the end of its scope.
    package consuming func release() {}

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// The description in the lock file. A holder that has just got the lock writes it within a moment.
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
