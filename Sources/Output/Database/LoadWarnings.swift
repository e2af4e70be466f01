import Calendar
import Ledger
import Partitions
import SQLite

/// The warnings of a load. push.db keeps their codes in `partitions`, for as long as the load stands, and their sentences in
/// the load's row of `loads`.
package struct LoadWarnings: Equatable, Sendable {
    /// The code of the warning that files are missing that usually come.
    package static let missingFiles = "missing_usual_files"
    /// The same, where somebody has accepted the log date as it is.
    package static let acceptedFiles = "missing_usual_files_accepted"

    /// Each once, sorted.
    package var codes: [String] = []
    /// One for each warning, as printed. Empty if the history does not tell them.
    package var sentences: [String] = []

    package init() {}

    package init(codes: some Sequence<String>, sentences: [String]) {
        self.codes = Set(codes).sorted()
        self.sentences = sentences
    }

    package var isEmpty: Bool { codes.isEmpty }

    /// The value of `partitions.warnings`.
    package var column: String? { isEmpty ? nil : codes.joined(separator: ",") }

    /// The warnings of the loads that stand, by log date, without the log dates that have none. Values that no command writes
    /// are passed over.
    package static func all(in database: Database) throws -> [LogDate: LoadWarnings] {
        var all: [LogDate: LoadWarnings] = [:]
        // Of several loads of a log date the last one stands.
        try database.forEach(
            """
            SELECT p.log_date, p.warnings, l.verdict, l.detail
            FROM partitions p LEFT JOIN loads l ON l.log_date = p.log_date AND l.verdict IN ('complete', 'partial')
            WHERE p.warnings IS NOT NULL ORDER BY p.log_date, l.started_at, l.finished_at
            """
        ) { row in
            guard case .string(let text) = row.value(0), let date = LogDate(text),
                case .string(let codes) = row.value(1)
            else { return }
            all[date] = LoadWarnings(codes: codes, verdict: row.value(2), detail: row.value(3))
        }
        return all
    }

    /// The warnings of a load, and the version of the partition that it made.
    package typealias Recorded = (version: String, warnings: LoadWarnings)

    /// Those of all loads that the ledger has, the last one of each log date.
    fileprivate static func recorded(in ledger: Database) throws -> [LogDate: Recorded] {
        var all: [LogDate: Recorded] = [:]
        try ledger.forEach(
            """
            SELECT log_date, coalesce(warnings, ''), verdict, detail, version FROM loads
            WHERE version IS NOT NULL ORDER BY log_date, started_at, finished_at
            """
        ) { row in
            guard let date = LogDate(try row.read(0) as String) else { return }
            all[date] = (
                try row.read(4), LoadWarnings(codes: try row.read(1), verdict: row.value(2), detail: row.value(3))
            )
        }
        return all
    }

    /// - Parameters:
    ///   - codes: with commas.
    ///   - verdict: of the load. The first line of a partial one is about the load.
    ///   - detail: of its row of `loads`.
    private init(codes: String, verdict: DatabaseValue, detail: DatabaseValue) {
        self.codes = codes.split(separator: ",").map(String.init)
        guard !isEmpty, case .string(let detail) = detail else { return }
        let isPartial = verdict == .string(LoadRecord.Verdict.partial.rawValue)
        sentences = detail.split(separator: "\n").dropFirst(isPartial ? 1 : 0).map(String.init)
    }
}

extension OutputDatabase {
    /// The warnings of the loads that stand, by log date; none if there is no output DB.
    package func warnings() throws(WarehouseError) -> [LogDate: LoadWarnings] {
        try read { try LoadWarnings.all(in: $0) } ?? [:]
    }

    /// The warnings of the last loads by log date. push.db may not show these yet, so it is asked only where the ledger is lost; if
    /// it cannot be read either, none are known.
    package func recordedWarnings() -> [LogDate: LoadWarnings.Recorded] {
        if let recorded = Ledger.read(in: folder, { try LoadWarnings.recorded(in: $0) }) { return recorded }
        guard let versions = try? publishedVersions(), let warnings = try? warnings() else { return [:] }
        let dates = versions.map { (LogDate(dayNumber: Int($0)), $1) }
        return Dictionary(uniqueKeysWithValues: dates.map { ($0, ($1, warnings[$0] ?? LoadWarnings())) })
    }
}
