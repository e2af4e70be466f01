#!/usr/bin/env python3
"""Kills pushetl at its system calls, and lets them fail, one place after another.

    python3 Tests/Faults/calls.py .build/release/pushetl [--full] [--fails] [--command 'run --date 2026-11-19']

Two dates are loaded; the command loads one of them again from other files, into that output and into one that is not there yet.
It is killed before each system call that changes the output, by strace's injection (SIGKILL; SIGTERM too): a reader sees the old
or the new state of push.db, and the same command again comes to what an undisturbed one does, warns of nothing and leaves no
temporary file. So too where a command before was killed while it committed. The random histories kill at any moment.

Then each call that concerns the output, the logs or the pipeline file fails (ENOSPC, EIO, EMFILE and the like). The command must
end with 74 and a sentence, or with 0 and the right figures where the call did not matter. So too with folders that may not be
written to or read, as another user, which takes root.

Both again with a command that closes, settles and erases old log dates; the kills also with a sort on disk. `--fails` leaves
the kills out.
"""
import os
import re
import shutil
import signal
import stat
import subprocess

from faults import (
    DATES, MANY_DATES, Case, Fault, READING, Report, SETTLING, WRITING, World, arguments, databases, dump, is_about,
    may_trace, seen, show, spread)

# What can go wrong with a call; + means that all further calls of that name fail too (but for write, by which threads
# wake each other).
ERRORS = {
    "write": ["ENOSPC", "EIO"], "pwrite64": ["ENOSPC+", "EIO"], "fsync": ["EIO"], "fdatasync": ["EIO"],
    "ftruncate": ["EIO"], "rename": ["EIO", "ENOSPC"], "unlink": ["EIO"], "mkdir": ["ENOSPC", "EROFS"],
    "openat": ["EMFILE+", "EMFILE", "EIO"], "read": ["EIO"], "pread64": ["EIO"], "getdents64": ["EIO"], "flock": ["ENOLCK"],
    "newfstatat": ["EIO"], "fstat": ["EIO"],
}
# Those that are many, and of which a part is enough for the short form.
MANY = ["pwrite64", "pread64", "newfstatat", "fstat", "read"]
# What is written of old log dates: the record of closed ones, and their partitions anew.
OLD = re.compile(rf"/partitions/\.?(closed|(?!{MANY_DATES[-1]})\d{{4}}-\d\d-\d\d\.sqlite)")
# What is said of delivery files that cannot be read.
UNNAMED = r"; (what was read from the delivery files before is kept|until then no delivery has a name)\n"


class Killing(Case):
    def __init__(self, world, command, base=None, number=signal.SIGKILL):
        super().__init__(world, command, base)
        self.number = number

    def word(self, output):
        """What a reader sees after the kill."""
        is_new, is_undone = self.look(output)
        return ("new" if is_new else "old") + (" after a rollback" if is_undone else "")

    def places(self):
        """The calls of an undisturbed run that change the output."""
        return [call for call in self.calls(WRITING) if not is_about(call, self.world.logs)
                and (call[0] != "openat" or "O_CREAT" in call[2])]

    def kill(self, call, output):
        killed, _ = self.inject(call, f"signal={self.number.value}:when={call[1]}", output)
        # A signal that may be treated can come when all is done.
        done = [0] if self.number != signal.SIGKILL else []
        if killed.exit not in [-self.number, 128 + self.number, *done]:
            raise Fault(f"was not killed: {killed}")
        word = self.word(output)
        # What is published and not noted yet is no fault. Of two kills doctor may tell, as of ids that are still to be erased.
        if word.startswith("new") and not self.base:
            self.world.expect(0, self.world.run("doctor", output))
        return word

    def at_call(self, call, index):
        return self.attempt(f"kill-{index}", f"killed at {show(call)}", lambda output: self.kill(call, output))


class Failing(Case):
    def __init__(self, world, command, base=None):
        super().__init__(world, command, base)
        self.unnamed, self.without = None, {}
        if world.dates != MANY_DATES:
            self.unnamed = self.state_unnamed()
            self.without = {date: self.state_without(date) for date in world.loaded(self.reference)}

    @staticmethod
    def places(calls, choose):
        """Each call with each of its errors; `choose` picks among the calls of a name."""
        return [(call, error) for kind, errors in ERRORS.items()
                for call in choose(kind, [call for call in calls if call[0] == kind]) for error in errors]

    def state_without(self, date):
        """What push.db says when that date's partition is damaged: SQLite says so of one that cannot be read."""
        output = self.world.fresh("without", self.reference)
        os.remove(os.path.join(output, "partitions", f"{date}.sqlite"))
        # A date without files loads nothing, and publishes what is there.
        self.world.expect(66, self.world.run("backfill --from 2020-01-01 --to 2020-01-01", output))
        return dump(output)

    def state_unnamed(self):
        """What push.db says when the delivery files cannot be read: names that were read before stay."""
        output = self.world.fresh("unnamed", self.base)
        deliveries = os.path.join(self.world.logs, "deliveries")
        os.rename(deliveries, deliveries + ".away")
        self.world.expect(65, self.world.run(self.command, output))
        os.rename(deliveries + ".away", deliveries)
        return dump(output)

    def states(self, outcome):
        """What a reader may see."""
        damaged = [date for date in self.without if f"{date}.sqlite: the database is damaged" in outcome.stderr]
        if damaged:
            return [self.without[date] for date in damaged]
        # Of several log dates one that fails does not stop the others.
        failed = [date for date in self.without if self.old == [] and f"error: {date}: " in outcome.stderr]
        if re.search(UNNAMED, outcome.stderr):
            return [self.old, self.unnamed]
        return [self.old, self.new] + [self.without[date] for date in failed]

    def word(self, outcome, output):
        """The outcome is an exit of 74 with a sentence (65 for the delivery files), or the whole result; a word for it."""
        # Of a partition that cannot be read the log date is left out, of old ones too.
        if self.world.dates == MANY_DATES and outcome.exit == 74 and "sqlite: the database is damaged" in outcome.stderr:
            return "exit 74, left out"
        state, _ = seen(output)
        if state not in self.states(outcome):
            raise Fault(f"a reader saw neither the old nor the new state; {outcome}")
        if "push.yaml" in outcome.stderr and outcome.exit == 78:
            return "exit 78 for the pipeline file"
        if outcome.exit == 0 and state != self.new:
            raise Fault(f"exit 0 without the right figures; {outcome}")
        if outcome.exit == 0 and databases(output) != databases(self.reference):
            raise Fault(f"exit 0, and ids are there of other log dates: {databases(output)}; {outcome}")
        if outcome.exit == 65 and re.search(UNNAMED, outcome.stderr):
            return "exit 65 for the delivery files"
        if outcome.exit not in (0, 74):
            raise Fault(f"exit 74 was expected, but: {outcome}")
        if outcome.exit == 74 and not re.match(r"((warning|error): .*\S.*\n)+$", outcome.stderr):
            raise Fault(f"no sentence; {outcome}")
        return f"exit {outcome.exit}"

    def at_call(self, item, index):
        call, error = item
        code, further = error.rstrip("+"), "+" if error.endswith("+") else ""

        def fail(output):
            outcome, has_come = self.inject(call, f"error={code}:when={call[1]}{further}", output)
            if not has_come and call[0] not in SETTLING:
                raise Fault("the call did not come")
            return self.word(outcome, output)
        return self.attempt(f"fail-{index}", f"{error} of {show(call)}", fail)


def killed_before(world, command):
    """An output whose last command was killed while it committed: the next one is killed while it undoes that."""
    killing = Killing(world, command, None)
    ends = [call for call in killing.places() if call[0] == "unlink" and "push.db-journal" in call[2]]
    if not ends:
        raise Fault("no journal was removed: there is nothing to see")
    output = world.fresh("killed-before")
    killing.kill(ends[-1], output)
    return output


def forbidden_folders(report, world, options):
    """Folders and files that another user may not write to or read."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        print("skipped the forbidden folders: they take root and setpriv")
        return
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    failing = Failing(world, options.command, None)
    # Another owner is a change of push.db.
    failing.may_warn = True
    log_folder = os.path.join(world.logs, "collector", DATES[-1])

    def forbid(what, output):
        subprocess.run(["chown", "-R", "65534:65534", output], check=True)
        place = {"the output": output, "its partitions": os.path.join(output, "partitions"),
                 "push.db": os.path.join(output, "push.db"), "a log": os.path.join(log_folder, "host1.log.gz"),
                 "a folder of logs": log_folder}[what]
        former = stat.S_IMODE(os.stat(place).st_mode)
        is_log = place.startswith(world.logs)
        owner = os.stat(place).st_uid
        # Root owns what nobody may only read; logs may not even be read.
        os.chown(place, 0, 0)
        os.chmod(place, 0o700 if is_log else 0o755 if os.path.isdir(place) else 0o444)
        try:
            outcome = world.run(options.command, output, before=nobody)
            word = failing.word(outcome, output)
            if what != "the output" and outcome.exit == 0:
                raise Fault("ended with 0")
            status = world.run("status", output, before=nobody)
            if not is_log and status.exit != 0:
                raise Fault(f"status does without writing, but: {status}")
            return word
        finally:
            os.chmod(place, former)
            os.chown(place, owner, owner)

    for what in ["the output", "its partitions", "push.db", "a log", "a folder of logs"]:
        # One after another: they change the logs' modes.
        report.trials(f"nobody may use {what}", [what], lambda what, index: failing.attempt(
            f"forbidden-{index}", what, lambda output: forbid(what, output)))


def loading(report, world, options):
    """The command on an output that is there, and on none."""
    command = options.command
    for name, base, number in [] if options.fails else [
            ("nothing there, SIGTERM", "", signal.SIGTERM), ("loaded before", None, signal.SIGKILL),
            ("nothing there", "", signal.SIGKILL), ("killed before", killed_before(world, command), signal.SIGKILL)]:
        killing = Killing(world, command, base, number)
        places = killing.places()
        if not options.full and name not in ("loaded before", "nothing there"):
            places = spread(places, 60)
        report.trials(f"{name}, killed before each call that changes the output", places, killing.at_call)
    for name, base in [("loaded before", None), ("nothing there", "")]:
        failing = Failing(world, command, base)
        # What is not there cannot fail: SQLite looks for journals that do not exist.
        calls = [call for call in failing.calls(WRITING + READING) if "ENOENT" not in call[2]]
        # Where the disk is full from the first write to a file on, nothing of it can be taken back either.
        full = [(call, "ENOSPC+") for call in first_writes(calls)]
        places = failing.places(calls, lambda kind, found: found if options.full or kind not in MANY else spread(found, 12))
        report.trials(
            f"{name}, each call fails", full + [place for place in places if place not in full], failing.at_call, len(full))


def first_writes(calls):
    """Of each file that SQLite writes, the first write."""
    files = {}
    for call in calls:
        if call[0] == "pwrite64":
            files.setdefault(re.match(r"\d+<(.*?)>", call[2])[1], call)
    return list(files.values())


def spilling(report, options):
    """Kills at the calls that concern the temporary files of a sort on disk."""
    world = World.spilling(options)
    killing = Killing(world, f"run --date {DATES[-1]} --memory 16M", "")
    calls = [call for call in killing.calls(WRITING) if "/.run." in call[2]]
    if not calls:
        raise Fault("nothing was sorted on disk: there is nothing to see")
    report.trials("sorting on disk, killed before each call", calls if options.full else calls[:2] + spread(calls[2:], 3),
                  killing.at_call)
    world.close()


def aging(report, options):
    """While old log dates are closed, settled and erased: many at once, then one in a night."""
    world = World.aging(options)
    command = f"run --date {MANY_DATES[-1]}"
    for name, more, base, number, count in [] if options.fails else [
            ("settling many", " --settle", world.base, signal.SIGKILL, 16),
            ("settling one", "", world.settled, signal.SIGKILL, 12),
            ("settling one, SIGTERM", "", world.settled, signal.SIGTERM, 5)]:
        killing = Killing(world, command + more, base, number)
        places = killing.places()
        if not options.full:
            old = [call for call in places if OLD.search(call[2]) or call[0] == "unlink"]
            places = spread(old, count) + spread([call for call in places if call not in old], count // 4)
        report.trials(f"{name}, killed before each call that changes the output", places, killing.at_call)
    for name, more, base in [("settling many", " --settle", world.base), ("settling one", "", world.settled)]:
        failing = Failing(world, command + more, base)
        calls = [call for call in failing.calls(WRITING + READING) if "ENOENT" not in call[2]
                 and (OLD.search(call[2]) or call[0] == "unlink" and "/partitions/" in call[2])]
        places = failing.places(calls, lambda kind, found: found if options.full else spread(found, 4))
        report.trials(f"{name}, each call fails", places, failing.at_call)
    world.close()


def main():
    options = arguments(
        __doc__, command=(f"run --date {DATES[-1]}", "the command that is killed, or whose calls fail"),
        fails=(False, "only the calls that fail"))
    report = Report()
    if not may_trace():
        print("skipped the calls: strace is missing, or ptrace is not permitted here")
    world = World(options)
    if may_trace():
        loading(report, world, options)
    forbidden_folders(report, world, options)
    world.close()
    if may_trace():
        if not options.fails:
            spilling(report, options)
        aging(report, options)
    report.end()


if __name__ == "__main__":
    main()
