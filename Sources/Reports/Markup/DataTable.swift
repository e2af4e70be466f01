/// A table of figures. Its columns are made of the rows' values; the first one names the row.
struct DataTable {
    /// A column of rows that are of a type.
    struct Column<Row> {
        let name: String
        let isText: Bool
        let isShown: Bool
        /// The cell of a row; nil for an unknown value, which is shown as `–`.
        let cell: (Row) -> Markup?

        /// A column of numbers, aligned to the right. `isShown` is false for columns of a compared period if there is
        /// none.
        static func number(_ name: String, if isShown: Bool = true, of text: @escaping (Row) -> String?) -> Column {
            markup(name, isText: false, if: isShown) { text($0).map { Markup($0) } }
        }

        /// A column of exact counts.
        static func count(_ name: String, if isShown: Bool = true, of count: @escaping (Row) -> Int?) -> Column {
            number(name, if: isShown) { count($0).map(NumberText.exact) }
        }

        /// Rates in per cent.
        static func rate(
            _ name: String, if isShown: Bool = true, places: Int = 1, of rate: @escaping (Row) -> Double?
        ) -> Column {
            number(name, if: isShown) { NumberText.percent(rate($0), places: places) }
        }

        /// A column of texts, aligned to the left.
        static func text(_ name: String, if isShown: Bool = true, of text: @escaping (Row) -> String?) -> Column {
            markup(name, if: isShown) { text($0).map { Markup($0) } }
        }

        static func markup(
            _ name: String, isText: Bool = true, if isShown: Bool = true, of cell: @escaping (Row) -> Markup?
        ) -> Column {
            Column(name: name, isText: isText, isShown: isShown, cell: cell)
        }

        /// A count and a rate of the compared period, and how the rate has changed since.
        static func former(
            count: String, rate: String, change: String = "change", if isShown: Bool, places: Int = 1,
            of former: @escaping (Row) -> (count: Int?, rate: Double?, now: Double?)
        ) -> [Column] {
            [
                .count(count, if: isShown) { former($0).count },
                .rate(rate, if: isShown, places: places) { former($0).rate },
                .number(change, if: isShown) { NumberText.points(from: former($0).rate, to: former($0).now) },
            ]
        }
    }

    private let caption: String
    private let columns: [(name: String, isText: Bool)]
    private let rows: [[Markup]]

    init<Row>(_ caption: String, of rows: some Sequence<Row>, columns: [Column<Row>]) {
        let shown = columns.filter(\.isShown)
        self.caption = caption
        self.columns = shown.map { ($0.name, $0.isText) }
        self.rows = rows.map { row in
            shown.map { column in
                let cell = column.cell(row) ?? .nothing
                return cell.html.isEmpty ? Markup(NumberText.none) : cell
            }
        }
    }

    var markup: Markup { markup(begun: rows.count) }

    /// On a narrow page, the table scrolls sideways by itself.
    /// - Parameter count: the number of rows that are shown at once. The others appear on request, and in print.
    private func markup(begun count: Int) -> Markup {
        .element("div", with: ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption]) {
            Markup.element("table") {
                Markup.element("caption") { caption }
                Markup.element("thead") { header }
                Markup.element("tbody") { for row in rows.prefix(count) { line(row) } }
                if rows.count > count {
                    Markup.element("tbody", with: ["class": "more"]) { for row in rows.dropFirst(count) { line(row) } }
                }
            }
        }
    }

    /// The table, folded under a summary that opens it.
    func folded(_ summary: String? = nil, note: String? = nil) -> Markup {
        .element("details") {
            Markup.element("summary") { summary ?? "Table: \(caption)" }
            if let note { Markup.paragraph(note) }
            markup
        }
    }

    /// The first rows, and a box that shows the others. A printed page has all.
    func begun(rows count: Int = 10) -> Markup {
        guard rows.count > count else { return markup }
        let id = "more-" + String(caption.map { $0.isLetter ? $0 : "-" })
        return .element("div", with: ["class": "begun"]) {
            Markup.element("input", with: ["type": "checkbox", "id": id])
            Markup.element("label", with: ["for": id]) { "\(NumberText.exact(rows.count - count)) more" }
            markup(begun: count)
        }
    }

    private var header: Markup {
        .element("tr") {
            for (index, column) in columns.enumerated() {
                Markup.element("th", with: isText(index) ? ["scope": "col", "class": "t"] : ["scope": "col"]) {
                    column.name
                }
            }
        }
    }

    private func line(_ cells: [Markup]) -> Markup {
        .element("tr") {
            for (index, cell) in cells.enumerated() {
                if index == 0 {
                    Markup.element("th", with: ["scope": "row"]) { cell }
                } else {
                    Markup.element("td", with: isText(index) ? ["class": "t"] : [:]) { cell }
                }
            }
        }
    }

    private func isText(_ index: Int) -> Bool { index == 0 || columns[index].isText }
}

extension Markup.Builder {
    static func buildExpression(_ table: DataTable) -> Markup { table.markup }
}
