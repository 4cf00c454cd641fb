#!/usr/bin/env python3
"""Measures Mazurka on the C programs: traces per second, time per event, memory, and a peer checker's time beside.

    bench/native.py [--mazurka build/mazurka] [--repeat 3] [--quick] [--algorithm source] [PROGRAM …]

Every row is run `repeat` times, each as a process of its own. The time is the median wall time of the whole command
minus that of the same command with N = 2, so that the compiler and the start are left out. Where `nidhuggc` (or `nidhugg`)
or `genmc` is installed, it is run on the same file in the same way, and the ratio of the two times is printed.

Then what looking for data races and for errors of memory costs: the time of the search against that of the same search
without it (--plain-accesses=unchecked), the least of several runs of each, in turn. It should be less than COST times."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = 2  # the N whose time is subtracted
LIMIT = 120  # seconds for one run
LEAST = 0.001  # seconds: a difference below is noise, and no rate is made of it
FEW = 10000  # events: the time of runs with fewer says little about events, and is left out of the overall one

# Program, N.
ROWS = [
    ("readers_writers", 9), ("readers_writers", 15), ("readers_writers", 18),
    ("indexer", 12), ("indexer", 15), ("indexer", 16),
    ("lastzero", 8), ("lastzero", 11), ("lastzero", 14),
    ("lastzero_eager", 8), ("lastzero_eager", 15),
    ("sharedptr", 50), ("sharedptr", 100),
    ("ring", 9), ("ring", 15),
    ("branching", 6), ("branching", 10),
    ("fib_bench", 5), ("fib_bench", 6),
    ("opt_lock", 8), ("opt_lock", 11),
    ("pthread_demo", 8), ("pthread_demo", 10),
    ("parker", 16), ("parker", 32),
    ("msqueue", 3), ("treiber", 3), ("ticket", 5), ("mcs", 4), ("bounded_buffer", 6),
    ("dining", 8), ("dining", 14),
    ("big_private", 1000), ("allocations", 10000), ("threads64", 63),
]
QUICK = {("readers_writers", 15), ("lastzero", 8), ("ring", 9), ("pthread_demo", 8), ("big_private", 1000),
         ("allocations", 10000), ("threads64", 63)}


# Program, N: what the checks of plain accesses are measured with. The last ones do little else than plain accesses.
CHECKED_ROWS = [("pthread_demo", 8), ("bounded_buffer", 6), ("dining", 12), ("fib_bench", 6), ("readers_writers", 15),
                ("lastzero", 9), ("msqueue", 2), ("treiber", 3), ("parker", 16), ("allocations", 10000), ("big_private", 400)]
COST = 2  # times


def source(program):
    return os.path.join(HERE, "c", program + ".c")


def mazurka_command(mazurka, algorithm):
    return lambda program, n: [mazurka, "check", "--json", "--quiet", "--trace=none", "-a", algorithm, f"-DN={n}",
                               source(program)]


def peers():
    """Name and command of the peer checkers on this machine; says which are not there."""
    found = []
    nidhugg = shutil.which("nidhuggc")
    if nidhugg:
        found.append(("nidhugg", lambda program, n: [nidhugg, "-std=gnu11", f"-DN={n}", "--", "--sc", "--source",
                                                     "--disable-mutex-init-requirement", source(program)]))
    elif shutil.which("nidhugg"):
        print("nidhugg is on PATH, but not nidhuggc, which compiles for it: not compared")
    else:
        print("nidhugg is not installed: no comparison with it")
    genmc = shutil.which("genmc")
    if genmc:
        found.append(("genmc", lambda program, n: [genmc, "--sc", "--disable-race-detection", "--", f"-DN={n}", source(program)]))
    else:
        print("genmc is not installed: no comparison with it")
    return found


def timed(command):
    """Wall time, exit code and standard output; None if it took too long."""
    started = time.perf_counter()
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 text=True, errors="replace", timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return None
    return time.perf_counter() - started, process.returncode, process.stdout


class Measure:
    """Median times of one checker; the run with N = BASE is measured once per program."""

    def __init__(self, command, repeat):
        self.command, self.repeat, self.bases = command, repeat, {}

    def runs(self, program, n):
        done = []
        while len(done) < self.repeat:
            run = timed(self.command(program, n))
            if run is None:
                return None
            done.append(run)
        return done

    def seconds(self, program, n):
        """(median seconds beyond the base, all runs), or None."""
        if program not in self.bases:
            runs = self.runs(program, BASE)
            self.bases[program] = statistics.median(run[0] for run in runs) if runs else None
        base, runs = self.bases[program], self.runs(program, n)
        if base is None or runs is None:
            return None
        return max(0.0, statistics.median(run[0] for run in runs) - base), runs


def row(measured):
    """The numbers of one line, from Mazurka's own JSON and the clock; or why there are none."""
    if measured is None:
        return None, f"not done within {LIMIT} s"
    seconds, runs = measured
    try:
        results = [json.loads(run[2]) for run in runs]
        result, memory = results[0], max(result["peak_bytes"] for result in results)
        text = f"{result['traces']:10,} {result['blocked']:8,} {result['events']:11,} {seconds:9.4f} s "
        if seconds < LEAST:
            text += f"{'-':>11} {'-':>8}"
        else:
            text += f"{result['traces'] / seconds:11,.0f} {seconds * 1e9 / max(1, result['events']):8,.0f}"
        text += f" {memory / 2**20:6.1f} MB"
        if result["verdict"] != "safe":
            text += f"  {result['verdict'].upper()} {result['reason']}"
        return result["verdict"] == "safe", text
    except (ValueError, KeyError, TypeError) as trouble:
        return None, f"no result (exit code {runs[0][1]}): {trouble!r}"


def share(measured):
    """Seconds and events of a line that count in the overall time per event."""
    events = json.loads(measured[1][0][2])["events"]
    return (measured[0], events) if events >= FEW else (0.0, 0)


def search_seconds(command):
    """Of the search alone, as Mazurka measures it; and the traces. None if there is no result."""
    run = timed(command)
    try:
        result = json.loads(run[2]) if run else {}
        return (result["seconds"], result["traces"]) if result["verdict"] == "safe" else None
    except (ValueError, KeyError, TypeError):
        return None


def cost_of_checks(mazurka, algorithm, repeat, programs):
    """Prints a line per program; True if all are below COST."""
    fine = True
    print(f"\nwhat looking at plain accesses (data races, memory) costs: least of {repeat}, with and without")
    print(f"{'program':16} {'N':>5} {'traces':>10} {'with':>12} {'without':>12} {'ratio':>7}")
    for program, n in CHECKED_ROWS:
        if programs and program not in programs:
            continue
        command = mazurka_command(mazurka, algorithm)(program, n)
        runs = [(search_seconds(command), search_seconds([*command, "--plain-accesses=unchecked"])) for _ in range(repeat)]
        if any(run is None for pair in runs for run in pair) or len({run[1] for pair in runs for run in pair}) > 1:
            print(f"{program:16} {n:5} no result, or not the same traces")
            fine = False
            continue
        checked, unchecked = (min(pair[i][0] for pair in runs) for i in (0, 1))
        ratio = checked / max(unchecked, 1e-9)
        fine = fine and ratio < COST
        print(f"{program:16} {n:5} {runs[0][0][1]:10,} {checked:10.4f} s {unchecked:10.4f} s {ratio:6.2f}x"
              + ("" if ratio < COST else f"  more than {COST}"), flush=True)
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", default="build/mazurka")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a few rows")
    parser.add_argument("--algorithm", default="source")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    if not os.access(arguments.mazurka, os.X_OK):
        parser.error(f"{arguments.mazurka} is not there: build it first, or give --mazurka")
    unknown = set(arguments.programs) - {program for program, _ in ROWS + CHECKED_ROWS}
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    others = [(name, Measure(command, arguments.repeat)) for name, command in peers()]
    ours = Measure(mazurka_command(arguments.mazurka, arguments.algorithm), arguments.repeat)
    print(f"algorithm {arguments.algorithm}; times: median of {arguments.repeat}, less the time of N = {BASE}")
    print(f"{'program':16} {'N':>5} {'traces':>10} {'blocked':>8} {'events':>11} {'time':>11} {'traces/s':>11} {'ns/event':>8} "
          f"{'memory':>9}" + "".join(f"  {name:>11} {'ratio':>8}" for name, _ in others))
    fine, seconds, events = True, 0.0, 0
    for program, n in ROWS:
        if (arguments.programs and program not in arguments.programs) or (arguments.quick and (program, n) not in QUICK):
            continue
        measured = ours.seconds(program, n)
        safe, text = row(measured)
        fine = fine and bool(safe)
        if safe:
            seconds, events = seconds + share(measured)[0], events + share(measured)[1]
        line = f"{program:16} {n:5} {text}"
        for name, other in others if safe else []:
            theirs = other.seconds(program, n)
            if theirs is None:
                line += f"  > {LIMIT:7} s {'':8}"
            elif any(run[1] for run in theirs[1]):
                line += f"  {name} failed (exit code {theirs[1][0][1]})"
            elif measured[0] < LEAST:
                line += f"  {theirs[0]:9.3f} s {'-':>8}"
            else:
                line += f"  {theirs[0]:9.3f} s {theirs[0] / measured[0]:7,.0f}x"
        print(line, flush=True)
    print(f"overall: {seconds * 1e9 / max(1, events):,.0f} ns per event, of {events:,} (programs with at least {FEW:,})")
    fine = cost_of_checks(arguments.mazurka, arguments.algorithm, 2 * arguments.repeat, arguments.programs) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
