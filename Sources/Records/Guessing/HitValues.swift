import Calendar
import Events

/// What several hits have at one place: in JSON at a path, in another line in a column. The values tell what they can be.
package struct HitValues {
    /// In the words of the layout: `request.started_at`, `$skipped3`.
    package let name: String
    /// By the index of the hit.
    package var texts: [Int: String] = [:]

    init(name: String) {
        self.name = name
    }

    /// Ends of names of numbers that are no status, although their values can be ones.
    private static let otherNumbers = [
        "level", "severity", "priority", "port", "byte", "bytes", "size", "length", "version", "duration", "latency",
        "time", "elapsed", "took", "ms", "msec", "millis", "count", "id", "line", "thread", "weight",
    ]
    /// Milliseconds since 1970 of the years 2001 to 2286.
    private static let plausible: Range<Int64> = 1_000_000_000_000..<10_000_000_000_000

    /// Whether they can be the statuses of so many hits.
    package func areStatuses(of hits: Int) -> Bool {
        let others = texts.values.filter { !$0.isNoStatus }
        let known = others.count { $0.isHTTPStatus }
        let name = name.lowercased().filter(\.isLetter)
        return known * 2 > hits && known * 10 >= others.count * 9
            && others.allSatisfy { $0.utf8.count == 3 && $0.utf8.allSatisfy(\.isDigit) }
            && !Self.otherNumbers.contains { name.hasSuffix($0) }
    }

    /// Whether all are the same.
    var areConstant: Bool { Set(texts.values).count == 1 }

    /// The times of most of so many hits, by their index, and how likely these are their times; nil if they are none.
    package func times(of hits: Int, on day: LogDate?) -> (times: [Int: Int64], rank: Int)? {
        let times = texts.compactMapValues(HitValues.time)
        guard times.count * 10 >= hits * 9 else { return nil }
        let word = name.split(separator: ".").last?.lowercased() ?? ""
        let isNamed = ["time", "date", "stamp", "ts", "msec"].contains { word.contains($0) }
        let ordered = times.sorted { $0.key < $1.key }.map(\.value)
        let areNumbers = texts.values.allSatisfy { Double($0) != nil }
        return HitTimes(ordered, areNumbers: areNumbers).rank(on: day, isNamed: isNamed).map { (times, $0) }
    }

    /// A time in a form that some layout reads, in milliseconds since 1970.
    private static func time(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        var clock = ReceiptClock(.utc)
        let time = clock.time(bytes.span, 0..<bytes.count, .anyUnit) ?? TimeGuess.instant(bytes.span, 0..<bytes.count)
        return time.flatMap { plausible.contains($0) ? $0 : nil }
    }

    /// The platform that the user agent of a hit names; unknown if it is no user agent.
    package func platform(_ hit: Int) -> Platform {
        guard let text = texts[hit], text.isUserAgent, !text.isReferer, !text.isRequestTarget else { return .unknown }
        return text.platform
    }
}
