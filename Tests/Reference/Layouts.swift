extension Pipeline.Source {
    package var layouts: [Pipeline.Layout] { [layout] + otherLayouts }

    /// Whether its files are JSON objects after one another, and not lines.
    var hasBodies: Bool { [.usersTrack, .events].contains(format) && layout == .body }

    /// The same source for each of its layouts.
    package var singles: [Pipeline.Source] {
        layouts.map { layout in
            var single = self
            (single.layout, single.otherLayouts) = (layout, [])
            return single
        }
    }

    /// What the first layout that fits a line finds in it. Nil if none fits.
    package func read(_ line: Bytes, columns: [String]?, zone: Zone) -> LogLine? {
        singles.lazy.compactMap { $0.readOne(line, columns: columns, zone: zone) }.first
    }

    /// What the layout finds in a line. Nil if the line does not fit, and always for `body`, which has no lines.
    /// - Parameter columns: those of the last `#Fields:` line; nil before the first one.
    private func readOne(_ line: Bytes, columns: [String]?, zone: Zone) -> LogLine? {
        let found =
            switch layout {
            case .combined: readCombined(line, zone: zone)
            case .nginx(let format): readNginx(line, format: NginxFormat(withoutPastedQuotes(format)), zone: zone)
            case .apache(let format): readApache(line, format: ApacheFormat(withoutPastedQuotes(format)), zone: zone)
            case .w3c: readW3C(line, columns: columns, zone: zone)
            case .cloudfront: readCloudFront(line, columns: columns, zone: zone)
            case .alb: readALB(line, zone: zone)
            case .body, .csv: nil as LogLine?
            default: readJSON(line, keys: jsonKeys, zone: zone)
            }
        guard let found, found.hasPlausibleStatus else { return nil }
        return found
    }
}

extension Pipeline.Layout {
    /// Whether lines that begin with `#` say what the columns are.
    package var hasFieldsLines: Bool {
        self == .w3c || self == .cloudfront
    }
}

/// The names in a line `#Fields: date time …`. Nil for any other line.
package func columns(inFieldsLine line: Bytes) -> [String]? {
    guard line.hasPrefix("#Fields:") else { return nil }
    let names = Bytes(line.dropFirst(8)).split(whereSeparator: isWhiteSpace)
    return names.map { Bytes($0).text }
}

/// A format that was pasted from a configuration, with its quotes: strings in quotes, which are joined, and perhaps a
/// semicolon. A format that is no such paste stays as it is.
package func withoutPastedQuotes(_ text: String) -> String {
    var rest = Bytes(text).trimmed
    if rest.last == UInt8(ascii: ";") { rest = Bytes(rest.dropLast()).trimmed }
    guard rest.hasPrefix("'") || rest.hasPrefix("\"") && rest.contains("\\\"") else { return text }
    var joined: Bytes = []
    while let quote = rest.first {
        guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return text }
        var index = 1
        while index < rest.count, rest[index] != quote { index += rest[index] == UInt8(ascii: "\\") ? 2 : 1 }
        guard index < rest.count else { return text }
        joined += rest[1..<index]
        let after = Bytes(rest[(index + 1)...])
        // White space must stand between two strings.
        guard after.isEmpty || after.first.map(isWhiteSpace) == true else { return text }
        rest = after.trimmed
    }
    return joined.text
}
