import Foundation
import Output
import Partitions
import Posix
import SQLite

/// Checks push.db as a BI tool would meet it, and compares it with the partitions. Writes nothing.
package struct Doctor {
    private let output: OutputDatabase

    package init(_ output: OutputDatabase) {
        self.output = output
    }

    /// All checks, in order.
    /// - Parameter audit: compares push.db with the partitions. It is not called if push.db cannot be read.
    /// - Throws: `ExportError.noOutput`, or `WarehouseError`: `.busy`, `.stopped`, `.replaced` if a command published
    ///   meanwhile, and errors of the system.
    package func checks(_ audit: () throws -> OutputAudit) throws -> [DoctorCheck] {
        guard output.exists else { throw ExportError.noOutput(path: output.path) }
        let stamp = FileStamp(path: output.path)
        let checks = try allChecks(audit)
        guard FileStamp(path: output.path) == stamp else { throw WarehouseError.replaced(path: output.path) }
        return checks
    }

    /// Whether the next command that may write would not look for these faults.
    package func mustNote(_ checks: [DoctorCheck]) -> Bool {
        let ofRows: Set<DoctorCheck.Name> = [
            .structure, .types, .days, .agreement, .help, .calendar, .figures, .ledger,
        ]
        // A push.db that was written since is compared anyway.
        return checks.contains { $0.hasFaults && ofRows.contains($0.name) && ($0.name == .ledger || output.isAsLeft) }
    }

    private func allChecks(_ audit: () throws -> OutputAudit) throws -> [DoctorCheck] {
        let faults = FileCheck(path: output.path).faults
        guard faults.isEmpty else { return Doctor.skippingOthers([DoctorCheck(.opens, faults)]) }
        do {
            // Not all in one transaction: the caller compares the file's stamp before and after.
            let opened =
                try output.read(opening)
                ?? [DoctorCheck(.opens, [.unreadable(detail: "it is empty")])]
            guard !opened.contains(where: \.hasFaults) else { return Doctor.skippingOthers(opened) }
            let audit = try audit()
            let rest = try output.read { try content($0, audit) } ?? []
            return Doctor.skippingOthers(opened + rest)
        } catch let error as WarehouseError {
            guard let fault = DoctorFault(error, at: output.path) else { throw error }
            return Doctor.skippingOthers([DoctorCheck(.opens, [fault])])
        }
    }

    /// All checks in order. Those that were not made are skipped.
    private static func skippingOthers(_ made: [DoctorCheck]) -> [DoctorCheck] {
        DoctorCheck.Name.allCases.map { name in
            made.first { $0.name == name } ?? DoctorCheck(name, outcome: .skipped(.unreadable))
        }
    }

    /// Whether push.db can be read at all.
    private func opening(_ database: Database) throws -> [DoctorCheck] {
        let schema = try database.value("PRAGMA user_version") ?? 0
        if schema < OutputSchema.version { return [DoctorCheck(.opens, [.earlierSchema(schema)])] }
        // A read-only connection must not make files beside it.
        return [DoctorCheck(.opens, FileCheck(path: output.path).leftovers), try structure(database)]
    }

    private func content(_ database: Database, _ audit: OutputAudit) throws -> [DoctorCheck] {
        let checks: [(DoctorCheck.Name, (Database) throws -> DoctorCheck)] =
            [
                (.types, { DoctorCheck(.types, try rowFaults(RowRule.types, $0)) }),
                (.days, { DoctorCheck(.days, try rowFaults(RowRule.contradictions, $0)) }),
                (.agreement, { DoctorCheck(.agreement, try sumFaults($0) + AboutCheck.faults(in: $0)) }),
                (.help, { DoctorCheck(.help, try HelpCheck.faults(in: $0)) }),
                (.calendar, { DoctorCheck(.calendar, try gaps($0)) }),
                (.plans, plans),
            ] + Doctor.shares.map { name, sql in (name, { try share(name, sql, $0) }) }
        let made = try checks.map { name, check in
            try stopIfAsked()
            guard audit.otherTables.isEmpty else { return DoctorCheck(name, outcome: .skipped(.definitions)) }
            return try check(database)
        }
        return [DoctorCheck(.definitions, try definitions(database, audit))] + comparisons(audit) + made
    }

    private func stopIfAsked() throws(WarehouseError) {
        if output.isStopped() { throw .stopped }
    }

    private func structure(_ database: Database) throws -> DoctorCheck {
        DoctorCheck(.structure, try OutputDatabase.damage(database).map { [.damage($0)] } ?? [])
    }

    private func definitions(_ database: Database, _ audit: OutputAudit) throws -> [DoctorFault] {
        var faults: [DoctorFault] = audit.obstacles.map { .obstacle($0) }
        faults += audit.otherTables.map { .otherDefinition(table: $0) } + audit.triggers.map { .trigger($0.name) }
        if try !OutputStatistics.areComplete(in: database) { faults.append(.statistics) }
        return faults
    }

    private func rowFaults(_ rules: (Partitions.Table) -> [RowRule], _ database: Database) throws -> [DoctorFault] {
        try OutputSchema.tables.flatMap { table in
            try stopIfAsked()
            return try RowRule.faults(rules(table), of: table, in: database)
        }
    }

    private func sumFaults(_ database: Database) throws -> [DoctorFault] {
        try SumComparison.all.compactMap { comparison in
            try stopIfAsked()
            return try comparison.fault(in: database)
        }
    }

    private func gaps(_ database: Database) throws -> [DoctorFault] {
        let missing: [String] = try database.column(
            """
            WITH RECURSIVE range (day, last) AS (
              SELECT min(log_date), max(log_date) FROM partitions
              UNION ALL SELECT date(day, '+1 day'), last FROM range WHERE day < last)
            SELECT day FROM range WHERE day IS NOT NULL AND day NOT IN (SELECT day FROM calendar)
            UNION SELECT day FROM days WHERE day NOT IN (SELECT day FROM calendar) ORDER BY 1
            """)
        return missing.first.map { [.gap(days: missing.count, first: $0)] } ?? []
    }

    private func comparisons(_ audit: OutputAudit) -> [DoctorCheck] {
        var partitions: [DoctorFault] = audit.damaged.map { error in
            if case .retention(let fault) = error { return .unusable(fault) }
            return .damagedPartition(
                path: error.path ?? "", detail: error.damage ?? "it belongs to another application")
        }
        let skip: DoctorCheck.Skip = audit.otherTables.isEmpty ? .unpublished : .definitions
        func compared(_ name: DoctorCheck.Name, _ tables: [String]?) -> DoctorCheck {
            tables.map { DoctorCheck(name, $0.map { .otherRows(table: $0) }) }
                ?? DoctorCheck(name, outcome: .skipped(skip))
        }
        // Without our tables, nobody knows what is published.
        if skip == .definitions, partitions.isEmpty {
            return [.partitions, .ledger, .figures].map { DoctorCheck($0, outcome: .skipped(skip)) }
        }
        let ledger =
            audit.ledgerDamage.map { DoctorCheck(.ledger, [.damage($0)]) } ?? compared(.ledger, audit.ledgerDifferences)
        let rows = [ledger, compared(.figures, audit.differences)]
        partitions += audit.leftIDs.map { .idsLeft(path: $0) }
        let unpublished: [DoctorFault] = audit.unpublished.isEmpty ? [] : [.unpublished(audit.unpublished)]
        if partitions.isEmpty, audit.isOnlyUnpublished, !unpublished.isEmpty {
            return [DoctorCheck(.partitions, outcome: .told(unpublished))] + rows
        }
        return [DoctorCheck(.partitions, partitions + unpublished)] + rows
    }

    /// A usual question about some days or a delivery may not read all rows of the largest tables.
    private func plans(_ database: Database) throws -> DoctorCheck {
        let large = [OutputSchema.dailyActions.name, OutputSchema.dailyFunnel.name]
        let faults: [DoctorFault] = try Question.all.filter { !$0.parameters.isEmpty }.compactMap { question in
            let steps = try database.rows("EXPLAIN QUERY PLAN \(question.sql(\.usual))") { try $0.read(3) as String }
            let scanned = large.first { table in
                steps.contains { $0 == "SCAN \(table)" || $0.hasPrefix("SCAN \(table) ") }
            }
            return scanned.map { .scan(question: question.title, table: $0) }
        }
        return DoctorCheck(.plans, faults)
    }

    /// What is told and is no fault: a part, and the whole.
    private static let shares: [(DoctorCheck.Name, String)] = [
        (.names, "SELECT total(label IS NULL), count(*) FROM deliveries"),
        (.platforms, "SELECT total(messages * (platform = 'unknown')), total(messages) FROM daily_totals"),
        (
            .pipelines,
            """
            SELECT total(pipeline <> (SELECT value FROM about WHERE key = 'pipeline')), count(*) FROM partitions
            """
        ),
        (.loaded, "SELECT total(log_date_status IS NULL), count(*) FROM days"),
        // Many are more than 5 %.
        (
            .sendTimes,
            """
            SELECT total(early * 20 > events), count(*) FROM (
              SELECT total(events) AS events, total(events * (day < sent_day)) AS early
              FROM daily_actions JOIN delivery_results USING (delivery_id) WHERE sent_day NOT NULL GROUP BY delivery_id)
            """
        ),
        (.delivered, "SELECT total(messages > delivered), count(delivered) FROM delivery_results"),
    ]

    private func share(_ name: DoctorCheck.Name, _ sql: String, _ database: Database) throws -> DoctorCheck {
        let row = try database.prepare(sql)
        guard try row.next() else { return DoctorCheck(name, []) }
        let (part, whole): (Double, Double) = (try row.read(0), try row.read(1))
        guard let part = Int(exactly: part), let whole = Int(exactly: whole), 0 <= part, part <= whole else {
            return DoctorCheck(name, outcome: .skipped(.values))
        }
        return DoctorCheck(name, outcome: .share(part: part, whole: whole))
    }
}

extension DoctorFault {
    /// The fault of a push.db that cannot be read; nil if the file is not to blame, or is another one.
    fileprivate init?(_ error: WarehouseError, at path: String) {
        guard error.path == path else { return nil }
        switch error {
        case .foreign: self = .foreign
        case .newerSchema(_, let schema, _): self = .newerSchema(schema)
        case .interrupted: self = .interrupted
        default:
            guard let detail = error.damage else { return nil }
            self = .unreadable(detail: detail)
        }
    }
}
