import Foundation
import Posix
import SQLite

/// History rows that could not be written, because push.db does not exist or is locked. They cannot be computed again.
/// So they are stored in `partitions/.waiting.json` until the next publishing.
///
/// If that is not what a command has written, it is renamed, so that no later rows replace it and a person may look at it.
struct WaitingRecords {
    private let folder: OutputFolder
    private var records: [CommandRecord]

    private var path: String { WaitingRecords.path(in: folder) }

    private static func path(in folder: OutputFolder) -> String { folder.partitionsPath + "/.waiting.json" }

    /// Whether rows wait.
    static func exist(in folder: OutputFolder) -> Bool { access(path(in: folder), F_OK) == 0 }

    /// Reads the stored rows; empty if there are none. The caller must hold the output's lock.
    /// - Throws: `.setAside` if there is something else. It has another name then, and the next attempt finds nothing.
    init(in folder: OutputFolder) throws(WarehouseError) {
        self.folder = folder
        records = []
        do {
            records = try JSONDecoder().decode([CommandRecord].self, from: Data(try WholeFile.readFile(path)))
        } catch let error as SystemError where error.code == ENOENT {
            return
        } catch let error as SystemError where ![EISDIR, SystemError.notAFile].contains(error.code) {
            throw .system(path: path, call: error.call, errno: error.code)
        } catch {
            throw .setAside(path: path, as: try setAside())
        }
    }

    /// Renames what cannot be read. Returns the new path.
    private func setAside() throws(WarehouseError) -> String {
        var number = 1
        var status = stat()
        while lstat("\(path).\(number)", &status) == 0 { number += 1 }
        let (path, other) = (path, "\(path).\(number)")
        try reportingCalls { () throws(SystemError) in
            try WholeFile.rename(path, to: other)
            try Folder.sync(folder.partitionsPath)
        }
        return other
    }

    var isEmpty: Bool { records.isEmpty }

    /// Stores another command's rows durably.
    mutating func append(_ record: CommandRecord) throws(WarehouseError) {
        var record = record
        for index in record.loads.indices {
            while records.contains(where: { $0.loads.contains { $0.hasKey(of: record.loads[index]) } }) {
                record.loads[index].finishedAt += 1000
            }
        }
        records.append(record)
        let (bytes, path) = (try JSONEncoder().bytes(records, for: path), path)
        try reportingCalls { () throws(SystemError) in try WholeFile.store(bytes, at: path, durably: true) }
    }

    /// Adds only missing rows: a command may have been killed before `remove`.
    func insert(into database: Database) throws {
        for record in records { try record.insertIfNew(into: database) }
    }

    /// Forgets the stored rows. Only once the commit that has them is durable: if the removal is lost in a power failure, the
    /// rows are found to be there already.
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
