import CChecksum
import CExports
import Foundation
import Output
import Posix

/// Writes files that show push.db in a tool at once: with titles, the descriptions and units of all columns, the usual questions,
/// and a dashboard. They are data, made by `Tests/Fixtures/make-exports.py`; only paths are filled in here.
package enum ToolExport: String, CaseIterable, Sendable {
    /// `metadata.json`.
    case datasette
    /// Sources, models and metrics for a project of dbt.
    case dbt
    /// A zip file that `superset import-dashboards` takes. Ids depend on names alone, so that a second import finds what the
    /// first one made.
    case superset
    /// A dashboard, and what provisions it and its data source.
    case grafana

    /// The file for Superset, for a place that is one or a folder.
    package static func zipPath(_ place: String) -> String {
        place.hasSuffix(".zip") ? place : "\(place)/push-superset.zip"
    }

    /// - Parameter place: the folder to write to, which is created if it does not exist; for Superset also the file itself.
    /// - Throws: `Fault` or `WarehouseError`. If a file of others is in the way, nothing is written.
    package func write(_ output: OutputDatabase, to place: String) throws -> [ExportedFile] {
        // Only of a push.db with the tables that they are about.
        try output.exporting { _ in }
        let members = try members(output.path, place)
        if self == .superset {
            var zip = StoredZip()
            for member in members { zip.add(member.name, member.content) }
            zip.finish()
            return [
                try ExportFolder.export.write(zip.bytes, to: ToolExport.zipPath(place)) {
                    StoredZip.begins($0, with: members[0].name)
                }
            ]
        }
        try ExportFolder.export.check(place)
        // A file of ours begins with the same two lines.
        let files = members.map { name, content in
            (
                path: "\(place)/\(name)", content: content,
                head: content.split(separator: 0x0A).prefix(2).joined(separator: [0x0A])
            )
        }
        for file in files { try ExportFolder.export.check(file.path) { $0.starts(with: file.head) } }
        return try files.map { file in
            try ExportFolder.export.write(file.content, to: file.path) { $0.starts(with: file.head) }
        }
    }

    /// The files with the paths filled in.
    private func members(_ path: String, _ place: String) throws -> [(name: String, content: [UInt8])] {
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

/// A zip file whose members are stored as they are. The same members give the same bytes: all have the time 1980-01-01.
struct StoredZip {
    private static let version = 20
    /// 1980-01-01, the first date that a zip file knows.
    private static let date = 0x21

    private(set) var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    /// Whether a file with these first bytes is a zip file with this first member.
    static func begins(_ head: [UInt8], with name: String) -> Bool {
        head.starts(with: words32([0x0403_4B50])) && head.dropFirst(30).starts(with: name.utf8)
    }

    /// Adds a member. Names are UTF-8, with slashes.
    mutating func add(_ name: String, _ content: [UInt8]) {
        let offset = bytes.count
        let facts =
            StoredZip.words16([0x0800, 0, 0, StoredZip.date])
            + StoredZip.words32([Int(checksum_crc32(0, content, content.count)), content.count, content.count])
            + StoredZip.words16([name.utf8.count, 0])
        bytes += StoredZip.words32([0x0403_4B50]) + StoredZip.words16([StoredZip.version]) + facts + Array(name.utf8)
        bytes += content
        directory +=
            StoredZip.words32([0x0201_4B50]) + StoredZip.words16([StoredZip.version, StoredZip.version]) + facts
        directory += StoredZip.words16([0, 0, 0]) + StoredZip.words32([0, offset]) + Array(name.utf8)
        count += 1
    }

    /// Ends the file.
    mutating func finish() {
        let start = bytes.count
        bytes += directory
        bytes += StoredZip.words32([0x0605_4B50]) + StoredZip.words16([0, 0, count, count])
        bytes += StoredZip.words32([directory.count, start]) + StoredZip.words16([0])
    }

    private static func words16(_ words: [Int]) -> [UInt8] {
        words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func words32(_ words: [Int]) -> [UInt8] {
        words16(words.flatMap { [$0 & 0xFFFF, $0 >> 16] })
    }
}
