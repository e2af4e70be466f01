import Foundation

/// A fresh temporary folder. It is removed when nobody refers to it. `PUSHETL_KEEP=1` in the environment keeps it.
package final class ScratchFolder: Sendable {
    private static let areKept = ProcessInfo.processInfo.environment["PUSHETL_KEEP"] == "1"

    /// In memory if that has room, since the program waits for the disk with all that it writes. The long form, and whoever
    /// sets `TMPDIR`, has the folders on a disk.
    private static let parent: URL = {
        let memory = "/dev/shm"
        let room = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? Int
        let isUsed =
            room ?? 0 > 1 << 30 && FileManager.default.isWritableFile(atPath: memory) && !Long.isOn
            && ProcessInfo.processInfo.environment["TMPDIR"] == nil
        return isUsed ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    }()

    package let url: URL

    package init() throws {
        let template = Self.parent.appendingPathComponent("pushetl-XXXXXX").path
        var path = Array(template.utf8CString)
        guard mkdtemp(&path) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        url = URL(fileURLWithPath: String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    deinit {
        if !Self.areKept { try? FileManager.default.removeItem(at: url) }
    }

    package var root: String { url.path }

    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, with the folders above it.
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    package func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

    /// Writes a file and returns its path.
    package func file(_ bytes: some Sequence<UInt8>, _ name: String = "file") throws -> String {
        try write(bytes, to: name)
        return path(name)
    }

    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    package func makeLink(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: destination)
    }

    package func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }

    /// Removes a file, or a folder and all in it.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    package func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// The names of what is in a folder, sorted.
    package func names(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    package func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: url.appendingPathComponent(name)))
    }

    /// The bytes of a file; nil if there is none, or something else is there.
    package func contents(_ name: String) -> Data? {
        var status = stat()
        guard stat(path(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileManager.default.contents(atPath: path(name))
    }

    /// The bytes of all files in a folder, and in those in it, by their paths in it.
    package func contentsOfAll(_ name: String) -> [String: Data] {
        let items = FileManager.default.enumerator(atPath: path(name))?.compactMap { $0 as? String } ?? []
        return items.reduce(into: [:]) { $0[$1] = contents("\(name)/\($1)") }
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    func handle(_ name: String) throws -> FileHandle {
        try write([], to: name)
        return try FileHandle(forWritingTo: url.appendingPathComponent(name))
    }
}

extension Data {
    /// Whether some bytes are in it. `range(of:)` takes a hundred times as long.
    package func has(_ sought: Data) -> Bool {
        withUnsafeBytes { bytes in
            sought.withUnsafeBytes { sought in
                guard var rest = bytes.baseAddress, let first = sought.first, let start = sought.baseAddress else {
                    return false
                }
                let end = rest + bytes.count
                while let place = memchr(rest, Int32(first), end - rest), end - UnsafeRawPointer(place) >= sought.count
                {
                    if memcmp(place, start, sought.count) == 0 { return true }
                    rest = UnsafeRawPointer(place) + 1
                }
                return false
            }
        }
    }
}
