import Foundation

/// A chart of the bundle for Superset.
struct SupersetChart: Decodable {
    /// The only value of a column that is wanted; without one, any but NULL.
    struct Condition: Decodable {
        let column: String
        var value: String?
    }

    let title: String
    /// Superset's name of this kind of chart.
    let kind: String
    let dataset: String
    let columns: [String]
    /// Without any, the rows are shown as they are.
    let metrics: [String]
    var only: Condition?
    /// SQL that groups must fulfil.
    var having: String?
    var limit: Int?
    var format: String?
    var orientation: String?
    /// Columns of twelve, and rows of 8 pixels.
    let width: Int
    let height: Int

    var id: String { SupersetName(kind: "chart", name: title).id }

    /// The rows of charts that show the figures.
    static func figures() throws -> [[SupersetChart]] {
        try JSONDecoder().decode(
            [[SupersetChart]].self, from: Data(Templates.superset.fill("figures").json.utf8))
    }

    /// The answer to a question.
    static func answer(_ dataset: SupersetDataset) -> SupersetChart {
        SupersetChart(
            title: dataset.name, kind: "table", dataset: dataset.name, columns: dataset.columnNames, metrics: [],
            width: 6, height: 44)
    }

    func definition(_ dataset: SupersetDataset) -> JSONText {
        let templates = Templates.superset
        var conditions: [[String: JSONText]] = []
        if let column = dataset.timeColumn {
            conditions.append([
                "column": .text(column), "operation": .text("TEMPORAL_RANGE"), "value": .text("No filter"),
            ])
        }
        if let only {
            let operation = only.value == nil ? "IS NOT NULL" : "=="
            conditions.append([
                "column": .text(only.column), "operation": .text(operation), "value": .text(only.value),
            ])
        }
        var values: [String: JSONText] = [
            "title": .text(title), "description": .text(dataset.isAnswer ? dataset.description : ""),
            "kind": .text(kind), "id": .plain(id), "datasetID": .plain(dataset.id),
            "columns": .texts(columns), "metrics": .texts(metrics), "firstMetric": .text(metrics.first),
            "limit": .plain(String(limit ?? 1000)), "format": .text(format), "orientation": .text(orientation),
            "having": .text(having ?? ""),
            "queryFilters": .list(conditions.map { templates.fill("queryFilter", $0) }),
        ]
        let groups = having == nil ? [] : [templates.fill("formHaving", values)]
        values["formFilters"] = .list(conditions.map { templates.fill("formFilter", $0) } + groups)
        let template = metrics.isEmpty ? "answer" : kind
        values["settings"] = templates.fill("\(template) settings", values)
        values["query"] = templates.fill("\(template) query", values)
        // The query that Superset's API asks; the page makes its own.
        values["context"] = .text(templates.fill("context", values).line)
        return templates.fill("chart", values)
    }
}
