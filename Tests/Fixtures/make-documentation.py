#!/usr/bin/env python3
"""Makes the pages of the manual that repeat what the program says: Columns, Codes, Options, Questions.

    Tests/Fixtures/make-documentation.py .build/release/pushetl [--check]

Columns come from push.db (`columns_help`), options from `--help`, exit codes and the codes of messages from `pushetl
manual-lists`, the keys of JSON from the schemas, and the questions from Questions.sql, each with its answer in the
sample logs. With --check nothing is written; the end is 1 where a page is not what would be.
"""
import argparse
import importlib
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

exports = importlib.import_module("make-exports")
ROOT = exports.ROOT
PAGES = ROOT / "Sources/pushetl/pushetl.docc"
PLACE = Path(__file__).resolve().relative_to(ROOT)


def table(header, rows):
    """A table of Markdown, of cells that are Markdown already."""
    lines = ["| " + " | ".join(cells).replace("\n", " ") + " |\n" for cells in [header, *rows]]
    return lines[0] + "|---" * len(header) + "|\n" + "".join(lines[1:])


def plain(text):
    """Markdown that shows a text as it is, in a table too."""
    text = re.sub(r"([\\`*\[\]<>|])", r"\\\1", str(text))
    # Within a word, an underscore is one.
    return re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", text)


def code(text):
    return f"`{text}`".replace("|", "\\|")


def words(text):
    """A text with code voice for options, whose dashes would be lost, for names that have an underscore, and for push.db."""
    return text if "`" in text else re.sub(r"(?<![-\w:/])((?:pushetl \w+ )?--[-a-z]*|(\w*[a-z0-9]_\w+|push\.db)\b)", r"`\1`", text)


def page(title, summary, *parts):
    mark = f"<!-- Made by {PLACE}: change it, or what it reads, and not this page. -->"
    return "\n\n".join([f"# {title}", summary, mark, *(part.strip("\n") for part in parts)]) + "\n"


# ---- Columns

KINDS = """\
`day` and `log_date` are of the type `DATE`, text such as `2026-11-19`. A `DATETIME` is text such as `2026-11-19 10:00:00`, in
UTC except for `day_start` and `hour_start`. A column without *or NULL* is never NULL.

| kind | what may be done with it |
|---|---|
| dimension | to group and to filter by |
| time | a day or a time |
| additive | may be added up over all rows |
| rate | never add it up or average it. Over several rows, the formula gives it |
| fact | belongs to its row |

In `push.db`, the table `columns_help` has the same rows. [push.db and JSON](Output.md) says which table answers which question."""


def columns(database):
    """A column that means the same in an earlier table is only named."""
    parts, first = [], {}
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")]
    for name in (name for name in names if not name.startswith(("sqlite_", "_"))):
        told = {column: row for column, *row in database.execute(
            "SELECT column_name, description, kind, unit, formula FROM columns_help WHERE table_name = ?", [name])}
        rows, others, key = [], {}, {}
        for _, column, kind, is_filled, _, place in database.execute(f"PRAGMA table_info({name})"):
            description, use, unit, formula = told[column]
            meaning = words(description) + (f" Over several rows: `{formula}`" if formula else "")
            row = (code(column), kind + ("" if is_filled else " or NULL"), use, unit or "", meaning)
            if (earlier := first.setdefault(row, name)) == name:
                rows.append(row)
            else:
                others.setdefault(earlier, []).append(row[0])
            key[place] = code(column)
        key = ", ".join(key[place] for place in sorted(key) if place)
        lines = [f"## {name}", f"Primary key: {key}."]
        lines += [f"As in [{earlier}](#{earlier}): {', '.join(same)}." for earlier, same in others.items()]
        lines += [table(["column", "type", "kind", "unit", "meaning"], rows)] if rows else []
        parts.append("\n\n".join(lines))
    return page("Columns", "All tables of `push.db`, with all columns.", KINDS, *parts)


# ---- Questions

# What the answers are about.
VALUES = {"from": "2026-11-16", "to": "2026-11-19", "delivery_id": "2a608"}

ANSWERS = """\
The answers are those of the sample logs: `pushetl backfill --from 2026-11-17 --to 2026-11-19`. Replace the days and the
delivery. [What adds up](Output.md#what-adds-up) says what to know before you write queries of your own, and [What pushetl leaves
out](LeftOut.md) what no query answers. DuckDB reads the queries too, once `push.db` is attached and in `USE`; where SQLite
divides by zero and says NULL, it says `nan`."""


def questions(database):
    parts = []
    for question in exports.questions():
        sql = question.sql(lambda name: f"'{VALUES[name]}'")
        cursor = database.execute(sql)
        rows = [[plain("" if value is None else value) for value in row] for row in cursor]
        answer = table([plain(column[0]) for column in cursor.description], rows) if rows else "No rows."
        explanation = words(question.explanation) + "\n\n" if question.explanation else ""
        parts.append(f"## {question.title}\n\n{explanation}```sql\n{sql}\n```\n\n{answer}")
    return page("Questions and queries", "What people ask about pushes every day, with the SQL and the answer.", ANSWERS, *parts)


# ---- Options

def option_row(option):
    value = f"<{option['valueName']}>"
    if option["kind"] == "positional":
        names = value + (" …" if option["isRepeating"] else "")
    else:
        names = ", ".join(("--" if name["kind"] == "long" else "-") + name["name"] for name in option["names"])
        names += f" {value}" if option["kind"] == "option" else ""
    text, default = re.fullmatch(r"(.*?)(?: \(default: (.*)\))?", option["abstract"]).groups()
    # The number of cores is another on each machine.
    if "Without it" not in text:
        default = default or option.get("defaultValue")
    text = words(plain(text))
    if "allValues" in option:
        text += " " + ", ".join(map(code, option["allValues"])) + "."
    return [code(names), text, words(plain(default or ("" if option["isOptional"] else "required")))]


def discussion(text):
    """Indented lines are commands."""
    parts = re.split(r"(?m)((?:^  .*\n?)+)", text)
    return "\n\n".join(
        "```sh\n" + re.sub("(?m)^  ", "", part).rstrip() + "\n```" if part.startswith("  ") else words(plain(part.strip()))
        for part in parts if part.strip())


def options(help_text):
    commands = [found for found in help_text["subcommands"] if found["shouldDisplay"] and found["commandName"] != "help"]
    for command in commands:
        command["rows"] = [option_row(found) for found in command["arguments"] if found["shouldDisplay"]]
    times = defaultdict(int)
    for row in (row for command in commands for row in command["rows"]):
        times[tuple(row)] += 1
    common = [list(row) for row, number in times.items() if number > 5]
    header = ["option", "what it does", "default"]
    parts = [table(header, common)]
    for command in commands:
        own = [row for row in command["rows"] if row not in common]
        parts += [f"## {command['commandName']}", words(command["abstract"]), discussion(command["discussion"])]
        parts += [table(header, own)] if own else []
        parts.append("Also " + ", ".join(row[0] for row in command["rows"] if row in common) + ".")
    return page("Options", "All commands with their options, as `pushetl help COMMAND` prints them.",
                "## Options of most commands", *parts)


# ---- Codes

EXITS = """\
Whatever the code, nothing is lost that was there before: every table is as before or as after. Results go to stdout, all else
to stderr."""

LEVELS = """\
With `--json` or `--log-format json`, each warning and error has a code. No code changes its meaning; a later version may have
more. A message about a file or a log date begins with its name, and says what to do. [Every night](EveryNight.md) says more about
those of a night."""

DOCUMENTS = """\
With `--json`, a command prints one JSON object, even if it fails. A key that a command cannot know is absent. Where a key has the
name of a [column](Columns.md), it means the same. `Schemas/` in this folder has these keys as JSON Schemas."""


def exit_codes(lists, help_text, schemas):
    """The exit codes that the program lists, and those that `--help` tells beside them: of wrong usage, and of signals."""
    meanings = {exit["code"]: words(exit["meaning"]) for exit in lists["exit_codes"]}
    told = re.search(r"Exit codes: (.*)\.", help_text["discussion"])[1]
    rows = []
    for numbers, meaning in re.findall(r"([\d, ]+) ([^;]+)", told):
        for number in map(int, numbers.split(", ")):
            names = [code(name) for name, schema in schemas.items() if number in schema["properties"]["exit_code"]["enum"]]
            text = meanings.pop(number, meaning[0].upper() + meaning[1:] + ".")
            rows.append([str(number), text, "all" if len(names) >= len(schemas) - 1 else ", ".join(names)])
    assert not meanings, f"--help does not tell the exit codes {list(meanings)}"
    order = ", ".join(str(exit["code"]) for exit in reversed(lists["exit_codes"]))
    return f"{table(['code', 'meaning', 'commands'], rows)}\nOver several log dates the most serious counts: {order}."


def message_codes(lists):
    rows = []
    for entry in lists["message_codes"]:
        meaning = words(re.sub("'([^']+)'", r"`\1`", plain(entry["meaning"])))
        rows.append([code(entry["code"]), ", ".join(sorted(entry["levels"])), meaning])
    return table(["code", "level", "meaning"], rows)


# Types of JSON that are told apart by a pattern.
PATTERNS = {
    "^[a-z0-9_]+$": "code", "^[0-9]{4}-[0-9]{2}$": "month", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$": "date",
    "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$": "time"}
TYPES = {"string": "text", "integer": "number", "boolean": "true or false", "object": "object"}


def kind_of(value):
    """What a value of JSON is."""
    if "$ref" in value:
        return f"*{value['$ref'].split('/')[-1]}*"
    if "anyOf" in value:
        return " or ".join(map(kind_of, value["anyOf"]))
    if "enum" in value or "const" in value:
        return ", ".join(code(json.dumps(word).strip('"')) for word in value.get("enum", [value.get("const")]))
    if value["type"] == "array":
        return f"list of {kind_of(value['items'])}" if "items" in value else "empty list"
    return PATTERNS.get(value.get("pattern")) or TYPES.get(value["type"], value["type"])


def keys(value, told, prefix=""):
    """The rows for the keys of an object, and of the objects in it that have no name."""
    rows = []
    for name, inner in value["properties"].items():
        meaning = words(inner.get("description") or told.get(name, ""))
        rows.append([code(prefix + name), kind_of(inner), meaning])
        inner = inner.get("items", inner)
        if "properties" in inner:
            rows += keys(inner, told, f"{prefix}{name}.")
    return rows


def documents(schemas, told):
    header = ["key", "value", "meaning"]
    always = keys(schemas["pushetl"], told)
    names = {row[0] for row in always}
    parts = [DOCUMENTS, "### Keys of every document", table(header, always)]
    # Objects with a name: its rows, and the commands. Where one has more keys than another of the name, it is that one.
    objects = defaultdict(list)
    for command, schema in schemas.items():
        if own := [row for row in keys(schema, told) if row[0] not in names]:
            parts += [f"### {command}", table(header, own)]
        for name, value in schema["$defs"].items():
            rows = keys(value, told)
            for known in objects[name]:
                here, there = ({row[0] for row in found} for found in (rows, known[0]))
                if here <= there or there <= here:
                    known[0] = max(rows, known[0], key=len)
                    known[1].append(command)
                    break
            else:
                objects[name].append([rows, [command]])
    parts += ["### Objects in them"]
    for name, kinds in sorted(objects.items()):
        for rows, commands in kinds:
            where = "every document" if len(commands) == len(schemas) else ", ".join(map(code, commands))
            parts += [f"*{name}* of {where}:", table(header, rows)]
    return "\n\n".join(part.strip("\n") for part in parts)


def codes(lists, help_text, database):
    schemas = {path.stem: json.loads(path.read_text()) for path in sorted(PAGES.glob("Schemas/*.json"))}
    told = {}
    for source in ("partitions", "files", "outcomes", "runs", "daily_actions", "daily_funnel"):
        for name, text in database.execute("SELECT column_name, description FROM columns_help WHERE table_name = ?", [source]):
            told.setdefault(name, text)
    return page(
        "Codes and keys", "Exit codes, the codes of messages, and the keys of `--json`.",
        f"## Exit codes\n\n{exit_codes(lists, help_text, schemas)}\n\n{EXITS}",
        f"## Message codes\n\n{LEVELS}\n\n{message_codes(lists)}", f"## JSON documents\n\n{documents(schemas, told)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    help_text = exports.printed(arguments.program, "--experimental-dump-help")["command"]
    lists = exports.printed(arguments.program, "manual-lists")
    with tempfile.TemporaryDirectory() as folder:
        database = exports.sample(arguments.program, folder)
        pages = {
            "Columns": columns(database), "Codes": codes(lists, help_text, database), "Options": options(help_text),
            "Questions": questions(database)}
    paths = {name: PAGES / f"{name}.md" for name in pages}
    old = [name for name, path in paths.items() if not path.exists() or path.read_text() != pages[name]]
    for name in old:
        if arguments.check:
            print(f"{name}.md is not what the program says: run '{PLACE} {arguments.program}' and read what has changed")
        else:
            paths[name].write_text(pages[name])
            print(f"{name}.md: written")
    sys.exit(1 if arguments.check and old else 0)


if __name__ == "__main__":
    main()
