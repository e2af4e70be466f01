/// The words of a line that its format skips: among them may be what it should have taken.
package struct LineColumns {
    private let format: LineFormat

    /// Nil if the layout has no columns, or names them all.
    package init?(_ layout: Layout) {
        let combined =
            "$remote_addr $identity $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" "
            + "\"$http_user_agent\""
        // That format is fixed, and valid.
        guard let format = layout == .combined ? try? LineFormat(nginx: combined) : layout.format else { return nil }
        self.format = format
    }

    /// The name of what is taken as a field.
    package func taken(_ field: JSONFields.Field) -> String {
        format.pieces.first { $0.value?.field == field }?.names[0] ?? field.name
    }

    /// What the lines have in each column. A line that does not fit has nothing.
    package func values(of lines: [[UInt8]]) -> [HitValues] {
        let reader = LineFormatReader(format)
        var columns: [[String]: HitValues] = [:]
        for (index, line) in lines.enumerated() {
            guard let values = reader.values(of: line.span), let last = format.pieces.last else { continue }
            func add(_ range: Range<Int>, named name: String) {
                for (place, text) in Self.words(String(decoding: line[range], as: UTF8.self)) {
                    columns[[name, place], default: HitValues(name: name)].texts[index] = text
                }
            }
            for (piece, range) in zip(format.pieces, values) where piece.value == nil {
                add(range, named: piece.names[0])
            }
            if last.value != nil, let end = values.last?.upperBound {
                add(min(end + last.literal.count, line.count)..<line.count, named: "the text after \(last.names[0])")
            }
        }
        return columns.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// The words of a text, each two neighbours, since a time may be of two words, and all of it, which may be a user
    /// agent.
    private static func words(_ text: String) -> [(place: String, text: String)] {
        let words = text.split { " \t\"|,;=()[]{}".contains($0) }
        guard let first = words.first, let last = words.last else { return [] }
        let pairs = zip(words, words.dropFirst()).enumerated().map { index, pair in
            ("\(index) and next", String(text[pair.0.startIndex..<pair.1.endIndex]))
        }
        return words.enumerated().map { ("\($0)", String($1)) } + pairs
            + [("all", String(text[first.startIndex..<last.endIndex]))]
    }
}

extension Layout {
    /// The format of a layout that the pipeline file spells out.
    package var format: LineFormat? {
        switch self {
        case .nginx(let format), .apache(let format): format
        default: nil
        }
    }
}
