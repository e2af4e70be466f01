import Calendar

/// The name of a partition's file: `2026-11-19.sqlite`, or `2026-11-19.0f….sqlite` for a version of it in an output with
/// shards.
package struct PartitionName {
    /// In days since 1970-01-01.
    package let logDate: Int32
    package let version: String?

    init(logDate: Int32, version: String?) {
        (self.logDate, self.version) = (logDate, version)
    }

    /// Nil for the name of another file.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.last == "sqlite", let day = CalendarText.day(of: String(parts[0]))
        else {
            return nil
        }
        self.init(logDate: day, version: parts.count == 3 ? String(parts[1]) : nil)
    }

    var text: String { "\(CalendarText.date(ofDay: logDate))\(version.map { ".\($0)" } ?? "").sqlite" }
}
