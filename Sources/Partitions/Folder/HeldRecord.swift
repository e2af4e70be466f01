import Calendar
import Foundation
import SQLite

/// A log date whose last load was held back: a row of `held`. It is stored with the load, in `partitions/.held/`.
package struct HeldRecord: Codable, Equatable, Sendable {
    package let logDate: LogDate
    /// Milliseconds since 1970.
    package let heldAt: Int64
    /// The code; `detail` has the sentence.
    package let reason: String
    package let detail: String
    /// The version of the partition that was installed then; nil if there was no readable one.
    private let installed: String?

    package init(logDate: LogDate, heldAt: Int64, reason: String, detail: String, installed: String?) {
        self.logDate = logDate
        self.heldAt = heldAt
        self.reason = reason
        self.detail = detail
        self.installed = installed
    }

    private enum CodingKeys: String, CodingKey {
        case logDate = "log_date"
        case heldAt = "held_at"
        case reason, detail, installed
    }

    /// The values of the row in `held`.
    package var texts: [String] {
        [logDate.description, CalendarText.dateTime(ofMilliseconds: heldAt), reason, detail]
    }

    /// The rows of `held` in push.db, in the form of `texts`.
    package static func rows(in database: Database) throws -> [[String]] {
        try database.rows("SELECT log_date, held_at, reason, detail FROM main.held ORDER BY log_date") { row in
            try (0..<4).map { try row.read($0) }
        }
    }

    /// The held-back loads that no later load has ended, in the order of log dates.
    /// - Parameters:
    ///   - versions: the versions of the readable partitions.
    ///   - closed: the record of closed log dates. A closed log date is never held back.
    package static func all(
        in folder: OutputFolder, versions: [LogDate: String], closed: ClosedDates?
    ) throws -> [HeldRecord] {
        struct Load: Decodable { let shown: HeldRecord }
        return try folder.heldDates().compactMap { date in
            // A held load that cannot be read is forgotten, and its log date is loaded again.
            guard closed?.holds(date) != true,
                let line = folder.heldLines("\(date)" + OwnName.held, atMost: 1).first,
                let held = (try? JSONDecoder().decode(Load.self, from: line))?.shown, held.logDate == date,
                versions[date].map({ $0 == held.installed }) ?? true
            else { return nil }
            return held
        }
    }
}

extension OutputFolder {
    /// The log dates with a held-back load, in their order.
    package func heldDates() throws -> [LogDate] {
        try heldNames().compactMap { OwnName.logDate(of: $0, endings: [OwnName.held]) }.sorted()
    }
}
