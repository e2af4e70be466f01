#!/usr/bin/env python3
"""Copies push.db into PostgreSQL and DuckDB as the article "Warehouses" says, and asks dbt.

    sudo apt-get install -y postgresql
    python3 -m venv venv && venv/bin/pip install 'dbt-core<1.11' 'dbt-metricflow[dbt-postgres]' 'psycopg[binary]' duckdb \
        duckdb-extensions duckdb-extension-sqlite-scanner
    pg_virtualenv venv/bin/python Tests/Interfaces/warehouses.py .build/release/pushetl .build/release/loggen

Sixty nights with late hits, late files, dates that are loaded again, another time zone, rows that somebody changes, lost
partitions, and a push.db that is gone or from a backup. After each, the lines of the article bring the copy up to date: it is
equal to push.db, and of the tables by day only rows of changed days were read. Then dbt reads the export, makes its views, and MetricFlow's metrics are the sums and rates of push.db.
"""
import contextlib
import csv
import datetime
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import psycopg
from duckdb_extensions import import_extension

ARTICLE = (Path(__file__).resolve().parents[2] / "Sources/pushetl/pushetl.docc/Warehouses.md").read_text()
FIRST, NIGHTS = datetime.date(2026, 9, 1), 60
# What MetricFlow answers, by its metric: SQL on push.db.
METRICS = {
    "push_messages": "sum(messages) FROM daily_funnel", "push_events": "sum(events) FROM daily_actions",
    "push_opened_of_messages": "1.0 * sum(opened) / sum(messages) FROM daily_funnel",
    "push_hourly_events": "sum(events) FROM hourly_actions",
    "push_path_messages": "sum(messages) FROM daily_paths", "push_read_records": "sum(records) FROM outcomes",
    "push_sent": "sum(sent) FROM delivery_results",
    "push_opened_of_sent": "1.0 * sum(CASE WHEN sent IS NOT NULL THEN opened END) / sum(sent) FROM delivery_results"}


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", ARTICLE, re.DOTALL)


class Nights:
    def __init__(self, program, loggen, folder):
        self.program, self.folder, self.random = program, folder, random.Random(39)
        self.code = compile(blocks("python")[0], "Warehouses.md", "exec")
        self.known, self.kept = None, 0
        last = FIRST + datetime.timedelta(NIGHTS - 1)
        subprocess.run([loggen, "--from", str(FIRST), "--to", str(last), "--records", "400", "--late", "60", "--out", "."],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)
        self.away = {}

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments, "-p", "push.yaml", "-q", "--force"], cwd=self.folder,
                              stderr=subprocess.PIPE, text=True)
        assert done.returncode in (0, 65), done.stderr

    def night(self, number):
        date = FIRST + datetime.timedelta(number)
        # A file comes some nights late, and its date is loaded again.
        if number % 4 == 1:
            path = next((self.folder / "collector" / str(date)).iterdir())
            shutil.move(path, self.folder / f"away-{number}")
            self.away[self.folder / f"away-{number}"] = (path, number + self.random.randint(1, 9))
        for place, (path, due) in list(self.away.items()):
            if due <= number:
                shutil.move(place, path)
                del self.away[place]
        if number == 14:
            pipeline = self.folder / "push.yaml"
            pipeline.write_text(pipeline.read_text().replace("Europe/Madrid", "America/New_York"))
        push, backup = self.folder / "warehouse/push.db", self.folder / "backup.db"
        if number % 13 == 5:
            with contextlib.closing(sqlite3.connect(push)) as database, database:
                database.execute("UPDATE daily_funnel SET opened = opened + 1")
                database.execute(f"DELETE FROM daily_actions WHERE day < '{FIRST + datetime.timedelta(number // 2)}'")
        if number % 13 == 8:
            gone = date - datetime.timedelta(self.random.randint(1, 7))
            (self.folder / f"warehouse/partitions/{gone}.sqlite").unlink()
        if number in (20, 33):
            # Nobody does this within the second of a load, of which the last number is.
            time.sleep(max(0, self.known + 1 - time.time()))
        if number == 20:
            # The history begins anew.
            push.unlink()
        if number == 30:
            shutil.copy(push, backup)
        if number == 33:
            shutil.copy(backup, push)
        self.run("backfill", "--from", str(FIRST), "--to", str(date))
        if number == 40:
            # As it is, before a command sees it.
            shutil.copy(backup, push)

    def copy(self):
        """Runs the article's lines, and returns how many rows they read."""
        names = {}
        with contextlib.chdir(self.folder / "warehouse"):
            exec(self.code, names)
        return names["read"], names["BY_DAY"]

    def check(self, number):
        read, by_day = self.copy()
        with sqlite3.connect(self.folder / "warehouse/push.db") as push, psycopg.connect() as copy:
            tables = [name for (name,) in push.execute("SELECT DISTINCT table_name FROM columns_help")]
            for table in tables:
                assert rows(push, table) == rows(copy, f"push.{table}"), f"night {number}: {table} is another"
            numbers = [number for (number,) in push.execute("SELECT DISTINCT number FROM changes ORDER BY number")]
            is_known = self.known in numbers
            for table in by_day:
                changed = "day IN (SELECT day FROM changes WHERE number > ?)" if is_known else "? IS NULL OR 1"
                (wanted,) = push.execute(f"SELECT count(*) FROM {table} WHERE {changed}", [self.known]).fetchone()
                assert read[table] == wanted, f"night {number}: {table}: {read[table]} rows were read, {wanted} are new"
                plan = push.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE day = ?", ["2026-10-01"]).fetchall()
                assert "SEARCH" in plan[0][3], plan
            self.known = numbers[-1] if numbers else None
            (all_days,) = push.execute("SELECT count(*) FROM days").fetchone()
            (funnel,) = push.execute("SELECT count(*) FROM daily_funnel").fetchone()
        self.kept += read["daily_funnel"] < funnel
        print(f"night {number}: {read['daily_funnel']:,} of {funnel:,} rows of daily_funnel, {all_days} days", flush=True)


def rows(database, table):
    """As texts, which tell NULL from an empty one; times as push.db has them."""
    def simple(value):
        return str(value) if isinstance(value, (datetime.date, datetime.datetime)) else value

    return sorted(([simple(value) for value in row] for row in database.execute(f"SELECT * FROM {table}")), key=repr)


def duck():
    """The article's lines for DuckDB."""
    import_extension("sqlite_scanner")
    for code in blocks("sql"):
        database = duckdb.connect()
        database.execute(code)
        for (table,) in database.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'memory'").fetchall():
            with sqlite3.connect("push.db") as push:
                assert rows(push, table) == sorted(([str(value) if isinstance(value, datetime.date) else value for value in row]
                                                    for row in database.execute(f"SELECT * FROM memory.{table}").fetchall()), key=repr)
            print(f"DuckDB: {table} is equal")


def dbt(program, folder):
    """The export in a project, and what MetricFlow makes of it."""
    server = {name: os.environ[f"PG{name.upper()}"] for name in ("host", "port", "user", "password")}
    (folder / "dbt_project.yml").write_text("name: figures\nversion: '1.0'\nprofile: figures\n")
    (folder / "profiles.yml").write_text(
        "figures:\n  target: dev\n  outputs:\n    dev: {type: postgres, dbname: postgres, schema: figures, "
        f"host: {server['host']}, port: {server['port']}, user: {server['user']}, password: '{server['password']}'}}\n")
    subprocess.run([program, "export", "dbt", "-p", "push.yaml", "-q", "--out", "models/push"], cwd=folder, check=True)

    def tool(*arguments):
        done = subprocess.run([str(Path(sys.executable).parent / arguments[0]), *arguments[1:]], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "DBT_PROFILES_DIR": str(folder), "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"})
        assert done.returncode == 0, f"{arguments}: {done.stdout}"
        return done.stdout

    def answer(metrics, *more):
        tool("mf", "query", "--metrics", ",".join(metrics), "--decimals", "9", "--csv", "answer.csv", *more)
        with open(folder / "answer.csv", newline="") as file:
            return list(csv.DictReader(file))

    def is_close(found, wanted):
        return abs(float(found) - float(wanted)) < 1e-6 * max(1, abs(float(wanted)))

    tool("dbt", "parse")
    tool("dbt", "run", "--select", "source:push+")
    with sqlite3.connect(folder / "warehouse/push.db") as push:
        (found,) = answer(METRICS)
        for metric, sql in METRICS.items():
            (wanted,) = push.execute(f"SELECT {sql}").fetchone()
            assert is_close(found[metric], wanted), f"{metric}: {found[metric]}, in push.db {wanted}"
        by_campaign = answer(["push_opened_of_sent"], "--group-by", "push_delivery__campaign")
        wanted = dict(push.execute(
            f"SELECT coalesce(campaign, ''), {METRICS['push_opened_of_sent']} GROUP BY 1 HAVING sum(sent) > 0"))
        assert len(wanted) > 1
        found = {row["push_delivery__campaign"]: row["push_opened_of_sent"] for row in by_campaign}
        for campaign, rate in wanted.items():
            assert is_close(found[campaign], rate), (campaign, found, rate)
        by_day = answer(["push_messages"], "--group-by", "metric_time__day", "--limit", "1000")
        wanted = dict(push.execute("SELECT day, sum(messages) FROM daily_funnel GROUP BY day"))
        assert {row["metric_time__day"][:10]: float(row["push_messages"]) for row in by_day} == wanted
    print(f"dbt: {len(METRICS)} metrics are those of push.db, and so by campaign and day")


def main():
    program, loggen = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="pushetl-warehouses-") as name:
        folder = Path(name)
        nights = Nights(program, loggen, folder)
        for number in range(NIGHTS):
            nights.night(number)
            nights.check(number)
        # A morning without news.
        nights.check(NIGHTS)
        assert nights.kept > NIGHTS / 2, "all was taken whole too often"
        with contextlib.chdir(folder / "warehouse"):
            duck()
        dbt(program, folder)


if __name__ == "__main__":
    main()
