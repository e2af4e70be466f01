#!/usr/bin/env python3
"""Looks for ids that are left after they were erased, and tries to make pushetl erase too much or show wrong figures.

    python3 Tests/Faults/retention.py .build/release/pushetl [--full]

Recognisable ids of one log date are searched for in all files under an output, as text, as bytes and in blocks of events:
before they are erased they must be found, and afterwards not. Then what may happen to an output with `retention` in years:
clocks that are wrong, slips in the pipeline file, an archive that is not there, old files that come back. In each case
push.db says what an output says that keeps all ids, nothing is erased that should stay, and a sentence tells why.
"""
import os
import re
import shutil
import sqlite3

from faults import Fault, Report, arguments
from old_dates import COUNT, HEX, OPAQUE, PLANTED, SOURCES, TWIN, UUID, OldDates, day, explained, hit, traces

LAST = f"run --date {day(COUNT - 1)}"


def planted(world, _item, _index):
    """The ids of the planted log date are found, until they are erased."""
    output = world.fresh("planted")
    found = traces(output)
    partitions = [f"partitions/{day(PLANTED + number)}.sqlite" for number in range(2)]
    if [line.split(":")[0] for line in found if ".kept" not in line] != partitions:
        raise Fault(f"the search does not find what is there: {found}")
    for kind in (HEX, "uuid", "opaque", "a block of events"):
        if kind not in found[-2]:
            raise Fault(f"the search does not find {kind}: {found}")
    if not any("/.kept/" in line and "twin" in line for line in found):
        raise Fault(f"the search finds nothing in a cache: {found}")
    for id in (HEX, TWIN, UUID, OPAQUE):
        if not explained(world, output, id):
            raise Fault(f"explain does not find {id}")
    world.expect(0, world.run(LAST + " --settle", output))
    world.check_erased(output, COUNT - 11)
    for id in (HEX, TWIN, UUID, OPAQUE):
        if explained(world, output, id):
            raise Fault(f"explain finds {id}")
    return "found, then erased"


def free_pages(world, _item, _index):
    """The search finds what is only in the free pages of a database."""
    output = world.fresh("free")
    path = os.path.join(output, "partitions", f"{day(PLANTED)}.sqlite")
    for name in os.listdir(os.path.join(output, "partitions")):
        if name != os.path.basename(path):
            (shutil.rmtree if name == ".kept" else os.remove)(os.path.join(output, "partitions", name))
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA secure_delete = OFF; DROP TABLE events; DROP TABLE rejects")
    connection.close()
    if not any("a block of events" in line for line in traces(output)):
        raise Fault(f"the search finds nothing in free pages: {traces(output)}")
    return "found in free pages"


class Case:
    """An output with `retention`, and one that keeps all ids."""

    def __init__(self, world, name, is_settled=True, base=None):
        self.world, self.done = world.copy(name), []
        self.output = self.world.fresh("output", world.erased_base if is_settled else base)
        self.kept = self.world.fresh("kept", base)

    def pipelines(self, **settings):
        self.world.write_pipeline(**settings)
        self.world.write_pipeline("plain.yaml", **{**settings, "ids": None})

    def step(self, command, last, exit=0, says="", before=(), same=True):
        """One command. Afterwards the log dates up to the one numbered `last` have no ids, and `says` is on stderr. push.db says
        what it says where all ids are kept; with 78 or 74, or not `same`, what it said before."""
        former = self.world.tables(self.output)
        outcome = self.world.run(command, self.output, before=before)
        self.done.append(f"{' '.join([*before, command])} ({outcome.exit})")
        if outcome.exit != exit or not re.search(says, outcome.stderr) or outcome.stderr and not says:
            self.fail(f"exit {exit} and '{says}' were expected, but: {outcome}")
        wanted = former
        if same and exit not in (74, 78):
            self.world.plain(command, self.kept)
            wanted = self.world.tables(self.kept)
        if self.world.tables(self.output) != wanted:
            self.fail(f"other figures; {outcome}")
        first = self.world.loaded(self.output)[0]
        if first != day(last + 1):
            self.fail(f"{first} is the first log date with ids, and {day(last + 1)} was expected; {outcome}")

    def fail(self, text):
        raise Fault(f"{', then '.join(self.done)}: {text}")


# The number of the last erased log date: before the last one is loaded, and after it.
BEFORE, AFTER = COUNT - 12, COUNT - 11


def clock_ahead(world):
    case = Case(world, "ahead")
    case.step(LAST, AFTER, before=["faketime", "2036-01-01 12:00:00"])
    case.step(LAST, AFTER)


def clock_behind(world):
    case = Case(world, "behind")
    case.step(LAST, BEFORE, before=["faketime", "2016-01-01 12:00:00"])
    case.step(LAST, AFTER)


def future_log_date(world):
    case = Case(world, "future")
    case.world.write_logs(20_000)
    case.step(f"run --date {day(20_000)}", BEFORE)
    case.step(LAST, AFTER)


def fewer_days(world):
    """61 for 610."""
    case = Case(world, "fewer", is_settled=False)
    case.pipelines(ids=24)
    case.step(f"run --date {day(COUNT - 2)} --settle", 0)
    case.pipelines(ids=10)
    case.step(LAST, 0, exit=65, says="would be closed at once, so nothing is closed")
    case.pipelines(ids=24)
    case.step(LAST, 1)


def other_settings(world):
    """Settings that are fixed, changed for one night."""
    case = Case(world, "settings")
    for says, settings in [("dedup.window_days was 1", {"window": 2, "ids": 12}), ("window_days was 1", {"window": 0}),
                           ("timezone was UTC", {"timezone": "Europe/Madrid"}),
                           ("order of the sources was adobe, braze", {"sources": SOURCES[::-1]}),
                           ("order of the sources was adobe, braze", {"sources": SOURCES[1:]})]:
        case.pipelines(**settings)
        case.step(LAST, BEFORE, exit=78, says=says)
    case.pipelines()
    case.step(LAST, AFTER)


def narrow_window(world):
    """A smaller window for one night, when log dates are closed and none is settled."""
    case = Case(world, "narrow", is_settled=False, base="")
    case.pipelines(window=5, ids=20)
    case.step(f"backfill --from {day(0)} --to {day(13)}", -1)
    case.pipelines(window=1, ids=20)
    case.step(f"run --date {day(14)}", -1, exit=65, says="window_days was 5")
    case.pipelines(window=5, ids=20)
    case.step(f"run --date {day(14)}", -1)


def archive_away(world):
    case = Case(world, "archive")
    folder = os.path.join(case.world.logs, "collector")
    os.rename(folder, folder + ".away")
    case.step(LAST, BEFORE, exit=65, says="its folder is not there; nothing is closed")
    os.mkdir(folder)
    case.step(LAST, BEFORE, exit=65, says="has no file of any log date; nothing is closed")
    os.rmdir(folder)
    os.rename(folder + ".away", folder)
    case.step(LAST, AFTER)


def removed_and_put_back(world):
    case = Case(world, "removed")
    case.world.write_pipeline(ids=None)
    case.step(LAST, BEFORE)
    case.step(f"backfill --from {day(0)} --to {day(COUNT - 1)} --only all", BEFORE)
    case.pipelines()
    case.step(LAST, AFTER)


def older_dates(world):
    """Log dates from before the first one, and one that is closed since it is within reach of that."""
    case = Case(world, "older", is_settled=False, base="")
    case.step(f"backfill --from {day(12)} --to {day(COUNT - 1)} --settle", AFTER)
    case.step(f"backfill --from {day(0)} --to {day(10)}", AFTER)
    case.step(f"run --date {day(11)}", AFTER, exit=65, says="is closed: 2 new files were not loaded", same=False)


def first_lost(world):
    """The first log date has files and lacks the partition that it had."""
    case = Case(world, "lost", is_settled=False)
    os.remove(os.path.join(case.output, "partitions", f"{day(0)}.sqlite"))
    outcome = case.world.run(LAST + " --settle", case.output)
    if outcome.exit != 65 or "lacks the partition that it had" not in outcome.stderr:
        case.fail(f"the log dates in reach of a lost partition must not settle, but: {outcome}")
    case.world.run(f"run --date {day(0)}", case.output)
    case.step(LAST + " --settle", AFTER)


def put_back(world):
    """Partitions from a backup beside their settled files; then the one of a closed date, from another output."""
    case = Case(world, "back")
    for number in (0, PLANTED):
        shutil.copy(os.path.join(world.base, "partitions", f"{day(number)}.sqlite"), os.path.join(case.output, "partitions"))
    case.step(LAST, AFTER)
    if left := traces(case.output):
        case.fail(f"ids are left: {left}")


def waits_and_skips(world):
    """A log date in between that is stale, held back or missing, until it is passed."""
    for number, (says, more) in enumerate([("is stale", hit(day(12), "abc", 2, 3)), ("is held back", "nonsense\n" * 60),
                                           ("has files and is not loaded", "")]):
        # Of the one that is missing, push.db has never told.
        case = Case(world, f"waits-{number}", is_settled=False, base=None if more else "")
        case.world.write_logs(12, more)
        if says == "is held back":
            case.world.expect(65, case.world.run(f"run --date {day(12)}", case.output))
        if not more:
            case.step(f"backfill --from {day(0)} --to {day(11)}", 1)
            case.step(f"backfill --from {day(13)} --to {day(COUNT - 2)}", 1, exit=65, says=says)
        case.step(LAST + " --settle", 9, exit=65, says=f"{day(12)} {says}.*--skip {day(12)}")
        case.step(f"backfill --skip {day(12)}", AFTER, same=False)
        case.step(LAST, AFTER)


def forgotten(world):
    """A settled file is lost, and its figures are given up."""
    case = Case(world, "forgotten")
    os.remove(os.path.join(case.output, "partitions", f"{day(3)}.settled.sqlite"))
    case.step(LAST, BEFORE, exit=74, says=f"--forget {day(3)}")
    case.world.expect(0, case.world.run(f"backfill --forget {day(3)}", case.output))
    lacking = [row[0] for row in dict(case.world.reference(LAST))["partitions"]]
    lacking.remove(day(3))
    if [row[0] for row in dict(case.world.tables(case.output))["partitions"]] != lacking:
        case.fail("other log dates")
    case.step(f"run --date {day(3)}", AFTER, exit=65, says="is closed", same=False)


CASES = [clock_ahead, clock_behind, future_log_date, fewer_days, other_settings, narrow_window, archive_away,
         removed_and_put_back, older_dates, first_lost, put_back, waits_and_skips, forgotten]


def attempt(world, case, _index):
    try:
        case(world)
    except Fault as fault:
        raise Fault(f"{case.__name__}: {fault}") from fault
    return "as it should be"


def main():
    options = arguments(__doc__)
    report = Report()
    world = OldDates(options)
    world.erased_base = world.settled()
    for search in (planted, free_pages):
        report.trials(search.__doc__.rstrip("."), [None], lambda item, index, search=search: search(world, item, index))
    cases = [case for case in CASES if shutil.which("faketime") or not case.__name__.startswith("clock")]
    if cases != CASES:
        print("skipped the wrong clocks: faketime is missing")
    report.trials("what may happen", cases, lambda case, index: attempt(world, case, index))
    world.close()
    report.end()


if __name__ == "__main__":
    main()
