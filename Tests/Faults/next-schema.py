#!/usr/bin/env python3
"""The next version of pushetl takes up a whole output as this one leaves it.

    python3 Tests/Faults/next-schema.py .build/release/pushetl [--next PROGRAM] [--full]

The next version is this one with a column more in daily_funnel (and what follows from it) and one more in partitions, made as
the page Inside says: `EDITS` is what that takes. It is built in `.build/next` from the working tree, unless `--next` gives one.

The output has log dates that are plain, settled, erased and held back. The first `run` of the next version brings it up: all
figures are as before, those of log dates that had settled are NULL in the new columns, the others are those of a load by the next
version alone; `report`, `export`, `status`, `doctor` end with 0, and so does the next night. Then the first run is killed before
each call that changes the output, and this version refuses what the next one has written.
"""
import contextlib
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess

from calls import Killing
from faults import Fault, MANY_DATES, Report, World, arguments, may_trace, spread

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUNNEL, PARTITION = "arrived_unopened", "bytes"
TABLES = ["daily_funnel", "daily_totals", "delivery_results", "delivery_platforms"]

# By file: (what stands there, what takes its place).
EDITS = {
    "Counting/Tables/FunnelColumn.swift": [
        ("openedImpressed, openedSeen, arrivedUnseen\n", "openedImpressed, openedSeen, arrivedUnseen, arrivedUnopened\n"),
        ("        case .opened10s, .opened1m,",
         "        case .arrivedUnopened:\n"
         "            Entry(name: \"arrived_unopened\", help: \"Of these messages, those that arrived and were not opened.\",\n"
         "                firstSchema: 8) { $0.stages.contains(.arrived) && !$0.stages.contains(.opened) }\n"
         "        case .opened10s, .opened1m,"),
    ],
    "Partitions/Tables/OutputSchema.swift": [("package static let version = 7", "package static let version = 8")],
    "Partitions/Partition/PartitionSchema.swift": [("static let version = 7", "static let version = 8")],
    "Partitions/Tables/OutputSchema+Loads.swift": [
        ("            .fact(\n                \"warnings\", type: .text,\n",
         "            .fact(\"bytes\", type: .integer, help: \"Size of its files.\", unit: \"bytes\", mayBeNull: true),\n"
         "            .fact(\n                \"warnings\", type: .text,\n"),
    ],
    "Partitions/Partition/PartitionSummary.swift": [
        ("    package var clockFallback: Int\n", "    package var clockFallback: Int\n    package var bytes: Int?\n"),
        ("duplicates, clockFallback)\n    }\n\n    package var values", "duplicates, clockFallback, bytes)\n    }\n\n    package var values"),
        ("pipeline: try row.read(10),\n            zone: try row.read(11), windowDays: try row.read(12), version: try row.read(13))\n"
         "        settled = try row.read(14)\n        hasIDs = try row.read(15) == 1\n        let text: String = try row.read(16)",
         "pipeline: try row.read(11),\n            zone: try row.read(12), windowDays: try row.read(13), version: try row.read(14))\n"
         "        bytes = try row.read(10)\n        settled = try row.read(15)\n        hasIDs = try row.read(16) == 1\n        let text: String = try row.read(17)"),
    ],
    "Pipelines/Loading/LogDateLoad.swift": [
        ("        summary.sources = plan.loadedSources\n",
         "        summary.sources = plan.loadedSources\n"
         "        summary.bytes = results.reduce(0) { $0 + plan.loadedFile($1).bytes }\n"),
    ],
    "Output/Publishing/publish.sql": [("duplicates, clock_fallback,\n", "duplicates, clock_fallback, bytes,\n")],
}


def build():
    """The next version, from the working tree."""
    copy = ROOT / ".build/next"
    copy.mkdir(parents=True, exist_ok=True)
    for name in ["Sources", "Tests"]:
        shutil.rmtree(copy / name, ignore_errors=True)
        # Times are kept, so that only what was edited is built anew.
        shutil.copytree(ROOT / name, copy / name)
    shutil.copy2(ROOT / "Package.swift", copy)
    for name, edits in EDITS.items():
        path = copy / "Sources" / name
        text = path.read_text()
        for former, new in edits:
            if text.count(former) != 1:
                raise Fault(f"{name}: what EDITS replaces is there {text.count(former)} times: {former}")
            text = text.replace(former, new)
        path.write_text(text)
    subprocess.run(["swift", "build", "--package-path", str(copy), "-c", "release", "--product", "pushetl"], check=True)
    return str(copy / ".build/release/pushetl")


def whole_output(world):
    """As this version leaves it: settled, erased and plain log dates, and one that was held back after it was loaded. The logs
    are then as they were."""
    output = world.fresh("whole", world.settled)
    held = MANY_DATES[-2]
    log = pathlib.Path(sorted(pathlib.Path(world.logs, "collector", held).iterdir())[0])
    content = log.read_bytes()
    log.write_bytes(b"no log\n" * 1000)
    world.expect(65, world.run(f"run --date {held}", output))
    log.write_bytes(content)
    found = {path.name for path in pathlib.Path(output).rglob("*")}
    for name in ["push.db", "closed", "left", "partitions", f"{held}.jsonl"]:
        if name not in found:
            raise Fault(f"the output has no {name}: {sorted(found)}")
    return output


def table(output, name, condition="true"):
    """The rows of a table: dictionaries, in the order of their texts."""
    with contextlib.closing(sqlite3.connect(os.path.join(output, "push.db"))) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute(f"SELECT * FROM {name} WHERE {condition}")]
    return sorted(rows, key=repr)


def names(output):
    with contextlib.closing(sqlite3.connect(os.path.join(output, "push.db"))) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]


def without(rows, *columns):
    return sorted([{key: value for key, value in row.items() if key not in columns} for row in rows], key=repr)


def compare(what, found, expected):
    if found != expected:
        rows = [row for row in found if row not in expected][:2], [row for row in expected if row not in found][:2]
        raise Fault(f"{what}: found {rows[0]}, expected {rows[1]}")


def settled_dates(output):
    found = []
    for path in sorted(pathlib.Path(output, "partitions").glob("*.sqlite")):
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as partition:
            found += [date for date, settled in partition.execute("SELECT log_date, settled FROM partition") if settled]
    return found


def bring_up(world, former, alone):
    """The first run of the next version; returns the output."""
    output = world.fresh("next", former)
    world.expect(0, world.run(f"run --date {MANY_DATES[-2]}", output))
    settled = settled_dates(former)
    if not settled or settled_dates(output) != settled:
        raise Fault(f"log dates that are settled: {settled_dates(output)}, before: {settled}")
    for name in names(former):
        # The run loads the date that was held back, so that is over.
        if name in ("runs", "loads", "about", "columns_help", "_facts", "changes", "held"):
            continue
        compare(name, without(table(output, name), FUNNEL, *([PARTITION] if name == "partitions" else [])),
                without(table(former, name)))
    for name in ["runs", "loads", "changes"]:
        lost = [row for row in table(former, name) if row not in table(output, name)]
        if lost:
            raise Fault(f"{name} lost {lost[:2]}")
    unknown = "log_date IN ({})".format(", ".join(f"'{date}'" for date in settled))
    compare("daily_funnel of open log dates", table(output, "daily_funnel", f"NOT {unknown}"), table(alone, "daily_funnel", f"NOT {unknown}"))
    for name in TABLES:
        values = [row[FUNNEL] for row in table(output, name)]
        if None not in values or name != "delivery_results" and all(value is None for value in values):
            raise Fault(f"{FUNNEL} of {name} is never, or always, NULL")
    # A sum is known if each of its parts is.
    parts = {}
    for row in table(output, "daily_funnel"):
        parts.setdefault((row["day"], row["platform"]), []).append(row[FUNNEL])
    for row in table(output, "daily_totals"):
        values = parts.get((row["day"], row["platform"]), [])
        expected = None if None in values else sum(values)
        if row[FUNNEL] != expected:
            raise Fault(f"{FUNNEL} of daily_totals is {row[FUNNEL]}, and its parts are {values}: {row}")
    last = max(row["day"] for row in table(output, "daily_totals") if row[FUNNEL] is None)
    since = min(row["day"] for row in table(output, "days") if row["day"] > last)
    compare("known_since", table(output, "about", f"key = '{FUNNEL}_known_since'"), [{"key": f"{FUNNEL}_known_since", "value": since}])
    compare("schema", table(output, "about", "key = 'schema_version'"), [{"key": "schema_version", "value": "8"}])
    # What was not loaded anew does not know it; one log date was.
    known = [row["log_date"] for row in table(output, "partitions") if row[PARTITION] is not None]
    if known not in ([], [MANY_DATES[-2]]):
        raise Fault(f"partitions.{PARTITION} is known of {known}")
    return output


def readers(world, output):
    """All that reads it ends well, and so does the next night."""
    page = os.path.join(world.folder, "page.html")
    for command in [f"report --out {page}", f"export csv --out {os.path.join(world.folder, 'csv')}", "status", "doctor"]:
        world.expect(0, world.run(command, output))
    night = world.fresh("night", output)
    world.expect(0, world.run(f"run --date {MANY_DATES[-1]}", night))
    if PARTITION not in table(night, "partitions")[0] or not settled_dates(night)[len(settled_dates(output)):]:
        raise Fault("nothing settled in the night")
    for command in ["doctor", f"run --date {MANY_DATES[-1]}"]:
        outcome = world.run(command, night)
        world.expect(0, outcome)
        if outcome.stderr:
            raise Fault(f"{command}: {outcome}")


def main():
    options = arguments(__doc__, next=("", "the next version, built before"))
    program = options.next or build()
    report = Report()
    world = World.aging(options)
    former = whole_output(world)
    this = world.folder + "/this"
    shutil.copy(world.program, this)
    shutil.copy(program, world.program)
    # The same logs, read by the next version alone.
    alone = world.fresh("alone", "")
    world.expect(0, world.run(f"backfill --from {MANY_DATES[0]} --to {MANY_DATES[-2]}", alone))
    output = bring_up(world, former, alone)
    readers(world, output)
    print(f"brought up: {len(settled_dates(output))} settled log dates of {len(world.loaded(output))}", flush=True)
    if may_trace():
        killing = Killing(world, f"run --date {MANY_DATES[-2]}", former)
        # What this version left is told once.
        killing.may_warn = True
        places = killing.places()
        report.trials("brought up, killed before each call that changes the output", places if options.full else spread(places, 60),
                      killing.at_call)
    shutil.copy(this, world.program)
    before = pathlib.Path(output, "push.db").read_bytes()
    for command in [f"run --date {MANY_DATES[-1]}", "status", "report --out " + os.path.join(world.folder, "other.html")]:
        outcome = world.run(command, output)
        world.expect(74, outcome)
        if not re.search("newer pushetl", outcome.stderr):
            raise Fault(f"{command}: {outcome}")
    if pathlib.Path(output, "push.db").read_bytes() != before:
        raise Fault("this version has changed what the next one wrote")
    world.close()
    report.end()


if __name__ == "__main__":
    main()
