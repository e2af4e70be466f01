import Calendar
import Foundation

/// Proposes the paths of the fields in JSON lines of an unknown program, by their values and by the names of their keys.
package struct JSONFieldGuess {
    private struct Place {
        var values: HitValues
        /// Whether some lines have no text or number there.
        var hasOthers = false
        /// Whether the text is the first one of a list.
        var isInList = false
    }

    private var lines = 0
    private var places: [[String]: Place] = [:]
    /// The paths of lists of objects in which a hit is. No layout reads them.
    private var listsOfHits: Set<[String]> = []
    /// How often each list is empty.
    private var emptyLists: [[String]: Int] = [:]

    /// - Parameter lines: lines that seem to hold a hit. Those that are no JSON objects are left out.
    package init(_ lines: [[UInt8]]) {
        for (index, line) in lines.enumerated() {
            guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { continue }
            self.lines += 1
            add(object, at: [], of: index)
        }
    }

    private mutating func add(_ value: Any, at path: [String], of line: Int) {
        switch value {
        case let object as [String: Any]:
            // A path in a pipeline file cannot name such a key.
            for (key, value) in object where !key.isEmpty && !key.contains(".") {
                add(value, at: path + [key], of: line)
            }
        case let headers as [[String: Any]] where headers.first?["name"] is String && headers.first?["value"] is String:
            // Only the user agent is read there.
            for pair in headers {
                if let name = pair["name"] as? String, name.lowercased() == "user-agent" {
                    add(pair["value"] ?? "", at: path + [name], of: line)
                }
            }
        case let array as [Any] where array.isEmpty: emptyLists[path, default: 0] += 1
        case let array as [Any]:
            if Self.holdsHit(array), array.count > 1 || array.first is [String: Any] { listsOfHits.insert(path) }
            if let first = array.first, !(first is [Any]), !(first is [String: Any]) {
                add(first, at: path, of: line)
                places[path]?.isInList = true
            }
        case is NSNull: break
        case let text as String: keep(text, at: path, of: line)
        case let number as NSNumber: keep("\(number)", at: path, of: line)
        default: places[path, default: Place(values: HitValues(name: Self.text(path)))].hasOthers = true
        }
    }

    private static func holdsHit(_ value: Any) -> Bool {
        switch value {
        case let object as [String: Any]: object.values.contains(where: holdsHit)
        case let array as [Any]: array.contains(where: holdsHit)
        case let text as String: RecordFormat.collector.hasSign(in: Array(text.utf8).span)
        default: false
        }
    }

    private mutating func keep(_ text: String, at path: [String], of line: Int) {
        places[path, default: Place(values: HitValues(name: Self.text(path)))].values.texts[line] = text
    }

    private static func text(_ path: [String]) -> String { path.joined(separator: ".") }

    /// What the lines have at each path, by the path's text.
    package var values: [HitValues] {
        places.values.filter { !$0.hasOthers }.map(\.values).sorted { $0.name < $1.name }
    }

    // MARK: Fields

    /// The paths of the fields that do not have the key by which the layout `json` knows them; nil if the lines do not
    /// have what a record of this kind needs.
    /// - Parameter day: the date in the file's path.
    package func paths(_ format: RecordFormat, on day: LogDate?) -> [JSONFields.Field: [String]]? {
        guard lines > 0 else { return nil }
        var found: [JSONFields.Field: [String]] = [:]
        found[.request] = best(["request", "requestline"]) { $0.isRequestLine && hasSign($0, format) }
        if found[.request] == nil {
            found[.method] = best(["method", "requestmethod", "verb"]) { $0.isRequestMethod }
            found[.url] = best(["requesturi", "uri", "requesturl", "url"]) { $0.isRequestTarget && hasSign($0, format) }
            if found[.url] == nil {
                found[.query] = best(["query", "querystring", "args", "csuriquery"]) { hasSign($0, format) }
                found[.path] = best(["path", "uri", "csuristem"]) { $0.hasPrefix("/") && !$0.contains("?") }
            }
        }
        found[.status] = status
        let agents = ["httpuseragent", "useragent", "agent", "ua", "csuseragent"]
        found[.userAgent] =
            best(agents, of: 2) { $0.isUserAgent } ?? best(agents, mustBeNamed: true) { !$0.isRequestTarget }
        if format != .collector { found[.requestBody] = best(["requestbody", "body", "payload"]) { $0.isPayload } }
        findTime(&found, on: day)
        let hasRequest = found[.request] != nil || found[.method] != nil && (found[.url] ?? found[.query]) != nil
        guard format == .collector ? hasRequest : found[.requestBody] != nil else { return nil }
        return found.filter { field, path in JSONFields.nginx.path(field) != path }
    }

    /// What the lines lack that a record of this kind needs, in words; nil if they lack nothing.
    package func lack(_ format: RecordFormat, on day: LogDate?) -> String? {
        guard lines > 0, format == .collector else { return nil }
        let found = paths(format, on: day)
        if found?[.url] == nil, found?[.query] != nil, found?[.path] == nil { return "no path such as /r/" }
        guard let found else { return "no method such as GET, or no URL," }
        return found[.time] ?? unmappedTime.map { [$0] } == nil ? "no time" : nil
    }

    private func hasSign(_ text: String, _ format: RecordFormat) -> Bool {
        format != .collector || format.hasSign(in: Array(text.utf8).span)
    }

    /// What is called a status comes first, then what changes from line to line.
    private var status: [String]? {
        let backends = ["upstream", "origin", "backend", "target"]
        func rank(_ path: [String], _ values: HitValues) -> (Int, Int, Int, String) {
            let name = (path.last ?? "").lowercased()
            let isOfBackend = backends.contains { name.contains($0) }
            return (isOfBackend ? 2 : name.contains("status") ? 0 : 1, values.areConstant ? 1 : 0, path.count, name)
        }
        return places.filter { !$1.hasOthers && $1.values.areStatuses(of: lines) }
            .min { rank($0.key, $0.value.values) < rank($1.key, $1.value.values) }?.key
    }

    /// The likeliest time. Of those that are as likely, one that the layout `json` knows comes first, then one with the
    /// name of a time.
    private func findTime(_ found: inout [JSONFields.Field: [String]], on day: LogDate?) {
        let names = ["timestamp", "time", "ts", "datetime", "date"]
        var ranked: [(path: [String], order: [Int])] = []
        for (path, place) in places {
            guard !place.hasOthers, place.values.texts.values.allSatisfy({ $0.isReceiptTime }),
                let rank = place.values.times(of: lines, on: day)?.rank
            else { continue }
            let known = Self.knownTimes.firstIndex { [$0.key] == path } ?? Self.knownTimes.count
            // A request that was sent is the time, not its end.
            let isEnd = path.last?.lowercased().contains("end") == true
            ranked.append((path, [rank, known, nameRank(path, names), isEnd ? 1 : 0, path.count]))
        }
        let best = ranked.min { a, b in
            a.order == b.order ? Self.text(a.path) < Self.text(b.path) : a.order.lexicographicallyPrecedes(b.order)
        }
        if let time = best?.path {
            if !isReadUnmapped(time) { found[.time] = time }
        } else if let date = self.best(["date"], { $0.isPart("0000-00-00") }),
            let time = self.best(["time"], { $0.hasPartPrefix("00:00:00") })
        {
            found[.date] = date
            found[.time] = time
        }
    }

    /// The keys that the layout `json` tries by itself, in this order, and how it reads a text there.
    private static let knownTimes: [(key: String, form: ReceiptClock.Form)] = [
        ("time_local", .timeLocal), ("time_iso8601", .iso8601), ("msec", .msec), ("time", .any),
    ]

    private func isReadUnmapped(_ path: [String]) -> Bool {
        guard let first = Self.knownTimes.first(where: { places[[$0.key]] != nil }), [first.key] == path else {
            return false
        }
        return places[path]?.values.texts.values.allSatisfy { $0.isReceiptTime(first.form) } ?? false
    }

    /// The path that the layout `json` reads as the time if none is mapped.
    package var unmappedTime: String? { Self.knownTimes.first { places[[$0.key]] != nil }?.key }

    // MARK: Lines in objects

    /// Where a whole log line is in the objects, as Docker writes it; nil if there is none.
    package var pathOfLines: [String]? {
        let path = best(["log", "message", "msg", "line", "event", "raw", "text"], mustBeNamed: true) { $0.isLogLine }
        return path.flatMap { places[$0]?.isInList == true ? nil : $0 }
    }

    /// The list of objects that hold the hits; nil if there is none. No layout reads it.
    package var listOfHits: String? { listsOfHits.map(Self.text).min() }

    /// The list that is empty in all lines; nil if there is none.
    package var emptyList: String? { emptyLists.filter { $0.value == lines }.keys.map(Self.text).min() }

    // MARK: Names

    /// The path of whose values at least so many of ten are of a kind: by its name's position in `names`, then by its length and its bytes.
    private func best(
        _ names: [String], of ten: Int = 9, mustBeNamed: Bool = false, _ isOfKind: (String) -> Bool
    ) -> [String]? {
        let candidates = places.filter { path, place in
            let texts = place.values.texts
            return !place.hasOthers && texts.count * 2 > lines
                && texts.values.count { isOfKind($0) } * 10 >= texts.count * ten
        }
        return candidates.keys.filter { !mustBeNamed || nameRank($0, names) < 2 * names.count }
            .min {
                (nameRank($0, names), $0.count, Self.text($0)) < (nameRank($1, names), $1.count, Self.text($1))
            }
    }

    /// The position of a path's last key in `names`. A key that only contains a name comes later, another one last.
    private func nameRank(_ path: [String], _ names: [String]) -> Int {
        let name = (path.last ?? "").lowercased().filter(\.isLetter)
        if let exact = names.firstIndex(of: name) { return exact }
        return names.firstIndex { $0.count > 2 && name.contains($0) }.map { $0 + names.count } ?? 2 * names.count
    }
}

extension String {
    /// Whether it is a time in any form that a JSON layout reads.
    fileprivate var isReceiptTime: Bool { isReceiptTime(.anyUnit) }

    fileprivate func isReceiptTime(_ form: ReceiptClock.Form) -> Bool {
        let bytes = Array(utf8)
        var clock = ReceiptClock(.utc)
        guard let time = clock.time(bytes.span, 0..<bytes.count, form) else { return false }
        // Milliseconds that are read as seconds are no time of a log.
        return (1_000_000_000_000..<10_000_000_000_000).contains(time)
    }

    fileprivate var isLogLine: Bool {
        let line = Array(utf8)
        let isOfQuotes = line.count { $0 == UInt8(ascii: "\"") } >= 2 || contains("mzip=")
        return isOfQuotes && RecordFormat.allCases.contains { $0.hasSign(in: line.span) }
    }

    /// Whether it has the shape of `pattern`, in which 0 stands for a digit.
    fileprivate func isPart(_ pattern: String) -> Bool { utf8.count == pattern.utf8.count && hasPartPrefix(pattern) }

    fileprivate func hasPartPrefix(_ pattern: String) -> Bool {
        utf8.count >= pattern.utf8.count
            && zip(utf8, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
    }
}
