import Calendar

/// Compares the paths that a pattern has on different log dates: in the shape of a path, the date stands as a mark.
package struct DatedPaths {
    private static let mark = "…"

    private let pattern: FilePattern
    private let date: LogDate
    /// What to replace, in the order of the pattern, and what stands for it.
    private let dates: [(text: String, mark: String)]

    /// Nil if the pattern has no date.
    package init?(_ pattern: FilePattern, on date: LogDate) {
        guard pattern.hasDatePlaceholder else { return nil }
        self.pattern = pattern
        self.date = date
        // A path begins with a slash here.
        let tokens = pattern.parts.flatMap { part -> [FilePattern.Token] in
            guard case .name(let tokens) = part else { return [.literal("/"), .anyRun] }
            return [.literal("/")] + tokens
        }
        dates = tokens.split(whereSeparator: \.isGlob).flatMap { DatedPaths.dates(in: $0, on: date) }
    }

    /// A path with marks for the date, also where a glob has matched it; nil if it is no path of the pattern on the date.
    package func shape(of path: String) -> String? {
        let root = pattern.uriRoot?.utf8.count ?? 0
        let names = path.utf8.dropFirst(root).split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard !pattern.matches(names, knowing: FilePattern.DateParts(date)).isEmpty else { return nil }
        return shown(names)
    }

    private func shown(_ names: [String]) -> String {
        let start = (pattern.uriRoot ?? "") + (pattern.isAbsolute || pattern.uriRoot != nil ? "/" : "")
        let path = "/" + names.joined(separator: "/")
        return start + dates.reduce(path) { $0.replacing($1.text, with: $1.mark) }.dropFirst()
    }

    /// A whole date is replaced wherever it stands. A part of one, such as `%d`, is replaced only with what the pattern has
    /// around it, since there may be a host 19.
    private static func dates(
        in literal: ArraySlice<FilePattern.Token>, on date: LogDate
    ) -> [(text: String, mark: String)] {
        func text(_ tokens: some Sequence<FilePattern.Token>, marked: Bool = false) -> String {
            tokens.reduce(into: "") { text, token in
                switch token {
                case .literal(let scalar): text.unicodeScalars.append(scalar)
                case .placeholder(let placeholder):
                    text += marked ? mark : FilePattern.DateParts(date).digits(placeholder) ?? ""
                default: break
                }
            }
        }
        var found: [(text: String, mark: String)] = []
        var isPart = false
        var rest = literal
        func isDate(_ token: FilePattern.Token) -> Bool {
            if case .placeholder = token { true } else { false }
        }
        while let start = rest.firstIndex(where: isDate) {
            var end = start
            var seen: Set<FilePattern.Placeholder> = []
            for (index, token) in zip(rest.indices, rest).drop(while: { $0.0 < start }) {
                guard case .placeholder(let placeholder) = token else { continue }
                guard seen.insert(placeholder).inserted else { break }
                end = index
                if seen.isWholeDate { break }
            }
            if seen.isWholeDate { found.append((text(rest[start...end]), mark)) } else { isPart = true }
            rest = rest[(end + 1)...]
        }
        return isPart ? [(text(literal), text(literal, marked: true))] + found : found
    }
}

extension Set<FilePattern.Placeholder> {
    fileprivate var isWholeDate: Bool {
        (contains(.year) || contains(.shortYear)) && (contains(.dayOfYear) || isSuperset(of: [.month, .day]))
    }
}
