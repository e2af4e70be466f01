#!/usr/bin/env python3
"""Runs pushetl on file systems that are too small, each a little larger than the one before.

    python3 Tests/Faults/full-disk.py .build/release/pushetl [--full]

As root, with a small tmpfs for the output. The command must end with 74 and a sentence; a reader sees the former
state; with more room the same command does the rest. So does an export, of which every file is whole. Then once more
with a sort on disk that finds no room, and with a command that settles and erases old log dates.
"""
import contextlib
import os
import shutil
import sqlite3
import subprocess

from faults import DATES, MANY_DATES, Case, Fault, Report, World, arguments, leftovers, spread, tree

PAGE = 4096


class SmallDisk:
    """A tmpfs of so many bytes."""

    def __init__(self, folder, size):
        self.folder, self.size = folder, size

    def __enter__(self):
        os.makedirs(self.folder, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.size}", "tmpfs", self.folder], check=True)
        return self

    def __exit__(self, *_):
        # Lazily: a mount may be held for a moment by what copies the table of mounts.
        subprocess.run(["umount", "-l", self.folder], check=True)
        os.rmdir(self.folder)

    def grow(self, size):
        subprocess.run(["mount", "-o", f"remount,size={size}", self.folder], check=True)


def may_mount(folder):
    """Whether we are root, and the system lets root mount."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        return False
    os.makedirs(folder, exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], stderr=subprocess.DEVNULL)
    if mounted.returncode == 0:
        subprocess.run(["umount", folder], check=True)
    return mounted.returncode == 0


def bytes_of(folder):
    """What a folder takes on a tmpfs: whole pages."""
    return sum(-(-os.path.getsize(os.path.join(at, name)) // PAGE) * PAGE
               for at, _, names in os.walk(folder) for name in names)


class Filling(Case):
    # Somebody has changed push.db in one of them.
    may_warn = True

    def with_room(self, room, index):
        """`room` bytes beside what is there already."""
        there = bytes_of(self.base) if self.base else 0
        with SmallDisk(os.path.join(self.world.folder, f"disk-{index}"), there + room) as disk:
            output = os.path.join(disk.folder, "output")
            if self.base:
                shutil.copytree(self.base, output)
            try:
                return self.fill(disk, output)
            except Fault as fault:
                raise Fault(f"with room for {room} bytes: {fault}") from fault

    def fill(self, disk, output):
        outcome = self.world.run(self.command, output)
        is_new, is_undone = self.look(output, f"; {outcome}")
        if is_undone:
            raise Fault("a journal was left behind")
        if outcome.exit not in (0, 74) or outcome.exit == 0 and not is_new:
            raise Fault(f"74 was expected, but: {outcome}")
        sentences = ["the disk is full", "no space left", "must be made anew, which takes about"]
        if outcome.exit == 74 and not any(sentence in outcome.stderr for sentence in sentences):
            raise Fault(f"no sentence about the disk; {outcome}")
        left = leftovers(output, may_wait=outcome.exit != 0)
        if left:
            raise Fault(f"temporary files are left: {left}")
        disk.grow(1 << 30)
        self.finish(output)
        return f"exit {outcome.exit}"


class Exporting:
    """An export of the tables as CSV files onto a disk that is too small."""

    def __init__(self, world):
        self.world = world
        self.output = world.fresh("exported")
        self.whole = os.path.join(world.folder, "whole")
        world.expect(0, world.run(f"export csv --out {self.whole}", self.output))
        self.files = tree(self.whole)

    def with_room(self, room, index):
        with SmallDisk(os.path.join(self.world.folder, f"disk-{index}"), room) as disk:
            out = os.path.join(disk.folder, "csv")
            outcome = self.world.run(f"export csv --out {out}", self.output)
            if outcome.exit not in (0, 74) or outcome.exit == 74 and "no space left" not in outcome.stderr:
                raise Fault(f"with room for {room} bytes: {outcome}")
            files = tree(out)
            if any(self.files.get(name) != content for name, content in files.items()):
                raise Fault(f"with room for {room} bytes: a file is not whole: {sorted(files)}")
            disk.grow(1 << 30)
            self.world.expect(0, self.world.run(f"export csv --out {out}", self.output))
            if tree(out) != self.files:
                raise Fault(f"with room for {room} bytes, then with more: other files")
            return f"exit {outcome.exit}"


def main():
    options = arguments(__doc__)
    report = Report()
    world = World(options)
    if not may_mount(os.path.join(world.folder, "disk")):
        print("skipped the full disk: it takes root, and the right to mount")
        world.close()
        report.end()
    for name, base in [("loaded before", world.base), ("nothing there", "")]:
        filling = Filling(world, f"run --date {DATES[-1]}", base)
        rooms = range(2 * PAGE, 100 * PAGE, PAGE)
        report.trials(f"{name}, a full disk", rooms if options.full else spread(rooms, 25), filling.with_room)
    # Changed by somebody, with a table and an index of his. Both are in the dump, so none of them may be lost.
    edited = world.fresh("edited", world.base)
    with contextlib.closing(sqlite3.connect(os.path.join(edited, "push.db"))) as database, database:
        database.executescript("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine'); CREATE INDEX mine ON"
                               " daily_actions (events); UPDATE days SET events = 0")
    filling = Filling(world, f"run --date {DATES[-1]}", edited)
    rooms = range(2 * PAGE, 400 * PAGE, PAGE)
    report.trials("a rebuild on a full disk", rooms if options.full else spread(rooms, 25), filling.with_room)
    exporting = Exporting(world)
    size = bytes_of(exporting.whole)
    rooms = range(2 * PAGE, size + 20 * PAGE, PAGE)
    report.trials("an export onto a full disk", rooms if options.full else spread(rooms, 15), exporting.with_room)
    world.close()
    world = World.spilling(options)
    filling = Filling(world, f"run --date {DATES[-1]} --memory 16M", "")
    rooms = [room << 20 for room in range(1, 40)]
    report.trials("sorting on a full disk", rooms if options.full else [1 << 20, 14 << 20], filling.with_room)
    world.close()
    world = World.aging(options)
    command = f"run --date {MANY_DATES[-1]}"
    for name, base, more, pages in [("settling many", world.base, " --settle", 300), ("settling one", world.settled, "", 150)]:
        filling = Filling(world, command + more, base)
        rooms = range(2 * PAGE, pages * PAGE, PAGE)
        report.trials(f"{name} on a full disk", rooms if options.full else spread(rooms, 25), filling.with_room)
    world.close()
    report.end()


if __name__ == "__main__":
    main()
