#!/usr/bin/env python3
"""Runs every command with --json, in every way in which it can end, and checks what it prints against its JSON Schema.

    python3 Tests/Interfaces/json-output.py .build/release/pushetl
"""

import datetime
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jsonschema

SCHEMAS = Path(__file__).parents[2] / "Sources/pushetl/pushetl.docc/Schemas"
PIPELINE = """version: 1
output: out
sources:
  - name: adobe
    format: collector
    files: logs/%Y-%m-%d*.log
"""
DATE = "2026-11-19"
RANGE = ["--from", "2026-11-18", "--to", "2026-11-20"]


def hit(number, agent="-"):
    return (
        f'192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] "GET /r/?id=h{number:x},d57fd6,7 HTTP/1.1" 200 0 "-" "{agent}"\n'
    )


class Place:
    """A folder with a pipeline and logs, and the program to work there."""

    def __init__(self, program, seen):
        self.program, self.seen = program, seen
        self.folder = Path(tempfile.mkdtemp(prefix="pushetl-"))
        self.write("push.yaml", PIPELINE)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text) if isinstance(text, str) else path.write_bytes(text)

    def log(self, hits=10, junk=0, name=f"logs/{DATE}.log"):
        self.write(name, "".join(hit(n + 1) for n in range(hits)) + "junk\n" * junk)

    def run(self, *arguments, code, errors=None, file="push.yaml", environment=None):
        process = self.start(*arguments, file=file, environment=environment)
        return self.end(process, arguments, code, errors)

    def start(self, *arguments, file="push.yaml", environment=None):
        return subprocess.Popen(
            [self.program, *arguments, "--json"], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            # Under nohup this script ignores SIGHUP, and so would the program.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
            env={**os.environ, "PUSHETL_PIPELINE": file, **(environment or {})})

    def end(self, process, arguments, code, errors=None):
        stdout, stderr = process.communicate()
        where = f"pushetl {' '.join(arguments)} --json"
        assert process.returncode == code, f"{where}: {process.returncode} instead of {code}\n{stderr.decode()}"
        if arguments[:1] == ("spark-drive",):
            # Before the result there is a line for each step.
            *steps, done = stdout[:stdout.index(b"\n{\n") + 1].splitlines()
            assert all(json.loads(step)["next"] != "done" for step in steps), f"{where}: {steps}"
            assert json.loads(done)["next"] == "done", f"{where}: {done}"
            stdout = stdout[stdout.index(b"\n{\n"):]
        value = json.loads(stdout)
        schema = json.loads((SCHEMAS / f"{value['command']}.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(value)
        assert value["exit_code"] == code, f"{where}: says {value['exit_code']}"
        told = [error["code"] for error in value["errors"]]
        if errors is not None:
            assert told == errors, f"{where}: {told}"
        assert bool(told) or code in (0, 74), f"{where}: no error, exit {code}"
        for message in value["errors"] + value["warnings"]:
            first = message["message"].split("\n")[0]
            assert first in stderr.decode(), f"{where}: {first!r} is not on stderr"
        self.seen.add((value["command"], code))
        return value


def usual(place):
    place.log()
    place.run("status", code=0)
    place.run("backfill", *RANGE, "--dry-run", code=0)
    value = place.run("run", "--date", DATE, code=0)
    assert value["log_dates"][0]["verdict"] == "complete" and value["log_dates"][0]["events"] == 10, value
    value = place.run("run", "--date", DATE, "--metrics", "logs", "--log-format", "json", code=0)
    assert [warning["code"] for warning in value["warnings"]] == ["unwritable_metrics"], value
    place.log(11)
    place.run("backfill", *RANGE, "--dry-run", code=0)
    value = place.run("backfill", *RANGE, code=0)
    assert value["log_dates"][0]["before"]["reasons"] == [{"reason": "changed_file", "path": f"logs/{DATE}.log"}], value
    place.run("backfill", *RANGE, code=0)
    place.run("status", "--from", DATE, code=0)
    place.run("rejects", code=0)
    place.run("rejects", "--summary", code=0)
    value = place.run("explain", "h1", code=0)
    assert value["messages"][0]["events"][0]["delivery_id"] == "d57fd6", value
    place.run("explain", "12345", code=0)
    place.run("validate", code=0)
    value = place.run("preview", "--date", DATE, code=0)
    assert value["files"][0]["accepted"] == 11 and value["files"][0]["rows"][0]["line"] == 1, value
    place.run("preview", f"logs/{DATE}.log", "--limit", "2", code=0)
    place.run("preview", "--date", "2020-01-01", code=66, errors=["no_input"])
    place.run("preview", "none.log", code=74, errors=["unreadable_file"])
    place.write("a.log", "\x1f\x9d")
    place.run("preview", "a.log", code=0)


def jobs(place):
    place.run("spark-drive", "--date", DATE, "--shards", "2", code=66, errors=["no_files"])
    place.log()
    value = place.run("spark-drive", "--date", DATE, "--shards", "2", code=74, errors=["given_up"])
    assert value["command"] == "run", value
    value = place.run("spark-drive", *RANGE, code=78)
    assert value["command"] == "backfill" and len(value["errors"]) == 1, value


def reports(place):
    place.run("report", code=66, errors=["no_output"])
    place.log()
    place.run("run", "--date", DATE, code=0)
    value = place.run("report", code=0)
    assert value["path"] == "report.html" and value["period"]["to"] == DATE and value["messages"] == 10, value
    assert value["bytes"] == (place.folder / "report.html").stat().st_size, value
    value = place.run("report", *RANGE, "--compare", "none", "--out", "r.html", code=0)
    assert value["period"]["days"] == 3 and "compared_period" not in value, value
    place.run("report", "--from", "2026-11-21", code=64, errors=["usage"])
    place.run("report", "--out", "none/r.html", code=74, errors=["unwritable_report"])
    place.run("report", "--output", "elsewhere", code=66, errors=["no_output"])
    place.write("elsewhere/push.db", "no database, but a text that is long enough to be one. " * 20)
    place.run("report", "--output", "elsewhere", code=74)
    writer = sqlite3.connect(place.folder / "out/push.db", isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    place.run("report", "--wait", "0", code=75, errors=["busy"])
    writer.close()


def exports(place):
    for arguments in (["export", "csv", "--out", "x"], ["doctor"]):
        place.run(*arguments, code=66, errors=["no_output"])
    place.log()
    place.run("run", "--date", DATE, code=0)
    value = place.run("export", "csv", "--out", "x", code=0)
    assert {"path": "x/daily_funnel/2026-11.csv", "table": "daily_funnel", "month": "2026-11", "rows": 1, "state": "written"} in value["files"], value
    value = place.run("export", "csv", "--tables", "days, about", "--out", "x", code=0)
    assert [file["state"] for file in value["files"]] == ["unchanged"] * 2, value
    for tool in ("datasette", "superset"):
        value = place.run("export", tool, "--out", "x", code=0)
        assert value["format"] == tool and value["commands"], value
    place.run("export", "csv", "--from", "2020-01-01", "--to", "2020-01-01", "--tables", "days", "--out", "y", code=66, errors=["no_days"])
    place.run("export", "csv", "--out", "push.yaml", code=74, errors=["not_folder"])
    place.write("y/days/2026-11.csv", "mine")
    place.run("export", "csv", "--out", "y", code=74, errors=["foreign_file"])
    value = place.run("doctor", code=0)
    assert {check["status"] for check in value["checks"]} == {"ok", "note"}, value
    with sqlite3.connect(place.folder / "out/push.db") as database:
        database.execute("UPDATE days SET events = 3")
    database.close()
    value = place.run("doctor", code=65, errors=["faults"])
    assert value["faulty"] == 3, value
    writer = sqlite3.connect(place.folder / "out/push.db", isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    for arguments in (["export", "csv", "--out", "z"], ["doctor"]):
        place.run(*arguments, "--wait", "0", code=75, errors=["busy"])
    writer.execute("PRAGMA user_version = 2")
    writer.execute("COMMIT")
    writer.close()
    for arguments in (["export", "csv", "--out", "z"], ["report"]):
        place.run(*arguments, code=65, errors=["earlier_schema"])
    place.run("doctor", code=65, errors=["faults"])


def guesses(place):
    place.log()
    value = place.run("guess", f"logs/{DATE}.log", code=0)
    assert value["sources"][0]["layout"] == "combined" and "# check" in value["pipeline"], value
    value = place.run("guess", f"logs/{DATE}.log", "--out", "guess.yaml", code=0)
    assert value["written_to"] == "guess.yaml", value
    place.run("guess", f"logs/{DATE}.log", "--out", "guess.yaml", code=64, errors=["usage"])
    place.run("guess", "none.log", code=74, errors=["unreadable_file"])
    place.write("a.log", "Dear diary\n")
    place.run("guess", "a.log", code=65, errors=["no_hits"])


def wrong_usage(place):
    for arguments in [
        ["run", "--date", "2026-13-19"], ["run", "--jobs", "0"], ["backfill", "--from", DATE],
        ["backfill", "--from", "today", "--to", "-3"], ["status", "--bogus"], ["rejects", "--reason", "bad"],
        ["explain"], ["explain", ""], ["preview", "--source", "none"], ["validate", "--memory", "1"],
        ["report", "--from", "2026-11-19", "--to", "2026-11-18"], ["report", "--compare", "year"], ["report", "--out", ""],
        ["report", "--out", "-"], ["export"], ["export", "csv"], ["export", "csv", "--tables", "Days", "--out", "x"],
        ["export", "datasette", "--tables", "days", "--out", "x"], ["doctor", "x"], ["runn"], ["help", "runn"], [],
    ]:
        place.run(*arguments, code=64, errors=["usage"])


def wrong_pipeline(place):
    place.write("push.yaml", PIPELINE.replace("format", "fromat"))
    for arguments in [
        ["run"], ["backfill", *RANGE], ["status"], ["rejects"], ["explain", "h1"], ["validate"], ["preview"], ["report"],
        ["export", "csv", "--out", "x"], ["doctor"],
    ]:
        value = place.run(*arguments, code=78)
        assert [error["line"] for error in value["errors"]] == [4, 5], value
    place.run("validate", "push.yaml", "absent.yaml", code=78)


def nothing_there(place):
    for arguments in [["run", "--date", DATE], ["backfill", *RANGE], ["backfill", *RANGE, "--dry-run"]]:
        place.run(*arguments, code=66, errors=["no_files"])
    place.run("rejects", "--date", DATE, code=66, errors=["not_loaded"])
    place.run("status", code=0)


def faulty_data(place):
    place.log(10, junk=5)
    place.run("run", "--date", DATE, code=65, errors=["held_back_too_many_rejects"])
    place.run("backfill", *RANGE, code=65, errors=["held_back_too_many_rejects"])
    value = place.run("status", code=0)
    assert value["log_dates"][0]["held"]["reason"] == "too_many_rejects", value
    assert len(place.run("rejects", code=0)["rejects"]) == 5
    assert place.run("rejects", "--summary", code=0)["counts"][0]["records"] == 5
    place.write("push.yaml", PIPELINE + "  - {name: more, format: collector, files: 'more/%Y-%m-%d.log'}\n")
    value = place.run("backfill", *RANGE, "--force", code=65, errors=["partial"])
    assert value["warnings"][-1]["code"] == "missing_source", value
    assert "source 'more' has no files" in place.run("status", code=0)["log_dates"][0]["detail"]


def volumes(place):
    """A night with less than half of the usual records, and what it was compared with."""
    place.write("push.yaml", PIPELINE.replace("sources:", "limits: {volume: hold}\nsources:"))
    for date, hits in (("2026-11-05", 1000), ("2026-11-12", 1000), (DATE, 400)):
        place.log(hits, name=f"logs/{date}.log")
    place.run("run", "--date", "2026-11-05", code=0)
    place.run("run", "--date", "2026-11-12", code=0)
    place.run("run", "--date", DATE, code=65, errors=["held_back_unusual_volume"])
    value = place.run("status", code=0)
    assert value["log_dates"][-1]["held"]["reason"] == "unusual_volume", value
    place.run("backfill", *RANGE, code=65, errors=["held_back_unusual_volume"])
    place.log(1100, name="logs/2026-11-12.log")
    place.run("run", "--date", "2026-11-12", code=0)
    value = place.run("backfill", *RANGE, code=65, errors=["held_back_unusual_volume"])
    reasons = [{"reason": "changed_compared_date", "log_date": "2026-11-12"}]
    assert value["log_dates"][0]["before"]["reasons"] == reasons, value
    value = place.run("backfill", *RANGE, "--force", code=0)
    assert [warning["code"] for warning in value["warnings"]] == ["unusual_volume", "unusual_events"], value


def losses(place):
    """A load that would take away more than half of the events of a log date."""
    place.log(1500)
    place.run("run", "--date", DATE, code=0)
    place.write("push.yaml", PIPELINE + "    require_mcid: true\n")
    place.run("run", "--date", DATE, code=65, errors=["held_back_loss"])
    value = place.run("status", code=0)
    assert value["log_dates"][-1]["held"]["reason"] == "loss", value
    place.run("backfill", *RANGE, code=65, errors=["held_back_loss"])
    place.run("backfill", *RANGE, "--accept-loss", code=0)


def checks(place):
    """What `status --check` finds."""
    today = datetime.datetime.now(datetime.timezone.utc).date()
    date = str(today - datetime.timedelta(days=3))
    place.log(name=f"logs/{date}.log")
    place.run("run", "--date", date, code=0)
    value = place.run("status", "--check", "--from", date, "--to", date, code=0)
    assert value["needs"] == [], value
    place.log(11, name=f"logs/{date}.log")
    value = place.run("status", "--check", "--from", date, "--to", date, code=65, errors=["stale"])
    assert value["needs"] == [
        {"log_date": date, "need": "stale", "message": f"{date}: stale: logs/{date}.log has changed"}], value
    value = place.run("status", "--check", "--from", "-1", "--to", "-1", code=65, errors=["not_loaded"])
    assert value["needs"][0]["need"] == "not_loaded" and value["log_dates"] == [], value


def failures(place):
    place.write("out/partitions", "a file")
    place.log()
    place.run("run", "--date", DATE, code=74)
    place.run("backfill", *RANGE, code=74)
    place.run("status", code=74)
    place.run("rejects", code=74)
    place.run("explain", "h1", code=74)


def held_output(place):
    place.log()
    place.run("run", "--date", DATE, code=0)
    reader = sqlite3.connect(place.folder / "out/push.db")
    reader.execute("BEGIN").execute("SELECT count(*) FROM days").fetchall()
    place.log(12)
    place.run("run", "--date", DATE, "--wait", "1", code=75, errors=["busy"])
    place.run("backfill", *RANGE, "--wait", "0", code=75, errors=["busy"])
    reader.close()


def old_dates(place):
    """Log dates that are closed, settled and erased, and what stands in the way."""
    former = PIPELINE.replace("sources:", "dedup: {window_days: 1}\nsources:")
    place.write("push.yaml", former)
    for day in range(1, 20):
        place.log(name=f"logs/2026-11-{day:02}.log")
    dates = ["--from", "2026-11-01", "--to", DATE]
    place.run("backfill", *dates, code=0)
    settings = former + "retention: {ids: 10}\n"
    place.write("push.yaml", settings.replace("10", "9"))
    place.run("run", code=78, errors=["short_retention"])
    place.write("push.yaml", settings)
    value = place.run("backfill", *dates, "--dry-run", "--settle", code=0)
    expected = {
        "closed_through": "2026-11-11", "closed": 11, "settled": [f"2026-11-{day:02}" for day in range(1, 11)],
        "erased": [f"2026-11-{day:02}" for day in range(1, 10)]}
    assert value["retention"] == expected, value
    value = place.run("status", code=0)
    assert value["ids_since"] == "2026-11-01" and value["ids_log_dates"] == 19 and "closed_through" not in value, value
    value = place.run("run", "--date", DATE, "--settle", code=0)
    assert value["retention"] == expected, value
    value = place.run("status", code=0)
    assert value["closed_through"] == "2026-11-11" and value["ids_since"] == "2026-11-10", value
    assert value["ids_log_dates"] == 10 and value["ids_bytes"] > 0, value
    phases = [state["phase"] for state in value["log_dates"]]
    assert phases == ["erased"] * 9 + ["settled", "closed"] + ["open"] * 8, value
    value = place.run("explain", "h1", code=0)
    assert value["ids_since"] == "2026-11-10", value
    value = place.run("rejects", "--date", "2026-11-01", code=0)
    assert [warning["code"] for warning in value["warnings"]] == ["ids_erased"], value
    place.log(11, name="logs/2026-11-05.log")
    place.run("run", "--date", "2026-11-05", code=65, errors=["closed"])
    place.run("backfill", "--skip", "2026-11-12", code=64, errors=["usage"])
    place.log(11, name="logs/2026-11-12.log")
    place.log(name="logs/2026-11-20.log")
    place.run("run", "--date", "2026-11-20", code=65, errors=["ids_stay"])
    value = place.run("backfill", "--skip", "2026-11-12", code=0)
    assert value["retention"] == {
        "closed_through": "2026-11-12", "closed": 1, "settled": ["2026-11-11"], "erased": ["2026-11-10"]}, value
    place.write("push.yaml", settings.replace("window_days: 1", "window_days: 0"))
    place.run("run", code=78, errors=["fixed_setting"])
    place.write("push.yaml", settings)
    (place.folder / "out/partitions/2026-11-03.settled.sqlite").unlink()
    place.log(12, name="logs/2026-11-20.log")
    place.run("run", "--date", "2026-11-20", code=74, errors=["settled_file"])
    place.run("backfill", "--forget", "2026-11-03", code=0)
    (place.folder / "out/partitions/closed").write_text("")
    place.run("run", "--date", "2026-11-20", code=74, errors=["retention_record"])


def signals(place):
    line = "".join(hit(n) for n in range(1, 20001))
    place.write(f"logs/{DATE}.log", line * 60)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        for arguments in (["run", "--date", DATE], ["backfill", *RANGE]):
            # On a busy machine the command may be done before the signal comes.
            for _ in range(20):
                process = place.start(*arguments)
                # From then on it has its handlers, and reads.
                while not (place.folder / "out/partitions/.lock").exists() and process.poll() is None:
                    time.sleep(0.001)
                process.send_signal(number)
                if process.wait() != 0:
                    break
                subprocess.run(["rm", "-rf", place.folder / "out"], check=True)
            place.end(process, arguments, 128 + number, ["stopped"])


def odd_names(place):
    """What a terminal would obey is escaped, in JSON too."""
    name = f"logs/{DATE}-\x9b31m\u202e\x7f\nb.log"
    place.log(1, junk=3, name=name)
    process = place.start("run", "--date", DATE)
    stdout, stderr = process.communicate()
    for stream in (stdout.decode(), stderr.decode()):
        assert not any(c in stream for c in "\x9b\u202e\x7f\x1b"), stream
    assert r"-\u009b31m\u202e\u007f\nb.log" in stdout.decode(), stdout
    value = json.loads(stdout)
    assert value["log_dates"][0]["outcomes"][1]["first_path"] == name, value
    assert value["errors"][0]["code"] == "held_back_too_many_rejects"


def main():
    program = os.path.abspath(sys.argv[1])
    seen = set()
    for scenario in [
        usual, jobs, reports, exports, guesses, wrong_usage, wrong_pipeline, nothing_there, faulty_data, volumes, losses,
        checks, failures, held_output, old_dates, signals, odd_names,
    ]:
        place = Place(program, seen)
        scenario(place)
        subprocess.run(["rm", "-rf", place.folder], check=True)
    for command in ("run", "backfill"):
        missing = {0, 64, 65, 66, 74, 75, 78, 129, 130, 143} - {code for name, code in seen if name == command}
        assert not missing, f"{command} never ended with {missing}"
    print(f"{len(seen)} ways to end, each as its schema says")


main()
