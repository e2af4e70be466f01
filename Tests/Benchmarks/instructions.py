#!/usr/bin/env python3
"""A guard against becoming slower: instructions a record, counted by valgrind, against those in instructions.json.

    python3 Tests/Benchmarks/instructions.py [--update]

Instruction counts repeat where seconds do not. For each kind of log, loggen writes a small and a large log with the same
seed, the release pushetl reads both under `valgrind --tool=callgrind`, and the difference of the two counts over that of
their records is what a record costs; what zlib does is left out. `start` is a whole run of the least log,
`row` a further row of daily_actions, from partition to push.db.

Exits with 1 if something costs more than the file's tolerance allows; where it costs less by as much, it says so, and
--update writes the file anew. Without valgrind, it says so and exits with 0.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import bench

EXPECTED = os.path.join(bench.HERE, "instructions.json")
SMALL, LARGE = 5_000, 45_000
# Few deliveries: so both logs make the same rows in the daily tables, and the records alone differ.
KINDS = {
    "easy": ["--preset", "easy", "--deliveries", "5"],
    "hard": ["--preset", "hard", "--deliveries", "5"],
    "mzip": ["--kinds", "mzip", "--noise", "everyday", "--deliveries", "5"],
    "users_track": ["--kinds", "users_track", "--noise", "everyday", "--deliveries", "5"],
    "events": ["--kinds", "users_track", "--noise", "everyday", "--deliveries", "5"],
    # The same events as objects, and as rows.
    "events_body": ["--kinds", "users_track", "--noise", "everyday", "--deliveries", "5"],
    "events_csv": ["--kinds", "users_track", "--noise", "everyday", "--deliveries", "5"],
}
# Reads the bodies of users_track as another vendor's events.
EVENTS = """version: 1
output: out
sources:
  - name: vendor
    format: events
    files: users_track/%Y-%m-%d/*.json.gz
    elements: events
    fields: {broadlog_id: properties.broadlogId, delivery_id: properties.deliveryId, action: name, time: time,
      platform: properties.platform}
    actions: {push_impression: impression, push_click: click, push_open: open}
"""
MANY_DELIVERIES = ["--preset", "easy", "--deliveries", "2000"]


def outside_zlib(profile):
    """Instructions in callgrind's format: `ob=` says whose costs follow, by a number and once by name, and the line after a
    line `calls=` has what the call cost, not the function itself."""
    total, libraries, is_inflating, is_call = 0, {}, False, False
    with open(profile) as file:
        for line in file:
            if library := re.match(r"(c?)ob=(\(\d+\))(?: (.*))?", line):
                callee, number, name = library.groups()
                name = libraries.setdefault(number, name)
                is_inflating = is_inflating if callee else os.path.basename(name).startswith("libz.")
            elif line.startswith("calls="):
                is_call = True
            elif line[0] in "0123456789+-*":
                total += 0 if is_call or is_inflating else int(line.split()[1])
                is_call = False
    return total


def without_debug_information(program, folder):
    """A copy that valgrind can read: it needs the names alone, and stumbles over what Swift writes besides."""
    copy = os.path.join(folder, "pushetl")
    subprocess.run(["strip", "--strip-debug", "-o", copy, program], check=True)
    return copy


def count(loggen, program, folder, arguments, records):
    """Instructions of loading a log, and the rows in daily_actions."""
    logs = bench.make_logs(loggen, os.path.join(folder, "logs"), *arguments, "--records", records, "--from", bench.DATE,
                           "--files", 1, "--level", 6)
    pipeline = os.path.join(logs, "push.yaml")
    layout = re.match("events_(body|csv)", os.path.basename(folder))
    if layout:
        pipeline = bench.write_events(logs, layout[1])
    elif os.path.basename(folder).startswith("events"):
        with open(pipeline, "w") as file:
            file.write(EVENTS)
    output, profile = os.path.join(folder, "warehouse"), os.path.join(folder, "profile")
    command = [
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", program, "run", "--date", bench.DATE,
        "--pipeline", pipeline, "--output", output, "--jobs", "1", "--quiet"]
    # Else the order of a dictionary, and with it the work done, differs from run to run.
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout}")
    with sqlite3.connect(f"file:{output}/push.db?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT count(*) FROM daily_actions").fetchone()[0]
    return outside_zlib(profile), rows


def count_all(programs, folder):
    """name → instructions: of a record of each kind, of a row, and of the least run."""
    program = without_debug_information(os.path.join(programs, "pushetl"), folder)
    with concurrent.futures.ThreadPoolExecutor(bench.CORES) as pool:

        def start(name, *task):
            return pool.submit(count, os.path.join(programs, "loggen"), program, os.path.join(folder, name), *task)

        small = {kind: start(kind + "-small", arguments, SMALL) for kind, arguments in KINDS.items()}
        large = {kind: start(kind + "-large", arguments, LARGE) for kind, arguments in KINDS.items()}
        many = start("many", MANY_DELIVERIES, LARGE)
        least = start("least", KINDS["easy"], 1)
    found = {kind: round((large[kind].result()[0] - small[kind].result()[0]) / (LARGE - SMALL)) for kind in KINDS}
    (more, more_rows), (less, less_rows) = many.result(), large["easy"].result()
    return found | {"row": round((more - less) / (more_rows - less_rows)), "start": least.result()[0]}


def judge(found, expected, tolerance):
    """A sentence for each count that differs, and whether any is too high."""
    sentences, is_slower = [], False
    for name, count in found.items():
        change = count / expected[name] - 1
        if abs(change) <= tolerance:
            continue
        is_slower |= change > 0
        advice = (f"{tolerance:.0%} are allowed. Make it cheaper, or say in the commit why it must cost this and run this script "
                  "with --update." if change > 0 else "cheaper. Run this script with --update, so that it stays so.")
        sentences.append(f"{name}: {count:,} instructions instead of {expected[name]:,}, {change:+.1%}: {advice}")
    return sentences, is_slower


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write instructions.json anew")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("Instructions are not counted: there is no valgrind here (apt-get install valgrind).")
        return
    with tempfile.TemporaryDirectory(prefix="pushetl-bench-") as folder:
        found = count_all(bench.build(), folder)
    with open(EXPECTED) as file:
        expected = json.load(file)
    if options.update:
        expected["instructions"] = found
        with open(EXPECTED, "w") as file:
            json.dump(expected, file, indent=2)
            file.write("\n")
        print(f"{os.path.relpath(EXPECTED, bench.ROOT)} is written: {found}")
        return
    sentences, is_slower = judge(found, expected["instructions"], expected["tolerance"])
    for sentence in sentences:
        print(sentence)
    if is_slower:
        sys.exit(1)
    print("Instructions: " + ", ".join(f"{name} {count:,}" for name, count in found.items()))


if __name__ == "__main__":
    main()
