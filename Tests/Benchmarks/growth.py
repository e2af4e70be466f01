#!/usr/bin/env python3
"""How a load's cost grows: with lines, with jobs, and with the log dates that are loaded already.

    python3 Tests/Benchmarks/growth.py [lines] [jobs] [dates] [cores] [--runs 3] [--folder DIR] [--save] [--quick]
    python3 Tests/Benchmarks/growth.py dates --dates 30 --date-records 5000000 --ids random

lines  1, 2, 4, 8, 16, 32 and 60 million easy collector lines in two files
jobs   6 million in four files, with --jobs 1, 2 and 4
dates  a log date of a million hits, with 0, 10, 30 and 100 log dates of that size loaded before it; ids either hex, each date
       with a range of its own and a few percent late, or random, all over the place
cores  32 files with --jobs 1, 2, 4, 8 and 16, where there are 16 cores

Without a section's name all run. Prints a table for each: medians of whole processes, and peak memory. --save also writes
them to growth.json beside this script, and the picture to growth.svg in the documentation. The data of all sections takes 12 GB; it stays in
--folder and is used again. --quick: less of everything.
"""
import argparse
import datetime
import json
import os
import shutil
import statistics
import sys

import bench
import chart

RESULTS = os.path.join(bench.HERE, "growth.json")
PICTURE = os.path.join(bench.HERE, "../../Sources/pushetl/pushetl.docc/growth.svg")
LAST_DATE = datetime.date(2026, 11, 19)


def median_load(runs, load):
    """Seconds (the median) and peak memory (the highest) of several loads; one before them warms the caches."""
    timings = [load() for _ in range(runs + 1)][1:]
    return {"seconds": statistics.median(timing.seconds for timing in timings), "peak": max(t.peak for t in timings)}


def load_afresh(programs, logs, folder, *options):
    output = os.path.join(folder, "warehouse")
    shutil.rmtree(output, ignore_errors=True)
    return bench.load(programs, logs, output, *options)


def measure_lines(programs, options, folder):
    rows = []
    for lines in options.lines:
        logs = bench.make_logs(
            programs, os.path.join(folder, f"lines-{lines}"), "--preset", "easy", "--records", lines, "--from", bench.DATE,
            "--files", 2)
        row = median_load(options.runs, lambda: load_afresh(programs, logs, folder))
        rows.append({"lines": lines} | row)
        print(f"{lines:,} lines: {row['seconds']:.2f} s", file=sys.stderr)
    return {"rows": rows}


def measure_jobs(programs, options, folder):
    return jobs_rows(programs, options, folder, files=4, jobs=options.jobs)


def measure_cores(programs, options, folder):
    return jobs_rows(programs, options, folder, files=32, jobs=[1, 2, 4, 8, 16])


def jobs_rows(programs, options, folder, files, jobs):
    logs = bench.make_logs(
        programs, os.path.join(folder, f"files-{files}"), "--preset", "easy", "--records", options.job_lines, "--from",
        bench.DATE, "--files", files)
    rows = []
    for number in jobs:
        row = median_load(options.runs, lambda: load_afresh(programs, logs, folder, "--jobs", str(number)))
        rows.append({"jobs": number} | row)
        print(f"{number} jobs: {row['seconds']:.2f} s", file=sys.stderr)
    return {"lines": options.job_lines, "files": files, "rows": rows}


def measure_dates(programs, options, folder):
    rows = []
    for ids in options.ids:
        rows += dates_rows(programs, options, folder, ids)
    return {"records": options.date_records, "rows": rows}


def dates_rows(programs, options, folder, ids):
    """Loads the last date again and again, beside more and more dates, each time also into an empty output."""
    first = LAST_DATE - datetime.timedelta(days=max(options.dates))
    logs = bench.make_logs(
        programs, os.path.join(folder, f"dates-{ids}"), "--preset", "easy", "--ids", ids, "--records",
        options.date_records, "--from", first, "--to", LAST_DATE, "--files", 2, level=1)
    output = os.path.join(folder, "warehouse-" + ids)
    shutil.rmtree(output, ignore_errors=True)
    rows = []
    for count in sorted(options.dates):
        beside, alone = [], []
        if count > 0:
            backfill(programs, logs, output, count)
        for number in range(options.runs + 1):
            empty = load_afresh(programs, logs, folder)
            many = bench.load(programs, logs, output) if count > 0 else empty
            if number > 0:
                alone.append(empty)
                beside.append(many)
            if count > 0:
                take_out_last_date(programs, logs, output)
        rows.append({
            "ids": ids, "dates": count, "seconds": statistics.median(timing.seconds for timing in beside),
            "added": statistics.median(many.seconds - empty.seconds for many, empty in zip(beside, alone)),
            "peak": max(timing.peak for timing in beside)})
        print(f"{ids}, {count} dates loaded: {rows[-1]['seconds']:.2f} s", file=sys.stderr)
    shutil.rmtree(output, ignore_errors=True)
    return rows


def backfill(programs, logs, output, count):
    """Loads the `count` log dates before the last one."""
    begin, end = LAST_DATE - datetime.timedelta(days=count), LAST_DATE - datetime.timedelta(days=1)
    bench.timed([
        os.path.join(programs, "pushetl"), "backfill", "--from", str(begin), "--to", str(end), "--pipeline", logs.pipeline,
        "--output", output, "--quiet"])


def take_out_last_date(programs, logs, output):
    """Deletes the last date's partition and lets pushetl publish what is left, so that the date can be loaded anew."""
    os.remove(os.path.join(output, "partitions", f"{LAST_DATE}.sqlite"))
    bench.load(programs, logs, output, date=str(LAST_DATE - datetime.timedelta(days=1)))


# Tables


def millions(count):
    return f"{count / 1e6:g} M"


def lines_table(result):
    return bench.table(
        ["lines", "seconds", "ns a line", "peak"],
        [[f"{row['lines']:,}", f"{row['seconds']:.2f} s", f"{row['seconds'] / row['lines'] * 1e9:.0f}",
          f"{row['peak']:.0f} MiB"] for row in result["rows"]])


def jobs_table(result):
    base = result["rows"][0]["seconds"]
    return bench.table(
        ["jobs", "seconds", "times as fast", "peak"],
        [[str(row["jobs"]), f"{row['seconds']:.2f} s", f"{base / row['seconds']:.2f}", f"{row['peak']:.0f} MiB"]
         for row in result["rows"]])


def dates_table(result):
    return bench.table(
        ["ids", "dates loaded", "seconds", "more than into an empty output", "peak"],
        [[row["ids"], str(row["dates"]), f"{row['seconds']:.2f} s", f"{row['added']:.2f} s", f"{row['peak']:.0f} MiB"]
         for row in result["rows"]])


# The picture


def lines_panel(result):
    rows = result["rows"]
    middle = rows[len(rows) // 2]
    ideal = [(row["lines"], middle["seconds"] / middle["lines"] * row["lines"]) for row in rows]
    return chart.Panel(
        "Lines", "a log date in two files, whole run", "million lines; below: peak memory in MiB",
        [chart.Series([(row["lines"], row["seconds"]) for row in rows], "pushetl"),
         chart.Series(ideal, "in proportion", is_ideal=True)],
        [(row["lines"], f"{row['lines'] / 1e6:g}", f"{row['peak']:.0f}") for row in rows], is_log=True)


def jobs_panel(result):
    rows = result["rows"]
    cores = result["cores"]
    ideal = [(row["jobs"], rows[0]["seconds"] / min(row["jobs"], cores)) for row in rows]
    return chart.Panel(
        "Jobs", f"{millions(result['lines'])} lines in {result['files']} files, {cores} core{'s' if cores > 1 else ''}",
        "--jobs; below: peak memory in MiB",
        [chart.Series([(row["jobs"], row["seconds"]) for row in rows], "pushetl"),
         chart.Series(ideal, "shared evenly", is_ideal=True)],
        [(row["jobs"], str(row["jobs"]), f"{row['peak']:.0f}") for row in rows], is_log=len(rows) > 3)


def dates_panel(result):
    kinds = list(dict.fromkeys(row["ids"] for row in result["rows"]))
    series = [
        chart.Series([(row["dates"], row["seconds"]) for row in result["rows"] if row["ids"] == ids], f"{ids} ids")
        for ids in kinds]
    highest = {}
    for row in result["rows"]:
        highest[row["dates"]] = max(highest.get(row["dates"], 0), row["peak"])
    return chart.Panel(
        "Log dates loaded before", f"a date of {millions(result['records'])} hits beside others of that size",
        "log dates; below: peak memory in MiB", series,
        [(dates, str(dates), f"{peak:.0f}") for dates, peak in highest.items()])


SECTIONS = {
    "lines": (measure_lines, lines_table, lines_panel),
    "jobs": (measure_jobs, jobs_table, jobs_panel),
    "dates": (measure_dates, dates_table, dates_panel),
    "cores": (measure_cores, jobs_table, jobs_panel),
}


def save(results):
    """Adds the results to those that were saved before, and draws all of them."""
    if os.path.exists(RESULTS):
        with open(RESULTS) as file:
            results = json.load(file) | results
    results = {section: results[section] for section in SECTIONS if section in results}
    with open(RESULTS, "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    notes = list(dict.fromkeys(f"{result['machine']}, {result['date']}" for result in results.values()))
    with open(PICTURE, "w") as file:
        file.write(chart.draw(
            [SECTIONS[section][2](result) for section, result in results.items()],
            f"Seconds of whole runs, medians of {results[next(iter(results))]['runs']}. {'; '.join(notes)}."))


# The command


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="lines, jobs, dates, cores; default: all")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--lines", type=int, nargs="+", help="default: 1 to 60 million")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--job-lines", type=int, help="default: 6 million")
    parser.add_argument("--dates", type=int, nargs="+", help="default: 0 10 30 100")
    parser.add_argument("--date-records", type=int, help="default: a million")
    parser.add_argument("--ids", nargs="+", default=["hex", "random"], choices=["hex", "random"])
    parser.add_argument("--programs", help="the folder of pushetl and loggen, if they shall not be built")
    parser.add_argument("--folder", help="where the data lies or is made")
    parser.add_argument("--save", action="store_true", help="write growth.json and growth.svg")
    parser.add_argument("--quick", action="store_true", help="1 to 4 million lines, 0 to 10 dates of 200,000")
    options = parser.parse_args()
    for section in options.sections:
        if section not in SECTIONS:
            parser.error(f"'{section}' is no section; there are {', '.join(SECTIONS)}")
    quick = options.quick
    options.sections = options.sections or list(SECTIONS)
    options.lines = options.lines or [n * 1_000_000 for n in ([1, 2, 4] if quick else [1, 2, 4, 8, 16, 32, 60])]
    options.job_lines = options.job_lines or (2_000_000 if quick else 6_000_000)
    options.dates = options.dates or ([0, 3, 10] if quick else [0, 10, 30, 100])
    options.date_records = options.date_records or (200_000 if quick else 1_000_000)
    return options


def measure(options, folder):
    programs = options.programs or bench.build()
    results = {}
    for section in options.sections:
        if section == "cores" and bench.CORES < 16:
            print(f"cores: not measured, this machine has {bench.CORES} of 16 cores.\n")
            continue
        run, show, _ = SECTIONS[section]
        results[section] = run(programs, options, folder) | {
            "cores": bench.CORES, "machine": bench.machine(), "date": bench.today(), "runs": options.runs}
        print(f"{section}:\n\n{show(results[section])}\n", flush=True)
    print(f"Measured on {bench.today()} on {bench.machine()} by `{bench.command_line()}`: medians of {options.runs} runs.")
    if options.save and results:
        save(results)


def main():
    options = read_options()
    with bench.data_folder(options.folder) as folder:
        measure(options, folder)


if __name__ == "__main__":
    main()
