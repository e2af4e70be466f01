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
from old_dates import (COUNT, HEX, OPAQUE, PLANTED, SOURCES, TWIN, UUID, OldDates, day, explained, hit, needles, traces)

LAST = f"run --date {day(COUNT - 1)}"


def planted(world, _item, _index):
    """The ids of the planted log date are found, until they are erased."""
    output = world.fresh("planted")
    found = traces(output)
    partitions = [f"partitions/{day(PLANTED + number)}.sqlite" for number in range(2)]
    if [line.split(":")[0] for line in found if ".kept" not in line] != partitions:
        raise Fault(f"the search does not find what is there: {found}")
    for kind in ("hex", "uuid", "opaque", "a block of events"):
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
