#!/usr/bin/env python3
"""Measures Mazurka on the models: traces per second, time per event, memory, and the published times beside.

    bench/run.py [--mazurka build/mazurka] [--repeat 3] [--quick] [--algorithms source] [MODEL …]

Every row is run `repeat` times, each as a process of its own; the median time is shown, with the fastest run's
rate in brackets, because the machine may be busy. Times are those of the whole process."""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# Model, parameter; those without a published time close the list.
ROWS = [
    ("readers_writers", 9), ("readers_writers", 15), ("readers_writers", 20),
    ("indexer", 12), ("indexer", 15), ("indexer", 16),
    ("last_zero", 8), ("last_zero", 15),
    ("last_zero_classic", 8), ("last_zero_classic", 12),
    ("shared_pointer", 50), ("shared_pointer", 100),
    ("ring", 9), ("ring", 17),
    ("branching", 6), ("branching", 10), ("branching", 11),
    ("ring_extended", 4), ("ring_extended", 6), ("ring_extended", 8),
    ("dining", 3), ("dining", 5), ("peterson", None), ("dekker", None),
]
QUICK = {("readers_writers", 15), ("ring", 9), ("branching", 6), ("last_zero", 8), ("ring_extended", 4)}
FIXED = {"dining": ["-DFIXED=1"]}


def published():
    """What the Eager POR paper measured for source sets, where there is a number."""
    table = {}
    with open(os.path.join(HERE, "published", "eager_appendix.tsv"), encoding="utf-8") as lines:
        for row in csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"):
            numbers = [row[column] for column in ("seconds", "traces", "dependency_checks")]
            if row["algorithm"] == "SDPOR" and not {"-", "?"} & set(numbers):
                table[row["model"], int(row["N"])] = (float(numbers[0]), int(numbers[1]), int(numbers[2]))
    return table


def measure(mazurka, model, n, algorithm):
    command = [mazurka, "check", "--json", "--quiet", "--trace=none", "-a", algorithm,
               os.path.join(HERE, "models", model + ".dlang")]
    command += [f"-DN={n}"] if n is not None else []
    command += FIXED.get(model, [])
    started = time.perf_counter()
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return time.perf_counter() - started, json.loads(process.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", default="build/mazurka")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a few small rows")
    parser.add_argument("--algorithms", default="source")
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    table = published()
    print(f"{'model':18} {'N':>3}  {'algorithm':10} {'traces':>9} {'blocked':>8} {'time':>10} {'traces/s':>11} {'(best)':>11} "
          f"{'ns/event':>8} {'memory':>8}  {'published':>11} {'ratio':>9}  {'dep. checks':>11}  {'published':>13}")
    wrong = False
    for model, n in ROWS:
        if (arguments.models and model not in arguments.models) or (arguments.quick and (model, n) not in QUICK):
            continue
        for algorithm in arguments.algorithms.split(","):
            runs = [measure(arguments.mazurka, model, n, algorithm) for _ in range(arguments.repeat)]
            seconds = statistics.median(run[0] for run in runs)
            best = min(run[0] for run in runs)
            result, memory = runs[0][1], max(run[1]["peak_bytes"] for run in runs)
            line = (f"{model:18} {n if n is not None else '':>3}  {algorithm:10} {result['traces']:9,} {result['blocked']:8,} "
                    f"{seconds:8.4f} s {result['traces'] / seconds:11,.0f} {result['traces'] / best:11,.0f} "
                    f"{seconds * 1e9 / max(1, result['events']):8.0f} {memory / 2**20:5.1f} MB")
            if (model, n) in table:
                theirs, traces, checks = table[model, n]
                line += (f"  {theirs:9.3f} s {theirs / seconds:8,.0f}x  {result['dependency_checks']:11,}  {checks:13,}")
                if traces != result["traces"]:
                    line += f"  published traces: {traces:,}"
                    wrong = True
            print(line, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
