#!/usr/bin/env python3
"""Kills pushetl at every place where it changes its output, and at random moments.

    python3 Tests/Faults/kill-everywhere.py .build/release/pushetl [--full] [--command 'run --date 2026-11-19']

Two dates are loaded; the command loads one of them again from other files. It is killed (SIGKILL) before each system
call that changes the output, by strace's injection. Each time a reader sees the old or the new state of push.db, and
the same command again comes to what an undisturbed one does, warns of nothing and leaves no temporary file. The same
with an output folder that is not there yet, with one whose last command was killed while it committed, and with SIGTERM.
And with a command that closes, settles and erases old log dates: then push.db says what it says where all ids are kept.
Where ptrace is not permitted only the random moments are tried.
"""
import os
import random
import shutil
import signal
import subprocess
import time

from faults import (DATES, Fault, Report, WRITING, World, arguments, dump, is_about, leftovers, may_trace, seen, show,
                    spread)
from old_dates import COUNT, OldDates, day


class Killing:
    def __init__(self, world, command, base, number=signal.SIGKILL):
        self.world, self.command, self.base, self.number = world, command, base, number
        reference = world.fresh("reference", base)
        self.old, _ = seen(reference)
        world.expect(0, world.run(command, reference))
        self.new = dump(reference)
        if self.old == self.new:
            raise Fault("the command changes nothing: there is nothing to see")

    def look(self, output):
        """What a reader sees after the kill: a word for it."""
        database = os.path.join(output, "push.db")
        if os.path.exists(database) and os.path.getsize(database) == 0:
            raise Fault("push.db is empty")
        state, is_undone = seen(output)
        if state not in (self.old, self.new):
            raise Fault("a reader saw neither the old nor the new state")
        return ("new" if state == self.new else "old") + (" after a rollback" if is_undone else "")

    def finish(self, output):
        """The same command again does the rest."""
        outcome = self.world.run(self.command, output)
        if outcome.exit != 0:
            raise Fault(f"the same command again: {outcome}")
        if outcome.stderr:
            raise Fault(f"the same command again warns: {outcome}")
        if dump(output) != self.new:
            raise Fault("the same command again came to other figures")
        if leftovers(output):
            raise Fault(f"temporary files are left: {leftovers(output)}")

    def at_call(self, call, index):
        output = self.world.fresh(f"kill-{index}", self.base)
        log = output + ".strace"
        try:
            self.kill(call, output, log)
            word = self.look(output)
            self.finish(output)
        except Fault as fault:
            raise Fault(f"killed at {show(call)}: {fault}") from fault
        os.remove(log)
        shutil.rmtree(output)
        return word

    def kill(self, call, output, log):
        # With one worker all calls are one thread's, and strace's count is that of the undisturbed run.
        killed = self.world.run(
            self.command + " --jobs 1 --quiet", output,
            before=["strace", "-f", "-qq", "-o", log, "-e", f"trace={call[0]}",
                    "-e", f"inject={call[0]}:signal={self.number.value}:when={call[1]}"])
        # A signal that may be treated can come when all is done.
        done = [0] if self.number != signal.SIGKILL else []
        if killed.exit not in [-self.number, 128 + self.number, *done]:
            raise Fault(f"was not killed: {killed}")

    def places(self):
        """The calls of an undisturbed run that change the output."""
        output = self.world.fresh("traced", self.base)
        return [call for call in self.world.calls(self.command + " --jobs 1 --quiet", output, WRITING)
                if is_about(call, output) and (call[0] != "openat" or "O_CREAT" in call[2])]

    def at_moment(self, moment, index):
        output = self.world.fresh(f"kill-{index}", self.base)
        running = subprocess.Popen(
            self.world.words(self.command, output), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moment)
        running.kill()
        running.wait()
        word = self.look(output)
        self.finish(output)
        shutil.rmtree(output)
        return word


class Erasing(Killing):
    """A command that closes, settles and erases log dates up to the one numbered `last`."""

    def __init__(self, world, command, base, last, number=signal.SIGKILL):
        super().__init__(world, command, base, number)
        self.last, self.reference = last, world.reference(command)

    def finish(self, output):
        super().finish(output)
        if self.world.tables(output) != self.reference:
            raise Fault("the figures are not those of an output that keeps all ids")
        self.world.check_erased(output, self.last)


def erasing(report, options):
    """Kills while old log dates are closed, settled and erased: of many at once, then of one in a night."""
    world = OldDates(options)
    command = f"run --date {day(COUNT - 1)}"
    for name, more, base, number, count in [
            ("settling many", " --settle", world.base, signal.SIGKILL, 16),
            ("settling one", "", world.settled(), signal.SIGKILL, 12),
            ("settling one, SIGTERM", "", world.settled(), signal.SIGTERM, 5)]:
        killing = Erasing(world, command + more, base, COUNT - 11, number)
        places = killing.places()
        if not options.full:
            old = [call for call in places if ".settled" in call[2] or "/closed" in call[2] or call[0] == "unlink"]
            places = spread(old, count) + spread([call for call in places if call not in old], count // 4)
        report.trials(f"{name}, before each call that changes the output", places, killing.at_call)
    world.close()


def main():
    options = arguments(__doc__, command=(f"run --date {DATES[-1]}", "the command to kill"))
    report = Report()
    world = World(options)
    bases = {"loaded before": None, "nothing there": ""}
    if may_trace():
        bases["killed before"] = killed_before(world, options.command)
        stopping = Killing(world, options.command, "", signal.SIGTERM)
        places = stopping.places()
        if not options.full:
            places = spread(places, 60)
        report.trials("nothing there, SIGTERM before each call that changes the output", places, stopping.at_call)
    for name, base in bases.items():
        killing = Killing(world, options.command, base)
        if may_trace():
            places = killing.places()
            if name == "killed before" and not options.full:
                places = spread(places, 60)
            report.trials(f"{name}, before each call that changes the output", places, killing.at_call)
        else:
            print(f"{name}: skipped the kills at each call: strace is missing, or ptrace is not permitted here")
        begin = time.monotonic()
        world.run(options.command, world.fresh("timed", base))
        duration = time.monotonic() - begin
        chance = random.Random(1)
        moments = [chance.uniform(0, duration * 1.1) for _ in range(300 if options.full else 20)]
        report.trials(f"{name}, at random moments", moments, killing.at_moment)
    world.close()
    if may_trace():
        spilling(report, options)
        erasing(report, options)
    report.end()


def killed_before(world, command):
    """An output whose last command was killed while it committed: the next one is killed while it undoes that."""
    killing = Killing(world, command, None)
    ends = [call for call in killing.places() if call[0] == "unlink" and "push.db-journal" in call[2]]
    if not ends:
        raise Fault("no journal was removed: there is nothing to see")
    output = world.fresh("killed-before")
    killing.kill(ends[-1], output, output + ".strace")
    return output


def spilling(report, options):
    """Kills at the calls that concern the temporary files of a sort on disk."""
    world = World.spilling(options)
    killing = Killing(world, f"run --date {DATES[-1]} --memory 16M", "")
    output = world.fresh("traced", "")
    calls = [call for call in world.calls(killing.command + " --jobs 1 --quiet", output, WRITING) if "/.run." in call[2]]
    if not calls:
        raise Fault("nothing was sorted on disk: there is nothing to see")
    report.trials("sorting on disk, before each call", calls if options.full else calls[:2] + spread(calls[2:], 3), killing.at_call)
    world.close()


if __name__ == "__main__":
    main()
