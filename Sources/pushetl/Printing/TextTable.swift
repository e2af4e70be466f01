import Messages

/// Rows with aligned cells; the last column has no width.
struct TextTable {
    enum Side {
        case left
        case right
    }

    private let sides: [Side]
    private var rows: [[String]] = []

    init(_ sides: [Side]) {
        self.sides = sides
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    var lines: [String] {
        let widths = sides.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { cells in
            let texts = cells.indices.map { column in
                if sides[column] == .right { return Text.padded(cells[column], to: widths[column]) }
                return column == sides.count - 1 ? cells[column] : Text.column(cells[column], width: widths[column])
            }
            let line = texts.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
