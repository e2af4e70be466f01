#!/usr/bin/env python3
"""A night's load against merely unpacking the same files, and against the same counts by SQL.

    python3 Tests/Benchmarks/nightly.py [--lines 6000000] [--runs 9] [--peer-runs 5] [--data NAME...] [--folder DIR] [--quick]

Makes the data with loggen, builds pushetl (with zlib, and with ISA-L where libisal-dev is installed), and then, in each
round and in turn, each round beginning with another one, times as whole processes: pushetl, the C program inflate.c (zlib
on all cores, nothing else), and `gzip -dc` side by side. Rounds of pushetl, DuckDB and chdb follow for the two-file collector
logs, where Python can import these. They are apart since those take a gigabyte of memory, which a virtual machine gives
back to its host: who comes behind them has to get it again page by page. Prints Markdown tables: medians of the rounds,
ratios within a round, the highest peak memory. A round before the first only warms the caches.

All that count must arrive at the same counts in every round, by day, platform, delivery and action; else the script stops.
The data, about 1 GB, stays in --folder and is used again; without it, it is made in a temporary folder. --quick: a million
lines, three rounds.
"""
import argparse
import functools
import json
import os
import shutil
import statistics
import sys

import bench

# What each data set is: loggen's arguments but for the number of records, the share of --lines it takes, its files.
DATA = {
    "easy": (["--preset", "easy"], 1, 2, "hex ids, 40 user agents"),
    "hard": (["--preset", "hard"], 1, 2, "UUIDs, `&mcId=`, 20,000 user agents"),
    "single": (["--preset", "easy"], 1, 1, "as easy"),
    "small": (["--preset", "easy"], 1, 2000, "as easy"),
    "mzip": (["--kinds", "mzip", "--noise", "everyday"], 1 / 3, 2, "URL-encoded JSON"),
    "users_track": (["--kinds", "users_track", "--noise", "everyday"], 1 / 3, 2, "JSON"),
}
PEER_DATA = ["easy", "hard"]
PEERS = {"chdb": "chdb", "duckdb": "DuckDB"}


class Contest:
    """One data set: its logs, and the timings of each contestant, a list with an item for each round: those of unpacking,
    and those with the peers."""

    def __init__(self, name, programs, folder, lines):
        arguments, share, files, self.meaning = DATA[name]
        self.name = name
        self.records = round(lines * share)
        self.logs = bench.make_logs(
            programs, os.path.join(folder, name), *arguments, "--records", self.records, "--from", bench.DATE,
            "--files", files)
        self.output = os.path.join(folder, "warehouse-" + name)
        self.counts = None
        self.timings = {}
        self.peer_timings = {}
        self.versions = {}
        self.unpacked_bytes = 0
        self.bytes_an_event = 0

    def add(self, contestant, timing, with_peers=False):
        timings = self.peer_timings if with_peers else self.timings
        timings.setdefault(contestant, []).append(timing)

    def check(self, contestant, counts):
        """Stops the script unless the counts are those that the first contestant found."""
        if self.counts is None:
            self.counts = counts
        if counts == self.counts:
            return
        places = sorted(key for key in counts.keys() | self.counts.keys() if counts.get(key) != self.counts.get(key))
        sys.exit(
            f"{self.name}: {contestant} counts otherwise than zlib's pushetl at first, in {len(places):,} of "
            f"{len(self.counts):,} rows; {places[0]}: {counts.get(places[0])} instead of {self.counts.get(places[0])}")

    def run_pushetl(self, contestant, programs, with_peers=False):
        shutil.rmtree(self.output, ignore_errors=True)
        self.add(contestant, bench.load(programs, self.logs, self.output), with_peers)
        self.check(contestant, bench.daily_counts(self.output))
        events = sum(row[0] for row in self.counts.values())
        partition = os.path.join(self.output, "partitions", bench.DATE + ".sqlite")
        self.bytes_an_event = os.path.getsize(partition) / events

    def run_inflate(self, inflate):
        self.add("inflate", bench.timed([inflate, *self.logs.files]))
        self.unpacked_bytes = int(self.timings["inflate"][-1].output.split()[0])

    def run_gzip(self):
        files = self.logs.files
        shares = [files[core::bench.CORES] for core in range(min(bench.CORES, len(files)))]
        # bench.timed reads the first command's output, so a shell sends it away.
        self.add("gzip", bench.timed(*(["sh", "-c", 'exec gzip -dc "$@" >/dev/null', "gzip", *share] for share in shares)))

    def run_peer(self, peer):
        timing = bench.timed(
            [sys.executable, os.path.join(bench.HERE, "peers.py"), peer, str(bench.CORES), *self.logs.files])
        answer = json.loads(timing.output)
        self.check(peer, {tuple(row[:4]): tuple(row[4:]) for row in answer["rows"]})
        self.add(peer, timing, with_peers=True)
        self.versions[peer] = answer["version"]

    def forget_rounds(self):
        self.timings = {}

    def all_of(self, contestant):
        """Of a peer those with the peers."""
        return self.timings.get(contestant) or self.peer_timings[contestant]

    def seconds(self, contestant):
        return statistics.median(timing.seconds for timing in self.all_of(contestant))

    def peak(self, contestant):
        return max(timing.peak for timing in self.all_of(contestant))

    def ratio(self, contestant, other, of=None):
        """The median of the ratios within each round; `of` is the other's data set, if not this one."""
        return median_ratio(self.timings[contestant], (of or self).timings[other])

    def peer_ratio(self, peer, build):
        """How many times the build's seconds the peer takes."""
        return median_ratio(self.peer_timings[peer], self.peer_timings[build])


def median_ratio(timings, others):
    return statistics.median(ours.seconds / theirs.seconds for ours, theirs in zip(timings, others))


def pushetl_table(contests, builds):
    header = ["data", "build", "seconds", "of zlib alone", "of gzip -dc", "of easy"]
    peers = [peer for peer in PEERS if any(peer in contest.peer_timings for contest in contests)]
    header += [f"{PEERS[peer]} takes" for peer in peers] + ["peak", "bytes an event"]
    easy = next((contest for contest in contests if contest.name == "easy"), None)
    rows = []
    for contest in contests:
        for build in builds:
            row = [
                contest.name, build, f"{contest.seconds(build):.2f} s", f"{contest.ratio(build, 'inflate'):.2f}",
                f"{contest.ratio(build, 'gzip'):.2f}"]
            row.append(f"{contest.ratio(build, build, of=easy):.2f}" if easy and contest is not easy else "")
            for peer in peers:
                row.append(f"{contest.peer_ratio(peer, build):.1f} ×" if peer in contest.peer_timings else "")
            rows.append(row + [f"{contest.peak(build):.0f} MiB", f"{contest.bytes_an_event:.1f}"])
    return bench.table(header, rows)


def others_table(contests):
    header = ["data", "records", "files", "gzipped", "unpacked", "zlib alone", "gzip -dc"]
    peers = [peer for peer in PEERS if any(peer in contest.peer_timings for contest in contests)]
    rows = []
    for contest in contests:
        row = [
            f"{contest.name}: {contest.meaning}", f"{contest.records:,}", f"{len(contest.logs.files):,}",
            f"{contest.logs.packed_bytes / 1e6:.0f} MB", f"{contest.unpacked_bytes / 1e6:,.0f} MB",
            f"{contest.seconds('inflate'):.2f} s", f"{contest.seconds('gzip'):.2f} s"]
        for peer in peers:
            has = peer in contest.peer_timings
            row.append(f"{contest.seconds(peer):.2f} s, {contest.peak(peer):,.0f} MiB" if has else "")
        rows.append(row)
    return bench.table(header + [PEERS[peer] for peer in peers], rows)


def run_in_turn(contestants, number):
    """Each round begins with another one, since who comes first on its data takes longer."""
    first = number % len(contestants)
    for run in contestants[first:] + contestants[:first]:
        run()


def run_rounds(contests, builds, inflate, runs, peer_runs):
    """Runs everything, `runs` times and `peer_runs` times; the peers' versions."""
    for number in range(runs + 1):
        for contest in contests:
            # The first round's counts are what all must arrive at, and pushetl makes them.
            contestants = [functools.partial(contest.run_pushetl, *build) for build in builds.items()]
            contestants += [functools.partial(contest.run_inflate, inflate), contest.run_gzip]
            run_in_turn(contestants, number)
        if number == 0:
            for contest in contests:
                contest.forget_rounds()
        print(f"round {number} of {runs}" + (", which only warms the caches" if number == 0 else ""), file=sys.stderr)
    peers = [peer for peer in PEERS if bench.is_importable(peer)]
    for number in range(peer_runs if peers else 0):
        for contest in contests:
            if contest.name in PEER_DATA:
                contestants = [functools.partial(contest.run_pushetl, *build, True) for build in builds.items()]
                run_in_turn(contestants + [functools.partial(contest.run_peer, peer) for peer in peers], number)
        print(f"round {number + 1} of {peer_runs} with chdb and DuckDB", file=sys.stderr)
    versions = {peer: version for contest in contests for peer, version in contest.versions.items()}
    for peer in PEERS:
        if peer not in peers:
            print(f"Without {PEERS[peer]}: Python cannot import it (pip install {peer}).")
    return versions


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, help="default: 6,000,000")
    parser.add_argument("--runs", type=int, help="rounds of unpacking, default: 9")
    parser.add_argument("--peer-runs", type=int, help="rounds with DuckDB and chdb, default: 5")
    parser.add_argument("--data", nargs="+", choices=list(DATA), default=list(DATA), metavar="NAME", help=", ".join(DATA))
    parser.add_argument("--folder", help="where the data lies or is made")
    parser.add_argument("--quick", action="store_true", help="a million lines, three rounds")
    options = parser.parse_args()
    options.lines = options.lines or (1_000_000 if options.quick else 6_000_000)
    options.runs = options.runs or (3 if options.quick else 9)
    if options.peer_runs is None:
        options.peer_runs = 3 if options.quick else 5
    return options


def measure(options, folder):
    builds = {"zlib": bench.build()}
    no_isal = bench.why_no_isal()
    if no_isal:
        print(f"Without the ISA-L build: {no_isal}.")
    else:
        builds["ISA-L"] = bench.build(isal=True)
    inflate = bench.build_inflate(folder)
    contests = [Contest(name, builds["zlib"], folder, options.lines) for name in options.data]
    peer_versions = run_rounds(contests, builds, inflate, options.runs, options.peer_runs)

    versions = bench.versions() | {"zlib": contests[0].timings["inflate"][0].output.split()[1]}
    versions |= {} if no_isal else {"ISA-L": bench.isal_version()}
    versions |= {PEERS[peer]: version for peer, version in sorted(peer_versions.items())}
    print()
    print(pushetl_table(contests, builds), others_table(contests), sep="\n\n")
    print(
        f"\nMeasured on {bench.today()} on {bench.machine()} by `{bench.command_line()}`: medians of {options.runs} rounds"
        f"{'' if options.peer_runs == options.runs else f' ({options.peer_runs} of chdb and DuckDB)'}, ratios within each "
        f"round; {', '.join(f'{name} {version}' for name, version in versions.items())}.")


def main():
    options = read_options()
    with bench.data_folder(options.folder) as folder:
        measure(options, folder)


if __name__ == "__main__":
    main()
