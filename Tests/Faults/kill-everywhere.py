#!/usr/bin/env python3
"""Kills pushetl at every place where it changes its output.

    python3 Tests/Faults/kill-everywhere.py .build/release/pushetl [--full] [--command 'run --date 2026-11-19']

Two dates are loaded; the command loads one of them again from other files. It is killed (SIGKILL) before each system
call that changes the output, by strace's injection. Each time a reader sees the old or the new state of push.db, and
the same command again comes to what an undisturbed one does, warns of nothing and leaves no temporary file. The same
with an output folder that is not there yet, with one whose last command was killed while it committed, with SIGTERM, and with
a command that closes, settles and erases old log dates. The random histories kill at any moment.
"""
import signal

from faults import DATES, MANY_DATES, Case, Fault, Report, WRITING, World, arguments, is_about, may_trace, show, spread


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
        return self.word(output)

    def at_call(self, call, index):
        return self.attempt(f"kill-{index}", f"killed at {show(call)}", lambda output: self.kill(call, output))


def main():
    options = arguments(__doc__, command=(f"run --date {DATES[-1]}", "the command to kill"))
    report = Report()
    if not may_trace():
        print("skipped: strace is missing, or ptrace is not permitted here")
        report.end()
    world = World(options)
    for name, base, number in [
            ("nothing there, SIGTERM", "", signal.SIGTERM), ("loaded before", None, signal.SIGKILL),
            ("nothing there", "", signal.SIGKILL), ("killed before", killed_before(world, options.command), signal.SIGKILL)]:
        killing = Killing(world, options.command, base, number)
        places = killing.places()
        if not options.full and name not in ("loaded before", "nothing there"):
            places = spread(places, 60)
        report.trials(f"{name}, before each call that changes the output", places, killing.at_call)
    world.close()
    spilling(report, options)
    aging(report, options)
    report.end()


def killed_before(world, command):
    """An output whose last command was killed while it committed: the next one is killed while it undoes that."""
    killing = Killing(world, command, None)
    ends = [call for call in killing.places() if call[0] == "unlink" and "push.db-journal" in call[2]]
    if not ends:
        raise Fault("no journal was removed: there is nothing to see")
    output = world.fresh("killed-before")
    killing.kill(ends[-1], output)
    return output


def spilling(report, options):
    """Kills at the calls that concern the temporary files of a sort on disk."""
    world = World.spilling(options)
    killing = Killing(world, f"run --date {DATES[-1]} --memory 16M", "")
    calls = [call for call in killing.calls(WRITING) if "/.run." in call[2]]
    if not calls:
        raise Fault("nothing was sorted on disk: there is nothing to see")
    report.trials("sorting on disk, before each call", calls if options.full else calls[:2] + spread(calls[2:], 3), killing.at_call)
    world.close()


def aging(report, options):
    """Kills while old log dates are closed, settled and erased: of many at once, then of one in a night."""
    world = World.aging(options)
    for name, more, base, number, count in [
            ("settling many", " --settle", world.base, signal.SIGKILL, 16), ("settling one", "", world.settled, signal.SIGKILL, 12),
            ("settling one, SIGTERM", "", world.settled, signal.SIGTERM, 5)]:
        killing = Killing(world, f"run --date {MANY_DATES[-1]}{more}", base, number)
        places = killing.places()
        if not options.full:
            old = [call for call in places if ".settled" in call[2] or "/closed" in call[2] or call[0] == "unlink"]
            places = spread(old, count) + spread([call for call in places if call not in old], count // 4)
        report.trials(f"{name}, before each call that changes the output", places, killing.at_call)
    world.close()


if __name__ == "__main__":
    main()
