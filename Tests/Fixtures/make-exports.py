#!/usr/bin/env python3
"""Makes what `pushetl export datasette|dbt|grafana|superset` writes, all but the path of push.db: Sources/CExports/files.

    Tests/Fixtures/make-exports.py .build/release/pushetl [--check]

The tables and what is said of their columns come from push.db (`columns_help`), the questions from Questions.sql, and the
dashboards stand below. The types of a question's columns are those of its answer in the sample logs. With --check nothing is
written; the end is 1 where a file is not what would be.
"""
import argparse
import copy
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "Sources/CExports/files"

# The last day of a report: that of most events of the last log date.
LAST = (
    "FROM about LEFT JOIN hourly_actions ON log_date = value AND day BETWEEN date(value, '-40 days') AND date(value, '2 days') "
    "WHERE key = 'last_log_date' GROUP BY day ORDER BY sum(events) DESC, day DESC LIMIT 1")
# SQL for what is taken where nobody gives a value: the 28 days of a report, the delivery with the most messages.
USUAL = {
    "from": f"(SELECT date(coalesce(day, value), '-27 days') {LAST})",
    "to": f"(SELECT coalesce(day, value) {LAST})",
    "delivery_id": "(SELECT delivery_id FROM delivery_results ORDER BY messages DESC, delivery_id LIMIT 1)",
}
# Tables about single files and commands.
HIDDEN = ["files", "runs", "changes", "loads", "columns_help"]


def printed(program, *arguments):
    """What the program prints as JSON."""
    return json.loads(subprocess.run([program, *arguments], check=True, capture_output=True).stdout)


class Question:
    """A comment and a query of Questions.sql. The first line of the comment is the question."""

    def __init__(self, part):
        lines = part.strip("\n").split("\n")
        comment = [line[3:] for line in lines if line.startswith("-- ")]
        self.title, self.explanation = comment[0], " ".join(comment[1:])
        self.name = file_name(self.title)
        self.query = "\n".join(lines[len(comment):]).split(";")[0]
        found = {name: self.query.find(f":{name}") for name in USUAL}
        self.parameters = sorted((name for name in USUAL if found[name] >= 0), key=found.get)

    def sql(self, value):
        """The query with its parameters replaced."""
        query = self.query
        for name in self.parameters:
            query = query.replace(f":{name}", value(name))
        return query


def questions():
    """Those of Questions.sql. Its first lines are about the file itself, and what begins with "Page" is asked by the report alone."""
    parts = (ROOT / "Sources/Reports/Exports/Questions.sql").read_text().split("\n\n")[1:]
    return [Question(part) for part in parts if not part.startswith("-- Page: ")]


def file_name(title):
    return "-".join(re.findall("[a-z0-9_]+", title.lower()))


class Column:
    def __init__(self, name, kind, row):
        self.name, self.type = name, kind
        self.description, self.kind, unit, self.formula = row
        is_summed = self.kind == "additive"
        parts = [self.description]
        if unit:
            parts.append(f"Additive; in {unit}." if is_summed else f"In {unit}.")
        if self.formula:
            parts.append(f"Over several rows: {self.formula}.")
        self.help = " ".join(parts)
        self.quotient = re.match(r"(\w+) / (\w+)", self.description) if self.kind == "rate" else None

    def of_sums(self):
        """A rate as the report has it: the sum of all rows over the sum of all rows."""
        rate = copy.copy(self)
        part, whole = self.quotient.groups()
        rate.help, rate.formula = f"{part} / {whole}, of the sums.", f"1.0 * sum({part}) / sum({whole})"
        return rate


class Schema:
    def __init__(self, database):
        self.database = database
        names = [name for (name,) in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")]
        # Those of pushetl itself are for no reader.
        self.own_tables = [name for name in names if name.startswith("_")]
        self.tables = {name: self.columns(name) for name in names if name not in self.own_tables}
        self.rates = [column.of_sums() for column in self.tables["daily_totals"] if column.kind == "rate"]
        self.questions = questions()

    def columns(self, table):
        help_rows = {name: row for name, *row in self.database.execute(
            "SELECT column_name, description, kind, unit, formula FROM columns_help WHERE table_name = ?", [table])}
        return [Column(name, kind, help_rows[name])
                for _, name, kind, *_ in self.database.execute(f"PRAGMA table_info({table})")]

    def answer(self, sql):
        """The names of a query's columns, and the types of its first row."""
        cursor = self.database.execute(sql)
        row = cursor.fetchone()
        kinds = {int: "INTEGER", float: "REAL", str: "TEXT"}
        return [(column[0], row and kinds.get(type(row[index]))) for index, column in enumerate(cursor.description)]


def document(value):
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


# ---- Datasette

def or_usual(name):
    """SQL for a parameter of a web page, which is empty or missing unless it is filled in."""
    return f"coalesce(nullif(:{name}, ''), {USUAL[name]})"


# What charts read. DAYS and LOADED are conditions.
TOTALS = "FROM daily_totals WHERE day DAYS"
LOADED = TOTALS + " AND day IN (SELECT day FROM days WHERE log_date_status IS NOT NULL)"
STEPS = ["10s", "1m", "5m", "15m", "30m", "1h", "2h", "6h", "12h", "24h", "72h", "7d"]
SOON = " UNION ALL ".join(
    f"SELECT {place} AS place, '{step}' AS within, 1.0 * sum(opened_{step}) / sum(opened_seen) AS share {TOTALS}"
    for place, step in enumerate(STEPS))
HOURS = (
    "SELECT weekday, hour, 1.0 * sum(events) / loaded AS \"opens a day\" FROM hourly_actions JOIN calendar USING (day) "
    "JOIN (SELECT weekday, count(*) AS loaded FROM calendar WHERE log_date_status IS NOT NULL AND day DAYS "
    "GROUP BY weekday) USING (weekday) WHERE action = 'open' AND hourly_actions.day DAYS GROUP BY weekday, hour")
DAYS_LATE = "CAST(julianday(log_date) - julianday(day) AS INTEGER)"
LATE = (
    f"WITH late AS (SELECT {DAYS_LATE} AS days_late, sum(events) AS events FROM hourly_actions WHERE day DAYS GROUP BY 1) "
    "SELECT CASE WHEN days_late > 7 THEN 'later' ELSE days_late END AS \"days late\", min(days_late, 8) AS place, "
    "1.0 * sum(events) / (SELECT sum(events) FROM late) AS share FROM late WHERE days_late <> 0 GROUP BY 1, 2")
PLATFORMS = f"SELECT platform, sum(messages) AS messages {TOTALS} GROUP BY platform"
DUPLICATES = (
    "SELECT action, 100.0 * sum(duplicates) / (sum(events) + sum(duplicates)) AS \"per 100\" FROM hourly_actions "
    "WHERE day DAYS GROUP BY action HAVING sum(events) > 0")
REJECTS = (
    "SELECT reason, sum(records) AS records FROM outcomes WHERE outcome = 'rejected' AND log_date DAYS GROUP BY reason")
# The cards: a title, and a count or a rate.
CARDS = {
    "messages": ("Messages", "messages", None), "opened": ("Opened", "opened", None),
    "share": ("Opened of messages", "opened", "messages"), "impressed": ("Impressed", "impressed", None),
    "seen": ("Impressed and opened", "opened_impressed", None),
    "rate": ("Opened of impressed", "opened_impressed", "impressed"),
}
TITLES = {
    "trend": "What became of the messages of each day", "platforms": "Messages by platform",
    "rates": "Opened of impressed, by platform (of 100 impressed or more)",
    "soon": "How soon people open: share of the opens within a time",
    "hours": "Opens by weekday and hour, mean of a day", "deliveries": "Deliveries with the most opens",
    "late": "Late hits: share of the events that came days after they happened",
    "duplicates": "Duplicates by action, per 100 records", "rejects": "Rejected records by reason (by log date)",
}


def datasette(schema):
    days = f"BETWEEN {or_usual('from')} AND {or_usual('to')}"
    return {"metadata.json": document({
        "title": "Push messages",
        "description_html":
            '<p>Exact daily figures from push tracking logs. <a href="-/dashboards/push">The dashboard</a> has them as '
            'charts, <a href="push">the database</a> has the usual questions as queries, and all tables.</p>'
            '<iframe src="-/dashboards/push/embed" title="The last four weeks" '
            'style="width: 100%; height: 1900px; border: 0"></iframe>',
        "databases": {"push": {
            "description": "Daily figures. Counts may be summed; rates may not: divide sums.",
            "queries": {question.name: {
                "title": question.title, **({"description": question.explanation} if question.explanation else {}),
                "sql": question.sql(or_usual), "hide_sql": True, "params": question.parameters,
            } for question in schema.questions},
            "tables": {table: {
                **({"hidden": True} if table in HIDDEN else {}),
                **({"sort_desc": "day"} if columns[0].name == "day" else {}),
                # Not as `units`: Datasette takes only units of physics there.
                "columns": {column.name: column.help for column in columns},
            } for table, columns in schema.tables.items()} | {table: {"hidden": True} for table in schema.own_tables},
        }},
        "plugins": {"datasette-dashboards": {"push": datasette_dashboard(days)}},
    })}


def datasette_dashboard(days):
    def chart(title, query, library, display):
        return {"title": title, "db": "push", "query": query.replace("DAYS", days), "library": library, "display": display}

    def card(title, part, whole):
        value = f"coalesce(printf('%.1f %%', 100.0 * sum({part}) / sum({whole})), 'unknown')" if whole \
            else f"printf('%,d', coalesce(sum({part}), 0))"
        return chart(title, f"SELECT {value} AS value {TOTALS}", "metric", {"field": "value"})

    def vega(name, query, mark, height, **encoding):
        mark = {"type": mark, **({"point": True} if mark == "line" else {}), "tooltip": True}
        return chart(TITLES[name], query, "vega-lite", {"height": height, "mark": mark, "encoding": encoding})

    def bars(name, query, label, value):
        return vega(
            name, query, "bar", 220, y={"field": label, "type": "nominal", "sort": "-x", "title": None},
            x={"field": value, "type": "quantitative", "axis": {"format": ",~f", "tickCount": 3}})

    day_axis = {
        "field": "day", "type": "temporal", "title": None, "scale": {"type": "utc"},
        "axis": {"grid": False, "labelExpr": "utchours(datum.value) == 0 ? utcFormat(datum.value, '%d %b') : ''"}}
    top = {"orient": "top", "title": None}
    upright = {"labelAngle": 0}
    return {
        "title": "The last four weeks",
        "description":
            "The 28 days up to the last log date, unless you fill in others. A message is counted on the day of its first "
            "event, so the last days still grow.",
        "layout": [
            ["messages", "opened", "share", "impressed", "seen", "rate"],
            ["trend", "trend", "trend", "trend", "platforms", "platforms"],
            ["rates", "rates", "rates", "soon", "soon", "soon"],
            ["hours", "hours", "hours", "deliveries", "deliveries", "deliveries"],
            ["late", "late", "duplicates", "duplicates", "rejects", "rejects"]],
        "filters": {"from": {"name": "From", "type": "date"}, "to": {"name": "To", "type": "date"}},
        "charts": {
            **{name: card(*facts) for name, facts in CARDS.items()},
            "trend": vega(
                "trend", " UNION ALL ".join(
                    f"SELECT day, '{measure}' AS measure, sum({measure}) AS messages {LOADED} GROUP BY day"
                    for measure in ("messages", "impressed", "opened")), "line", 240, x=day_axis,
                y={"field": "messages", "type": "quantitative", "title": "messages", "axis": {"format": ",~f"}},
                color={"field": "measure", "type": "nominal", "legend": top, "sort": ["messages", "impressed", "opened"]}),
            "platforms": bars("platforms", PLATFORMS, "platform", "messages"),
            "rates": vega(
                "rates", f"SELECT day, platform, 1.0 * sum(opened_impressed) / sum(impressed) AS rate {LOADED} "
                "GROUP BY day, platform HAVING sum(impressed) >= 100", "line", 240, x=day_axis,
                y={"field": "rate", "type": "quantitative", "title": "opened of impressed", "axis": {"format": "%"}},
                color={"field": "platform", "type": "nominal", "legend": top, "sort": "ascending"}),
            "soon": vega(
                "soon", SOON, "line", 240,
                x={"field": "within", "type": "ordinal", "sort": {"field": "place"}, "title": None, "axis": upright},
                y={"field": "share", "type": "quantitative", "title": "share of opens", "axis": {"format": "%"}}),
            "hours": vega(
                "hours", HOURS, "rect", 220, x={"field": "hour", "type": "ordinal", "axis": upright},
                y={"field": "weekday", "type": "ordinal", "title": None, "axis": {
                    "labelExpr": "['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][datum.value - 1]"}},
                color={"field": "opens a day", "type": "quantitative"}),
            "deliveries": chart(
                TITLES["deliveries"],
                "SELECT replace(replace(replace(coalesce(label, delivery_id), '&', '&amp;'), '<', '&lt;'), '>', '&gt;') "
                "AS delivery, printf('%,d', messages) AS messages, printf('%,d', opened) AS opened, "
                "printf('%.1f %%', 100.0 * opened / messages) AS \"of messages\" "
                "FROM (SELECT delivery_id, sum(messages) AS messages, sum(opened) AS opened "
                "FROM daily_funnel WHERE day DAYS GROUP BY delivery_id "
                "ORDER BY opened DESC, delivery_id LIMIT 10) JOIN deliveries USING (delivery_id) "
                "ORDER BY 0 + replace(opened, ',', '') DESC, delivery_id", "table", None),
            "late": vega(
                "late", LATE, "bar", 220,
                x={"field": "days late", "type": "ordinal", "sort": {"field": "place"}, "title": "days late",
                   "axis": upright},
                y={"field": "share", "type": "quantitative", "title": "share of events", "axis": {"format": ".2%"}}),
            "duplicates": bars("duplicates", DUPLICATES, "action", "per 100"),
            "rejects": bars("rejects", REJECTS, "reason", "records"),
        },
    }


# ---- Superset

# Rows of charts: title, kind, dataset, columns, metrics, the width of twelve columns, and more.
def number(title, metric):
    return {"title": title, "kind": "big_number_total", "dataset": "daily_totals", "columns": [], "metrics": [metric],
            "width": 4, "height": 20}


def wide(title, kind, dataset, columns, metrics, width, **more):
    return {"title": title, "kind": kind, "dataset": dataset, "columns": columns, "metrics": metrics, "width": width,
            "height": 48, **more}


LINE, BAR = "echarts_timeseries_line", "echarts_timeseries_bar"
NAMES = ["label", "campaign", "variant", "delivery_id"]
CHARTS = [
    [number("Messages", "sum_messages"), number("Opened", "sum_opened"),
     number("Opened of messages", "total_opened_of_messages")],
    [number("Impressed", "sum_impressed"), number("Impressed and opened", "sum_opened_impressed"),
     number("Opened of impressed", "total_opened_of_impressed")],
    [wide(TITLES["trend"], LINE, "daily_totals", [], ["sum_messages", "sum_impressed", "sum_opened"], 8, limit=10000,
          format=",d", only=("log_date_status", None)),
     wide(TITLES["platforms"], BAR, "daily_totals", ["platform"], ["sum_messages"], 4, orientation="horizontal")],
    [wide(TITLES["rates"], LINE, "daily_totals", ["platform"], ["total_opened_of_impressed"], 6, limit=10000, format=".1%",
          having="sum(impressed) >= 100", only=("log_date_status", None)),
     wide("Opens by hour of the day", BAR, "hourly_actions", ["hour"], ["sum_events"], 6, only=("action", "open"),
          orientation="vertical")],
    [wide(TITLES["deliveries"], "table", "daily_funnel", NAMES,
          ["sum_opened", "sum_messages", "total_opened_of_messages"], 6, limit=20),
     wide("Deliveries by what was sent", "table", "delivery_results", NAMES,
          ["sum_sent", "sum_opened", "total_opened_of_sent"], 6, limit=20)],
    [wide("Events by days after they happened", BAR, "hourly_actions", ["days_late"], ["sum_events"], 4,
          orientation="vertical"),
     wide("Duplicates by action", BAR, "hourly_actions", ["action"], ["sum_duplicates"], 4, orientation="horizontal"),
     wide("Rejected records by reason", BAR, "outcomes", ["reason"], ["sum_records"], 4, only=("outcome", "rejected"),
          orientation="horizontal")],
]


def superset_id(kind, name):
    """A UUID of version 8 that depends on the name alone, so that an import replaces what an earlier one made."""
    digest = bytearray(hashlib.sha256(f"pushetl superset {kind} {name}".encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(digest)))


class Dataset:
    def __init__(self, name, description, columns, is_answer=False):
        self.name, self.description, self.is_answer, self.id = name, description, is_answer, superset_id("dataset", name)
        self.column_names = [column["column_name"] for column in columns]
        self.columns, self.metrics, self.time, self.sql = columns, [], None, None

    def definition(self):
        return {
            "table_name": self.name, "main_dttm_col": self.time, "description": self.description, "schema": None,
            "sql": self.sql, "filter_select_enabled": True, "uuid": self.id, "metrics": self.metrics,
            "columns": self.columns, "version": "1.0.0", "database_uuid": superset_id("database", "push")}


def superset_column(name, kind, help_text, is_time, is_group):
    # Superset compares times as texts. Those of a DATE have no time of day.
    return {
        "column_name": name, "is_dttm": is_time, "is_active": True, "type": kind, "groupby": is_group, "filterable": True,
        "description": help_text, "python_date_format": "%Y-%m-%d" if kind == "DATE" else None}


def added_columns(names):
    """What a dataset adds to a table, so that its rows can be filtered and named: name, type, help and SQL."""
    added = []
    if "delivery_id" in names:
        added = [(name, "TEXT", f"The delivery's {name}.", f"r.{name}") for name in NAMES[:3] if name not in names]
    day = next((f"t.{name}" for name in ("day", "log_date") if name in names), None)
    if "delivery_id" in names and day is None:
        day = "coalesce(r.sent_day, r.first_day)"
        added.append(("delivery_day", "DATE",
                      "The day on which the delivery was sent, or else its first day in the logs.", day))
    if "day" in names and "log_date" in names:
        added.append(("days_late", "INTEGER", "How many days after the day the log date is, whose files brought the row.",
                      DAYS_LATE.replace("(log_date)", "(t.log_date)").replace("(day)", "(t.day)")))
    if "day" in names and "log_date_status" not in names:
        added.append(("log_date_status", "TEXT",
                      "complete or partial; NULL if the log date of the day is not loaded.", "d.log_date_status"))
    if day:
        last = f"{day} BETWEEN {USUAL['from']} AND {USUAL['to']}"
        added.append(("period", "TEXT", "The 28 days of a report, or the others.",
                      f"CASE WHEN {last} THEN 'last 28 days' ELSE 'other days' END"))
    return added


def table_dataset(table, columns, rates):
    added = added_columns([column.name for column in columns])
    names = [column.name for column in columns] + [name for name, *_ in added]
    times = ["day_start", "delivery_day", "log_date", "started_at", "published_at"]
    time = next((name for name in times if name in names), None)
    dataset = Dataset(table, f"Table {table} of push.db.", [
        superset_column(column.name, column.type, column.help, column.type == "DATETIME" or column.name == time,
                        column.kind in ("dimension", "time") or column.type == "TEXT")
        for column in columns] + [
        superset_column(name, kind, help_text, kind == "DATE", True) for name, kind, help_text, _ in added])
    dataset.time = time
    if added:
        dataset.sql = "SELECT " + ", ".join(["t.*"] + [f"{sql} AS {name}" for name, _, _, sql in added]) + f" FROM {table} t"
        if any("r." in sql for *_, sql in added):
            dataset.sql += " LEFT JOIN delivery_results r ON r.delivery_id = t.delivery_id"
        if any("d." in sql for *_, sql in added):
            dataset.sql += " LEFT JOIN days d ON d.day = t.day"
    rated = rates if table in ("daily_funnel", "daily_totals") else columns
    dataset.metrics = [{
        "metric_name": f"sum_{column.name}", "verbose_name": column.name.replace("_", " "), "metric_type": None,
        "expression": f"sum({column.name})", "description": column.help, "d3format": ",d",
    } for column in columns if column.kind == "additive"] + [{
        "metric_name": f"total_{column.name}", "verbose_name": column.name.replace("_", " "), "metric_type": None,
        "expression": column.formula, "description": f"{column.quotient[1]} / {column.quotient[2]}, of the sums.",
        "d3format": ".1%",
    } for column in rated if column.kind == "rate"]
    return dataset


def answer_dataset(question, schema):
    sql = question.sql(USUAL.get)
    dataset = Dataset(question.title, question.explanation, [
        superset_column(name, kind, "", False, True) for name, kind in schema.answer(sql)], is_answer=True)
    dataset.sql = sql
    return dataset


def superset_chart(chart, dataset):
    columns, metrics, kind = chart["columns"], chart["metrics"], chart["kind"]
    limit, having, format_ = chart.get("limit", 1000), chart.get("having"), chart.get("format")
    conditions = [(dataset.time, "TEMPORAL_RANGE", "No filter")] if dataset.time else []
    if "only" in chart:
        column, value = chart["only"]
        conditions.append((column, "==" if value else "IS NOT NULL", value))
    filters = [{
        "clause": "WHERE", "expressionType": "SIMPLE", "subject": column, "operator": operation, "comparator": value,
    } for column, operation, value in conditions]
    if having:
        filters.append({"clause": "HAVING", "expressionType": "SQL", "sqlExpression": having})
    query = {"columns": columns, "metrics": metrics or None, "orderby": []}
    if not metrics:
        settings = {"query_mode": "raw", "all_columns": columns, "order_by_cols": [], "show_cell_bars": False}
    elif kind == "big_number_total":
        settings = {"metric": metrics[0], "header_font_size": "0.4"}
    elif kind == LINE:
        settings = {
            "x_axis": "day_start", "time_grain_sqla": "P1D", "metrics": metrics, "groupby": columns, "markerEnabled": True,
            "show_legend": True, "rich_tooltip": True, "y_axis_format": format_, "x_axis_time_format": "%d %b"}
        query["columns"] = [{
            "timeGrain": "P1D", "columnType": "BASE_AXIS", "sqlExpression": "day_start", "label": "day_start",
            "expressionType": "SQL"}, *columns]
    elif kind == BAR:
        settings = {
            "x_axis": columns[0], "metrics": metrics, "groupby": [], "show_legend": False, "y_axis_format": ",d",
            "xAxisForceCategorical": True, "x_axis_sort": columns[0], "x_axis_sort_asc": True,
            "orientation": chart["orientation"]}
        query["orderby"] = [[columns[0], True]]
    else:
        settings = {"query_mode": "aggregate", "groupby": columns, "metrics": metrics, "order_desc": True,
                    "timeseries_limit_metric": metrics[0]}
        query["orderby"] = [[metrics[0], False]]
    form = {"datasource": "0__table", "viz_type": kind, "adhoc_filters": filters, "row_limit": limit, **settings}
    # The query that Superset's API asks; the page makes its own.
    context = {
        "datasource": {"id": 0, "type": "table"}, "force": False, "queries": [{
            "filters": [{"col": column, "op": operation, "val": value} for column, operation, value in conditions],
            "extras": {"having": having or "", "where": ""}, "applied_time_extras": {}, **query, "annotation_layers": [],
            "row_limit": limit, "series_limit": 0, "order_desc": True, "url_params": {}, "custom_params": {},
            "custom_form_data": {}}],
        "form_data": form, "result_format": "json", "result_type": "full"}
    return {
        "slice_name": chart["title"], "description": dataset.description if dataset.is_answer else "", "viz_type": kind,
        "params": form, "query_context": json.dumps(context, ensure_ascii=False), "cache_timeout": None,
        "uuid": superset_id("chart", chart["title"]), "version": "1.0.0", "dataset_uuid": dataset.id}


def superset_dashboard(tabs):
    parts, number_ = {}, 0
    for tab, rows in tabs.items():
        parts[f"TAB-{tab}"] = {
            "id": f"TAB-{tab}", "type": "TAB", "children": [f"ROW-{tab}-{index}" for index in range(len(rows))],
            "parents": ["ROOT_ID", "TABS-all"], "meta": {"text": tab}}
        for index, row in enumerate(rows):
            ids = [superset_id("chart", chart["title"]) for chart in row]
            parents = ["ROOT_ID", "TABS-all", f"TAB-{tab}"]
            parts[f"ROW-{tab}-{index}"] = {
                "id": f"ROW-{tab}-{index}", "type": "ROW", "children": [f"CHART-{id_}" for id_ in ids], "parents": parents,
                "meta": {"background": "BACKGROUND_TRANSPARENT"}}
            for chart, id_ in zip(row, ids):
                number_ += 1
                parts[f"CHART-{id_}"] = {
                    "id": f"CHART-{id_}", "type": "CHART", "children": [], "parents": [*parents, f"ROW-{tab}-{index}"],
                    "meta": {"chartId": number_, "uuid": id_, "sliceName": chart["title"], "width": chart["width"],
                             "height": chart["height"]}}

    def native(name, kind, target, multi, description="", mask=None, root="ROOT_ID"):
        return {
            "id": f"NATIVE_FILTER-{name.lower()}", "name": name, "filterType": kind, "type": "NATIVE_FILTER",
            "targets": [{"column": {"name": target}, "datasetUuid": superset_id("dataset", "daily_totals")}]
            if target else [{}], "description": description, "cascadeParentIds": [],
            "controlValues": {"multiSelect": multi, "enableEmptyFilter": False, "inverseSelection": False},
            "defaultDataMask": mask or {"extraFormData": {}, "filterState": {}, "ownState": {}},
            "scope": {"rootPath": [root], "excluded": []}}

    last = ["last 28 days"]
    return {
        "dashboard_title": "Push messages", "description": "Exact daily figures from push tracking logs.", "css": "",
        "slug": "push-messages", "uuid": superset_id("dashboard", "push"),
        "position": {
            "DASHBOARD_VERSION_KEY": "v2",
            "ROOT_ID": {"id": "ROOT_ID", "type": "ROOT", "children": ["TABS-all"], "parents": []},
            "HEADER_ID": {"id": "HEADER_ID", "type": "HEADER", "children": [], "parents": [],
                          "meta": {"text": "Push messages"}},
            "TABS-all": {"id": "TABS-all", "type": "TABS", "children": [f"TAB-{tab}" for tab in tabs],
                         "parents": ["ROOT_ID"], "meta": {}},
            **parts},
        "metadata": {
            "color_scheme": "", "refresh_frequency": 0, "expanded_slices": {}, "label_colors": {},
            "timed_refresh_immune_slices": [], "cross_filters_enabled": True,
            "native_filter_configuration": [
                native("Period", "filter_select", "period", False, "Clear it to choose other days below.", {
                    "extraFormData": {"filters": [{"col": "period", "op": "IN", "val": last}]},
                    "filterState": {"value": last, "label": last[0]}, "ownState": {}}, "TAB-Figures"),
                native("Days", "filter_time", None, True), native("Platform", "filter_select", "platform", True)]},
        "published": True, "version": "1.0.0"}


def superset(schema):
    tables = [table_dataset(table, columns, schema.rates) for table, columns in schema.tables.items()
              if table not in ("columns_help", "about")]
    answers = [answer_dataset(question, schema) for question in schema.questions]
    datasets = {dataset.name: dataset for dataset in tables + answers}
    shown = [{"title": answer.name, "kind": "table", "dataset": answer.name, "columns": answer.column_names,
                  "metrics": [], "width": 6, "height": 44} for answer in answers]
    tabs = {"Figures": CHARTS, "Questions": [shown[index:index + 2] for index in range(0, len(shown), 2)]}
    members = {
        "metadata": {"version": "1.0.0", "type": "Dashboard", "timestamp": "1980-01-01T00:00:00+00:00"},
        "databases/push": {
            "database_name": "push", "sqlalchemy_uri": "sqlite:///file:{{url of push.db}}?mode=ro&uri=true",
            "cache_timeout": None, "expose_in_sqllab": True, "allow_run_async": False, "allow_ctas": False,
            "allow_cvas": False, "allow_dml": False, "allow_file_upload": False,
            "extra": {"allows_virtual_table_explore": True}, "uuid": superset_id("database", "push"), "version": "1.0.0"}}
    for dataset in datasets.values():
        members[f"datasets/push/{file_name(dataset.name)}"] = dataset.definition()
    for chart in [chart for rows in tabs.values() for row in rows for chart in row]:
        members[f"charts/{file_name(chart['title'])}"] = superset_chart(chart, datasets[chart["dataset"]])
    members["dashboards/push"] = superset_dashboard(tabs)
    return {f"push/{name}.yaml": document(value) for name, value in members.items()}


# ---- Grafana, with the data source of the plugin frser-sqlite-datasource

# Columns of the questions that are declared as dates. The plugin makes times of such, and shows texts as they are.
DATES = {"day", "week_start", "first_day"}
GRAFANA_SOURCE = {"type": "frser-sqlite-datasource", "uid": "push"}
WEEKDAY = "substr('MonTueWedThuFriSatSun', 3 * weekday - 2, 3)"


def or_usual_text(name):
    """SQL for a variable, which is empty unless it is filled in."""
    return f"coalesce(nullif(${{{name}:sqlstring}}, ''), {USUAL[name]})"


def as_texts(question, schema):
    """The query of a question with its dates as texts."""
    columns = [name for name, _ in schema.answer(question.sql(USUAL.get))]
    query = question.sql(or_usual_text)
    if not DATES.intersection(columns):
        return query
    selected = [f"CAST({name} AS TEXT) AS {name}" if name in DATES else f'"{name}"' for name in columns]
    return f"SELECT {', '.join(selected)} FROM (\n{query}\n)"


def grafana(schema):
    days = f"BETWEEN {or_usual_text('from')} AND {or_usual_text('to')}"
    panels = []

    def panel(kind, title, query, x, y, width, height, options, custom, unit=None, description="", color="palette-classic",
              overrides=(), **defaults):
        query = query.replace("DAYS", days)
        panels.append({
            "id": len(panels) + 1, "type": kind, "title": title, "description": description, "datasource": GRAFANA_SOURCE,
            "gridPos": {"x": x, "y": y, "w": width, "h": height},
            "targets": [{"refId": "A", "datasource": GRAFANA_SOURCE, "queryType": "table", "rawQueryText": query,
                         "queryText": query, "timeColumns": []}],
            "fieldConfig": {
                "defaults": {**({"unit": unit} if unit else {}), **defaults, "color": {"mode": color}, "custom": custom,
                             "mappings": []},
                "overrides": list(overrides)},
            "options": options})
        return panels[-1]

    def bars(title, query, label, x, y, width, height=9, unit="locale", orientation="vertical", has_legend=False):
        panel("barchart", title, query, x, y, width, height, {
            "xField": label, "orientation": orientation, "xTickLabelRotation": 0, "xTickLabelSpacing": 100,
            "showValue": "never", "stacking": "none", "groupWidth": 0.8, "barWidth": 0.9, "barRadius": 0,
            "fullHighlight": False, "tooltip": {"mode": "multi", "sort": "none"},
            "legend": {"showLegend": has_legend, "displayMode": "list", "placement": "top", "calcs": []},
        }, {"lineWidth": 1, "fillOpacity": 80, "gradientMode": "none", "axisPlacement": "auto", "axisLabel": "",
            "scaleDistribution": {"type": "linear"}, "hideFrom": {"legend": False, "tooltip": False, "viz": False}}, unit)

    def table(title, query, x, y, width, height=9, cell="auto", **more):
        return panel("table", title, query, x, y, width, height, {"showHeader": True, "cellHeight": "sm"},
                     {"align": "auto", "cellOptions": {"type": cell}, "inspect": False}, **more)

    for index, (title, part, whole) in enumerate(CARDS.values()):
        value = f"1.0 * sum({part}) / sum({whole})" if whole else f"coalesce(sum({part}), 0)"
        panel("stat", title, f"SELECT {value} AS value {TOTALS}", 4 * index, 0, 4, 4, {
            "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}, "orientation": "auto",
            "textMode": "value", "colorMode": "none", "graphMode": "none", "justifyMode": "auto",
        }, {}, "percentunit" if whole else "locale", color="thresholds", decimals=1 if whole else 0)
    bars(TITLES["trend"],
         "SELECT CAST(day AS TEXT) AS day, sum(messages) AS messages, sum(impressed) AS impressed, sum(opened) AS opened "
         f"{LOADED} GROUP BY 1", "day", 0, 4, 16, has_legend=True)
    bars(TITLES["platforms"], PLATFORMS, "platform", 16, 4, 8, orientation="horizontal")
    rates = [f"CASE WHEN sum(impressed) FILTER (WHERE platform = '{name}') >= 100 THEN 1.0 * sum(opened_impressed) "
             f"FILTER (WHERE platform = '{name}') / sum(impressed) FILTER (WHERE platform = '{name}') END AS {name}"
             for name in ("android", "ios", "web", "unknown")]
    bars(TITLES["rates"], f"SELECT CAST(day AS TEXT) AS day, {', '.join(rates)} {LOADED} GROUP BY 1", "day", 0, 13, 12,
         unit="percentunit", has_legend=True)
    bars(TITLES["soon"], f"SELECT within, share FROM ({SOON}) ORDER BY place", "within", 12, 13, 12, unit="percentunit")
    hours = ", ".join(f'coalesce(max("opens a day") FILTER (WHERE hour = {hour}), 0.0) AS "{hour}"' for hour in range(24))
    table(TITLES["hours"], f"SELECT {WEEKDAY} AS weekday, {hours} FROM ({HOURS}) GROUP BY {WEEKDAY} ORDER BY min(weekday)",
          0, 22, 24, cell="color-background", color="continuous-blues", unit="short", decimals=0)
    table(TITLES["deliveries"],
          "SELECT coalesce(label, delivery_id) AS delivery, messages, opened, 1.0 * opened / messages AS \"of messages\" "
          "FROM (SELECT delivery_id, sum(messages) AS messages, sum(opened) AS opened FROM daily_funnel WHERE day DAYS "
          "GROUP BY delivery_id ORDER BY opened DESC, delivery_id LIMIT 10) JOIN deliveries USING (delivery_id) "
          "ORDER BY opened DESC, delivery_id", 0, 31, 12, unit="locale", overrides=[{
              "matcher": {"id": "byName", "options": "of messages"},
              "properties": [{"id": "unit", "value": "percentunit"}, {"id": "decimals", "value": 1}]}])
    bars(TITLES["late"], f'SELECT CAST("days late" AS TEXT) AS "days late", share FROM ({LATE}) ORDER BY place', "days late",
         12, 31, 12, unit="percentunit")
    bars(TITLES["duplicates"], DUPLICATES + " ORDER BY 2 DESC", "action", 0, 40, 12, orientation="horizontal")
    bars(TITLES["rejects"], REJECTS + " ORDER BY 2 DESC", "reason", 12, 40, 12, orientation="horizontal")
    first_page, panels = panels, [{}] * (len(panels) + 1)
    for index, question in enumerate(schema.questions):
        table(question.title, as_texts(question, schema), 12 * (index % 2), 50 + 9 * (index // 2), 12,
              description=question.explanation)
    answers = panels[len(first_page) + 1:]
    row = {"id": len(first_page) + 1, "type": "row", "title": "Questions", "collapsed": True, "panels": answers,
           "gridPos": {"x": 0, "y": 49, "w": 24, "h": 1}}

    def variable(name, label, description):
        return {"name": name, "label": label, "description": description, "type": "textbox", "query": "",
                "current": {"selected": True, "text": "", "value": ""},
                "options": [{"selected": True, "text": "", "value": ""}], "hide": 0, "skipUrlSync": False}

    dashboard = {
        "uid": "push-messages", "title": "Push messages",
        "description": "The 28 days up to the last log date, unless you fill in others. A message is counted on the day of "
                       "its first event, so the last days still grow.",
        "tags": [], "timezone": "utc", "editable": True, "graphTooltip": 0, "links": [], "annotations": {"list": []},
        "schemaVersion": 39, "version": 1, "refresh": "", "time": {"from": "now-30d", "to": "now"},
        # Days are those of push.db, whatever day it is.
        "timepicker": {"hidden": True},
        "templating": {"list": [
            variable("from", "From", "The first day, YYYY-MM-DD. Empty: 27 days before the last log date."),
            variable("to", "To", "The last day. Empty: the last log date."),
            variable("delivery_id", "Delivery", "For questions about one delivery. Empty: the one with the most messages.")]},
        "panels": [*first_page, row]}
    mark = "# Made by 'pushetl export grafana'.\napiVersion: 1\n"
    return {
        "dashboards/push.json": document(dashboard),
        "provisioning/datasources/push.yaml": mark + '''datasources:
  - name: push
    uid: push
    type: frser-sqlite-datasource
    access: proxy
    editable: true
    jsonData:
      path: "{{path of push.db}}"
      pathPrefix: "file:"
      pathOptions: "mode=ro"
''',
        "provisioning/dashboards/push.yaml": mark + '''providers:
  - name: push
    type: file
    folder: ""
    allowUiUpdates: true
    options:
      path: "{{folder}}/dashboards"
'''}


# ---- dbt

# What is summed: by table, the prefix of its metrics. daily_totals has the sums of the first two.
DBT_TABLES = {
    "daily_funnel": "push_", "daily_actions": "push_", "hourly_actions": "push_hourly_", "daily_paths": "push_path_",
    "delivery_results": "push_delivery_", "delivery_platforms": "push_delivery_platform_", "outcomes": "push_read_"}
# Metrics that stand for themselves.
DBT_OWN = {"sent", "delivered", "opened_of_sent", "impressed_of_sent", "clicked_of_sent", "arrived_of_sent",
           "failed_of_sent"}
# Names that MetricFlow keeps for itself.
DBT_NAMES = {"day": "date_day", "hour": "hour_of_day"}
DBT_MADE = "Made by 'pushetl export dbt'."


def block(value, indent=""):
    """Lines of YAML, in its block style."""
    lines = []
    for key, item in value.items() if isinstance(value, dict) else (("-", item) for item in value):
        start = f"{indent}-" if key == "-" else f"{indent}{key}:"
        if not isinstance(item, (dict, list)):
            plain = isinstance(item, str) and re.fullmatch("[a-z][a-z0-9_]{2,}", item) and item not in ("true", "false", "null", "yes", "off")
            lines.append(f"{start} {item if plain else json.dumps(item, ensure_ascii=False)}")
        elif key == "-":
            first, *others = block(item, indent + "  ")
            lines += [f"{start} {first.lstrip()}", *others]
        else:
            lines += [start, *block(item, indent + "  ")]
    return lines


def yaml(value):
    return "\n".join([f"# {DBT_MADE}", "version: 2", *block(value)]) + "\n"


class SemanticModel:
    """A table with measures, and the metrics of them."""

    def __init__(self, table, columns, rates):
        self.table, self.prefix, self.columns = table, DBT_TABLES[table], columns
        self.measures, self.metrics = [], []
        for column in columns:
            if column.kind == "additive":
                self.add_sum(self.metric(column.name), column.name, column.help)
        for column in rates if table == "daily_funnel" else columns:
            if column.kind == "rate":
                self.add_rate(column)

    def metric(self, name):
        # What was sent is what the delivery files say, where they do.
        if self.table == "daily_funnel" and name == "sent":
            return self.prefix + "sent_by_events"
        is_own = self.table == "delivery_results" and name in DBT_OWN
        return f"push_{name}" if is_own else self.prefix + name

    def add_sum(self, metric, sql, description):
        measure = f"{metric}_sum"
        self.measures.append({"name": measure, "agg": "sum", "expr": sql})
        self.metrics.append({
            "name": metric, "label": metric.replace("_", " "), "description": description, "type": "simple",
            "type_params": {"measure": measure}})

    def add_rate(self, column):
        """A metric of two others, which are made where they are no plain sums."""
        names = []
        for place, sql in zip(("part", "whole"), re.fullmatch(r"1\.0 \* sum\((.*)\) / sum\((.*)\)", column.formula).groups()):
            name = self.metric(sql)
            if not re.fullmatch(r"\w+", sql):
                name = f"{self.metric(column.name)}_{place}"
                self.add_sum(name, sql, f"The {place} that {column.name} divides: {sql}.")
            names.append(name)
        metric = self.metric(column.name)
        self.metrics.append({
            "name": metric, "label": metric.replace("_", " "), "description": column.help, "type": "ratio",
            "type_params": {"numerator": names[0], "denominator": names[1]}})

    def definition(self):
        entity = {"name": "push_delivery", "expr": "delivery_id",
                  "type": "primary" if self.table == "delivery_results" else "foreign"}
        has_delivery = any(column.name == "delivery_id" for column in self.columns)
        # The first of them is the one that sums are shown by.
        days = {DBT_NAMES.get(column.name, column.name): column.name for column in self.columns if column.type == "DATE"}
        if self.table.startswith("delivery"):
            days = {"delivery_day": "delivery_day", **days}
        times = [{"name": name, "type": "time", "expr": sql, "type_params": {"time_granularity": "day"}}
                 for name, sql in days.items()]
        return {
            "name": f"push_{self.table}", "model": f"ref('push_{self.table}')", "defaults": {"agg_time_dimension": times[0]["name"]},
            **({} if entity["type"] == "primary" else {"primary_entity": f"push_{self.table}_row"}),
            **({"entities": [entity]} if has_delivery else {}),
            "dimensions": times + [
                {"name": DBT_NAMES.get(column.name, column.name), "type": "categorical", "expr": column.name, "description": column.help}
                for column in self.columns
                if (column.kind == "dimension" or column.kind == "fact" and column.type == "TEXT") and column.name != "delivery_id"],
            "measures": self.measures}


def dbt(schema):
    models = [SemanticModel(table, schema.tables[table], schema.rates) for table in DBT_TABLES]
    sources = {"sources": [{
        "name": "push", "schema": "{{ var('push_schema', 'push') }}", "description": "push.db of pushetl, or a copy of it.",
        "tables": [{
            "name": table, "columns": [{"name": column.name, "description": column.help} for column in columns],
        } for table, columns in schema.tables.items() if table != "columns_help"]}]}
    spine = {"name": "push_calendar", "description": "The days that metrics are shown by.",
             "time_spine": {"standard_granularity_column": "day"}, "columns": [{"name": "day", "granularity": "day"}]}

    def query(table, selected="*", joined=""):
        return f"-- {DBT_MADE}\nSELECT\n  {selected}\nFROM {{{{ source('push', '{table}') }}}}{joined}\n"

    selects = {table: query(table) for table in DBT_TABLES}
    selects["delivery_results"] = query("delivery_results", "*, coalesce(sent_day, first_day) AS delivery_day")
    selects["delivery_platforms"] = query(
        "delivery_platforms", "t.*, coalesce(r.sent_day, r.first_day) AS delivery_day",
        " AS t\nLEFT JOIN {{ source('push', 'delivery_results') }} AS r ON r.delivery_id = t.delivery_id")
    selects["calendar"] = query("calendar", "day")
    return {
        "push_sources.yml": yaml(sources),
        "push_metrics.yml": yaml({
            "models": [spine], "semantic_models": [model.definition() for model in models],
            "metrics": [metric for model in models for metric in model.metrics]}),
        **{f"push_{table}.sql": select for table, select in selects.items()}}


def bundle(members):
    """Several files as one, each after a line with its name."""
    return "".join(f"== {name}\n{content}" for name, content in members.items())


def sample(program, folder):
    """A push.db of the sample logs."""
    subprocess.run(
        [os.path.abspath(program), "backfill", "-q", "-p", str(ROOT / "Pipelines/push.yaml"), "--output", folder,
         "--from", "2026-11-17", "--to", "2026-11-19"], check=True)
    return sqlite3.connect(f"file:{folder}/push.db?mode=ro", uri=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true", help="only compare")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        schema = Schema(sample(options.program, folder))
        exports = {"datasette": datasette(schema), "superset": superset(schema),
                   "grafana": grafana(schema), "dbt": dbt(schema)}
    others = 0
    for name, members in exports.items():
        path, content = FILES / f"{name}.txt", bundle(members)
        if path.exists() and path.read_text() == content:
            continue
        others += 1
        print(f"{path.relative_to(ROOT)}: {'is not what the script makes' if options.check else 'written'}")
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    sys.exit(1 if options.check and others else 0)


if __name__ == "__main__":
    main()
