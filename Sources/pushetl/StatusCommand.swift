import ArgumentParser
import Foundation
import LogFiles
import Pipelines
import Warehouse

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show which log dates are loaded, and which days are final.",
        discussion: """
            A calendar from the first loaded log date to the last: C complete, P partial, D damaged partition, \
            . missing. A day is final when no later log date can change its figures any more.

              pushetl status
            """)

    @OptionGroup var options: PipelineOptions

    func run() throws {
        let pipeline = try options.readPipeline()
        let folder = OutputFolder(options.outputFolder ?? pipeline.output)
        do {
            let status = try WarehouseStatus(folder)
            if options.json {
                try Console.result(status)
            } else if !options.quiet {
                Console.result(status.text)
            }
        } catch {
            throw Console.failure(error)
        }
    }
}

/// Which log dates are there, and what they come to.
struct WarehouseStatus: Encodable {
    enum State: String, Encodable {
        case complete
        case partial
        case damaged
        case missing
    }

    struct Date: Encodable {
        let logDate: String
        let status: State
        let files: Int
        let records: Int
        let events: Int
        let rejected: Int
    }

    let output: String
    /// From the first loaded log date to the last.
    let logDates: [Date]
    let days: Int
    let events: Int
    let finalThrough: String?
    let unpublished: [String]

    init(_ folder: OutputFolder) throws {
        output = folder.databasePath
        let database = OutputDatabase(folder)
        let published = try database.publishedVersions()
        let loaded = try folder.logDates()
        var dates: [Date] = []
        var unpublished: [String] = []
        let first = loaded.first ?? 0
        for day in first..<(loaded.last.map { $0 + 1 } ?? first) {
            let summary = loaded.contains(day) ? try WarehouseStatus.summary(day, folder) : nil
            let state: State = loaded.contains(day) ? .damaged : .missing
            dates.append(Date(day, summary, otherwise: state))
            if let summary, published[day] != summary.version {
                unpublished.append(LogDate(dayNumber: Int(day)).description)
            }
        }
        logDates = dates
        self.unpublished = unpublished
        let days = try database.days()
        self.days = days.count
        events = days.reduce(0) { $0 + $1.events }
        finalThrough = days.last(where: \.isFinal).map { LogDate(dayNumber: Int($0.day)).description }
    }

    /// Nil if the partition is damaged.
    private static func summary(_ day: Int32, _ folder: OutputFolder) throws -> PartitionSummary? {
        let opened = Result { try Partition(logDate: day, folder: folder) }
        if case .failure(let error as WarehouseError) = opened, error.isDamage { return nil }
        return try opened.get().summary
    }
}

extension WarehouseStatus.Date {
    init(_ day: Int32, _ summary: PartitionSummary?, otherwise state: WarehouseStatus.State) {
        logDate = LogDate(dayNumber: Int(day)).description
        switch summary?.status {
        case .complete: status = .complete
        case .partial: status = .partial
        case nil: status = state
        }
        files = summary?.files ?? 0
        records = summary?.records ?? 0
        events = summary?.events ?? 0
        rejected = summary?.rejected ?? 0
    }
}

extension WarehouseStatus {
    /// A line a month, a letter a day.
    var text: String {
        guard let first = logDates.first, let last = logDates.last else { return "\(output): nothing is loaded yet" }
        var lines = ["\(output)", "", "           1        10        20        30"]
        var month = ""
        for date in logDates {
            let thisMonth = String(date.logDate.prefix(7))
            if thisMonth != month {
                month = thisMonth
                let before = (Int(date.logDate.suffix(2)) ?? 1) - 1
                lines.append("  \(month)  " + String(repeating: " ", count: before))
            }
            lines[lines.count - 1].append(date.status.letter)
        }
        lines += ["", "  C complete  P partial  D damaged  . missing", ""]
        lines.append("  log dates   \(first.logDate) to \(last.logDate)")
        for state in [State.complete, .partial, .damaged, .missing] {
            let dates = logDates.filter { $0.status == state }.map(\.logDate)
            guard !dates.isEmpty else { continue }
            let list = state == .complete ? "" : "  " + WarehouseStatus.listing(dates)
            lines.append("  " + Text.column(state.rawValue, 12) + Text.number(dates.count) + list)
        }
        lines.append("  days        \(Text.number(days)), \(Text.plural(events, "event"))")
        lines.append("  final       " + (finalThrough.map { "through \($0)" } ?? "no day yet"))
        if !unpublished.isEmpty {
            lines.append("  unpublished " + WarehouseStatus.listing(unpublished) + " (the next run publishes them)")
        }
        return lines.joined(separator: "\n")
    }

    private static func listing(_ dates: [String]) -> String {
        dates.count <= 10 ? dates.joined(separator: ", ") : dates.prefix(10).joined(separator: ", ") + ", …"
    }
}

extension WarehouseStatus.State {
    var letter: Character {
        switch self {
        case .complete: "C"
        case .partial: "P"
        case .damaged: "D"
        case .missing: "."
        }
    }
}
