import Calendar
import Output
import Partitions
import Pipelines

/// The states of all log dates, and the totals of the output DB.
struct WarehouseStatus: CommandResult {
    let output: String
    /// From the first log date that is loaded or has files to the last.
    let logDates: [StateSummary]
    let days: Int
    let events: Int
    /// The last final day.
    let finalThrough: String?
    /// Log dates with partitions that are not published yet.
    let unpublished: [String]
    /// The delivery files against what is published of them: unchanged, changed, or unusable; absent if the pipeline names no delivery files.
    let deliveries: String?
    /// The last closed log date; absent if there is none.
    let closedThrough: String?
    /// The log dates that hold ids: the first, how many these are, and the bytes of the ids' files.
    let idsSince: String?
    let idsLogDates: Int
    let idsBytes: Int
    /// The log dates that need something; absent if nobody asked.
    let needs: [NeedSummary]?
    let states: [LogDateState]
    /// Whether any log date is loaded, be it shown or not.
    let isLoaded: Bool
    let sentence: Sentence
    let isPainted = true

    init(
        _ folder: OutputFolder, _ known: KnownLogDates, _ deliveries: DeliveryReading, _ sentence: Sentence,
        needs: [LogDateNeed]? = nil
    ) throws {
        self.needs = needs.map { needs in needs.map { NeedSummary($0, sentence) } }
        output = sentence.paths.opening(folder.databasePath)
        self.sentence = sentence
        states = known.states
        isLoaded = try !folder.logDates().isEmpty
        logDates = states.map { StateSummary($0, sentence) }
        let database = OutputDatabase(folder)
        let published = try database.publishedVersions()
        unpublished = states.compactMap { state in
            guard let summary = state.summary, published[summary.logDate] != summary.version else { return nil }
            return state.date.description
        }
        closedThrough = known.closedThrough?.description
        let ids = try HeldIDs(in: folder)
        idsSince = ids.logDates.first.map(CalendarText.date)
        (idsLogDates, idsBytes) = (ids.logDates.count, ids.bytes)
        let accepted = AcceptedDeliveries.version(in: folder)
        self.deliveries =
            if !deliveries.faults.isEmpty {
                "unusable"
            } else if try deliveries.isChanged || database.publishedDeliveries() != accepted {
                "changed"
            } else {
                accepted == nil ? nil : "unchanged"
            }
        let days = try database.days()
        self.days = days.count
        var events = 0
        for day in days {
            let (sum, isTooLarge) = events.addingReportingOverflow(day.events)
            guard day.events >= 0, !isTooLarge else {
                throw WarehouseError.corrupt(path: database.path, detail: "a value of 'events' is not a count")
            }
            events = sum
        }
        self.events = events
        finalThrough = days.last(where: \.isFinal).map { LogDate(dayNumber: Int($0.day)).description }
    }

    private enum CodingKeys: CodingKey {
        case output, logDates, days, events, finalThrough, unpublished, deliveries, closedThrough, idsSince, idsLogDates
        case idsBytes, needs
    }
}
