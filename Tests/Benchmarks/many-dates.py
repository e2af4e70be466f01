#!/usr/bin/env python3
"""What a night costs with many log dates loaded, against the same night with none.

    python3 Tests/Benchmarks/many-dates.py [--runs 5] [--dates 30] [--records 1000000] [--ids hex random]

For each kind of ids (hex: each date has a range of its own, a few percent come late; random: all over the place), loggen
writes so many dates and one more; the dates are loaded once, and then the one more is loaded, once beside them and once
into an empty output, in turn. The medians, of the ratio and the difference within each round too, and the peak memory are printed.
"""
import argparse
import datetime
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(ROOT, ".build", "release")


def timed(command):
    """Seconds and peak memory (MiB) of a command."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    message = process.stderr.read().decode()
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit {process.returncode}: {message}")
    return seconds, usage.ru_maxrss / 1024


def keep(output, before):
    """Copies what a load changes beside its own partition. The partitions stay where they are: copies of them would be
    other files to pushetl, which would read and check them all."""
    shutil.copytree(os.path.join(output, "partitions", ".kept"), os.path.join(before, ".kept"))
    shutil.copy(os.path.join(output, "push.db"), before)


def restore(output, before, last):
    partition = os.path.join(output, "partitions", f"{last}.sqlite")
    if os.path.exists(partition):
        os.remove(partition)
    shutil.rmtree(os.path.join(output, "partitions", ".kept"))
    shutil.copytree(os.path.join(before, ".kept"), os.path.join(output, "partitions", ".kept"))
    shutil.copy(os.path.join(before, "push.db"), output)


def measure(ids, arguments, folder):
    logs = os.path.join(folder, ids)
    first = datetime.date(2026, 9, 1)
    last = first + datetime.timedelta(days=arguments.dates)
    if not os.path.exists(os.path.join(logs, "push.yaml")):
        subprocess.run(
            [os.path.join(PROGRAMS, "loggen"), "--preset", "easy", "--ids", ids, "--records", str(arguments.records),
             "--from", str(first), "--to", str(last), "--out", logs, "--files", "2"], check=True)
    pipeline = os.path.join(logs, "push.yaml")

    def run(date, output):
        return timed(
            [os.path.join(PROGRAMS, "pushetl"), "run", "--date", str(date), "--pipeline", pipeline,
             "--output", output, "--quiet"])

    loaded = os.path.join(folder, ids + "-loaded")
    if not os.path.exists(loaded):
        for day in range(arguments.dates):
            run(first + datetime.timedelta(days=day), loaded)
    before, empty = os.path.join(folder, ids + "-before"), os.path.join(folder, "empty")
    if not os.path.exists(before):
        keep(loaded, before)
    rounds = []
    for _ in range(arguments.runs):
        alone, _ = run(last, empty)
        restore(loaded, before, last)
        many, memory = run(last, loaded)
        rounds.append((alone, many, many / alone, many - alone, memory))
        shutil.rmtree(empty)
    restore(loaded, before, last)
    alone, many, ratio, more, memory = (statistics.median(column) for column in zip(*rounds))
    print(f"| {ids} | {arguments.dates} | {alone:.2f} s | {many:.2f} s | {ratio:.2f} | {more:.2f} s | "
          f"{memory:.0f} MiB |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--dates", type=int, default=30)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--ids", nargs="+", default=["hex", "random"])
    parser.add_argument("--folder", help="where the data stays; else it is removed")
    arguments = parser.parse_args()
    folder = arguments.folder or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    print("| ids | dates loaded | into an empty output | beside them | ratio | more | peak |")
    print("|---|---|---|---|---|---|---|")
    try:
        for ids in arguments.ids:
            measure(ids, arguments, folder)
    finally:
        if not arguments.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
