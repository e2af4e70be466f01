"""Where the time of a run goes, by samples of `perf`. A sample belongs to the innermost function of its call chain that has a
stage, told by its library, or by the module and the type in its mangled name: a page fault in sorting is sorting's. SQLite's
often have no chain, and are in the rest.
"""
import collections
import os
import re
import subprocess

STAGES = ["inflating", "reading", "finding lines", "parsing", "collecting", "sorting", "storing", "publishing", "rest"]

# A module's stage, and that of its types which belong to another. Names may be prefixes.
MODULES = {
    "Calendar": ("parsing", {"DayClock": "storing"}),
    "Posix": ("reading", {"Writeback": "storing"}),
    "Hashing": ("reading", {"WordHash": "collecting", "SHA256": "parsing"}),
    "LogFiles": ("reading", {
        "Inflater": "inflating", "ISALStream": "inflating", "ZlibStream": "inflating", "LineSplitter": "finding lines"}),
    "Records": ("parsing", {"LineMarks": "finding lines"}),
    "Events": ("sorting", {
        "EventCollector": "collecting", "DeliveryTable": "collecting", "EventBlock": "storing", "PackedColumn": "storing",
        "MessageSieve": "publishing"}),
    "Pipelines": ("rest", {
        "RecordReader": "collecting", "RecordTally": "collecting", "FileWorker": "collecting", "FileTally": "collecting"}),
    "Counting": ("publishing", {"StandaloneTables": "storing"}),
    "Partitions": ("publishing", {"PartitionWriter": "storing", "DatabaseFile": "storing"}),
    "Ledger": ("publishing", {}),
    "Output": ("publishing", {}),
    "Configuration": ("rest", {}),
    "pushetl": ("rest", {}),
}
LIBRARIES = {"libz.": "inflating", "libisal.": "inflating"}
# C functions of our own, in the program itself.
C_FUNCTIONS = {
    "checksum_": "reading", "fold_": "reading", "mark_lines": "finding lines",
    "vector_mark_lines": "finding lines", "vector_": "parsing"}

# In a mangled name stands each identifier after its length: $s7Records8HitRulesV…
MODULE = re.compile("|".join(f"{len(module)}{module}" for module in MODULES))
IDENTIFIER = re.compile(r"\d+")


def stage_of(function, library):
    """The stage; None for what serves several, such as the C library."""
    name = os.path.basename(library)
    for prefix, stage in LIBRARIES.items():
        if name.startswith(prefix):
            return stage
    for prefix, stage in C_FUNCTIONS.items():
        if function.startswith(prefix):
            return stage
    module = MODULE.search(function) if function.startswith("$s") else None
    if not module:
        return None
    standard, others = MODULES[module.group().lstrip("0123456789")]
    length = IDENTIFIER.match(function, module.end())
    kind = function[length.end():length.end() + int(length.group())] if length else ""
    for prefix, stage in others.items():
        if kind.startswith(prefix):
            return stage
    return standard


FRAME = re.compile(r"\s+[0-9a-f]+ (.*) \((.*)\)$")


def sample(load, recording):
    """Nanoseconds by stage, over all threads, of a load: `load(WORD…)` puts these words before its command."""
    load("perf", "record", "--quiet", "--event", "cpu-clock", "--freq", "2000", "--call-graph", "fp", "--output", recording)
    # Each sample is a line with its period and a line for each frame, the innermost first.
    script = ["perf", "script", "--no-demangle", "--input", recording, "--fields", "period,ip,sym,dso"]
    found = collections.Counter()
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        period, stage = 0, None
        for line in process.stdout:
            frame = FRAME.match(line)
            if frame:
                stage = stage or stage_of(frame.group(1), frame.group(2))
            elif line.strip():
                period, stage = int(line), None
            else:
                found[stage or "rest"] += period
                period, stage = 0, None
    return found
