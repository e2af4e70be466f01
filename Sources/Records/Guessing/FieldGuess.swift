import Calendar
import Events

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

/// What several hits have at one place: in JSON at a path, in another line in a column. The values tell what they can be.
package struct HitValues {
    /// In the words of the layout: `request.started_at`, `$skipped3`; or what stands before the value: `status=`.
    package let name: String
    /// By the index of the hit.
    package var texts: [Int: String] = [:]

    private static let day: Int64 = 86_400_000

    /// The platform that the user agent of a hit names; unknown if it is no user agent.
    package func platform(_ hit: Int) -> Platform {
        guard let text = texts[hit], text.isUserAgent, !text.isReferer, !text.isRequestTarget else { return .unknown }
        return text.platform
    }

    // MARK: Statuses

    /// Ends of names of numbers that are no status, although their values can be ones.
    private static let otherNumbers = [
        "level", "severity", "priority", "port", "byte", "bytes", "size", "length", "version", "duration", "latency",
        "time", "elapsed", "took", "ms", "msec", "millis", "count", "id", "line", "thread", "weight",
    ]

    /// The texts but for those that a server may write in place of a status.
    private var statuses: [String] { texts.values.filter { !["", "-", "0", "000"].contains($0) } }

    /// Whether they can be the statuses of so many hits.
    package func areStatuses(of hits: Int) -> Bool {
        let statuses = statuses
        let known = statuses.count { $0.isHTTPStatus }
        let name = name.lowercased().filter(\.isLetter)
        return known * 2 > hits && known * 10 >= statuses.count * 9
            && !Self.otherNumbers.contains { name.hasSuffix($0) }
    }

    /// Whether all statuses are the same.
    var areConstant: Bool { Set(statuses).count == 1 }

    /// The statuses that stop a hit.
    var errors: Int { statuses.count { $0 >= "400" } }

    // MARK: Times

    /// The times of most of so many hits, by their index, and how likely these are their times, from 0, the likeliest;
    /// nil if the texts are no times.
    /// - Parameter day: the date in the file's path.
    package func times(of hits: Int, on day: LogDate?) -> (times: [Int: Int64], rank: Int)? {
        let times = texts.compactMapValues { WrittenTime.instant($0) }
        guard times.count * 10 >= hits * 9, !times.isEmpty else { return nil }
        let word = name.split(separator: ".").last?.lowercased() ?? ""
        let isNamed = ["time", "date", "stamp", "ts", "msec"].contains { word.contains($0) }
        // Numbers may be something else, such as ids.
        let onlyIfLikely = !isNamed && texts.values.allSatisfy { Double($0) != nil }
        let instants = times.sorted { $0.key < $1.key }.map(\.value)
        func areMost(_ isSo: (Int64) -> Bool) -> Bool { instants.count(where: isSo) * 10 >= instants.count * 9 }
        // A date in a path may be of any time zone.
        let start = day.map { Int64($0.dayNumber) * Self.day }
        let areOfDay = start.map { start in
            areMost { (start - Self.day / 2..<start + Self.day * 3 / 2).contains($0) }
        }
        if instants.count > 1, Set(instants).count == 1 {
            // The time of something else, such as a build. Of a few hits it may be the time.
            return onlyIfLikely && areOfDay != true ? nil : (times, 2)
        }
        if areOfDay == true { return (times, 0) }
        let sorted = instants.sorted()
        let areNear = areMost { abs($0 - sorted[sorted.count / 2]) <= Self.day }
        // As the lines of a log are.
        let inOrder = zip(instants, instants.dropFirst()).count { $0 <= $1 }
        let areInOrder =
            instants.count > 2 && inOrder * 10 >= (instants.count - 1) * 9
            && sorted[sorted.count - 1] - sorted[0] < 400 * Self.day
        return !onlyIfLikely || areNear || areInOrder ? (times, 1) : nil
    }
}

// What a value of an unknown line looks like.

extension String {
    var isRequestMethod: Bool { ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"].contains(self) }

    /// `GET /r/?id=… HTTP/1.1`
    var isRequestLine: Bool {
        let words = split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        return (2...3).contains(words.count) && words[0].isRequestMethod && words[1].isRequestTarget
    }

    var isRequestTarget: Bool { hasPrefix("/") || hasPrefix("http://") || hasPrefix("https://") }

    /// Whether it is a status that servers send. Three digits alone may also be a number of bytes, or a port.
    var isHTTPStatus: Bool { utf8.count == 3 && String.statuses.contains(Int(self) ?? 0) }

    private static let statuses = Set(
        [100...103, 200...208, 226...226, 300...308, 400...418, 421...426, 428...431, 440...440, 444...444, 449...451]
            .joined()
            + [460, 463, 464, 494, 495, 496, 497, 498, 499] + [500...511, 520...530].joined() + [561, 598, 599])

    var isUserAgent: Bool {
        ["Mozilla/", "Dalvik/", "CFNetwork/", "okhttp/", "Darwin/"].contains { contains($0) }
            || platform != .unknown && prefixMatch(of: LineWords.product) != nil
    }

    /// The platform of a user agent.
    var platform: Platform {
        let bytes = Array(utf8)
        return UserAgent.platform(bytes.span, 0..<bytes.count)
    }

    /// Whether it begins like the body of a mzip or users_track request, perhaps with the escapes of a log file.
    var isPayload: Bool {
        ["mzip=", "%7b", "{", "\\x7b"].contains { lowercased().hasPrefix($0) }
    }

    var isReferer: Bool { self == "-" || hasPrefix("http") }

    /// Whether it is a time of a payload.
    package var isPayloadTime: Bool {
        let bytes = Array(utf8)
        return PayloadTime(text: bytes.span, bytes.indices) != nil
    }

    func hasSign(_ format: RecordFormat) -> Bool { format.hasSign(in: Array(utf8).span) }
}
