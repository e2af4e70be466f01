#!/usr/bin/env python3
"""Imports the export for Superset into a real Superset, and compares what its charts show with SQL.

    python3 -m venv venv && venv/bin/pip install apache-superset rich cachetools flask-caching==2.3.1
    venv/bin/python Tests/Interfaces/superset-export.py .build/release/pushetl

Takes some minutes, most of them for Superset's own database. The logs are the sample logs.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import common

CONFIG = """
SECRET_KEY = "for a test"
SQLALCHEMY_DATABASE_URI = "sqlite:///{folder}/superset.db"
PREVENT_UNSAFE_DB_CONNECTIONS = False
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
"""
LOADED = "day IN (SELECT log_date FROM partitions)"
RATE = "1.0 * sum(opened_impressed) / sum(impressed)"
# By the chart's title, the rows that it must show, whatever their order.
EXPECTED = {
    "Messages": "SELECT sum(messages) FROM daily_totals",
    "Impressed": "SELECT sum(impressed) FROM daily_totals",
    "Opened": "SELECT sum(opened) FROM daily_totals",
    "Opened of messages": "SELECT 1.0 * sum(opened) / sum(messages) FROM daily_totals",
    "Impressed and opened": "SELECT sum(opened_impressed) FROM daily_totals",
    "Opened of impressed": f"SELECT {RATE} FROM daily_totals",
    "What became of the messages of each day":
        "SELECT CAST(strftime('%s', day) AS INTEGER) * 1000, sum(messages), sum(impressed), sum(opened) FROM daily_totals "
        f"WHERE {LOADED} GROUP BY day",
    "Messages by platform": "SELECT platform, sum(messages) FROM daily_totals GROUP BY 1",
    "Opened of impressed, by platform (of 100 impressed or more)":
        f"SELECT CAST(strftime('%s', day) AS INTEGER) * 1000, platform, {RATE} FROM daily_totals "
        f"WHERE {LOADED} GROUP BY day, platform HAVING sum(impressed) >= 100",
    "Opens by hour of the day": "SELECT hour, sum(events) FROM hourly_actions WHERE action = 'open' GROUP BY 1",
    "Deliveries with the most opens":
        "SELECT label, campaign, variant, delivery_id, sum(opened) o, sum(messages), 1.0 * sum(opened) / sum(messages) "
        "FROM daily_funnel LEFT JOIN deliveries USING (delivery_id) GROUP BY delivery_id ORDER BY o DESC LIMIT 20",
    "Deliveries by what was sent":
        "SELECT label, campaign, variant, delivery_id, sum(sent) s, sum(opened), "
        "1.0 * sum(CASE WHEN sent IS NOT NULL THEN opened END) / sum(sent) "
        "FROM delivery_results GROUP BY delivery_id ORDER BY s DESC LIMIT 20",
    "Events by days after they happened": "SELECT CAST(julianday(log_date) - julianday(day) AS INTEGER), sum(events) FROM daily_actions GROUP BY 1",
    "Duplicates by action": "SELECT action, sum(duplicates) FROM hourly_actions GROUP BY 1",
    "Rejected records by reason": "SELECT reason, sum(records) FROM outcomes WHERE outcome = 'rejected' GROUP BY 1",
}


def check(*command, folder, environment=None):
    outcome = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert outcome.returncode == 0, f"{command}: {outcome.stdout}\n{outcome.stderr}"


class Server(common.Server):
    """Superset with its own database in a folder."""

    def __init__(self, folder):
        config = folder / "superset_config.py"
        config.write_text(CONFIG.format(folder=folder))
        super().__init__(folder, str(Path(sys.executable).parent / "superset"), "run", environment={
            **os.environ, "SUPERSET_CONFIG_PATH": str(config), "FLASK_APP": "superset"})
        self.token = None
        self.run("db", "upgrade")
        self.run(
            "fab", "create-admin", "--username", "admin", "--password", "admin", "--firstname", "a", "--lastname", "b",
            "--email", "admin@example.com")
        self.run("init")

    def run(self, *arguments):
        check(self.words[0], *arguments, folder=self.folder, environment=self.environment)

    def greet(self):
        login = self.ask("POST", "security/login", {
            "username": "admin", "password": "admin", "provider": "db", "refresh": False})
        self.token = login["access_token"]

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/{path}", method=method, data=body and json.dumps(body).encode(),
            headers={**({"Content-Type": "application/json"} if body else {}),
                     **({"Authorization": f"Bearer {self.token}"} if self.token else {})})
        try:
            with urllib.request.urlopen(request) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()[:2000]}") from error

    def datasets(self):
        """Their ids by the names of tables."""
        return {one["table_name"]: one["id"] for one in self.ask("GET", "dataset/?q=(page_size:100)")["result"]}

    def compare(self, database, table, metric, filters, sql):
        """A metric of a table under filters is what SQL says."""
        answer = self.ask("POST", "chart/data", {
            "datasource": {"id": self.datasets()[table], "type": "table"}, "result_format": "json", "result_type": "full",
            "queries": [{"columns": [], "metrics": [metric], "filters": filters}]})["result"][0]
        found, (expected,) = answer["data"][0][metric], database.execute(sql).fetchone()
        assert found == expected, f"{table}: {found} instead of {expected}: {answer['query']}"


def rows(values):
    """Rows that can be compared: numbers rounded, sorted."""
    return sorted((
        tuple(round(float(value), 9) if isinstance(value, (int, float)) else value for value in row) for row in values), key=repr)


def compare(server, database):
    charts = server.ask("GET", "chart/?q=(page_size:100)")["result"]
    seen = set()
    for chart in charts:
        title = chart["slice_name"]
        data = server.ask("GET", f"chart/{chart['id']}/data/")["result"][0]
        found = [tuple(row[name] for name in data["colnames"]) for row in data["data"]]
        if title in EXPECTED:
            expected = database.execute(EXPECTED[title]).fetchall()
        else:
            dataset = server.ask("GET", f"dataset/{chart['datasource_id']}")["result"]
            assert dataset["table_name"] == title and dataset["sql"], title
            expected = database.execute(dataset["sql"]).fetchall()
        if title in ("Deliveries with the most opens", "Deliveries by what was sent"):
            # Of equal ones any may be left out.
            found, expected = [row[4] for row in found], [row[4] for row in expected]
            assert found == expected, f"{title}: {found} instead of {expected}"
        else:
            assert rows(found) == rows(expected), f"{title}: {found} instead of {expected}"
        # Some questions have no answer in the sample logs.
        assert found or title not in EXPECTED, f"{title} shows nothing"
        seen.add(title)
    missing = set(EXPECTED) - seen
    assert not missing, missing
    assert len(seen) >= len(EXPECTED) + 15, f"{len(seen)} charts"
    return len(seen)


def filtered(server, database):
    """A range of times takes its first day and not its last. The dashboard opens with the last 28 days, and a delivery is found
    by its name and its day."""
    (dashboard,) = server.ask("GET", "dashboard/")["result"]
    assert dashboard["dashboard_title"] == "Push messages", dashboard
    metadata = json.loads(server.ask("GET", f"dashboard/{dashboard['id']}")["result"]["json_metadata"])
    (period,) = [one for one in metadata["native_filter_configuration"] if one["name"] == "Period"]
    assert period["targets"][0]["datasetId"] == server.datasets()["daily_totals"], period
    last = "BETWEEN '2026-10-23' AND '2026-11-19'"
    for table, metric, day in (
            ("daily_totals", "sum_messages", "day"), ("delivery_results", "sum_opened", "coalesce(sent_day, first_day)")):
        server.compare(database, table, metric, period["defaultDataMask"]["extraFormData"]["filters"],
                       f"SELECT sum({metric[4:]}) FROM {table} WHERE {day} {last}")
    for table, metric, time_column, day in (
            ("daily_totals", "sum_messages", "day_start", "day"), ("hourly_actions", "sum_events", "day_start", "day"),
            ("outcomes", "sum_records", "log_date", "log_date"),
            ("delivery_results", "sum_opened", "delivery_day", "coalesce(sent_day, first_day)")):
        times = {"col": time_column, "op": "TEMPORAL_RANGE", "val": "2026-11-17T00:00:00 : 2026-11-19T00:00:00"}
        server.compare(database, table, metric, [times],
                       f"SELECT sum({metric[4:]}) FROM {table} WHERE {day} IN ('2026-11-17', '2026-11-18')")


def main(program):
    with tempfile.TemporaryDirectory(prefix="pushetl-") as scratch:
        folder = Path(scratch).resolve()
        database = common.exports.sample(program, f"{folder}/out")
        for out in ("a", "b.zip"):
            check(program, "export", "superset", "--out", out, "-p", str(common.ROOT / "Pipelines/push.yaml"), "--output", "out",
                  folder=folder)
        bundle = folder / "a/push-superset.zip"
        assert bundle.read_bytes() == (folder / "b.zip").read_bytes(), "two exports have different bytes"
        check(sys.executable, "-m", "zipfile", "-t", str(bundle), folder=folder)
        os.chmod(folder / "out", 0o555)
        server = Server(folder)
        for _ in range(2):
            server.run("import-dashboards", "--path", str(bundle), "--username", "admin")
        with server:
            count = compare(server, database)
            filtered(server, database)
        os.chmod(folder / "out", 0o755)
    print(f"{count} charts show what SQL says")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
