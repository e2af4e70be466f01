#!/usr/bin/env python3
"""Kills pushetl at every place where it changes its output, and at random moments.

    python3 Tests/Faults/kill-everywhere.py .build/release/pushetl [--full] [--command 'run --date 2026-11-19']

Two dates are loaded; the command loads one of them again from other files. It is killed (SIGKILL) before each system
call that changes the output, by strace's injection. Each time a reader sees the old or the new state of push.db, and
the same command again comes to what an undisturbed one does and leaves no temporary file. The same with an output
folder that is not there yet. Where ptrace is not permitted only the random moments are tried.
"""
import os
import random
import shutil
import signal
import subprocess
import time

from faults import (DATES, Fault, HotJournal, Report, WRITING, World, arguments, dump, is_about, leftovers, may_trace,
                    rolled_back, show, spread)


class Killing:
    def __init__(self, world, command, base):
        self.world, self.command, self.base = world, command, base
        reference = world.fresh("reference", base)
        self.old = dump(reference)
        world.expect(0, world.run(command, reference))
        self.new = dump(reference)
        if self.old == self.new:
            raise Fault("the command changes nothing: there is nothing to see")

    def look(self, output):
        """What a reader sees after the kill: a word for it."""
        try:
            seen, word = dump(output), ""
        except HotJournal:
            seen, word = rolled_back(output), " after a rollback"
        if seen not in (self.old, self.new, []) or seen == [] and self.old != []:
            raise Fault("a reader saw neither the old nor the new state")
        return ("new" if seen == self.new else "old") + word

    def finish(self, output):
        """The same command again does the rest."""
        outcome = self.world.run(self.command, output)
        if outcome.exit != 0:
            raise Fault(f"the same command again: {outcome}")
        if dump(output) != self.new:
            raise Fault("the same command again came to other figures")
        if leftovers(output):
            raise Fault(f"temporary files are left: {leftovers(output)}")

    def at_call(self, call, index):
        output = self.world.fresh(f"kill-{index}", self.base)
        log = output + ".strace"
        # With one worker all calls are one thread's, and strace's count is that of the undisturbed run.
        killed = self.world.run(
            self.command + " --jobs 1 --quiet", output,
            before=["strace", "-f", "-qq", "-o", log, "-e", f"trace={call[0]}",
                    "-e", f"inject={call[0]}:signal=KILL:when={call[1]}"])
        if killed.exit not in (-signal.SIGKILL, 128 + signal.SIGKILL):
            raise Fault(f"was not killed at {show(call)}: {killed}")
        try:
            word = self.look(output)
            self.finish(output)
        except Fault as fault:
            raise Fault(f"killed at {show(call)}: {fault}") from fault
        os.remove(log)
        shutil.rmtree(output)
        return word

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


def main():
    options = arguments(__doc__, command=(f"run --date {DATES[-1]}", "the command to kill"))
    report = Report()
    world = World(options)
    for name, base in [("loaded before", None), ("nothing there", "")]:
        killing = Killing(world, options.command, base)
        if may_trace():
            output = world.fresh("traced", base)
            calls = world.calls(options.command + " --jobs 1 --quiet", output, WRITING)
            places = [call for call in calls if is_about(call, output)
                      and (call[0] != "openat" or "O_CREAT" in call[2])]
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
    report.end()


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
