"""Many small log dates, of which the old ones are closed, settled and erased; and a search for ids that are left."""
import datetime
import glob
import hashlib
import json
import os
import re
import shutil
import struct
import tempfile
import uuid

from faults import Fault, World, dump

FIRST, COUNT, WINDOW, IDS = "2026-05-01", 26, 1, 10
# The log date that alone has ids that a search knows; but for TWIN, which the next one has too, so that caches hold it.
PLANTED = 4
TWIN = "5eedfeedbeef4321"
HEX, UUID, OPAQUE = "5eedfacecafe1234", "5eed4c1e-7b1d-4f6e-9a53-0badc0ffee11", "planted-opaque-id-5eed"

PIPELINE = """version: 1
timezone: {timezone}
output: out
dedup: {{window_days: {window}}}
limits: {{reject_ratio: 0.5}}
{retention}sources:
{sources}
"""
SOURCES = [
    "  - {name: adobe, format: collector, require_mcid: false, files: 'collector/%Y-%m-%d/*'}",
    "  - {name: braze, format: users_track, files: 'braze/%Y-%m-%d/*', required: false, actions: {tapped: click, opened: open}}",
]


def day(number):
    """The log date of a number, from 0 on."""
    return str(datetime.date.fromisoformat(FIRST) + datetime.timedelta(days=number))


def hit(date, id, action, minute, delivery="d57fd6"):
    time = datetime.date.fromisoformat(date).strftime("%d/%b/%Y")
    return (f'192.0.2.1 - - [{time}:10:{minute:02}:00 +0000] "GET /r/?id=h{id},{delivery},{action} HTTP/1.1" '
            f'200 0 "-" "Android"\n')


def without_history(tables):
    """Tables that do not tell of commands, of what was published and of the program's version."""
    return [(name, [row for row in rows if name != "about" or row[0] != "version"])
            for name, rows in tables if name != "publication"]


class OldDates(World):
    """Logs of log dates that share messages with those just within and just out of reach, and an output with all of them but
    the last `unloaded`, as one without `retention` loads them."""

    def __init__(self, options, count=COUNT, unloaded=1):
        self.folder = options.folder or tempfile.mkdtemp(prefix="pushetl-faults-")
        self.keeps = bool(options.folder)
        self.count = count
        self.dates = [day(number) for number in range(count)]
        self.logs = os.path.join(self.folder, "logs")
        os.makedirs(self.folder, exist_ok=True)
        shutil.copy(options.pushetl, self.program)
        for number in range(count):
            self.write_logs(number)
        self.write_pipeline()
        self.write_pipeline("plain.yaml", ids=None)
        self.base = os.path.join(self.folder, "base")
        self.expect(0, self.run(
            f"backfill --from {day(0)} --to {day(count - 1 - unloaded)} --pipeline {self.logs}/plain.yaml", self.base))

    def copy(self, name):
        """Another world of the same logs and outputs, whose logs may be changed."""
        world = OldDates.__new__(OldDates)
        world.__dict__ = {**self.__dict__, "folder": os.path.join(self.folder, name)}
        world.logs = os.path.join(world.folder, "logs")
        shutil.copytree(self.logs, world.logs)
        os.link(self.program, world.program)
        return world

    def write_logs(self, number, more=""):
        date = day(number)
        # Messages of its own, and some that the dates 1 to 3 before and after have too, each date with another action.
        ids = [f"{(number + 1) * 4096 + own:x}" for own in range(5)] + [f"{7 * 2 ** 40 + number + other:x}" for other in range(4)]
        text = "".join(hit(date, id, action, (number * 7 + at + action) % 60, f"d{at % 2 + 1}")
                       for at, id in enumerate(ids) for action in ((7, 1), (1, 2), (7,))[(number + at) % 3])
        events = [{"name": "opened", "time": f"{date}T1{at}:00:00Z", "properties": {"broadlogId": id, "deliveryId": "d1"}}
                  for at, id in enumerate([ids[0], ids[6], str(uuid.UUID(int=number // 2 + 1)), f"opaque {number // 3}"])]
        if number in (PLANTED, PLANTED + 1):
            text += hit(date, TWIN, 2, 52)
        if number == PLANTED:
            text += "".join(hit(date, id, action, 50) for id in (HEX, UUID) for action in (7, 2))
            # One that is rejected: details of rejects tell of ids too.
            text += hit(date, HEX, 1, 51).replace("10:51", "10:99") + f'nonsense {HEX} {UUID}\n'
            events += [{"name": "tapped", "time": f"{date}T15:00:00Z", "properties": {"broadlogId": id, "deliveryId": "d2"}}
                       for id in (OPAQUE, UUID)]
        self.write(f"collector/{date}/a.log", text + more)
        self.write(f"braze/{date}/a.json", json.dumps({"events": events}) + "\n")

    def write(self, name, text):
        path = os.path.join(self.logs, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def write_pipeline(self, name="push.yaml", ids=IDS, window=WINDOW, timezone="UTC", sources=SOURCES):
        retention = "" if ids is None else f"retention: {{ids: {ids}}}\n"
        return self.write(name, PIPELINE.format(
            retention=retention, window=window, timezone=timezone, sources="\n".join(sources)))

    def words(self, command, output):
        if "--pipeline" in command:
            return [self.program, *command.split(), "--output", output]
        return super().words(command, output)

    def plain(self, command, output):
        """The same command without `retention`."""
        return self.run(f"{command} --pipeline {self.logs}/plain.yaml".replace(" --settle", ""), output)

    def tables(self, output):
        return without_history(dump(output))

    def settled(self):
        """An output in which all but the last log date are loaded, and the old ones are erased."""
        output = self.fresh("settled")
        self.expect(0, self.run(f"run --date {day(self.count - 2)} --settle", output))
        return output

    def reference(self, command):
        """What push.db says after a command in an output that keeps all ids."""
        output = self.fresh("plain")
        self.expect(0, self.plain(command, output))
        return self.tables(output)

    def check_erased(self, output, last):
        """The log dates up to the one numbered `last` have no ids, and those after it do."""
        found = self.loaded(output)
        if found != [date for date in self.dates[last + 1:] if date in found] or day(last + 1) not in found:
            raise Fault(f"ids are there of {found[0]} to {found[-1]}")
        settled = glob.glob(os.path.join(output, "partitions", "*.settled.sqlite"))
        if len(settled) < last + 1 or not os.path.exists(os.path.join(output, "partitions", "closed")):
            raise Fault(f"{len(settled)} settled files")
        if left := traces(output):
            raise Fault(f"ids are left: {left}")


# As partitions hold them: an opaque id by its hash.
NUMBERS = (int(HEX, 16), int(TWIN, 16), uuid.UUID(UUID).int,
           int.from_bytes(hashlib.sha256(OPAQUE.encode()).digest()[:16], "big"))


def needles():
    """The planted ids as bytes, by what they are."""
    found = {}
    for name, number, size in zip(("hex", "twin", "uuid", "opaque"), NUMBERS, (8, 8, 16, 16)):
        big = number.to_bytes(size, "big")
        found[f"{name}, big-endian"], found[f"{name}, little-endian"] = big, big[::-1]
        # Words of 8 bytes, each little-endian.
        found[f"{name}, words"] = b"".join(big[at:at + 8][::-1] for at in range(0, size, 8))
    for text in (HEX, TWIN, UUID, UUID.replace("-", ""), OPAQUE):
        found[text] = text.encode()
        found[text + ", UTF-16"] = text.encode("utf-16-le")
    return found


# What the header of a block of events has after its hash: the numbers of events and messages, two flags, widths in bits.
HEADER = re.compile(rb"(?=([^\0].|.[^\0])\0\0([^\0].|.[^\0])\0\0[\0\1]{2}[\0-\x40]{9}\0)", re.DOTALL)


def decoded(content):
    """The ids of all that looks like a block of events, wherever it lies."""
    for found in HEADER.finditer(content):
        at = found.start() - 8
        events, messages = struct.unpack("<II", content[at + 8:at + 16])
        widths = content[at + 18:at + 27]
        if at < 0 or not messages <= events <= 4096 or len(content) < at + 64:
            continue
        high, low = struct.unpack("<QQ", content[at + 36:at + 52])
        yield high << 64 | low
        is_wide, start = content[at + 16] == 1, at + 64 + 2 * ((events + 7) // 8)
        columns = []
        for width in widths[:2]:
            size = ((messages - 1) * width + 7) // 8
            bits = int.from_bytes(content[start:start + size], "little")
            columns.append([bits >> number * width & (1 << width) - 1 for number in range(messages - 1)])
            start += size
        for more_high, more_low in zip(*columns):
            high = (high + more_high) % 2 ** 64
            low = more_low if is_wide else (low + more_low) % 2 ** 64
            yield high << 64 | low


def traces(output):
    """Where under an output one of the planted ids is: as text, as bytes, in what looks like a block of events; in a file's
    name; in all tables of a database, free pages included, since files are searched as bytes."""
    found, wanted = [], needles()
    for folder, folders, names in os.walk(output):
        for name in folders + names:
            path = os.path.join(folder, name)
            content = name.encode() + b"\n"
            if name in names:
                with open(path, "rb") as file:
                    content += file.read()
            lower = content.lower()
            where = [what for what, bytes in wanted.items() if bytes in content or bytes in lower]
            if set(NUMBERS).intersection(decoded(content)):
                where.append("a block of events")
            if where:
                found.append(f"{os.path.relpath(path, output)}: {', '.join(where)}")
    return sorted(found)


def explained(world, output, id):
    """How many events `explain` finds, in a copy."""
    copy = world.fresh(os.path.basename(output) + "-explained", output)
    outcome = world.run(f"explain {id} --json", copy)
    shutil.rmtree(copy)
    world.expect(0, outcome)
    return sum(len(message["events"]) for message in json.loads(outcome.stdout)["messages"])
