#!/usr/bin/env python3
"""Plants small bugs in pushetl, one at a time, and tells which of them the quick tests see.

    python3 Tests/Mutants/mutants.py [--count 60] [--seed 1] [--jobs 2] [--folder .build/mutants]

A mutant is a flipped comparison, a constant off by one, a changed && or ||, a call left out or a guard removed. The area, the
kind and then the place are drawn by chance. A mutant that does not compile is drawn again. Each job has a clone of its own
with a debug build, which is kept for the next time. There a mutant is built and tested: first by the tests of its module, then
by the reference, then by the tests of the commands, until the first failure. A crash, or a test that does not end, is a failure
too. Afterwards the share that was seen is printed, and the diff of each mutant that was not. With `--only 3,17` these mutants
of the seed are tried again.

The last commit is tried: commit a new test before you look whether it sees a mutant.
"""
import argparse
import concurrent.futures
import dataclasses
import difflib
import os
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
# Where mutants are planted, and the tests that may see them before all others do.
AREAS = {
    "Counting": ["CountingTests", "OutputTests"], "Events": ["EventsTests"], "Records/Rules": ["RecordsTests"],
    "Output/Publishing": ["OutputTests"], "Partitions/Dates": ["OutputTests", "PipelinesTests"],
    "Output/Retention": ["OutputTests", "PipelinesTests"],
    "Reports": ["ReportsTests"],
}
THEN = ["ReferenceTests", "CommandTests"]
# Seconds for a build or for the tests of a module. A test of a mutant may never end.
LIMIT = 1800
# Bytes of memory for a test of a mutant.
MEMORY = 16 << 30

FLIPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
KINDS = {
    "comparison": r" (<=|>=|<|>|==|!=) ",
    "constant": r"(?<![\w.$#])(\d[\d_]*)(?![\w.])",
    "logic": r" (&&|\|\|) ",
    # A statement in one line, after another one or at the beginning of a block.
    "call": r"(?m)(?<=[\w){}\]\"]\n)( +(?:try )?[\w.]+\([^\n{}]*\)\n)(?! *[.{?:&|+])",
    "guard": r"(?m)^( *)guard (?!let|var|case)[^\n]* else \{[^\n]*\}\n|^( *)guard (?!let|var|case)(?:[^\n]*\n)*?\2\}\n",
}
COMMENTS_AND_TEXTS = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/')


@dataclasses.dataclass
class Mutant:
    number: int
    kind: str
    area: str
    path: str
    before: str
    after: str

    @property
    def name(self):
        changed = next(index for index, (old, new) in enumerate(zip(self.before, self.after)) if old != new)
        return f"{self.number}: {self.kind}, {self.path}:{self.before.count(chr(10), 0, changed) + 1}"

    def diff(self):
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), n=2, lineterm="")
        return "\n".join("    " + line for line in list(lines)[3:])


def mutated(kind, match, text):
    """The text of a file with a bug at the match."""
    if kind in ("call", "guard"):
        return text[:match.start()] + text[match.end():]
    old = match[1]
    new = str(int(old.replace("_", "")) + 1) if kind == "constant" else FLIPPED[old]
    return text[:match.start(1)] + new + text[match.end(1):]


def places():
    """By area and kind: the files, and where in them."""
    found = {area: {kind: [] for kind in KINDS} for area in AREAS}
    for area in AREAS:
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, "Sources", area))):
            for name in sorted(name for name in names if name.endswith(".swift")):
                path = os.path.join(folder, name)
                with open(path) as file:
                    text = file.read()
                code = COMMENTS_AND_TEXTS.sub(lambda match: re.sub(r"[^\n\"]", " ", match[0]), text)
                for kind, pattern in KINDS.items():
                    found[area][kind] += [(os.path.relpath(path, ROOT), text, match) for match in re.finditer(pattern, code)]
    return found


def drawn(found, seed, number):
    """The mutants of a number, the next one if one does not compile."""
    chance = random.Random(f"{seed} {number}")
    while True:
        area = chance.choice(list(AREAS))
        kind = chance.choice([kind for kind in KINDS if found[area][kind]])
        path, text, match = chance.choice(found[area][kind])
        yield Mutant(number, kind, area, path, text, mutated(kind, match, text))


class Job:
    """A clone with a build of its own."""

    def __init__(self, options, number):
        self.folder = os.path.join(options.folder, str(number))
        self.scratch = os.path.join(self.folder, ".build/scratch")

    def prepare(self):
        """The last commit, built."""
        if not os.path.exists(self.folder):
            subprocess.run(["git", "clone", "-q", "--shared", ROOT, self.folder], check=True)
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout.decode().strip()
        subprocess.run(["git", "fetch", "-q", ROOT, commit], cwd=self.folder, check=True)
        # Git must know which files are as they were, or it writes all of them, and all is built again.
        subprocess.run(["git", "status", "-s"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["git", "checkout", "-q", "--force", "--detach", commit], cwd=self.folder, check=True)
        versions = os.path.join(ROOT, "Package.resolved")
        if os.path.exists(versions):
            shutil.copy(versions, self.folder)
        if failure := self.build():
            sys.exit(f"the tests do not build:\n{failure}")

    def build(self):
        """What the compiler says; nothing if it is content."""
        return self.run(["swift", "build", "--build-tests"], r"error: .*", None)

    def test(self, suites):
        """The first failure of these tests, if there is one."""
        for suite in suites:
            command = [".build/debug/pushetlPackageTests.xctest", "--testing-library", "swift-testing", "--filter", rf"^{suite}\."]
            if failure := self.run(command, r"✘ Test .* recorded an issue.*", MEMORY):
                return f"{suite}: {failure}"
        return None

    def run(self, command, pattern, memory):
        """The first line that has the pattern, or how the command ended if not well. Then it is killed."""
        os.makedirs(self.scratch, exist_ok=True)
        running = subprocess.Popen(
            ["nice", "-n", "19", *command], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "TMPDIR": self.scratch}, errors="replace",
            preexec_fn=lambda: memory and resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
        timer = threading.Timer(LIMIT, os.killpg, [running.pid, signal.SIGKILL])
        begin, last = time.monotonic(), ""
        timer.start()
        try:
            for line in running.stdout:
                line = re.sub(r"\x1b\[\d*m", "", line)
                last = line.strip() or last
                if found := re.search(pattern, line):
                    return found[0][:200]
            if running.wait() == 0:
                return None
            return "did not end" if time.monotonic() - begin >= LIMIT else f"exit {running.returncode}: {last[:150]}"
        finally:
            timer.cancel()
            if running.poll() is None:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
            running.stdout.close()
            shutil.rmtree(self.scratch, ignore_errors=True)

    def attempt(self, mutants):
        """The first of the mutants that compiles, and by what it was seen."""
        for mutant in mutants:
            path = os.path.join(self.folder, mutant.path)
            with open(path, "w") as file:
                file.write(mutant.after)
            try:
                if not self.build():
                    return mutant, self.test(AREAS[mutant.area] + THEN)
            finally:
                with open(path, "w") as file:
                    file.write(mutant.before)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="how many (default: 60)")
    parser.add_argument("--seed", type=int, default=random.randrange(10000), help="which (default: by chance)")
    parser.add_argument("--only", default="", help="only the mutants of these numbers, with commas")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (default: 2)")
    parser.add_argument("--folder", default=os.path.join(ROOT, ".build/mutants"), help="where the clones are")
    options = parser.parse_args()
    numbers = [int(number) for number in options.only.split(",") if number] or range(1, options.count + 1)
    jobs, free = [Job(options, number) for number in range(1, options.jobs + 1)], queue.SimpleQueue()
    for job in jobs:
        job.prepare()
        free.put(job)
    if failure := jobs[0].test(sorted({suite for suites in AREAS.values() for suite in suites}) + THEN):
        sys.exit(f"the tests fail without a bug: {failure}")
    found, missed, done = places(), [], 0
    print(f"seed {options.seed}; places: " + ", ".join(
        f"{area} {sum(map(len, kinds.values()))}" for area, kinds in found.items()), flush=True)

    def attempt(number):
        job = free.get()
        try:
            return job.attempt(drawn(found, options.seed, number))
        finally:
            free.put(job)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(attempt, number) for number in numbers]):
            mutant, failure = future.result()
            done += 1
            print(f"{mutant.name}: " + (f"seen by {failure}" if failure else "NOT SEEN\n" + mutant.diff()), flush=True)
            missed += [] if failure else [mutant]
    print(f"seen: {done - len(missed)} of {done}, {100 * (done - len(missed)) // done} %; seed {options.seed}")
    for mutant in missed:
        print(f"not seen: {mutant.name}\n{mutant.diff()}")


if __name__ == "__main__":
    main()
