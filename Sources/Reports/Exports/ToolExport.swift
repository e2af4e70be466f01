import CChecksum
import CExports
import Foundation
import Messages
import Output
import Posix

/// Writes files with which a tool shows push.db at once: titles, descriptions and units of all columns, the usual
/// questions, and a dashboard. `Tests/Fixtures/make-exports.py` makes them. Here only paths are filled in.
package enum ToolExport: String, CaseIterable, Sendable {
    /// `metadata.json`.
    case datasette
    /// Sources, models and metrics for a project of dbt.
    case dbt
    /// A zip file that `superset import-dashboards` takes. Ids depend on names alone, so that a second import finds
    /// what the first one made.
    case superset
    /// A dashboard, and what provisions it and its data source.
    case grafana

    /// The path of the zip file for Superset. `place` is this path, or the folder for it.
    package static func zipPath(_ place: String) -> String {
        place.hasSuffix(".zip") ? place : "\(place)/push-superset.zip"
    }

    /// - Parameter place: the folder for the files, which is created if needed. For Superset, also the path of the zip
    ///   file itself.
    /// - Throws: `Fault` or `OutputError`. If a file that is not ours is in the way, nothing is written.
    package func write(_ output: OutputDatabase, to place: String) throws -> [ExportedFile] {
        // The files describe the present tables, so a push.db of another schema is refused.
        try output.reading(else: Fault.withoutOutput) { _ in }
        let files = try files(about: output.path, in: place)
        let folder = self == .superset ? Folder.parent(of: files[0].file.path) : place
        try ExportFolder.export.check(files.map(\.file), in: folder)
        return try files.map { try ExportFolder.export.write($0.content, to: $0.file) }
    }

    private func files(about path: String, in place: String) throws -> [(file: OwnFile, content: [UInt8])] {
        let members = try members(about: path, in: place)
        if self == .superset {
            let file = OwnFile(path: ToolExport.zipPath(place)) { StoredZip.begins($0, with: members[0].name) }
            return [(file, StoredZip.bytes(of: members))]
        }
        return members.map { name, content in
            // A file of ours begins with the same two lines.
            let head = content.split(separator: 0x0A).prefix(2).joined(separator: [0x0A])
            return (OwnFile(path: "\(place)/\(name)") { $0.starts(with: head) }, content)
        }
    }

    /// The files with the paths filled in.
    private func members(about path: String, in place: String) throws -> [(name: String, content: [UInt8])] {
        let files =
            switch self {
            case .datasette: exports_datasette()
            case .dbt: exports_dbt()
            case .superset: exports_superset()
            case .grafana: exports_grafana()
            }
        let text = String(decoding: UnsafeBufferPointer(start: files.bytes, count: files.count), as: UTF8.self)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        /// A text between quotes of JSON or YAML.
        func quoted(_ text: String) throws -> String {
            String(decoding: try encoder.encode(text).dropFirst().dropLast(), as: UTF8.self)
        }
        let url = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        let filled = text.replacing("{{path of push.db}}", with: try quoted(path))
            .replacing("{{url of push.db}}", with: url).replacing("{{folder}}", with: try quoted(place))
        return "\n\(filled.dropLast())".split(separator: "\n== ").map { member in
            let parts = member.split(separator: "\n", maxSplits: 1)
            return (String(parts[0]), Array("\(parts[1])\n".utf8))
        }
    }
}

/// A zip file with uncompressed members. Equal members give equal bytes, since each has the time 1980-01-01.
enum StoredZip {
    private static let version = 20
    /// 1980-01-01, the first date that a zip file knows.
    private static let date = 0x21

    /// Whether a file begins like a zip file whose first member has this name.
    static func begins(_ head: [UInt8], with name: String) -> Bool {
        head.starts(with: words32([0x0403_4B50])) && head.dropFirst(30).starts(with: name.utf8)
    }

    /// - Parameter members: names in UTF-8, with slashes between folders.
    static func bytes(of members: [(name: String, content: [UInt8])]) -> [UInt8] {
        var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, content) in members {
            let facts =
                words16([0x0800, 0, 0, date])
                + words32([Int(checksum_crc32(0, content, content.count)), content.count, content.count])
                + words16([name.utf8.count, 0])
            directory += words32([0x0201_4B50]) + words16([version, version]) + facts
            directory += words16([0, 0, 0]) + words32([0, bytes.count]) + Array(name.utf8)
            bytes += words32([0x0403_4B50]) + words16([version]) + facts + Array(name.utf8) + content
        }
        let end = words16([0, 0, members.count, members.count]) + words32([directory.count, bytes.count])
        return bytes + directory + words32([0x0605_4B50]) + end + words16([0])
    }

    private static func words16(_ words: [Int]) -> [UInt8] {
        words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func words32(_ words: [Int]) -> [UInt8] {
        words16(words.flatMap { [$0 & 0xFFFF, $0 >> 16] })
    }
}
