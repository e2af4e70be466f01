import Calendar
import Ledger
import Partitions
import Posix
import SQLite

/// A row of `days`.
package struct PublishedDay: Equatable, Sendable {
    /// Days since 1970-01-01.
    package var day: Int32
    /// Events that count.
    package var events: Int
    /// Messages that were first seen on the day.
    package var messages: Int
    /// See "How it counts", "Final days".
    package var isFinal: Bool
}

extension OutputDatabase {
    /// The days of the output DB, sorted; empty if there is no output DB.
    package func days() throws(WarehouseError) -> [PublishedDay] {
        try read { database in
            try database.rows("SELECT day, events, messages, final FROM days ORDER BY day") { row in
                guard let day = CalendarText.day(of: try row.read(0)) else {
                    throw WarehouseError.corrupt(path: path, detail: "days holds an invalid day")
                }
                return PublishedDay(
                    day: day, events: try row.read(1), messages: try row.read(2), isFinal: try row.read(3) == 1)
            }
        } ?? []
    }

    /// When the last command with exit code 0 ended that loaded, published or held back something, in seconds since 1970.
    package func lastSuccess() throws(WarehouseError) -> Int? {
        try read { try $0.value("SELECT unixepoch(max(finished_at)) FROM runs WHERE exit_code = 0") } ?? nil
    }

    /// The input files of a log date.
    func files(of logDate: Int32) throws(WarehouseError) -> [LoadedFile] {
        let date = CalendarText.date(ofDay: logDate)
        return try read { try $0.rows(OutputSchema.files.selectionOfDate, .of(date), LoadedFile.init) }?
            .compactMap { $0 } ?? []
    }

    /// The version of the list of deliveries that is published; nil if none is.
    package func publishedDeliveries() throws(WarehouseError) -> String? { try published("deliveries") }

    /// The fingerprint of the pipeline file that was last published with; nil if nothing is published.
    package func publishedPipeline() throws(WarehouseError) -> String? { try published("pipeline") }

    /// The same by the ledger, or by push.db if it is not there: so a lock on push.db is not waited for.
    package var lastPipeline: String? {
        let known = Ledger.read(in: folder) { try Ledger.fact("pipeline", $0) } ?? nil
        return known ?? (try? publishedPipeline()) ?? nil
    }

    /// The settings that were last published with, without the deliveries.
    /// - Throws: `.corrupt` if push.db does not tell them.
    package func publishedSettings(_ programVersion: String) throws(WarehouseError) -> PublicationSettings {
        guard let version = try published("settings"),
            var settings = PublicationSettings(version: version, programVersion: programVersion)
        else { throw .corrupt(path: path, detail: "publication does not hold the settings") }
        settings.pipeline = try publishedPipeline() ?? ""
        let pipelines = try pipelines()
        settings.isReadByOtherRules = { pipelines[$0.logDate]?.hasSuffix("-\($0.zone)") ?? false }
        return settings
    }

    private func published(_ item: String) throws(WarehouseError) -> String? {
        try read { database in
            try database.value("SELECT version FROM publication WHERE item = ?", .of(item))
        } ?? nil
    }

    /// The fingerprint of the pipeline file that each published log date was loaded with.
    package func pipelines() throws(WarehouseError) -> [Int32: String] {
        try textsByDay("SELECT log_date, pipeline FROM partitions")
    }

    /// The versions of the published partitions, by log date.
    package func publishedVersions() throws(WarehouseError) -> [Int32: String] {
        try textsByDay(OutputSchema.publication.selection)
    }

    /// The texts of a selection of days and texts. Rows whose first value is no day are left out.
    private func textsByDay(_ sql: String) throws(WarehouseError) -> [Int32: String] {
        try read { database in
            var texts: [Int32: String] = [:]
            try database.forEach(sql) { row in
                if let day = CalendarText.day(of: try row.read(0)) { texts[day] = try row.read(1) }
            }
            return texts
        } ?? [:]
    }

    /// Whether publishing would change nothing: the output DB and the ledger are as the last command left them and show these
    /// partitions and settings, no rows of the history wait, and the partitions are unchanged since they were verified. True if
    /// there is neither an output DB nor a partition. False if a partition is damaged, because it may have been loaded again.
    /// Reads no events.
    ///
    /// - Parameter closing: as of `publish`.
    package func isCurrent(_ settings: PublicationSettings, closing: Closing? = nil) throws(WarehouseError) -> Bool {
        let old = try OldLogDates(in: folder, nil, PublishingResources())
        if let closing, try old.hasWork(closing) { return false }
        let (partitions, damaged) = try PartitionSet.open(folder, old.closed, old.settled)
        guard isAsLeft else { return damaged.isEmpty && partitions.count == 0 && FileStamp(path: path) == nil }
        guard damaged.isEmpty, let left = LeftFiles(in: folder), !left.isWriting,
            left.isLeft(Ledger(of: folder).path, left.ledger),
            let (known, entries) = Ledger.read(in: folder, { (try LedgerState($0), try Ledger.entries($0)) }),
            known.isCurrent(settings), entries.count == partitions.count
        else { return false }
        let withIDs = try partitions.withIDs(old.closed, windowDays: settings.windowDays, [:])
        return partitions.summaries.enumerated().allSatisfy { index, summary in
            guard let entry = entries[CalendarText.date(ofDay: summary.logDate)] else { return false }
            return entry.version == summary.version && entry.isSettled == partitions.isSettled(index)
        }
            && withIDs.summaries.indices.allSatisfy { index in
                let stamp = entries[CalendarText.date(ofDay: withIDs.summaries[index].logDate)]?.stamp
                return stamp != nil && stamp == FileStamp(path: withIDs.path(index))
            }
    }

    /// The log dates that are published, by the ledger or by push.db. Nil if neither can tell: each is damaged or missing, and
    /// something was published. That push.db cannot be read now is an error: a log date that was lost must not go unseen.
    package func publishedLogDates() throws(WarehouseError) -> Set<Int32>? {
        let ofLedger = Ledger.read(in: folder) {
            try $0.column("SELECT log_date FROM published_versions").compactMap(CalendarText.day)
        }
        let ofPush: [Int32]?
        do {
            ofPush = try isThere ? [Int32](publishedVersions().keys) : nil
        } catch {
            guard error.isDamage else { throw error }
            ofPush = nil
        }
        if ofLedger == nil, ofPush == nil, try hasPublished { return nil }
        return Set((ofLedger ?? []) + (ofPush ?? []))
    }

    /// A command that is killed early leaves an empty file.
    private var isThere: Bool { FileStamp(path: path).map { $0.bytes > 0 } ?? false }

    /// Whether there are traces of a publishing, whatever became of its files.
    private var hasPublished: Bool {
        get throws(WarehouseError) {
            let left = LeftFiles(in: folder)
            let ledger = FileStamp(path: Ledger(of: folder).path).map { $0.bytes > 0 } ?? false
            if isThere || ledger || left?.push != nil { return true }
            return try ClosedDates(in: folder) != nil
        }
    }
}

/// What the delivery files said when they could be read last.
package enum AcceptedDeliveries {
    /// The version of the list of deliveries; nil if no list was accepted yet.
    package static func version(in folder: OutputFolder) -> String? {
        Ledger.read(in: folder) { try LedgerDeliveries.version($0) } ?? nil
    }

    /// Whether the list is of this version, beyond doubt.
    package static func are(_ version: String, in folder: OutputFolder) -> Bool {
        Ledger.read(in: folder) { try LedgerDeliveries.version($0) == version && !LedgerDeliveries.isDoubtful($0) }
            ?? false
    }

    /// Whether the list names any.
    package static func areAny(in folder: OutputFolder) -> Bool {
        Ledger.read(in: folder) { try $0.hasRow("SELECT 1 FROM listed") } ?? false
    }

    /// Whether push.db shows any. From there a ledger that was lost gets its list. What cannot be read shows none: this is only
    /// about the words of a message.
    package static func areShown(in folder: OutputFolder) -> Bool {
        let isShown = try? OutputDatabase(folder, busyTimeout: 1).read {
            try $0.hasRow("SELECT 1 FROM deliveries WHERE in_file = 1")
        }
        return isShown == true
    }
}
