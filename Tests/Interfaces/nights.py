#!/usr/bin/env python3
"""A month of an operator: 31 nights of 'run --quiet --catch-up 7' on three sources, of which two have two hosts, with accidents on
nights of their own. Counts the nights with a mail and their lines, and the mornings on which 'status --check' is not 0 although
nothing is left to do. What a message names as a command is what the operator does.

    python3 Tests/Interfaces/nights.py .build/release/pushetl
"""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FIRST = datetime.date(2026, 10, 1)
NIGHTS = 31
MOST_MAILS, MOST_LINES = 13, 20

PIPELINE = """version: 1
output: out
dedup: {window_days: 3}
deliveries: {files: 'deliveries/*.csv'}
checks:
  - name: no_opens
    sql: SELECT day, messages FROM daily_totals WHERE messages > 500 AND opened = 0 AND day > (SELECT date(value, '-7 days') FROM about WHERE key = 'last_day')
  - name: unnamed
    sql: SELECT delivery_id FROM deliveries WHERE label IS NULL
sources:
  - name: adobe
    format: collector
    files: logs/web/%Y-%m-%d/*.log
  - name: momo
    format: mzip
    files: logs/momo/%Y-%m-%d.log
  - name: braze
    format: users_track
    actions: {push_impression: impression, push_click: click, push_open: open}
    files: logs/braze/%Y-%m-%d/*.json
"""
NEW_LAYOUT = "'$time_iso8601 $remote_addr $status \"$request\" \"$http_user_agent\"'"


class Month:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), Path(folder)
        # It is built with the tests.
        places = [Path(program).resolve().parent, Path(program).resolve().parents[1] / "debug"]
        self.clock = next((place / "libClock.so" for place in places if (place / "libClock.so").exists()), None)
        assert self.clock, "there is no libClock.so: build the tests first"
        self.pipeline(PIPELINE)
        self.write("deliveries/list.csv", "delivery_id,label,sent\n" + "".join(
            f"d{number},wave {number},500000\n" for number in range(4)))
        self.mails, self.needless, self.unnamed = {}, [], []

    def pipeline(self, text):
        self.text = text
        self.write("push.yaml", text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    # Logs

    def ship(self, day, lacking=(), silent=None, changed=False):
        """Writes the logs of a day. `lacking`: names of what does not come."""
        for host in ("web1", "web2"):
            if host not in lacking:
                hours = [hour for hour in range(24) if not (host == silent and 14 <= hour < 18)]
                self.write(f"logs/web/{day}/{host}.log", "".join(self.hits(day, host, hours, changed)))
        if "momo" not in lacking:
            self.write(f"logs/momo/{day}.log", "".join(self.arrivals(day)))
        for host in ("api1", "api2"):
            if host not in lacking:
                self.write(f"logs/braze/{day}/{host}.json", "".join(self.events(day, host)))

    def hits(self, day, host, hours, changed):
        for hour in hours:
            for number in range(40):
                key = f"{day.toordinal() * 4096 + hour * 64 + number + (2048 if host == 'web2' else 0):x}"
                request = f"GET /r/?id=h{key},d{number % 4},{(7, 7, 2, 1)[number % 4]} HTTP/1.1"
                agent = ("Dalvik/2.1.0 (Linux; U; Android 14)", "App/1 CFNetwork/1 Darwin/23")[number // 4 % 2]
                if changed and hour >= 12:
                    yield f'{day}T{hour:02}:{number:02}:00+00:00 192.0.2.1 200 "{request}" "{agent}"\n'
                else:
                    stamp = f"{day:%d/%b/%Y}:{hour:02}:{number:02}:00 +0000"
                    yield f'192.0.2.1 - - [{stamp}] "{request}" 200 0 "-" "{agent}"\n'

    def arrivals(self, day):
        for hour in range(24):
            for number in range(25):
                value = {"log_content": {"type": 1, "time": f"{day}T{hour:02}:{number:02}:00Z", "data": {
                    "_mId": f"{day.toordinal() * 4096 + hour * 64 + number:x}", "_dId": f"d{number % 4}",
                    "_acsDeliveryTracking": "on"}}}
                body = "".join(f"%{byte:02X}" for byte in json.dumps(value).encode())
                yield f"mzip={body}\n"

    def events(self, day, host):
        for hour in range(24):
            for number in range(25):
                name = ("push_impression", "push_click", "push_open")[number % 3]
                yield json.dumps({"events": [{"name": name, "time": f"{day}T{hour:02}:{number:02}:00Z", "properties": {
                    "broadlogId": f"b{host}-{day}-{hour}-{number}", "deliveryId": f"d{number % 4}", "platform": "ios"}}]}) + "\n"

    # Commands

    def run(self, arguments, day, limit=None):
        """Runs the program at 02:30 of the day after."""
        environment = dict(
            os.environ, TZ="UTC", PUSHETL_PIPELINE="push.yaml", LD_PRELOAD=str(self.clock),
            CLOCK=f"{day + datetime.timedelta(1)} 02:30:00")
        command = [self.program, *arguments]
        if limit:
            command = ["sh", "-c", f'ulimit -f {limit}; trap "" XFSZ; exec "$@"', "sh", *command]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    def night(self, day, limit=None):
        outcome = self.run(["run", "--quiet", "--no-progress", "--catch-up", "7"], day, limit)
        if outcome.stderr or outcome.returncode:
            self.mails[day] = outcome.stderr
        return outcome

    def morning(self, day, accepts=False, waits=()):
        """Does what the messages say until nothing is left to do. `waits`: texts of what the operator is still waiting for."""
        for _ in range(4):
            outcome = self.run(["status", "--check", "--quiet", "--from", str(FIRST)], day)
            if outcome.returncode == 0:
                return
            lines = [line for line in outcome.stderr.splitlines() if not any(text in line for text in waits)]
            if not lines:
                return
            commands = [text for line in lines for text in re.findall(r"'pushetl ([^']+)'", line)]
            commands = [text for text in commands if accepts or "--force" not in text]
            if not commands:
                break
            for text in commands:
                done = self.run([*text.split(), "--quiet"], day)
                if done.returncode not in (0, 65):
                    self.unnamed.append((day, text, done.returncode, done.stderr))
        self.needless.append((day, outcome.stderr))

    def report(self, day):
        outcome = self.run(["report", "--text"], day)
        if outcome.returncode:
            self.unnamed.append((day, "report --text", outcome.returncode, outcome.stderr))


def accidents(month):
    """For each number of a night, what happens before it and what the operator does in the morning."""
    day = lambda number: FIRST + datetime.timedelta(number)

    def nothing(number, **shipping):
        month.ship(day(number), **shipping)
        month.night(day(number))

    for number in range(NIGHTS):
        today, waits, accepts = day(number), (), False
        if number == 9:  # one host's file comes two days later
            nothing(number, lacking=("web2",))
            waits = ("web2",)
        elif number == 10:
            nothing(number)
            waits = ("web2",)
        elif number == 11:
            month.ship(day(9))
            nothing(number)
        elif number == 12:  # a source comes late, and a file was cut in copying
            month.ship(today, lacking=("momo",))
            path = month.folder / f"logs/web/{today}/web1.log"
            whole = path.read_bytes()
            subprocess.run(["gzip", "-nf", path], check=True)
            packed = path.with_suffix(".log.gz")
            packed.rename(path)
            path.write_bytes(path.read_bytes()[:-2000])
            month.night(today)
            path.write_bytes(whole)
            month.ship(today)
        elif number == 13:  # a typo, mended the next day
            month.ship(today)
            month.pipeline(PIPELINE.replace("window_days", "windw_days"))
            month.night(today)
            month.pipeline(PIPELINE)
        elif number == 14:  # a wrong dialect, put back the next day
            month.pipeline(PIPELINE.replace("format: collector\n", "format: collector\n    dialect: campaign_classic\n"))
            nothing(number)
            month.pipeline(PIPELINE)
        elif number == 15:  # the disk is full
            month.ship(today)
            month.night(today, limit=8)
        elif number == 16:  # a holiday without one source
            nothing(number, lacking=("momo",))
            accepts = True
        elif number == 17:  # the logs' folder is moved; the pipeline follows the day after
            month.ship(today)
            (month.folder / "logs").rename(month.folder / "moved")
            month.night(today)
            moved = PIPELINE.replace("logs/", "moved/")
            month.pipeline(moved)
            (month.folder / "logs").symlink_to("moved")
        elif number == 18:  # everything is shipped twice
            month.ship(today)
            for path in sorted((month.folder / f"logs/web/{today}").iterdir()):
                shutil.copy(path, path.with_name(f"again-{path.name}"))
            month.night(today)
        elif number == 19:  # all files are touched anew
            for path in (month.folder / "moved").rglob("*.*"):
                os.utime(path)
            nothing(number)
        elif number == 20:  # the clock is set back, and the night comes twice
            nothing(number)
            month.night(today)
        elif number in (21, 22):  # the machine is off for two nights
            month.ship(today)
            continue
        elif number == 24:  # a source is renamed, and renamed back
            month.pipeline(month.text.replace("name: momo", "name: arrivals"))
            nothing(number)
        elif number == 25:
            month.pipeline(month.text.replace("name: arrivals", "name: momo"))
            nothing(number)
        elif number == 26:  # no files at all; they come the next day
            month.night(today)
            month.ship(today)
        elif number == 27:  # a source is silent from 14 to 18 o'clock
            month.ship(today)
            for name in ("api1", "api2"):
                path = month.folder / f"logs/braze/{today}/{name}.json"
                lines = [line for line in path.read_text().splitlines(True) if not re.search(r"T1[4-7]:", line)]
                path.write_text("".join(lines))
            month.night(today)
            accepts = True
        elif number == 28:  # a log format changes at noon
            nothing(number, changed=True)
            month.pipeline(month.text.replace(
                "format: collector\n", f"format: collector\n    layout:\n      - combined\n      - {NEW_LAYOUT}\n"))
        elif number >= 29:
            nothing(number, changed=True)
        else:
            nothing(number)
        month.morning(today, accepts, waits)
        month.report(today)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="pushetl-nights-") as folder:
        month = Month(program, folder)
        for number in range(-8, 0):
            month.ship(FIRST + datetime.timedelta(number))
        last = FIRST - datetime.timedelta(1)
        month.run(["backfill", "--last", "8", "--quiet"], last)
        accidents(month)
        faults = 0
        for day, text in sorted(month.mails.items()):
            lines = text.splitlines()
            print(f"-- mail of {day} ({(day - FIRST).days}): {len(lines)} lines")
            print("\n".join("   " + line[:240] for line in lines[:MOST_LINES + 5]))
            faults += len(lines) > MOST_LINES
        for day, text in month.needless:
            print(f"-- {day} ({(day - FIRST).days}): status --check is not 0:\n   {text}")
        for failure in month.unnamed:
            print("-- a command that does not work:", *failure)
        status = month.run(["status"], FIRST + datetime.timedelta(NIGHTS - 1))
        print(status.stdout)
        print(f"{len(month.mails)} mails of {NIGHTS} nights, {len(month.needless)} mornings with nothing left to do, "
              f"{len(month.unnamed)} commands that do not work")
        faults += len(month.mails) > MOST_MAILS or bool(month.needless) or bool(month.unnamed)
        sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
