#!/usr/bin/env python3
"""How much faster several processes are than one, here. For an idle machine; takes less than five minutes.

    bench/scale/measure.py [--build=build] [--quick]

Writes bench/scale/measured.tsv, draws doc/scaling.svg again (predict.py), and puts the tables of both into doc/scaling.md, in place of
what its sections "Measured" and "Prediction" have.

C programs are compiled before (mazurka cc). Every search is stopped after the same time, so what is compared are traces per second of
real time, the beginning included, in which one process is alone. Numbers of workers take turns, round by round; the table has medians.
With mpirun the time until MPI is up (half a second) counts, too. Then one search with small parts is repeated with 8 workers that are
delayed at random: all counts have to be the same."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# What it is called, its sources with what the compiler is told, what the check is. The sizes that are asked about most (ring(19),
# lastzero(9)) are over in a fraction of a second.
PROGRAMS = [("ring(26)", None, ["bench/models/ring.dlang", "-DN=26"]), ("lastzero(22) in C", ["bench/c/lastzero.c", "-DN=22"], []),
            ("lock-free queue", ["bench/c/msqueue.c", "-DN=4"], ["--relation=published"]),
            ("thread pool", ["examples/pool/pool.c", "examples/pool/client.c", "-Iexamples/pool"], [])]
WORKERS = [1, 2, 8]
RANKS = [1, 2, 3, 4, 6, 8]
ROUNDS, SECONDS, RANK_ROUNDS, RANK_SECONDS, REPETITIONS = 3, 3, 2, 3, 200
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
PAGE = "doc/scaling.md"


def report_of(command, environment=None):
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})}, check=False)
    if not run.stdout.startswith("{"):
        sys.exit(f"{' '.join(command)}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout)


def rate(command, environment=None):
    report = report_of(command, environment)
    if not report["reason"]:
        print(f"{' '.join(command)}: over after {report['seconds']:.2f} s: take a larger one", file=sys.stderr)
    if report["traces"] == 0:
        sys.exit(f"{' '.join(command)}: no trace within the time")
    return report["traces"] / report["seconds"]


def check(build, words, *options):
    return [f"{build}/mazurka", "check", "-q", "--trace=none", "--json", *options, *words]


def compiled(build, folder):
    """The same programs, ready to be checked."""
    for name, sources, words in PROGRAMS:
        if sources:
            program = os.path.join(folder, str(len(os.listdir(folder))))
            subprocess.run([f"{build}/mazurka", "cc", "-O1", "-g", *sources, "-pthread", "-o", program], check=True)
            words = [program, *words]
        yield name, words


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


def processes_measured(build, seconds, rows, lines):
    lines += [f"Of {os.cpu_count()} processors, medians of {ROUNDS} alternating runs of {seconds:g} s (`bench/scale/measure.py`):", "",
              "| traces per second | `-j1` | `-j2` | | `-j8` | |", "| --- | --- | --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        for name, words in compiled(build, folder):
            rates = by_workers(build, words, seconds)
            one = rates[1]
            lines.append(f"| {name} | {one:,.0f} | {rates[2]:,.0f} | {rates[2] / one:.2f} | {rates[8]:,.0f} | {rates[8] / one:.2f} |")
            print(lines[-1], flush=True)
            rows += [(f"{name}, processes", workers, value / one) for workers, value in rates.items() if workers <= 2]


def ranks_measured(build, seconds, rows, lines):
    if not shutil.which("mpirun") or not os.path.exists(f"{build}/libmazurka-mpi.so"):
        print("no MPI: ranks were not measured", file=sys.stderr)
        return
    name, _, words = PROGRAMS[0]
    rates = by_ranks(build, words, seconds)
    lines += ["", f"| ranks of {name} | " + " | ".join(map(str, rates)) + " |", "| --- |" + " --- |" * len(rates),
              "| speed-up | " + " | ".join(f"{value / rates[1]:.2f}" for value in rates.values()) + " |"]
    print("\n".join(lines[-3:]), flush=True)
    rows += [(f"{name}, ranks on {os.cpu_count()} processors", ranks, value / rates[1]) for ranks, value in rates.items()]


def put_into_page(heading, is_old, lines):
    """In the section, what is old makes room for the lines."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read().split("\n")
    begin = page.index(f"## {heading}") + 1
    end = next((at for at in range(begin, len(page)) if page[at].startswith("## ")), len(page))
    old = [at for at in range(begin, end) if is_old(page[at])]
    page[old[0]:old[-1] + 1] = lines
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write("\n".join(page))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--quick", action="store_true", help="half a second each, ten repetitions, nothing is written: to try the script")
    given = parser.parse_args()
    seconds, rank_seconds, times = (0.5, 1.5, 10) if given.quick else (SECONDS, RANK_SECONDS, REPETITIONS)
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"the machine is not idle (load {load:.1f}): what is measured is worth little", file=sys.stderr)
    began, rows, lines = time.monotonic(), [], []
    processes_measured(given.build, seconds, rows, lines)
    ranks_measured(given.build, rank_seconds, rows, lines)
    others = repeat(given.build, times)
    lines += ["", f"Eight workers with random delays: {times - others} of {times} repetitions have the counts of one process."]
    print(lines[-1], flush=True)
    if not given.quick:
        with open("bench/scale/measured.tsv", "w", encoding="utf-8") as file:
            file.write("# what\tworkers\tspeed-up over one: bench/scale/measure.py\n")
            file.writelines(f"{what}\t{workers}\t{value:.3f}\n" for what, workers, value in rows)
        predicted = subprocess.run([sys.executable, "bench/scale/predict.py", f"--build={given.build}"], check=True, stdout=subprocess.PIPE,
                                   text=True).stdout
        put_into_page("Measured", lambda line: line.strip(), lines)
        put_into_page("Prediction", lambda line: line.startswith("|"), predicted.splitlines())
    print(f"{'tried' if given.quick else PAGE + ' written'} after {time.monotonic() - began:.0f} s", file=sys.stderr)
    sys.exit(others > 0)


if __name__ == "__main__":
    main()
