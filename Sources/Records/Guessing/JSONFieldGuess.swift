import Foundation

/// Proposes the paths of the fields in JSON lines of an unknown program, by their values and by the names of their keys.
package struct JSONFieldGuess {
    /// The values of a path in some lines.
    private struct Values {
        var texts: [String] = []
        var hasOthers = false
    }

    private var lines = 0
    private var values: [[String]: Values] = [:]

    /// - Parameter lines: lines that seem to hold a hit. Those that are no JSON objects are left out.
    package init(_ lines: [[UInt8]]) {
        for line in lines {
            guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { continue }
            self.lines += 1
            add(object, at: [])
        }
    }

    private mutating func add(_ value: Any, at path: [String]) {
        switch value {
        case let object as [String: Any]:
            // A path in a pipeline file cannot name such a key.
            for (key, value) in object where !key.isEmpty && !key.contains(".") { add(value, at: path + [key]) }
        case let array as [[String: Any]] where array.first?["name"] is String && array.first?["value"] is String:
            for pair in array {
                if let name = pair["name"] as? String, !name.contains(".") {
                    add(pair["value"] ?? "", at: path + [name])
                }
            }
        case let array as [Any]: if let first = array.first, !(first is [Any]) { add(first, at: path) }
        case let text as String: values[path, default: Values()].texts.append(text)
        case let number as NSNumber: values[path, default: Values()].texts.append("\(number)")
        case is NSNull: break
        default: values[path, default: Values()].hasOthers = true
        }
    }

    /// The paths of the fields that do not have the key by which the layout `json` knows them; nil if the lines do not
    /// have what a record of this kind needs.
    package func paths(_ format: RecordFormat) -> [JSONFields.Field: [String]]? {
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
        let unnamed = statuses(mustBeNamed: false)
        found[.status] =
            best(["status", "statuscode", "responsecode", "code", "scstatus"], mustBeNamed: true) {
                $0.isHTTPStatus || $0 == "0" || $0.isEmpty || $0 == "-"
            } ?? (unnamed.count == 1 ? unnamed[0] : nil)
        found[.userAgent] =
            best(["httpuseragent", "useragent", "agent", "ua", "csuseragent"], mustBeNamed: true) { _ in true }
            ?? best([], of: 2) { $0.isUserAgent }
        if format != .collector { found[.requestBody] = best(["requestbody", "body", "payload"]) { $0.isPayload } }
        findTime(&found)
        let hasRequest = found[.request] != nil || found[.method] != nil && (found[.url] ?? found[.query]) != nil
        guard format == .collector ? hasRequest : found[.requestBody] != nil else { return nil }
        return found.filter { field, path in JSONFields.nginx.path(field) != path }
    }

    /// Where a whole log line is in the objects, as Docker writes it; nil if there is none.
    package var pathOfLines: [String]? {
        best(["log", "message", "msg", "line", "event", "raw", "text"], mustBeNamed: true) { text in
            let isOfQuotes = text.utf8.count { $0 == UInt8(ascii: "\"") } >= 2 || text.contains("mzip=")
            let line = Array(text.utf8)
            return isOfQuotes && RecordFormat.allCases.contains { $0.hasSign(in: line.span) }
        }
    }

    private func hasSign(_ text: String, _ format: RecordFormat) -> Bool {
        format != .collector || format.hasSign(in: Array(text.utf8).span)
    }

    private func findTime(_ found: inout [JSONFields.Field: [String]]) {
        if JSONFieldGuess.knownTimes.contains(where: { values[$0]?.texts.contains { $0.isReceiptTime } ?? false }) {
            return
        }
        if let time = best(["timestamp", "time", "ts", "datetime", "date"], { $0.isReceiptTime }) {
            found[.time] = time
        } else if let date = best(["date"], { $0.isPart("0000-00-00") }),
            let time = best(["time"], { $0.hasPartPrefix("00:00:00") })
        {
            found[.date] = date
            found[.time] = time
        }
    }

    /// The keys that the layout `json` tries by itself.
    private static let knownTimes = ["time_local", "time_iso8601", "msec", "time"].map { [$0] }

    /// The paths of whole times, in order: the one that the layout `json` would take comes first. A number is one only
    /// if its key says so.
    package var times: [[String]] {
        let times = values.filter { path, values in
            let name = (path.last ?? "").lowercased()
            let isNamed = ["time", "date", "stamp", "ts", "msec"].contains { name.contains($0) }
            return !values.hasOthers && values.texts.count * 10 >= lines * 9
                && values.texts.allSatisfy { $0.isReceiptTime && (isNamed || Double($0) == nil) }
        }.keys
        let known = JSONFieldGuess.knownTimes.filter(times.contains)
        return known + times.filter { !known.contains($0) }.sorted { $0.joined() < $1.joined() }
    }

    /// The paths of what can be a status by its value, and by its name if it must have one, in order.
    package func statuses(mustBeNamed: Bool = true) -> [[String]] {
        values.filter { path, values in
            let name = (path.last ?? "").lowercased()
            return !values.hasOthers && values.texts.count { $0.isHTTPStatus } * 2 > lines
                && values.texts.allSatisfy { $0.isHTTPStatus || $0 == "-" || $0.isEmpty || $0 == "0" }
                && (!mustBeNamed && Set(values.texts).count > 1 || name.contains("status") || name.contains("code"))
        }.keys.sorted { $0.joined() < $1.joined() }
    }

    /// The path of whose values at least so many of ten are of a kind: by its name's position in `names`, then by its length and its bytes.
    private func best(
        _ names: [String], of ten: Int = 9, mustBeNamed: Bool = false, _ isOfKind: (String) -> Bool
    ) -> [String]? {
        let candidates = values.filter { path, values in
            !values.hasOthers && !values.texts.isEmpty
                && values.texts.count { isOfKind($0) } * 10 >= values.texts.count * ten
        }
        let ranked = candidates.keys.map { path in
            let name = (path.last ?? "").lowercased().filter(\.isLetter)
            let exact = names.firstIndex(of: name)
            let near = names.firstIndex { name.contains($0) }
            return (path: path, rank: exact ?? near.map { $0 + names.count } ?? 2 * names.count)
        }
        return ranked.filter { !mustBeNamed || $0.rank < 2 * names.count }
            .min {
                ($0.rank, $0.path.count, $0.path.joined(separator: ".")) < (
                    $1.rank, $1.path.count, $1.path.joined(separator: ".")
                )
            }?
            .path
    }
}

extension String {
    /// Whether it is a time in any form that a JSON layout reads.
    fileprivate var isReceiptTime: Bool {
        let bytes = Array(utf8)
        let (text, range) = (bytes.span, 0..<bytes.count)
        if CivilTime(timeLocal: text, range) != nil || CivilTime(iso: text, range, dateAlone: false) != nil {
            return true
        }
        guard let number = Double(self) else { return false }
        // Seconds or milliseconds from 2001 on.
        return (1e9..<1e10).contains(number) || (1e12..<1e13).contains(number)
    }

    /// Whether it has the shape of `pattern`, in which 0 stands for a digit.
    fileprivate func isPart(_ pattern: String) -> Bool { utf8.count == pattern.utf8.count && hasPartPrefix(pattern) }

    fileprivate func hasPartPrefix(_ pattern: String) -> Bool {
        utf8.count >= pattern.utf8.count
            && zip(utf8, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
    }
}
