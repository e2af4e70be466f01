#!/usr/bin/env python3
"""Checks what monitoring reads with Prometheus' own tool: the metrics of commands that end in several ways, and the alert
rules of the documentation, each of which must fire when it should and not before.

    python3 Tests/Interfaces/monitoring.py .build/release/pushetl
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ARTICLE = Path(__file__).parents[2] / "Sources/pushetl/pushetl.docc/EveryNight.md"
PIPELINE = """version: 1
output: out
sources:
  - {name: 'a "b\\c" é', format: collector, files: logs/%Y-%m-%d.log}
  - {name: second, format: collector, required: false, files: more/%Y-%m-%d.log}
"""
HIT = '192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] "GET /r/?id=h1,d57fd6,7 HTTP/1.1" 200 0 "-" "-"\n'

# Each alert: series, their values (every hour from the epoch on), an hour before it fires, and an hour at which it does.
ALERTS = {
    "PushetlDoesNotRun": ({"pushetl_last_run_timestamp_seconds": "3600x40"}, 26, 28),
    "PushetlHasNoMetrics": ({"pushetl_last_run_timestamp_seconds": "0+3600x3 _x40"}, 3, 6),
    "PushetlFailed": ({"pushetl_exit_code": "0 0 75 75 65 65"}, 3, 4),
    "PushetlIsBlocked": ({"pushetl_exit_code": "0 75 75 75 75"}, 2, 4),
    "PushetlLogDateIsLate": ({"pushetl_latest_log_date_timestamp_seconds": "0x60"}, 54, 55),
    "PushetlLogDateNeedsLook": (
        {'pushetl_log_dates{state="held"}': "0 0 1", 'pushetl_log_dates{state="partial"}': "3 3 3"}, 1, 2),
    "PushetlLacksFiles": ({'pushetl_warnings{code="missing_usual_files"}': "_ 1"}, 0, 1),
    "PushetlIdsStay": ({"pushetl_ids_since_timestamp_seconds": "0x2300"}, 2232, 2233),
    "PushetlRejectsMany": (
        {'pushetl_records{source="a",outcome="accepted",reason=""}': "98 97",
         'pushetl_records{source="a",outcome="rejected",reason="bad_time"}': "2 3"}, 0, 1),
}


def promtool(*arguments, stdin=None):
    done = subprocess.run(["promtool", *arguments], input=stdin, capture_output=True, text=True)
    assert done.returncode == 0, f"promtool {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def check_metrics(program, folder):
    def run(code, *arguments):
        done = subprocess.run(
            [program, *arguments, "--quiet", "--metrics", "push.prom"], cwd=folder,
            env={**os.environ, "PUSHETL_PIPELINE": "push.yaml"}, capture_output=True, text=True)
        assert done.returncode == code, done
        text = (folder / "push.prom").read_text()
        told = promtool("check", "metrics", stdin=text)
        assert told == "", f"{arguments}: {told}"
        assert f"\npushetl_exit_code {code}\n" in text, text

    def write(name, text):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)

    write("push.yaml", "version: 2")
    run(78, "run", "--date", "2026-11-19")
    write("push.yaml", PIPELINE)
    run(66, "run", "--date", "2026-11-19")
    write("logs/2026-11-19.log", HIT * 2)
    run(0, "run", "--date", "2026-11-19")
    write("logs/2026-11-20.log", HIT + "junk\n")
    run(65, "backfill", "--from", "2026-11-18", "--to", "2026-11-20")
    # 31 days later there is a final day.
    write("logs/2026-12-25.log", HIT)
    run(0, "run", "--date", "2026-12-25")


def check_rules(folder):
    blocks = re.findall(r"```yaml\n(groups:\n.*?)```", ARTICLE.read_text(), re.S)
    assert len(blocks) == 1, f"{len(blocks)} sets of rules"
    rules = folder / "rules.yaml"
    rules.write_text(blocks[0])
    promtool("check", "rules", str(rules))
    assert re.findall(r"- alert: (\w+)", blocks[0]) == list(ALERTS), "an alert has no test"
    # Labels and annotations are those of the rules: only whether it fires is tested, by ALERTS.
    tests = [{
        "interval": "1h", "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [{
            "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})', "eval_time": f"{hour}h",
            "exp_samples": [{"labels": "{}", "value": 1}] if fires else [],
        } for hour, fires in ((before, False), (at, True))],
    } for alert, (series, before, at) in ALERTS.items()]
    # JSON is YAML too.
    (folder / "tests.yaml").write_text(
        json.dumps({"rule_files": ["rules.yaml"], "evaluation_interval": "1h", "tests": tests}))
    promtool("test", "rules", str(folder / "tests.yaml"))


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="pushetl-") as folder:
        check_metrics(program, Path(folder))
        check_rules(Path(folder))
    print(f"metrics as promtool wants them, and {len(ALERTS)} alerts that fire when they should")


main()
