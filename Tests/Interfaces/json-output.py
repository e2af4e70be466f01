#!/usr/bin/env python3
"""Runs the commands of all transcripts with --json, and checks what each of them prints against its JSON Schema.

    python3 Tests/Interfaces/json-output.py .build/release/pushetl [NAME …]

So every state that a transcript comes to is seen. The names are those of transcripts (default: all). At the end come commands
that a signal stops, which no transcript has.
"""
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jsonschema

ROOT = Path(__file__).parents[2]
SCHEMAS = {path.stem: json.loads(path.read_text()) for path in ROOT.glob("Sources/pushetl/pushetl.docc/Schemas/*.json")}
# By the code of a message, the levels that the manual has.
CODES = (ROOT / "Sources/pushetl/pushetl.docc/Codes.md").read_text().split("\n## ")
LEVELS = {code: levels.split(", ") for code, levels in re.findall(r"(?m)^\| `(\w+)` \| (.*?) \|", CODES[2])}
# What meets the codes that no transcript meets with --json.
UNMET = {
    "a fault of pushetl, in tests of units": [
        "error", "unexpected", "disorder", "file_mismatch", "partition_mismatch", "tables_disagree"],
    "commands of Spark, which print no JSON here: the transcripts spark and rare-codes, SparkJobTests": [
        "damaged_job", "foreign_job", "given_up", "missing_file", "other_output", "other_program", "other_zone", "spark",
        "unreadable_job", "unreadable_listing"],
    "DeliveryFileTests, DeliveriesTests": [
        "deliveries_bad_encoding", "deliveries_changed", "deliveries_damaged", "deliveries_search", "deliveries_trailing_bytes",
        "deliveries_truncated", "deliveries_unreadable"],
    "SlipTests, SystemFileTests, SQLiteErrorTests, ObstacleTests, the transcript messages": [
        "more_messages", "shortened_file", "sqlite", "unwritable_result", "waiting_for_command",
        "waiting_for_reader"],
    "full-disk.py, calls.py, next-schema.py, and the histories": [
        "earlier_schema", "full", "interrupted", "no_room", "not_noted", "replaced", "temporary_file"],
}
# Stands for the program. It adds the option, keeps the document, and prints only the messages. It does so where nothing else
# goes to stdout, and where a document may be as large as it is.
WRAPPER = """#!/bin/bash
case " $* " in
*help* | *" -h "* | *" --version "* | *completion* | *" /dev/stdout "* | *" spark-"*) exec {program} "$@" ;;
esac
[ "$(ulimit -f)" = unlimited ] || exec {program} "$@"
at=$(mktemp -d {folder}/XXXXXX)
echo "$*" > $at/words
{program} ${{1+"$1"}} --json "${{@:2}}" > $at/document 2> $at/messages
echo $? > $at/code
cat $at/messages >&2
exit $(cat $at/code)
"""


def commands(transcript):
    """The script of all its commands; see Contributing.md."""
    blocks = re.findall(r"^(?:```console|<!-- console)\n(.*?)^(?:```|-->)$", transcript.read_text(), flags=re.M | re.S)
    return [re.sub("^> ?", "", found, flags=re.M) for block in blocks for found in re.findall(r"^\$ (.*\n(?:>.*\n)*)", block, flags=re.M)]


def compiled_clock(folder):
    """The library that shows programs another time, see Tests/Clock."""
    clock, sources = os.path.join(folder, "libClock.so"), ROOT / "Tests/Clock"
    subprocess.run(["clang", "-shared", "-fPIC", "-I", sources / "include", "-o", clock, sources / "clock.c"], check=True)
    return clock


def run_transcript(transcript, program, clock):
    """The ways in which its commands ended: (command, exit code, codes of messages)."""
    with tempfile.TemporaryDirectory() as folder:
        tools, found, place = (Path(folder, name) for name in ("tools", "found", "place"))
        for path in (tools, found, place):
            path.mkdir()
        (tools / "pushetl").write_text(WRAPPER.format(program=program, folder=found))
        (tools / "pushetl").chmod(0o755)
        script = [f"repo={ROOT}\n. $repo/Tests/Transcripts/functions.bash\n"]
        for number, command in enumerate(commands(transcript)):
            (tools / f"{number}.sh").write_text(command)
            script.append(f". {tools}/{number}.sh\n")
        (tools / "all.sh").write_text("".join(script))
        environment = {
            "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(place), "TZ": "UTC", "LC_ALL": "C.UTF-8",
            "LD_PRELOAD": clock, "CLOCK": "2026-11-20 10:00:00"}
        subprocess.run(["bash", tools / "all.sh"], cwd=place, env=environment, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        assert any(found.iterdir()), "no command was run"
        return {check(at) for at in found.iterdir() if (at / "code").exists()}


def check(at):
    """Checks one document. Gives the command, its exit code, and the codes of its messages."""
    words, document, messages = ((at / name).read_text(errors="replace") for name in ("words", "document", "messages"))
    return check_document(words.strip(), document, messages, int((at / "code").read_text()))


def check_document(words, document, messages, code):
    where = f"pushetl {words}: exit {code}"
    try:
        value = json.loads(document)
    except ValueError as error:
        raise AssertionError(f"{where}: {error}: {document[:200]}{messages[:200]}") from error
    schema = SCHEMAS[value["command"]]
    for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
        raise AssertionError(f"{where}: {error.message} at {list(error.path)}")
    assert value["exit_code"] == code, f"{where}: says {value['exit_code']}"
    assert value["errors"] or code == 0, f"{where}: no error"
    for level in ("error", "warning"):
        for message in value[level + "s"]:
            # What is no news is among the warnings.
            levels = {level} | ({"info"} if level == "warning" else set())
            assert levels & set(LEVELS.get(message["code"], ())), (
                f"{where}: the manual does not tell that {message['code']} is a {level}")
    for message in value["errors"] + value["warnings"]:
        first = message["message"].split("\n")[0]
        forms = [first, json.dumps(first, ensure_ascii=False)[1:-1]]
        # What a terminal would obey is escaped there.
        is_there = any(form in messages for form in forms) or not first.isprintable()
        # One cause is told once, with the words of its latest log date.
        is_gathered = "log_date" in message and " log dates)" in messages
        # --quiet leaves out what is no news.
        is_left_out = "info" in LEVELS.get(message["code"], ()) and not {"-q", "--quiet"}.isdisjoint(words.split())
        is_counted = " more messages; " in messages
        assert is_there or is_gathered or is_left_out or is_counted, f"{where}: {first!r} is not on stderr"
    return value["command"], code, frozenset(message["code"] for message in value["errors"] + value["warnings"])


def signals(program, folder):
    """A signal stops a run and a backfill."""
    (folder / "logs").mkdir()
    (folder / "push.yaml").write_text(
        "version: 1\noutput: out\nsources: [{name: adobe, format: collector, files: logs/%Y-%m-%d.log}]\n")
    hit = '192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] "GET /r/?id=h{:x},d57fd6,7 HTTP/1.1" 200 0 "-" "-"\n'
    (folder / "logs/2026-11-19.log").write_text("".join(hit.format(number) for number in range(1, 20001)) * 60)
    seen = set()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        for words in (["run", "--date", "2026-11-19"], ["backfill", "--from", "2026-11-18", "--to", "2026-11-20"]):
            # On a busy machine the command may be done before the signal comes.
            for _ in range(20):
                running = subprocess.Popen(
                    [program, *words, "--json", "-p", "push.yaml"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    # Under nohup this script ignores SIGHUP, and so would the program.
                    text=True, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
                # From then on it has its handlers, and reads.
                while not (folder / "out/partitions/.lock").exists() and running.poll() is None:
                    time.sleep(0.001)
                running.send_signal(number)
                document, messages = running.communicate()
                if running.returncode != 0:
                    break
                shutil.rmtree(folder / "out")
            seen.add(check_document(" ".join(words), document, messages, running.returncode))
    return seen


def main():
    program = os.path.abspath(sys.argv[1])
    names = [Path(name).stem for name in sys.argv[2:]]
    transcripts = [path for path in sorted(ROOT.glob("Tests/Transcripts/*.md")) if not names or path.stem in names]
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    seen, failures = set(), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool, tempfile.TemporaryDirectory() as folder:
        clock = compiled_clock(folder)
        running = {pool.submit(run_transcript, path, program, clock): path.name for path in transcripts}
        for done in concurrent.futures.as_completed(running):
            try:
                seen |= done.result()
            except AssertionError as fault:
                failures += 1
                print(f"FAILED {running[done]}: {fault}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        seen |= signals(program, Path(folder))
    ways = {(command, code) for command, code, _ in seen}
    if not names:
        for command in ("run", "backfill"):
            missing = {0, 64, 65, 66, 74, 75, 78, 129, 130, 143} - {code for name, code in ways if name == command}
            assert not missing, f"{command} never ended with {missing}"
        unmet = set(LEVELS) - set().union(*(codes for _, _, codes in seen))
        known = set().union(*UNMET.values())
        assert unmet == known, f"no transcript meets {sorted(unmet - known)}, and one does {sorted(known - unmet)}"
    print(f"{len(ways)} ways to end, {failures} of {len(transcripts)} transcripts with a document that is not as its schema says")
    sys.exit(1 if failures else 0)


main()
