import Calendar
import Messages
import Output
import Partitions
import Posix
import SQLite

/// A report: one HTML page about a period, and a short text. It depends only on push.db and the request.
package struct Report: Sendable {
    /// Nil if nothing is loaded and no days were asked for.
    package let period: ReportPeriod?
    package let comparedPeriod: ReportPeriod?
    /// The number of loaded log dates in the period.
    package let loadedLogDates: Int
    /// Messages first seen in the period.
    package let messages: Int
    package let html: String
    /// The same in short, for a mail: at most 26 lines of 72 columns.
    package let text: String

    /// Reads push.db in one transaction.
    /// - Parameter makeRequest: the days that are asked for, given the time zone of push.db.
    package init(of output: OutputDatabase, request makeRequest: (ZoneRules) -> ReportRequest) throws {
        self = try output.reading(else: Fault.withoutReport) { database in
            let request = makeRequest(try database.timeZone())
            let table = try DayTable(in: database, isOneLoad: request.isOneLoad)
            if let subject = request.subject {
                return try Report(of: SubjectFigures(of: subject, as: request, with: table, in: database))
            }
            guard let period = try request.period(of: table) else {
                return Report(
                    html: ReportPage.empty(title: request.title), text: ReportText.empty(title: request.title))
            }
            // If no log date of the compared period is loaded, nothing is compared.
            let comparable = request.comparison.period(for: period).flatMap { compared in
                compared.days.contains(where: table.isLoaded) ? compared : nil
            }
            return try Report(
                of: ReportFigures(of: period, comparedWith: comparable, as: request, with: table, in: database))
        }
    }

    private init(of figures: ReportFigures) throws {
        period = figures.period
        comparedPeriod = figures.before?.period
        loadedLogDates = figures.period.days.count(where: figures.table.isLoaded)
        messages = figures.all.sum()[.messages]
        let findings = Findings(of: figures)
        html = try ReportPage(figures: figures, findings: findings).html()
        text = ReportText(figures: figures, findings: findings).text
    }

    private init(of figures: SubjectFigures) throws {
        let page = SubjectPage(figures: figures)
        period = figures.period
        comparedPeriod = nil
        loadedLogDates = figures.period?.days.count(where: figures.table.isLoaded) ?? 0
        messages = figures.sum[.messages]
        html = page.html
        text = page.text
    }

    /// The report of a push.db without log dates.
    private init(html: String, text: String) {
        period = nil
        comparedPeriod = nil
        loadedLogDates = 0
        messages = 0
        self.html = html
        self.text = text
    }
}

extension Fault {
    /// The error that there is no push.db to export or to check.
    static func withoutOutput(_ path: String) -> Fault {
        .at(path, code: .noOutput, text: "no such file; \(command: "run") makes it", exitStatus: .noInput)
    }

    /// The error that there is no push.db to report on.
    static func withoutReport(_ path: String) -> Fault {
        .at(
            path, code: .noOutput,
            text: "does not exist yet; load a log date with \(command: "run"), or give its folder with --output",
            exitStatus: .noInput)
    }
}

extension OutputDatabase {
    /// Reads with `body` in one transaction.
    /// - Parameter fault: returns the error if there is no push.db.
    /// - Throws: `OutputError`, or the `Fault` of `fault` or of `body`.
    func reading<T>(else fault: (_ path: String) -> Fault, body: (Database) throws -> T) throws -> T {
        guard let result = try read(body) else { throw fault(path) }
        return result
    }

    /// The time zone of push.db.
    package func timeZone() throws -> ZoneRules { try reading(else: Fault.withoutOutput) { try $0.timeZone() } }
}

extension Database {
    /// The time zone of push.db. An unknown zone counts as UTC: the zone only decides which day is today.
    fileprivate func timeZone() throws -> ZoneRules {
        try about("timezone").flatMap { try? ZoneDatabase.zone($0) } ?? .utc
    }

    /// A value of `about`; nil if it has no such key.
    func about(_ key: String) throws -> String? {
        try value("SELECT value FROM about WHERE key = ?", binding: .of(key))
    }
}

extension Report {
    /// Whether a page may be written to this path. A file that is there must be empty, a page of the program, or named
    /// as a page is.
    package static func mayReplace(_ path: String) throws(SystemError) -> Bool {
        guard let target = try WholeFile.target(of: path), !target.hasSuffix(".html"), !target.hasSuffix(".htm"),
            let stamp = FileStamp(path: target), stamp.bytes > 0
        else { return true }
        return ReportPage.isPage(try WholeFile.beginning(of: target, count: 4096))
    }
}
