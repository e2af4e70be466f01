import Calendar
import Foundation
import Messages
import Partitions
import SQLite

/// The warnings of a load. push.db keeps their codes in `partitions` as long as the load's partition stays, and their
/// sentences in `loads`.
package struct LoadWarnings: Codable, Equatable, Sendable {
    /// The code of the warning that files are missing that usually come.
    package static let missingFiles = MessageCode.missingUsualFiles.name
    /// The code of the warning about hours without events in which the source usually has some.
    package static let silentHours = MessageCode.silentHours.name

    package var haveGaps: Bool { codes.contains(LoadWarnings.missingFiles) || codes.contains(LoadWarnings.silentHours) }

    /// Each once, sorted.
    package var codes: [String] = []
    /// The sentence of each warning, as printed. Empty if the history does not have them.
    package var sentences: [MessageText] = []
    /// For each warning about a gap, what is missing: `lacks web2/access.log`. Empty if the history does not tell.
    package var gaps: [MessageText] = []
    /// Whether somebody has accepted the log date as it is, with `--force`.
    package var isAccepted = false

    package init() {}

    package init(
        codes: some Sequence<String>, sentences: [MessageText], gaps: [MessageText] = [], isAccepted: Bool = false
    ) {
        self.codes = Set(codes).sorted()
        self.sentences = sentences
        self.gaps = gaps
        self.isAccepted = isAccepted
    }

    package var isEmpty: Bool { codes.isEmpty }

    /// The value of `partitions.warnings`.
    package var column: String? { isEmpty ? nil : codes.joined(separator: ",") }

    /// What `_warnings.sentences` holds, as JSON.
    struct Told: Codable {
        let sentences: [MessageText]
        let gaps: [MessageText]
    }

    /// The warnings of the published log dates. Log dates without warnings, or accepted as they are, are left out.
    package static func all(in database: Database) throws -> [LogDate: LoadWarnings] {
        let condition = "JOIN _log_dates USING (log_date, version) WHERE codes <> '' AND NOT accepted"
        return try recorded(in: database, condition: condition).mapValues(\.warnings)
    }

    /// The warnings of a load, and the version of the partition that it made.
    package typealias Recorded = (version: String, warnings: LoadWarnings)

    /// The warnings of the last load of each log date.
    fileprivate static func recorded(in database: Database, condition: String = "") throws -> [LogDate: Recorded] {
        let rows = try database.rows("SELECT log_date, version, codes, sentences, accepted FROM _warnings \(condition)")
        { row in
            let (codes, text): (String, String) = (try row.read(2), try row.read(3))
            // If somebody has edited the sentences, only the codes are used.
            let told = try? JSONDecoder().decode(Told.self, from: Data(text.utf8))
            let warnings = LoadWarnings(
                codes: codes.split(separator: ",").map(String.init), sentences: told?.sentences ?? [],
                gaps: told?.gaps ?? [], isAccepted: try row.read(4) == 1)
            return (try row.date(0), Recorded(try row.read(1), warnings))
        }
        return Dictionary(rows) { $1 }
    }
}

extension OutputDatabase {
    /// The warnings of the published log dates; empty if there is no push.db.
    package func warnings() throws -> [LogDate: LoadWarnings] {
        try read { try LoadWarnings.all(in: $0) } ?? [:]
    }

    /// The warnings of the last loads by log date; none if they cannot be read.
    package func recordedWarnings() -> [LogDate: LoadWarnings.Recorded] {
        // Without them, a repeated load gets a row of its own in the history, with its warnings.
        (try? read(since: OwnTables.schema) { try LoadWarnings.recorded(in: $0) }) ?? [:]
    }
}
