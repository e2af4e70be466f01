import GRDB

/// The rows of a command in the history: its own in `runs`, and one for each log date that it read in `loads`.
package struct CommandRecord: Codable, Equatable, Sendable {
    package var run: RunRecord
    package var loads: [LoadRecord]

    package init(run: RunRecord, loads: [LoadRecord]) {
        self.run = run
        self.loads = loads
    }

    func insert(into database: Database) throws {
        var record = self
        // Two quick commands may look the same but for the last bit of their duration.
        while try !record.run.insertIfNew(into: database) { record.run.seconds = record.run.seconds.nextUp }
        for index in record.loads.indices {
            while try !record.loads[index].insertIfNew(into: database) { record.loads[index].finishedAt += 1000 }
        }
    }

    /// Leaves out what is there already.
    func insertIfNew(into database: Database) throws {
        _ = try run.insertIfNew(into: database)
        for load in loads { _ = try load.insertIfNew(into: database) }
    }
}
