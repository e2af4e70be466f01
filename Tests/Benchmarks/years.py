#!/usr/bin/env python3
"""What two years with 500 deliveries a day cost: a night's publishing, the size of push.db, the plans of questions.

    python3 Tests/Benchmarks/years.py [--days 731] [--deliveries 500] [--folder DIR] [--program PUSHETL] [--questions]

Writes small logs: each day has so many deliveries, 100 of them new, of which each runs for 5 days, and 10 that run all the
time. Each delivery has a message on each of three platforms, which is seen, clicked and opened. All dates but the last nights
are loaded by one `backfill`. Then each night is a `run` of the next date:

- without a delivery file
- with a delivery file for the first time
- with the delivery file of the night before, and rows for the new deliveries
- with the same file again
- after the `deliveries` key is taken out again

The data, about 1 GB, stays in --folder; an output that is there already is used for --questions alone. Prints Markdown
tables: seconds, processor seconds and peak memory of each night, and of the commands that read push.db; the size of push.db,
also with the two indexes that earlier versions had; and the plan and the time of the usual questions.
"""
import argparse
import datetime
import os
import shutil
import sqlite3
import sys
import time

import bench

NIGHTS = 8
LIFE = 5
LASTING = 10
PLATFORMS = ["Android 14", "iPhone; iOS 17", "-"]
# Impression, click, open.
ACTIONS = [("7", 0), ("2", 40), ("1", 41)]
PIPELINE = "version: 1\noutput: warehouse\nsources:\n  - {name: adobe, format: collector, files: logs/%Y-%m-%d.log}\n"
DELIVERIES = "deliveries: {files: deliveries.csv}\n"
INDEXES = ["daily_actions", "daily_funnel"]
QUESTIONS = {
    "the best of a week":
        "SELECT delivery_id, sum(messages) m FROM daily_funnel WHERE day BETWEEN '{week}' AND '{last}' "
        "GROUP BY 1 ORDER BY m DESC LIMIT 20",
    "one delivery by day":
        "SELECT day, sum(opened) FROM daily_funnel WHERE delivery_id = '{one}' GROUP BY day",
    "one delivery's actions":
        "SELECT action, sum(events) FROM daily_actions WHERE delivery_id = '{one}' GROUP BY 1",
    "a lasting delivery by day":
        "SELECT day, sum(opened) FROM daily_funnel WHERE delivery_id = '{lasting}' GROUP BY day",
    "one delivery's results": "SELECT * FROM delivery_results WHERE delivery_id = '{one}'",
    "the best of all deliveries":
        "SELECT delivery_id, label, opened_of_sent FROM delivery_results WHERE sent > 0 ORDER BY opened_of_sent DESC LIMIT 20",
    "a trend by platform": "SELECT day, platform, sum(opened) FROM daily_totals GROUP BY day, platform",
}


class Years:
    def __init__(self, options, program, folder):
        self.folder, self.program = folder, program
        self.per_day, self.days = options.deliveries, options.days
        self.first = datetime.date(2026, 11, 20) - datetime.timedelta(days=options.days)
        self.output = os.path.join(folder, "warehouse")
        self.pipeline = os.path.join(folder, "push.yaml")

    def date(self, number):
        return self.first + datetime.timedelta(days=number)

    @property
    def new_a_day(self):
        return (self.per_day - LASTING) // LIFE

    def deliveries(self, number):
        """Those of a day: the lasting ones, then those that began on it and on the days before."""
        begun = (number + LIFE) * self.new_a_day
        return [*range(1, LASTING + 1), *range(1000 + begun - LIFE * self.new_a_day, 1000 + begun)]

    def write_logs(self):
        logs = os.path.join(self.folder, "logs")
        shutil.rmtree(logs, ignore_errors=True)
        os.makedirs(logs)
        message = 1 << 24
        for number in range(self.days + NIGHTS):
            date = self.date(number)
            lines = []
            for delivery in self.deliveries(number):
                for platform in PLATFORMS:
                    message += 1
                    for action, second in ACTIONS:
                        lines.append(
                            f'192.0.2.1 - - [{date:%d/%b/%Y}:10:{delivery % 60:02}:{second:02} +0000] '
                            f'"GET /r/?id=h{message:x},{delivery:x},{action} HTTP/1.1" 200 0 "-" "{platform}"\n')
            with open(os.path.join(logs, f"{date}.log"), "w") as file:
                file.writelines(lines)

    def write_pipeline(self, with_deliveries):
        with open(self.pipeline, "w") as file:
            file.write(PIPELINE + (DELIVERIES if with_deliveries else ""))

    def write_deliveries(self, number):
        """All deliveries up to that of a day, as an export has them."""
        newest = self.deliveries(number)[-1]
        with open(os.path.join(self.folder, "deliveries.csv"), "w") as file:
            file.write("delivery_id,label,campaign,variant,sent_at,sent,delivered\n")
            for delivery in [*range(1, LASTING + 1), *range(1000, newest + 1)]:
                begun = self.date(max(0, (delivery - 1000) // self.new_a_day - LIFE + 1))
                file.write(
                    f"{delivery:x},Wave {delivery} of the season,Campaign {delivery // 100},"
                    f"{'AB'[delivery % 2]},{begun}T08:{delivery % 60:02}:00+01:00,{1000 + delivery % 977},{990 + delivery % 877}\n")

    def run(self, *arguments):
        return bench.timed([self.program, *arguments, "--pipeline", self.pipeline, "--quiet"])

    def night(self, number):
        return self.run("run", "--date", str(self.date(number)))


def measure_nights(years):
    """Rows of the table of nights."""
    rows = []

    def add(what, timing):
        rows.append([what, f"{timing.seconds:.2f} s", f"{timing.cpu:.2f} s", f"{timing.peak:.0f} MiB"])
        print(" | ".join(rows[-1]), file=sys.stderr)

    years.write_logs()
    years.write_pipeline(False)
    shutil.rmtree(years.output, ignore_errors=True)
    last = years.days - 1
    add(f"the first {years.days:,} dates at once", years.run(
        "backfill", "--from", str(years.date(0)), "--to", str(years.date(last))))
    for _ in range(2):
        last += 1
        add("a night without a delivery file", years.night(last))
    last += 1
    years.write_pipeline(True)
    years.write_deliveries(last)
    time.sleep(0.1)
    add("the first night with one", years.night(last))
    for _ in range(2):
        last += 1
        years.write_deliveries(last)
        time.sleep(0.1)
        add("a night with a new one", years.night(last))
    last += 1
    add("a night with the same one", years.night(last))
    add("a command that changes nothing", years.run(
        "backfill", "--from", str(years.date(last)), "--to", str(years.date(last))))
    last += 1
    years.write_pipeline(False)
    add("the first night without one again", years.night(last))
    years.write_pipeline(True)
    add("the delivery file again, and nothing else", years.run(
        "backfill", "--from", str(years.date(last)), "--to", str(years.date(last))))
    return rows


def measure_reading(years):
    """Rows of a table of the commands that read push.db."""
    page, tables = os.path.join(years.folder, "report.html"), os.path.join(years.folder, "csv")
    rows = []
    for what, arguments in {
        "report of 28 days": ["report", "--out", page],
        "report of two years": ["report", "--from", str(years.date(0)), "--out", page],
        "export csv": ["export", "csv", "--out", tables],
        "doctor": ["doctor"],
    }.items():
        timing = years.run(*arguments)
        rows.append([what, f"{timing.seconds:.2f} s", f"{timing.cpu:.2f} s", f"{timing.peak:.0f} MiB"])
    os.unlink(page)
    shutil.rmtree(tables)
    return rows


def measure_sizes(years):
    """The rows of the large tables, and the size of push.db, compact, without and with the former indexes."""
    copy = os.path.join(years.folder, "copy.db")
    shutil.copy(os.path.join(years.output, "push.db"), copy)
    sizes = [os.path.getsize(copy)]
    with sqlite3.connect(copy) as connection:
        counts = [
            (table, connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
            for table in ["daily_actions", "daily_funnel", "deliveries", "delivery_platforms"]]
        for table in INDEXES:
            connection.execute(f"CREATE INDEX {table}_by_delivery_id ON {table} (delivery_id, day)")
    connection.close()
    sizes.append(os.path.getsize(copy))
    os.unlink(copy)
    return counts, sizes


def measure_questions(years):
    connection = sqlite3.connect(f"file:{years.output}/push.db?mode=ro", uri=True)
    last = connection.execute("SELECT value FROM about WHERE key = 'last_day'").fetchone()[0]
    week = datetime.date.fromisoformat(last) - datetime.timedelta(days=6)
    rows = []
    for name, question in QUESTIONS.items():
        question = question.format(week=week, last=last, one=f"{years.deliveries(years.days // 2)[-1]:x}", lasting="1")
        plan = "; ".join(row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + question))
        timings = []
        for _ in range(3):
            begin = time.perf_counter()
            connection.execute(question).fetchall()
            timings.append(time.perf_counter() - begin)
        rows.append([name, f"{1000 * sorted(timings)[1]:.1f} ms", f"`{plan}`"])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=731)
    parser.add_argument("--deliveries", type=int, default=500)
    parser.add_argument("--folder", help="where the data lies or is made")
    parser.add_argument("--program", help="the pushetl to measure, if not this clone's")
    parser.add_argument("--questions", action="store_true", help="only reading, size and questions, of the output in --folder")
    options = parser.parse_args()
    program = options.program or os.path.join(bench.build(), "pushetl")
    with bench.data_folder(options.folder) as folder:
        years = Years(options, os.path.abspath(program), os.path.abspath(folder))
        if not options.questions:
            nights = measure_nights(years)
            print(bench.table(["what", "seconds", "processor", "peak memory"], nights))
        print("\n" + bench.table(["what", "seconds", "processor", "peak memory"], measure_reading(years)))
        counts, sizes = measure_sizes(years)
        print("\n" + ", ".join(f"{table} {count:,} rows" for table, count in counts))
        print(f"push.db: {sizes[0] / 1e6:.0f} MB; with the indexes of earlier versions {sizes[1] / 1e6:.0f} MB")
        print("\n" + bench.table(["question", "time", "plan"], measure_questions(years)))
    print(f"\n{bench.machine()}, {bench.today()}: {bench.command_line()}")


if __name__ == "__main__":
    main()
