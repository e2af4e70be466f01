#!/usr/bin/env python3
"""Holds the JSON Schema of the pipeline file to what pushetl reads.

    python3 Tests/Interfaces/pipeline-schema.py .build/release/pushetl

Each key of the schema is set to values of every type, left out, and joined by an unknown key. What pushetl reads, the schema
must accept; and what pushetl refuses by the form of the file, the schema must refuse. Each pipeline of the repository, of the
documentation and of 'guess' must be valid by it, and each of the first and the last must name it for editors.
"""
import copy
import functools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCHEMA_PATH = ROOT / "Pipelines/pushetl.schema.json"
SCHEMA = json.loads(SCHEMA_PATH.read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
MODELINE = re.compile(r"^# yaml-language-server: \$schema=(\S+)\n")
# The faults that the form of a file has. Others need the content: a pattern, a zone, a layout, SQL.
FORMAL = {
    "bad_action_code", "bad_action_name", "bad_check_name", "bad_field_path", "empty_value", "foreign_key", "missing_key",
    "out_of_range", "path_without_slash", "unknown_key", "unknown_version", "unknown_word", "wrong_type", "date_without_time",
    "value_twice",
}
VALUES = [
    None, True, False, -1, 0, 1, 7, 99999, 0.5, 1.5, "", "  ", "text", "a.b", "a..b", "/x", [], [[]], ["text"], [7], {},
    {"text": "text"}, {"1": "open"}, {"1": 7}, {"x": "ios"}, {"time": "a.b"}, [{}],
]


class Loader(yaml.SafeLoader):
    """Reads as an editor does, by YAML 1.2: 'off' is a text. All keys are texts, as in JSON."""

    yaml_implicit_resolvers = {
        letter: [(tag, pattern) for tag, pattern in resolvers if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")]
        for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
Loader.add_constructor(
    "tag:yaml.org,2002:map",
    lambda loader, node: {str(loader.construct_object(key)): loader.construct_object(value, deep=True) for key, value in node.value})


def faults(text):
    return [error.message for error in VALIDATOR.iter_errors(yaml.load(text, Loader))]


def bases():
    """A pipeline of each format, with all of its keys."""
    common = {"id_space": "push", "timezone": "UTC", "required": True, "layout": "json", "layout_fields": {"time": "t", "date": "d"}, "unwrap": "log", "skip": ["[error]"]}
    payload = {"platform": "ios", "path": "/x", "actions": {"1": "open"}, "platforms": {"chrome": "web"},
               "fields": {"broadlog_id": "a.b", "delivery_id": "c", "action": "d", "time": "e", "platform": "f", "tracking": "g"}}
    sources = {
        "collector": {**common, "dialect": "campaign_classic", "require_mcid": False},
        "mzip": {**common, **payload},
        "users_track": {**common, **payload},
        "events": {**common, **payload, "elements": "events", "require": ["a.b"], "fields": {
            **payload["fields"], "broadlog_id": ["a.b", {"first": ["c", '"d.e".f']}], "delivery_id": {"first": ["a", "b"]}}},
    }
    timed = {key: value for key, value in sources["events"].items() if key not in ("actions", "elements")}
    timed["fields"] = {"broadlog_id": "a", "delivery_id": {"first": ["b", "c.d"]}, "platform": "p"}
    constant = {**timed, "action": "open", "fields": {**timed["fields"], "time": "t"}}
    timed["times"] = {"sent": "s", "open": "o.t"}
    rows = {key: value for key, value in timed.items() if key not in ("path", "unwrap", "layout_fields")} | {"layout": "csv"}
    for name, source in [*sources.items(), ("events", timed), ("events", constant), ("events", rows)]:
        yield {
            "version": 1, "timezone": "UTC", "output": "out", "dedup": {"window_days": 30},
            "limits": {"reject_ratio": 0.05, "damaged_files": "skip"}, "retention": {"ids": 90},
            "deliveries": {"files": "d.csv", "id": "text", "timezone": "UTC", "columns": {
                key: key for key in SCHEMA["$defs"]["deliveries"]["properties"]["columns"]["properties"]}},
            "checks": [{"name": "none", "severity": "warn", "sql": "SELECT 1 WHERE 0"}],
            "sources": [{"name": "a", "format": name, "files": "%Y%j", **source}],
        }


def places(value, path=()):
    """The paths of all values in a pipeline."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, child in items:
        yield from places(child, (*path, key))


def changed(base, path, change):
    """A copy of a pipeline in which `change(parent, key)` was called for a place."""
    document = {"root": copy.deepcopy(base)}
    parent, key = document, "root"
    for step in path:
        parent, key = parent[key], step
    change(parent, key)
    return document["root"]


def variants():
    """Pipelines as text, each with what was done to which place."""
    for base in bases():
        name = base["sources"][0]["format"]
        yield json.dumps(base), name
        for path in places(base):
            place = ".".join(map(str, (name, *path)))
            for value in VALUES:
                yield json.dumps(changed(base, path, lambda parent, key: parent.__setitem__(key, value))), f"{place} = {value!r}"
            if path:
                yield json.dumps(changed(base, path, lambda parent, key: parent.__delitem__(key))), f"{place} left out"
            if isinstance(functools.reduce(lambda value, key: value[key], path, base), dict):
                added = changed(base, path, lambda parent, key: parent[key].__setitem__("unknwon", 1))
                yield json.dumps(added), f"{place} with an unknown key"


def compare(program):
    texts = list(dict(variants()).items())
    with tempfile.TemporaryDirectory() as folder:
        for number, (text, _) in enumerate(texts):
            Path(folder, str(number)).write_text(text)
        for start in range(0, len(texts), 500):
            files = map(str, range(start, min(start + 500, len(texts))))
            result = subprocess.run([program, "validate", "--json", *files], cwd=folder, capture_output=True, text=True)
            document = json.loads(result.stdout)
            codes = {}
            for error in document["errors"]:
                codes.setdefault(error["path"], set()).add(error["code"])
            for verdict in document["files"]:
                text, change = texts[int(verdict["path"])]
                # To an editor JSON is YAML, which takes a hundred times as long to read.
                refused = next(VALIDATOR.iter_errors(json.loads(text)), None)
                if verdict["valid"] and refused:
                    yield f"{change}: pushetl reads it; the schema: {refused.message[-200:]}"
                formal = codes.get(verdict["path"], set()) & FORMAL
                if formal and not refused:
                    yield f"{change}: the schema accepts it; pushetl: {', '.join(sorted(formal))}"
    print(f"{len(texts)} pipelines compared")


def check_keys():
    """The reader's own lists of keys."""
    known = {name for match in re.finditer(r'"properties": (\{.*)', json.dumps(SCHEMA)) for name in re.findall(r'"(\w+)":', match[1])}
    for path in sorted((ROOT / "Sources/Configuration").glob("*.swift")):
        for keys in re.findall(r'(?:keys: |[kK]eys(?:: Set)? = |names = )\[([^\]]*)\]', path.read_text()):
            for key in re.findall(r'"(\w+)"', keys):
                if key not in known:
                    yield f"{path.name}: the schema has no key '{key}'"


def check_examples(program):
    for path in sorted([*ROOT.glob("Pipelines/**/*.yaml"), ROOT / "Sources/packaging/push.yaml"]):
        text = path.read_text()
        for fault in faults(text):
            yield f"{path}: {fault}"
        named = MODELINE.match(text)
        if not named:
            yield f"{path}: does not begin with '# yaml-language-server: $schema='"
        elif "Pipelines" in path.parts and (path.parent / named[1]).resolve() != SCHEMA_PATH:
            yield f"{path}: names {named[1]}, which is not the schema"
    for path in sorted(ROOT.glob("Sources/pushetl/pushetl.docc/*.md")) + [ROOT / "README.md"]:
        for block in re.findall(r"^```yaml\n(.*?)^```", path.read_text(), flags=re.M | re.S):
            if re.search("^version:", block, flags=re.M) and re.search("^sources:", block, flags=re.M):
                for fault in faults(block):
                    yield f"{path}: {fault}: {block[:60]!r}"
    for log in sorted({*ROOT.glob("SampleLogs/**/2026-11-19*/*"), *ROOT.glob("SampleLogs/events/**/*.gz")}):
        draft = subprocess.run([program, "guess", log], capture_output=True, text=True).stdout
        if not draft:
            continue
        if not MODELINE.match(draft):
            yield f"the draft of {log} does not name the schema"
        for fault in faults(draft):
            yield f"the draft of {log}: {fault}"


def main():
    program = str(Path(sys.argv[1]).resolve())
    VALIDATOR.check_schema(SCHEMA)
    failures = [*check_keys(), *check_examples(program), *compare(program)]
    for failure in failures[:60]:
        print(failure)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
