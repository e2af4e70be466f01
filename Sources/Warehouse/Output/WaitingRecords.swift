import Foundation
import GRDB
import Posix

/// Rows of the history that could not be written, since there is no push.db yet or it could not be written to. They wait
/// in `partitions/.waiting.json` for the next publishing: nothing can compute them again.
struct WaitingRecords {
    private let folder: OutputFolder
    private var records: [CommandRecord]

    private var path: String { folder.partitionsPath + "/.waiting.json" }

    /// Those that wait; none if they do not read.
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

    /// Those that are there already, since a command was killed before `remove`, are not added again.
    func insert(into database: Database) throws {
        for record in records { try record.insertIfNew(into: database) }
    }

    func remove() {
        if !isEmpty { unlink(path) }
    }
}

extension LoadRecord {
    /// Whether both would be the same row.
    fileprivate func hasKey(of other: LoadRecord) -> Bool {
        logDate == other.logDate && startedAt / 1000 == other.startedAt / 1000
            && finishedAt / 1000 == other.finishedAt / 1000
    }
}
