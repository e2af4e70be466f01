#!/usr/bin/env python3
"""Where the time of a line goes: nanoseconds of a core a line by stage, from samples that `perf record` takes.

    python3 Tests/Benchmarks/cost.py [--lines 6000000] [--runs 3] [--folder DIR] [--program FILE]

For easy and hard collector logs in two files, as in nightly.py, whose folder may be given. A sample belongs to the innermost
function of its call chain that has a stage: a page fault in sorting is sorting's. SQLite's often have no chain, and are in
the rest. `--program` takes another pushetl than this clone's. Prints a Markdown table.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

import bench
from stages import STAGES, stage_of

FRAME = re.compile(r"\s+[0-9a-f]+ (.*) \((.*)\)$")


def sample(program, logs, folder):
    """Nanoseconds by stage of one run, over all threads."""
    output, recording = os.path.join(folder, "warehouse"), os.path.join(folder, "perf.data")
    shutil.rmtree(output, ignore_errors=True)
    bench.timed([
        "perf", "record", "--quiet", "--event", "cpu-clock", "--freq", "2000", "--call-graph", "fp", "--output", recording,
        program, "run", "--date", bench.DATE, "--pipeline", logs.pipeline, "--output", output, "--quiet"])
    return read_samples(recording)


def read_samples(recording):
    """Nanoseconds by stage. Each sample is a line with its period and a line for each frame, the innermost first."""
    script = ["perf", "script", "--no-demangle", "--input", recording, "--fields", "period,ip,sym,dso"]
    found = collections.Counter()
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        period, stage = 0, None
        for line in process.stdout:
            frame = FRAME.match(line)
            if frame:
                stage = stage or stage_of(frame.group(1), frame.group(2))
            elif line.strip():
                period, stage = int(line), None
            else:
                found[stage or "rest"] += period
                period, stage = 0, None
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=6_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", help="where the data lies or is made")
    parser.add_argument("--program", help="the pushetl to look at, if not this clone's")
    options = parser.parse_args()
    if not shutil.which("perf"):
        sys.exit("There is no perf here (apt-get install linux-perf).")
    programs = bench.build()
    program = options.program or os.path.join(programs, "pushetl")
    columns = {}
    with tempfile.TemporaryDirectory(prefix="pushetl-bench-") as scratch:
        for name in ["easy", "hard"]:
            folder = options.folder or scratch
            logs = bench.make_logs(
                programs, os.path.join(folder, name), "--preset", name, "--records", options.lines, "--from", bench.DATE,
                "--files", 2)
            runs = [sample(program, logs, scratch) for _ in range(options.runs)]
            columns[name] = {stage: sum(run[stage] for run in runs) / options.runs / options.lines for stage in STAGES}
    rows = [[stage] + [f"{column[stage]:.0f}" for column in columns.values()] for stage in STAGES]
    rows.append(["all"] + [f"{sum(column.values()):.0f}" for column in columns.values()])
    print(bench.table(["ns of a core a line", *columns], rows))
    print(
        f"\nMeasured on {bench.today()} on {bench.machine()} by `{bench.command_line()}`: means of {options.runs} runs over "
        f"{options.lines:,} lines in two files.")


if __name__ == "__main__":
    main()
