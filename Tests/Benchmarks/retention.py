#!/usr/bin/env python3
"""What `retention` costs a night, and what it saves: two outputs of the same logs, one of which erases ids.

    python3 Tests/Benchmarks/retention.py [--dates 150] [--hits 200000] [--nights 5] [--folder DIR] [--program PUSHETL]

Writes plain logs of random hex ids, a tenth of them seen on one of the 30 dates before. All dates but the last are loaded by
one `backfill` into each output. Then one of them gets `retention: {ids: 68}` with the window of 30 days: the first night
closes, settles and erases all that is due. The nights after that settle one log date each and erase the ids of one. Prints a
Markdown table: seconds and processor seconds of each night in both outputs (they take turns), and bytes before and after.
"""
import argparse
import datetime
import os
import random

import bench

PIPELINE = "version: 1\noutput: {}\n{}sources:\n  - {{name: adobe, format: collector, files: logs/%Y-%m-%d.log}}\n"
LAST = datetime.date(2026, 11, 19)


def write_logs(folder, dates, hits):
    os.makedirs(os.path.join(folder, "logs"), exist_ok=True)
    numbers = random.Random(1)
    recent = []
    for date in dates:
        path = os.path.join(folder, "logs", f"{date}.log")
        ids = [numbers.getrandbits(48) for _ in range(hits)]
        for index in range(0, hits if recent else 0, 10):
            ids[index] = numbers.choice(numbers.choice(recent))
        recent = [*recent[-29:], numbers.sample(ids, min(hits, 10_000))]
        with open(path, "w") as file:
            for index, message in enumerate(ids):
                file.write(
                    f'192.0.2.1 - - [{date:%d/%b/%Y}:{index % 24:02}:00:00 +0000] "GET /r/?id=h{message:x},'
                    f'{index % 20 + 1:x},{"721"[index % 3]} HTTP/1.1" 200 0 "-" "Android"\n')


def size(folder):
    return sum(os.path.getsize(os.path.join(path, name)) for path, _, names in os.walk(folder) for name in names)


def measure(program, folder, options):
    dates = [LAST - datetime.timedelta(days=number) for number in reversed(range(options.dates))]
    write_logs(folder, dates, options.hits)
    pipelines = {}
    for name in ("keeping", "erasing"):
        pipelines[name] = os.path.join(folder, f"{name}.yaml")
        with open(pipelines[name], "w") as file:
            file.write(PIPELINE.format(name, ""))
        bench.timed([
            program, "backfill", "-q", "-p", pipelines[name], "--from", str(dates[0]), "--to",
            str(dates[-options.nights - 2])])
    with open(pipelines["erasing"], "w") as file:
        file.write(PIPELINE.format("erasing", "retention: {ids: 68}\n"))
    print(f"{bench.machine()}\n\n| night | | seconds | processor | peak MiB | bytes of the output |\n|---|---|---|---|---|---|")
    for night, date in enumerate(dates[-options.nights - 1:]):
        for name in sorted(pipelines, reverse=night % 2 == 1):
            first = ["--settle"] if night == 0 and name == "erasing" else []
            load = bench.timed([program, "run", "-q", "-p", pipelines[name], "--date", str(date), *first])
            print(
                f"| {night} | {name} | {load.seconds:.2f} | {load.cpu:.2f} | {load.peak:.0f} | "
                f"{size(os.path.join(folder, name)):,} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dates", type=int, default=150)
    parser.add_argument("--hits", type=int, default=200_000)
    parser.add_argument("--nights", type=int, default=5)
    parser.add_argument("--folder", help="where the data is made")
    parser.add_argument("--program", help="the pushetl to measure, if not this clone's")
    options = parser.parse_args()
    program = options.program or os.path.join(bench.build(), "pushetl")
    with bench.data_folder(options.folder) as folder:
        measure(program, folder, options)


if __name__ == "__main__":
    main()
