import Calendar
import Messages
import Output
import Partitions
import Posix
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
        self = try output.reporting { try Report($0, makeRequest) }
    }

    private init(_ database: Database, _ makeRequest: (ZoneRules) -> ReportRequest) throws {
        let zone = try database.timeZone()
        let request = makeRequest(zone)
        let table = try DayTable(in: database, isOneLoad: request.isOneLoad)
        if let subject = request.subject {
            self = try Report(SubjectFigures(of: subject, request, table, in: database))
            return
        }
        guard let period = try request.period(of: table) else {
            self.init(html: ReportPage.empty(title: request.title), text: ReportText.empty(title: request.title))
            return
        }
        // Without a loaded log date there is nothing to compare with.
        let comparable = request.comparison.period(for: period).flatMap { compared in
            compared.days.contains(where: table.isLoaded) ? compared : nil
        }
        let figures = try ReportFigures(of: period, comparedWith: comparable, request, table, in: database)
        self.init(
            period: period, comparedPeriod: comparable, loadedLogDates: period.days.count(where: table.isLoaded),
            messages: figures.now.sum()[.messages], html: try ReportPage(figures: figures).html(),
            text: ReportText(figures: figures).text)
    }

    private init(_ figures: SubjectFigures) throws {
        let page = SubjectPage(figures: figures)
        self.init(
            period: figures.period, loadedLogDates: figures.period?.days.count(where: figures.table.isLoaded) ?? 0,
            messages: figures.sum[.messages], html: page.html, text: page.text)
    }

    private init(
        period: ReportPeriod? = nil, comparedPeriod: ReportPeriod? = nil, loadedLogDates: Int = 0, messages: Int = 0,
        html: String, text: String
    ) {
        (self.period, self.comparedPeriod, self.loadedLogDates) = (period, comparedPeriod, loadedLogDates)
        (self.messages, self.html, self.text) = (messages, html, text)
    }
}

extension Fault {
    /// There is no push.db to export or to check.
    static func withoutOutput(_ path: String) -> Fault {
        .at(path, code: "no_output", text: "no such file; 'pushetl run' makes it", exitStatus: .noInput)
    }
}

extension OutputDatabase {
    /// Reads with `body` in one transaction, for a report.
    /// - Throws: `Fault`, also from `body`, or `WarehouseError`.
    func reporting<T>(_ body: (Database) throws -> T) throws -> T {
        let path = path
        return try reading(
            without: .at(
                path, code: "no_output",
                text: "does not exist yet; load a log date with 'pushetl run', or give its folder with --output",
                exitStatus: .noInput),
            body)
    }

    /// Reads with `body` in one transaction, for an export.
    /// - Throws: `Fault`, also from `body`, or `WarehouseError`.
    func exporting<T>(_ body: (Database) throws -> T) throws -> T {
        let path = path
        return try reading(without: .withoutOutput(path), body)
    }

    /// - Parameter without: what is thrown if there is no push.db.
    private func reading<T>(without: Fault, _ body: (Database) throws -> T) throws -> T {
        let result = try read { database in
            // `read` takes an error that it does not know for damage.
            do {
                return Result<T, Fault>.success(try body(database))
            } catch let error as Fault {
                return .failure(error)
            }
        }
        guard let result else { throw without }
        return try result.get()
    }

    /// The time zone of push.db.
    package func timeZone() throws -> ZoneRules { try exporting { try $0.timeZone() } }
}

extension Database {
    /// The time zone of push.db. A zone that this machine does not know is taken for UTC: it only tells which day today is.
    fileprivate func timeZone() throws -> ZoneRules {
        try about("timezone").flatMap { try? ZoneDatabase.zone($0) } ?? .utc
    }

    /// A value of `about`; nil if it has no such key.
    func about(_ key: String) throws -> String? {
        try value("SELECT value FROM about WHERE key = ?", binding: .of(key))
    }
}

extension Report {
    /// Whether a page may be written to this path. A file that is there must be empty, a page of the program, or named as a
    /// page is.
    package static func mayReplace(_ path: String) throws(SystemError) -> Bool {
        guard let target = try WholeFile.target(of: path), !target.hasSuffix(".html"), !target.hasSuffix(".htm"),
            let stamp = FileStamp(path: target), stamp.bytes > 0
        else { return true }
        return ReportPage.isPage(try WholeFile.beginning(of: target, count: 4096))
    }
}
