#!/usr/bin/env python3
"""How much faster several processes are than one, here. For an idle machine; takes less than five minutes.

    bench/scale/measure.py [--build=build] [--quick]

Writes bench/scale/measured.tsv, draws doc/scaling.svg again (predict.py), and prints a table for doc/scaling.md.

Every search is stopped after the same time, so what is compared are traces per second of real time, the beginning included, in which one
process is alone. Numbers of workers take turns, round by round; the table has medians. With mpirun the time until MPI is up (half a second)
counts, too. Then one search with small parts is repeated with 8 workers that are delayed at random: all counts have to be the same."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

POOL = ["examples/pool/pool.c", "examples/pool/client.c", "-Iexamples/pool"]
# The sizes that are asked about most (ring(19), lastzero(9)) are over in a fraction of a second.
PROGRAMS = [("ring(26)", ["bench/models/ring.dlang", "-DN=26"]), ("lastzero(22) in C", ["bench/c/lastzero.c", "-DN=22"]),
            ("lock-free queue", ["bench/c/msqueue.c", "-DN=4", "--relation=published"]), ("thread pool", POOL)]
WORKERS = [1, 2, 8]
RANKS = [1, 2, 3, 4, 6, 8]
ROUNDS, SECONDS, RANK_ROUNDS, RANK_SECONDS, REPETITIONS = 3, 3, 2, 4, 200
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def report_of(command, environment=None):
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})}, check=False)
    if not run.stdout.startswith("{"):
        sys.exit(f"{' '.join(command)}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout)


def rate(command, environment=None):
    report = report_of(command, environment)
    if not report["reason"]:
        print(f"{' '.join(command)}: over after {report['seconds']:.2f} s: take a larger one", file=sys.stderr)
    return report["traces"] / report["seconds"]


def check(build, words, *options):
    return [f"{build}/mazurka", "check", "-q", "--trace=none", "--json", *options, *words]


def by_workers(build, words, seconds):
    rates = {workers: [] for workers in WORKERS}
    for _ in range(ROUNDS):
        for workers, found in rates.items():
            found.append(rate(check(build, words, f"-j{workers}", f"--timeout={seconds}s")))
    return {workers: statistics.median(found) for workers, found in rates.items()}


def by_ranks(build, words, seconds):
    rates = {ranks: [] for ranks in RANKS}
    for _ in range(RANK_ROUNDS):
        for ranks, found in rates.items():
            found.append(rate(["mpirun", "-q", "--oversubscribe", "-np", str(ranks), *check(build, words, f"--timeout={seconds}s")], AS_ROOT))
    return {ranks: statistics.median(found) for ranks, found in rates.items()}


def repeat(build, times):
    """How many of the repetitions with random delays have said something else."""
    not_counts = {"seconds", "peak_bytes", "checkpoint", "advice", "one_process"}
    words = ["bench/models/ring_extended.dlang", "-DN=4"]
    small = {"MAZURKA_TEST_SPLIT": "30", "MAZURKA_TEST_PATIENCE": "0"}

    def counts(jobs, environment):
        report = report_of(check(build, words, f"-j{jobs}"), environment)
        return {key: value for key, value in report.items() if key not in not_counts}
    alone = counts(1, small)
    return sum(counts(8, {**small, "MAZURKA_TEST_DELAYS": str(seed)}) != alone for seed in range(times))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--quick", action="store_true", help="half a second each, ten repetitions: to try the script")
    parser.add_argument("-o", "--output", default="bench/scale/measured.tsv")
    given = parser.parse_args()
    seconds, rank_seconds, times = (0.5, 1.5, 10) if given.quick else (SECONDS, RANK_SECONDS, REPETITIONS)
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"the machine is not idle (load {load:.1f}): what is measured is worth little", file=sys.stderr)
    began, rows = time.monotonic(), []
    print(f"{os.cpu_count()} processors, medians of {ROUNDS} alternating runs of {seconds:g} s\n")
    print("| program | traces per second, one | two | | eight | |\n| --- | --- | --- | --- | --- | --- |")
    for name, words in PROGRAMS:
        rates = by_workers(given.build, words, seconds)
        one = rates[1]
        print(f"| {name} | {one:,.0f} | {rates[2]:,.0f} | {rates[2] / one:.2f} | {rates[8]:,.0f} | {rates[8] / one:.2f} |", flush=True)
        rows += [(f"{name}, processes", workers, value / one) for workers, value in rates.items() if workers <= 2]
    if shutil.which("mpirun") and os.path.exists(f"{given.build}/libmazurka-mpi.so"):
        name, words = PROGRAMS[0]
        rates = by_ranks(given.build, words, rank_seconds)
        print(f"\n| ranks of {name} | " + " | ".join(map(str, rates)) + " |\n| --- |" + " --- |" * len(rates))
        print("| speed-up | " + " | ".join(f"{value / rates[1]:.2f}" for value in rates.values()) + " |")
        rows += [(f"{name}, ranks on {os.cpu_count()} processors", ranks, value / rates[1]) for ranks, value in rates.items()]
    else:
        print("\nno MPI: ranks were not measured", file=sys.stderr)
    others = repeat(given.build, times)
    print(f"\n8 workers with random delays: {times - others} of {times} repetitions have the counts of one process")
    with open(given.output, "w", encoding="utf-8") as file:
        file.write("# what\tworkers\tspeed-up over one: bench/scale/measure.py\n")
        file.writelines(f"{what}\t{workers}\t{value:.3f}\n" for what, workers, value in rows)
    print(f"{given.output} written after {time.monotonic() - began:.0f} s", file=sys.stderr)
    if not given.quick:
        subprocess.run([sys.executable, "bench/scale/predict.py", f"--build={given.build}"], check=True)
    sys.exit(others > 0)


if __name__ == "__main__":
    main()
