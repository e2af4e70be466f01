import Calendar

/// Numbers, dates and tables as text for people.
package enum Text {
    /// `1,234,567`
    package static func number(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return value < 0 ? "-" + text : text
    }

    /// `172.4 MB`, in powers of ten.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var value = Double(count)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB"]
        while value >= 999.95 && unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return "\(decimal(value, places: 1)) \(units[unit])"
    }

    /// `0.8 s`, `2 min 5 s`, `1 h 20 min`
    package static func duration(_ seconds: Double) -> String {
        if seconds < 60 { return "\(decimal(seconds, places: seconds < 10 ? 1 : 0)) s" }
        let whole = Int(seconds)
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }

    /// Sorted dates as runs of days that follow one another.
    package static func runs(of dates: [LogDate]) -> [(first: LogDate, last: LogDate)] {
        var runs: [(first: LogDate, last: LogDate)] = []
        for date in dates {
            if let last = runs.last?.last, last.adding(days: 1) == date {
                runs[runs.count - 1].last = date
            } else {
                runs.append((date, date))
            }
        }
        return runs
    }

    /// `2026-11-01 to 2026-11-05, 2026-11-09`, dates in their order; beyond ten entries `…`.
    package static func ranges(_ dates: [LogDate]) -> String {
        let ranges = runs(of: dates)
        let texts = ranges.prefix(10).map { $0.first == $0.last ? "\($0.first)" : "\($0.first) to \($0.last)" }
        return texts.joined(separator: ", ") + (ranges.count > 10 ? ", …" : "")
    }

    package static func decimal(_ value: Double, places: Int) -> String {
        let scale = places == 0 ? 1.0 : 10.0
        let rounded = (value * scale).rounded()
        return places == 0 ? "\(Int(rounded))" : "\(Int(rounded) / 10).\(Int(rounded) % 10)"
    }

    /// `12 %`, `0.4 %`; of nothing, `0 %`.
    package static func percent(_ part: Int, of all: Int) -> String {
        let share = all == 0 ? 0 : Double(part) * 100 / Double(all)
        return "\(decimal(share, places: share < 10 && share > 0 ? 1 : 0)) %"
    }

    package static func plural(_ count: Int, _ noun: String, _ nouns: String? = nil) -> String {
        "\(number(count)) \(count == 1 ? noun : nouns ?? noun + "s")"
    }

    /// `text` on the left of a column.
    package static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// `text` on the right of a column.
    package static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Breaks the lines of a text between words at `width` columns; nil leaves them as they are. Where a line has columns in
    /// its first half, its rest begins below the last of them.
    package static func broken(_ text: String, at width: Int?) -> String {
        guard let width else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            guard line.count > width else { return [String(line)] }
            let gap = line.ranges(of: /\S  +/).last?.upperBound ?? line.startIndex
            let column = line.distance(from: line.startIndex, to: gap)
            let indent = column > 0 && column <= width / 2 ? column : line.prefix { $0 == " " }.count + 2
            return wrapped(String(line), width: width, indent: indent)
        }.joined(separator: "\n")
    }

    /// Wraps a line between words at `width` columns. Further lines begin with `indent` spaces. A longer word is not cut.
    package static func wrapped(_ line: String, width: Int, indent: Int) -> [String] {
        var lines: [String] = []
        var current: String?
        // Empty parts are spaces that stand between columns.
        for part in line.split(separator: " ", omittingEmptySubsequences: false) {
            guard let line = current else {
                current = String(part)
                continue
            }
            let longer = line + " " + part
            if !part.isEmpty, longer.count > width, line.contains(where: { $0 != " " }) {
                lines.append(line)
                current = String(repeating: " ", count: indent) + part
            } else {
                current = longer
            }
        }
        return lines + [current ?? ""]
    }
}
