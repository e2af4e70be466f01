#!/usr/bin/env python3
"""Runs pushetl beside readers of push.db.

    python3 Tests/Faults/readers.py .build/release/pushetl [--full]

Twenty readers look while a date is loaded again and again: none sees an error, nor figures that are of no publication.
The random histories run two commands at once, and a command while a reader stays.
"""
import multiprocessing
import os
import sqlite3
import time

from faults import DATES, Case, Fault, Report, World, arguments

READERS = 20

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


def loads_beside_readers(case, rounds):
    """Two states of one date, loaded in turn, while twenty readers look."""
    output = case.world.fresh("read")
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
    log = os.path.join(case.world.logs, "collector", DATES[-1], "host2.log.gz")
    try:
        for round in range(rounds):
            if round % 2:
                os.rename(log, log + ".held")
            outcome = case.world.run(f"run --date {DATES[-1]}", output)
            if round % 2:
                os.rename(log + ".held", log)
            case.world.expect(0, outcome)
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
    case.check(output)
    reads = sum(count for _, count, _, _ in found)
    print(f"  {rounds} publications, the slowest command {slowest:.1f} s; {reads} reads of "
          f"{len({figures for seen, *_ in found for figures in seen})} publications, "
          f"the longest {max(longest for _, _, longest, _ in found):.2f} s")
    return "no wrong figure"


def main():
    options = arguments(__doc__)
    report = Report()
    world = World(options, records=4000)
    case = Case(world, f"run --date {DATES[-1]}")
    report.trials(f"a run and {READERS} readers", [61 if options.full else 9],
                  lambda rounds, index: loads_beside_readers(case, rounds))
    world.close()
    report.end()


if __name__ == "__main__":
    main()
