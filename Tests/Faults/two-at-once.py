#!/usr/bin/env python3
"""Runs pushetl beside itself and beside readers of push.db.

    python3 Tests/Faults/two-at-once.py .build/release/pushetl [--full] [--command '…'] [--other '…']

Two commands at once: one of them may end with 75, and says who holds the output and since when. Twenty readers while
dates are loaded again and again: none sees an error, nor figures that are of no publication. The lock of a killed
command is no lock. In full form also a reader that holds push.db longer than the 30 seconds that a publishing waits.
"""
import multiprocessing
import os
import re
import shutil
import signal
import sqlite3
import time

from faults import DATES, Case, Fault, Report, World, arguments, dump

READERS = 20
HELD = re.compile(r"another command is writing there \(pushetl (.*), process (\d+), since (\S+)\); try again")

# Sums that agree within a publication, and differ between any two of those that are made here.
SUMS = [
    "(SELECT group_concat(log_date || ' ' || records || ' ' || events) FROM partitions)",
    "(SELECT sum(accepted) FROM partitions)", "(SELECT count(*) FROM files)", "(SELECT sum(records) FROM outcomes)",
    "(SELECT sum(events) FROM daily_actions)", "(SELECT sum(duplicates) FROM daily_actions)",
    "(SELECT sum(events) FROM days)", "(SELECT sum(messages) FROM days)", "(SELECT sum(messages) FROM daily_funnel)",
]


def sums(connection):
    """Each sum by a statement of its own, all in one transaction, as a dashboard does it."""
    connection.execute("BEGIN")
    try:
        return tuple(connection.execute(f"SELECT {column}").fetchone()[0] for column in SUMS)
    finally:
        connection.execute("COMMIT")


def read_on(path, stop, results):
    """A reader: opens push.db read-only, reads, closes, until it is told to stop."""
    seen, count, longest = {}, 0, 0.0
    try:
        while not stop.is_set():
            begin = time.monotonic()
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None, timeout=10)
            seen[sums(connection)] = True
            connection.close()
            longest = max(longest, time.monotonic() - begin)
            count += 1
            time.sleep(0.01)
        results.put((list(seen), count, longest, None))
    except sqlite3.Error as error:
        results.put((list(seen), count, longest, repr(error)))


class Together(Case):
    def __init__(self, world, command, other):
        super().__init__(world, command)
        # The same where nothing is there yet: then another command would come to other figures.
        self.alone = Case(world, command, "")
        self.other = other or command

    def two_commands(self, round, index):
        """Both start at once: they take turns, or one is told who holds the output."""
        case = self.alone if round % 2 and self.other == self.command else self
        output = self.world.fresh(f"two-{index}", case.base)
        running = [self.world.start(command, output) for command in [self.command, self.other]]
        texts = [child.communicate() for child in running]
        exits = sorted(child.returncode for child in running)
        if exits not in ([0, 0], [0, 75]):
            raise Fault(f"exits {exits}: {texts}")
        for child, other, (_, stderr) in zip(running, reversed(running), texts):
            if child.returncode == 75:
                held = HELD.search(stderr)
                if not held or int(held[2]) != other.pid:
                    raise Fault(f"does not say who holds the output: {stderr}")
        case.check(output)
        shutil.rmtree(output)
        return "both 0" if exits == [0, 0] else "one 75"

    def holder(self, _, index):
        """A command that is stopped in its work holds the output; killed, it holds it no more."""
        output = self.world.fresh(f"held-{index}")
        lock = os.path.join(output, "partitions", ".lock")
        first = self.world.start(self.command, output)
        while not os.path.exists(lock) or not os.path.getsize(lock):
            if first.poll() is not None:
                raise Fault("the command ended before it could be stopped")
        first.send_signal(signal.SIGSTOP)
        second = self.world.run(self.command, output)
        held = HELD.search(second.stderr)
        if second.exit != 75 or not held or int(held[2]) != first.pid or held[1] != self.command:
            raise Fault(f"75 and the holder's name were expected, but: {second}")
        if abs(time.time() - time.mktime(time.strptime(held[3], "%Y-%m-%dT%H:%M:%SZ")) + time.timezone) > 60:
            raise Fault(f"the holder began now, not at {held[3]}")
        status = self.world.run("status", output)
        self.world.expect(0, status)
        first.kill()
        first.communicate()
        if not os.path.exists(lock):
            raise Fault("the dead holder left no lock: there is nothing to see")
        self.world.expect(0, self.world.run(self.command, output))
        self.check(output)
        shutil.rmtree(output)
        return "held, then free"

    def readers(self, rounds, index):
        """Two states of one date, loaded in turn, while twenty readers look."""
        output = self.world.fresh("read")
        path = os.path.join(output, "push.db")
        known = {}

        def look(at):
            connection = sqlite3.connect(f"file:{os.path.join(at, 'push.db')}?mode=ro", uri=True, isolation_level=None)
            known[sums(connection)] = True
            connection.close()

        look(output)
        stop, results = multiprocessing.Event(), multiprocessing.Queue()
        children = [multiprocessing.Process(target=read_on, args=(path, stop, results)) for _ in range(READERS)]
        for child in children:
            child.start()
        slowest = 0.0
        log = os.path.join(self.world.logs, "collector", DATES[-1], "host2.log.gz")
        try:
            for round in range(rounds):
                if round % 2:
                    os.rename(log, log + ".held")
                outcome = self.world.run(f"run --date {DATES[-1]}", output)
                if round % 2:
                    os.rename(log + ".held", log)
                self.world.expect(0, outcome)
                slowest = max(slowest, outcome.seconds)
                look(output)
        finally:
            stop.set()
            found = [results.get(timeout=60) for _ in children]
            for child in children:
                child.join()
        for seen, _, _, error in found:
            if error:
                raise Fault(f"a reader saw an error: {error}")
            for figures in seen:
                if figures not in known:
                    raise Fault(f"a reader saw {figures}, which is of no publication: {list(known)}")
        if len(known) != 3:
            raise Fault(f"{len(known)} publications instead of 3: there is nothing to see")
        self.check(output)
        reads = sum(count for _, count, _, _ in found)
        print(f"  {rounds} publications, the slowest command {slowest:.1f} s; {reads} reads of "
              f"{len({figures for seen, *_ in found for figures in seen})} publications, "
              f"the longest {max(longest for _, _, longest, _ in found):.2f} s")
        return "no wrong figure"

    def stubborn_reader(self, _, index):
        """A reader that stays: 75 after 30 seconds, the partition is in place, and the next command publishes it."""
        output = self.world.fresh("stubborn")
        path = os.path.join(output, "push.db")
        old = dump(output)
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM days").fetchone()
        outcome = self.world.run(self.command, output)
        if outcome.exit != 75 or outcome.seconds < 29 or "the next command publishes them" not in outcome.stderr:
            raise Fault(f"75 after 30 s was expected, but: {outcome.seconds:.0f} s, {outcome}")
        connection.execute("COMMIT")
        connection.close()
        if dump(output) != old:
            raise Fault("the former state is not there any more")
        unpublished = self.world.run("status", output).stdout
        if "unpublished" not in unpublished:
            raise Fault(f"status does not say that a partition is unpublished: {unpublished}")
        self.world.expect(0, self.world.run(f"run --date {DATES[0]}", output))
        self.check(output)
        return "75 after 30 s"


def main():
    options = arguments(
        __doc__, command=(f"run --date {DATES[-1]}", "the command to run"),
        other=("", "a command to run beside it that comes to the same"))
    report = Report()
    world = World(options, records=4000)
    together = Together(world, options.command, options.other)
    report.trials("two commands at once", range(100 if options.full else 12), together.two_commands)
    report.trials("a holder, then a dead one", range(30 if options.full else 4), together.holder)
    report.trials(f"a run and {READERS} readers", [61 if options.full else 9], together.readers)
    if options.full:
        report.trials("a reader that stays", [1], together.stubborn_reader)
    world.close()
    report.end()


if __name__ == "__main__":
    main()
