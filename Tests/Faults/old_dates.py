"""Many small log dates, of which the old ones are closed, settled and erased; and a search for ids that are left."""
import datetime
import glob
import json
import os
import shutil
import tempfile
import uuid

from faults import Fault, World, dump

FIRST, COUNT = "2026-05-01", 26
# The log date that alone has the id HEX, which is searched for.
PLANTED, HEX = 4, "5eedfacecafe1234"
# As text, and as a number in both orders of its bytes.
NEEDLES = [HEX.encode(), bytes.fromhex(HEX), bytes.fromhex(HEX)[::-1]]

PIPELINE = """version: 1
output: out
dedup: {window_days: 1}
limits: {reject_ratio: 0.5}
retention: {ids: 10}
sources:
  - {name: adobe, format: collector, require_mcid: false, files: 'collector/%Y-%m-%d/*'}
  - {name: braze, format: users_track, files: 'braze/%Y-%m-%d/*', required: false, actions: {opened: open}}
"""


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
    the last, as one without `retention` loads them."""

    def __init__(self, options):
        self.folder = options.folder or tempfile.mkdtemp(prefix="pushetl-faults-")
        self.keeps = bool(options.folder)
        self.dates = [day(number) for number in range(COUNT)]
        self.logs = os.path.join(self.folder, "logs")
        os.makedirs(self.folder, exist_ok=True)
        shutil.copy(options.pushetl, self.program)
        for number in range(COUNT):
            self.write_logs(number)
        self.write("push.yaml", PIPELINE)
        self.write("plain.yaml", PIPELINE.replace("retention: {ids: 10}\n", ""))
        self.base = os.path.join(self.folder, "base")
        self.expect(0, self.plain(f"backfill --from {day(0)} --to {day(COUNT - 2)}", self.base))

    def write_logs(self, number):
        date = day(number)
        # Messages of its own, and some that the dates 1 to 3 before and after have too, each date with another action.
        ids = [f"{(number + 1) * 4096 + own:x}" for own in range(5)] + [f"{7 * 2 ** 40 + number + other:x}" for other in range(4)]
        text = "".join(hit(date, id, action, (number * 7 + at + action) % 60, f"d{at % 2 + 1}")
                       for at, id in enumerate(ids) for action in ((7, 1), (1, 2), (7,))[(number + at) % 3])
        events = [{"name": "opened", "time": f"{date}T1{at}:00:00Z", "properties": {"broadlogId": id, "deliveryId": "d1"}}
                  for at, id in enumerate([ids[0], ids[6], str(uuid.UUID(int=number // 2 + 1)), f"opaque {number // 3}"])]
        if number == PLANTED:
            # One that is rejected too: details of rejects tell of ids.
            text += hit(date, HEX, 7, 50) + hit(date, HEX, 1, 51).replace("10:51", "10:99")
        self.write(f"collector/{date}/a.log", text)
        self.write(f"braze/{date}/a.json", json.dumps({"events": events}) + "\n")

    def write(self, name, text):
        path = os.path.join(self.logs, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

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
        self.expect(0, self.run(f"run --date {day(COUNT - 2)} --settle", output))
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


def traces(output):
    """The files under an output that have the planted id, or are named after its log date; but for its settled file."""
    found = []
    for folder, _, names in os.walk(output):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                content = file.read()
            is_named = name.startswith(day(PLANTED)) and not name.endswith(".settled.sqlite")
            if is_named or any(needle in content for needle in NEEDLES):
                found.append(os.path.relpath(path, output))
    return sorted(found)
