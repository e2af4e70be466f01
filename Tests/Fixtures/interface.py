#!/usr/bin/env python3
"""Lists what other programs and people rely on, and says which version a difference to the last release needs.

    Tests/Fixtures/interface.py .build/release/pushetl              compares with the last list; ends with 1 if the version is too low
    Tests/Fixtures/interface.py .build/release/pushetl --write      writes the list of the program's version
    Tests/Fixtures/interface.py .build/release/pushetl --write DIR  writes it to DIR/VERSION.txt

The lists are in Tests/Fixtures/interface, one for each release. A list is made from the built program, from the JSON Schemas that
are shipped with it. The article "What stays" says what the lines mean.

    pushetl 2.0.0
    sum 6b86b273…                                  of all lines below, by SHA-256
    column daily_actions.day DATE NOT NULL, time   a kind, a name, and facts
"""
import argparse
import hashlib
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

exports = importlib.import_module("make-exports")
ROOT = exports.ROOT
PLACE = Path(__file__).resolve().relative_to(ROOT)
LISTS = ROOT / "Tests/Fixtures/interface"
CHANGELOG = ROOT / "Sources/pushetl/pushetl.docc/Changelog.md"
KINDS = {"code", "column", "command", "exit", "file", "json", "key", "metric", "option", "pipeline", "table", "word"}
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


class Fault(Exception):
    """A sentence that says what to do."""


def number(version):
    return tuple(map(int, VERSION.fullmatch(version).groups()))


# ---- What the program has

def tables(database):
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    for table in (name for name in names if not name.startswith(("sqlite_", "_"))):
        yield f"table {table}"
        kinds = dict(database.execute("SELECT column_name, kind FROM columns_help WHERE table_name = ?", [table]))
        key = {}
        for _, column, kind, is_filled, _, place in database.execute(f"PRAGMA table_info({table})"):
            yield f"column {table}.{column} {kind}{' NOT NULL' if is_filled else ''}, {kinds[column]}"
            key[place] = column
        yield f"key {table} " + ", ".join(key[place] for place in sorted(key) if place)


def commands(help_text):
    for command in help_text["subcommands"]:
        name = command["commandName"]
        if not command["shouldDisplay"] or name == "help":
            continue
        yield f"command {name}"
        for option in command["arguments"]:
            if not option["shouldDisplay"]:
                continue
            value = f" <{option['valueName']}>" if option["kind"] != "flag" else ""
            facts = value + ("" if option["isOptional"] else " required") + (" several" if option["isRepeating"] else "")
            names = [("--" if found["kind"] == "long" else "-") + found["name"] for found in option.get("names", [])]
            for spelling in names or ["<argument>"]:
                yield f"option {name}/{spelling}{facts}"
                for word in option.get("allValues", []):
                    yield f"word {name}/{spelling}={word}"


def keys(kind, schema, name, root):
    """The lines for the keys of an object of a JSON Schema, and for the words that a value may be."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].split("/")[-1]]
    for choice in [*schema.get("anyOf", []), *schema.get("oneOf", [])]:
        yield from keys(kind, choice, name, root)
    for word in schema.get("enum", [schema["const"]] if "const" in schema else []):
        is_exit = kind == "json" and name.endswith(".exit_code")
        yield f"exit {name.split('.')[0]}={word}" if is_exit else f"word {name}={word}"
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict):
            yield from keys(kind, schema[inner], name + ("[]" if inner == "items" else ".*"), root)
    for key, value in schema.get("properties", {}).items():
        facts = types(value, root) + (" required" if key in schema.get("required", []) else "")
        yield f"{kind} {name}.{key} {facts}"
        yield from keys(kind, value, f"{name}.{key}", root)


def types(schema, root):
    """`string`, or `string|array` where a value may be either."""
    if "$ref" in schema:
        return types(root["$defs"][schema["$ref"].split("/")[-1]], root)
    choices = [*schema.get("anyOf", []), *schema.get("oneOf", [])]
    if choices:
        return "|".join(sorted({kind for choice in choices for kind in types(choice, root).split("|")}))
    if "type" in schema:
        return "|".join(sorted([schema["type"]] if isinstance(schema["type"], str) else schema["type"]))
    words = schema.get("enum", [schema.get("const")])
    return "|".join(sorted({{str: "string", bool: "boolean"}.get(type(word), "integer") for word in words}))


PIPELINE = """\
version: 1
output: out
dedup: {window_days: 0}
retention: {ids: 8}
checks: [{name: any, sql: SELECT day FROM days}]
sources: [{name: a, format: collector, files: 'logs/%Y-%m-%d.log'}]
"""


def files_and_metrics(program, folder):
    """Those of an output that has come to all that files and metrics tell: a log date is settled, another one is held back, the
    last one has a warning, a check finds something, and push.db was damaged."""
    place = Path(folder, "files")
    (place / "logs").mkdir(parents=True)
    (place / "push.yaml").write_text(PIPELINE)

    def run(date, lines, *options):
        (place / f"logs/{date}.log").write_text("".join(lines))
        subprocess.run(
            [program, "run", "--date", date, "--settle", "-p", "push.yaml", "-q", *options], cwd=place, check=False,
            capture_output=True)

    def hit(day, number=1):
        return f'192.0.2.1 - - [{day}:10:00:00 +0000] "GET /r/?id=h{number:x},d1,7 HTTP/1.1" 200 0 "-" "no platform"\n'

    run("2026-01-01", [hit("01/Jan/2026")])
    run("2026-03-01", [hit("01/Mar/2026")])
    run("2026-03-02", ["what fits no layout\n"])
    run("2026-03-03", [*[hit("03/Mar/2026", number) for number in range(1, 2001)], "junk\n"], "--metrics", "push.prom")
    (place / "out/push.db").write_bytes(b"\0" * (place / "out/push.db").stat().st_size)
    run("2026-03-04", [hit("04/Mar/2026")])
    found = set()
    for path in (place / "out").rglob("*"):
        name = str(path.relative_to(place / "out"))
        if path.is_file() and not re.search(r"\.kept/|\.lock$", name):
            found.add("file " + re.sub(r"\d{4}-\d\d-\d\d|\d{8}T\d{6}Z", lambda match: "DATE" if "-" in match[0] else "TIME", name))
    metrics = (place / "push.prom").read_text()
    kinds = dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)$", metrics))
    for name, kind in kinds.items():
        labels = sorted({label for part in re.findall(rf"(?m)^{name}\{{(.*)\}}", metrics) for label in re.findall(r"(\w+)=", part)})
        found.add(f"metric {name} {kind}" + (f", by {', '.join(labels)}" if labels else ""))
    return found


def interface(program):
    """The version of a program, and the sorted lines of its list."""
    help_text = exports.printed(program, "--experimental-dump-help")["command"]
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[0]
    codes = exports.printed(program, "manual-lists")["message_codes"]
    lines = set(commands(help_text)) | {f"code {entry['code']}" for entry in codes}
    for path in sorted((ROOT / "Sources/pushetl/pushetl.docc/Schemas").glob("*.json")):
        schema = json.loads(path.read_text())
        lines |= set(keys("json", schema, path.stem, schema))
    schema = json.loads((ROOT / "Pipelines/pushetl.schema.json").read_text())
    lines |= set(keys("pipeline", schema, "pipeline", schema))
    with tempfile.TemporaryDirectory() as folder:
        lines |= set(tables(exports.sample(program, folder)))
        lines |= files_and_metrics(os.path.abspath(program), folder)
    return version, sorted(lines)


# ---- The lists

def written(version, lines):
    body = "".join(line + "\n" for line in lines)
    return f"pushetl {version}\nsum {hashlib.sha256(body.encode()).hexdigest()}\n{body}"


def read(path):
    """The version and the lines of a list. A list that somebody has edited is a fault."""
    name = os.path.relpath(path, ROOT)
    again = f"lists are made by {PLACE}: put it back with 'git checkout -- {name}', or write it anew with --write"
    lines = path.read_text().split("\n")
    if len(lines) < 3 or lines[0] != f"pushetl {path.stem}":
        raise Fault(f"{name}:1: the first line is not 'pushetl {path.stem}'; {again}")
    body = lines[2:-1]
    for line_number, line in enumerate(body, 3):
        if line.split(" ")[0] not in KINDS or " " not in line:
            raise Fault(f"{name}:{line_number}: no list has a line '{line}'; {again}")
        if line_number > 3 and body[line_number - 4] >= line:
            raise Fault(f"{name}:{line_number}: the line is not in order after the one before it; {again}")
    if lines[-1] != "" or written(path.stem, body) != "\n".join(lines):
        raise Fault(f"{name}:2: the sum is not that of the lines below it; {again}")
    return body


def facts(lines):
    """By kind and name, what follows."""
    return {" ".join(line.split(" ")[:2]): " ".join(line.split(" ")[2:]) for line in lines}


def compare(former, lines):
    """What a major and what a minor version may change, as sentences."""
    before, now = facts(former), facts(lines)
    breaking = [f"gone: {name}" for name in before if name not in now]
    both = [name for name in before if name in now]
    breaking += [f"changed: {name}: was '{before[name]}', is '{now[name]}'" for name in both if now[name] != before[name]]
    return breaking, [f"new: {name}" for name in now if name not in before]


def unannounced(last, breaking):
    """A sentence on columns that go, and that the Changelog of no release has named; else nothing."""
    released = CHANGELOG.read_text().partition(f"\n## {last}\n")[2]
    columns = [name.removeprefix("gone: column ") for name in breaking if name.startswith("gone: column ")]
    missing = [name for name in columns if f"`{name}`" not in released]
    return missing and (
        f"A column that goes is announced: the entry of {last} or of an earlier version in the Changelog must name "
        f"{', '.join(f'`{name}`' for name in missing)}. Keep it, and announce it now under 'Changed'.")


def check(version, lines):
    """A sentence with what differs if the version is lower than the difference needs, else nothing."""
    lists = sorted(LISTS.glob("*.txt"), key=lambda path: number(path.stem))
    if not lists:
        raise Fault(f"{os.path.relpath(LISTS, ROOT)} has no list; write one with '{PLACE} PROGRAM --write'")
    last = lists[-1].stem
    breaking, new = compare(read(lists[-1]), lines)
    major, minor, _ = number(last)
    needed = f"{major + 1}.0.0" if breaking else f"{major}.{minor + 1}.0" if new else last
    if number(version) >= number(needed):
        return unannounced(last, breaking)
    if not breaking + new:
        return f"The program says {version}, and the last release was {last}. It needs a later version."
    what = "Something is gone or changed" if breaking else "Something is new"
    return "\n  ".join([
        f"{what} since {last}. That needs version {needed}, and the program says {version}:", *breaking, *new]) + (
        f"\nUndo that, or let the program say {needed} (programVersion). As long as {last} is not released, write its list anew: "
        f"'{PLACE} PROGRAM --write'.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--write", nargs="?", const=LISTS, type=Path, metavar="DIR")
    arguments = parser.parse_args()
    version, lines = interface(arguments.program)
    if arguments.write:
        path = arguments.write / f"{version}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(version, lines))
        print(f"{path}: written, {len(lines)} lines")
        return
    try:
        fault = check(version, lines)
    except Fault as error:
        fault = str(error)
    if fault:
        sys.exit(fault)


if __name__ == "__main__":
    main()
