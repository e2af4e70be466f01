import Messages

/// A short report for the body of a mail: whether the figures can be trusted, what is unusual, and the main figures.
struct ReportText {
    private static let width = 72
    private static let lines = 26
    private static let longWord = 16

    /// The text for a push.db without log dates.
    static let emptySentences = [
        "Nothing is loaded yet, so there are no figures.", "The command 'pushetl run' loads a log date.",
    ]
    static func empty(title: String) -> String { "\(title)\n\(emptySentences.joined(separator: "\n"))\n" }

    let figures: ReportFigures
    let findings: Findings

    var text: String {
        let period = figures.period
        let head = ReportText.head(
            "\(figures.request.title), \(DateText.range(period.first, to: period.last))", trust: trust)
        guard figures.table.hasFigures(during: period) else { return ReportText.text(head + warnings) }
        let last = [""] + (compared.map { ReportText.wrapped($0) } ?? []) + headlines + warnings
        let all = findings.all.map { ReportText.wrapped($0.sentence.text, bullet: "- ") }
        let room = ReportText.lines - head.count - last.count - 2
        let middle =
            all.isEmpty ? ReportText.wrapped(findings.nothing) : ReportText.fitted(all, bullet: "- ", into: room)
        return ReportText.text(head + ["", "What stands out"] + middle + last)
    }

    private var trust: Trust { Trust(of: figures) }

    /// The title and the line of trust.
    static func head(_ title: String, trust: Trust) -> [String] {
        let lines = (1...Trust.reasons).reversed().map { (trust.isSound ? "" : "Check: ") + trust.line(reasons: $0) }
        return [cut(title), lines.first { $0.count <= width } ?? cut(lines[lines.count - 1])]
    }

    static func text(_ lines: [String]) -> String {
        lines.map { $0.replacing("\u{A0}", with: " ") + "\n" }.joined()
    }

    /// A text, cut to one line: after a word, or within a long one, such as a path.
    private static func cut(_ text: String) -> String {
        guard text.count > width else { return text }
        let line = text.prefix(width - 1)
        guard let space = line.lastIndex(of: " "), line[space...].count <= longWord else { return line + "…" }
        return line[...space] + "…"
    }

    private static let warningLines = 3

    /// At most three lines for the operator, and the number of further ones.
    private var warnings: [String] {
        let lines = trust.operatorLines.map { [ReportText.cut($0.shown)] }
        return lines.isEmpty ? [] : [""] + ReportText.fitted(lines, into: ReportText.warningLines)
    }

    /// What the changes compare; nil without a comparison.
    private var compared: String? {
        guard let name = figures.comparedName else { return nil }
        guard let before = figures.before?.period, !figures.comparableDays.isEmpty else {
            return "Nothing is compared: \(figures.whyNothingIsCompared(with: name))."
        }
        let days = figures.comparableDays.count
        let all = figures.period.count
        return "Compared with \(name), \(DateText.range(before.first, to: before.last))"
            + (days < all ? ": \(NumberText.exact(days)) of \(Text.plural(all, of: "day"))" : "") + "."
    }

    /// A line for each figure: `Opened 34.2 k −12.3 % from 39.0 k`. If it is too long, the change is in a line of its
    /// own.
    private var headlines: [String] {
        let headlines = HeadlineFigure.all(of: figures)
        let names = headlines.map { $0.name + ($0.detail.map { " (\($0))" } ?? "") }
        let longest = names.map(\.count).max() ?? 0
        let values = headlines.map { $0.value?.rounded ?? NumberText.none }
        let width = values.map(\.count).max() ?? 0
        return headlines.indices.flatMap { index in
            let line = Text.column(names[index], width: longest + 2) + Text.padded(values[index], to: width)
            guard let base = headlines[index].base(in: figures) else { return [line] }
            let change = "\(headlines[index].change) \(base)"
            let whole = "\(line)   \(change)"
            return whole.count <= ReportText.width ? [whole] : [line, "  \(change)"]
        }
    }

    /// As many texts as fit into `room` lines. The page has the others.
    private static func fitted(_ texts: [[String]], bullet: String = "", into room: Int) -> [String] {
        var lines: [String] = []
        for (index, text) in texts.enumerated() {
            let isLast = index == texts.count - 1
            guard lines.count + text.count + (isLast ? 0 : 1) <= room else {
                return lines + ["\(bullet)\(NumberText.exact(texts.count - index)) more on the page"]
            }
            lines += text
        }
        return lines
    }

    /// The text in lines, broken between words. If there are more than `most` lines, the last sentences are left out, or
    /// the end of the only one.
    static func wrapped(_ text: String, bullet: String = "", most: Int = 4) -> [String] {
        // A word that is longer than a line is cut.
        let words = text.split(separator: " ").map { $0.count > 60 ? $0.prefix(59) + "…" : String($0) }
        func lines(_ words: ArraySlice<String>) -> [String] {
            Text.wrapped(
                bullet + words.joined(separator: " "), width: width, indent: bullet.count,
                keepsCommands: false)
        }
        let all = lines(words[...])
        guard all.count > most else { return all }
        let ends = words.indices.dropLast().filter { index in
            words[index].hasSuffix(".") && words[index + 1].first?.isUppercase == true
        }
        let fitting = ends.reversed().lazy.map { lines(words[...$0]) }.first { $0.count <= most }
        return fitting ?? all.prefix(most - 1) + [cut(all[most - 1] + " " + all[most].drop { $0 == " " })]
    }
}

extension Finding.Sentence {
    /// The sentence as plain text. Long names are shortened, unsafe characters are escaped, and names are quoted unless
    /// they are simple words.
    fileprivate var text: String {
        parts.map { part in
            switch part {
            case .text(let text): return text
            case .name(let name):
                if name.utf8.allSatisfy({ $0 == 0x5F || 0x61...0x7A ~= $0 }) { return name }
                let short = name.count > 40 ? name.prefix(39) + "…" : name[...]
                return "'\(String(short).shown)'"
            }
        }.joined()
    }
}
