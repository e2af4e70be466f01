/// A chart of the bundle for Superset.
struct SupersetChart {
    /// Columns of twelve, and rows of 8 pixels.
    let width: Int
    let height: Int
    let title: String
    let dataset: SupersetDataset
    private let kind: String
    /// The settings of this kind of chart beside the query.
    private let settings: [(key: String, value: JSONValue)]
    private let query: Query

    private struct Query {
        var columns: [JSONValue] = []
        var metrics: [String] = []
        /// A metric or column, and whether the largest come first.
        var order: (name: String, isDescending: Bool)?
        var limit = 1000
        /// `action` or `outcome`, and the only value that is wanted.
        var filter: (column: String, value: String)?
    }

    var id: String { SupersetName(kind: "chart", name: title).id }

    /// A figure over all days.
    static func figure(_ title: String, _ metric: String, _ dataset: SupersetDataset) -> SupersetChart {
        SupersetChart(
            width: 3, height: 20, title: title, dataset: dataset, kind: "big_number_total",
            settings: [("metric", .text(metric)), ("header_font_size", .text("0.4"))],
            query: Query(metrics: [metric]))
    }

    /// Lines over days.
    static func line(
        _ title: String, _ metrics: [String], by series: String? = nil, format: String = ",d", width: Int,
        _ dataset: SupersetDataset
    ) -> SupersetChart {
        let axis: JSONValue = [
            "timeGrain": "P1D", "columnType": "BASE_AXIS", "sqlExpression": "day_start", "label": "day_start",
            "expressionType": "SQL",
        ]
        return SupersetChart(
            width: width, height: 48, title: title, dataset: dataset, kind: "echarts_timeseries_line",
            settings: [
                ("x_axis", "day_start"), ("time_grain_sqla", "P1D"), ("metrics", .array(metrics.map { .text($0) })),
                ("groupby", .array(series.map { [.text($0)] } ?? [])), ("markerEnabled", true), ("show_legend", true),
                ("rich_tooltip", true), ("y_axis_format", .text(format)), ("x_axis_time_format", "%d %b"),
            ],
            query: Query(
                columns: [axis] + (series.map { [.text($0)] } ?? []), metrics: metrics, limit: 10_000))
    }

    /// Bars, one for each value of a column.
    static func bars(
        _ title: String, _ metric: String, by column: String, where filter: (column: String, value: String)? = nil,
        width: Int, isUpright: Bool = false, _ dataset: SupersetDataset
    ) -> SupersetChart {
        SupersetChart(
            width: width, height: 48, title: title, dataset: dataset, kind: "echarts_timeseries_bar",
            settings: [
                ("x_axis", .text(column)), ("metrics", [.text(metric)]), ("groupby", []), ("show_legend", false),
                ("y_axis_format", ",d"), ("xAxisForceCategorical", true), ("x_axis_sort", .text(column)),
                ("x_axis_sort_asc", true), ("orientation", isUpright ? "vertical" : "horizontal"),
            ],
            query: Query(columns: [.text(column)], metrics: [metric], order: (column, false), filter: filter))
    }

    /// A table of sums, the largest first.
    static func table(
        _ title: String, _ columns: [String], _ metrics: [String], limit: Int, width: Int, _ dataset: SupersetDataset
    ) -> SupersetChart {
        SupersetChart(
            width: width, height: 48, title: title, dataset: dataset, kind: "table",
            settings: [
                ("query_mode", "aggregate"), ("groupby", .array(columns.map { .text($0) })),
                ("metrics", .array(metrics.map { .text($0) })), ("order_desc", true),
                ("timeseries_limit_metric", .text(metrics[0])),
            ],
            query: Query(
                columns: columns.map { .text($0) }, metrics: metrics, order: (metrics[0], true), limit: limit))
    }

    /// The answer to a question.
    static func answer(_ dataset: SupersetDataset) -> SupersetChart {
        let columns = JSONValue.array(dataset.columnNames.map { .text($0) })
        return SupersetChart(
            width: 6, height: 44, title: dataset.name, dataset: dataset, kind: "table",
            settings: [("query_mode", "raw"), ("all_columns", columns), ("order_by_cols", [])],
            query: Query(columns: dataset.columnNames.map { .text($0) }))
    }

    var definition: JSONValue {
        [
            "slice_name": .text(title), "description": .text(dataset.sql == nil ? "" : dataset.description),
            "viz_type": .text(kind), "params": formData, "query_context": .text(context.line), "cache_timeout": nil,
            "uuid": .text(id), "version": "1.0.0", "dataset_uuid": .text(dataset.id),
        ]
    }

    private var formData: JSONValue {
        var filters: [JSONValue] = []
        if let column = dataset.timeColumn {
            filters.append(filter(column, "TEMPORAL_RANGE", "No filter"))
        }
        if let (column, value) = query.filter { filters.append(filter(column, "==", value)) }
        return .object(
            [
                ("datasource", "0__table"), ("viz_type", .text(kind)), ("adhoc_filters", .array(filters)),
                ("row_limit", .number(query.limit)),
            ] + settings)
    }

    private func filter(_ column: String, _ operation: String, _ value: String) -> JSONValue {
        [
            "clause": "WHERE", "expressionType": "SIMPLE", "subject": .text(column), "operator": .text(operation),
            "comparator": .text(value),
        ]
    }

    /// The query that Superset's API asks; the page makes its own.
    private var context: JSONValue {
        var filters: [JSONValue] = []
        if let column = dataset.timeColumn {
            filters.append(["col": .text(column), "op": "TEMPORAL_RANGE", "val": "No filter"])
        }
        if let (column, value) = query.filter {
            filters.append(["col": .text(column), "op": "==", "val": .text(value)])
        }
        let isRaw = query.metrics.isEmpty
        let order: [JSONValue] = query.order.map { [[.text($0.name), .bool(!$0.isDescending)]] } ?? []
        let one: JSONValue = [
            "filters": .array(filters), "extras": ["having": "", "where": ""], "applied_time_extras": [:],
            "columns": .array(query.columns),
            "metrics": isRaw ? nil : .array(query.metrics.map { .text($0) }),
            "orderby": .array(order), "annotation_layers": [], "row_limit": .number(query.limit), "series_limit": 0,
            "order_desc": true, "url_params": [:], "custom_params": [:], "custom_form_data": [:],
        ]
        return [
            "datasource": ["id": 0, "type": "table"], "force": false, "queries": [one], "form_data": formData,
            "result_format": "json", "result_type": "full",
        ]
    }
}
