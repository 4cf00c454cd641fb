#!/usr/bin/env python3
"""Compares builds of Mazurka on the C programs: processor time per event, side by side.

    bench/compare.py [--repeat 5] [--algorithm source] [--programs ring,parker] NAME=path/to/mazurka …

The programs are compiled once, by the first build. Then all builds check the same file in turn, so that whatever else
the machine does meets all of them alike. A time is that of the processor (user and system, of all processes of a check),
the median of `repeat` runs, less the median for N = 2: what a check takes beyond its start. `overall` is all time by all
events; `mean` gives every program the same weight."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = 2  # the N whose time is subtracted

# Program, N: most of them about half a million events.
ROWS = [
    ("readers_writers", 17), ("indexer", 16), ("lastzero", 11), ("lastzero_eager", 15), ("ring", 16), ("branching", 10),
    ("fib_bench", 6), ("opt_lock", 11), ("pthread_demo", 10), ("parker", 32), ("msqueue", 3), ("treiber", 3), ("dining", 15),
    ("bounded_buffer", 8),
]


def compiled(mazurka, program, n, folder):
    path = os.path.join(folder, f"{program}.{n}")
    subprocess.run([mazurka, "cc", "-O1", f"-DN={n}", "-o", path, os.path.join(HERE, "c", program + ".c")], check=True)
    return path


def checked(mazurka, algorithm, path):
    """Seconds of processor time, and the number of events."""
    command = [mazurka, "check", "--json", "--quiet", "--trace=none", "-a", algorithm, path]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    result = json.loads(process.stdout.read())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, result["events"]


def measure(builds, algorithm, repeat, row, folder):
    """Seconds beyond the base, by build; and the number of events, which must be the same for all."""
    program, n = row
    first = next(iter(builds.values()))
    files = [compiled(first, program, n, folder), compiled(first, program, BASE, folder)]
    times = {name: ([], []) for name in builds}
    events = set()
    for _ in range(repeat):
        for name, mazurka in builds.items():
            for i, path in enumerate(files):
                seconds, count = checked(mazurka, algorithm, path)
                times[name][i].append(seconds)
                if i == 0:
                    events.add(count)
    if len(events) > 1:
        print(f"{program}: the builds do not explore the same: {sorted(events)} events")
    return {name: statistics.median(big) - statistics.median(base) for name, (big, base) in times.items()}, max(events)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--algorithm", default="source")
    parser.add_argument("--programs", default="", help="separated by commas")
    parser.add_argument("builds", nargs="+", metavar="NAME=MAZURKA")
    arguments = parser.parse_args()
    builds = dict(build.split("=", 1) for build in arguments.builds)
    wanted = [name for name in arguments.programs.split(",") if name]
    unknown = set(wanted) - {program for program, _ in ROWS}
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    print(f"{'ns/event':16} {'N':>3} {'events':>9} " + " ".join(f"{name:>9}" for name in builds))
    totals, each, all_events = dict.fromkeys(builds, 0.0), {name: [] for name in builds}, 0
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            if wanted and row[0] not in wanted:
                continue
            seconds, events = measure(builds, arguments.algorithm, arguments.repeat, row, folder)
            all_events += events
            for name in builds:
                totals[name] += seconds[name]
                each[name].append(seconds[name] * 1e9 / events)
            print(f"{row[0]:16} {row[1]:3} {events:9,} " + " ".join(f"{each[name][-1]:9.1f}" for name in builds), flush=True)
    print(f"{'overall':20} {all_events:9,} " + " ".join(f"{totals[name] * 1e9 / all_events:9.1f}" for name in builds))
    print(f"{'mean':30} " + " ".join(f"{statistics.mean(each[name]):9.1f}" for name in builds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
