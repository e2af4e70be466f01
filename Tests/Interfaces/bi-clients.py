#!/usr/bin/env python3
"""Opens push.db as BI tools do: types arrive as declared, and a week's filter gives that week, by `day` and by `day_start`.
Runs the lines for pandas of the article "Report and BI tools" too: dates are dates, and `sent` is an integer that may be
missing. And each usual question has the same answer in SQLite and in DuckDB.

    python3 -m venv venv && venv/bin/pip install sqlalchemy pandas duckdb duckdb-extensions duckdb-extension-sqlite-scanner
    venv/bin/python Tests/Interfaces/bi-clients.py .build/release/pushetl

A client that is not installed is skipped. The logs are the sample logs. The folder of push.db is read-only.
"""

import contextlib
import datetime
import os
import re
import sqlite3
import sys
import tempfile

from common import ROOT, exports

WEEK = ("2026-11-16", "2026-11-22")
FIGURES = [
    "daily_actions", "daily_funnel", "daily_totals", "hourly_actions", "daily_paths", "days", "calendar"]


def expected(path):
    """By table, its rows in the week, by plain SQL."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        count = "SELECT count(*) FROM {} WHERE day BETWEEN ? AND ?"
        return {table: database.execute(count.format(table), WEEK).fetchone()[0] for table in FIGURES}


def columns(database, table):
    return {name: kind for _, name, kind, *_ in database.execute(f"PRAGMA table_info({table})")}


def sqlalchemy(path, weeks):
    import sqlalchemy as sa

    engine = sa.create_engine(f"sqlite:///file:{path}?mode=ro&uri=true")
    metadata = sa.MetaData()
    metadata.reflect(engine)
    kinds = {
        "DATE": (sa.DATE, datetime.date), "DATETIME": (sa.DATETIME, datetime.datetime), "INTEGER": (sa.INTEGER, int),
        "REAL": (sa.REAL, float), "TEXT": (sa.TEXT, str)}
    with sqlite3.connect(path) as database, engine.connect() as connection:
        # Those whose names begin with "_" are pushetl's own.
        for table in [table for table in metadata.sorted_tables if not table.name.startswith("_")]:
            declared = columns(database, table.name)
            for name, kind in declared.items():
                assert isinstance(table.c[name].type, kinds[kind][0]), f"{table.name}.{name}: {table.c[name].type}"
            for row in connection.execute(sa.select(table)).mappings():
                for name, value in row.items():
                    assert value is None or isinstance(value, kinds[declared[name]][1]), f"{table.name}.{name}: {value!r}"
        first, last = (datetime.date.fromisoformat(day) for day in WEEK)
        behind = last + datetime.timedelta(days=1)
        for name in FIGURES:
            table = metadata.tables[name]
            # By its own dates; and as Superset writes a range of times, as text without a fraction of a second.
            for where in (
                table.c.day.between(first, last),
                sa.text(f"day_start >= '{first} 00:00:00' AND day_start < '{behind} 00:00:00'"),
            ):
                query = sa.select(sa.func.count()).select_from(table).where(where)
                assert connection.execute(query).scalar() == weeks[name], f"{name}: {where}"


def pandas(path, weeks):
    import pandas as pd

    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        for name in FIGURES:
            frame = pd.read_sql_query(f"SELECT * FROM {name}", database, parse_dates=["day", "day_start"])
            for column in ("day", "day_start"):
                assert str(frame[column].dtype).startswith("datetime64"), frame.dtypes
                assert len(frame[frame[column].between(*WEEK)]) == weeks[name], (name, column)
            assert (frame["day"] == frame["day_start"]).all()
            assert (pd.to_datetime(frame["day_epoch"], unit="s") == frame["day"]).all()


def duckdb(path, weeks):
    import duckdb
    from duckdb_extensions import import_extension

    import_extension("sqlite_scanner")
    database = duckdb.connect()
    database.execute(f"ATTACH '{path}' AS push (TYPE sqlite, READ_ONLY)")
    kinds = {"DATE": "DATE", "DATETIME": "TIMESTAMP", "INTEGER": "BIGINT", "REAL": "DOUBLE", "TEXT": "VARCHAR"}
    with sqlite3.connect(path) as plain:
        tables = [name for (name,) in plain.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
        for name in [name for name in tables if not name.startswith("_")]:
            described = {row[0]: row[1] for row in database.execute(f"DESCRIBE push.{name}").fetchall()}
            assert described == {column: kinds[kind] for column, kind in columns(plain, name).items()}, (name, described)
            # Reads every value: one of another type is an error here.
            database.execute(f"CREATE TABLE {name} AS SELECT * FROM push.{name}")
    for name in FIGURES:
        for column in ("day", "day_start"):
            (rows,) = database.execute(f"SELECT count(*) FROM push.{name} WHERE {column} BETWEEN ? AND ?", WEEK).fetchone()
            assert rows == weeks[name], (name, column)
    database.execute("USE push")
    with sqlite3.connect(path) as plain:
        questions(plain, database)


def questions(plain, duck):
    """Each question has the same rows in both, in the same order. Halves may be rounded another way, and of nothing a share is
    NULL in SQLite and not a number in DuckDB."""
    def simple(value):
        if isinstance(value, (int, float)):
            return None if value != value else float(value)
        return value and str(value)

    def values(rows):
        return [[simple(value) for value in row] for row in rows]

    def is_same(one, other):
        return one == other or type(one) is type(other) is float and abs(one - other) < 0.0011

    usual = {name: plain.execute(f"SELECT {sql}").fetchone()[0] for name, sql in exports.USUAL.items()}
    for question in exports.questions():
        sql = question.sql(lambda name: f"'{usual[name]}'")
        try:
            found, wanted = values(duck.execute(sql).fetchall()), values(plain.execute(sql).fetchall())
        except Exception as error:
            raise AssertionError(f"{question.title} {error}") from error
        assert len(found) == len(wanted) and all(map(is_same, sum(found, []), sum(wanted, []))), (
            f"{question.title} {found} instead of {wanted}")


def recipe(path):
    """Runs the lines of the article in the folder of push.db, and compares the rows with plain SQL."""
    article = (ROOT / "Sources/pushetl/pushetl.docc/ReportAndBI.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", article, re.DOTALL)
    names = {}
    with contextlib.chdir(os.path.dirname(path)):
        exec(code, names)
    results = names["results"]
    assert str(results["sent"].dtype) == str(results["delivered"].dtype) == "Int64", results.dtypes
    rows = results.astype(object).where(results.notna(), None).to_dict("records")
    # The dates of pandas are times.
    for row in rows:
        row.update({name: row[name] and row[name].date() for name in ("sent_day", "first_day", "last_day")})
    with sqlite3.connect(path) as database:
        read = {"DATE": datetime.date.fromisoformat, "DATETIME": datetime.datetime.fromisoformat}
        kinds = columns(database, "delivery_results")
        table = [
            {name: value if value is None else read.get(kind, lambda same: same)(value)
             for (name, kind), value in zip(kinds.items(), row)}
            for row in database.execute("SELECT * FROM delivery_results")]
    order = lambda row: row["delivery_id"]
    found, wanted = sorted(map(dict, rows), key=order), sorted(table, key=order)
    assert found == wanted, next((one, two) for one, two in zip(found, wanted) if one != two)
    for name in ("sent", "sent_day"):
        kinds = {type(row[name]) for row in found}
        assert kinds == {type(None), {"sent": int, "sent_day": datetime.date}[name]}, f"{name}: {kinds}"


def main():
    with tempfile.TemporaryDirectory(prefix="pushetl-clients-") as folder:
        exports.sample(sys.argv[1], folder).close()
        path = os.path.join(folder, "push.db")
        weeks = expected(path)
        os.chmod(folder, 0o555)
        try:
            for client in (sqlalchemy, pandas, duckdb):
                try:
                    __import__(client.__name__)
                except ImportError:
                    print(f"{client.__name__}: skipped, it is not installed")
                    continue
                client(path, weeks)
                if client is pandas:
                    recipe(path)
                print(f"{client.__name__}: types as declared, a week is {weeks['daily_funnel']} rows of daily_funnel")
        finally:
            os.chmod(folder, 0o755)


main()
