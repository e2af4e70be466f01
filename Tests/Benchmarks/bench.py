"""What the benchmark scripts share: building, making data, timing whole processes, and telling the machine."""
import concurrent.futures
import contextlib
import dataclasses
import datetime
import importlib.util
import json
import os
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATE = "2026-11-19"
CORES = len(os.sched_getaffinity(0))


def output_of(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


# Building


def build(isal=False):
    """Builds the release programs, with ISA-L beside those without it; the folder they are in. With PUSHETL_BUILT in the
    environment they are there: the tests that run beside hold SwiftPM's lock to their end."""
    if os.environ.get("PUSHETL_BUILT"):
        return os.path.join(ROOT, ".build", "release")
    for product in ["pushetl"] if isal else ["pushetl", "loggen"]:
        command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", product]
        if isal:
            command += ["--traits", "ISAL", "--scratch-path", ".build/isal"]
        result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{result.stdout}")
    return os.path.join(ROOT, ".build", *(["isal"] if isal else []), "release")


def why_no_isal():
    """Why there can be no build with ISA-L here, or None."""
    package = json.loads(output_of("swift", "package", "dump-package", cwd=ROOT))
    if "ISAL" not in [trait["name"] for trait in package.get("traits") or []]:
        return "Package.swift has no trait ISAL"
    test = subprocess.run(["cc", "-E", "-include", "isa-l.h", "-"], input="", text=True, capture_output=True)
    return None if test.returncode == 0 else "libisal-dev is not installed"


def build_inflate(folder):
    """Builds the C program that inflates and does nothing else."""
    program = os.path.join(folder, "inflate")
    subprocess.run(
        ["cc", "-O2", os.path.join(HERE, "inflate.c"), "-o", program, "-lz", "-lpthread"], check=True)
    return program


# Data


@dataclasses.dataclass
class Logs:
    """Logs that loggen wrote, one date or several."""

    folder: str

    @property
    def pipeline(self):
        return os.path.join(self.folder, "push.yaml")

    @property
    def files(self):
        found = []
        for path, _, names in os.walk(self.folder):
            found += [os.path.join(path, name) for name in names if name.endswith(".gz")]
        return sorted(found)

    @property
    def packed_bytes(self):
        return sum(os.path.getsize(file) for file in self.files)


@contextlib.contextmanager
def data_folder(path):
    """Where the logs lie or are made: the folder at `path`, which stays, or else a temporary one."""
    if path:
        os.makedirs(path, exist_ok=True)
        yield path
    else:
        with tempfile.TemporaryDirectory(prefix="pushetl-bench-") as folder:
            yield folder


def make_logs(programs, folder, *arguments, level=6):
    """Logs by loggen in a folder, which is taken as it is if the same arguments have made it before."""
    arguments = ["--level", str(level), *(str(argument) for argument in arguments)]
    note = os.path.join(folder, "arguments.txt")
    if not os.path.exists(note) or open(note).read() != " ".join(arguments):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.run(
            [os.path.join(programs, "loggen"), *arguments, "--out", folder], check=True, stdout=subprocess.DEVNULL)
        with open(note, "w") as file:
            file.write(" ".join(arguments))
    return Logs(folder)


# Timing


@dataclasses.dataclass
class Timing:
    seconds: float
    cpu: float  # Seconds of processor, of all processes
    peak: float  # MiB; of the largest process
    output: str


def start_and_wait(commands):
    """`timed`, in the process that calls it."""
    begin = time.perf_counter()
    # Only the first command's output is wanted.
    children = [
        subprocess.Popen(command, stdout=subprocess.PIPE if command is commands[0] else subprocess.DEVNULL)
        for command in commands]
    output = children[0].stdout.read().decode()
    cpu = peak = 0
    for child in children:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(child.args[:12])} ended with {child.returncode}")
        cpu += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss / 1024)
    children[0].stdout.close()
    return Timing(time.perf_counter() - begin, cpu, peak, output)


# A process's peak memory, as the kernel tells it, is no less than that of the process which started it. So commands are
# started by a process of our own, begun here, which stays small, whatever the scripts hold later.
STARTER = concurrent.futures.ProcessPoolExecutor(1)
STARTER.submit(int)


def timed(*commands):
    """Starts all commands at once, and waits until the last has ended. One that fails ends the script."""
    return STARTER.submit(start_and_wait, commands).result()


def load(programs, logs, output, *options, date=DATE):
    """One `pushetl run` of a log date."""
    return timed([
        os.path.join(programs, "pushetl"), "run", "--date", date, "--pipeline", logs.pipeline, "--output", output,
        "--quiet", *options])


def daily_counts(output):
    """(day, platform, delivery, action) → (events, duplicates), as push.db has them."""
    with sqlite3.connect(f"file:{output}/push.db?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT day, platform, delivery_id, action, sum(events), sum(duplicates) FROM daily_actions GROUP BY 1, 2, 3, 4")
        return {tuple(row[:4]): tuple(row[4:]) for row in rows}


# Telling


def table(header, rows):
    lines = ["| " + " | ".join(line) + " |" for line in [header, *rows]]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def machine():
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{CORES} core{'s' if CORES > 1 else ''} of {model}"


def command_line():
    """This script's command, as someone would give it in a clone; folders of this machine say nothing."""
    words = [os.path.relpath(os.path.abspath(sys.argv[0]), ROOT)]
    arguments = iter(sys.argv[1:])
    for argument in arguments:
        if argument in ("--folder", "--program", "--programs"):
            next(arguments, None)
        else:
            words.append(argument)
    return "python3 " + " ".join(words)


def versions():
    swift = output_of("swift", "--version", stderr=subprocess.DEVNULL).split("Swift version ")[1].split()[0]
    gzip = output_of("gzip", "--version").split()[1]
    return {"Swift": swift, "gzip": gzip}


def isal_version():
    result = subprocess.run(["pkg-config", "--modversion", "libisal"], capture_output=True, text=True)
    return result.stdout.strip() or "of unknown version"


def is_importable(module):
    return importlib.util.find_spec(module) is not None


def today():
    return datetime.date.today().isoformat()
