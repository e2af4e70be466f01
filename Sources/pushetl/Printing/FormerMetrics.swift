import Foundation
import Output
import Posix

/// The metrics file that an earlier command has left.
struct FormerMetrics {
    /// A file that is there and was not written by pushetl. It must not be replaced.
    struct ForeignFile: Error {}

    private let lines: [Substring]

    /// Reads the file. Without a file, there are no values.
    ///
    /// - Throws: `SystemError` or `ForeignFile`.
    init(_ path: String) throws {
        // A device or a pipe would be replaced, or be waited for.
        if let kind = FileKind(at: path), kind != .file { throw ForeignFile() }
        do throws(SystemError) {
            lines = String(decoding: try WholeFile.read(path), as: UTF8.self).split(separator: "\n")
        } catch {
            guard error.code == ENOENT else { throw error }
            lines = []
        }
        guard lines.allSatisfy({ $0.hasPrefix("# HELP pushetl_") || $0.hasPrefix("# TYPE pushetl_") || isSample($0) })
        else { throw ForeignFile() }
    }

    /// The value of a metric without labels.
    func value(of name: String) -> Double? {
        samples(of: "pushetl_" + name).first?.split(separator: " ").last.flatMap { Double($0) }
    }

    /// The lines of a metric, with their labels and values.
    func samples(of name: String) -> [String] {
        lines.filter { $0.hasPrefix(name + " ") || $0.hasPrefix(name + "{") }.map(String.init)
    }
}

private func isSample(_ line: Substring) -> Bool {
    line.wholeMatch(of: /pushetl_[a-z_]+(\{.*\})? -?[0-9.]+/) != nil
}
