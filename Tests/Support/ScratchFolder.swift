import Foundation

/// A folder that is gone when nobody needs it any more.
package final class ScratchFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("pushetl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
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

    package func write(_ name: String, _ text: String) throws { try write(text.utf8, to: name) }

    /// Writes a file and returns its path.
    package func file(_ bytes: some Sequence<UInt8>, _ name: String = "file") throws -> String {
        try write(bytes, to: name)
        return path(name)
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }

    func handle(_ name: String) throws -> FileHandle {
        try write([], to: name)
        return try FileHandle(forWritingTo: url.appendingPathComponent(name))
    }
}
