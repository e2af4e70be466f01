#!/usr/bin/env python3
"""Loads log dates on Apache Spark, and publishes the same push.db as `pushetl run` and `pushetl backfill` do.

    spark-submit pushetl_spark.py run --date 2026-11-19 --pipeline push.yaml --output /shared/push
    spark-submit pushetl_spark.py backfill --from 2026-11-01 --to 2026-11-19 --pipeline push.yaml --output /shared/push

All rules are in the program pushetl. This script starts its processes, and moves bytes:

1. `pushetl spark-plan` runs on the driver from begin to end, with the output locked. It prints the log dates to load and their
   files. (Those at URIs such as hdfs:// or s3a:// it asks for first.)
2. `pushetl spark-read`, a task for each file, reads it, and writes its events, and what was read, filtered and rejected, into
   the job's folder in the output.
3. Then spark-plan goes on as `pushetl run` does, with these in place of the files, and prints the result.

A task may run twice, or die. If the job cannot go on, spark-plan is told why; it ends, and nothing has changed.
It needs PySpark 3.5 or later, and the same version of pushetl on the driver and on all executors.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Any, NoReturn, cast

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import types as sql

DONE, USAGE, DATA, INTERNAL, FAILED = 0, 64, 65, 70, 74

Step = dict[str, Any]


class TaskFailed(Exception):
    """A task failed on an executor. Spark brings its exception to the driver as text."""

    TEXT = re.compile(r"pushetl task on (\S+), exit (\d+): (.+)")

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(f"pushetl task on {socket.gethostname()}, exit {code}: {sentence}")


def read_file(command: Sequence[str], content: bytes = b"") -> None:
    """A task: runs spark-read to its end, with these bytes on its stdin."""
    try:
        done = subprocess.run(command, input=content, stderr=subprocess.PIPE, check=False)
    except OSError as error:
        raise TaskFailed(
            FAILED,
            f"no pushetl on this executor ({command[0]}: {error.strerror}); install the same version there "
            "as on the driver, or say with --pushetl where it is") from None
    text = done.stderr.decode(errors="replace")
    print(text, end="", file=sys.stderr, flush=True)
    if done.returncode < 0:
        raise TaskFailed(
            FAILED,
            f"spark-read was killed by signal {-done.returncode}; if memory was short, give executors more of it "
            "(spark.executor.memoryOverhead), or pushetl less (--memory)")
    if done.returncode > 0:
        raise TaskFailed(done.returncode, (text.strip() or "spark-read failed").splitlines()[-1])


def find(spark: SparkContext, step: Step, _: argparse.Namespace) -> str:
    """Lists the files at URIs, for each glob."""
    spark.setJobGroup("pushetl", "pushetl: list the files")
    java: Any = spark
    found: list[list[dict[str, Any]]] = []
    for glob in step["globs"]:
        path = java._jvm.org.apache.hadoop.fs.Path(glob)
        entries = path.getFileSystem(java._jsc.hadoopConfiguration()).globStatus(path) or []
        found.append([
            {"location": entry.getPath().toString(), "bytes": entry.getLen(), "modified": entry.getModificationTime()}
            for entry in entries if entry.isFile()])
    return json.dumps(found)


def read(spark: SparkContext, step: Step, options: argparse.Namespace) -> str:
    """Has the files read, a task each."""
    # The largest first, so that no large one begins when all others are done.
    files = sorted(step["files"], key=lambda file: -file["bytes"])
    span = " to ".join(sorted({min(file["log_date"] for file in files), max(file["log_date"] for file in files)}))
    megabytes = sum(file["bytes"] for file in files) / 1e6
    spark.setJobGroup("pushetl", f"pushetl: read {len(files):,} files of {span}, {megabytes:,.1f} MB")
    command = [options.pushetl, "spark-read", "--job", step["job"], *options.task_words]
    local = [str(file["index"]) for file in files if file["location"].startswith("/")]
    remote = {file["location"]: str(file["index"]) for file in files if not file["location"].startswith("/")}
    if local:
        spark.parallelize(local, len(local)).foreach(lambda index: read_file([*command, "--file", index]))
    if remote:
        # What would be a sign to Hadoop may be any character: a file too many is left out.
        globs = ",".join(re.sub(r"[][{}*?\\^,]", "?", location) for location in remote)
        spark.binaryFiles(globs, len(remote)).filter(lambda file: file[0] in remote).foreach(
            lambda file: read_file([*command, "--file", remote[file[0]], "--stdin"], file[1]))
    return ""


# What spark-plan may ask for. Each gives the answer that it waits for.
STEPS: dict[str, Callable[[SparkContext, Step, argparse.Namespace], str]] = {"find": find, "read": read}


def drive(spark: SparkContext, options: argparse.Namespace) -> int:
    """Runs spark-plan and what it asks for; gives the exit code of the job."""
    try:
        child = subprocess.Popen(
            [options.pushetl, "spark-plan", *options.plan_words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        return fail(
            options, FAILED, "spark",
            f"no pushetl on the driver ({options.pushetl}: {error.strerror}); say with --pushetl where it is")
    stdin, stdout = cast("IO[bytes]", child.stdin), cast("IO[bytes]", child.stdout)
    result = b""
    while line := stdout.readline():
        if b'"next"' not in line:
            # The result of a command that was given wrongly.
            result = line
            break
        step = json.loads(line)
        if step["next"] == "done":
            break
        try:
            answer = STEPS[step["next"]](spark, step, options)
        except KeyboardInterrupt:
            # It says that it was stopped, as without Spark.
            child.send_signal(signal.SIGINT)
            continue
        except Exception as error:  # noqa: BLE001
            answer = json.dumps({"failure": explain(error)})
        with suppress(BrokenPipeError):
            stdin.write(f"{answer}\n".encode())
            stdin.flush()
    with suppress(BrokenPipeError):
        stdin.close()
    sys.stdout.buffer.write(result + stdout.read())
    sys.stdout.flush()
    code = child.wait()
    return code if code >= 0 else 128 - code


def explain(error: Exception) -> dict[str, Any]:
    """Why a step failed, and the exit code of that."""
    if task := TaskFailed.TEXT.search(str(error)):
        return {
            "exit_code": INTERNAL if int(task[2]) == INTERNAL else FAILED,
            "message": f"a task failed on {task[1]}; nothing has changed: {task[3]}"}
    return {"exit_code": FAILED, "message": f"Spark failed; nothing has changed: {reason(error)}"}


def reason(error: Exception) -> str:
    """What an error says, without Java's stack."""
    return " ".join(str(error).split("\n\tat ")[0].split())


def fail(options: argparse.Namespace, exit_code: int, code: str, message: str) -> int:
    """Prints the error of a job that spark-plan has not begun, as pushetl does; gives the exit code."""
    if options.json:
        result = {
            "command": options.command, "errors": [{"code": code, "message": message}], "exit_code": exit_code,
            "schema": "pushetl/4", "warnings": []}
        print(json.dumps(result, indent=2), flush=True)
    log(options, code, message)
    return exit_code


def log(options: argparse.Namespace, code: str, message: str) -> None:
    """Writes an error to stderr."""
    text = f"error: {message}"
    if vars(options)["log-format"] == "json":
        now = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%S}Z"
        text = json.dumps({"code": code, "level": "error", "message": message, "time": now})
    print(text, file=sys.stderr, flush=True)


PARQUET_TYPES: dict[str, tuple[sql.DataType, Callable[[Any], Any]]] = {
    "INTEGER": (sql.LongType(), int),
    "REAL": (sql.DoubleType(), float),
    "TEXT": (sql.StringType(), str),
    "DATE": (sql.DateType(), datetime.date.fromisoformat),
    "DATETIME": (sql.TimestampNTZType(), datetime.datetime.fromisoformat)}


def write_parquet(spark: SparkSession, source: Path, folder: Path) -> None:
    """Writes each table that has days or deliveries: a folder of Parquet files, in the order of the table's key."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pushetl-") as scratch:
        copy = sqlite3.connect(Path(scratch, "push.db"))
        with closing(copy), closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as database:
            # From a copy, so that no other command has to wait until all is written.
            database.backup(copy)
            tables = (
                "SELECT DISTINCT table_name FROM columns_help WHERE column_name IN ('day', 'delivery_id') "
                "AND table_name <> 'changes'")
            for (table,) in copy.execute(tables).fetchall():
                write_table(spark, copy, table, folder)


def write_table(spark: SparkSession, database: sqlite3.Connection, table: str, folder: Path) -> None:
    """Writes the rows to a new folder, which then replaces the former one of the table's name."""
    spark.sparkContext.setJobGroup("pushetl", f"pushetl: write {table} as Parquet")
    columns = list(database.execute(f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{table}')"))
    types = [PARQUET_TYPES[type_] for _, type_, _, _ in columns]
    schema = sql.StructType(
        [sql.StructField(column[0], type_, not column[2]) for column, (type_, _) in zip(columns, types)])
    key = ", ".join(name for place, name in sorted((place, name) for name, _, _, place in columns if place))
    written, final = folder / f".{table}.new", folder / table
    shutil.rmtree(written, ignore_errors=True)
    cursor = database.execute(f"SELECT * FROM {table} ORDER BY {key}")
    while (rows := cursor.fetchmany(200_000)) or not written.exists():
        typed = [
            tuple(None if value is None else read(value) for (_, read), value in zip(types, row)) for row in rows]
        frame = spark.createDataFrame(typed, schema, verifySchema=False)
        frame.coalesce(1).write.mode("append").parquet(written.absolute().as_uri())
    shutil.rmtree(final, ignore_errors=True)
    written.rename(final)


# What spark-plan takes, and checks: the value's name, or none of a flag, and the help.
RUN = {
    "date": ("D", "the log date (default: yesterday)"), "catch-up": ("N", "also what the N log dates before it have missed")}
BACKFILL = {
    "from": ("D", "the first log date"),
    "to": ("D", "the last log date"),
    "last": ("N", "the last N log dates, instead of --from and --to"),
    "only": ("WHICH", "missing, partial, stale, held, damaged, shrunk or all"),
    "give-up": ("D", "give a log date up, as pushetl backfill --give-up does")}
BOTH = {
    "pipeline": ("FILE", "the pipeline file (default: as of pushetl run)"),
    "output": ("DIR", "the folder of push.db, which driver and executors see (default: the pipeline file's)"),
    "memory": ("SIZE", "memory of each process of pushetl (default: 1G)"),
    "jobs": ("N", "threads on the driver (default: its cores)"),
    "wait": ("S", "how many seconds to wait for another command, or a reader of push.db (default: 30)"),
    "settle": ("", "close more than 7 log dates at once, as pushetl run --settle does"),
    "force": ("", "load in spite of limits, as pushetl run --force does"),
    "verbose": ("", "list all log dates"),
    "json": ("", "print the result as JSON"),
    "quiet": ("", "print warnings and errors only"),
    "log-format": ("FORMAT", "of messages: text or json (default: text)")}
OWN = {
    "pushetl": ("PATH", "the program, on the driver and on all executors (default: pushetl on PATH)"),
    "scratch": ("DIR", "a folder on each executor's own disk (default: TMPDIR, else /tmp)"),
    "parquet": ("DIR", "write the figures to this shared folder as Parquet, too; needs --output")}


class Parser(argparse.ArgumentParser):
    """Says what is wrong as pushetl does."""

    def error(self, message: str) -> NoReturn:
        # What could not be parsed says how to tell it.
        words = " ".join(sys.argv[1:]).replace("=", " ")
        options = argparse.Namespace(
            command=next((word for word in sys.argv[1:] if word in ("run", "backfill")), "pushetl"),
            json="--json" in sys.argv, **{"log-format": "json" if "--log-format json" in words else "text"})
        is_text = vars(options)["log-format"] == "text"
        code = fail(options, USAGE, "usage", message)
        self.exit(code, f"{self.format_usage()}See '--help' for more information.\n" if is_text else None)


def options_of(words: Sequence[str]) -> argparse.Namespace:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", metavar="run|backfill", required=True)
    for name, text, only in (("run", "load a log date", RUN), ("backfill", "load several log dates", BACKFILL)):
        command = commands.add_parser(name, help=text, allow_abbrev=False)
        for option, (value, text) in {**only, **BOTH, **OWN}.items():
            short = [f"-{option[0]}"] if option in ("pipeline", "quiet") else []
            kind: dict[str, Any] = {"metavar": value} if value else {"action": "store_true"}
            command.add_argument(*short, f"--{option}", dest=option, help=text, **kind)
    options = parser.parse_args(words)
    given = vars(options)

    def is_given(name: str) -> bool:
        # An empty value is one too, which is wrong: a variable of a shell may not be set.
        return given.get(name) not in (None, False)

    if empty := [name for name in OWN if given[name] == ""]:
        parser.error(f"--{empty[0]} was given an empty value")
    is_told = any(map(is_given, ("give-up", "last"))) or is_given("from") and is_given("to")
    if options.command == "backfill" and not is_told:
        parser.error("backfill needs --from and --to, or --last")
    if is_given("parquet") and not is_given("output"):
        parser.error("--parquet needs --output")
    options.pushetl = options.pushetl or "pushetl"
    options.task_words = [f"--{name}={given[name]}" for name in ("memory", "scratch") if is_given(name)]
    options.plan_words = [
        f"--{name}" if given[name] is True else f"--{name}={given[name]}"
        for name in {**RUN, **BACKFILL, **BOTH} if is_given(name)]
    return options


def run(spark: SparkSession, options: argparse.Namespace) -> int:
    code = drive(spark.sparkContext, options)
    push = Path(options.output or "", "push.db")
    # Without it, all that was to be loaded is held back.
    if options.parquet and code in (DONE, DATA) and push.exists():
        try:
            write_parquet(spark, push, Path(options.parquet))
        except Exception as error:  # noqa: BLE001
            log(options, "parquet",
                f"{options.parquet}: the figures could not be written as Parquet: {reason(error)}; push.db has them; "
                "fix that, and give the command again")
            return FAILED
    return code


def main() -> int:
    options = options_of(sys.argv[1:])
    try:
        spark = SparkSession.builder.appName(" ".join(["pushetl", *sys.argv[1:]])).getOrCreate()
    except Exception as error:  # noqa: BLE001
        return fail(options, FAILED, "spark", f"Spark could not be started: {reason(error)}")
    try:
        return run(spark, options)
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())
