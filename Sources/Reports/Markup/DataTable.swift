/// A table of figures. Its columns are made of the rows' values; the first one names the row.
struct DataTable {
    /// A column of rows that are of a type.
    struct Column<Row> {
        let name: String
        let isText: Bool
        let isShown: Bool
        let cell: (Row) -> Markup

        /// Numbers, which stand at the right. Columns about a compared period are shown only if there is one.
        static func number(_ name: String, if isShown: Bool = true, _ cell: @escaping (Row) -> String) -> Column {
            markup(name, isText: false, if: isShown) { Markup(text: cell($0)) }
        }

        /// Counts, exact; one that is not known is `–`.
        static func count(_ name: String, if isShown: Bool = true, _ count: @escaping (Row) -> Int?) -> Column {
            number(name, if: isShown) { count($0).map(NumberText.exact) ?? NumberText.none }
        }

        /// Rates in per cent.
        static func rate(
            _ name: String, if isShown: Bool = true, places: Int = 1, _ rate: @escaping (Row) -> Double?
        ) -> Column {
            number(name, if: isShown) { NumberText.percent(rate($0), places: places) }
        }

        /// Texts, which stand at the left.
        static func text(_ name: String, if isShown: Bool = true, _ cell: @escaping (Row) -> String) -> Column {
            markup(name, if: isShown) { Markup(text: cell($0)) }
        }

        static func markup(
            _ name: String, isText: Bool = true, if isShown: Bool = true, _ cell: @escaping (Row) -> Markup
        ) -> Column {
            Column(name: name, isText: isText, isShown: isShown, cell: cell)
        }
    }

    private let caption: String
    private let columns: [(name: String, isText: Bool)]
    private let rows: [[Markup]]

    init<Row>(_ caption: String, of rows: some Sequence<Row>, _ columns: [Column<Row>]) {
        let shown = columns.filter(\.isShown)
        self.caption = caption
        self.columns = shown.map { ($0.name, $0.isText) }
        self.rows = rows.map { row in shown.map { $0.cell(row) } }
    }

    var markup: Markup { markup(begun: rows.count) }

    /// It scrolls sideways by itself where the page is too narrow for it.
    /// - Parameter count: so many rows are shown, and the others if somebody asks for them, or prints the page.
    private func markup(begun count: Int) -> Markup {
        .element("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption]) {
            Markup.element("table") {
                Markup.element("caption") { caption }
                Markup.element("thead") { header }
                Markup.element("tbody") { for row in rows.prefix(count) { line(row) } }
                if rows.count > count {
                    Markup.element("tbody", ["class": "more"]) { for row in rows.dropFirst(count) { line(row) } }
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
        return .element("div", ["class": "begun"]) {
            Markup.element("input", ["type": "checkbox", "id": id])
            Markup.element("label", ["for": id]) { "\(NumberText.exact(rows.count - count)) more" }
            markup(begun: count)
        }
    }

    private var header: Markup {
        .element("tr") {
            for (index, column) in columns.enumerated() {
                Markup.element("th", isText(index) ? ["scope": "col", "class": "t"] : ["scope": "col"]) { column.name }
            }
        }
    }

    private func line(_ cells: [Markup]) -> Markup {
        .element("tr") {
            for (index, cell) in cells.enumerated() {
                if index == 0 {
                    Markup.element("th", ["scope": "row"]) { filled(cell) }
                } else {
                    Markup.element("td", isText(index) ? ["class": "t"] : [:]) { filled(cell) }
                }
            }
        }
    }

    private func isText(_ index: Int) -> Bool { index == 0 || columns[index].isText }

    private func filled(_ cell: Markup) -> Markup { cell.html.isEmpty ? Markup(text: NumberText.none) : cell }
}
