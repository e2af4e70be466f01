#!/usr/bin/env python3
"""Brings mended faults back, one at a time, and tells which generic proof sees each.

    python3 Tests/Mutants/past.py [--jobs 2] [--only NAME,NAME] [--folder .build/past]

Each file of `Tests/Mutants/past` is a fault that was mended once: the commit and what a user saw, then a patch of today's code
that brings it back. It is applied and built in a clone, which is kept for the next time. Then the proofs that know nothing of it
try the program until one fails: the comparison with the reference, laws, histories, power losses. Those come first that concern
what the patch changes. A program that crashes or does not end is seen too. No test of one fixed
case is asked. A fault has ten minutes of processor.

The last commit is tried. If a patch no longer applies, bring its fault back in today's code by hand, and write the patch anew
with `git diff -U1`; if the code that had the fault is gone, remove the patch, and say so in `past/README.md`.
"""
import argparse
import concurrent.futures
import contextlib
import dataclasses
import glob
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import time

import mutants

ROOT = mutants.ROOT
PATCHES = os.path.join(ROOT, "Tests/Mutants/past")
TESTS = os.path.join(ROOT, ".build/debug/pushetlPackageTests.xctest")
# Seconds of processor for all proofs of a fault, and of wall for one proof of it: what waits for ever takes no processor.
LIMIT = 600
WALL = 900
ENDLESS = "did not end"


@dataclasses.dataclass(eq=False)
class Proof:
    name: str
    # A pattern of tests of `ReferenceTests`, the words of a script in `Tests/Faults`, or a target of `Tests/Fuzz` with the seconds
    # for it.
    tests: str = ""
    script: tuple = ()
    fuzzer: tuple = ()
    first: int = 0
    seeds: int = 0
    # Seconds of processor without a fault.
    usual: float = 0

    def command(self, program):
        if self.script:
            return [sys.executable, os.path.join(ROOT, "Tests/Faults", self.script[0]), program, *self.script[1:]]
        if self.fuzzer:
            # It compiles the sources of its own tree.
            return ["Tests/Fuzz/fuzz.sh", *self.fuzzer]
        return [TESTS, "--testing-library", "swift-testing", "--filter", rf"^ReferenceTests\.{self.tests}"]


def seeds(name, tests, first, end):
    return Proof(f"{name}, {first} to {end - 1}", tests, first=first, seeds=end - first)


# Scenarios of `crash-states.py`.
CRASHES = ["next date", "push.db overwritten", "old dates settled and erased at first"]
FUZZERS = ["Layouts", "Bodies", "TimesAndIDs", "Blocks"]
SMALL = [Proof("small worlds", "SmallWorldsTests/"), Proof("preview", "PreviewTests/"), Proof("laws", "LawTests/")]
DIFFERENTIAL = seeds("differential", "DifferentialTests/theProgramGives", 0, 20)
LAYOUTS = [seeds("many layouts", "DifferentialTests/manyLayouts", first, end) for first, end in [(0, 40), (40, 200)]]
SPARK = seeds("Spark", "SparkTests/aJobGives", 0, 4)
NIGHTS = seeds("many nights", "DifferentialTests/manyNights", 0, 20)
LOSSES = seeds("losses", "DifferentialTests/aLoadThatLoses", 0, 12)
STEPS = seeds("small histories of one step", "HistoriesTests/everySmallHistoryEnds", 0, 9)
POWER_LOSSES = [Proof(f"power losses, {words}", script=("crash-states.py", "--only", words)) for words in CRASHES]
HISTORIES = seeds("random histories", "HistoriesTests/everyHistory", 0, 16)
# Each single damage, of all kinds; then some after another one.
DAMAGE = [
    seeds("small histories of damage", "HistoriesTests/everySmallHistoryOfDamage", first, end)
    for first, end in [(0, 30), (30, 80), (80, 150), (150, 290)]
]
CHANGES = [seeds("every change once", "HistoriesTests/everyChangeOnce", first, first + 20) for first in (0, 20)]
CALLS = Proof("failing calls", script=("calls.py", "--fails", "--third", "0"))
# For what reads logs and counts.
OF_LOGS = [
    *SMALL, DIFFERENTIAL, LAYOUTS[0], NIGHTS,
    seeds("many nights", "DifferentialTests/manyNights", 20, 40),
    seeds("many records", "DifferentialTests/manyRecords", 0, 40),
    SPARK, LOSSES, STEPS,
    *[Proof(f"fuzzer {target}", fuzzer=("30", target)) for target in FUZZERS], LAYOUTS[1],
    seeds("privacy", "PrivacyTests/nothingPersonal", 0, 16),
    HISTORIES, *POWER_LOSSES,
    seeds("many nights", "DifferentialTests/manyNights", 40, 200),
]
# For what decides on loads.
OF_LOADS = [
    *SMALL, DIFFERENTIAL, SPARK, LOSSES, STEPS, DAMAGE[0], HISTORIES, *DAMAGE[1:3], NIGHTS, CHANGES[0], *POWER_LOSSES, CALLS,
    DAMAGE[3],
]
# For what keeps outputs.
OF_OUTPUTS = [
    SPARK, DAMAGE[0], CHANGES[0], HISTORIES, *POWER_LOSSES, CALLS, DAMAGE[1], STEPS, LOSSES, *SMALL, DIFFERENTIAL, NIGHTS,
    CHANGES[1], *DAMAGE[2:],
]
# A patch of these alone is tried by the proofs of logs.
READERS = (
    "Calendar", "Events", "Hashing", "LogFiles/Unpacking", "Output/Publishing/publish.sql", "Pipelines/Deliveries", "Records")


def changed(patch):
    """The files that a patch changes, as READERS names them."""
    with open(patch) as file:
        return sorted(re.findall(r"^\+\+\+ b/Sources/(\S+)$", file.read(), re.MULTILINE))


def proofs(patch):
    """Those that concern the files of a patch, the most likely first."""
    paths = changed(patch)
    if all(path.startswith(READERS) for path in paths):
        return OF_LOGS
    return OF_LOADS if all(path.startswith("Pipelines") for path in paths) else OF_OUTPUTS


def processes(session):
    """The processes of a session, each with the seconds of processor that it and its ended children have taken."""
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            yield int(path.split("/")[2]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Job(mutants.Job):
    """A clone with a build of the program alone."""

    def __init__(self, options, number):
        super().__init__(options, number)
        # Beside the tree, where paths are shown as they are.
        self.scratch = os.path.join(tempfile.gettempdir(), f"pushetl-past-{os.getpid()}-{number}")

    @property
    def program(self):
        return os.path.join(self.folder, ".build/release/pushetl")

    def prepare(self):
        super().prepare()
        # Some proofs take their logs from it. It has nothing of what is patched.
        if failure := self.build("loggen"):
            sys.exit(f"loggen does not build: {failure}")

    def build(self, product="pushetl"):
        # Without optimizing across modules, only the module of a patch is compiled again. A debug build has ArgumentParser check
        # all commands at each start, which takes four times as long as a small load.
        flags = ["--configuration", "release", "--static-swift-stdlib", "-Xswiftc", "-disable-cmo"]
        return self.run(["swift", "build", "--product", product, *flags], r"error: .*", None)

    def commit(self):
        return subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.folder, capture_output=True, check=True).stdout.decode().strip()

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def failure(self, proof, limit):
        """How a proof fails, and the seconds of processor that it took; None if it does not."""
        if proof.fuzzer:
            # Compiling takes no time of the proof.
            subprocess.run(["Tests/Fuzz/fuzz.sh", "0", proof.fuzzer[1]], cwd=self.folder, stdout=subprocess.DEVNULL, check=False)
        os.makedirs(self.scratch, exist_ok=True)
        environment = {**os.environ, "TMPDIR": self.scratch, "PUSHETL_BINARY": self.program, "PUSHETL_FIRST_FAULT": "1"}
        if proof.seeds:
            environment |= {"PUSHETL_FIRST_SEED": str(proof.first), "PUSHETL_SEEDS": str(proof.seeds)}
        log = os.path.join(self.scratch, "log")
        with open(log, "w") as output:
            running = subprocess.Popen(
                ["nice", "-n", "19", *proof.command(self.program)], cwd=self.folder, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True, env=environment)
        begin, taken = time.monotonic(), 0.0
        try:
            while running.poll() is None:
                time.sleep(0.2)
                taken = max(taken, sum(seconds for _, seconds in processes(running.pid)))
                if taken > limit or time.monotonic() - begin > WALL:
                    return ENDLESS, taken
            return (None if running.returncode == 0 else told(log, running.returncode)), taken
        finally:
            # Also what a test has left behind.
            for process, _ in list(processes(running.pid)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            running.wait()
            subprocess.run(["rm", "-rf", self.scratch], check=False)

    def attempt(self, patch):
        """What became of a patch: `seen`, `missed` or `error`, and the words for it."""
        name = os.path.relpath(patch, ROOT)
        if self.git("apply", "--unidiff-zero", patch) != 0:
            return "error", f"{name} no longer applies: bring its fault back in today's code, and write the patch anew"
        try:
            if failure := self.build():
                return "error", f"{name} does not compile: {failure}"
            taken = 0.0
            for proof in proofs(patch):
                most = min(LIMIT - taken, 4 * proof.usual + 30)
                if most <= 0:
                    break
                failure, seconds = self.failure(proof, most)
                taken += seconds
                if failure == ENDLESS and taken >= LIMIT:
                    break
                if failure:
                    return "seen", f"{proof.name}, {taken:.0f} s: {failure}"
            return "missed", f"NOT SEEN, {taken:.0f} s"
        finally:
            self.git("checkout", "-q", "--force", ".")


def measure(job):
    """Tries the proofs without a fault. What they take is kept for the next run with the same commit."""
    kept, commit = f"{job.folder}.usual", job.commit()
    known = {}
    if os.path.exists(kept):
        with open(kept) as file:
            known = json.load(file).get(commit, {})
    for proof in dict.fromkeys(OF_LOGS + OF_LOADS + OF_OUTPUTS):
        if proof.name not in known:
            failure, known[proof.name] = job.failure(proof, LIMIT)
            if failure:
                sys.exit(f"without a fault, {proof.name} fails: {failure}")
            with open(kept, "w") as file:
                json.dump({commit: known}, file)
        proof.usual = known[proof.name]
        print(f"without a fault, {proof.name} takes {proof.usual:.0f} s", flush=True)


def told(log, code):
    """What a proof that has failed has printed about it."""
    with open(log, errors="replace") as file:
        lines = [re.sub(r"\x1b\[\d*m", "", line).strip() for line in file]
    found = [line for line in lines if re.search(r"^seed \d+, again with|: seed \d+, again with|^FAIL|^the program|recorded an issue", line)]
    return (found or lines[-1:] or [f"exit {code}"])[0][:160]


def words(patch):
    """The commit of a patch and what was wrong."""
    with open(patch) as file:
        return file.read().partition("\n\n")[0].replace("\n", " ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only the patches of these names, with commas")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (default: 2)")
    parser.add_argument("--folder", default=os.path.join(ROOT, ".build/past"), help="where the clones are")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else []
    patches = [os.path.join(PATCHES, f"{name}.patch") for name in names] or glob.glob(f"{PATCHES}/*.patch")
    if absent := [patch for patch in patches if not os.path.exists(patch)]:
        sys.exit(f"there is no {absent[0]}")
    # A build compiles the modules of this patch and of the one before it: those of one module follow each other.
    patches.sort(key=lambda patch: (changed(patch), patch))
    subprocess.run(["swift", "build", "--build-tests"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    jobs, free = [Job(options, number) for number in range(1, options.jobs + 1)], queue.SimpleQueue()
    for job in jobs:
        job.prepare()
        free.put(job)
    measure(jobs[0])

    def attempt(patch):
        job = free.get()
        try:
            return patch, *job.attempt(patch)
        finally:
            free.put(job)

    ends = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(attempt, patch) for patch in patches]):
            patch, end, text = future.result()
            ends[patch] = end
            print(f"{os.path.basename(patch)[:-6]}: {text}", flush=True)
    tried = [patch for patch in ends if ends[patch] != "error"]
    seen = [patch for patch in tried if ends[patch] == "seen"]
    print(f"seen: {len(seen)} of {len(tried)}, {100 * len(seen) // max(1, len(tried))} %")
    for patch in sorted(set(tried) - set(seen)):
        print(f"not seen: {os.path.basename(patch)[:-6]}: {words(patch)}")
    if len(tried) < len(patches) or 20 * len(seen) < 19 * len(tried):
        sys.exit(1)


if __name__ == "__main__":
    main()
