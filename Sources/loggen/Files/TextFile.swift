import Foundation

/// A small file beside the logs.
enum TextFile {
    /// Writes it, with the folders above it.
    static func write(_ text: String, to path: String) throws {
        let files = FileManager.default
        // Without the folder, the file cannot be made either.
        try? files.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        guard files.createFile(atPath: path, contents: Data(text.utf8)) else { throw LoggenError(path: path) }
    }

    /// A line of CSV as RFC 4180 has it.
    static func csvLine(_ fields: [String]) -> String {
        let quoted = fields.map { field in
            field.utf8.contains { "\",\n\r".utf8.contains($0) } ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
        }
        return quoted.joined(separator: ",") + "\n"
    }
}
