import Calendar
import Events

extension Sequence {
    /// The candidates for one thing, the likeliest first: those with the lowest numbers. Equal ones keep their order.
    /// - Parameter rank: nil for what is no candidate.
    package func ranked(by rank: (Element) -> [Int]?) -> [Element] {
        let candidates = enumerated().compactMap { order, candidate in
            rank(candidate).map { (candidate: candidate, rank: $0 + [order]) }
        }
        return candidates.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.candidate)
    }
}

extension Collection {
    /// Whether nine of ten elements are of a kind. A log may have a few odd values.
    package func areMostly(_ isOfKind: (Element) -> Bool) -> Bool {
        count(where: isOfKind) * 10 >= count * 9
    }
}

/// What several hits have at one place: in JSON at a path, in another line in a column. The values tell what they can
/// be.
package struct HitValues {
    /// In the words of the layout: `request.started_at`, `$skipped3`; or what stands before the value: `status=`.
    package let name: String
    /// By the index of the hit.
    package var texts: [Int: String] = [:]

    private static let day: Int64 = 86_400_000

    package init(name: String, texts: [Int: String] = [:]) {
        self.name = name
        self.texts = texts
    }

    /// Whether nine of ten of so many hits have a text.
    package func areOfMost(_ hits: Int) -> Bool { texts.count * 10 >= hits * 9 }

    // MARK: Names

    /// Last keys that only say the type of the value: Avro's in JSON, `{"id": {"string": "a"}}`, and DynamoDB's,
    /// `{"id": {"S": "a"}}`.
    private static let types: Set<Substring> = ["string", "long", "int", "double", "float", "boolean", "S", "N"]

    /// The keys that name the value.
    private var keys: ArraySlice<Substring> {
        let keys = name.split(separator: ".")[...]
        return keys.count > 1 && keys.last.map(HitValues.types.contains) ?? false ? keys.dropLast() : keys
    }

    /// The letters of the last key, in lower case.
    var lastName: String { (keys.last ?? "").lowercased().filter(\.isLetter) }

    /// The position of the last key in `names`. One that only contains a name comes later, another one last.
    func rank(_ names: [String]) -> Int {
        let own = lastName
        if let exact = names.firstIndex(of: own) { return exact }
        return names.firstIndex { $0.count > 2 && own.contains($0) }.map { $0 + names.count } ?? 2 * names.count
    }

    /// The last key in letters of lower case, with the key before it where it says little alone: `messageid`.
    package var word: String {
        let keys = keys.map {
            $0.lowercased().filter(\.isLetter).replacing(#/[ug]uid$/#, with: "id")
        }
        guard keys.count > 1, let last = keys.last, ["id", "name", "type", "label", "token"].contains(last) else {
            return keys.last ?? ""
        }
        return keys[keys.count - 2] + last
    }

    /// The position in `words` of the place's word, or of the id that it ends with; nil if neither is there.
    package func position(in words: [String]) -> Int? {
        let word = word
        return words.firstIndex(of: word)
            ?? words.firstIndex { $0.count > 3 && $0.hasSuffix("id") && word.hasSuffix($0) }
    }

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
        return known * 2 > hits && statuses.areMostly(\.isHTTPStatus)
            && !Self.otherNumbers.contains { name.hasSuffix($0) }
    }

    /// Whether all statuses are the same.
    var areConstant: Bool { Set(statuses).count == 1 }

    /// The statuses that stop a hit.
    var errors: Int { statuses.count { $0 >= "400" } }

    // MARK: Times

    /// The times of more than half of so many hits, by their index, and how likely these are their times, from 0, the
    /// likeliest; nil if the texts are no times.
    /// - Parameter day: the date in the file's path.
    package func times(of hits: Int, on day: LogDate?) -> (times: [Int: Int64], rank: Int)? {
        let times = texts.compactMapValues { WrittenTime.instant($0) }
        guard times.count * 2 > hits, times.count * 10 >= texts.count * 9, !times.isEmpty else { return nil }
        let word = name.split(separator: ".").last?.lowercased() ?? ""
        let isNamed = ["time", "date", "stamp", "ts", "msec"].contains { word.contains($0) }
        // Numbers may be something else, such as ids.
        let onlyIfLikely = !isNamed && texts.values.allSatisfy { Double($0) != nil }
        let instants = times.sorted { $0.key < $1.key }.map(\.value)
        // A date in a path may be of any time zone.
        let start = day.map { Int64($0.dayNumber) * Self.day }
        let areOfDay = start.map { start in
            instants.areMostly { (start - Self.day / 2..<start + Self.day * 3 / 2).contains($0) }
        }
        if instants.count > 1, Set(instants).count == 1 {
            // The time of something else, such as a build. Of a few hits it may be the time.
            return onlyIfLikely && areOfDay != true ? nil : (times, 2)
        }
        if areOfDay == true { return (times, 0) }
        let sorted = instants.sorted()
        let areNear = instants.areMostly { abs($0 - sorted[sorted.count / 2]) <= Self.day }
        // As the lines of a log are.
        let inOrder = zip(instants, instants.dropFirst()).count { $0 <= $1 }
        let areInOrder =
            instants.count > 2 && inOrder * 10 >= (instants.count - 1) * 9
            && sorted[sorted.count - 1] - sorted[0] < 400 * Self.day
        return !onlyIfLikely || areNear || areInOrder ? (times, 1) : nil
    }

    /// Whether the texts look like times, in whatever form, of which some are not read.
    /// - Parameter isRead: whether a text is a time that a load reads.
    package func areUnreadTimes(_ isRead: (String) -> Bool) -> Bool {
        let isNamed = ["time", "clock", "hour"].contains { lastName.contains($0) }
        let written = texts.values.filter { text in
            text.contains(WrittenTime.shape) || isNamed && text.contains(WrittenTime.clock)
        }
        // What has no time may say so by one text, such as NULL.
        let others = Set(texts.values).subtracting(written)
        let areTimes = others.count < 2 || written.count * 10 >= texts.count * 9
        return areTimes && written.count { !isRead($0) } * 20 > written.count
    }

    /// The time zones that all of the texts are, such as CET or +01:00; nil if a text is something else.
    package var zones: Set<String>? {
        let zones = Set(texts.values)
        return !zones.isEmpty && zones.allSatisfy(WrittenTime.isZone) ? zones : nil
    }
}
