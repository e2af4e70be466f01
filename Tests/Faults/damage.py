#!/usr/bin/env python3
"""Damages files of settled log dates, and sees whether the next command notices and says so.

    python3 Tests/Faults/damage.py .build/release/pushetl [--full]

Settled files, the record of closed log dates, and partitions whose ids settled dates need: flipped bytes, files that are cut,
removed, or swapped with another's. The next command ends with 74 or 65 and a sentence that names the file, and push.db says
what it said, or what is right. With the file back from a copy the command does its work.

What is done to push.db, to other partitions and to caches is tried by the random histories of ReferenceTests.
"""
import glob
import os
import random
import shutil

from faults import Fault, Report, arguments
from old_dates import COUNT, OldDates, day, hit


def overwritten(content):
    def damage(path, chance):
        with open(path, "wb") as file:
            file.write(content(os.path.getsize(path)) if callable(content) else content)
    return damage


def cut(path, chance):
    os.truncate(path, chance.randrange(1, os.path.getsize(path)))


def zeroed(path, chance):
    size = os.path.getsize(path)
    overwritten(bytes(size))(path, chance)


def page_zeroed(path, chance):
    with open(path, "r+b") as file:
        file.seek(4096 * chance.randrange(os.path.getsize(path) // 4096))
        file.write(bytes(4096))


def flipped(path, chance):
    place = chance.randrange(os.path.getsize(path))
    with open(path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1 << chance.randrange(8)]))
    return place


FILES = {
    "cut": cut, "zeroed": zeroed, "a page zeroed": page_zeroed, "emptied": overwritten(b""),
    "a text": overwritten(b"notes of last week\n" * 300), "a short text": overwritten(b"x"),
}


# Files that log dates need once some are settled: the first and the last settled one, the record, the partitions of a date that
# is settled and not erased, of one that is closed, and of one that is open.
SETTLED = [f"{day(0)}.settled.sqlite", f"{day(COUNT - 11)}.settled.sqlite", "closed"]
WITH_IDS = [f"{day(number)}.sqlite" for number in (COUNT - 11, COUNT - 10, COUNT - 9)]
# Which another file takes the place of a file: of another date, of another output, of another kind.
SWAPPED = [(name, other) for name in SETTLED[:2] for other in
           [f"settled/{day(1)}.settled.sqlite", f"other/{name}", f"settled/{day(COUNT - 9)}.sqlite"]] + [
               ("closed", "other/closed"), (f"{day(COUNT - 9)}.settled.sqlite", f"settled/{day(1)}.settled.sqlite")] + [
                   (name, other) for name in WITH_IDS for other in [f"settled/{day(COUNT - 8)}.sqlite", f"other/{name}",
                                                                    f"settled/{day(1)}.settled.sqlite"]]


class OldDamage:
    """Damages of what settled log dates consist of."""

    def __init__(self, world):
        self.world, self.base, self.command = world, world.settled(), f"run --date {day(COUNT - 1)}"
        self.old, self.new = world.tables(self.base), world.reference(self.command)
        # Another output, of other logs: each date has one more message.
        other = world.copy("other-world")
        for number in range(COUNT):
            other.write_logs(number, hit(day(number), "facade", 2, 3))
        self.other = world.fresh("other", "")
        world.expect(0, other.run(f"backfill --from {day(0)} --to {day(COUNT - 2)} --settle", self.other))

    def trial(self, item, index):
        """One damage, the command after it, and the command once the files are back."""
        name, what = item
        output = self.world.fresh(f"old-{index}", self.base)
        folder = os.path.join(output, "partitions")
        path, chance = os.path.join(folder, name), random.Random(index)
        if what == "removed":
            os.remove(path)
        elif "/" in what:
            shutil.copy(os.path.join(self.world.folder, what.replace("/", "/partitions/")), path)
        else:
            (FILES.get(what) or flipped)(path, chance)
        try:
            word = self.check(output, name)
            for kept in glob.glob(os.path.join(self.base, "partitions", "*.sqlite")) + [self.base + "/partitions/closed"]:
                shutil.copy(kept, folder)
            if os.path.exists(path) and not os.path.exists(os.path.join(self.base, "partitions", name)):
                os.remove(path)
            # The record is the former one too.
            for new in set(os.listdir(folder)) - set(os.listdir(os.path.join(self.base, "partitions"))):
                if new.endswith(".settled.sqlite"):
                    os.remove(os.path.join(folder, new))
            outcome = self.world.run(self.command, output)
            if outcome.exit != 0 or self.world.tables(output) != self.new:
                raise Fault(f"with the file back: {outcome}")
        except Fault as fault:
            raise Fault(f"{name}: {what} (trial {index}): {fault}") from fault
        shutil.rmtree(output)
        return word

    def check(self, output, name):
        outcome = self.world.run(self.command, output)
        found = self.world.tables(output)
        if outcome.exit == 0 and found == self.new:
            return "concerns no figure"
        # Of another output's record it is the settled files that are not those that it names.
        named = ".settled.sqlite" if name == "closed" and "/closed" not in outcome.stderr else name[:10]
        if outcome.exit not in (65, 74) or named not in outcome.stderr:
            raise Fault(f"74 or 65 and the file's name were expected, but: {outcome}")
        if not outcome.stderr.startswith(("error: ", "warning: ")):
            raise Fault(f"no sentence: {outcome}")
        for command in ("status", "doctor"):
            told = self.world.run(command, output)
            if told.exit not in (0, 65, 74):
                raise Fault(f"{command}: {told}")
        if found in (self.old, self.new):
            return f"exit {outcome.exit}"
        if name == WITH_IDS[2] and outcome.exit == 65 and "ids from" in outcome.stderr:
            return "exit 65, an open log date waits"
        # A damaged partition is left out, and nothing else changes than what its log date has a part in.
        if name in WITH_IDS and "damaged" in outcome.stderr and not any(row[0] == name[:10] for row in dict(found)["partitions"]):
            return f"exit {outcome.exit}, left out"
        raise Fault(f"other figures; {outcome}")


def main():
    options = arguments(__doc__)
    report = Report()
    world = OldDates(options)
    old = OldDamage(world)
    kinds = ["removed", *FILES]
    items = [(name, kind) for name in SETTLED + WITH_IDS for kind in (kinds if options.full else kinds[:3])] + SWAPPED
    items += [(name, "flipped") for name in (SETTLED + WITH_IDS) * (100 if options.full else 4)]
    report.trials("settled log dates, files damaged, removed or swapped", items, old.trial)
    world.close()
    report.end()


if __name__ == "__main__":
    main()
