import Foundation
import GRDB
import Posix

/// History rows that could not be written, because push.db does not exist or is locked. They cannot be computed again.
/// So they are stored in `partitions/.waiting.json` until the next publishing.
struct WaitingRecords {
    private let folder: OutputFolder
    private var records: [CommandRecord]

    private var path: String { folder.partitionsPath + "/.waiting.json" }

    /// Reads the stored rows; empty if there are none or they cannot be read.
    init(in folder: OutputFolder) {
        self.folder = folder
        records = []
        guard let bytes = FileManager.default.contents(atPath: path) else { return }
        records = (try? JSONDecoder().decode([CommandRecord].self, from: bytes)) ?? []
    }

    var isEmpty: Bool { records.isEmpty }

    mutating func append(_ record: CommandRecord) {
        var record = record
        for index in record.loads.indices {
            while records.contains(where: { $0.loads.contains { $0.hasKey(of: record.loads[index]) } }) {
                record.loads[index].finishedAt += 1000
            }
        }
        records.append(record)
        guard let bytes = try? JSONEncoder().encode(records) else { return }
        try? WholeFile.replace(path, by: [UInt8](bytes), durably: true)
    }

    /// Adds only missing rows: a command may have been killed before `remove`.
    func insert(into database: Database) throws {
        for record in records { try record.insertIfNew(into: database) }
    }

    func remove() {
        if !isEmpty { unlink(path) }
    }
}

extension LoadRecord {
    /// Whether both records have the same key.
    fileprivate func hasKey(of other: LoadRecord) -> Bool {
        logDate == other.logDate && startedAt / 1000 == other.startedAt / 1000
            && finishedAt / 1000 == other.finishedAt / 1000
    }
}
