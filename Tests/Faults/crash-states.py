#!/usr/bin/env python3
"""Takes the power away from pushetl, at every sync and in every way that a file system allows.

    python3 Tests/Faults/crash-states.py .build/release/pushetl [--full] [--planted] [--only WORDS]

Each scenario runs a few commands and records what the last of them does to its files, call by call. From that follow
the states that a disk may be in if the power fails then: what was synced is there, and of the rest anything may be lost
or kept, names, bytes, sizes and times. Each state is built, and its files are shown with the inodes and times that they
had, so that code that trusts stamps believes them.

In each state a reader sees the figures from before the command or from after it; after it for certain once the command
has ended with its exit code. `status` and `doctor` work. Then the same command, or another one and then the same, ends
as documented, accuses nobody of having changed push.db, comes to the right figures and history, and leaves no temporary
file; and `doctor` finds nothing.

With `--twice 6` also the commands lose power that recover, from six states of each scenario. `--seed` says from which.

With --planted each sync is left out in turn: at least one state must then fail. One whose lack nobody notices is named.
"""
import collections
import concurrent.futures
import contextlib
import copy
import glob
import itertools
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time

import crash_disk
from faults import Fault, Outcome, Report, WORKERS, arguments, leftovers, reading, seen, tree, untold
from spark_job import run_job

D1, D2, D3, LATER = "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"
HISTORY = ("runs", "loads", "changes")
# What SQLite syncs: push.db, its journal, and the folder after it.
SQLITES = re.compile(r"^out/push\.db$|-journal$")
# Files that may be there when a command has ended: partitions, held loads, and copies of a former push.db.
LASTING = re.compile(r"/\.held/|/push\.db\.before-|/partitions/[^./][^/]*\.sqlite$")
# States of a scenario that are tried in the short form, and for a sync that is left out.
STATES = 40
PLANTED_STATES = 60
# States that are tried of a command that recovers.
TWICE_STATES = 8


def hits(date, *ids, deliveries=("d57fd6",)):
    return "".join(
        f'192.0.2.1 - - [{date[8:]}/Nov/2026:1{number % 10}:00:00 +0000] "GET /r/?id=h{id},{deliveries[number % len(deliveries)]},'
        f'{action} HTTP/1.1" 200 0 "-" "Android"\n'
        for number, id in enumerate(ids) for action in (7, 1))


# With the dates of the scenarios, what `window_days: 1` and `retention: {ids: 10}` close, settle and erase something of.
OLD = [f"2026-11-{number:02}" for number in range(7, 17)]
PIPELINE = """version: 1
output: out
deliveries: {files: deliveries.csv}
sources:
  - {name: adobe, format: collector, files: logs/%Y-%m-%d/*}
"""


class Site:
    """Logs, their pipeline, and the folder `root`, whose files are recorded."""

    def __init__(self, options, folder, shim):
        self.program, self.shim, self.folder = os.path.abspath(options.pushetl), shim, folder
        # Where copies and states are made, and the recorded folder in it.
        self.scratch, self.root = folder, self.path("root")
        os.makedirs(self.root)
        self.write("push.yaml", PIPELINE)
        self.write("deliveries.csv", "delivery_id,label,sent\nd57fd6,Black Friday,100\n")
        # Messages of a date come again on the next one.
        for number, date in enumerate([D1, D2, D3, LATER]):
            self.write(f"logs/{date}/a.log", hits(date, *[f"{100 + number + other:x}" for other in range(4)]))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def run(self, command, root=None, environment=()):
        """Runs a command on the output in `root`; ROOT in it stands for that folder."""
        root = root or self.root
        environment = {**os.environ, **dict(environment)}
        words = command.replace("ROOT", root).split()
        words += ["--pipeline", self.path("push.yaml"), "--output", os.path.join(root, "out")]
        if words[0] == "spark-plan":
            outcome = run_job(self.program, words, environment)
        else:
            done = subprocess.run([self.program, *words], capture_output=True, timeout=120, env=environment)
            outcome = Outcome(done.returncode, done.stdout.decode(), done.stderr.decode(), 0)
        outcome.stdout, outcome.stderr = outcome.stdout.replace(root, "ROOT"), outcome.stderr.replace(root, "ROOT")
        return outcome


UNREADABLE = "nothing that can be read"


def figures(root):
    """What a reader sees, without the tables that tell of commands and versions."""
    try:
        rows, _ = seen(os.path.join(root, "out"))
    except (Fault, sqlite3.DatabaseError) as fault:
        return [(UNREADABLE, [str(fault)])]
    return [(name, found) for name, found in rows if name not in (*HISTORY, "publication")]


def history(root):
    """The rows of `runs`, `loads` and `changes` without their times, counted."""
    with reading(f"{root}/out/push.db") as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = collections.Counter()
        for name in [name for name in HISTORY if name in tables]:
            cursor = connection.execute(f"SELECT * FROM {name}")
            columns = [column[0] for column in cursor.description]
            for row in cursor:
                found[(name, *(value for value, column in zip(row, columns)
                               if not column.endswith("_at") and column not in ("seconds", "number")))] += 1
    return found


def changes(root):
    """Those of `changes`; none if push.db is not there, or cannot be read."""
    try:
        return collections.Counter({row: count for row, count in history(root).items() if row[0] == "changes"})
    except sqlite3.Error:
        return collections.Counter()


def others(root):
    """Files beside the output, such as an export: by path their bytes. Metrics tell times."""
    return {path: re.sub(rb" \S+$", b"", content, flags=re.M) if path.endswith(".prom") else content
            for path, content in tree(root).items() if content is not None and not path.startswith("out/")}


Files = collections.namedtuple("Files", "others history")


def files(root):
    return Files(others(root), history(root))


# What an output says: now; after another command; after the same one; after both.
Side = collections.namedtuple(
    "Side", "figures others status later_figures history again again_figures last_figures last_files swapped_files doctor")


class Scenario:
    """Commands of which the last is recorded, and what its states are judged by."""

    def __init__(self, site, name, commands, exit=0, readers=(), prepare=None, change=None):
        """`exit` is of the last command; `readers` are the numbers of those while which a reader holds push.db. What
        `prepare` does to the site comes before any command, and what `change` does before the last one."""
        self.site, self.name, self.commands, self.exits, self.readers = site, name, commands, {exit}, readers
        self.prepare, self.change, self.command = prepare, change, commands[-1]
        # The content of a push.db that cannot be read; None if it can.
        self.unreadable = None
        self.later = f"spark-plan --date {LATER}" if "spark" in self.command else f"run --date {LATER}"

    def run(self, number):
        """Runs one of the commands, recorded."""
        connection = None
        if number in self.readers:
            connection = sqlite3.connect(os.path.join(self.site.root, "out/push.db"), isolation_level=None)
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM days").fetchone()
        try:
            return self.site.run(self.commands[number], environment=self.recording.environment(self.site.shim))
        finally:
            if connection:
                connection.close()

    def record(self):
        if self.prepare:
            self.prepare(self.site)
        self.recording = crash_disk.Recording(self.site.root)
        for number in range(len(self.commands) - 1):
            outcome = self.run(number)
            if outcome.exit not in (0, 65, 75):
                raise Fault(f"{self.name}: {self.commands[number]}: {outcome}")
        self.recording.take()
        before = tree(self.site.root)
        if self.change:
            self.change(self.site)
        if tree(self.site.root) != before:
            # Something else has changed the files, and they are synced.
            self.recording = crash_disk.Recording(self.site.root)
            self.recording.take()
        if [name for name, _ in figures(self.site.root)] == [UNREADABLE]:
            self.unreadable = pathlib.Path(self.site.root, "out/push.db").read_bytes()
        self.record_last()

    def record_last(self):
        self.first = len(self.recording.events)
        self.before = self.side()
        outcome = self.run(len(self.commands) - 1)
        if outcome.exit not in self.exits:
            raise Fault(f"{self.name}: exit {self.exits} was expected, but: {outcome}")
        self.recording.take()
        # Rows of the history are told apart by the second.
        time.sleep(1.1)
        self.after = self.side()
        self.check_recording()

    def side(self):
        """What an undisturbed output says now, after another command, and after the same one and the other."""
        (now, run), (later, run_later), (again, run_again) = (self.copied(f"side-{number}") for number in range(3))
        found, beside = figures(now), others(now)
        status = run("status") if os.path.exists(os.path.join(now, "out")) else None
        run_later(self.later)
        # What the other command changes depends on what comes before it.
        later_figures, later_history = figures(later), history(later) - changes(later) + changes(now)
        run_later(self.command)
        outcome = run_again(self.command)
        again_figures = figures(again)
        run_again(self.later)
        side = Side(
            found, beside, status, later_figures, later_history, outcome, again_figures, figures(again), files(again),
            files(later), run_again("doctor"))
        for root in (now, later, again):
            shutil.rmtree(os.path.dirname(root))
        return side

    def copied(self, name):
        """A copy of the output, whose files are taken for those that were left. Returns its root, and what runs a command there."""
        root = os.path.join(self.site.scratch, name, "root")
        shutil.copytree(self.site.root, root, symlinks=True)
        lines = []
        for path in pathlib.Path(root).rglob("*"):
            if path.is_file():
                real = os.stat(os.path.join(self.site.root, path.relative_to(root)))
                inode, times = self.recording.stamp(real.st_ino, real.st_mtime_ns, real.st_ctime_ns)
                lines.append(crash_disk.stamp_line(path, inode, *times))
        return root, self.running(root, lines)

    def running(self, root, lines):
        """What runs a command in `root`, by its words. `lines` are for CRASH_STAMPS."""
        stamps = os.path.join(os.path.dirname(root), "stamps")
        with open(stamps, "w") as file:
            file.write("\n".join(lines + self.inputs()) + "\n")
        environment = {"LD_PRELOAD": self.site.shim, "CRASH_STAMPS": stamps}
        return lambda command: self.site.run(command, root, environment)

    def check_recording(self):
        """The recording ends in what is there."""
        disk = crash_disk.Disk(self.recording.base, False)
        for number, event in enumerate(self.recording.events):
            disk.apply(number, event)
        state = disk.state("", crash_disk.ALL, {}, True)
        there = tree(self.site.root)
        recorded = {path: item[0] if isinstance(item, tuple) else item for path, item in state.tree.items()}
        differing = [path for path in {**there, **recorded} if there.get(path, 0) != recorded.get(path, 0)]
        if differing:
            raise Fault(f"{self.name}: the recording does not lead to what is there: {differing}")
        if self.exits == {0}:
            self.check_stamps(state)

    def check_stamps(self, state):
        """A command with nothing to do leaves the rebuilt output alone: it takes the files for those that were left."""
        root, run = self.build(state, "whole")
        def there():
            """Partitions that were written anew when they were settled are read once more, which is noted; what a load has
            told may have come back, and goes. The lock's file may be gone."""
            return {path: content for path, content in tree(root).items()
                    if not path.endswith(("/.kept/partitions", ".load", "/.lock"))}

        before = there()
        outcome = run(f"{self.later.split()[0]} --date 2026-01-01")
        if outcome.exit != 66 or there() != before:
            raise Fault(f"{self.name}: the rebuilt files are not taken for those that were left: {outcome}")
        shutil.rmtree(os.path.dirname(root))

    def syncs(self):
        return [number for number, event in enumerate(self.recording.events)
                if number >= self.first and event.kind == crash_disk.SYNC]

    def is_repeated(self, sync):
        """Whether a folder is synced again before the command ends, which says nothing before."""
        event = self.recording.events[sync]
        return os.path.isdir(os.path.join(self.site.root, event.path)) and any(
            self.recording.events[number].path == event.path for number in self.syncs() if number > sync)

    def sync_names(self):
        """What each sync is about: a file, and which of its syncs; a folder, and what happened in it before. How often
        SQLite syncs a file is its own business, so that is one name."""
        names, counts = [], collections.Counter()
        for number in self.syncs():
            event = self.recording.events[number]
            name = plain(event.path)
            if os.path.isdir(os.path.join(self.site.root, event.path)):
                former = [event for event in self.recording.events[:number] if event.kind in crash_disk.NAMING
                          and os.path.dirname(event.other or event.path) == event_folder(self.recording.events[number])]
                name += f"/ after {plain(former[-1].other or former[-1].path)}" if former else "/"
            counts[name] += 1
            names.append(name if SQLITES.search(name) else f"{name} ({counts[name]})")
        return names

    def build(self, state, name):
        """Builds a state. Returns its root, and what runs a command there, by its words."""
        root = os.path.join(self.site.scratch, f"state-{name}", "root")
        os.makedirs(root)
        return root, self.running(root, state.build(root))

    def judge(self, state, index):
        """Builds a state, looks at it, goes on from it. Returns a word for it."""
        root, run = self.build(state, index)
        trial = Trial(self, state, root, index % 2 == 1, run)
        faults, kinds = [], []
        heals = state.is_said and index % 4 == 2 and "out/push.db" in state.tree
        for step in [trial.look, trial.heal if heals else trial.go_on]:
            try:
                step()
            except Fault as fault:
                faults.append(f"{trial.steps()}: {fault}")
                kinds.append(f"{state.is_said} {len(trial.done)} {plain(str(fault))}".split(": [")[0][:100])
        shutil.rmtree(os.path.dirname(root))
        if faults:
            whole = Fault(f"state {index}, {state.text}: {'; and then: '.join(faults)}")
            whole.kinds = set(kinds)
            raise whole
        return "former" if trial.is_before else "new"

    def inputs(self):
        """Logs and the like are shown as they are."""
        logs = glob.glob(self.site.path("logs/*/*"))
        return [crash_disk.stamp_line(path) for path in [*logs, self.site.path("deliveries.csv")]]


def plain(path):
    """A path without dates and random numbers."""
    path = re.sub(r"[0-9a-f]+-[0-9a-f]+\.tmp|\b\d+\.tmp", "N.tmp", path)
    return re.sub(r"\b[0-9a-f]{6,}\b", "N", re.sub(r"\d{4}-\d\d(-\d\d)?", "D", path))


def event_folder(event):
    return "" if event.path == "." else event.path


class Trial:
    """One state, and what is done in it."""

    def __init__(self, scenario, state, root, takes_other, run):
        self.scenario, self.state, self.root, self.call = scenario, state, root, run
        self.before, self.after, self.done = scenario.before, scenario.after, []
        self.takes_other = takes_other
        self.is_before = figures(root) == self.before.figures

    def run(self, command):
        self.done.append(command)
        outcome = self.call(command)
        self.done[-1] += f" ({outcome.exit})"
        return outcome

    def steps(self):
        return ", then ".join(self.done) or "at once"

    def sides(self):
        return [self.after] if self.state.is_said else [self.before, self.after]

    def look(self):
        """What a reader, `status` and `doctor` say."""
        # What could not be read is in push.db, or in a copy of it.
        if self.scenario.unreadable is not None:
            files = glob.glob(os.path.join(self.root, "out/push.db*"))
            if not any(pathlib.Path(path).read_bytes() == self.scenario.unreadable for path in files):
                raise Fault("what was in the unreadable push.db is lost")
        found = figures(self.root)
        if found not in [side.figures for side in self.sides()]:
            raise Fault("a reader sees the former state" if found == self.before.figures else
                        f"a reader sees neither the former nor the new state: {summary(found)}")
        beside = others(self.root)
        wrong = [path for path, content in beside.items() if not os.path.basename(path).startswith(".")
                 and content not in [side.others.get(path) for side in self.sides()]]
        missing = sorted(self.after.others.keys() - beside.keys()) if self.state.is_said else []
        if wrong or missing:
            raise Fault(f"files beside the output are not as after the command: {sorted(wrong)[:2]}, missing: {missing[:2]}")
        if self.state.is_said or os.path.exists(os.path.join(self.root, "out")):
            status = self.run("status")
            if status.exit not in [0] + [side.status.exit for side in self.sides() if side.status]:
                raise Fault(str(status))
            if self.state.is_said and comparable(status.stdout) != comparable(self.after.status.stdout):
                raise Fault(f"another status:\n{status.stdout}instead of\n{self.after.status.stdout}")
        doctor = self.run("doctor")
        if doctor.exit not in (0, 65, 66):
            raise Fault(str(doctor))

    def heal(self):
        """Something overwrites push.db: it is known as ours, and made anew."""
        self.done.append("overwrite push.db")
        with open(os.path.join(self.root, "out/push.db"), "r+b") as file:
            file.write(b"no database at all" * 1000)
        outcome = self.run(self.scenario.later)
        # Before anything is closed, push.db has to tell again what was loaded. What others have stored there may be gone.
        exit = 65 if "push.db cannot tell which log dates were loaded" in outcome.stderr else 0
        if outcome.exit != exit or [table for table in self.after.later_figures if table[0] != "notes"] != figures(self.root):
            raise Fault(f"{outcome}; {summary(figures(self.root))}")

    def go_on(self):
        """The same command again, or another and then the same; then all is well."""
        if self.takes_other:
            outcome = self.run(self.scenario.later)
            self.check(outcome, [0], [])
            if figures(self.root) not in [side.later_figures for side in self.sides()]:
                raise Fault(f"other figures: {summary(figures(self.root))}")
            # A load that a killed command has left is told by the next one, whichever that is.
            if self.scenario.unreadable is None and (dates := untold(os.path.join(self.root, "out/push.db"))):
                raise Fault(f"no row of loads tells of the load that stands: {dates}")
        sides = self.sides()
        outcome = self.run(self.scenario.command)
        self.check(outcome, {side.again.exit for side in sides}, [side.again for side in sides])
        if not self.takes_other:
            if figures(self.root) not in [side.again_figures for side in sides]:
                raise Fault(f"other figures: {summary(figures(self.root))}; {outcome}")
            self.check(self.run(self.scenario.later), [0], [])
        if figures(self.root) not in [side.last_figures for side in sides]:
            raise Fault(f"other figures at the end: {summary(figures(self.root))}")
        expected = [side.swapped_files if self.takes_other else side.last_files for side in sides]
        # What was said stays, and what these two commands add comes to it.
        said = expected[0].history if self.state.is_said else self.before.history
        if missing := said - history(self.root):
            raise Fault(f"the history lacks {list(missing)}")
        if others(self.root) not in [files.others for files in expected]:
            raise Fault(f"other files beside the output: {sorted(others(self.root))}")
        left = [path for path in leftovers(os.path.join(self.root, "out")) if not LASTING.search(path)]
        if left:
            raise Fault(f"temporary files are left: {left}")
        doctor = self.run("doctor")
        if doctor.exit != self.after.doctor.exit:
            raise Fault(f"{doctor}\n{doctor.stdout}")

    def check(self, outcome, exits, references):
        if outcome.exit not in exits:
            raise Fault(str(outcome))
        allowed = {line for reference in references for line in lines(reference.stderr)}
        if self.is_before:
            allowed |= set(lines(self.before.again.stderr))
        accused = [line for line in lines(outcome.stderr) if line not in allowed]
        if accused:
            raise Fault(f"stderr: {' | '.join(accused)}")


def lines(text):
    """The messages, without a process's number and times."""
    return [re.sub(r"\d{4}-?\d\d-?\d\dT[\d:]+Z|process \d+", "", line) for line in text.splitlines()]


def comparable(status):
    """What `status` says, but for the bytes of files with ids: caches are among them, and may be lost. Nor does it count where lines
    are broken, which the folder's name decides."""
    return re.sub(r"(?m)^(  ids  .*), [^,]*$", r"\1", status).split()


def summary(found):
    names = ("daily_actions", "days", "partitions")
    return ", ".join(f"{name} {len(rows)}" for name, rows in found if name in names) or str(found)


class Recovery(Scenario):
    """The power fails once more, while a command recovers from a state that a scenario has left."""

    def __init__(self, scenario, state, number):
        site = copy.copy(scenario.site)
        site.root, _ = scenario.build(state, f"recovery-{number}")
        site.scratch = os.path.dirname(site.root)
        # The same command recovers, or that of the next night.
        command = scenario.later if number % 2 else scenario.command
        super().__init__(site, f"{scenario.name}; {state.text}", [command])
        self.unreadable = scenario.unreadable
        if number % 2:
            self.later = scenario.later.replace(LATER, D3)
        else:
            self.later = scenario.later
            self.exits = {side.again.exit for side in ([] if state.is_said else [scenario.before]) + [scenario.after]}
        self.recording = crash_disk.Recording(site.root, os.path.join(site.scratch, "stamps"))


def logging(date, *ids, more=""):
    """Another log of a date."""
    return lambda site: site.write(f"logs/{date}/a.log", hits(date, *ids) + more)


def deliver(site):
    site.write("deliveries.csv", "delivery_id,label,sent\nd57fd6,Black Friday 2026,200\nd1,Another,5\n")


def edit(site):
    with contextlib.closing(sqlite3.connect(os.path.join(site.root, "out/push.db"))) as connection:
        connection.executescript("UPDATE daily_actions SET events = events + 1; CREATE TABLE notes AS SELECT 'mine' AS text")


def overwrite(site):
    with open(os.path.join(site.root, "out/push.db"), "r+b") as file:
        file.write(b"no database at all" * 100)


def log_old_dates(site):
    for number, date in enumerate(OLD + [D1, D2, D3, LATER]):
        site.write(f"logs/{date}/a.log", hits(date, *[f"{number + other + 1:x}" for other in range(4)], f"a{number}"))
    site.write("push.yaml", PIPELINE + "dedup: {window_days: 1}\n")


def retain(site):
    """From now on log dates are closed, settled and erased."""
    site.write("push.yaml", PIPELINE + "dedup: {window_days: 1}\nretention: {ids: 10}\n")


def scenarios(options, folder, shim):
    def make(name, *commands, **more):
        return Scenario(Site(options, os.path.join(folder, re.sub(r"\W", "-", name)), shim), name, commands, **more)

    run = [f"run --date {date} --jobs 1" for date in (D1, D2, D3)]
    reload, hold = logging(D2, "a1", "a2", "a3"), logging(D2, "a1", more="nothing of a log\n" * 9)
    yield make("first run", run[0])
    yield make("next date", run[0], run[1] + " --metrics ROOT/pushetl.prom")
    yield make("reload", run[0], run[1], run[1], change=reload)
    yield make("held back", run[0], run[1], run[1], exit=65, change=hold)
    yield make("held back then loaded", run[0], run[1], run[1], prepare=hold, change=logging(D2, "a1", "a2"))
    yield make("held back at first", run[1], exit=65, change=hold)
    yield make("a reader holds push.db", run[0], run[1] + " --wait 0", exit=75, readers=[1])
    yield make("held back while a reader holds push.db", run[0], run[1], run[1] + " --wait 0", exit=75, readers=[2], change=hold)
    yield make("waiting rows", run[0], run[1] + " --wait 0", run[2], readers=[1])
    yield make("deliveries changed", run[0], run[0], change=deliver)
    yield make("push.db edited", run[0], run[1], run[1], change=edit)
    yield make("push.db overwritten", run[0], run[1], run[1], change=overwrite)
    export, backfill = "export csv --out ROOT/export", f"backfill --from {OLD[0]} --to {D2} --jobs 1"
    yield make("export csv", run[0], export)
    yield make("export csv again", run[0], export, export, change=lambda site: (reload(site), site.run(f"run --date {D2}")))
    yield make("report", run[0], "report --out ROOT/report.html")
    yield make("archive", backfill, "report --archive ROOT/archive", prepare=log_old_dates)
    yield make("old dates settled and erased", backfill + " --settle", run[2],
               prepare=lambda site: (log_old_dates(site), retain(site)))
    yield make("old dates settled and erased at first", backfill, run[2] + " --settle", prepare=log_old_dates, change=retain)
    yield make("Spark's first job", f"spark-plan --date {D1}")
    yield make("Spark's next job", f"spark-plan --date {D1}", f"spark-plan --date {D2}")


def chosen(found, count, seed):
    """A third as they come, since the first are the likeliest to matter; a third after the end; the others by chance."""
    if len(found) <= count:
        return found
    chance, third = random.Random(seed), count // 3
    rest = chance.sample(found[third:], len(found) - third)
    said, others = [state for state in rest if state.is_said], [state for state in rest if not state.is_said]
    return (found[:third] + said[:third] + others + said[third:])[:count]


def try_states(report, scenario, options):
    found = list(crash_disk.states(scenario.recording, scenario.first))
    picked = found if options.full else chosen(found, STATES, 1)
    if options.state:
        root, _ = scenario.build(picked[int(options.state)], options.state)
        print(f"{picked[int(options.state)].text}: built in {root}; run it with LD_PRELOAD={scenario.site.shim} "
              f"CRASH_STAMPS={os.path.dirname(root)}/stamps {options.pushetl} {scenario.command.replace('ROOT', root)} "
              f"--pipeline {scenario.site.path('push.yaml')} --output {root}/out")
        return
    known = set()

    def judge(state, index):
        try:
            return scenario.judge(state, index)
        except Fault as fault:
            # Of many states in which the same goes wrong one is shown.
            if fault.kinds <= known:
                return "FAILED in the same way"
            known.update(fault.kinds)
            raise

    report.trials(f"{scenario.name}: {len(scenario.syncs())} syncs, {len(found)} states", picked, judge)


def try_twice(report, scenario, options):
    """Of some states the recoveries are recorded, and of each some states are tried."""
    seed = f"{options.seed} {scenario.name}"
    states = list(crash_disk.states(scenario.recording, scenario.first))
    states = random.Random(seed).sample(states, min(int(options.twice), len(states)))

    def judge(state, number):
        recovery = Recovery(scenario, state, number)
        recovery.record_last()
        found = list(crash_disk.states(recovery.recording, 0))
        for index, second in enumerate(random.Random(f"{seed} {number}").sample(found, min(TWICE_STATES, len(found)))):
            try:
                recovery.judge(second, index)
            except Fault as fault:
                raise Fault(f"recovery {number}: {state.text}; then {recovery.command}: {fault}") from fault
        shutil.rmtree(recovery.site.scratch)
        return f"{len(found)} states"

    report.trials(f"{scenario.name}: recoveries, seed {options.seed}", states, judge)


# Syncs whose lack does no harm, by the beginning of their names, and why.
SUPERFLUOUS = {
    "out/partitions/.jobs": "a job does not outlive a power failure: the next one begins anew",
    "out/partitions/.kept/.left.pushetl-N.tmp (1)":
        "without the note that a command is writing nobody knows what was left, and nobody is accused",
    "out/partitions/ after out/partitions/D.sqlite (9)":
        "what comes back is a settled date with its ids, and the next command erases them again",
}


def is_noticed(scenario, sync, name):
    """Leaves out one sync: whether one of the states that this adds fails."""
    without = crash_disk.states(scenario.recording, scenario.first, dropped=sync)
    new = (state for state in without if state.key() not in scenario.usual)
    for tried, state in enumerate(itertools.islice(new, PLANTED_STATES)):
        try:
            scenario.judge(state, sync * 1000 + tried)
        except Fault as fault:
            print(f"  noticed: {scenario.name}: {name}: {fault}".splitlines()[0][:300], flush=True)
            return True
    return False


def plant_all(report, recorded):
    """Each sync must be noticed in one of the scenarios that have it."""
    noticed, missed = set(), collections.defaultdict(list)
    for scenario in recorded:
        scenario.usual = {state.key() for state in crash_disk.states(scenario.recording, scenario.first)}
        syncs = [(sync, name) for sync, name in zip(scenario.syncs(), scenario.sync_names()) if name not in noticed]
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            found = pool.map(lambda pair: is_noticed(scenario, *pair), syncs)
            for (sync, name), is_found in zip(syncs, found):
                if is_found or scenario.is_repeated(sync):
                    noticed.add(name)
                else:
                    missed[name].append(scenario.name)
    for name, where in sorted(missed.items()):
        if name in noticed:
            continue
        reason = next((reason for beginning, reason in SUPERFLUOUS.items() if name.startswith(beginning)), None)
        if reason:
            print(f"nobody has to notice that it is left out: {name}: {reason}")
        else:
            report.fail(f"nobody notices that the sync of {name} is left out ({', '.join(where)})")
    print(f"{len(noticed)} kinds of syncs are noticed if they are left out")


def compiled(folder):
    shim = os.path.join(folder, "crash-shim.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "crash-shim.c")
    subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl", "-lpthread"], check=True)
    return shim


def main():
    options = arguments(
        __doc__, only=("", "scenarios whose names have these words"),
        state=("", "only build the state of this number, with --only and --folder"), planted=(False, "leave out each sync in turn"),
        twice=("0", "states of each scenario whose recoveries lose power again"), seed=("1", "which of them"))
    report = Report()
    folder = options.folder or tempfile.mkdtemp(prefix="pushetl-crash-")
    os.makedirs(folder, exist_ok=True)
    shim = compiled(folder)
    wanted = [scenario for scenario in scenarios(options, folder, shim) if options.only in scenario.name]
    if options.third is not None:
        # A third of the scenarios rather than of the states, since recording one takes as long as its states.
        wanted, report.third = wanted[options.third::3], None
    recorded = []
    for scenario in wanted:
        try:
            scenario.record()
        except Fault as fault:
            report.fail(str(fault))
            continue
        recorded.append(scenario)
        if not options.planted:
            try_states(report, scenario, options)
            if int(options.twice):
                try_twice(report, scenario, options)
    if options.planted:
        plant_all(report, recorded)
    if not options.folder:
        shutil.rmtree(folder)
    report.end()


if __name__ == "__main__":
    main()
