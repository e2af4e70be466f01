"""What the benchmarks share: building, making logs, timing whole processes, and telling the machine."""
import concurrent.futures
import csv
import dataclasses
import glob
import gzip
import json
import os
import platform
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATE = "2026-11-19"
CORES = len(os.sched_getaffinity(0))


def build(isal=False):
    """Builds the release programs, with ISA-L beside those without it; the folder they are in. With PUSHETL_BUILT in the
    environment they are there: the tests that run beside hold SwiftPM's lock to their end."""
    if os.environ.get("PUSHETL_BUILT") and not isal:
        return os.path.join(ROOT, ".build", "release")
    for product in ["pushetl"] if isal else ["pushetl", "loggen"]:
        command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", product]
        if isal:
            command += ["--traits", "ISAL", "--scratch-path", ".build/isal"]
        result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{result.stdout}")
    return os.path.join(ROOT, ".build", *(["isal"] if isal else []), "release")


def make_logs(loggen, folder, *arguments):
    """Logs by loggen in a folder, which is taken as it is if the same arguments have made it before."""
    arguments = [str(argument) for argument in arguments]
    note = os.path.join(folder, "arguments.txt")
    if not os.path.exists(note) or open(note).read() != " ".join(arguments):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.run([loggen, *arguments, "--out", folder], check=True, stdout=subprocess.DEVNULL)
        with open(note, "w") as file:
            file.write(" ".join(arguments))
    return folder


EVENT_KEYS = ["message_id", "campaign", "event", "occurred_at", "os"]
# What a vendor's pipeline has, for the events that `write_events` makes.
EVENT_FIELDS = """    fields: {broadlog_id: message_id, delivery_id: campaign, action: event, time: occurred_at, platform: os}
    actions: {push_impression: impression, push_click: click, push_open: open}
"""


def write_events(logs, layout):
    """Writes the events of loggen's bodies of users_track as those of another vendor, as JSON objects (`body`) or as rows of CSV
    (`csv`), a file for each of theirs, and a pipeline that reads them. Returns the pipeline's path."""
    pipeline = os.path.join(logs, f"events-{layout}.yaml")
    for path in glob.glob(os.path.join(logs, "users_track/*/*.gz")):
        target = path.replace("users_track/", f"events-{layout}/")
        if os.path.exists(target):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with gzip.open(path, "rt") as bodies, gzip.open(target, "wt", newline="", compresslevel=6) as file:
            rows = csv.writer(file)
            if layout == "csv":
                rows.writerow(EVENT_KEYS)
            for body in bodies:
                for event in json.loads(body).get("events", []):
                    found = event["properties"]
                    values = [found["broadlogId"], found["deliveryId"], event["name"], event["time"], found.get("platform", "")]
                    if layout == "csv":
                        rows.writerow(values)
                    else:
                        file.write(json.dumps(dict(zip(EVENT_KEYS, values)), separators=(",", ":")) + "\n")
    with open(pipeline, "w") as file:
        file.write(f"version: 1\noutput: out\nsources:\n  - name: vendor\n    format: events\n    layout: {layout}\n"
                   f"    files: events-{layout}/%Y-%m-%d/*.gz\n{EVENT_FIELDS}")
    return pipeline


def files_of(logs):
    return sorted(glob.glob(os.path.join(logs, "**/*.gz"), recursive=True))


@dataclasses.dataclass
class Timing:
    seconds: float
    processor: float  # Seconds, of all processes
    memory: float  # MiB, the most of a process
    output: str


def start_and_wait(commands):
    """`timed`, in the process that calls it."""
    begin = time.perf_counter()
    # Only the first command's output is wanted.
    children = [
        subprocess.Popen(command, stdout=subprocess.PIPE if command is commands[0] else subprocess.DEVNULL)
        for command in commands]
    output = children[0].stdout.read().decode()
    processor = memory = 0
    for child in children:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(child.args[:12])} ended with {child.returncode}")
        processor += usage.ru_utime + usage.ru_stime
        memory = max(memory, usage.ru_maxrss / 1024)
    children[0].stdout.close()
    return Timing(time.perf_counter() - begin, processor, memory, output)


# A process's peak memory, as the kernel tells it, is no less than that of the process which started it. So commands are
# started by a process of our own, begun here, which stays small, whatever the scripts hold later.
STARTER = concurrent.futures.ProcessPoolExecutor(1)
STARTER.submit(int)


def timed(*commands):
    """Starts all commands at once, and waits until the last has ended. One that fails ends the script."""
    return STARTER.submit(start_and_wait, commands).result()


def rounds(contestants, runs):
    """The timings of each contestant, by its name. They take turns, each round beginning with another one; the first round
    only warms the caches."""
    names, timings = list(contestants), {name: [] for name in contestants}
    for number in range(runs + 1):
        for index in range(len(names)):
            name = names[(index + number) % len(names)]
            timing = contestants[name]()
            if number > 0:
                timings[name].append(timing)
    return timings


def seconds(timings):
    return f"{statistics.median(timing.seconds for timing in timings):.2f} s"


def memory(timings):
    return f"{max(timing.memory for timing in timings):.0f} MiB"


def daily_counts(output):
    """(day, platform, delivery, action) → (events, duplicates), as push.db has them."""
    with sqlite3.connect(f"file:{output}/push.db?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT day, platform, delivery_id, action, sum(events), sum(duplicates) FROM daily_actions GROUP BY 1, 2, 3, 4")
        return {tuple(row[:4]): tuple(row[4:]) for row in rows}


def table(header, rows):
    lines = ["| " + " | ".join(map(str, line)) + " |" for line in [header, *rows]]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def machine():
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{CORES} core{'s' if CORES > 1 else ''} of {model}"
