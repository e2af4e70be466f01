import Calendar

/// Finds by values and names which of the columns of some hits are what.
struct FieldGuess {
    typealias Field = JSONFields.Field

    /// Of those that are as likely the first one is taken.
    let columns: [HitValues]
    /// The number of hits.
    let hits: Int
    /// The indexes of the columns.
    private(set) var found: [Field: Int] = [:]

    /// - Parameters:
    ///   - hasOrder: whether the columns stand in the order of a line. There the status follows the request.
    ///   - day: the date in the file's path.
    ///   - isTime: whether a layout reads a text as a time.
    init(
        _ columns: [HitValues], hits: Int, _ format: RecordFormat, hasOrder: Bool, on day: LogDate?,
        isTime: (String) -> Bool = { _ in true }
    ) {
        (self.columns, self.hits) = (columns, hits)
        func hasSign(_ text: String) -> Bool { format != .collector || text.hasSign(format) }
        found[.request] = best(["request", "requestline"]) { $0.isRequestLine && hasSign($0) }
        if found[.request] == nil {
            found[.method] = best(["method", "requestmethod", "verb"]) { $0.isRequestMethod }
            found[.url] = best(["requesturi", "uri", "requesturl", "url"]) { $0.isRequestTarget && hasSign($0) }
            if found[.url] == nil {
                found[.query] = best(["query", "querystring", "args", "csuriquery"], hasSign)
                found[.path] = best(["path", "uri", "csuristem"]) { $0.hasPrefix("/") && !$0.contains("?") }
            }
        }
        found[.status] = status(after: hasOrder ? found.values.max() ?? 0 : 0)
        let agents = ["httpuseragent", "useragent", "agent", "ua", "csuseragent"]
        found[.userAgent] =
            best(agents, ofTen: 2) { $0.isUserAgent } ?? best(agents, mustBeNamed: true) { !$0.isRequestTarget }
        if format != .collector { found[.requestBody] = best(["requestbody", "body", "payload"]) { $0.isPayload } }
        found[.time] = time(on: day, isTime)
    }

    var hasRequest: Bool {
        found[.request] != nil || found[.method] != nil && (found[.url] ?? found[.query]) != nil
    }

    /// What is called a status comes first, then what changes from line to line, and what stops more hits.
    private func status(after request: Int) -> Int? {
        let backends = ["upstream", "origin", "backend", "target"]
        return first(columns.indices.filter { columns[$0].areStatuses(of: hits) }) { index in
            let name = lastName(index)
            let isOfBackend = backends.contains { name.contains($0) }
            return [
                isOfBackend ? 2 : name.contains("status") ? 0 : 1, columns[index].areConstant ? 1 : 0,
                name == "status" ? 0 : 1, -columns[index].errors, index < request ? 1 : 0,
            ]
        }
    }

    /// The likeliest time. Of those that are as likely one with the name of a time comes first.
    private func time(on day: LogDate?, _ isTime: (String) -> Bool) -> Int? {
        let names = ["timelocal", "timeiso", "msec", "timestamp", "time", "ts", "datetime", "date"]
        let ranks = columns.map { column in
            column.texts.values.allSatisfy(isTime) ? column.times(of: hits, on: day)?.rank : nil
        }
        return first(columns.indices.filter { ranks[$0] != nil }) { index in
            // A request that was sent is the time, not its end.
            [ranks[index] ?? 0, nameRank(index, names), lastName(index).contains("end") ? 1 : 0]
        }
    }

    /// The column of whose values at least so many of ten are of a kind: the one whose name comes first in `names`.
    func best(
        _ names: [String], ofTen share: Int = 9, mustBeNamed: Bool = false, _ isOfKind: (String) -> Bool
    ) -> Int? {
        let candidates = columns.indices.filter { index in
            let texts = columns[index].texts.values
            return texts.count * 2 > hits && texts.count(where: isOfKind) * 10 >= texts.count * share
                && (!mustBeNamed || nameRank(index, names) < 2 * names.count)
        }
        return first(candidates) { [nameRank($0, names)] }
    }

    private func first(_ indexes: [Int], _ rank: (Int) -> [Int]) -> Int? {
        indexes.map { (index: $0, rank: rank($0) + [$0]) }
            .min { $0.rank.lexicographicallyPrecedes($1.rank) }?.index
    }

    /// The position of a column's last name in `names`. One that only contains a name comes later, another one last.
    private func nameRank(_ index: Int, _ names: [String]) -> Int {
        let name = lastName(index)
        if let exact = names.firstIndex(of: name) { return exact }
        return names.firstIndex { $0.count > 2 && name.contains($0) }.map { $0 + names.count } ?? 2 * names.count
    }

    private func lastName(_ index: Int) -> String {
        (columns[index].name.split(separator: ".").last ?? "").lowercased().filter(\.isLetter)
    }
}
