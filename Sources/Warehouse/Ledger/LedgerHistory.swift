import CSQLite
import Posix
import SQLite

/// The history in the ledger: `runs`, `loads` and `changes`.
struct LedgerHistory {
    let database: Database

    /// Adds a command. Two quick commands may have equal rows: the smallest change of the duration makes them different.
    func add(_ run: RunRecord) throws -> RunRecord {
        var run = run
        while try !run.insertIfNew(into: database) { run.seconds = run.seconds.nextUp }
        return run
    }

    /// Adds loads. Of two with the same times, the second one ends a second later.
    func add(_ loads: [LoadRecord], in folder: OutputFolder) throws {
        for var load in loads {
            while try !load.insertIfNew(into: database) { load.finishedAt += 1000 }
            try note(load, in: folder)
        }
    }

    /// Notes the warnings of a load, if its partition stands.
    func note(_ load: LoadRecord, in folder: OutputFolder) throws {
        guard load.stands else { return }
        // A partition that cannot be read has no version, so that its load's warnings are not shown.
        let version = try? Partition(accountsOf: load.logDate, folder: folder).summary.version
        try database.execute(
            """
            UPDATE loads SET warnings = ?, version = ? WHERE log_date = ? AND started_at = ? AND finished_at = ?
            """, .of(load.warnings, version) + load.key)
    }

    /// Adds the rows that push.db has and the ledger lacks, and what it tells of the last publishing. What has no valid form
    /// stays out.
    ///
    /// - Parameter isAll: also the list of deliveries, and the sums by day.
    func takeOver(from output: OutputDatabase, isAll: Bool) throws(WarehouseError) {
        guard FileStamp(path: output.path) != nil else { return }
        try reportingFacts(of: output.path) {
            try reading {
                try database.execute("ATTACH ? AS push", .of(output.path))
                // If it stays attached, it goes with the connection.
                defer { try? database.execute("DETACH push") }
                for table in OutputSchema.history { try copy(table) }
                try copyVersions()
                guard isAll else { return }
                try copySums()
                try copyDeliveries()
            }
        }
    }

    /// Runs `body` with what push.db has. What others have changed in it, or damaged, tells nothing.
    private func reading(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError
            where [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH].contains(error.primaryCode)
        {
        }
    }

    private func copy(_ table: Table) throws {
        try reading {
            let columns = table.columns.map(\.name).joined(separator: ", ")
            let conditions = table.columns.map(\.condition).joined(separator: " AND ")
            try database.execute(
                "INSERT OR IGNORE INTO main.\(table.name) (\(columns)) "
                    + "SELECT \(columns) FROM push.\(table.name) NOT INDEXED WHERE \(conditions)")
        }
    }

    /// The versions that push.db shows, and the warnings of these loads.
    private func copyVersions() throws {
        try reading {
            try database.execute(
                """
                INSERT OR IGNORE INTO main.published_versions
                SELECT item, version FROM push.publication WHERE item GLOB '[0-9]*-[0-9]*-[0-9]*'
                """)
        }
        try reading {
            try database.execute(
                """
                UPDATE main.loads SET (warnings, version) =
                  (SELECT p.warnings, version FROM push.publication JOIN push.partitions AS p ON p.log_date = item
                   WHERE item = loads.log_date)
                WHERE version IS NULL AND (log_date, started_at, finished_at) IN (
                  SELECT log_date, started_at, max(finished_at) FROM main.loads AS l
                  WHERE verdict IN ('complete', 'partial') AND started_at =
                    (SELECT max(started_at) FROM main.loads
                     WHERE log_date = l.log_date AND verdict IN ('complete', 'partial'))
                  GROUP BY log_date)
                """)
        }
    }

    private func copySums() throws {
        try reading {
            try database.execute(
                """
                INSERT OR IGNORE INTO main.published
                SELECT day, sum(events), sum(messages), sum(opened) FROM (
                  SELECT day, events, 0 AS messages, 0 AS opened FROM push.daily_actions NOT INDEXED
                  UNION ALL SELECT day, 0, messages, opened FROM push.daily_funnel NOT INDEXED)
                GROUP BY day
                """)
        }
    }

    /// What push.db tells of the delivery files, if the ledger has no list.
    private func copyDeliveries() throws {
        guard try !database.hasRow("SELECT 1 FROM main.listed") else { return }
        try reading {
            try database.execute(
                """
                INSERT OR IGNORE INTO main.listed
                SELECT delivery_id, label, campaign, variant, sent_at, sent_day, sent, delivered
                FROM push.deliveries JOIN push.delivery_results USING (delivery_id) WHERE in_file = 1;
                INSERT OR IGNORE INTO main.listed_platforms
                SELECT delivery_id, platform, sent, delivered FROM push.delivery_platforms
                WHERE sent IS NOT NULL OR delivered IS NOT NULL OR messages = 0
                """)
            try LedgerDeliveries.insertRows(database)
        }
    }
}
