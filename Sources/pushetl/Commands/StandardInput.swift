import Foundation
import Posix

/// The first 16 MiB of standard input, as a file that can be read more than once. The file has no name, so nothing is
/// left behind.
final class StandardInput {
    private static let byteLimit = 16 << 20

    private let file: FileHandle

    /// - Throws: `SystemError`.
    init() throws {
        let name = NSTemporaryDirectory() + "/pushetl-preview-\(getpid())"
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(call: "open", path: name, code: errno) }
        unlink(name)
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var left = StandardInput.byteLimit
        while left > 0, let data = try FileHandle.standardInput.read(upToCount: min(left, 1 << 20)), !data.isEmpty {
            try file.write(contentsOf: data)
            left -= data.count
        }
    }

    var path: String { "/proc/self/fd/\(file.fileDescriptor)" }
}
