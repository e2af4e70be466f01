#!/usr/bin/env python3
"""Loads logs of loggen with pushetl_spark.py, and compares every table of push.db with what `pushetl` makes of the same
logs on one machine. Then it breaks something in each job: processes, files, programs.

    python3 -m venv venv && venv/bin/pip install pyspark    # and Java 17 or later, from Debian
    venv/bin/python Tests/Interfaces/spark.py .build/release/pushetl [--full] [--only WORDS]

Most jobs run in one Spark application, of two executor processes (local-cluster[2,1,1024]). The ones whose driver is
killed or whose exit code matters start by spark-submit, in local[2]. The short form takes a few minutes.
"""

import datetime
import gzip
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

sys.path[:0] = [str(Path(__file__).parents[1] / "Faults"), str(Path(__file__).parents[2] / "Sources/spark")]
import pushetl_spark
from faults import Fault, Outcome, arguments, reading, rows

DATES = [f"2026-11-{day}" for day in (15, 16, 17, 18, 19)]
ALL = ["backfill", "--from", DATES[0], "--to", DATES[-1]]
# What queries are usual does not follow from the input.
OTHER = ("sqlite_stat1",)
CLUSTER, LOCAL = "local-cluster[2,1,1024]", "local[2]"


def tables(output):
    """Every row of push.db that follows from the input; nothing without a push.db."""
    path = Path(output, "push.db")
    if not path.exists():
        return {}
    with reading(path) as database:
        return {name: [row for row in found if row[0] != "version"] for name, found in rows(database) if name not in OTHER}


def same(found, expected, where):
    for name in sorted(found.keys() | expected.keys()):
        rows, others = found.get(name, []), expected.get(name, [])
        if rows != others:
            more, fewer = [row for row in rows if row not in others], [row for row in others if row not in rows]
            raise Fault(f"{where}: {name} has {len(rows)} rows instead of {len(others)}; wrong {more[:3]}, missing {fewer[:3]}")


class World:
    """Logs of five dates, a program for each fault, and the folders of outputs."""

    def __init__(self, options):
        self.folder = Path(options.folder or tempfile.mkdtemp(prefix="pushetl-spark-"))
        self.folder.mkdir(exist_ok=True)
        self.program = os.path.abspath(options.pushetl)
        self.logs = self.folder / "logs"
        subprocess.run(
            [os.path.join(os.path.dirname(self.program), "loggen"), "--records", "20000" if options.full else "1500", "--from",
             DATES[0], "--to", DATES[-1], "--files", "2" if options.full else "1", "--ids", "mixed", "--late", "100", "--window-days",
             "2", "--deliveries", "20", "--out", str(self.logs)], check=True, stdout=subprocess.DEVNULL)
        self.pipeline = str(self.logs / "push.yaml")
        # The hits of one date come again with another: duplicates across dates.
        again = next((self.logs / "collector" / DATES[1]).iterdir())
        shutil.copy(again, self.logs / "collector" / DATES[3] / f"again-{again.name}")
        self.reference = self.folder / "plain"
        expect(0, self.plain(*ALL, output=self.reference))
        self.expected = tables(self.reference)

    def place(self, words, output):
        return [*words, "--pipeline", self.pipeline, "--output", str(output)]

    def plain(self, *words, output):
        """The program on one machine."""
        begin = time.monotonic()
        done = subprocess.run([self.program, *self.place(words, output)], capture_output=True, text=True)
        return Outcome(done.returncode, done.stdout, done.stderr, time.monotonic() - begin)

    def output(self, name):
        output = self.folder / name
        shutil.rmtree(output, ignore_errors=True)
        return output

    def instead(self, name, script):
        """A program that runs a script before pushetl. `once` is true the first time only."""
        folder = self.output(f"program-{name}")
        folder.mkdir()
        path = folder / "pushetl"
        path.write_text(
            f"#!/bin/sh\nreal={self.program}\nfolder={folder}\n"
            'once() { mkdir "$folder/once" 2> /dev/null; }\n'
            'parent() { ps -o ppid= -p "$1" | tr -d " "; }\n'
            f'{script}\nexec "$real" "$@"\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)


def expect(code, outcome, *parts):
    if outcome.exit != code:
        raise Fault(f"exit {code} was expected, but: {outcome}")
    for part in parts:
        if part not in outcome.stderr:
            raise Fault(f"{part!r} was expected on stderr, but: {outcome}")


class Session:
    """One Spark application that runs many jobs, one after the other, by the functions of pushetl_spark.py."""

    def __init__(self, world):
        self.world = world
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
        self.spark = (
            SparkSession.builder.master(CLUSTER).appName("pushetl").config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false").config("spark.log.level", "OFF").getOrCreate())
        self.spark.sparkContext.addPyFile(pushetl_spark.__file__)

    def run(self, *words, output, program=None):
        options = pushetl_spark.options_of(
            [*self.world.place(words, output), "--pushetl", program or self.world.program])
        begin = time.monotonic()
        with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
            kept = os.dup(1), os.dup(2)
            sys.stdout.flush()
            os.dup2(stdout.fileno(), 1)
            os.dup2(stderr.fileno(), 2)
            try:
                code = pushetl_spark.run(self.spark, options)
            finally:
                sys.stdout.flush()
                os.dup2(kept[0], 1)
                os.dup2(kept[1], 2)
                os.close(kept[0])
                os.close(kept[1])
            stdout.seek(0)
            stderr.seek(0)
            return Outcome(code, stdout.read().decode(), stderr.read().decode(), time.monotonic() - begin)

    def close(self):
        self.spark.stop()


def submit(world, *words, output, program=None):
    """A job as people start it, by spark-submit; its processes are a group of their own."""
    home = Path(pyspark.__file__).parent
    return subprocess.Popen(
        [home / "bin/spark-submit", "--master", LOCAL, "--conf", "spark.ui.enabled=false",
         pushetl_spark.__file__, *world.place(words, output), "--pushetl", program or world.program],
        env={**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def end(child):
    """What spark-submit gives: on stdout also what the driver writes to stderr, and on stderr what Java writes."""
    begin = time.monotonic()
    stdout, stderr = child.communicate(timeout=900)
    return Outcome(child.returncode, stdout, stdout + stderr, time.monotonic() - begin)


# The same tables


def all_at_once(session):
    world = session.world
    output = world.output("at-once")
    outcome = session.run(*ALL, output=output)
    expect(0, outcome)
    same(tables(output), world.expected, "all at once")
    expect_nothing_to_do(session, output)
    return f"{outcome.seconds:.0f} s"


def in_turns(session):
    """A job, `run` and a job on one output: each goes on with what the others have left."""
    world = session.world
    output = world.output("turns")
    for date, load in zip(DATES, [session.run, world.plain] * len(DATES)):
        expect(0, load("run", "--date", date, output=output))
    same(tables(output), world.expected, "jobs and plain loads in turns")
    expect_nothing_to_do(session, output)
    expect(0, world.plain("doctor", output=output))


def expect_nothing_to_do(session, output):
    before = (output / "push.db").stat().st_mtime_ns
    expect(0, session.run(*ALL, output=output))
    if (output / "push.db").stat().st_mtime_ns != before:
        raise Fault("a job without work wrote push.db")


def uris(session):
    """Files at URIs come through Spark's reader."""
    world = session.world
    output, plain = world.output("uris"), world.pipeline
    text = Path(plain).read_text()
    patterns = re.findall(r"^ +files: '(.+)'$", text.split("sources:")[1], re.MULTILINE)
    for pattern in patterns:
        text = text.replace(f"files: '{pattern}'", f"files: 'file://{world.logs}/{pattern}'")
    world.pipeline = str(world.logs / "uris.yaml")
    Path(world.pipeline).write_text(text)
    try:
        expect(0, session.run(*ALL, output=output))
        found = tables(output)
        same(*({name: rows for name, rows in side.items() if re.match("daily_|hourly_|days$", name)}
               for side in (found, world.expected)), "files at URIs")
        if not all(path.startswith(f"file://{world.logs}/") for _, _, path, *_ in found["files"]):
            raise Fault(f"the paths are {found['files'][:2]}")
        expect_nothing_to_do(session, output)
        # Others cannot list the files, and say nothing of them.
        status = world.plain("status", output=output)
        expect(0, status)
        if "gone" in status.stdout:
            raise Fault(f"status knows of files at URIs: {status.stdout}")
        # The listing alone tells what has changed.
        path = next((world.logs / "collector" / DATES[1]).iterdir())
        os.utime(path, (1_700_000_000, 1_700_000_000))
        again = session.run(*ALL, output=output)
        expect(0, again)
        if [date for date in DATES if f"{date}  complete" in again.stdout] != [DATES[1]]:
            raise Fault(f"only {DATES[1]} has another file: {again.stdout}")
        large = path.with_name("large.log.gz")
        large.touch()
        os.truncate(large, (1 << 30) + 1)
        expect(74, session.run("run", "--date", DATES[1], output=output),
               "is larger than 1 GiB, the most that comes through Spark from a URI; once it is split")
        large.unlink()
    finally:
        world.pipeline = plain
    return f"{len(found['files'])} files"


def vanished_file(session):
    """A file that is listed, and gone when its task begins: the date is held back."""
    world = session.world
    path = min((world.logs / "collector" / DATES[0]).iterdir())
    kept = path.read_bytes()
    output = world.output("vanished")
    program = world.instead("vanished", f'[ "$1" = spark-read ] && rm -f {path}')
    try:
        expect(74, session.run("run", "--date", DATES[0], output=output, program=program),
               f"error: {DATES[0]}: held back: ", f"{path.name}: cannot be read: no such file or directory; ")
        if tables(output).get("partitions"):
            raise Fault("a date with a vanished file was published")
    finally:
        path.write_bytes(kept)
    expect(0, session.run("run", "--date", DATES[0], output=output))


# Processes that die

# Who dies, seen from the child process: itself, Python's worker, the executor's Java (above Python's daemon).
VICTIMS = {"child": "$$", "worker": "$PPID", "executor": "$(parent $(parent $PPID))"}


def killed(session, victim):
    """In the middle of a task something is killed, once: Spark tries again, and the tables are the same."""
    world = session.world
    output = world.output(f"killed-{victim}")
    # A task that has done its work may die too: it has not said so.
    program = world.instead(
        f"killed-{victim}",
        f'if [ "$1" = spark-read ] && once; then "$real" "$@"; kill -9 {VICTIMS[victim]}; sleep 60; fi')
    expect(0, session.run(*ALL, output=output, program=program))
    if not Path(program).with_name("once").exists():
        raise Fault("nothing was killed: there is nothing to see")
    same(tables(output), world.expected, f"{victim} killed")


def driver_killed_while_reading(session):
    """The driver's processes die while tasks wait; nothing has changed, and the next job does it all."""
    world = session.world
    output = world.output("driver-reading")
    expect(0, session.run("run", "--date", DATES[0], output=output))
    before = tables(output)
    program = world.instead("driver-reading", 'if [ "$1" = spark-read ]; then echo $PPID > "$folder/here"; sleep 600; fi')
    child = submit(world, *ALL, output=output, program=program)
    here = Path(program).with_name("here")
    while not here.exists():
        if child.poll() is not None:
            raise Fault(f"the job ended before a file was read: {end(child)}")
        time.sleep(0.1)
    os.killpg(child.pid, signal.SIGKILL)
    end(child)
    same(tables(output), before, "driver killed")
    expect(0, session.run(*ALL, "--wait", "60", output=output))
    same(tables(output), world.expected, "after a driver was killed")
    expect(0, world.plain("doctor", output=output))


def driver_killed_at_the_end(session):
    """spark-plan dies while it loads what was read. A job, or a plain load, goes on."""
    world = session.world
    for name, go_on in (("job", session.run), ("run", world.plain)):
        output = world.output(f"driver-end-{name}")
        program = world.instead(
            f"driver-end-{name}",
            f'if [ "$1" = spark-plan ]; then (until [ -e {output}/partitions/{DATES[0]}.sqlite ]; do sleep 0.01; done; '
            "kill -9 $$) & fi")
        expect(128 + signal.SIGKILL, session.run(*ALL, output=output, program=program))
        expect(0, go_on(*ALL, output=output))
        same(tables(output), world.expected, f"{name} after a driver was killed")
        if (output / "partitions/.jobs").exists():
            raise Fault("the folder of a dead job is left")


def no_program(session):
    """Executors without pushetl: the driver says so."""
    world = session.world
    # The driver finds it by its PATH, and executors do not.
    folder = world.output("program-none")
    folder.mkdir()
    os.symlink(world.program, folder / "pushetl-of-driver")
    former = os.environ["PATH"]
    os.environ["PATH"] = f"{folder}:{former}"
    try:
        outcome = session.run("run", "--date", DATES[0], "--json", output=world.output("none"),
                              program="pushetl-of-driver")
        expect_json(74, outcome, "spark",
                    "no pushetl on this executor (pushetl-of-driver: No such file or directory); install the same version there")
    finally:
        os.environ["PATH"] = former
    outcome = session.run("run", "--json", output=world.output("none"), program="/nowhere/pushetl")
    expect_json(74, outcome, "spark", "no pushetl on the driver")


def expect_json(code, outcome, error, part):
    """The result on stdout, and nothing else there, says how the command failed."""
    expect(code, outcome, part)
    result = json.loads(outcome.stdout)
    if (result["exit_code"], result["errors"][0]["code"]) != (code, error) or part not in result["errors"][0]["message"]:
        raise Fault(f"the result does not say what failed: {outcome.stdout}")


def wrong_options(session):
    """What is wrong is said as pushetl says it. An empty value is wrong too."""
    world = session.world

    def script(*words):
        done = subprocess.run([sys.executable, pushetl_spark.__file__, *words], capture_output=True, text=True)
        return Outcome(done.returncode, done.stdout, done.stderr, 0)

    expect_json(64, script("run", "--json", "--bogus"), "usage", "unrecognized arguments: --bogus")
    for name in pushetl_spark.OWN:
        expect_json(64, script("run", "--json", f"--{name}", ""), "usage", f"--{name} was given an empty value")
    expect_json(64, script("backfill", "--json", "--last"), "usage", "--last")
    for option in ("date", "catch-up"):
        expect(64, session.run("run", f"--{option}=", output=world.output("wrong")), f"--{option}")
    expect(64, session.run("run", output=""), "--output")


# The output in use


def readers(session):
    """The commands that read work on the output as on one machine's."""
    world = session.world
    output = world.output("read")
    expect(0, session.run(*ALL, output=output))
    # Of the file that came again with another date.
    again = next((world.logs / "collector" / DATES[3]).glob("again-*"))
    ids = re.findall(r"id=(h[0-9a-f-]+),", gzip.decompress(again.read_bytes()).decode(errors="replace"))[:3]
    for words in [["rejects", "--limit", "1000"], ["rejects", "--summary"], ["doctor"], *(["explain", found] for found in ids)]:
        texts = []
        for at in (output, world.reference):
            outcome = world.plain(*words, output=at)
            expect(0, outcome)
            texts.append(outcome.stdout.replace(str(at), "OUTPUT"))
        if texts[0] != texts[1]:
            raise Fault(f"{' '.join(words)} differs:\n{texts[0]}\n{texts[1]}")
    return f"explain {len(ids)} messages"


def parquet(session):
    """The Parquet files hold what push.db holds, twice over."""
    world = session.world
    output, folder = world.output("parquet-output"), world.output("parquet")
    for dates in (DATES[:1], DATES[:2]):
        outcome = session.run(
            "backfill", "--from", dates[0], "--to", dates[-1], "--json", "--parquet", str(folder), output=output)
        expect(0, outcome)
        if json.loads(outcome.stdout)["exit_code"] != 0:
            raise Fault(f"the result is not that of the job: {outcome.stdout}")
        rows = 0
        figures = tables(output)
        written = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
        for table in written:
            frame = session.spark.read.parquet(str(folder / table))
            found = [tuple(
                value.isoformat(" ") if isinstance(value, datetime.datetime) else
                value.isoformat() if isinstance(value, datetime.date) else value for value in row) for row in frame.collect()]
            rows += len(found)
            same({table: sorted(found, key=repr)}, {table: figures[table]}, "Parquet")
        if len(written) < 10:
            raise Fault(f"only {written} are written")
    return f"{len(written)} tables, {rows:,} rows"


def no_parquet(session):
    """Without push.db there is nothing to write, and where it cannot be written a sentence says so."""
    world = session.world
    folder, plain = world.output("no-parquet"), world.pipeline
    folder.mkdir()
    world.pipeline = str(folder / "push.yaml")
    Path(world.pipeline).write_text(
        "version: 1\noutput: out\nsources:\n  - {name: adobe, format: collector, files: '%Y-%m-%d.log'}\n")
    (folder / f"{DATES[0]}.log").write_text("junk\n")
    try:
        words = ["run", "--date", DATES[0], "--parquet"]
        expect(65, session.run(*words, str(folder / "parquet"), output=folder / "out"), "held back")
        (folder / "file").touch()
        expect(74, session.run(*words, str(folder / "file"), "--force", output=folder / "out"),
               f"error: {folder / 'file'}: the figures could not be written as Parquet: ", "push.db has them")
    finally:
        world.pipeline = plain


def submitted(session):
    """By spark-submit: the result on stdout, and the exit code."""
    world = session.world
    output = world.output("submitted")
    outcome = end(submit(world, *ALL, "--json", output=output))
    expect(0, outcome)
    if json.loads(outcome.stdout[outcome.stdout.index("{"):])["exit_code"] != 0:
        raise Fault(f"the result is not that of the job: {outcome.stdout}")
    same(tables(output), world.expected, "spark-submit")
    expect(66, end(submit(world, "run", "--date", "2020-01-01", output=output)))
    expect(64, end(submit(world, "run", "--bogus", output=output)), "error: unrecognized arguments: --bogus")
    return f"{outcome.seconds:.0f} s"


def main():
    options = arguments(__doc__, only=("", "only the checks whose names contain one of these words, separated by commas"))
    begin = time.monotonic()
    world = World(options)
    session = Session(world)
    full = options.full
    checks = [
        ("all at once", all_at_once), ("in turns", in_turns), ("reading commands", readers), ("Parquet", parquet), ("no Parquet", no_parquet), ("wrong options", wrong_options),
        ("spark-submit", submitted),
        *((f"{victim} killed", killed, victim) for victim in (VICTIMS if full else ["executor"])),
        ("driver killed while reading", driver_killed_while_reading),
        ("driver killed at the end", driver_killed_at_the_end),
        ("files at URIs", uris), ("vanished file", vanished_file), ("no program", no_program),
    ]
    failed = 0
    for name, check, *settings in checks:
        if not any(word in name for word in options.only.split(",")):
            continue
        start = time.monotonic()
        try:
            word = check(session, *settings)
            print(f"{name}: {word or 'as it should be'} ({time.monotonic() - start:.0f} s)", flush=True)
        except (Fault, OSError, ValueError, KeyError, sqlite3.Error, subprocess.SubprocessError) as fault:
            failed += 1
            print(f"FAILED {name}: {fault}", flush=True)
            if not isinstance(fault, Fault):
                traceback.print_exc()
    session.close()
    if not options.folder and not failed:
        shutil.rmtree(world.folder, ignore_errors=True)
    print(f"{'FAILED' if failed else 'all is well'}, {time.monotonic() - begin:.0f} s, PySpark {pyspark.__version__}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
