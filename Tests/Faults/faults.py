"""What the fault scripts share: a small load, runs of pushetl under strace, and what a reader of push.db sees."""
import argparse
import concurrent.futures
import contextlib
import datetime
import glob
import gzip
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

DATES = ["2026-11-18", "2026-11-19"]
# With a window of one day and ids of ten log dates, the last of these closes, settles and erases some of the others.
MANY_DATES = [f"2026-11-{day:02}" for day in range(4, 20)]
WORKERS = 2

# System calls that change something in the output folder, and those that read what a run needs.
WRITING = ["write", "pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "mkdir", "openat"]
READING = ["read", "pread64", "getdents64", "flock", "newfstatat", "fstat"]
# Whether a file is looked at once more depends on the clock: its times must settle.
SETTLING = ["newfstatat", "fstat"]


class Fault(Exception):
    """Something that the program must not do."""


def arguments(description, **extra):
    """The script's arguments: the programs, --full, and what else it takes."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pushetl", help="the built program; loggen lies beside it")
    parser.add_argument("--full", action="store_true", help="every place and many rounds (default: a short form)")
    parser.add_argument(
        "--third", type=int, choices=range(3), nargs="?", const=datetime.date.today().toordinal() % 3,
        help="only a third of the trials (without a number: another one each day)")
    parser.add_argument("--folder", help="where to work (default: a temporary folder, which is removed)")
    for name, (default, text) in extra.items():
        if default is False:
            parser.add_argument(f"--{name}", action="store_true", help=text)
            continue
        parser.add_argument(f"--{name}", default=default, help=f"{text} (default: {default or 'the same'})")
    options = parser.parse_args()
    Report.third = options.third
    if options.third is not None:
        print(f"a third of the trials; again with --third {options.third}", flush=True)
    return options


class Outcome:
    def __init__(self, exit, stdout, stderr, seconds):
        self.exit, self.stdout, self.stderr, self.seconds = exit, stdout, stderr, seconds

    def __str__(self):
        return f"exit {self.exit}, stderr: {self.stderr.strip() or 'nothing'}"


class World:
    """Logs of two dates, and an output in which both are loaded, the second from fewer files than it has now."""

    def __init__(self, options, records=400, dates=DATES, more=()):
        self.folder = options.folder or tempfile.mkdtemp(prefix="pushetl-faults-")
        self.dates = dates
        self.keeps = bool(options.folder)
        os.makedirs(self.folder, exist_ok=True)
        os.chmod(self.folder, 0o755)
        # Copies, so that users who may not look into the build folder can run them.
        for name in ["pushetl", "loggen"]:
            shutil.copy(os.path.join(os.path.dirname(os.path.abspath(options.pushetl)), name), self.folder)
        shutil.copy(options.pushetl, self.program)
        self.logs = os.path.join(self.folder, "logs")
        subprocess.run(
            [os.path.join(self.folder, "loggen"), "--records", str(records), "--from", dates[0], "--to", dates[-1],
             "--noise", "everyday", "--out", self.logs, *more], check=True, stdout=subprocess.DEVNULL)
        # A file of one host is zstd: its first bytes say so, not its name.
        for path in glob.glob(os.path.join(self.logs, "collector", "*", "host2.log.gz")):
            with gzip.open(path) as log:
                content = log.read()
            with open(path, "wb") as log:
                subprocess.run(["zstd", "-q", "-c"], input=content, stdout=log, check=True)
        self.base = os.path.join(self.folder, "base")
        if dates == DATES:
            self.load_base()

    @classmethod
    def spilling(cls, options):
        """Logs of one date that do not fit into the least memory: `run --date ... --memory 16M` sorts on disk."""
        return cls(options, records=1_000_000, dates=DATES[-1:], more=["--preset", "hard", "--late", "0"])

    @classmethod
    def aging(cls, options):
        """Logs of many dates, of which all but the last are loaded. In `base` none is settled; in `settled` some are, and
        others erased. So will be some more by `run --date …` of the last one, with `--settle` or without."""
        world = cls(options, records=60, dates=MANY_DATES)
        pipeline = pathlib.Path(world.logs, "push.yaml")
        pipeline.write_text(pipeline.read_text() + "dedup: {window_days: 1}\n")
        world.expect(0, world.run(f"backfill --from {MANY_DATES[0]} --to {MANY_DATES[-2]}", world.base))
        pipeline.write_text(pipeline.read_text() + "retention: {ids: 10}\n")
        world.settled = world.fresh("settled")
        world.expect(0, world.run(f"run --date {MANY_DATES[-2]} --settle", world.settled))
        return world

    @property
    def program(self):
        return os.path.join(self.folder, "pushetl")

    def load_base(self):
        held = [path for kind in ["collector", "mzip", "users_track"]
                for path in sorted(glob.glob(os.path.join(self.logs, kind, self.dates[-1], "*")))[1:]]
        for path in held:
            os.rename(path, path + ".held")
        for date in self.dates:
            self.expect(0, self.run(f"run --date {date}", self.base))
        for path in held:
            os.rename(path + ".held", path)

    def words(self, command, output):
        return [self.program, *command.split(), "--pipeline", os.path.join(self.logs, "push.yaml"), "--output", output]

    def run(self, command, output, before=(), seconds=300):
        """Runs the program to its end; `before` comes before it on the command line."""
        begin = time.monotonic()
        done = subprocess.run(
            [*before, *self.words(command, output)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds)
        return Outcome(
            done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"),
            time.monotonic() - begin)

    def expect(self, exit, outcome):
        if outcome.exit != exit:
            raise Fault(f"exit {exit} was expected, but: {outcome}")

    def fresh(self, name, base=None):
        """A new output folder, a copy of `base` unless that is ''."""
        output = os.path.join(self.folder, name)
        shutil.rmtree(output, ignore_errors=True)
        if base != "":
            shutil.copytree(base or self.base, output)
            adopt(base or self.base, output)
        return output

    @staticmethod
    def loaded(output):
        """The dates whose partitions are there."""
        return sorted(name[:10] for name in os.listdir(os.path.join(output, "partitions"))
                      if re.fullmatch(r"\d{4}-\d\d-\d\d\.sqlite", name))

    def calls(self, command, output, names):
        """What an undisturbed run calls: (system call, its number among those of that name, what it is about)."""
        log = os.path.join(self.folder, "calls")
        outcome = self.run(command, output, before=["strace", "-f", "-qq", "-y", "-o", log, "-e", f"trace={','.join(names)}"])
        self.expect(0, outcome)
        numbers, calls, main = {}, [], None
        with open(log, errors="replace") as lines:
            for line in lines:
                call = re.match(r"(\d+) +(\w+)\((.*)", line)
                if not call or call[2] not in names:
                    continue
                # A number counts the calls of one thread; with --jobs 1 the first one does all that matters.
                main = main or call[1]
                if call[1] != main:
                    continue
                numbers[call[2]] = numbers.get(call[2], 0) + 1
                calls.append((call[2], numbers[call[2]], call[3].rstrip()))
        return calls

    def close(self):
        if not self.keeps:
            shutil.rmtree(self.folder, ignore_errors=True)


def adopt(output, other):
    """Has the push.db of a copy of an output taken for the one that was left, as it would be if the whole folder was moved."""
    path = os.path.join(other, "partitions/.kept/left")
    if not os.path.exists(path):
        return
    left = json.loads(pathlib.Path(path).read_bytes().split(b"\n", 1)[1])
    if left.get("push") and left["push"]["file"] == stamp(output):
        left["push"]["file"] = stamp(other)
        content = json.dumps(left, sort_keys=True, separators=(",", ":")).encode()
        pathlib.Path(path).write_bytes(b"%016x\n%s" % (word_hash(content, word_hash(b"left")), content))


def stamp(output):
    """What is noted of the push.db of an output; see Sources/Posix/FileStamp.swift."""
    status = os.stat(os.path.join(output, "push.db"))
    return {"bytes": status.st_size, "changed": status.st_ctime_ns, "device": status.st_dev, "inode": status.st_ino,
            "modified": status.st_mtime_ns}


def word_hash(content, seed=0):
    """As Sources/Hashing/WordHash.swift has it."""
    state = seed ^ len(content) * 0x9E3779B97F4A7C15 % 2**64
    for start in range(0, len(content), 8):
        product = (state ^ int.from_bytes(content[start:start + 8], "little")) * 0x9E3779B97F4A7C15 % 2**64
        state = product ^ product >> 32
    return state ^ state >> 29


def is_about(call, folder):
    """Whether a traced call concerns a file in `folder`."""
    return folder + "/" in call[2] or folder + ">" in call[2] or f'"{folder}"' in call[2]


class Case:
    """A command, and an output that it finds: a copy of `base`, nothing if that is ''. A reader sees the figures from before
    the command or from after it, and the same command again does the rest."""

    # Whether the same command may have something to say then.
    may_warn = False

    def __init__(self, world, command, base=None):
        self.world, self.command, self.base = world, command, base
        self.reference = world.fresh("reference", base)
        self.old, _ = seen(self.reference)
        world.expect(0, world.run(command, self.reference))
        self.new = dump(self.reference)
        if self.old == self.new:
            raise Fault("the command changes nothing: there is nothing to see")

    def calls(self, names):
        """The calls of an undisturbed run that are about the output or the logs. Now and then a run reads once more, as one
        thread wakes another one; so they are those of two runs that agree."""
        former = None
        for _ in range(9):
            output = self.world.fresh("traced", self.base)
            calls = [call for call in self.world.calls(self.command + " --jobs 1", output, names)
                     if is_about(call, output) or is_about(call, self.world.logs)]
            numbered = [call[:2] for call in calls if call[0] not in SETTLING]
            if numbered == former:
                return calls
            former = numbered
        raise Fault("no two runs in a row make the same calls")

    def inject(self, call, what, output):
        """Runs the command, and strace injects something into one of its calls; the outcome, and whether the call came."""
        log = output + ".strace"
        # Other calls are not stopped at all then. With it, strace does not inject signals.
        quick = ["--seccomp-bpf"] if what.startswith("error=") else []
        # With one worker all calls are one thread's, and strace's count is that of the undisturbed run.
        outcome = self.world.run(
            self.command + " --jobs 1", output,
            before=["strace", "-f", *quick, "-qq", "-o", log, "-e", f"trace={call[0]}", "-e", f"inject={call[0]}:{what}"])
        with open(log, errors="replace") as lines:
            has_come = "(INJECTED)" in lines.read()
        os.remove(log)
        return outcome, has_come

    def attempt(self, name, title, body):
        """`body` answers a word for what it does to a copy of the output; then the same command again does the rest."""
        output = self.world.fresh(name, self.base)
        try:
            word = body(output)
            self.finish(output)
        except Fault as fault:
            raise Fault(f"{title}: {fault}") from fault
        shutil.rmtree(output)
        return word

    def look(self, output, text=""):
        """What a reader sees: whether it is the new state, and whether he had to undo a transaction first."""
        database = os.path.join(output, "push.db")
        if os.path.exists(database) and os.path.getsize(database) == 0:
            raise Fault("push.db is empty")
        state, is_undone = seen(output)
        if state not in (self.old, self.new):
            raise Fault(f"a reader saw neither the old nor the new state {text}")
        return state == self.new, is_undone

    def finish(self, output):
        outcome = self.world.run(self.command, output)
        if outcome.exit != 0 or outcome.stderr and not self.may_warn:
            raise Fault(f"the same command again: {outcome}")
        self.check(output)

    def check(self, output):
        """Nothing but the new state is there."""
        if dump(output) != self.new:
            raise Fault("the same command again came to other figures")
        if rows := unchained(os.path.join(output, "push.db")):
            raise Fault(f"changes does not go on from the row before: {rows}")
        if dates := untold(os.path.join(output, "push.db")):
            raise Fault(f"no row of loads tells of the load that stands: {dates}")
        if leftovers(output):
            raise Fault(f"temporary files are left: {leftovers(output)}")
        if databases(output) != databases(self.reference):
            raise Fault(f"other log dates have ids or are settled: {databases(output)}")


def may_trace():
    """Whether strace is here and may trace."""
    if not shutil.which("strace"):
        return False
    return subprocess.run(
        ["strace", "-f", "-o", "/dev/null", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


# Tables that tell of times, or depend on the order of loads.
APART = ("runs", "changes", "loads", "held", "_checks", "_facts", "_log_dates", "_warnings")


def rows(connection):
    """All that push.db says, its history and the warnings of loads aside."""
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    all_rows = [
        (name, sorted(connection.execute(f'SELECT {columns(connection, name)} FROM "{name}" WHERE {condition(name)}'), key=repr))
        for name in names if name not in APART]
    # The first load may be held back: then push.db tells of that alone, and has no figures.
    return [] if ("partitions", []) in all_rows and ("days", []) in all_rows else all_rows


def condition(table):
    """Of the rows that are compared. The table `changes` begins when it is made."""
    return "key <> 'history_since'" if table == "about" else "true"


def columns(connection, table):
    """The columns of a table for a selection, without the warnings of loads, which depend on the order of loads."""
    names = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
    return ", ".join(f'"{name}"' for name in names if (table, name) != ("partitions", "warnings"))


def reading(path):
    """A connection that may not write, until the end of a `with`."""
    return contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True))


class HotJournal(Exception):
    """A reader that may not write was refused, since a killed command's transaction is to be rolled back first."""


def dump(output):
    """What a reader sees that opens push.db read-only; nothing if it is not there."""
    path = os.path.join(output, "push.db")
    if not os.path.exists(path):
        return []
    try:
        with reading(path) as connection:
            connection.execute("BEGIN")
            return rows(connection)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorname", None) == "SQLITE_READONLY_ROLLBACK":
            raise HotJournal() from error
        raise Fault(f"a reader of push.db saw an error: {error}") from error


def seen(output):
    """What a reader sees, and whether it had to undo a killed command's transaction first."""
    try:
        return dump(output), False
    except HotJournal:
        return rolled_back(output), True


def rolled_back(output):
    """What a reader sees that may write: SQLite undoes what a killed command began. In a copy, so nothing is changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ["push.db", "push.db-journal"]:
            shutil.copy(os.path.join(output, name), folder)
        with contextlib.closing(sqlite3.connect(os.path.join(folder, "push.db"))) as connection:
            return rows(connection)


def unchained(database):
    """The rows of `changes` whose sums before are not those after the row before of their day."""
    sums = ("events", "messages", "opened")
    former = ", ".join(f"lag({name}_after, 1, 0) OVER (PARTITION BY day ORDER BY number) AS {name}" for name in sums)
    differs = " OR ".join(f"{name} <> {name}_before" for name in sums)
    with reading(database) as connection:
        return connection.execute(
            f"SELECT number, day, events, events_before FROM (SELECT *, {former} FROM changes) WHERE {differs}").fetchall()


def untold(database):
    """The log dates whose partition no row of `loads` tells of."""
    same = " AND ".join(f"l.{name} = p.{name}" for name in ("log_date", "files", "records", "accepted", "events", "duplicates"))
    with reading(database) as connection:
        return connection.execute(
            f"SELECT log_date FROM partitions p WHERE NOT EXISTS (SELECT 1 FROM loads l WHERE {same})").fetchall()


def databases(output):
    """The partitions that are there: (log date, its final rows if it is settled, whether it has ids)."""
    found = []
    for path in sorted(glob.glob(os.path.join(output, "partitions", "*.sqlite"))):
        with reading(path) as partition:
            found += partition.execute("SELECT log_date, settled, has_ids FROM partition")
    return found


def leftovers(output, may_wait=False):
    """Files of an output folder that must not be there when a command has ended. `may_wait`: whether a load may stand that is
    not published."""
    endings = "sqlite|inputs|shared" + ("|load" if may_wait else "")
    return [str(path) for path in pathlib.Path(output).rglob("*")
            if not path.is_dir() and path.name not in ["push.db", "closed", "left", "partitions"]
            and not re.fullmatch(rf"\d{{4}}-\d\d-\d\d\.({endings})", path.name)]


def tree(root):
    """Every path below a folder, with a file's bytes."""
    return {str(path.relative_to(root)): None if path.is_dir() else path.read_bytes() for path in pathlib.Path(root).rglob("*")}


def spread(items, count):
    """At most `count` of the items, evenly spread, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[round(index * (len(items) - 1) / max(1, count - 1))] for index in range(count)]


class Report:
    """Runs trials, a few at a time, and tells what failed. `PUSHETL_FIRST_FAULT=1` ends with the first fault."""

    # Of three trials that follow one another, the number of the only one that is run; None: all are.
    third = None

    def __init__(self):
        self.failures = []
        self.begin = time.monotonic()

    def trials(self, name, items, body, always=0):
        """`body(item, worker)` raises a Fault, or answers a word to count. So many of the first items are in each third."""
        counts = {}
        begin = time.monotonic()
        numbered = list(enumerate(items))
        if self.third is not None and len(numbered) >= 3:
            numbered = numbered[:always] + numbered[always:][self.third::3]
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            done = {pool.submit(body, item, index): item for index, item in numbered}
            for future in concurrent.futures.as_completed(done):
                try:
                    word = future.result()
                    counts[word] = counts.get(word, 0) + 1
                except (Fault, subprocess.TimeoutExpired) as fault:
                    self.fail(f"{name}: {fault}")
                    if os.environ.get("PUSHETL_FIRST_FAULT") == "1":
                        pool.shutdown(cancel_futures=True)
                        self.end()
        words = ", ".join(f"{word} {count}" for word, count in sorted(counts.items()))
        print(f"{name}: {len(numbered)} of {len(items)} trials, {time.monotonic() - begin:.1f} s: {words}", flush=True)

    def fail(self, text):
        self.failures.append(text)
        print("FAILED " + text, flush=True)

    def end(self):
        print(f"{'FAILED' if self.failures else 'all is well'}, {time.monotonic() - self.begin:.0f} s")
        sys.exit(1 if self.failures else 0)


def show(call):
    """A traced call, short enough for a line."""
    return f"{call[0]} {call[1]}: {call[2][:150]}"
