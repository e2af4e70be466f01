import Calendar
import Foundation
import Messages
import Output
import Partitions
import Posix
import SQLite

/// Checks push.db as a BI tool would meet it, and compares it with the partitions. Writes nothing.
package struct Doctor {
    private static let unreadable = "push.db cannot be read as it is, or is damaged"
    private static let otherTables = "the tables are not as they should be"

    private let output: OutputDatabase
    private let paths: ShownPaths

    /// - Parameter paths: how paths and commands are written in a sentence.
    package init(_ output: OutputDatabase, paths: ShownPaths) {
        self.output = output
        self.paths = paths
    }

    /// All checks, in order.
    /// - Parameter audit: compares push.db with the partitions. It is not called if push.db cannot be read.
    /// - Throws: `Fault` without one, or `Stopped`, or `OutputError`: `.busy`, `.replaced` if a command published
    ///   meanwhile, and errors of the system.
    package func checks(_ audit: () throws -> OutputAudit) throws -> [DoctorCheck] {
        guard output.exists else { throw Fault.withoutOutput(output.path) }
        let stamp = FileStamp(path: output.path)
        let made = try madeChecks(audit)
        guard FileStamp(path: output.path) == stamp else { throw OutputError(.replaced, at: output.path) }
        return DoctorCheck.Name.allCases.map { name in
            made.first { $0.name == name } ?? .skipped(name, because: Doctor.unreadable)
        }
    }

    /// Whether these faults must be noted, since the next command that may write would not look for them.
    package func mustNote(_ checks: [DoctorCheck]) -> Bool {
        // A push.db that was written since is compared anyway.
        checks.contains { check in
            check.status == .fault
                && [.structure, .figures].contains(check.name) && output.isAsLeft
        }
    }

    /// The checks that can be made. Later checks are left out if push.db cannot be opened.
    private func madeChecks(_ audit: () throws -> OutputAudit) throws -> [DoctorCheck] {
        do {
            // This is not one transaction. The caller notices a change by the file's stamp.
            let opened = try openingChecks()
            guard opened.allSatisfy({ $0.status == .ok }) else { return opened }
            let audit = try audit()
            return opened + (try output.read(mayUndo: false) { try content(of: $0, with: audit) } ?? [])
        } catch let error as OutputError {
            guard error.file == .push, let fault = Doctor.fault(of: error) else { throw error }
            return [DoctorCheck(.opens, faults: [fault])]
        }
    }

    /// The checks of push.db alone that take little time; empty if there is no push.db, or if an error is not a fault
    /// of the file.
    package func quickChecks() -> [DoctorCheck] {
        do {
            return output.exists ? try openingChecks() : []
        } catch {
            // Other commands report such an error.
            return (error as? OutputError).flatMap(Doctor.fault).map { [DoctorCheck(.opens, faults: [$0])] } ?? []
        }
    }

    private func openingChecks() throws -> [DoctorCheck] {
        let faults = FileCheck(path: output.path).faults
        guard faults.isEmpty else { return [DoctorCheck(.opens, faults: faults)] }
        return try output.read(mayUndo: false, opening) ?? [DoctorCheck(.opens, faults: [.init(text: "it is empty")])]
    }

    /// The fault of a push.db that cannot be read; nil if the file is not to blame.
    private static func fault(of error: OutputError) -> DoctorCheck.Fault? {
        if error.kind == .interrupted {
            return .init(
                text: "a command was killed while it was writing, and its transaction is not undone yet",
                advice: "the next 'run' or 'backfill' undoes it")
        }
        let advice: String? =
            switch error.kind {
            case .notSQLite: "it is left as it is; move it away, and the next 'run' or 'backfill' makes a new one"
            case .foreign: "give another output folder"
            default: nil
            }
        return error.damage.map { .init(text: $0.shown, advice: advice) }
    }

    /// Whether push.db can be read at all.
    private func opening(_ database: Database) throws -> [DoctorCheck] {
        let damage = try OutputDatabase.damage(database).map { [DoctorCheck.Fault(text: $0.shown)] } ?? []
        // A read-only connection must not make files beside it.
        let leftovers = FileCheck(path: output.path).leftovers
        return [DoctorCheck(.opens, faults: leftovers), DoctorCheck(.structure, faults: damage)]
    }

    private func content(of database: Database, with audit: OutputAudit) throws -> [DoctorCheck] {
        var checks = [try definitions(in: database, with: audit)] + comparisons(audit)
        guard audit.otherTables.isEmpty else {
            let others = DoctorCheck.Name.allCases.drop { $0 != .plans }
            return checks + others.map { .skipped($0, because: Doctor.otherTables) }
        }
        checks.append(try plans(database))
        for note in Doctor.notes {
            if output.isStopped() { throw Stopped() }
            checks.append(try note.check(database))
        }
        return checks
    }

    private func definitions(in database: Database, with audit: OutputAudit) throws -> DoctorCheck {
        let namesakes = try OutputDatabase.namesakes(in: database)
        var faults: [DoctorCheck.Fault] = namesakes.map {
            .init(
                text: "\($0.shown) of somebody else has the name of one of its tables",
                advice: "drop it; no command writes before")
        }
        faults += audit.otherTables.filter { table in !namesakes.contains { $0.lowercased() == "table \(table)" } }.map
        {
            .init(text: "table \($0.shown) is missing, or has other columns or another key")
        }
        faults += try additions(database).map {
            .init(text: "\($0.shown) of somebody else is on one of its tables", advice: DoctorCheck.setBack)
        }
        if try !OutputStatistics.areComplete(in: database) {
            faults.append(
                .init(
                    text: "sqlite_stat1 lacks the row counts by which queries choose the keys",
                    advice: DoctorCheck.setBack))
        }
        return DoctorCheck(.definitions, faults: faults)
    }

    /// The indexes and triggers that other programs have added to our tables, such as `trigger spy`.
    private func additions(_ database: Database) throws -> [String] {
        let ours = OutputSchema.tables.map { "'\($0.name)'" }.joined(separator: ", ")
        // An index that belongs to a key has no SQL.
        return try database.column(
            """
            SELECT type || ' ' || name FROM sqlite_schema
            WHERE type IN ('index', 'trigger') AND sql NOT NULL AND lower(tbl_name) IN (\(ours)) ORDER BY name
            """)
    }

    private func comparisons(_ audit: OutputAudit) -> [DoctorCheck] {
        let damaged = audit.damaged.filter { $0.loss == nil }.compactMap(\.file.logDate).sorted()
        let loading = Remedy().commands(for: Text.runs(of: damaged).map { $0.first...$0.last }).shown(paths)
        let advice = "load \(damaged.count == 1 ? "that log date" : "those log dates") again: \(loading)"
        var faults = audit.damaged.map { error in
            if let loss = error.loss {
                return DoctorCheck.Fault(
                    text: "\(paths(error.path)): \(loss.shown)",
                    advice: "put back what is missing, damaged or another one from a backup")
            }
            return DoctorCheck.Fault(
                text: "\(paths(error.path)): "
                    + (error.damage ?? "it belongs to another application").shown,
                advice: advice)
        }
        // Without our tables, it is not known what is published.
        if !audit.otherTables.isEmpty, faults.isEmpty {
            return [.partitions, .figures].map { .skipped($0, because: Doctor.otherTables) }
        }
        let reason =
            audit.otherTables.isEmpty ? "push.db does not show all partitions as they are" : Doctor.otherTables
        let rows = [
            audit.differences.map { tables in
                DoctorCheck(.figures, faults: tables.map { .init(text: "other rows in table \($0.shown)") })
            } ?? .skipped(.figures, because: reason)
        ]
        faults += audit.leftIDs.map {
            .init(
                text: "\(paths($0)) holds ids of a log date whose ids are to be erased",
                advice: "with 'retention' in the pipeline file, the next 'run' or 'backfill' erases them")
        }
        let unpublished = Doctor.unpublished(audit.unpublished)
        if faults.isEmpty, audit.isOnlyUnpublished, !unpublished.isEmpty {
            let text = "all partitions can be read; the next 'run' or 'backfill' publishes them as they are now"
            return [.note(.partitions, detail: text, lines: unpublished)] + rows
        }
        faults += unpublished.map { .init(text: $0) }
        let usual = "'run' or 'backfill' publishes what the partitions say"
        return [DoctorCheck(.partitions, faults: faults, usual: usual)] + rows
    }

    /// A line about log dates that push.db does not show as they are, and one about settings that have changed since.
    private static func unpublished(_ items: [String]) -> [String] {
        let dates = items.filter { LogDate($0) != nil }
        let more = dates.count > 3 ? " and \(dates.count - 3) more" : ""
        return
            (dates.isEmpty ? [] : ["not published as they are: \(dates.prefix(3).joined(separator: ", "))\(more)"])
            + (dates.count < items.count ? ["push.db was published with another pipeline file"] : [])
    }

    /// A usual question about some days or a delivery may not read all rows of the largest tables.
    private func plans(_ database: Database) throws -> DoctorCheck {
        let large = [OutputSchema.dailyActions.name, OutputSchema.dailyFunnel.name]
        let faults = try Question.all.filter(\.hasParameters).compactMap { question in
            let steps = try database.rows("EXPLAIN QUERY PLAN \(question.sql)") { try $0.read(3) as String }
            let scanned = large.first { table in
                steps.contains { $0 == "SCAN \(table)" || $0.hasPrefix("SCAN \(table) ") }
            }
            return scanned.map { DoctorCheck.Fault(text: "'\(question.title)' reads all of \($0)") }
        }
        return DoctorCheck(.plans, faults: faults)
    }
}

// MARK: What is told and is no fault

extension Doctor {
    /// A share that is reported as a note and is no fault.
    private struct Note: Sendable {
        let name: DoctorCheck.Name
        /// SQL for a part and the whole.
        let sql: String
        let noun: String
        var nouns: String?
        /// A description of the part.
        let text: String
        /// The sentence if the part is 0. Its argument describes the whole.
        var nothing: (@Sendable (_ whole: String) -> String)?

        func check(_ database: Database) throws -> DoctorCheck {
            let row = try database.prepare(sql)
            guard try row.next(), let part = Int(exactly: try row.read(0) as Double),
                let whole = Int(exactly: try row.read(1) as Double), 0 <= part, part <= whole
            else { return .skipped(name, because: "values are not of their declared type, or out of range") }
            let all = Text.plural(whole, of: noun, irregular: nouns)
            if part == 0, let nothing { return .note(name, detail: nothing(all)) }
            return .note(name, detail: "\(Text.number(part)) of \(all) (\(Text.percent(part, of: whole))) \(text)")
        }
    }

    private static let notes = [
        Note(
            name: .names, sql: "SELECT total(label IS NULL), total(1) FROM deliveries", noun: "delivery",
            nouns: "deliveries",
            text: "without a label; delivery files give them ('deliveries' in the pipeline file)"),
        Note(
            name: .platforms,
            sql: "SELECT total(messages * (platform = 'unknown')), total(messages) FROM daily_totals", noun: "message",
            text: "of an unknown platform"),
        Note(
            name: .pipelines,
            sql: """
                SELECT total(pipeline <> (SELECT value FROM about WHERE key = 'pipeline')), total(1) FROM partitions
                """, noun: "log date",
            text: "loaded with another pipeline file than the last; 'status' says which can be loaded again",
            nothing: { "\($0) loaded, all with the last pipeline file" }),
        Note(
            name: .loaded, sql: "SELECT total(log_date_status IS NULL), total(1) FROM days", noun: "day",
            text: "with events, of log dates that are not loaded; their figures are what came late or early",
            nothing: { "all \($0) with events are of loaded log dates" }),
        // A delivery counts if more than 5 % of its events are too early.
        Note(
            name: .sendTimes,
            sql: """
                SELECT total(early * 20 > events), total(1) FROM (
                  SELECT total(events) AS events, total(events * (day < sent_day)) AS early
                  FROM daily_actions JOIN delivery_results USING (delivery_id) WHERE sent_day NOT NULL
                  GROUP BY delivery_id)
                """, noun: "delivery", nouns: "deliveries",
            text: "with more than 5 % of the events on days before the sending; look at the zone of sent_at",
            nothing: { _ in "no delivery has many events before it was sent" }),
        Note(
            name: .delivered,
            sql: "SELECT total(messages > delivered), total(delivered NOT NULL) FROM delivery_results",
            noun: "delivery", nouns: "deliveries",
            text: "with more messages than were delivered; look at the columns of the delivery files",
            nothing: { _ in "no delivery has more messages than were delivered" }),
    ]
}
