import Calendar
import Partitions
import SQLite

/// A row of `days`.
package struct PublishedDay: Equatable, Sendable {
    package var day: LogDate
    /// The number of events, without duplicates.
    package var events: Int
    /// Messages that were first seen on the day.
    package var messages: Int
    /// See "How it counts", "Final days".
    package var isFinal: Bool
}

extension OutputDatabase {
    /// The days of the output DB, sorted; empty if there is no output DB.
    package func days() throws -> [PublishedDay] {
        try read { database in
            try database.rows("SELECT day, events, messages, final FROM days ORDER BY day") { row in
                guard let day = LogDate(ofDay: try row.read(0)) else {
                    throw OutputError(.corrupt("days holds an invalid day"), at: path)
                }
                return PublishedDay(
                    day: day, events: try row.read(1), messages: try row.read(2), isFinal: try row.read(3) == 1)
            }
        } ?? []
    }

    /// When the last successful command ended, in seconds since 1970. Only commands that loaded, published or held back
    /// something have a row in `runs`.
    package func lastSuccess() throws -> Int? {
        try read { try $0.value("SELECT unixepoch(max(finished_at)) FROM runs WHERE exit_code = 0") } ?? nil
    }

    /// The files from which an unreadable partition was made, as far as they are known.
    package func files(ofDamaged date: LogDate, known: KnownPartitions) -> [FormerFile] {
        // If push.db cannot tell either, the files stay unknown.
        known.files(ofDamaged: date) ?? ((try? files(of: date)) ?? []).map { FormerFile($0) }
    }

    private func files(of date: LogDate) throws -> [LoadedFile] {
        try read {
            try $0.rows(OutputSchema.files.selectionOfDate, binding: .of(date.description), as: LoadedFile.init)
        }?
        .compactMap { $0 } ?? []
    }

    /// The fingerprint of the pipeline file that was last published with; nil if nothing is published.
    package func publishedPipeline() throws -> String? { try fact("pipeline") }

    /// Whether push.db was last published with the pipeline file of these settings, and by the same rules of its time zone.
    package func isPublished(with settings: PublicationSettings) throws -> Bool {
        try publishedPipeline() == settings.pipeline && fact("settings") == settings.version
    }

    /// The version of the list of deliveries: the content of the delivery files at the last publishing that could read
    /// all of them. Nil if no list was accepted yet, or push.db cannot be read.
    package var acceptedDeliveries: String? {
        // A nil makes the command read the files again, which is always right.
        try? fact(DeliveryWriting.versionKey)
    }

    /// Whether that list names any.
    package var hasAcceptedDeliveries: Bool {
        // The result only chooses between two sentences, so an error does not matter.
        (try? read { try $0.hasRow("SELECT 1 FROM _listed") }) == true
    }

    private func fact(_ key: String) throws -> String? {
        try read(since: OwnTables.schema) { try OwnTables.fact(key, in: $0) } ?? nil
    }

    /// The settings that were last published with, without the deliveries.
    /// - Throws: `.corrupt` if push.db does not have them in a known form.
    package func publishedSettings(_ programVersion: String) throws -> PublicationSettings {
        guard let version = try fact("settings"),
            var settings = PublicationSettings(
                version: version, required: try fact("required") ?? "", programVersion: programVersion)
        else { throw OutputError(.corrupt("it does not hold the settings"), at: path) }
        settings.pipeline = try publishedPipeline() ?? ""
        let pipelines = try pipelines()
        settings.isReadByOtherRules = { pipelines[$0.logDate]?.hasSuffix("-\($0.zone)") ?? false }
        return settings
    }

    /// The fingerprint of the pipeline file that each published log date was loaded with.
    package func pipelines() throws -> [LogDate: String] {
        try textsByDate("SELECT log_date, pipeline FROM partitions", since: DatabaseFile.firstSchema)
    }

    /// The versions of the published partitions, by log date.
    package func publishedVersions() throws -> [LogDate: String] {
        try textsByDate("SELECT log_date, version FROM _log_dates", since: OwnTables.schema)
    }

    /// The texts of a selection of dates and texts. Rows whose first value is no date are left out.
    private func textsByDate(_ sql: String, since schema: Int) throws -> [LogDate: String] {
        try read(since: schema) { database in
            var texts: [LogDate: String] = [:]
            try database.forEach(sql) { row in
                if let date = LogDate(try row.read(0) as String) { texts[date] = try row.read(1) }
            }
            return texts
        } ?? [:]
    }

    /// The published log dates. Nil if push.db cannot tell: it is damaged or missing although something was published.
    package func publishedLogDates() throws -> Set<LogDate>? {
        do {
            if isThere { return Set(try publishedVersions().keys) }
        } catch let error as OutputError where error.isDamage {
            return nil
        }
        if LeftFile(in: folder)?.push != nil { return nil }
        return try ClosedDates(in: folder) == nil ? [] : nil
    }
}

extension OutputDatabase {
    /// The name and version of the library.
    package static var library: String { Database.library }

    /// The last loads, the latest first, as far as push.db can be read without writing to it.
    package func lastLoads(atMost count: Int) throws -> [PastLoad] {
        let sql = """
            SELECT log_date, verdict, files, records, accepted, filtered, rejected FROM loads
            ORDER BY started_at DESC, log_date DESC LIMIT ?
            """
        return try read(mayUndo: false) { database in
            try database.rows(sql, binding: .of(count)) { row in
                PastLoad(
                    date: try row.date(0), verdict: try row.read(1), files: try row.read(2), records: try row.read(3),
                    accepted: try row.read(4), filtered: try row.read(5), rejected: try row.read(6))
            }
        } ?? []
    }

    /// The codes of the warnings of published log dates, as far as push.db can be read without writing to it.
    package func warningCodes() throws -> [LogDate: [String]] {
        let sql = "SELECT log_date, warnings FROM partitions WHERE warnings NOT NULL"
        let rows = try read(mayUndo: false) { database in
            try database.rows(sql) { row in
                (try row.date(0), (try row.read(1) as String).split(separator: ",").map(String.init))
            }
        }
        return Dictionary(rows ?? []) { $1 }
    }
}
