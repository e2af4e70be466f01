import Calendar
import Foundation

/// Proposes the paths of the fields in JSON lines of an unknown program, by their values and by the names of their
/// keys.
package struct JSONFieldGuess {
    private typealias Field = JSONFields.Field

    private var lines = 0
    private var places: [[String]: HitValues] = [:]
    /// The paths whose texts are the first ones of lists.
    private var lists: Set<[String]> = []
    /// The paths of lists that begin with an object.
    private var objectLists: Set<[String]> = []
    /// The paths of lists of objects in which a hit is. No layout reads them.
    private var listsOfHits: Set<[String]> = []
    /// The names that several columns of a CSV file have. No load reads these columns.
    package private(set) var namesTwice: Set<String> = []
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

    /// The rows of a CSV file; nil if it does not begin with a header. Rows that do not fit the header are left out, and
    /// columns whose name a pipeline file cannot give.
    package init?(table bytes: Span<UInt8>) {
        let rows = JSONFieldGuess.rows(bytes, most: .max)
        guard let names = rows.first?.map(\.trimmed), JSONFieldGuess.isHeader(names, of: rows) else { return nil }
        namesTwice = Set(names.filter { name in name.mayNameField && names.count(where: { $0 == name }) > 1 })
        let mayBeNamed = names.map { $0.mayNameField && !namesTwice.contains($0) }
        for texts in rows.dropFirst() where texts.count <= names.count && texts.map(\.trimmed) != names {
            for (column, text) in texts.enumerated() where mayBeNamed[column] && !text.isEmpty {
                add(text, at: [names[column]], of: lines)
            }
            lines += 1
        }
        if lines == 0 { return nil }
    }

    /// Why a CSV file does not begin with a header.
    package enum HeaderLack {
        /// Its first row has values, as many as the other rows.
        case values(Int)
        /// The header is in this line, from 1.
        case later(line: Int)
    }

    /// Nil if the text is no CSV, or has a header.
    package static func headerLack(table bytes: Span<UInt8>) -> HeaderLack? {
        var start = 0
        for line in 1...10 where start < bytes.count {
            let rows = rows(bytes.extracting(start...), most: 100)
            if let first = rows.first, rows.count > 1, rows.allSatisfy({ $0.count == first.count && $0.count > 2 }) {
                if isHeader(first.map(\.trimmed), of: rows) { return line > 1 ? .later(line: line) : nil }
                if line == 1 { return .values(first.count) }
            }
            guard let end = bytes.firstIndex(of: 0x0A, from: start, to: bytes.count) else { return nil }
            start = end + 1
        }
        return nil
    }

    /// The rows of a CSV file; none if the text is something else.
    private static func rows(_ bytes: Span<UInt8>, most: Int) -> [[String]] {
        var reader = CSVReader()
        var row = CSVRow()
        var rows: [[String]] = []
        var index = 0
        while rows.count <= most, index < bytes.count {
            switch reader.read(bytes, from: index, atEnd: true) {
            case .emptyLine(let end): index = end
            case .row(let end):
                index = end
                row.copy(reader, of: bytes)
                rows.append((0..<row.count).map { String(decoding: row.bytes[row.range($0)], as: UTF8.self) })
            default: return []
            }
        }
        return rows
    }

    /// Whether the first row of a table has names: whatever they are, unless they look like the values below them. Joined
    /// exports have several headers, in another order or with other columns, which do not count as values.
    private static func isHeader(_ names: [String], of rows: [[String]]) -> Bool {
        guard names.count > 2 else { return false }
        let rows = rows.dropFirst().map { $0.map(\.trimmed) }.filter { row in
            !Set(row).isSubset(of: names) && !Set(row).isSuperset(of: names)
        }
        if rows.isEmpty { return false }
        var alike = 0
        for (column, name) in names.enumerated() where !name.isEmpty {
            let values = rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
            guard !values.isEmpty else { continue }
            // No column has a time or a number as its name, nor what may be a person's.
            let kinds: [(String) -> Bool] = [\.isLogTime, { Double($0) != nil }, { !$0.isNameOfProgram }]
            if kinds.contains(where: { isOfKind in isOfKind(name) && values.areMostly(isOfKind) }) { return false }
            // One column may be called as a value of it is, such as `push`.
            let shape = name.withoutNumbers
            let isAlike =
                shape == name ? values.contains(name) : values.contains { $0.withoutNumbers == shape }
            if isAlike { alike += 1 }
        }
        return alike < 2
    }

    private mutating func add(_ value: Any, at path: [String], of line: Int) {
        if let array = value as? [Any], array.first is [String: Any] { objectLists.insert(path) }
        switch value {
        case let object as [String: Any]:
            for (key, value) in object where key.mayNameField {
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
                lists.insert(path)
                add(first, at: path, of: line)
            }
        case is NSNull: break
        default: places[path, default: HitValues(name: Self.text(path))].texts[line] = "\(value)"
        }
    }

    private static func holdsHit(_ value: Any) -> Bool {
        switch value {
        case let object as [String: Any]: object.values.contains(where: holdsHit)
        case let array as [Any]: array.contains(where: holdsHit)
        case let text as String: text.hasSign(.collector)
        default: false
        }
    }

    private static func text(_ path: [String]) -> String { PathText.text(path) }

    /// The shortest first.
    private static func sorted(_ paths: some Sequence<[String]>) -> [[String]] {
        paths.sorted { ($0.count, text($0)) < ($1.count, text($1)) }
    }

    /// The paths with a text or a number.
    private var paths: [[String]] { Self.sorted(places.keys) }

    /// The paths of the lists of objects.
    package var listsOfObjects: [[String]] { Self.sorted(objectLists) }

    /// What the lines have at each path.
    package var values: [HitValues] { paths.compactMap { places[$0] } }

    /// What the lines have at each path that leads into no list.
    package var valuesOutsideLists: [HitValues] { paths.filter { !lists.contains($0) }.compactMap { places[$0] } }

    // MARK: Fields

    /// The paths of the fields that do not have the key by which the layout `json` knows them; nil if the lines do not
    /// have what a record of this kind needs.
    /// - Parameter day: the date in the file's path.
    package func fields(_ format: RecordFormat, on day: LogDate?) -> [JSONFields.Field: [String]]? {
        let (guess, found) = found(format, on: day)
        guard lines > 0, format == .collector ? guess.hasRequest : found[.requestBody] != nil else { return nil }
        return found.filter { field, path in
            field == .time ? !isReadUnmapped(path) || found[.date] != nil : JSONFields.nginx.path(field) != path
        }
    }

    // A `Regex` never changes, but is not Sendable.
    nonisolated(unsafe) private static let date = #/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/#
    nonisolated(unsafe) private static let clock = #/^[0-9]{2}:[0-9]{2}:[0-9]{2}/#

    private func found(_ format: RecordFormat, on day: LogDate?) -> (FieldGuess, [JSONFields.Field: [String]]) {
        let paths = paths
        let guess = FieldGuess(values, hits: lines, format: format, hasOrder: false, on: day) {
            Self.isTime($0, as: .any)
        }
        var found = guess.found.mapValues { paths[$0] }
        if found[.time] == nil,
            let date = guess.best(["date"], where: { $0.contains(Self.date) }),
            let time = guess.best(["time"], where: { $0.contains(Self.clock) })
        {
            found[.date] = paths[date]
            found[.time] = paths[time]
        }
        return (guess, found)
    }

    /// What the lines lack that a record of this kind needs, in words; nil if they lack nothing.
    package func lack(_ format: RecordFormat, on day: LogDate?) -> String? {
        guard lines > 0, format == .collector else { return nil }
        let (guess, found) = found(format, on: day)
        guard guess.hasRequest else { return "no method such as GET, or no URL," }
        if found[.request] == nil, found[.url] == nil, found[.path] == nil { return "no path such as /r/" }
        guard found[.time] == nil, unmappedTime == nil else { return nil }
        return "no time, as a number or written as 2026-11-19T10:00:00Z or 19/Nov/2026:10:00:00 +0000,"
    }

    /// Whether a text is a time in this form. Milliseconds that are read as seconds are no time of a log.
    private static func isTime(_ text: String, as form: ReceiptClock.Form) -> Bool {
        let bytes = Array(text.utf8)
        var clock = ReceiptClock(.utc)
        return clock.time(bytes.span, in: bytes.indices, as: form).map { WrittenTime.plausible.contains($0) } ?? false
    }

    private func isReadUnmapped(_ path: [String]) -> Bool {
        let known = JSONLayout.defaultTimes.first { places[[$0.key]] != nil }
        guard let known, [known.key] == path else { return false }
        return places[path]?.texts.values.areMostly { Self.isTime($0, as: known.form) } ?? false
    }

    /// The path that the layout `json` reads as the time if none is mapped.
    package var unmappedTime: String? { JSONLayout.defaultTimes.first { places[[$0.key]] != nil }?.key }

    // MARK: Lines in objects

    /// Where a whole log line is in the objects, as Docker writes it; nil if there is none.
    package var pathOfLines: [String]? {
        let names = ["log", "message", "msg", "line", "event", "raw", "text"]
        let guess = FieldGuess(values, hits: lines, format: .collector, hasOrder: false, on: nil)
        return guess.best(names, mustBeNamed: true) { text in
            (text.count { $0 == "\"" } >= 2 || text.contains("mzip="))
                && RecordFormat.allCases.contains { text.hasSign($0) }
        }.map { paths[$0] }.flatMap { lists.contains($0) ? nil : $0 }
    }

    /// The paths of texts that are JSON, or hold it.
    package var pathsOfPayloads: [[String]] {
        paths.filter { path in
            let texts = places[path]?.texts.values.filter { !["", "-"].contains($0) } ?? []
            return !texts.isEmpty && !lists.contains(path) && texts.allSatisfy { $0.contains(String.objectStart) }
        }
    }

    /// The list of objects that hold the hits; nil if there is none. No layout reads it.
    package var listOfHits: String? { listsOfHits.map(Self.text).min() }

    /// The list that is empty in all lines; nil if there is none.
    package var emptyList: String? { emptyLists.filter { $0.value == lines }.keys.map(Self.text).min() }
}

extension String {
    /// Whether a path in a pipeline file can name this key, and it is the name of a field. Other keys are rather values
    /// that objects are sorted by, and are not shown.
    fileprivate var mayNameField: Bool {
        !isEmpty && !contains("\"") && unicodeScalars.allSatisfy { $0.value >= 0x20 } && isNameOfProgram
    }

    /// Whether a program gave a key, or an event, this name. One with an address or many digits may belong to a person.
    /// `@timestamp` is a name.
    package var isNameOfProgram: Bool {
        let digits = count(where: \.isNumber)
        // Most names need no search.
        if digits < 5, !contains("@") { return true }
        return digits < 6 && !contains(#/[^.]@|[0-9]{5}/#)
    }
}

extension Span<UInt8> {
    /// The ranges of the JSON objects in a line, if it begins with one. What follows the last sound one is another
    /// range.
    package var objects: [Range<Int>] {
        var scanner = JSONScanner(capturing: [], checksUTF8: false)
        var place = ObjectPlace()
        var objects: [Range<Int>] = []
        var start = place.skipToObject(in: self, from: 0)
        while start < count {
            guard case .object(let end) = scanner.scanFront(extracting(start..<count)) else {
                objects.append(start..<count)
                break
            }
            objects.append(start..<start + end)
            start = place.skipToObject(in: self, from: start + end)
        }
        return objects
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }

    /// The text with each number as 0: `m0` for `m17`.
    fileprivate var withoutNumbers: String { replacing(#/[0-9]+/#, with: "0") }
}
