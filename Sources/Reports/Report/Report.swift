import Calendar
import Output
import Partitions
import SQLite

/// A report: one HTML page about a period, and the same in short. It depends on push.db and on the request alone.
package struct Report: Sendable {
    /// Nil if nothing is loaded and no days were asked for.
    package let period: ReportPeriod?
    package let comparedPeriod: ReportPeriod?
    /// Log dates of the period that are loaded.
    package let loadedLogDates: Int
    /// Messages first seen in the period.
    package let messages: Int
    package let html: String
    /// The same in short, for a mail: at most 26 lines of 72 columns.
    package let text: String

    /// Reads push.db in one transaction.
    /// - Parameter makeRequest: the days that are asked for, given the time zone of push.db.
    package init(of output: OutputDatabase, _ makeRequest: (ZoneRules) -> ReportRequest) throws {
        self = try output.report { try Report($0, makeRequest) }
    }

    private init(_ database: Database, _ makeRequest: (ZoneRules) -> ReportRequest) throws {
        let table = try DayTable(in: database)
        let request = makeRequest((try? ZoneDatabase.zone(table.timeZone)) ?? .utc)
        period = try request.period(lastLogDate: table.loaded.last)
        guard let period else {
            comparedPeriod = nil
            loadedLogDates = 0
            messages = 0
            html = ReportPage.emptyHTML
            text = ReportText.empty
            return
        }
        // Without a loaded log date there is nothing to compare with.
        let comparable = request.comparison.period(for: period).flatMap { compared in
            compared.days.contains(where: table.isLoaded) ? compared : nil
        }
        comparedPeriod = comparable
        let figures = try ReportFigures(of: period, comparedWith: comparable, table, in: database)
        loadedLogDates = period.days.filter(table.isLoaded).count
        messages = figures.now.sum()[.messages]
        let context = PageContext(figures, request, in: database)
        html = try ReportPage(context: context).html()
        text = ReportText(context: context).text
    }
}

extension OutputDatabase {
    /// Reads with `body` in one transaction, if push.db has the tables of this version of the program.
    /// - Throws: `ReportError`, also from `body`, or `WarehouseError`.
    func report<T>(_ body: (Database) throws -> T) throws -> T {
        let reading = try read { database in
            // `read` turns every other error into one of its own.
            do {
                guard try database.value("PRAGMA user_version") == OutputSchema.version else {
                    throw ReportError.earlierSchema(path: path)
                }
                return Result<T, ReportError>.success(try body(database))
            } catch let error as ReportError {
                return .failure(error)
            }
        }
        guard let reading else { throw ReportError.noOutput(path: path) }
        return try reading.get()
    }
}
