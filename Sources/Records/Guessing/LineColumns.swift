/// The words of a line that its format skips: among them may be what it should have taken.
package struct LineColumns {
    /// A place for words: one word of a skipped value or of what follows the last value, or several.
    private struct Column: Hashable {
        let name: String
        let word: Int
        let count: Int
    }

    private let format: LineFormat
    private let reader: LineFormatReader

    /// Nil if the layout has no columns, or names them all.
    package init?(_ layout: Layout) {
        switch layout {
        case .nginx(let format), .apache(let format): self.format = format
        case .combined:
            guard let format = try? LineFormat(nginx: Self.combined) else { return nil }
            self.format = format
        default: return nil
        }
        reader = LineFormatReader(format)
    }

    private static let combined =
        "$remote_addr $identity $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" "
        + "\"$http_user_agent\""

    /// The name of what is taken as a field.
    package func taken(_ field: JSONFields.Field) -> String {
        let piece = format.pieces.first { piece in
            switch piece.value {
            case .field(let value): value == field
            case .time, .formattedTime: field == .time
            case nil: false
            }
        }
        return piece?.names[0] ?? field.name
    }

    /// What the lines have in each column. A line that does not fit has nothing.
    package func values(of lines: [[UInt8]]) -> [HitValues] {
        var values: [Column: HitValues] = [:]
        for (index, line) in lines.enumerated() {
            for (column, range) in columns(of: line.span) {
                let text = String(decoding: line[range], as: UTF8.self)
                values[column, default: HitValues(name: column.name)].texts[index] = text
            }
        }
        return values.sorted { ($0.key.name, $0.key.word, $0.key.count) < ($1.key.name, $1.key.word, $1.key.count) }
            .map(\.value)
    }

    /// Of each skipped value its words, each two neighbours, since a time may be of two words, and all of it, which may be
    /// a user agent.
    private func columns(of line: Span<UInt8>) -> [(Column, Range<Int>)] {
        guard let values = reader.values(of: line) else { return [] }
        var columns: [(Column, Range<Int>)] = []
        func add(_ range: Range<Int>, _ name: String) {
            var words: [Range<Int>] = []
            var start = range.lowerBound
            for index in range.lowerBound...range.upperBound {
                guard index == range.upperBound || Self.separators.contains(line[index]) else { continue }
                if index > start { words.append(start..<index) }
                start = index + 1
            }
            guard let first = words.first, let last = words.last else { return }
            for (index, word) in words.enumerated() {
                columns.append((Column(name: name, word: index, count: 1), word))
                guard index > 0 else { continue }
                let two = words[index - 1].lowerBound..<word.upperBound
                columns.append((Column(name: name, word: index - 1, count: 2), two))
            }
            columns.append((Column(name: name, word: 0, count: 0), first.lowerBound..<last.upperBound))
        }
        for (piece, range) in zip(format.pieces, values) where piece.value == nil { add(range, piece.names[0]) }
        if let (last, range) = zip(format.pieces, values).reversed().first, last.value != nil {
            let rest = min(range.upperBound + last.literal.count, line.count)
            add(rest..<line.count, "the text after \(last.names[0])")
        }
        return columns
    }

    private static let separators = Array(" \t\"|,;=()[]{}".utf8)
}
