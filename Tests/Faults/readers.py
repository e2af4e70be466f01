#!/usr/bin/env python3
"""Runs pushetl beside readers of push.db.

    python3 Tests/Faults/readers.py .build/release/pushetl [--full]

Twenty readers look while a date is loaded again and again: none sees an error, nor figures that are of no publication.
The random histories run two commands at once, and a command while a reader stays.
"""
import concurrent.futures
import os
import time

from faults import DATES, Case, Fault, HotJournal, Report, World, arguments, dump

READERS = 20


def read_on(output, stop):
    """A reader: opens push.db read-only, reads all in one transaction, closes, until there is a file `stop`. Gives what it has
    seen, how often it has looked, and how long at most."""
    found, count, longest = set(), 0, 0.0
    while not os.path.exists(stop):
        begin = time.monotonic()
        try:
            found.add(repr(dump(output)))
        except HotJournal as error:
            raise Fault("a reader found a journal that only a writer could undo") from error
        longest = max(longest, time.monotonic() - begin)
        count += 1
        time.sleep(0.01)
    return found, count, longest


def loads_beside_readers(case, rounds):
    """Two states of one date, loaded in turn, while twenty readers look."""
    output = case.world.fresh("read")
    known = {repr(dump(output))}
    stop = output + ".stop"
    slowest = 0.0
    log = os.path.join(case.world.logs, "collector", DATES[-1], "host2.log.gz")
    with concurrent.futures.ProcessPoolExecutor(READERS) as pool:
        readers = [pool.submit(read_on, output, stop) for _ in range(READERS)]
        try:
            for round in range(rounds):
                if round % 2:
                    os.rename(log, log + ".held")
                outcome = case.world.run(f"run --date {DATES[-1]}", output)
                if round % 2:
                    os.rename(log + ".held", log)
                case.world.expect(0, outcome)
                slowest = max(slowest, outcome.seconds)
                known.add(repr(dump(output)))
        finally:
            open(stop, "w").close()
        found = [reader.result() for reader in readers]
    if not set.union(*(seen for seen, *_ in found)) <= known:
        raise Fault("a reader saw figures that are of no publication")
    if len(known) != 3:
        raise Fault(f"{len(known)} publications instead of 3: there is nothing to see")
    case.check(output)
    reads = sum(count for _, count, _ in found)
    print(f"  {rounds} publications, the slowest command {slowest:.1f} s; {reads} reads of "
          f"{len(set.union(*(seen for seen, *_ in found)))} publications, "
          f"the longest {max(longest for _, _, longest in found):.2f} s")
    return "no wrong figure"


def main():
    options = arguments(__doc__)
    report = Report()
    world = World(options)
    case = Case(world, f"run --date {DATES[-1]}")
    report.trials(f"a run and {READERS} readers", [61 if options.full else 9],
                  lambda rounds, index: loads_beside_readers(case, rounds))
    world.close()
    report.end()


if __name__ == "__main__":
    main()
