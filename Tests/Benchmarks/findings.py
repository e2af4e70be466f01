#!/usr/bin/env python3
"""How often the report says what is so, and what is not: generated months, and the sentences of "What stands out".

    python3 Tests/Benchmarks/findings.py .build/release/pushetl [--months 20] [--seed 1] [--only KIND] [--verbose]

The figures are written into copies of a push.db that the program has made. Months differ in their size (3,000 to 300,000
messages a day), their platforms and deliveries, the days that are loaded before and after them, the weekdays' pattern, and
the scatter of days (5 to 15 %) and of deliveries. The last days still grow, as real ones do. Prints for each kind of month how
many have the true sentence, and how many have a false one. Ends with 1 where more than one month of twenty has a false
sentence, or fewer than nine of ten have the true one.
"""
import argparse
import datetime
import html
import math
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

PIPELINE = "version: 1\noutput: out\nsources:\n  - {name: adobe, format: collector, files: logs/%Y-%m-%d.log}\n"
FIGURES = ["partitions", "days", "daily_totals", "daily_funnel", "daily_actions", "daily_paths", "hourly_actions",
           "outcomes", "loads", "files", "calendar", "deliveries", "delivery_results",
           "delivery_platforms"]
PLATFORMS = [["android"], ["android", "ios"], ["android", "ios", "web"], ["android", "ios", "web", "unknown"]]
WEEKDAYS = [[1] * 7, [1, 1.05, 1.1, 1, 0.95, 0.7, 0.6], [1, 1.4, 1, 1.5, 1.1, 0.4, 0.3]]
# Of the opens and clicks of a day, those that are in after 0, 1, … later log dates.
GROWTH = [0.85, 0.97]
# A release that loses two thirds of the clicks of a platform: from which day, over how many days, and beside a big campaign.
RELEASES = {f"a release from day {day}{', over 5 days' * (spread > 1)}{', big campaign' * big}": (day, spread, big)
            for day in (3, 15, 25) for spread in (1, 5) for big in (False, True)}
# Pages that end with the same day say the same of a release.
PAGES = 7, 28, 91
FAILED = "a clear winner, and a delivery that failed"
QUIET = {"quiet": 1, "realistic": 1, "quiet, one day": 0, "realistic, one day": 0, "quiet, three days": 0,
         "realistic, three days": 0}
VARIANTS = {"equal variants, scatter of 10 %": (0.1, 0), "equal variants, scatter of 20 %": (0.2, 0),
            "variants that differ, scatter of 10 %": (0.1, 0.6), FAILED: (0.1, 0.6)}
CHANGES = {"opened falls by 40 %": 0.6}


class Month:
    """The figures of a month, of days before it and of days after it."""

    def __init__(self, kind, seed):
        self.kind, self.random = kind, random.Random(f"{kind} {seed}")
        choose = self.random.choice
        self.first = datetime.date(2026, choose(range(1, 13)), 1)
        self.last = (self.first + datetime.timedelta(31)).replace(day=1) - datetime.timedelta(1)
        self.start = self.first - datetime.timedelta(choose([0] * (kind in RELEASES) + [28, 31, 62, 120]))
        self.end = self.last + datetime.timedelta(choose([0, 0, 2, 10]))
        self.platforms = choose(PLATFORMS)
        self.shares = [self.random.uniform(0.3, 1) for _ in self.platforms]
        self.size = 10 ** self.random.uniform(math.log10(3_000), math.log10(300_000))
        self.weekdays = choose(WEEKDAYS)
        self.is_realistic = "realistic" in kind or kind not in CHANGES and self.random.random() < 0.5
        self.day_scatter = self.random.uniform(0.05, 0.15)
        self.rate_scatter = self.random.uniform(0, 0.15)
        self.campaigns = self.random.randint(1, 12)
        self.rates = {p: (self.random.uniform(0.5, 0.95), self.random.uniform(0.05, 0.2)) for p in self.platforms}
        self.period = self.first, self.last
        if "day" in kind and kind in QUIET:
            days = 1 if "one" in kind else 3
            last = self.first + datetime.timedelta(self.random.randint(days, (self.end - self.first).days))
            self.period = last - datetime.timedelta(days - 1), last
        self.lost = choose(self.platforms)
        self.rows, self.names = [], {}
        days = (self.end - self.start).days + 1
        for index in range(days):
            self.add_day(self.start + datetime.timedelta(index), days - index - 1)
        if kind in VARIANTS:
            self.add_variants(*VARIANTS[kind])
        if kind in RELEASES and RELEASES[kind][2]:
            day = self.first + datetime.timedelta(self.random.randint(0, (self.last - self.first).days))
            size = self.size * self.random.uniform(2, 6)
            self.add("ffff", day, size, (self.end - day).days, self.random.uniform(0.5, 2))

    @property
    def release(self):
        """The first day of a release."""
        return self.first.replace(day=RELEASES[self.kind][0])

    def lost_share(self, day):
        """The share of clicks that a release loses on a day."""
        if self.kind not in RELEASES or day < self.release:
            return 0
        spread = RELEASES[self.kind][1]
        return 2 / 3 * min(1, ((day - self.release).days + 1) / spread)

    def scattered(self, scatter):
        return math.exp(self.random.gauss(0, scatter) - scatter * scatter / 2)

    def part(self, whole, rate):
        """How many of so many, if chance decides on each."""
        rate = min(max(rate, 0), 1)
        if whole < 50:
            return sum(self.random.random() < rate for _ in range(whole))
        return min(whole, max(0, round(self.random.gauss(whole * rate, math.sqrt(whole * rate * (1 - rate))))))

    def add_day(self, day, later):
        size = self.size * self.weekdays[day.weekday()] * self.scattered(self.day_scatter)
        sizes = [self.scattered(0.8) if self.is_realistic else 1 for _ in range(self.campaigns)]
        if self.is_realistic:
            # Not each campaign sends each day.
            sizes = [s for s in sizes if self.random.random() < 0.7] or sizes[:1]
        factor = size / (sum(sizes) if not self.is_realistic else self.campaigns)
        for number, part in enumerate(sizes):
            self.add(f"{day:%m%d}{number:02x}", day, part * factor, later)

    def add(self, delivery, day, size, later, change=1.0):
        grown = GROWTH[later] if later < len(GROWTH) else 1
        if self.kind in CHANGES and day >= self.first:
            change *= CHANGES[self.kind]
        rate = self.scattered(self.rate_scatter) * change
        for platform, share in zip(self.platforms, self.shares):
            impressed_rate, open_rate = self.rates[platform]
            messages = round(size * share / sum(self.shares))
            opened = self.part(messages, open_rate * rate * grown)
            dismissed = self.part(messages - opened, 0.05 * grown)
            lost = self.lost_share(day) if platform == self.lost else 0
            clicked_opens = self.part(opened, 0.98 * (1 - lost))
            self.rows.append({
                "day": day.isoformat(), "delivery_id": delivery, "platform": platform, "messages": messages,
                "impressed": self.part(messages, impressed_rate), "opened": opened,
                "clicked": clicked_opens + self.part(dismissed, 1 - lost), "opened_without_click": opened - clicked_opens,
                "opened_seen": opened, "opened_24h": opened})

    def add_variants(self, scatter, difference):
        """A campaign: each of its variants once on some days."""
        variants, deliveries = self.random.choice([2, 2, 3]), self.random.randint(4 if self.kind == FAILED else 2, 10)
        sent, rate = round(10 ** self.random.uniform(3, 4.5)), self.random.uniform(0.05, 0.15)
        days = self.random.sample(range((self.last - self.first).days - 3), deliveries)
        for variant in range(variants):
            for number, offset in enumerate(days):
                delivery, day = f"f{variant:x}{number:02x}", self.first + datetime.timedelta(offset)
                # The first of the winner.
                failed = self.kind == FAILED and variant == 0 and number == 0
                messages = self.part(sent, 0.01 if failed else 0.8)
                share = rate * (1 + (difference if variant == 0 else 0)) * self.scattered(scatter) / 0.8
                opened = self.part(messages, share)
                self.rows.append({
                    "day": day.isoformat(), "delivery_id": delivery, "platform": self.platforms[0],
                    "messages": messages, "impressed": messages, "clicked": opened, "opened": opened})
                self.names[delivery] = "Spring", "ABC"[variant], sent
                # Another campaign before, so that opened is as before.
                for earlier in range(28, (day - self.start).days + 1, 28):
                    former = day - datetime.timedelta(earlier)
                    if former < self.first:
                        self.rows.append({**self.rows[-1], "day": former.isoformat(), "delivery_id": f"{earlier}{delivery}"})

    def write(self, database):
        for table in FIGURES:
            database.execute(f"DELETE FROM {table}")
        days = [self.start + datetime.timedelta(n) for n in range((self.end - self.start).days + 1)]
        insert(database, "partitions", [
            {"log_date": day.isoformat(), "status": "complete", "pipeline": "p"} for day in days])
        insert(database, "daily_funnel", [with_day({"log_date": row["day"], **row}) for row in self.rows])
        totals = add_up(self.rows, ["day", "platform"])
        insert(database, "daily_totals", [with_day(row) for row in totals])
        insert(database, "days", [with_day({
            "day": row["day"], "log_date_status": "complete", "messages": row["messages"], "events": row["messages"],
            "later_log_dates": min(30, (self.end - datetime.date.fromisoformat(row["day"])).days),
            "final": int((self.end - datetime.date.fromisoformat(row["day"])).days > 30),
        }) for row in add_up(self.rows, ["day"])])
        results, days = [], {row["delivery_id"]: row["day"] for row in self.rows}
        for row in add_up(self.rows, ["delivery_id"]):
            row.update(first_day=days[row["delivery_id"]], last_day=days[row["delivery_id"]])
            if row["delivery_id"] in self.names:
                row["campaign"], row["variant"], row["sent"] = self.names[row["delivery_id"]]
                row["sent_from"] = "file"
            results.append(row)
        insert(database, "delivery_results", results)
        insert(database, "deliveries", [{"in_file": int(r["delivery_id"] in self.names), **r} for r in results])
        database.commit()


def with_day(row):
    day = datetime.date.fromisoformat(row["day"])
    epoch = (day - datetime.date(1970, 1, 1)).days * 86_400
    return {"day_start": f"{day} 00:00:00", "day_epoch": epoch, **row}


def add_up(rows, keys):
    sums = {}
    for row in rows:
        total = sums.setdefault(tuple(row[key] for key in keys), {key: row[key] for key in keys})
        for name, value in row.items():
            if isinstance(value, int):
                total[name] = total.get(name, 0) + value
    return list(sums.values())


def insert(database, table, rows):
    """What is not given is 0 or NULL."""
    columns = [(name, required, default) for _, name, _, required, default, _ in
               database.execute(f"PRAGMA table_info({table})")]
    values = [[row.get(name, 0 if required else None) for name, required, _ in columns] for row in rows]
    database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", values)


def is_true(sentence, month):
    # A big campaign has opens of its own.
    if month.kind in RELEASES and RELEASES[month.kind][2] and sentence.startswith("Opened "):
        return None
    if month.kind in RELEASES:
        return "click" in sentence and f" {month.lost} " in sentence
    if month.kind in CHANGES:
        return sentence.startswith("Opened fell")
    if month.kind == FAILED and sentence.startswith("A delivery failed: f000"):
        return None
    return month.kind in VARIANTS and VARIANTS[month.kind][1] > 0 and sentence.startswith("Variants of Spring") \
        and " differ: A " in sentence


def since(found, month):
    """The day that the pages of a release name, None without one, or False where they differ or name nothing."""
    days = set()
    for sentences_of_page in found:
        sentence = next((s for s in sentences_of_page if is_true(s, month)), None)
        match = sentence and re.search(r" since (\d+ \w+)", sentence)
        days.add(sentence and (match[1] if match else None))
        if sentence is None:
            return False
    return days.pop() if len(days) == 1 else False


def is_near(day, month):
    """Whether a day such as `3 Nov` is within 2 of the first day of the release."""
    found = datetime.datetime.strptime(f"{day} {month.first.year}", "%d %b %Y").date()
    return abs((found - month.release).days) <= 2


def sentences(program, folder, month, first=None):
    subprocess.run(
        [program, "report", "-q", "--output", "out", "--from", (first or month.period[0]).isoformat(), "--to",
         month.period[1].isoformat(), "--out", "page.html"], cwd=folder, check=True)
    section = re.search(r'<section id="findings".*?</section>', (folder / "page.html").read_text(), re.S).group()
    items = re.findall(r"<li>(.*?)</li>", section, re.S)
    return [html.unescape(re.sub(r"<[^>]*>", "", item)).replace("\xa0", " ") for item in items]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--months", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    program = str(options.program.resolve())
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "push.yaml").write_text(PIPELINE)
        (folder / "logs").mkdir()
        (folder / "logs/2026-11-19.log").write_text(
            '192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] "GET /r/?id=h1,d,7 HTTP/1.1" 200 0 "-" "Android"\n')
        subprocess.run([program, "run", "-q", "-p", "push.yaml", "--date", "2026-11-19"], cwd=folder, check=True)
        shutil.copy(folder / "out/push.db", folder / "empty.db")
        print(f"{'kind':48} {'months':>6} {'true':>5} {'false':>6} {'with a day':>10} {'near':>5}")
        releases = named = dated = near = 0
        for kind in [*QUIET, *RELEASES, *VARIANTS, *CHANGES]:
            if options.only not in kind:
                continue
            true = false = with_day = near_day = 0
            for index in range(options.months):
                month = Month(kind, options.seed * 1000 + index)
                shutil.copy(folder / "empty.db", folder / "out/push.db")
                database = sqlite3.connect(folder / "out/push.db")
                month.write(database)
                database.close()
                found = sentences(program, folder, month)
                false += any(is_true(s, month) is False for s in found)
                if kind in RELEASES:
                    pages = [found] + [sentences(program, folder, month, month.last - datetime.timedelta(days - 1))
                                       for days in PAGES]
                    day = since(pages, month)
                    true += day is not False
                    with_day += bool(day)
                    near_day += bool(day) and is_near(day, month)
                else:
                    true += any(is_true(s, month) for s in found)
                if options.verbose:
                    print(f"  {index} {month.period[0]}–{month.period[1]} of {month.start}–{month.end}, "
                          f"{month.size:.0f} a day", *found, sep="\n    ")
            print(f"{kind:48} {options.months:6} {true:5} {false:6}"
                  + (f" {with_day:10} {near_day:5}" if kind in RELEASES else ""), flush=True)
            if kind in RELEASES:
                releases, named, dated, near = (
                    releases + options.months, named + true, dated + with_day, near + near_day)
            expects = kind in CHANGES or kind.startswith("variants") or kind == FAILED
            failed |= expects and true * 10 < options.months * 9
            failed |= false * 20 > options.months
        print(f"releases: named on all pages alike in {named} of {releases}; of {dated} with a day, {near} within 2 days")
        failed |= named * 10 < releases * 9 or near * 10 < dated * 9
    sys.exit(failed)


if __name__ == "__main__":
    main()
