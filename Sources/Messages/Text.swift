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

    package static func plural(_ count: Int, of noun: String, irregular nouns: String? = nil) -> String {
        "\(number(count)) \(count == 1 ? noun : nouns ?? noun + "s")"
    }

    /// `text` on the left of a column.
    package static func column(_ text: String, width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// `text` on the right of a column.
    package static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Breaks the lines of a text between words at `width` columns; nil leaves them as they are. Where a line has
    /// columns in its first half, its rest begins below the last of them.
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
    /// - Parameter keepsCommands: whether a command in quotes stays on one line, since it is copied as a whole:
    ///   `'pushetl run --date 2026-11-19'`.
    package static func wrapped(_ line: String, width: Int, indent: Int, keepsCommands: Bool = true) -> [String] {
        var lines: [String] = []
        var current: String?
        for part in words(of: line, keepsCommands: keepsCommands) {
            guard let line = current else {
                current = String(part)
                continue
            }
            let longer = line + " " + part
            if !part.isEmpty, longer.count > width, line.contains(where: { $0 != " " }) {
                lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
                current = String(repeating: " ", count: indent) + part
            } else {
                current = longer
            }
        }
        return lines + [current ?? ""]
    }

    /// The parts of a line between spaces. Empty parts are spaces that stand between columns. A command that is kept is one part:
    /// its quotes, with those of its arguments, are even in number.
    private static func words(of line: String, keepsCommands: Bool) -> [Substring] {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard keepsCommands else { return parts }
        var words: [Substring] = []
        for part in parts {
            if let last = words.last, last.contains("'pushetl"), last.count(where: { $0 == "'" }) % 2 == 1 {
                words[words.count - 1] = line[last.startIndex..<part.endIndex]
            } else {
                words.append(part)
            }
        }
        return words
    }
}

extension String {
    /// The most similar of `words`: the one with the fewest letters to add, drop, change or swap, if these are at most
    /// `limit` (by default a third of the word's length, and at least 1). Case is ignored.
    package func nearest(of words: some Sequence<String>, within limit: Int? = nil) -> String? {
        let mine = Array(lowercased())
        let limit = limit ?? Swift.max(1, mine.count / 3)
        var best: (word: String, distance: Int)?
        for word in words where word != self {
            let theirs = Array(word.lowercased())
            guard abs(theirs.count - mine.count) <= limit else { continue }
            let distance = mine.edits(to: theirs)
            if distance <= limit, distance < best?.distance ?? .max {
                best = (word, distance)
            }
        }
        return best?.word
    }
}

extension [Character] {
    /// The number of letters to add, drop, change, or swap with a neighbour: the optimal string alignment distance.
    fileprivate func edits(to other: [Character]) -> Int {
        var rowBefore: [Int] = []
        var row = [Int](0...other.count)
        for i in indices {
            var next = [i + 1]
            for j in other.indices {
                var least = Swift.min(row[j + 1] + 1, next[j] + 1, row[j] + (self[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, self[i] == other[j - 1], self[i - 1] == other[j] {
                    least = Swift.min(least, rowBefore[j - 1] + 1)
                }
                next.append(least)
            }
            rowBefore = row
            row = next
        }
        return row[other.count]
    }
}

extension MessageText {
    /// `, did you mean 'dialect'?`, or other words if nothing is near.
    package static func didYouMean(_ near: String?, or other: MessageText = "") -> MessageText {
        near.map { ", did you mean '\($0)'?" } ?? other
    }
}
