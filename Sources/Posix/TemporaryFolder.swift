import Foundation

/// A new folder for temporary files, that only the user may read. Its name begins with `name`.
package struct TemporaryFolder {
    package let path: String

    package init(named name: String) throws {
        let root = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(root)/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", path: root, code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the folder with all that is in it. Errors are ignored, since what stays takes room only.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
