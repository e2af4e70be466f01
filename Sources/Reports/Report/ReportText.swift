/// A report in short, for the body of a mail: whether the figures can be trusted, what stands out, and the first figures.
struct ReportText {
    private static let width = 72
    private static let lines = 25

    let context: PageContext

    var text: String {
        let period = context.period
        let trust = TrustSection(context: context)
        var head = wrapped("Push messages, \(DateText.range(period.first, period.last))")
        head += wrapped(
            (trust.isSound ? "" : "Check: ") + ([trust.lead] + trust.notes.prefix(1)).joined(separator: " "), most: 5)
        if let warned = trust.warned { head += wrapped(ReportText.shown(warned)) }
        let figures = context.figures.table.hasFigures(period) ? headlines : []
        var middle: [String] = []
        if context.figures.table.hasFigures(period) {
            let findings = context.findings.all
            // What does not fit is on the page.
            let room = ReportText.lines - head.count - figures.count - 3
            for (index, finding) in findings.enumerated() {
                let lines = wrapped(finding.text, first: "- ", next: "  ")
                let isLast = index == findings.count - 1
                guard middle.count + lines.count + (isLast ? 0 : 1) <= room else {
                    middle.append("- \(NumberText.exact(findings.count - index)) more on the page")
                    break
                }
                middle += lines
            }
            if findings.isEmpty { middle = wrapped(context.findings.nothing) }
            middle = ["", "What stands out"] + middle + [""]
        }
        return (head + middle + figures).map { $0.replacing("\u{A0}", with: " ") + "\n" }.joined()
    }

    /// A text from the data, safe to show.
    fileprivate static func shown(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { $0.isUnsafeToShow ? $0.shownCode : String($0) }.joined()
    }

    /// A line for each figure: `Opened        34.2 k   −12.3 % from 39.0 k`.
    private var headlines: [String] {
        let headlines = context.headlines
        let name = headlines.map(\.name.count).max() ?? 0
        let values = headlines.map { $0.value?.rounded ?? "not known yet" }
        let width = values.map(\.count).max() ?? 0
        return zip(headlines, values).map { headline, value in
            var line = headline.name + String(repeating: " ", count: name - headline.name.count + 2)
            line += String(repeating: " ", count: width - value.count) + value
            if let former = headline.formerValue {
                let days = headline.comparedDays.count
                line +=
                    "   \(headline.change)"
                    + (days < headline.days.count ? " on \(NumberText.plural(days, "day"))" : " from \(former.rounded)")
            }
            return line
        }
    }

    /// The text in lines, broken between words; cut after so many.
    private func wrapped(_ text: String, first: String = "", next: String = "", most: Int = 4) -> [String] {
        var lines: [String] = []
        var line = first
        for word in text.split(separator: " ") {
            // A word that is longer than a line is cut.
            let word = word.count > 60 ? word.prefix(59) + "…" : word
            let isBegun = line.count > (lines.isEmpty ? first : next).count
            if isBegun, line.count + 1 + word.count > ReportText.width {
                lines.append(line)
                line = next + word
            } else {
                line += (isBegun ? " " : "") + word
            }
        }
        lines.append(line)
        guard lines.count > most else { return lines }
        return lines.prefix(most - 1) + [lines[most - 1].prefix(ReportText.width - 2) + " …"]
    }
}

extension Finding {
    /// Names are cut where they are long, safe to show, and in quotes unless they are simple words.
    fileprivate var text: String {
        parts.map { part in
            switch part {
            case .text(let text): return text
            case .name(let name):
                if name.utf8.allSatisfy({ $0 == 0x5F || 0x61...0x7A ~= $0 }) { return name }
                let short = name.count > 40 ? name.prefix(39) + "…" : name[...]
                return "'\(ReportText.shown(short))'"
            }
        }.joined()
    }
}
