import Calendar

/// The name of a log date's file: `2026-11-19.sqlite` for its partition, `2026-11-19.0f….sqlite` for a version of it (32
/// hexadecimal digits) in an output with shards, or `2026-11-19.settled.sqlite` for what it contributes once it is settled.
package struct PartitionName {
    private static let settled = "settled"

    /// In days since 1970-01-01.
    package let logDate: Int32
    /// Nil also for a settled file.
    package let version: String?
    package let isSettled: Bool

    init(logDate: Int32, version: String?) {
        (self.logDate, self.version, isSettled) = (logDate, version, false)
    }

    init(settled logDate: Int32) {
        (self.logDate, version, isSettled) = (logDate, nil, true)
    }

    /// Nil for the name of another file.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.last == "sqlite", let day = CalendarText.day(of: String(parts[0]))
        else {
            return nil
        }
        let middle = parts.count == 3 ? String(parts[1]) : nil
        guard middle == nil || middle == PartitionName.settled || middle.map(PartitionName.isVersion) == true else {
            return nil
        }
        logDate = day
        isSettled = middle == PartitionName.settled
        version = isSettled ? nil : middle
    }

    private static func isVersion(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// The log date of the partition at a path; nil for another file.
    static func logDate(ofPartitionAt path: String) -> Int32? {
        path.split(separator: "/").last.flatMap { PartitionName($0) }.flatMap { $0.isSettled ? nil : $0.logDate }
    }

    var text: String {
        let middle = isSettled ? PartitionName.settled : version
        return "\(CalendarText.date(ofDay: logDate))\(middle.map { ".\($0)" } ?? "").sqlite"
    }
}
