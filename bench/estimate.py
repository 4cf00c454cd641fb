#!/usr/bin/env python3
"""Measures how good the estimates are: of `mazurka estimate`, and of the progress line.

    bench/estimate.py [--mazurka build/mazurka] [--quick] [--limit 60] [PROGRAM …]

First table: traces as `mazurka estimate` says them, within its two seconds, beside the truth: that of a complete check, or,
for explorations that would take hours, the closed form. `factor` is by how much the estimate is off, in either direction.

Second table: a check is stopped after 10 %, 25 % and 50 % of its executions, and says how much of the exploration that was.

The exit code is 1 if an estimate took too long, or less than 80 % of a table are within the factor promised (three)."""

import argparse
import json
import math
import os
import subprocess
import sys
import time

import native
import run

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 2  # for one estimate
SLACK = 0.5  # starting a process on a busy machine
FACTOR = 3
WANTED = 0.8
LEAST = 100  # executions: below, a share is no estimate
SHARES = (0.10, 0.25, 0.50)

# Too large to explore here; the closed forms are those of test/suites/counts.py.
LARGE = [
    ("ring", 20, 2 ** 20 - 2), ("ring", 25, 2 ** 25 - 2),
    ("readers_writers", 25, 2 ** 24), ("readers_writers", 30, 2 ** 29), ("readers_writers", 40, 2 ** 39),
    ("last_zero", 16, 16 * 2 ** 14), ("last_zero", 20, 20 * 2 ** 18), ("last_zero", 30, 30 * 2 ** 28),
    ("last_zero_classic", 16, 18 * 2 ** 13), ("last_zero_classic", 20, 22 * 2 ** 17),
    ("indexer", 18, 8 ** 7), ("indexer", 20, 8 ** 9), ("indexer", 22, 8 ** 11),
]


class Program:
    def __init__(self, name, n, path, options, known=None):
        self.name, self.n, self.path, self.options, self.known = name, n, path, options, known

    def command(self, mazurka, what, *more):
        return [mazurka, what, "--json", *more, self.path, *self.options]


def programs(quick):
    def model(name, n, known=None):
        options = ([] if n is None else [f"-DN={n}"]) + run.FIXED.get(name, [])
        return Program(name, n, os.path.join(HERE, "models", name + ".dlang"), options, known)
    found = [model(name, n) for name, n in run.ROWS if not quick or (name, n) in run.QUICK]
    found += [Program(name + ".c", n, native.source(name), [f"-DN={n}"])
              for name, n in native.ROWS if not quick or (name, n) in native.QUICK]
    return found + [model(name, n, known) for name, n, known in LARGE if not quick]


def result_of(command, limit):
    """(JSON, seconds), or None if it took too long."""
    started = time.perf_counter()
    try:
        process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                 timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(process.stdout), time.perf_counter() - started


def off(estimate, truth):
    """By which factor, in either direction."""
    return max(estimate / truth, truth / estimate) if estimate > 0 else math.inf


class Summary:
    def __init__(self, what):
        self.what, self.factors = what, []

    def add(self, factor):
        self.factors.append(factor)

    def print(self):
        if not self.factors:
            return True
        good = sum(factor <= FACTOR for factor in self.factors) / len(self.factors)
        middle = sorted(self.factors)[len(self.factors) // 2]
        print(f"{self.what}: {good:.0%} of {len(self.factors)} within a factor of {FACTOR}; "
              f"median {middle:.2f}, worst {max(self.factors):.3g}")
        return good >= WANTED


def size_row(mazurka, program, truth, all_of_them, sampled):
    estimated, wall = result_of(program.command(mazurka, "estimate"), SECONDS * 10)
    source = next(row for row in estimated["estimates"] if row["algorithm"] == "source")
    factor = off(source["traces"], truth) if source["known"] else math.inf
    all_of_them.add(factor)
    if not source.get("exact_traces"):
        sampled.add(factor)
    print(f"{program.name:20} {program.n if program.n is not None else '':>5} {truth:15,} {source.get('traces', 0):15,} "
          f"{factor:7.2f} {'exact' if source['exact_traces'] else 'sampled':8} {wall:5.2f} s  "
          f"{estimated['recommended']}", flush=True)
    return wall <= SECONDS + SLACK


def share_row(mazurka, program, truth, summaries):
    """What a check says that it has done when so much of it is done."""
    cells = []
    for share, summary in zip(SHARES, summaries):
        limit = max(1, round(truth["traces"] * share))
        report, _ = result_of(program.command(mazurka, "check", "--trace=none", "--quiet", f"--max-traces={limit}"), 120)
        actual = report["executions"] / truth["executions"]
        summary.add(off(report["share_done"], actual))
        cells.append(f"{actual:7.1%} {report['share_done']:8.2%}")
    print(f"{program.name:20} {program.n if program.n is not None else '':>5} {truth['executions']:15,}   " + "   ".join(cells),
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", default="build/mazurka")
    parser.add_argument("--quick", action="store_true", help="a few small rows")
    parser.add_argument("--limit", type=float, default=60, help="seconds for a complete check")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    chosen = [p for p in programs(arguments.quick) if not arguments.programs or p.name in arguments.programs]
    fine, checks = True, []
    all_of_them, sampled = Summary("all estimates"), Summary("those that were sampled")
    print(f"{'program':20} {'N':>5} {'traces':>15} {'estimate':>15} {'factor':>7} {'':8} {'took':>7}  recommended")
    for program in chosen:
        known = {"traces": program.known} if program.known else None
        if not known:
            checked = result_of(program.command(arguments.mazurka, "check", "--trace=none", "--quiet"), arguments.limit)
            if checked is None or checked[0]["verdict"] != "safe":
                print(f"{program.name:20} {program.n if program.n is not None else '':>5} the truth is not known")
                continue
            known = checked[0]
            checks.append((program, known))
        fine &= size_row(arguments.mazurka, program, known["traces"], all_of_them, sampled)
    fine &= all_of_them.print()
    sampled.print()
    print(f"\n{'program':20} {'N':>5} {'executions':>15}   " + "   ".join(f"{'done':>7} {'says':>8}" for _ in SHARES))
    summaries = [Summary(f"progress at {share:.0%}") for share in SHARES]
    for program, truth in checks:
        if truth["executions"] >= LEAST:
            share_row(arguments.mazurka, program, truth, summaries)
    for summary in summaries:
        fine &= summary.print()
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
