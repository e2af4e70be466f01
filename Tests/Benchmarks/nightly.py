#!/usr/bin/env python3
"""A night's load against merely unpacking the same files, in turn, several times.

    python3 Tests/Benchmarks/nightly.py [--lines 6000000] [--runs 5] [--folder DIR]

Builds the release programs, makes two gzip files with loggen (easy: hex ids, few user agents; hard: UUIDs, &mcId=,
20,000 user agents), and prints a Markdown table: medians of whole processes, ratios within each round, peak memory.
Checks in every round that pushetl still arrives at the same counts.
"""
import argparse
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

DATE = "2026-11-19"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def timed(commands):
    """Starts all commands at once; seconds until the last has ended, and the largest peak memory in MiB."""
    begin = time.monotonic()
    children = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    peak = 0
    for child in children:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{child.args} ended with {child.returncode}")
        peak = max(peak, usage.ru_maxrss / 1024)
    return time.monotonic() - begin, peak


def counts(database):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return connection.execute(
            "SELECT action, sum(events), sum(duplicates) FROM daily_actions GROUP BY action ORDER BY action").fetchall()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=6_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", help="where the data lies or is made (default: a temporary folder)")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="pushetl-bench-")
    subprocess.run(["swift", "build", "-c", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    programs = os.path.join(ROOT, ".build", "release")
    os.makedirs(folder, exist_ok=True)
    inflate = os.path.join(folder, "inflate")
    source = os.path.join(ROOT, "Tests", "Benchmarks", "inflate.c")
    subprocess.run(["cc", "-O2", source, "-o", inflate, "-lz", "-lpthread"], check=True)

    print(f"{options.lines:,} lines in two files, {os.cpu_count()} cores, medians of {options.runs} rounds\n")
    print("| data | pushetl | peak | zlib alone | gzip -dc | to zlib | to gzip | bytes an event |")
    print("|---|---|---|---|---|---|---|---|")
    for preset in ["easy", "hard"]:
        data = os.path.join(folder, preset)
        if not os.path.exists(data):
            subprocess.run(
                [os.path.join(programs, "loggen"), "--preset", preset, "--records", str(options.lines), "--from", DATE,
                 "--files", "2", "--level", "6", "--out", data], check=True, stderr=subprocess.DEVNULL)
        logs = os.path.join(data, "collector", DATE)
        files = [os.path.join(logs, name) for name in sorted(os.listdir(logs))]
        output = os.path.join(data, "warehouse")
        run = [os.path.join(programs, "pushetl"), "run", "--date", DATE, "--pipeline",
               os.path.join(data, "push.yaml"), "--quiet"]
        rounds, expected = [], None
        for number in range(options.runs + 1):
            shutil.rmtree(output, ignore_errors=True)
            ours, peak = timed([run])
            found = counts(os.path.join(output, "push.db"))
            if expected not in (None, found):
                sys.exit(f"other counts than before: {found}, {expected}")
            expected = found
            zlib, _ = timed([[inflate] + files])
            gzip, _ = timed([["gzip", "-dc", file] for file in files])
            if number > 0:  # the first round warms the caches
                rounds.append((ours, peak, zlib, gzip))
        middle = statistics.median
        size = os.path.getsize(os.path.join(output, "partitions", DATE + ".sqlite"))
        events = sum(row[1] for row in expected)
        print(f"| {preset} | {middle(r[0] for r in rounds):.2f} s | {max(r[1] for r in rounds):.0f} MiB "
              f"| {middle(r[2] for r in rounds):.2f} s | {middle(r[3] for r in rounds):.2f} s "
              f"| {middle(r[0] / r[2] for r in rounds):.2f} | {middle(r[0] / r[3] for r in rounds):.2f} "
              f"| {size / events:.1f} |", flush=True)
    if not options.folder:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
