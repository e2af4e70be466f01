import Calendar

/// The name of a partition's file: `2026-11-19.sqlite`, or in an output with shards `2026-11-19.0f….sqlite`.
package struct PartitionName {
    /// Days since 1970-01-01.
    package let logDate: Int32
    /// Only in an output with shards.
    package let version: String?

    /// Nil for another name.
    package init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, parts.last == "sqlite", let logDate = CalendarText.day(of: String(parts[0])) else {
            return nil
        }
        self.logDate = logDate
        version = parts.count == 3 ? String(parts[1]) : nil
    }
}
