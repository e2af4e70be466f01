import LogFiles
import Pipelines
import Warehouse

/// Which log dates are there, how they stand to their files, and what they come to.
struct WarehouseStatus: Encodable {
    struct Date: Encodable {
        let logDate: String
        let status: String
        let stale: Bool
        let shrunk: Bool
        let reasons: [StateSummary.Reason]
        /// Of the partition.
        let files: Int
        let records: Int
        let events: Int
        let rejected: Int
        /// Files that are there now.
        let inputFiles: Int
        /// Those of them that are too large to be read for their being compared.
        let uncomparedFiles: Int
    }

    let output: String
    /// From the first log date that is loaded or has files to the last.
    let logDates: [Date]
    let days: Int
    let events: Int
    let finalThrough: String?
    let unpublished: [String]
    let states: [LogDateState]

    init(_ folder: OutputFolder, _ known: KnownLogDates) throws {
        output = folder.databasePath
        states = known.states
        logDates = states.map { Date($0) }
        let database = OutputDatabase(folder)
        let published = try database.publishedVersions()
        unpublished = states.compactMap { state in
            guard let summary = state.summary, published[summary.logDate] != summary.version else { return nil }
            return state.date.description
        }
        let days = try database.days()
        self.days = days.count
        events = days.reduce(0) { $0 + $1.events }
        finalThrough = days.last(where: \.isFinal).map { LogDate(dayNumber: Int($0.day)).description }
    }

    private enum CodingKeys: CodingKey {
        case output, logDates, days, events, finalThrough, unpublished
    }
}

extension WarehouseStatus.Date {
    init(_ state: LogDateState) {
        logDate = state.date.description
        status = state.standing.rawValue
        stale = state.isStale
        shrunk = state.isShrunk
        reasons = state.reasons.map { StateSummary.Reason($0) }
        files = state.summary?.files ?? 0
        records = state.summary?.records ?? 0
        events = state.summary?.events ?? 0
        rejected = state.summary?.rejected ?? 0
        inputFiles = state.files
        uncomparedFiles = state.uncomparedFiles
    }
}
