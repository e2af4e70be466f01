#!/usr/bin/env python3
"""What a load on Apache Spark costs beside `pushetl run`, on the same machine and cores, and how it scales over executors.

    python3 -m venv venv && venv/bin/pip install pyspark    # and Java 17 or later
    venv/bin/python Tests/Benchmarks/spark.py [--lines 4000000] [--files 16] [--shards 16] [--executors 1,2] [--runs 5]
                                              [--folder DIR]

For each number of executors, of one core each (local-cluster[N,1,2048]), it starts Spark, loads the logs once without
timing, and then in turn by Spark and by `pushetl run --jobs N`, each time into a new output. So the start of Spark, of
Java and of its executors is not in the times; the processes of pushetl are. CPU is that of the whole machine, so nothing
else should run. The tables of push.db must be the same in all outputs, else the script stops. Prints a Markdown table of
medians.
"""

import argparse
import os
import shutil
import statistics
import sys
import time
from pathlib import Path

import bench
import pyspark
from pyspark.sql import SparkSession

sys.path.insert(0, str(Path(__file__).parents[2] / "Sources/spark"))
import pushetl_spark


def cpu_seconds():
    """Of all processes of the machine since its start, without waiting."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    user, nice, system, _, _, interrupts, soft = (int(field) for field in fields[:7])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def measured(load, output):
    """Wall and CPU seconds of a load into a new output, and the counts that it comes to."""
    shutil.rmtree(output, ignore_errors=True)
    begin, cpu = time.monotonic(), cpu_seconds()
    load(output)
    return time.monotonic() - begin, cpu_seconds() - cpu, bench.daily_counts(output)


def compare(options, programs, folder):
    logs = bench.make_logs(
        programs, os.path.join(folder, "logs"), "--preset", "easy", "--records", options.lines, "--from", bench.DATE,
        "--files", options.files)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_HOME=os.path.dirname(pyspark.__file__))
    rows = []
    for executors in (int(number) for number in options.executors.split(",")):
        spark = (
            SparkSession.builder.master(f"local-cluster[{executors},1,2048]").appName("pushetl")
            .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
            .config("spark.log.level", "ERROR").getOrCreate())
        spark.sparkContext.addPyFile(pushetl_spark.__file__)

        def by_spark(output, spark=spark):
            words = ["run", "--date", bench.DATE, "--pipeline", logs.pipeline, "--output", output, "--quiet",
                     "--shards", str(options.shards), "--pushetl", os.path.join(programs, "pushetl")]
            if code := pushetl_spark.run(spark, pushetl_spark.options_of(words)):
                sys.exit(f"the job ended with {code}")

        def plainly(output, jobs=executors):
            bench.load(programs, logs, output, "--jobs", str(jobs))

        ways = {"Spark": by_spark, "plain": plainly}
        timings = {way: [] for way in ways}
        for round_ in range(options.runs + 1):
            counts = None
            for way, load in ways.items():
                seconds, cpu, found = measured(load, os.path.join(folder, f"output-{way}"))
                if counts not in (None, found):
                    sys.exit(f"{way} has come to other counts")
                counts = found
                if round_ > 0:
                    timings[way].append((seconds, cpu))
        spark.stop()
        (seconds, cpu), (plain_seconds, plain_cpu) = (
            tuple(statistics.median(values) for values in zip(*timings[way])) for way in ways)
        rows.append([
            str(executors), f"{plain_seconds:.2f} s", f"{seconds:.2f} s", f"{seconds / plain_seconds:.1f}",
            f"{plain_cpu:.1f} s", f"{cpu:.1f} s", f"{cpu / plain_cpu:.1f}"])
    print(f"{bench.machine()}; PySpark {pyspark.__version__}; {options.lines:,} lines in {options.files} files, "
          f"{options.shards} shards\n\n`{bench.command_line()}`\n")
    print(bench.table(
        ["executors", "`run`", "Spark", "ratio", "CPU of `run`", "CPU of Spark", "ratio"], rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("lines", 4_000_000), ("files", 16), ("shards", 16), ("runs", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--executors", default="1,2")
    parser.add_argument("--folder")
    options = parser.parse_args()
    with bench.data_folder(options.folder) as folder:
        compare(options, bench.build(), folder)


if __name__ == "__main__":
    main()
