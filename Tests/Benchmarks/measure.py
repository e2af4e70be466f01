#!/usr/bin/env python3
"""Measures pushetl by whole processes, and prints the tables of the article "Performance".

    python3 Tests/Benchmarks/measure.py CASE… [--runs 5] [--scale 1] [--folder DIR] [--program PUSHETL]

nightly     a night's logs of each kind, with zlib and with ISA-L (where libisal-dev is installed), against `gzip -dc`, and the
            collector's also against the same counts by SQL in chdb and DuckDB (where Python can import them)
events      a night of a vendor's events as JSON and as CSV, and the same counts by SQL in DuckDB (where Python can import it)
growth      more lines, more jobs, and more log dates loaded before
years       two years of nights, a night after them, and the commands that read their push.db
deliveries  a night with a file of a million deliveries
retention   nights beside 103 log dates, with and without `retention: {ids: 68}`
billion     once, a night of a billion lines in 24 files, with the usual memory and with more. The logs take another 25 GB, and an
            hour to make

Seconds are medians of the rounds after a first one, which warms the caches; memory is the most of a process. loggen makes the
logs. With all other cases they take 25 GB; they stay in --folder and are used again, or else lie in a temporary folder. `--scale 0.1`
takes a tenth of the lines. `--program` takes another pushetl than this clone's.
"""
import argparse
import datetime
import glob
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import threading

import bench

LAST = datetime.date.fromisoformat(bench.DATE)


class Setting:
    def __init__(self, options, folder):
        self.programs = bench.build()
        self.program = os.path.abspath(options.program or os.path.join(self.programs, "pushetl"))
        self.folder, self.runs, self.scale = folder, options.runs, options.scale

    def path(self, name):
        return os.path.join(self.folder, name)

    def logs(self, name, *arguments, records, dates=1):
        """Logs up to the last date, a folder of their own each."""
        first = LAST - datetime.timedelta(days=dates - 1)
        return bench.make_logs(
            os.path.join(self.programs, "loggen"), self.path(name), "--records", round(records * self.scale), "--from", first,
            "--to", LAST, *arguments)

    def pushetl(self, logs, output, *words, program=None, pipeline="push.yaml"):
        return bench.timed([
            program or self.program, *map(str, words), "--pipeline", os.path.join(logs, pipeline), "--output", output, "--quiet"])

    def load(self, logs, *words, program=None):
        """The last date into a new output."""
        output = self.path("warehouse")
        shutil.rmtree(output, ignore_errors=True)
        return self.pushetl(logs, output, "run", "--date", LAST, *words, program=program)

    def backfill(self, logs, output, last, count):
        """Loads so many log dates up to one."""
        return self.pushetl(logs, output, "backfill", "--from", last - datetime.timedelta(days=count - 1), "--to", last)


# What a night's logs are: their name, loggen's arguments, records, files, and whether the peers count them too.
NIGHTS = [
    ("easy: hex ids, 40 user agents", ["--preset", "easy"], 6_000_000, 2, True),
    ("hard: UUIDs, 20,000 user agents", ["--preset", "hard"], 6_000_000, 2, True),
    ("easy in one file", ["--preset", "easy"], 6_000_000, 1, False),
    ("easy in 2,000 files", ["--preset", "easy"], 6_000_000, 2000, False),
    ("mzip", ["--kinds", "mzip", "--noise", "everyday"], 2_000_000, 2, False),
    ("users_track", ["--kinds", "users_track", "--noise", "everyday"], 2_000_000, 2, False),
]


def nightly(setting):
    builds = {"zlib": setting.program}
    if os.path.exists("/usr/include/isa-l.h"):
        builds["ISA-L"] = os.path.join(bench.build(isal=True), "pushetl")
    peers = [name for name in ("chdb", "duckdb") if importlib.util.find_spec(name)]
    rows = []
    for index, (name, arguments, records, files, has_peers) in enumerate(NIGHTS):
        logs = setting.logs(f"night-{index}", *arguments, "--files", files, "--level", 6, records=records)
        paths, output, counts = bench.files_of(logs), setting.path("warehouse"), []

        def check(found, who):
            counts.append(found)
            if found != counts[0]:
                sys.exit(f"{name}: {who} does not count what the first one counts")

        def load(build):
            timing = setting.load(logs, program=builds[build])
            check(bench.daily_counts(output), build)
            return timing

        def unpack():
            shares = [paths[core::bench.CORES] for core in range(min(bench.CORES, len(paths)))]
            return bench.timed(*(["sh", "-c", 'exec gzip -dc "$@" >/dev/null', "gzip", *share] for share in shares))

        def ask(peer):
            timing = bench.timed([sys.executable, os.path.join(bench.HERE, "peers.py"), peer, str(bench.CORES), *paths])
            check({tuple(row[:4]): tuple(row[4:]) for row in json.loads(timing.output)}, peer)
            return timing

        contestants = {build: lambda build=build: load(build) for build in builds}
        timings = bench.rounds({**contestants, "gzip -dc": unpack}, setting.runs)
        bytes_ = os.path.getsize(os.path.join(output, "partitions", f"{LAST}.sqlite"))
        # After the others: they take a gigabyte of memory, and the program after them would wait for the system to clear it.
        if has_peers:
            timings |= bench.rounds({peer: lambda peer=peer: ask(peer) for peer in peers}, setting.runs)
        columns = [*builds, "gzip -dc", *peers]
        rows.append([
            name, f"{round(records * setting.scale):,}",
            *(bench.seconds(timings[one]) if one in timings else "" for one in columns),
            bench.memory(timings["zlib"]), f"{bytes_ / sum(events for events, _ in counts[0].values()):.1f}"])
    print(bench.table(["logs", "records", *columns, "memory", "bytes an event"], rows))


def events(setting):
    logs = setting.logs("night-events", "--kinds", "users_track", "--noise", "everyday", "--files", 2, "--level", 6, records=2_000_000)
    pipelines = {layout: os.path.basename(bench.write_events(logs, layout)) for layout in ("body", "csv")}
    output, counts = setting.path("warehouse-events"), []

    def check(found, who):
        counts.append(found)
        if found != counts[0]:
            sys.exit(f"{who} does not count what the first one counts")

    def load(layout):
        shutil.rmtree(output, ignore_errors=True)
        timing = setting.pushetl(logs, output, "run", "--date", LAST, pipeline=pipelines[layout])
        check(bench.daily_counts(output), layout)
        return timing

    def ask():
        files = sorted(glob.glob(os.path.join(logs, "events-csv/*/*.gz")))
        timing = bench.timed([sys.executable, os.path.join(bench.HERE, "peers.py"), "duckdb_events", str(bench.CORES), *files])
        check({tuple(row[:4]): tuple(row[4:]) for row in json.loads(timing.output)}, "DuckDB")
        return timing

    timings = bench.rounds({layout: lambda layout=layout: load(layout) for layout in pipelines}, setting.runs)
    if importlib.util.find_spec("duckdb"):
        timings |= bench.rounds({"DuckDB, read_csv": ask}, setting.runs)
    names = {"body": "pushetl, JSON", "csv": "pushetl, CSV"}
    print(bench.table(["what", "seconds", "memory"], [
        [names.get(name, name), bench.seconds(found), bench.memory(found)] for name, found in timings.items()]))


def growth(setting):
    rows = []
    for millions in (1, 2, 4, 8, 16, 32, 60):
        logs = setting.logs(f"lines-{millions}", "--preset", "easy", "--level", 6, records=millions * 1_000_000)
        timings = bench.rounds({"": lambda: setting.load(logs)}, setting.runs)[""]
        rows.append([millions, bench.seconds(timings), bench.memory(timings)])
    print(bench.table(["million lines", "seconds", "memory"], rows) + "\n")

    logs = setting.logs("jobs", "--preset", "easy", "--files", 4, "--level", 6, records=6_000_000)
    timings = bench.rounds(
        {jobs: lambda jobs=jobs: setting.load(logs, "--jobs", jobs) for jobs in (1, 2, 4)}, setting.runs)
    print(bench.table(["jobs", "seconds", "memory"], [[n, bench.seconds(t), bench.memory(t)] for n, t in timings.items()]) + "\n")

    rows = []
    before = LAST - datetime.timedelta(days=1)
    for ids in ("hex", "random"):
        logs = setting.logs(f"dates-{ids}", "--preset", "easy", "--ids", ids, records=1_000_000, dates=31)
        output = setting.path(f"warehouse-{ids}")
        shutil.rmtree(output, ignore_errors=True)

        def load():
            """Loads the last date beside the others, which stay."""
            partition = os.path.join(output, "partitions", f"{LAST}.sqlite")
            if os.path.exists(partition):
                os.remove(partition)
                setting.pushetl(logs, output, "run", "--date", before)
            return setting.pushetl(logs, output, "run", "--date", LAST)

        for dates in (0, 10, 30):
            if dates:
                setting.backfill(logs, output, before, dates)
            timings = bench.rounds({"": load}, setting.runs)[""]
            rows.append([ids, dates, bench.seconds(timings), bench.memory(timings)])
    print(bench.table(["ids", "log dates before", "seconds", "memory"], rows))


def row(name, timing):
    return [name, f"{timing.seconds:.2f} s", f"{timing.processor:.2f} s", f"{timing.memory:.0f} MiB"]


WHAT = ["what", "seconds", "processor", "memory"]


def years(setting):
    logs = setting.logs("years", "--ids", "random", "--noise", "everyday", records=28_000, dates=731)
    output, page, tables = map(setting.path, ("warehouse-years", "report.html", "csv"))
    shutil.rmtree(output, ignore_errors=True)

    def measure(name, *words):
        return row(name, setting.pushetl(logs, output, *words))

    rows = [row("a backfill of all", setting.backfill(logs, output, LAST - datetime.timedelta(days=1), 730)),
            measure("a night after it", "run", "--date", LAST)]
    for path in glob.glob(f"{output}/push.db*"):
        os.remove(path)
    rows += [
        measure("push.db anew", "run", "--date", LAST), measure("report of 28 days", "report", "--out", page),
        measure("report of two years", "report", "--from", LAST - datetime.timedelta(days=730), "--out", page),
        measure("export csv", "export", "csv", "--out", tables), measure("doctor", "doctor")]
    print(bench.table(WHAT, rows))
    print(f"\npush.db: {os.path.getsize(os.path.join(output, 'push.db')) / 1e6:.0f} MB")
    shutil.rmtree(tables)


def deliveries(setting):
    logs, output = setting.logs("few", "--preset", "easy", records=100_000), setting.path("warehouse-deliveries")
    shutil.rmtree(output, ignore_errors=True)
    setting.pushetl(logs, output, "run", "--date", LAST)

    def write(sent):
        with open(os.path.join(logs, "deliveries", "campaigns.csv"), "w") as file:
            file.write("delivery_id,label,campaign,variant,sent_at,sent\n")
            for number in range(round(1_000_000 * setting.scale)):
                file.write(f"{0x100000 + number:x},Wave {number},Campaign {number // 100},{'AB'[number % 2]},"
                           f"2026-11-{number % 19 + 1:02}T08:00:00+01:00,{sent + number % 977}\n")

    rows = []
    for name, sent in (("the first publishing", 1000), ("a changed file", 2000), ("the same file", None)):
        if sent:
            write(sent)
        rows.append(row(name, setting.pushetl(logs, output, "run", "--date", LAST)))
    print(bench.table(WHAT, rows))


def retention(setting):
    nights = 5
    logs = setting.logs("retention", "--preset", "easy", "--ids", "random", "--late", 100, records=200_000, dates=104 + nights)
    with open(os.path.join(logs, "push.yaml")) as file:
        keeping = file.read()
    with open(os.path.join(logs, "erasing.yaml"), "w") as file:
        file.write(keeping + "retention: {ids: 68}\n")
    outputs = {pipeline: setting.path(pipeline.removesuffix(".yaml")) for pipeline in ("push.yaml", "erasing.yaml")}
    for output in outputs.values():
        shutil.rmtree(output, ignore_errors=True)
        setting.backfill(logs, output, LAST - datetime.timedelta(days=nights + 1), 103)
    rows = []
    for night in range(nights + 1):
        for pipeline in sorted(outputs, reverse=night % 2 == 1):
            settle = ["--settle"] if night == 0 and pipeline == "erasing.yaml" else []
            date = LAST - datetime.timedelta(days=nights - night)
            timing = setting.pushetl(logs, outputs[pipeline], "run", "--date", date, *settle, pipeline=pipeline)
            size = sum(os.path.getsize(path) for path in glob.glob(outputs[pipeline] + "/**", recursive=True))
            rows.append([*row(f"night {night}, {pipeline}", timing), f"{size:,}"])
    print(bench.table([*WHAT, "bytes of the output"], rows))


def billion(setting):
    logs = setting.logs("billion", "--preset", "easy", "--files", 24, "--level", 6, records=1_000_000_000)
    rows = []
    for words in ([], ["--memory", "8G"]):
        shutil.rmtree(setting.path("warehouse"), ignore_errors=True)
        free, least, ended = shutil.disk_usage(setting.folder).free, [], threading.Event()

        def watch():
            while not ended.wait(1):
                least.append(shutil.disk_usage(setting.folder).free)

        watching = threading.Thread(target=watch)
        watching.start()
        timing = setting.load(logs, *words)
        ended.set()
        watching.join()
        events = sum(events for events, _ in bench.daily_counts(setting.path("warehouse")).values())
        size = os.path.getsize(setting.path(f"warehouse/partitions/{LAST}.sqlite"))
        rows.append([
            *row(" ".join(["run", *words]), timing), f"{events:,}", f"{(free - min(least, default=free)) / 1e9:.1f} GB", f"{size / 1e9:.1f} GB"])
    print(bench.table([*WHAT, "events", "most on the disk", "partition"], rows))


CASES = {case.__name__: case for case in (nightly, events, growth, years, deliveries, retention, billion)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", metavar="CASE", choices=list(CASES), help=", ".join(CASES))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--folder", help="where the data lies or is made")
    parser.add_argument("--program", help="the pushetl to measure, if not this clone's")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pushetl-bench-") as temporary:
        folder = os.path.abspath(options.folder or temporary)
        os.makedirs(folder, exist_ok=True)
        setting = Setting(options, folder)
        for name in options.cases:
            print(f"\n{name}\n", flush=True)
            CASES[name](setting)
    print(f"\nMeasured on {datetime.date.today()} on {bench.machine()}, {options.runs} runs, scale {options.scale:g}.")


if __name__ == "__main__":
    main()
