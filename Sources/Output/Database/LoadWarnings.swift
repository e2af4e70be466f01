import Calendar
import Foundation
import Messages
import Partitions
import SQLite

/// The warnings of a load. push.db keeps their codes in `partitions`, for as long as the load stands, and their sentences in
/// the load's row of `loads`.
package struct LoadWarnings: Codable, Equatable, Sendable {
    /// The code of the warning that files are missing that usually come.
    package static let missingFiles = MessageCode.missingUsualFiles.name
    /// The code of the warning that a source was silent in hours in which it never is.
    package static let silentHours = MessageCode.silentHours.name

    /// Whether files or hours are missing.
    package var haveGaps: Bool { codes.contains(LoadWarnings.missingFiles) || codes.contains(LoadWarnings.silentHours) }

    /// Each once, sorted.
    package var codes: [String] = []
    /// One for each warning, as printed. Empty if the history does not tell them.
    package var sentences: [MessageText] = []
    /// What files or hours are missing, one for each such warning: `lacks web2/access.log`. Empty if the history does not tell.
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

    /// The warnings of the loads that stand, by log date, without the log dates that have none or are accepted as they are.
    package static func all(in database: Database) throws -> [LogDate: LoadWarnings] {
        let condition = "JOIN _log_dates USING (log_date, version) WHERE codes <> '' AND NOT accepted"
        return try recorded(in: database, condition: condition).mapValues(\.warnings)
    }

    /// The warnings of a load, and the version of the partition that it made.
    package typealias Recorded = (version: String, warnings: LoadWarnings)

    /// Those of all loads that are known, the last one of each log date.
    fileprivate static func recorded(in database: Database, condition: String = "") throws -> [LogDate: Recorded] {
        let rows = try database.rows("SELECT log_date, version, codes, sentences, accepted FROM _warnings \(condition)")
        { row in
            let (codes, text): (String, String) = (try row.read(2), try row.read(3))
            // Sentences that somebody has edited are lost; their codes stay.
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
    /// The warnings of the loads that stand, by log date; none if there is no output DB.
    package func warnings() throws -> [LogDate: LoadWarnings] {
        try read { try LoadWarnings.all(in: $0) } ?? [:]
    }

    /// The warnings of the last loads by log date; none if they cannot be read.
    package func recordedWarnings() -> [LogDate: LoadWarnings.Recorded] {
        // Then the load has a row of its own again, with what it has told.
        (try? read(since: OwnTables.schema) { try LoadWarnings.recorded(in: $0) }) ?? [:]
    }
}
