import Calendar
import Counting
import Events
import Hashing
import Partitions
import SQLite

/// Writes the contribution of a log date: its rows in the tables by log date, and the notes in `OwnTables`.
struct LogDateWriting {
    private static let comparisons = OutputSchema.byLogDate.map { ($0, RowComparison($0)) }

    let database: Database
    /// In the order of the pipeline file.
    let sources: [String]

    /// Makes the temporary tables. Call it once for a connection, in the transaction that writes.
    func prepare() throws {
        try database.execute(
            """
            CREATE TABLE temp.touched_days (day TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
            CREATE TABLE temp.touched_deliveries (delivery_id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID
            """)
        for (_, comparison) in LogDateWriting.comparisons { try comparison.createTables(in: database) }
    }

    /// How the rows of a log date relate to the rows in push.db.
    enum Former: Equatable {
        /// push.db has no rows of the log date.
        case none
        /// push.db has rows of the same partition, but other log dates that share messages with it have changed.
        /// Usually this changes only the funnel of shared messages, and the counts of events stay the same.
        case ofSamePartition(hasSameCounts: Bool)
        case ofOtherPartition

        fileprivate var isOfSamePartition: Bool { if case .ofSamePartition = self { true } else { false } }
    }

    /// Replaces the rows of a log date, and notes the days and deliveries of changed rows.
    func write(_ contribution: Contribution, replacing former: Former) throws {
        let logDate = contribution.logDate.description
        let names = contribution.names
        let counting = [OutputSchema.dailyActions.name, OutputSchema.hourlyActions.name]
        for (table, comparison) in LogDateWriting.comparisons
        where former != .ofSamePartition(hasSameCounts: true) || !counting.contains(table.name) {
            let insertion = try database.prepare(comparison.insertion(isCompared: former != .none))
            try contribution.forEachRow(of: table, includingEmpty: former.isOfSamePartition) { row in
                try insertion.execute(row)
            }
            // Shared messages may reach combinations of stages that no message of the log date has by itself, so all
            // former rows must be looked for.
            let isSame = former.isOfSamePartition && table.name != OutputSchema.dailyPaths.name
            if former != .none { try comparison.replace(logDate, isSamePartition: isSame, in: database) }
        }
        let actions = contribution.rows.actions
        let days = Set(actions.map(\.day)).sorted().map(\.description)
        if former == .none {
            try insert(days, into: "temp.touched_days")
            try insert(Set(actions.map(\.delivery)).map { names.deliveries[Int($0)] }, into: "temp.touched_deliveries")
        }
        if former.isOfSamePartition { return }
        try database.execute("DELETE FROM main._days WHERE log_date = ?", binding: .of(logDate))
        for day in days { try database.execute("INSERT INTO main._days VALUES (?, ?)", binding: .of(logDate, day)) }
        try setReported(contribution)
        try setNames(contribution)
    }

    /// Removes all of a log date whose partition is gone.
    func remove(_ date: LogDate) throws {
        let names = EventNames(sources: [], actions: [], deliveries: [])
        try write(Contribution(of: date, names: names, rows: LogDateRows()), replacing: .ofOtherPartition)
        for table in ["_log_dates", OutputSchema.files.name, OutputSchema.outcomes.name] {
            try database.execute("DELETE FROM main.\(table) WHERE log_date = ?", binding: .of(date.description))
        }
    }

    /// Notes which partition of a log date is shown.
    /// - Parameters:
    ///   - counted: the hash of its counts; nil if they were not written.
    ///   - former: the former note; nil if there is none.
    func note(_ summary: PartitionSummary, shared: String?, counted: String?, former: OwnTables.ShownDate?) throws {
        let now = OwnTables.ShownDate(
            version: summary.version, settled: summary.settled, shared: shared,
            counted: counted ?? former?.counted ?? "")
        if former == now { return }
        try database.execute(
            "INSERT OR REPLACE INTO main._log_dates VALUES (?, ?, ?, ?, ?)",
            binding: .of(summary.logDate.description, now.version, now.settled, now.shared, now.counted))
    }

    /// Replaces the files and outcomes of a log date.
    func setAccounts(of partition: Partition) throws {
        let date = partition.summary.logDate
        let accounts = [
            (OutputSchema.files, try partition.files().map { $0.values(logDate: date) }),
            (OutputSchema.outcomes, try partition.outcomes().map { $0.values(logDate: date) }),
        ]
        for (table, rows) in accounts {
            try database.execute("DELETE FROM main.\(table.name) WHERE log_date = ?", binding: .of(date.description))
            for row in rows { try table.insert(row, into: database) }
        }
    }

    private func insert(_ texts: [String], into table: String) throws {
        for text in texts { try database.execute("INSERT OR IGNORE INTO \(table) VALUES (?)", binding: .of(text)) }
    }

    /// Replaces the names that a log date gives deliveries.
    private func setNames(_ contribution: Contribution) throws {
        let date = contribution.logDate.description
        try database.execute(
            "INSERT OR IGNORE INTO temp.touched_deliveries SELECT delivery_id FROM main._named WHERE log_date = ?",
            binding: .of(date))
        try database.execute("DELETE FROM main._named WHERE log_date = ?", binding: .of(date))
        let named = contribution.deliveryNames.standing(sources: sources)
        for (delivery, names) in named {
            try database.execute(
                "INSERT INTO main._named VALUES (?, ?, ?, ?, ?)",
                binding: .of(date, delivery, names[.label], names[.campaign], names[.variant]))
        }
        try insert(named.map(\.delivery), into: "temp.touched_deliveries")
    }

    /// Notes the platforms that report arrivals and failures in this log date. Events that do not count are included.
    private func setReported(_ contribution: Contribution) throws {
        let date = contribution.logDate.description
        try database.execute("DELETE FROM main._reported WHERE log_date = ?", binding: .of(date))
        for action in ["arrival", "failed"] {
            let events = contribution.rows.hours.filter { contribution.names.actions[Int($0.action)] == action }
            for platform in Set(events.map(\.platform)) {
                try database.execute(
                    "INSERT INTO main._reported VALUES (?, ?, ?)", binding: .of(action, platform.name, date))
            }
        }
    }
}

extension LogDateRows {
    /// A hash of the rows of daily_actions and hourly_actions.
    var hashOfCounts: String {
        var hash: UInt64 = 0
        for number in (actions.map(\.ofDay) + hours.map(\.ofHour)).joined() {
            hash = WordHash.mix(hash ^ UInt64(bitPattern: number))
        }
        return hash.hexDigits
    }
}

extension Contribution {
    /// Calls `body` with the values of each row of a table, in the order of its columns: in the form of push.db, with
    /// texts for numbers.
    fileprivate func forEachRow(
        of table: Table, includingEmpty: Bool, _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        let logDate = DatabaseValue.string(logDate.description)
        // Rows come by the million, and most have the day of the row before.
        var (lastDay, ofDay): (LogDate?, [DatabaseValue]) = (nil, [])
        func day(_ day: LogDate) -> [DatabaseValue] {
            if day != lastDay {
                let date = day.description
                ofDay = [.string(date), .string(date + " 00:00:00"), .int64(Int64(day.dayNumber) * 86_400), logDate]
                lastDay = day
            }
            return ofDay
        }
        let platforms = Platform.allCases.map { DatabaseValue.string($0.name) }
        let sources = names.sources.map(DatabaseValue.string)
        let deliveries = names.deliveries.map(DatabaseValue.string)
        let actions = names.actions.map(DatabaseValue.string)
        switch table.name {
        case OutputSchema.dailyActions.name:
            for row in includingEmpty ? rows.allActions : rows.actions {
                try body(
                    day(row.day) + [
                        sources[Int(row.source)], platforms[Int(row.platform.rawValue)], deliveries[Int(row.delivery)],
                        actions[Int(row.action)],
                    ] + row.counts.values)
            }
        case OutputSchema.hourlyActions.name:
            for row in includingEmpty ? rows.allHours : rows.hours {
                let hour = row.hour.ofDay
                let start = "\(row.hour.day) \(hour < 10 ? "0" : "")\(hour):00:00"
                try body(
                    day(row.hour.day) + [
                        .int64(Int64(hour)), .int64(row.hour.epoch), .string(start),
                        sources[Int(row.source)], platforms[Int(row.platform.rawValue)], actions[Int(row.action)],
                    ] + row.counts.values)
            }
        case OutputSchema.dailyFunnel.name:
            for row in includingEmpty ? rows.allFunnel : rows.funnel {
                try body(
                    day(row.day) + [platforms[Int(row.platform.rawValue)], deliveries[Int(row.delivery)]]
                        + FunnelColumn.allCases.map { column in
                            rows.unknown.contains(column) ? .null : .int64(Int64(row.counts[column]))
                        })
            }
        default:
            for row in rows.paths {
                try body(
                    day(row.day) + [platforms[Int(row.platform.rawValue)]]
                        + Stages.ofPath.map { .int64(row.stages.contains($0) ? 1 : 0) } + [.int64(Int64(row.messages))]
                )
            }
        }
    }
}

extension EventCounts {
    fileprivate var values: [DatabaseValue] { [.int64(Int64(events)), .int64(Int64(duplicates))] }
}
