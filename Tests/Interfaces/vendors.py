#!/usr/bin/env python3
"""A company's month as exports of OneSignal, Airship and Braze Currents (its HTTP bodies, and its storage as JSON), beside the
same month as Adobe's hits, iPhones' arrivals and a delivery file, as loggen writes them. The repository's pipelines must come to
the same funnel by day, platform and delivery for the actions that a vendor has, to what was sent and failed by the delivery file,
and to its names.

    python3 Tests/Interfaces/vendors.py .build/release/pushetl [--records 700] [--seed 1]

A vendor has an event for each hit, also for one that comes twice, and a send at the time at which Adobe first hears of a message.
What Adobe cannot know is counted while it is written: messages of which no device speaks, and how long after its send a message
was opened that was neither seen nor arrived.
"""
import argparse
import collections
import csv
import datetime
import glob
import gzip
import hashlib
import json
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import urllib.parse
import zoneinfo
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADRID = zoneinfo.ZoneInfo("Europe/Madrid")
FIRST, LAST = datetime.date(2026, 10, 20), datetime.date(2026, 11, 19)
DATES = [FIRST + datetime.timedelta(days) for days in range((LAST - FIRST).days + 1)]
CODES = {"1": "open", "2": "click", "7": "impression", "3": "button_1", "4": "button_2", "5": "button_close"}
HIT = re.compile(r'.* \[(.*?)\] "GET /r/\?id=h(\w+),(\w+),(\d)(?:&\S*)? HTTP/1\.1" [23]\d\d .*"(.*)"\n')
DELAYS = {"10s": 10, "1m": 60, "5m": 300, "15m": 900, "30m": 1800, "1h": 3600, "2h": 7200, "6h": 21600, "12h": 43200,
          "24h": 86400, "72h": 259200, "7d": 604800}
FUNNEL = ["messages", "sent", "failed", "arrived", "opened", "opened_seen", *("opened_" + name for name in DELAYS)]

# `time` is in milliseconds.
Event = collections.namedtuple("Event", "action message delivery platform time")


def day_of(time, zone=MADRID):
    return datetime.datetime.fromtimestamp(time // 1000, zone).date()


def milliseconds(time):
    return int(time.timestamp()) * 1000


# What Adobe has

def hits(path):
    times = {}
    with gzip.open(path, "rt") as file:
        for match in filter(None, map(HIT.fullmatch, file)):
            time, message, delivery, code, agent = match.groups()
            if time not in times:
                times[time] = milliseconds(datetime.datetime.strptime(time, "%d/%b/%Y:%H:%M:%S %z"))
            platform = "android" if "Android" in agent else "ios" if re.search("CPU |CFNetwork", agent) else "unknown"
            yield Event(CODES[code], message, delivery, platform, times[time])


def arrivals(path, date):
    with gzip.open(path, "rt") as file:
        for line in file:
            content = json.loads(urllib.parse.unquote_plus(line.removeprefix("mzip=")))["log_content"]
            data, time = content["data"], content["time"]
            if content["type"] == 1 and data.get("_acsDeliveryTracking") != "off":
                # The clock of an old device gives no time of these days. The log date's start stands for it.
                if time < 10**11:
                    time = milliseconds(datetime.datetime.combine(date, datetime.time(), MADRID))
                yield Event("arrival", data["_mId"].removeprefix("h"), data["_dId"], "ios", time)


class Month:
    def __init__(self, folder):
        # By log date.
        self.events = {date: [] for date in DATES}
        # What Adobe does not know: (day, platform, delivery) → column of the funnel → messages.
        self.more = collections.defaultdict(collections.Counter)
        with open(f"{folder}/deliveries/campaigns.csv", newline="") as file:
            self.deliveries = [row for row in csv.DictReader(file) if int(row["sent"])]
        self.names = {row["delivery_id"]: (row["label"], row["campaign"]) for row in self.deliveries}
        for date in DATES:
            for path in sorted(glob.glob(f"{folder}/collector/{date}/*")):
                self.events[date] += hits(path)
            for path in sorted(glob.glob(f"{folder}/mzip/{date}/*")):
                self.events[date] += arrivals(path, date)
        self.send(self.messages())

    def messages(self):
        """The events of each message, by their time."""
        messages = collections.defaultdict(list)
        for event in sorted((event for events in self.events.values() for event in events), key=lambda event: event.time):
            messages[event.message].append(event)
        return messages

    def add(self, event):
        """What Adobe has not is in the file of its day, however late Adobe hears of it."""
        self.events[min(max(FIRST, day_of(event.time)), LAST)].append(event)
        self.count(event, event.action)

    def count(self, event, *columns):
        self.more[str(day_of(event.time)), event.platform, event.delivery].update(columns)

    def send(self, messages):
        known = collections.Counter()
        for events in messages.values():
            first, actions = events[0], {event.action for event in events}
            self.add(first._replace(action="sent"))
            known.update([(first.delivery, first.platform), (first.delivery, "")])
            if "open" in actions and not actions & {"arrival", "impression"}:
                delay = next(event.time for event in events if event.action == "open") - first.time
                self.count(first, "opened_seen", *("opened_" + name for name in DELAYS if delay <= DELAYS[name] * 1000))
        for row in self.deliveries:
            self.send_rest(row, known)

    def send_rest(self, row, known):
        """What the delivery file says was sent besides the messages of which devices speak. Some of it was not delivered."""
        delivery, platform, sent = row["delivery_id"], row["platform"], int(row["sent"])
        rest, failed = sent - known[delivery, platform], sent - int(row["delivered"])
        assert rest >= 0, f"loggen's hits of {delivery} are of more messages than were sent; take another seed"
        time = milliseconds(datetime.datetime.fromisoformat(row["sent_at"]))
        for number in range(max(rest, failed)):
            of_one = platform or ("ios", "android", "unknown")[number % 3]
            event = Event("sent", f"{delivery}-{of_one}-{number}", delivery, of_one, time + number % 900 * 1000)
            self.count(event, "messages")
            if number < rest:
                self.add(event)
            if number < failed:
                self.add(event._replace(action="failed"))


# What vendors have

def uuid_of(text):
    digits = hashlib.md5(text.encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def delivery_uuid(delivery):
    """An id that tells Adobe's."""
    return f"5e1d0000-0000-4000-8000-{int(delivery, 16):012x}"


class Vendor:
    """An export. Each has its pipeline's name and how many sources of that read a file, and the vendor's words for platforms and
    for the actions that it has."""
    # Whether there are events besides these.
    has_others = True

    def __init__(self, month, chance):
        self.month, self.chance = month, chance
        # How many events were written of each action, and how many records that cannot be read.
        self.written, self.rejected = collections.Counter(), 0

    def names(self, delivery):
        """The label and the campaign of a delivery that its events tell, "" for none."""
        return self.month.names.get(delivery, ("", ""))

    def path(self, date, event):
        return f"{date}/{self.chance.randrange(2)}{self.suffix}"

    def text(self, objects):
        return "".join(json.dumps(object, ensure_ascii=False) + "\n" for object in objects)

    def write(self, folder):
        late = []
        for date in DATES:
            files, events, late = collections.defaultdict(list), late, []
            events += sorted(
                (event for event in self.month.events[date] if event.action in self.actions), key=lambda event: event.time)
            for event in events:
                file, object = files[self.path(date, event)], self.object(event)
                # One in a hundred comes twice, one again with the next date.
                copies = 1 + (self.chance.random() < 0.01)
                file += [object] * copies
                self.written[event.action] += copies
                if self.chance.random() < 0.01 and date != LAST:
                    late.append(event)
                if self.chance.random() < 0.05 and self.has_others:
                    file.append(self.other(event))
                if self.chance.random() < 0.002:
                    file.append(self.object(event._replace(time=None)))
                    self.rejected += 1
            for name, objects in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                with gzip.open(path, "wt", compresslevel=1) as file:
                    # What a proxy has said in between.
                    file.write(self.text(objects) + "<html>502 Bad Gateway</html>\n")
                self.rejected += self.sources


class OneSignal(Vendor):
    pipeline, suffix, sources = "onesignal", ".jsonl.gz", 1
    actions = {"sent": "sent", "failed": "failed", "arrival": "received", "open": "clicked"}
    platforms = {"ios": ["iOS"], "android": ["Android", "Amazon", "Huawei"], "unknown": ["Chrome", "Firefox", "Safari"]}

    def names(self, delivery):
        return super().names(delivery)[0], ""

    def object(self, event, kind=None):
        device = uuid_of(event.message)
        return {
            "event": {
                "id": uuid_of(f"{event}"), "kind": kind or "message.push." + self.actions[event.action],
                "timestamp": event.time and event.time // 1000, "subscription_id": device, "external_id": "user-" + device[:8],
                "subscription_device_type": self.chance.choice(self.platforms[event.platform])},
            "message": {"id": delivery_uuid(event.delivery), "name": self.names(event.delivery)[0], "title": {"en": "Hola"}}}

    def other(self, event):
        return self.object(event, "message." + self.chance.choice(["email.sent", "push.unsubscribed", "in_app.clicked"]))


class Airship(Vendor):
    pipeline, suffix, sources = "airship", ".ndjson.gz", 2
    actions = {"sent": "SEND", "failed": "SEND_REJECTED", "open": "OPEN"}
    platforms = {"ios": ["IOS"], "android": ["ANDROID", "AMAZON"], "unknown": ["WEB"]}

    def names(self, delivery):
        return "", super().names(delivery)[1]

    def object(self, event, kind=None):
        delivery, campaign = delivery_uuid(event.delivery), self.names(event.delivery)[1]
        push = {"push_id": delivery}
        if event.delivery not in self.month.names:
            # An automation has a push for each message.
            push = {"push_id": uuid_of("push " + event.message), "group_id": delivery}
        if campaign:
            push["campaigns"] = {"categories": [campaign, "autumn"]}
        kind = kind or self.actions[event.action]
        body = push if kind.startswith("SEND") else {"triggering_push": push} if kind == "OPEN" else {}
        time = datetime.datetime.fromtimestamp((event.time or 0) / 1000, datetime.timezone.utc).isoformat(timespec="milliseconds")
        return {
            "id": uuid_of(f"{event}"), "occurred": event.time and time.replace("+00:00", "Z"), "type": kind, "body": body,
            "device": {"channel": uuid_of(event.message), "device_type": self.chance.choice(self.platforms[event.platform])}}

    def other(self, event):
        """Most apps are opened without a push."""
        return self.object(event, self.chance.choice(["CLOSE", "TAG_CHANGE", "CUSTOM"])) | {"type": "OPEN"}


class Currents(Vendor):
    pipeline, suffix, sources = "braze-currents", ".json.gz", 1
    actions = {"sent": "Send", "failed": "Bounce", "open": "Open", "button_close": "Open"}
    platforms = {"ios": ["ios"], "android": ["android", "kindle"], "unknown": ["web"]}

    def names(self, delivery):
        label, campaign = super().names(delivery)
        return label, campaign or label

    def object(self, event):
        """A campaign's delivery is a step of a Canvas, another one a campaign, and one without a name comes by the API."""
        delivery, (label, campaign) = delivery_uuid(event.delivery), super().names(event.delivery)
        properties = {
            "dispatch_id": uuid_of(event.delivery if label else event.message).replace("-", ""), "app_id": uuid_of("app"),
            "platform": self.chance.choice(self.platforms[event.platform])}
        if campaign:
            properties |= {
                "canvas_id": uuid_of(campaign), "canvas_name": campaign, "canvas_step_id": delivery, "canvas_step_name": label}
        elif label:
            properties |= {"campaign_id": delivery, "campaign_name": label}
        else:
            properties["send_id"] = "order-" + delivery
        if event.action == "button_close" or event.action == "open" and self.chance.random() < 0.1:
            properties["button_action_type"] = "close" if event.action == "button_close" else "deep_link"
        user = {"user_id": uuid_of(event.message)[:24]}
        if event.platform != "unknown":
            user["device_id"] = uuid_of("device " + event.message)
        return {
            "event_type": "users.messages.pushnotification." + self.actions[event.action], "id": uuid_of(f"{event}"),
            "time": event.time and event.time // 1000, "user": user, "properties": properties}

    def other(self, event):
        return self.object(event) | {"event_type": "users.behaviors.app.SessionStart", "properties": {"platform": "ios"}}

    def text(self, objects):
        return super().text({"events": objects[start:start + 50]} for start in range(0, len(objects), 50))


class CurrentsStorage(Currents):
    """Its files are of one kind of event and of some hours in UTC, by when they were written. The conversion leaves out what only
    closes a push."""
    pipeline, has_others = "braze-currents-storage", False
    actions = {"sent": "Send", "failed": "Bounce", "open": "Open"}

    def path(self, date, event):
        time = datetime.datetime.fromtimestamp((event.time or 0) / 1000, datetime.timezone.utc)
        hour = f"{time.hour // 6 * 6:02}" if time.date() == date else "23"
        kind = "event_type=users.messages.pushnotification." + self.actions[event.action]
        return f"dataexport/{kind}/date={date}-{hour}/2/prod-01/dataexport+2+{date:%j}{self.suffix}"

    def object(self, event):
        object = super().object(event)
        nothing = dict.fromkeys(["campaign_id", "campaign_name", "canvas_step_id", "canvas_step_name", "canvas_name", "send_id"])
        return nothing | object["properties"] | object["user"] | {"id": object["id"], "time": object["time"]}

    def text(self, objects):
        return Vendor.text(self, objects)


# The comparison

def load(program, pipeline):
    words = ["backfill", "--from", str(FIRST), "--to", str(LAST), "--pipeline", pipeline, "--quiet"]
    subprocess.run([program, *words], check=True)


def ask(folder, sql):
    """Rows, with Adobe's words for deliveries and for platforms."""
    with sqlite3.connect(f"file:{folder}/push.db?mode=ro", uri=True) as connection:
        connection.create_function("adobe", 1, lambda id: f"{int(id[-12:], 16):x}" if len(id) >= 36 else id)
        return connection.execute(sql.replace("delivery_id", "adobe(delivery_id)").replace(
            "platform,", "replace(platform, 'web', 'unknown'),")).fetchall()


def counts(folder, table, columns, where="TRUE"):
    """(day, platform, delivery) → column → count, 0 left out."""
    sums = ", ".join(f"sum({column})" for column in columns)
    rows = ask(folder, f"SELECT day, platform, delivery_id, {sums} FROM {table} WHERE {where} GROUP BY 1, 2, 3")
    return {row[:3]: collections.Counter(dict(zip(columns, row[3:]))) for row in rows if any(row[3:])}


def same(what, found, expected):
    """Ends the script where they differ. Counts of 0 are as none."""
    differences = [key for key in {**found, **expected} if found.get(key) != expected.get(key)]
    for key in sorted(differences, key=str)[:10]:
        print(f"{what}: {key}: {found.get(key)} instead of {expected.get(key)}")
    if differences:
        sys.exit(f"{what}: {len(differences)} of {len(expected)} rows differ")
    return len(expected)


def compare_deliveries(vendor, folder, adobe, month):
    """Those of which Adobe's file says how many were sent."""
    columns = ["label", "campaign", "sent", "failed", "opened", "opened_of_sent", "arrived", "arrived_of_sent"]
    sql = f"SELECT delivery_id, {', '.join(columns)} FROM delivery_results"
    expected, found = ({row[0]: dict(zip(columns, row[1:])) for row in ask(place, sql)} for place in (adobe, folder))
    for delivery in month.names:
        parts = [row for row in month.deliveries if row["delivery_id"] == delivery]
        label, campaign = vendor.names(delivery)
        expected[delivery] |= {
            "label": label or None, "campaign": campaign or None,
            "failed": sum(int(row["sent"]) - int(row["delivered"]) for row in parts)}
        if "arrival" not in vendor.actions:
            expected[delivery] |= {"arrived": 0, "arrived_of_sent": None}
    rows = same(f"{vendor.pipeline}: delivery_results", *(
        {delivery: results.get(delivery) for delivery in month.names} for results in (found, expected)))
    sent = {row[:2]: row[2] for row in ask(folder, "SELECT delivery_id, platform, sent FROM delivery_platforms")}
    wanted = {(row["delivery_id"], row["platform"]): int(row["sent"]) for row in month.deliveries if row["platform"]}
    return rows + same(f"{vendor.pipeline}: delivery_platforms", {key: sent.get(key) for key in wanted}, wanted)


def compare(vendor, folder, adobe, month):
    name = vendor.pipeline
    expected = collections.defaultdict(collections.Counter, counts(adobe, "daily_funnel", FUNNEL))
    for place, more in month.more.items():
        expected[place].update(more)
    if "arrival" not in vendor.actions:
        for sums in expected.values():
            del sums["arrived"]
    rows = same(f"{name}: daily_funnel", counts(folder, "daily_funnel", FUNNEL), expected)
    for action in vendor.actions.keys() - {"sent", "failed"}:
        rows += same(f"{name}: {action}", *(
            counts(place, "daily_actions", ["events"], f"action = '{action}'") for place in (folder, adobe)))
    rows += compare_deliveries(vendor, folder, adobe, month)
    written = dict(ask(folder, "SELECT action, sum(events + duplicates) FROM daily_actions GROUP BY 1"))
    [(rejected,)] = ask(folder, "SELECT sum(rejected) FROM partitions")
    same(f"{name}: records", written | {"rejected": rejected}, vendor.written | {"rejected": vendor.rejected})
    print(f"{name}: {rows:,} rows as Adobe's, of {sum(vendor.written.values()):,} events")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--records", default="700", help="of a Tuesday, in Adobe's logs")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    program = Path(options.program).resolve()
    with tempfile.TemporaryDirectory(prefix="pushetl-vendors-") as folder:
        subprocess.run(
            [program.parent / "loggen", "--seed", options.seed, "--records", options.records, "--from", str(FIRST),
             "--to", str(LAST), "--kinds", "collector", "--kinds", "mzip", "--noise", "everyday", "--deliveries", "8",
             "--out", f"{folder}/adobe"], check=True, stdout=subprocess.DEVNULL)
        load(program, f"{folder}/adobe/push.yaml")
        month = Month(f"{folder}/adobe")
        # As they stand, beside logs of ours.
        shutil.copytree(ROOT / "Pipelines/events", f"{folder}/Pipelines/events")
        for kind in (OneSignal, Airship, Currents, CurrentsStorage):
            vendor = kind(month, random.Random(options.seed))
            vendor.write(f"{folder}/SampleLogs/events/{vendor.pipeline}")
            load(program, f"{folder}/Pipelines/events/{vendor.pipeline}.yaml")
            compare(vendor, f"{folder}/warehouse-{vendor.pipeline}", f"{folder}/adobe/warehouse", month)


if __name__ == "__main__":
    main()
