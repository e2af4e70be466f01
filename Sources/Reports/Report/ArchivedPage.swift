import CChecksum
import Calendar

/// A page of an archive: a week, a month or a campaign.
struct ArchivedPage: Equatable, Sendable {
    /// Nil for a campaign.
    var period: ReportPeriod?
    /// Nil for a week or a month.
    var subject: ReportSubject?
    /// `2026-W47`, `Nov 2026`, `Black Friday`
    let name: String
    /// The page in the archive's folder: `2026/W47.html`, `2026-11.html`, `campaigns/Black_Friday-1f2e3d4c.html`.
    let path: String

    /// The path of another file of the archive, from the page.
    func path(to other: String) -> String { path.contains("/") ? "../" + other : other }

    /// The week of ISO 8601, from Monday to Sunday. It belongs to the year that its Thursday is in.
    static func week(of day: LogDate) -> ArchivedPage {
        let first = day.adding(days: 1 - day.weekday)
        let name = day.isoWeek
        return ArchivedPage(
            period: ReportPeriod(first: first, last: first.adding(days: 6)), name: name,
            path: "\(name.replacing("-", with: "/")).html")
    }

    static func month(of day: LogDate) -> ArchivedPage {
        let first = day.adding(days: 1 - day.day)
        let last = first.adding(days: CivilCalendar.days(inMonth: day.month, of: day.year) - 1)
        return ArchivedPage(
            period: ReportPeriod(first: first, last: last), name: DateText.month(day),
            path: "\(day.description.prefix(7)).html")
    }

    private static let longestName = 60

    /// The file name has a hash of the name. Names that differ only in case or an accent have different hashes, so
    /// their files never collide on any file system.
    static func campaign(_ name: String) -> ArchivedPage {
        let safe = name.utf8.prefix(longestName).map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        let hash = String(checksum_crc32(0, Array(name.utf8), name.utf8.count), radix: 16)
        let digits = String(repeating: "0", count: 8 - hash.count) + hash
        return ArchivedPage(
            subject: .campaign(name), name: name,
            path: "campaigns/\(String(decoding: safe, as: UTF8.self))-\(digits).html")
    }
}
