#!/usr/bin/env python3
"""Damages push.db and partitions, and sees whether the next command notices, says so and puts it right.

    python3 Tests/Faults/damage.py .build/release/pushetl [--full]

push.db: SQL of other tools, files that are cut, emptied or overwritten, and flipped bytes; then a command that has
nothing to load, or one that loads a date. It must leave what an undisturbed output has, with a warning wherever a reader
could have seen a difference, and the command after it must have nothing to say. Tables, views and indexes of others stay
where the file can be kept. The same without what was kept of the last command.

Partitions: flipped bytes. One backfill must leave the figures of an undisturbed output; so must a run that finds the
damage and a backfill after it, and between the two `status` shows the date as damaged.

Settled files, the record of closed log dates, and partitions whose ids settled dates need: flipped bytes, files that are cut,
removed, or swapped with another's. The next command ends with 74 or 65 and a sentence that names the file, and push.db says
what it said, or what is right. With the file back from a copy the command does its work.
"""
import glob
import os
import random
import re
import shutil
import sqlite3

from faults import DATES, Fault, Report, World, arguments, dump, leftovers
from old_dates import COUNT, OldDates, day, hit

NOTHING = "run --date 2026-01-01"
BACKFILL = f"backfill --from {DATES[0]} --to {DATES[1]}"
WARNING = re.compile(r"^warning: .*/push\.db: (was changed by something else|could not be used)", re.M)

# What other tools do to push.db, and whether the file stays with what they have added.
EDITS = {
    "rows edited": "UPDATE daily_actions SET events = events + 1 WHERE day = (SELECT max(day) FROM daily_actions)",
    "a rate edited": "UPDATE daily_funnel SET opened_of_messages = 0.123456 WHERE messages = (SELECT max(messages) FROM daily_funnel)",
    "a number as a text": "PRAGMA writable_schema = ON; UPDATE days SET events = 'many'",
    "a text as a blob": "UPDATE files SET path = CAST(path AS BLOB)",
    "a day deleted": "DELETE FROM daily_funnel WHERE day = (SELECT max(day) FROM daily_funnel)",
    "all rows deleted": "DELETE FROM daily_actions; DELETE FROM daily_funnel; DELETE FROM days",
    "a row added": "INSERT INTO days SELECT '2031-01-01', '2031-01-01 00:00:00', 0, NULL, 1, 1, 0, 0",
    "publication emptied": "DELETE FROM publication",
    "help edited": "UPDATE columns_help SET description = 'who knows'",
    "a table dropped": "DROP TABLE outcomes",
    "a daily table dropped": "DROP TABLE daily_actions",
    "hours edited": "UPDATE hourly_actions SET events = events + 1 WHERE hour = (SELECT max(hour) FROM hourly_actions)",
    "a fact edited": "UPDATE about SET value = 7 WHERE key = 'window_days'",
    "all tables dropped": "".join(f"DROP TABLE {name};" for name in [
        "daily_actions", "daily_funnel", "daily_totals", "hourly_actions", "daily_lateness", "daily_paths", "days",
        "calendar", "about", "partitions", "files", "outcomes", "runs", "changes", "loads", "publication", "columns_help"]),
    "a table made a view": "ALTER TABLE days RENAME TO days_of_old; CREATE VIEW days AS SELECT * FROM days_of_old",
    "a column added": "ALTER TABLE daily_actions ADD COLUMN note TEXT",
    "a column dropped": "ALTER TABLE daily_actions DROP COLUMN duplicates",
    "a column of runs dropped": "ALTER TABLE runs DROP COLUMN records",
    "a trigger": "CREATE TABLE log (text); CREATE TRIGGER spy AFTER INSERT ON days BEGIN INSERT INTO log VALUES ('x'); END",
    "another application": "PRAGMA application_id = 1",
    "an older version": "PRAGMA user_version = 1",
    "WAL mode": "PRAGMA journal_mode = WAL",
}
ADDED = """
    CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine'); CREATE INDEX notes_by_text ON notes (text);
    CREATE VIEW opens AS SELECT day, sum(events) FROM daily_actions WHERE action = 'open' GROUP BY day;
    CREATE INDEX days_by_events ON days (events)
"""
OTHERS = ["days_by_events", "notes", "notes_by_text", "opens"]


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


def edit(path, sql):
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.commit()
    connection.close()


def readable(output):
    """What a reader sees; a text if it sees nothing right."""
    try:
        return dump(output)
    except Fault as fault:
        return str(fault)


def others(output):
    connection = sqlite3.connect(os.path.join(output, "push.db"))
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    fine = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    if fine != [("ok",)]:
        raise Fault(f"push.db is damaged still: {fine}")
    return [name for name in OTHERS if name in found]


class Damage:
    def __init__(self, world):
        self.world = world
        self.loaded = world.fresh("loaded")
        world.expect(0, world.run(f"run --date {DATES[1]}", self.loaded))
        self.old, self.new = dump(world.base), dump(self.loaded)

    def output(self, name, base):
        return self.world.fresh(name, base)

    def of_push(self, item, index):
        """One damage of push.db, and the command after it."""
        what, loads, keeps = item
        base = self.world.base if loads else self.loaded
        before = self.old if loads else self.new
        output = self.output(f"damage-{index}", base)
        path = os.path.join(output, "push.db")
        if what in EDITS:
            edit(path, ADDED)
            # What is added is no fault.
            self.quiet(output, NOTHING)
        if not keeps:
            shutil.rmtree(os.path.join(output, "partitions", ".kept"))
        chance = random.Random(index)
        place = edit(path, EDITS[what]) if what in EDITS else (FILES.get(what) or flipped)(path, chance)
        seen = readable(output)
        try:
            outcome = self.world.run(f"run --date {DATES[1]}" if loads else NOTHING, output)
            self.check(what, outcome, output, seen != before, loads)
        except Fault as fault:
            raise Fault(f"{what} {'' if place is None else place} (trial {index}): {fault}") from fault
        shutil.rmtree(output)
        return "noticed" if WARNING.search(outcome.stderr) else "nothing to notice"

    def check(self, what, outcome, output, is_visible, loads):
        if outcome.exit != (0 if loads else 66):
            raise Fault(str(outcome))
        if without_notes(dump(output)) != self.new:
            raise Fault(f"the figures are not those of an undisturbed output; {outcome}")
        if len(WARNING.findall(outcome.stderr)) > 1 or is_visible and not WARNING.search(outcome.stderr):
            raise Fault(f"one warning was expected; {outcome}")
        found = others(output)
        # An index goes with its table, whoever drops that.
        wanted = OTHERS[1:] if what == "all tables dropped" else OTHERS
        if what in EDITS and found != wanted:
            raise Fault(f"of what others have added there is {found}; {outcome}")
        # A copy is kept of a file that could not be read, or had a column of others.
        left = [path for path in leftovers(output) if "/push.db.before-" not in path]
        if left:
            raise Fault(f"temporary files are left: {left}")
        self.quiet(output, NOTHING)

    def quiet(self, output, command):
        outcome = self.world.run(command, output)
        if WARNING.search(outcome.stderr):
            raise Fault(f"there is nothing to warn of any more; {outcome}")

    def of_partition(self, item, index):
        """A flipped byte of a partition."""
        date, command = item
        output = self.output(f"partition-{index}", self.loaded)
        path = os.path.join(output, "partitions", f"{date}.sqlite")
        place = flipped(path, random.Random(index))
        try:
            outcome = self.world.run(command, output)
            word = "concerns no figure"
            if command == NOTHING and dump(output) != self.new:
                status = self.world.run("status", output).stdout
                if not re.search(r"^  \d{4}-\d\d  .*D", status, re.M):
                    raise Fault(f"status does not show a damaged date:\n{status}")
                word = "shown as damaged, loaded again"
            elif "the database is damaged" in outcome.stderr or "loaded" in outcome.stdout:
                word = "loaded again at once"
            self.world.run(BACKFILL, output)
            if dump(output) != self.new:
                raise Fault(f"a backfill came to other figures; {self.world.run(BACKFILL, output)}")
        except Fault as fault:
            raise Fault(f"byte {place} of {date}.sqlite (trial {index}): {fault}") from fault
        shutil.rmtree(output)
        return word


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


def without_notes(tables):
    return [(name, rows) for name, rows in tables if name not in ["notes", "log", "days_of_old"]]


def main():
    options = arguments(__doc__)
    report = Report()
    world = World(options, records=100)
    damage = Damage(world)
    report.trials("edits, then nothing to load", [(what, False, True) for what in EDITS], damage.of_push)
    kept = list(EDITS) if options.full else list(EDITS)[::4]
    report.trials("edits, then a load", [(what, True, True) for what in kept], damage.of_push)
    # Without what was kept nobody knows what `publication` should say that is not there.
    unkept = [what for what in EDITS if what not in ["publication emptied", "an older version", "all tables dropped"]]
    report.trials("edits without what was kept", [(what, False, False) for what in unkept], damage.of_push)
    files = list(FILES) * (10 if options.full else 1)
    report.trials("files, then nothing to load", [(what, False, True) for what in files], damage.of_push)
    report.trials("files, then a load", [(what, True, True) for what in files], damage.of_push)
    flips = 1000 if options.full else 30
    items = [("flip", index % 10 >= 7, True) for index in range(flips)]
    report.trials("flipped bytes of push.db", items, damage.of_push)
    items = [("flip", False, False) for _ in range(flips // 3)]
    report.trials("flipped bytes of push.db without what was kept", items, damage.of_push)
    flips = 1300 if options.full else 24
    items = [(DATES[index % 2], BACKFILL if index % 4 < 2 else NOTHING) for index in range(flips)]
    report.trials("flipped bytes of partitions", items, damage.of_partition)
    world.close()
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
