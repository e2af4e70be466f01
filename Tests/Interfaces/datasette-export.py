#!/usr/bin/env python3
"""Opens the export for Datasette in a real Datasette, and compares what its queries and charts show with SQL.

    python3 -m venv venv && venv/bin/pip install datasette datasette-dashboards datasette-vega
    venv/bin/python Tests/Interfaces/datasette-export.py .build/release/pushetl

The server is started by the line that the export prints. The logs are the sample logs.
"""

import html
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

import common

USUAL = {"from": "2026-10-23", "to": "2026-11-19"}
BETWEEN = "day BETWEEN :from AND :to"
EMPTY = {"which-days-are-unusual-for-their-weekday", "which-delivery-failed"}
# By the chart, what it must show; of the others only that they show something.
CHARTS = {
    "messages": f"SELECT printf('%,d', sum(messages)) FROM daily_funnel WHERE {BETWEEN}",
    "share": f"SELECT printf('%.1f %%', 100.0 * sum(opened) / sum(messages)) FROM daily_funnel WHERE {BETWEEN}",
    "impressed": f"SELECT printf('%,d', sum(impressed)) FROM daily_funnel WHERE {BETWEEN}",
    "seen": f"SELECT printf('%,d', sum(opened_impressed)) FROM daily_funnel WHERE {BETWEEN}",
    "rate": f"SELECT printf('%.1f %%', 100.0 * sum(opened_impressed) / sum(impressed)) FROM daily_funnel WHERE {BETWEEN}",
    "opened": f"SELECT printf('%,d', sum(opened)) FROM daily_funnel WHERE {BETWEEN}",
    "platforms": f"SELECT platform, sum(messages) FROM daily_funnel WHERE {BETWEEN} GROUP BY 1",
    "hours": "SELECT (strftime('%w', day) + 6) % 7 + 1 AS weekday, hour, 1.0 * sum(events) / "
        "(SELECT count(*) FROM partitions WHERE (strftime('%w', log_date) + 6) % 7 + 1 = (strftime('%w', day) + 6) % 7 + 1 "
        f"AND log_date BETWEEN :from AND :to) AS mean FROM hourly_actions WHERE action = 'open' AND {BETWEEN} "
        "GROUP BY weekday, hour HAVING mean IS NOT NULL",
    "trend": "SELECT day, measure, CASE measure WHEN 'messages' THEN sum(messages) WHEN 'impressed' THEN sum(impressed) "
        "ELSE sum(opened) END FROM daily_funnel, (SELECT 'messages' AS measure UNION SELECT 'impressed' UNION SELECT 'opened') "
        f"WHERE {BETWEEN} AND day IN (SELECT log_date FROM partitions) GROUP BY day, measure",
    "late": "SELECT iif(late > 7, 'later', late), min(late, 8), 1.0 * sum(events) / "
        f"(SELECT sum(events) FROM daily_actions WHERE {BETWEEN}) FROM (SELECT events, "
        f"CAST(julianday(log_date) - julianday(day) AS INTEGER) AS late FROM daily_actions WHERE {BETWEEN}) "
        "WHERE late <> 0 GROUP BY 1, 2",
    "rejects": "SELECT reason, sum(records) FROM outcomes WHERE outcome = 'rejected' AND log_date BETWEEN :from AND :to GROUP BY 1",
}


class Server(common.Server):
    """Datasette, started by a command line in a folder."""

    def __init__(self, line, folder):
        name, *words = shlex.split(line)
        super().__init__(folder, str(Path(sys.executable).parent / name), *words)

    def greet(self):
        self.page("/-/versions.json")

    def page(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as answer:
            return answer.read().decode()

    def rows(self, path, **parameters):
        query = urllib.parse.urlencode({**parameters, "_shape": "arrays"})
        value = json.loads(self.page(f"{path}.json?{query}"))
        assert value["ok"] and not value.get("truncated"), value
        return [tuple(row) for row in value["rows"]]


def queries(server, metadata, database):
    """Each question, by its usual parameters and by others."""
    largest, second = (row[0] for row in database.execute(
        "SELECT delivery_id FROM delivery_results ORDER BY messages DESC, delivery_id LIMIT 2"))
    for name, query in metadata["databases"]["push"]["queries"].items():
        assert "coalesce(nullif(:" in query["sql"] or not query["params"], name
        for given in ({}, {"from": "2026-11-18", "to": "2026-11-18", "delivery_id": second}):
            values = {**USUAL, "delivery_id": largest, **given}
            plain = re.sub(r"coalesce\(nullif\(:(\w+), ''\), \(SELECT [^()]*(?:\([^()]*\)[^()]*)*\)\)", r":\1", query["sql"])
            expected = database.execute(plain, values).fetchall()
            found = server.rows(f"/push/{name}", **{key: given[key] for key in query["params"] if key in given})
            assert found == expected, f"{name}: {found} instead of {expected}"
            # Three days of the sample are neither unusual nor failed.
            assert found or given or name in EMPTY, f"{name} shows nothing"
        page = html.unescape(server.page(f"/push/{name}"))
        assert query["title"] in page and query.get("description", "") in page, name
    return len(metadata["databases"]["push"]["queries"])


def charts(server, metadata, database):
    dashboard = metadata["plugins"]["datasette-dashboards"]["push"]
    for name, chart in dashboard["charts"].items():
        for given in ({}, {"from": "2026-11-18", "to": "2026-11-18"}):
            found = server.rows("/push", sql=chart["query"], **given)
            assert found, f"{name} shows nothing"
            if name in CHARTS:
                expected = database.execute(CHARTS[name], {**USUAL, **given}).fetchall()
                assert sorted(found, key=repr) == sorted(expected, key=repr), f"{name}: {found} instead of {expected}"
        assert chart["title"] in html.unescape(server.page(f"/-/dashboards/push/{name}")), name
    assert set(sum(dashboard["layout"], [])) == set(dashboard["charts"])
    return len(dashboard["charts"])


def pages(server):
    first = server.page("/")
    assert '<iframe src="-/dashboards/push/embed"' in first, first
    assert "card-messages" in server.page("/-/dashboards/push/embed")
    page = html.unescape(server.page("/push/daily_funnel"))
    assert "Messages first seen on the day. Additive; in messages." in page
    hidden = [table["name"] for table in json.loads(server.page("/push.json"))["tables"] if table["hidden"]]
    assert {"runs", "changes", "loads", "files", "_facts"} <= set(hidden), hidden


def main(program):
    with tempfile.TemporaryDirectory(prefix="pushetl-") as scratch:
        folder = Path(scratch)
        database = common.exports.sample(program, f"{folder}/the output")
        out = subprocess.run(
            [program, "export", "datasette", "--out", "show it", "-p", str(common.ROOT / "Pipelines/push.yaml"),
             "--output", "the output"], cwd=folder, check=True, capture_output=True, text=True).stdout
        line = out.splitlines()[-1].strip()
        metadata = json.loads((folder / "show it/metadata.json").read_text())
        with Server(line, folder) as server:
            counts = queries(server, metadata, database), charts(server, metadata, database)
            pages(server)
    print("%d queries and %d charts show what SQL says" % counts)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
