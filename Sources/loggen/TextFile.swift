import Foundation

/// A small file beside the logs.
enum TextFile {
    /// Writes it, with the folders above it.
    static func write(_ text: String, to path: String) throws {
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        } catch {
            throw LoggenError(path: path)
        }
    }

    /// A line of CSV as RFC 4180 has it.
    static func csvLine(_ fields: [String]) -> String {
        let quoted = fields.map { field in
            field.utf8.contains { "\",\n\r".utf8.contains($0) } ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
        }
        return quoted.joined(separator: ",") + "\n"
    }
}
