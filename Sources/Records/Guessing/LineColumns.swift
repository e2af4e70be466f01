import Calendar

/// The words of a line that its format skips: among them may be what it should have taken.
package struct LineColumns {
    /// A place for words: a value of the format, or what follows the last one.
    package struct Column: Hashable, Sendable {
        /// In the words of the layout: `$skipped3`.
        package let name: String
        let word: Int
    }

    private let format: LineFormat
    private let reader: LineFormatReader
    private var clock: ReceiptClock

    /// Nil if the layout has no columns, or names them all.
    package init?(_ layout: Layout, zone: ZoneRules) {
        switch layout {
        case .nginx(let format), .apache(let format): self.format = format
        case .combined:
            guard let format = try? LineFormat(nginx: Self.combined) else { return nil }
            self.format = format
        default: return nil
        }
        reader = LineFormatReader(format)
        clock = ReceiptClock(zone)
    }

    private static let combined =
        "$remote_addr $identity $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" "
        + "\"$http_user_agent\""

    /// The name of the value that is taken as the status, and of those that are taken as the time.
    package var status: String? { name { $0 == .field(.status) } }
    package var time: String? {
        name { if case .time = $0 { true } else { false } } ?? name { if case .timeParts = $0 { true } else { false } }
    }

    private func name(_ isIt: (LineFormat.Value) -> Bool) -> String? {
        format.pieces.first { $0.value.map(isIt) ?? false }?.names[0]
    }

    /// The skipped words of a line, from left to right; nil if the line does not fit.
    private func words(of line: Span<UInt8>) -> [(column: Column, range: Range<Int>)]? {
        guard let values = reader.values(of: line) else { return nil }
        var words: [(Column, Range<Int>)] = []
        func add(_ range: Range<Int>, _ name: String) {
            var (start, count) = (range.lowerBound, 0)
            for index in range.lowerBound...range.upperBound {
                guard index == range.upperBound || Self.separators.contains(line[index]) else { continue }
                if index > start {
                    words.append((Column(name: name, word: count), start..<index))
                    count += 1
                }
                start = index + 1
            }
        }
        for (piece, range) in zip(format.pieces, values) where piece.value == nil { add(range, piece.names[0]) }
        if let (last, range) = zip(format.pieces, values).reversed().first, last.value != nil {
            let rest = min(range.upperBound + last.literal.count, line.count)
            add(rest..<line.count, "the text after \(last.names[0])")
        }
        return words
    }

    private static let separators = Array(" \t\"|,;=()[]{}".utf8)

    /// The three digits or hyphens in each column that has nothing else in this line.
    package func statuses(in line: Span<UInt8>) -> [Column: String]? {
        guard let words = words(of: line) else { return nil }
        let texts = words.map {
            ($0.column, String(decoding: line.extracting($0.range).indices.map { line[$0] }, as: UTF8.self))
        }
        return Dictionary(texts.filter { $1.isHTTPStatus || $1 == "-" }) { first, _ in first }
    }

    /// The times in columns, in milliseconds since 1970. They may be of two words.
    package mutating func times(in line: Span<UInt8>) -> [Column: Int64]? {
        guard let words = words(of: line) else { return nil }
        var times: [Column: Int64] = [:]
        for (index, word) in words.enumerated() {
            var ends = [word.range.upperBound]
            if index + 1 < words.count, words[index + 1].column.name == word.column.name {
                ends.append(words[index + 1].range.upperBound)
            }
            let instants = ends.compactMap { instant(line, word.range.lowerBound..<$0) }
            if let instant = instants.last { times[word.column] = instant }
        }
        return times
    }

    private mutating func instant(_ line: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        switch TimeGuess(line, range, isEnclosed: true) {
        case nil: return nil
        case .timeLocal: return clock.time(line, range, .timeLocal)
        case .iso8601: return clock.time(line, range, .iso8601)
        case .msec: return clock.time(line, range, .msec)
        case .apache(let text):
            guard let format = try? LineFormat(apache: text) else { return nil }
            var fields = LogFields()
            guard (try? LineFormatReader(format).read(line.extracting(range), into: &fields)) != nil,
                let time = fields[.time]
            else { return nil }
            return clock.time(fields.bytes.span, time, fields.timeForm)
        }
    }
}
