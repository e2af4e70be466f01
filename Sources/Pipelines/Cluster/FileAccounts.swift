import Events
import Foundation
import LogFiles
import Warehouse

/// What a task says about the file that it has read, its events left out.
struct FileAccounts: Codable, Sendable {
    /// What reading a file came to.
    enum Reading: Codable, Sendable {
        /// The beginning of the file could not be read; the system's error code.
        case unopened(code: Int32)
        case foreign(ForeignKind, isInsideGzip: Bool)
        /// The file could not be read to its end.
        case unreadable(code: Int32)
        /// With the accepted records of each shard. The report has no stamp: that of the driver counts.
        case whole(FileReport, FileTally, rejects: [Reject], records: [Int])
    }

    /// The number of the file in the job.
    let file: Int
    let reading: Reading

    /// The accounts as a document.
    var bytes: [UInt8] {
        get throws { try Documents.bytes(self) }
    }

    init(file: Int, reading: Reading) {
        self.file = file
        self.reading = reading
    }

    /// - Throws: `ClusterError.damagedFrame`.
    init(bytes: [UInt8]) throws(ClusterError) {
        guard let accounts = try? JSONDecoder().decode(FileAccounts.self, from: Data(bytes)), accounts.isWellFormed
        else { throw .damagedFrame }
        self = accounts
    }

    private var isWellFormed: Bool {
        if case .whole(_, let tally, _, _) = reading { tally.isWellFormed } else { true }
    }
}
