import SQLite

/// The history rows of a command: one in `runs`, and one in `loads` for each log date that it read.
package struct CommandRecord: Codable, Equatable, Sendable {
    package var run: RunRecord
    package var loads: [LoadRecord]

    package init(run: RunRecord, loads: [LoadRecord]) {
        self.run = run
        self.loads = loads
    }

    func insert(into database: Database) throws {
        var record = self
        // Two quick commands may have equal rows. The smallest change of the duration makes them different.
        while try !record.run.insertIfNew(into: database) { record.run.seconds = record.run.seconds.nextUp }
        for index in record.loads.indices {
            while try !record.loads[index].insertIfNew(into: database) { record.loads[index].finishedAt += 1000 }
        }
    }

    /// Adds only the rows that are missing.
    func insertIfNew(into database: Database) throws {
        _ = try run.insertIfNew(into: database)
        for load in loads { _ = try load.insertIfNew(into: database) }
    }
}
