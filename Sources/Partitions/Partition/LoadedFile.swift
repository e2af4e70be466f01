import Calendar
import Foundation
import Hashing
import Posix
import SQLite

package struct LoadedFile: Equatable, Sendable {
    package var source: String
    package var path: String
    /// The size on disk, in bytes.
    package var bytes: Int
    /// Identifies the file's bytes.
    package var fingerprint: String
    /// Identifies what was unpacked of a compressed file. Nil for a plain file, and in push.db.
    package var content: UnpackedContent?
    package var status: FileStatus
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int

    package init(
        source: String, path: String, bytes: Int, fingerprint: String, content: UnpackedContent? = nil,
        status: FileStatus, records: Int, accepted: Int, filtered: Int, rejected: Int
    ) {
        self.source = source
        self.path = path
        self.bytes = bytes
        self.fingerprint = fingerprint
        self.content = content
        self.status = status
        self.records = records
        self.accepted = accepted
        self.filtered = filtered
        self.rejected = rejected
    }
}

extension LoadedFile {
    package func values(logDate: LogDate) -> [DatabaseValue] {
        .of(
            logDate.description, source, path, bytes, fingerprint, status.rawValue, records, accepted,
            filtered, rejected)
    }

    /// The row of `contents`; nil if there is none.
    var contentValues: [DatabaseValue]? {
        content.map { content in
            .of(source, path, content.bytes, Int64(content.crc32), content.head)
        }
    }

    package init?(_ row: Statement) throws {
        guard let status = FileStatus(rawValue: try row.read(5)) else { return nil }
        self.init(
            source: try row.read(1), path: try row.read(2), bytes: try row.read(3), fingerprint: try row.read(4),
            status: status, records: try row.read(6), accepted: try row.read(7), filtered: try row.read(8),
            rejected: try row.read(9))
    }
}
