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
        _ columns: [HitValues], hits: Int, format: RecordFormat, hasOrder: Bool, on day: LogDate?,
        isTime: (String) -> Bool = { _ in true }
    ) {
        self.columns = columns
        self.hits = hits
        func hasSign(_ text: String) -> Bool { format != .collector || text.hasSign(format) }
        found[.request] = best(["request", "requestline"]) { $0.isRequestLine && hasSign($0) }
        if found[.request] == nil { found[.method] = best(["method", "requestmethod", "verb"]) { $0.isRequestMethod } }
        if found[.method] != nil {
            found[.url] = best(["requesturi", "uri", "requesturl", "url"]) { $0.isRequestTarget && hasSign($0) }
            if found[.url] == nil {
                found[.query] = best(["query", "querystring", "args", "csuriquery"], where: hasSign)
                found[.path] = best(["path", "uri", "csuristem"]) { $0.hasPrefix("/") && !$0.contains("?") }
            }
        }
        found[.status] = status(after: hasOrder ? found.values.max() ?? 0 : 0)
        let agents = ["httpuseragent", "useragent", "agent", "ua", "csuseragent"]
        found[.userAgent] =
            best(agents, ofTen: 2) { $0.isUserAgent } ?? best(agents, mustBeNamed: true) { !$0.isRequestTarget }
        if format != .collector {
            found[.requestBody] = best(["requestbody", "body", "payload"]) { $0.isPayload(format) }
        }
        found[.time] = time(on: day, isTime)
    }

    var hasRequest: Bool {
        found[.request] != nil || found[.method] != nil && (found[.url] ?? found[.query]) != nil
    }

    /// What is called a status comes first, then what changes from line to line, and what stops more hits.
    private func status(after request: Int) -> Int? {
        let backends = ["upstream", "origin", "backend", "target"]
        return columns.indices.ranked { index in
            guard columns[index].areStatuses(of: hits) else { return nil }
            let name = columns[index].lastName
            let isOfBackend = backends.contains { name.contains($0) }
            return [
                isOfBackend ? 2 : name.contains("status") ? 0 : 1, columns[index].areConstant ? 1 : 0,
                name == "status" ? 0 : 1, -columns[index].errors, index < request ? 1 : 0,
            ]
        }.first
    }

    /// The likeliest time. Of those that are as likely one with the name of a time comes first.
    private func time(on day: LogDate?, _ isTime: (String) -> Bool) -> Int? {
        let names = ["timelocal", "timeiso", "msec", "timestamp", "time", "ts", "datetime", "date"]
        return columns.indices.ranked { index in
            let column = columns[index]
            guard column.texts.values.areMostly(isTime), let rank = column.times(of: hits, on: day)?.rank
            else { return nil }
            // A request that was sent is the time, not its end.
            return [
                column.areOfMost(hits) ? 0 : 1, rank, column.rank(names), column.lastName.contains("end") ? 1 : 0,
            ]
        }.first
    }

    /// The column of whose values at least so many of ten are of a kind: the one whose name comes first in `names`.
    func best(
        _ names: [String], ofTen share: Int = 9, mustBeNamed: Bool = false, where isOfKind: (String) -> Bool
    ) -> Int? {
        columns.indices.ranked { index in
            let texts = columns[index].texts.values
            let rank = columns[index].rank(names)
            let isLikely =
                texts.count * 2 > hits && texts.count(where: isOfKind) * 10 >= texts.count * share
                && (!mustBeNamed || rank < 2 * names.count)
            return isLikely ? [rank] : nil
        }.first
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
        return UserAgent.platform(bytes.span, in: 0..<bytes.count)
    }

    /// Whether it begins like the body of a request, perhaps with the escapes of a log file.
    func isPayload(_ format: RecordFormat) -> Bool {
        let beginnings = format == .events ? ["{", "[", "\\x7b", "\\x5b"] : ["mzip=", "%7b", "{", "\\x7b"]
        return beginnings.contains { lowercased().hasPrefix($0) }
    }

    // A `Regex` never changes, but is not Sendable.
    /// Where a JSON object with a key begins, perhaps with the escapes of a log file.
    package nonisolated(unsafe) static let objectStart = #/(?:\{|\\x7[Bb])\s*\\?(?:"|x22)/#

    var isReferer: Bool { self == "-" || hasPrefix("http") }

    /// Whether it is a time of a line, in one of the forms that layouts read.
    package var isLogTime: Bool { WrittenTime.instant(self) != nil }

    /// Whether it is a time of a payload.
    package var isPayloadTime: Bool {
        let bytes = Array(utf8)
        return PayloadTime(text: bytes.span, in: bytes.indices) != nil
    }

    func hasSign(_ format: RecordFormat) -> Bool { format.hasSign(in: Array(utf8).span) }
}
