/// A table of figures. The first column names the row; the others hold numbers unless their name is in `texts`.
struct DataTable {
    var caption: String
    let columns: [String]
    var texts: Set<String> = []
    var rows: [[Markup]] = []

    /// Adds a row whose first cell names it.
    mutating func add(_ name: Markup, _ cells: [Markup]) {
        rows.append([name] + cells)
    }

    mutating func add(_ name: String, _ cells: [String]) {
        add(Markup(text: name), cells.map(Markup.init(text:)))
    }

    /// It scrolls sideways by itself where the page is too narrow for it.
    var markup: Markup {
        .element("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption]) {
            Markup.element("table") {
                Markup.element("caption") { caption }
                Markup.element("thead") { header }
                Markup.element("tbody") { for row in rows { line(row) } }
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

    /// The first rows, and the others folded.
    func begun(rows count: Int = 10) -> Markup {
        var (first, others) = (self, self)
        first.rows = Array(rows.prefix(count))
        others.rows = Array(rows.dropFirst(count))
        others.caption = caption + ", continued"
        var all = first.markup
        if !others.rows.isEmpty { all.append(others.folded("\(NumberText.exact(others.rows.count)) more")) }
        return all
    }

    private var header: Markup {
        .element("tr") {
            for (index, column) in columns.enumerated() {
                Markup.element("th", isText(index) ? ["scope": "col", "class": "t"] : ["scope": "col"]) { column }
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

    private func isText(_ index: Int) -> Bool { index == 0 || texts.contains(columns[index]) }

    private func filled(_ cell: Markup) -> Markup { cell.html.isEmpty ? Markup(text: NumberText.none) : cell }
}
