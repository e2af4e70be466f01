#!/usr/bin/env python3
"""A guard against becoming slower: instructions a record, counted by valgrind, against those in instructions.json.

    python3 Tests/Benchmarks/instructions.py [--update] [--stages]

Instruction counts repeat where seconds do not. For each kind of log, loggen writes a small and a large log with the same
seed, the release pushetl reads both under `valgrind --tool=callgrind`, and the difference of the two counts over that of
their records is what a record costs; what the inflating library does is left out. `start` is a whole run of the least log,
`row` a further row of daily_actions, from partition to push.db.

Exits with 1 if something costs more than the file's tolerance allows; where it costs less by as much, it says so, and
--update writes the file anew. --stages also prints which stage the instructions are spent in. Without valgrind, it says so
and exits with 0.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import bench
from stages import STAGES, stage_of

EXPECTED = os.path.join(bench.HERE, "instructions.json")
SMALL, LARGE = 5_000, 45_000
# Few deliveries: so both logs make the same rows in the daily tables, and the records alone differ.
KINDS = {
    "easy": ["--preset", "easy", "--deliveries", "5"],
    "hard": ["--preset", "hard", "--deliveries", "5"],
    "mzip": ["--kinds", "mzip", "--noise", "everyday", "--deliveries", "5"],
    "users_track": ["--kinds", "users_track", "--noise", "everyday", "--deliveries", "5"],
    "events": ["--kinds", "events", "--noise", "everyday", "--deliveries", "5"],
}
MANY_DELIVERIES = ["--preset", "easy", "--deliveries", "2000"]


# Reading callgrind's output


@dataclasses.dataclass
class Profile:
    """What each function (name, library) cost by itself, and each call (caller, callee) with all that it calls."""

    own: collections.Counter
    calls: collections.Counter

    def by_stage(self):
        """Instructions by stage. What serves several stages is shared out among its callers, by what their calls cost."""
        callers = collections.defaultdict(list)
        for (caller, callee), cost in self.calls.items():
            if caller != callee and stage_of(*callee) is None:
                callers[callee].append((caller, cost))
        shares = {}
        for function in set(self.own) | set(callers) | {caller for caller, _ in self.calls}:
            shares[function] = {stage_of(*function) or "rest": 1.0}
        for _ in range(30):  # as deep as calls among such functions go, more or less
            for function, calls in callers.items():
                whole = sum(cost for _, cost in calls) or 1
                share = collections.Counter()
                for caller, cost in calls:
                    for stage, part in shares[caller].items():
                        share[stage] += part * cost / whole
                shares[function] = share
        found = collections.Counter()
        for function, cost in self.own.items():
            for stage, part in shares[function].items():
                found[stage] += cost * part
        return found


def read_profile(path):
    """callgrind's format: `fn=` and `ob=` say whose costs follow, `cfn=` and `cob=` what is called; after a line
    `calls=` stands what the call cost, and every other line of numbers is the function's own. A name is written once,
    as `(7) name`, and `(7)` from then on."""
    names = {"ob": {}, "fn": {}}
    own, calls = collections.Counter(), collections.Counter()
    library = function = callee = called_library = None
    is_call = False
    with open(path) as file:
        for line in file:
            key, equals, value = line.rstrip("\n").partition("=")
            if equals and key in ("ob", "cob", "fn", "cfn"):
                number, _, name = value.partition(" ")
                known = names[key[-2:]]
                if name:
                    known[number] = name
                name = known[number]
                if key == "ob":
                    library = name
                elif key == "fn":
                    function, called_library = (name, library), None
                elif key == "cob":
                    called_library = name
                else:
                    callee, called_library = (name, called_library or library), None
            elif key == "calls":
                is_call = True
            elif line[0] in "0123456789+-*":
                cost = int(line.split()[1])
                if is_call:
                    calls[function, callee] += cost
                else:
                    own[function] += cost
                is_call = False
    return Profile(own, calls)


# Counting


def without_debug_information(program, folder):
    """A copy that valgrind can read: it needs the names alone, and stumbles over what Swift writes besides."""
    copy = os.path.join(folder, "pushetl")
    subprocess.run(["strip", "--strip-debug", "-o", copy, program], check=True)
    return copy


def count(programs, program, folder, arguments, records):
    """Instructions by stage of loading a log, and the rows in daily_actions."""
    logs = bench.make_logs(
        programs, os.path.join(folder, "logs"), *arguments, "--records", records, "--from", bench.DATE, "--files", 1)
    output, profile = os.path.join(folder, "warehouse"), os.path.join(folder, "profile")
    command = [
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", program, "run", "--date", bench.DATE,
        "--pipeline", logs.pipeline, "--output", output, "--jobs", "1", "--quiet"]
    # Else the order of a dictionary, and with it the work done, differs from run to run.
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout}")
    with sqlite3.connect(f"file:{output}/push.db?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT count(*) FROM daily_actions").fetchone()[0]
    return read_profile(profile).by_stage(), rows


def count_all(programs, folder):
    """name → instructions by stage: of a record of each kind, of a row, and of the least run."""
    program = without_debug_information(os.path.join(programs, "pushetl"), folder)
    with concurrent.futures.ThreadPoolExecutor(bench.CORES) as pool:

        def start(name, *task):
            return pool.submit(count, programs, program, os.path.join(folder, name), *task)

        small = {kind: start(kind + "-small", arguments, SMALL) for kind, arguments in KINDS.items()}
        large = {kind: start(kind + "-large", arguments, LARGE) for kind, arguments in KINDS.items()}
        many = start("many", MANY_DELIVERIES, LARGE)
        least = start("least", KINDS["easy"], 1)
    found = {kind: difference(large[kind].result()[0], small[kind].result()[0], LARGE - SMALL) for kind in KINDS}
    (more, more_rows), (less, less_rows) = many.result(), large["easy"].result()
    return found | {"row": difference(more, less, more_rows - less_rows), "start": least.result()[0]}


def difference(more, less, number):
    return collections.Counter({stage: (more[stage] - less[stage]) / number for stage in STAGES})


def without_inflating(stages):
    return round(sum(cost for stage, cost in stages.items() if stage != "inflating"))


# Judging


def judge(found, expected, tolerance):
    """A sentence for each count that differs, and whether any is too high."""
    sentences, is_slower = [], False
    for name, count in found.items():
        before = expected.get(name)
        if before is None:
            sentences.append(f"{name}: {count:,} instructions, and instructions.json does not know it; --update writes it.")
            continue
        change = count / before - 1
        if change > tolerance:
            is_slower = True
            sentences.append(
                f"{name}: {count:,} instructions instead of {before:,}, {change:+.1%}; {tolerance:.0%} are allowed. Make it "
                "cheaper, or say in the commit why it must cost this and run this script with --update.")
        elif change < -tolerance:
            sentences.append(
                f"{name}: {count:,} instructions instead of {before:,}, {change:+.1%}: cheaper. Run this script with "
                "--update, so that it stays so.")
    return sentences, is_slower


def stage_table(found):
    names = list(found)
    rows = [[stage] + [f"{found[name][stage]:,.0f}" for name in names] for stage in STAGES]
    rows.append(["all but inflating"] + [f"{without_inflating(found[name]):,}" for name in names])
    return bench.table(["instructions", *names], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write instructions.json anew")
    parser.add_argument("--stages", action="store_true", help="also print a table by stage")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("Instructions are not counted: there is no valgrind here (apt-get install valgrind).")
        return
    with tempfile.TemporaryDirectory(prefix="pushetl-bench-") as folder:
        stages = count_all(bench.build(), folder)
    found = {name: without_inflating(parts) for name, parts in stages.items()}
    if options.stages:
        print(stage_table(stages), "\n")
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
