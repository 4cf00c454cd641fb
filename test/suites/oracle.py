"""Random programs against exact enumeration (test/oracle): 2,000 models and 950 C programs by default, SEEDS and CSEEDS in
the environment for other numbers. Two processes at a time; one result per batch."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

# What is generated: the program that does it and its options, the variable with the number, how many otherwise, how many per
# process.
ORACLES = [("models", ["oracle"], "SEEDS", 2000, 100), ("C programs", ["oracle_native"], "CSEEDS", 200, 25),
           ("C programs, for races and leaks", ["oracle_native", "--races", "--leaks"], "CSEEDS", 75, 25),
           ("C programs, for assertions only", ["oracle_native", "--assertions"], "CSEEDS", 50, 25),
           ("C programs, with --spurious", ["oracle_native", "--spurious"], "CSEEDS", 50, 25),
           ("C programs whose memory is used again", ["oracle_native", "--reuse"], "CSEEDS", 50, 25),
           ("C programs with many threads", ["oracle_wide", "--threads"], "TSEEDS", 25, 25)]
SUMMARY = r"^oracle: (\d+) programs agree.* (\d+) too large, (?:(\d+) endless, )?(\d+) failed$"


def run_batch(program, options, first, count):
    """(programs that were not compared, problem)"""
    command = [program, *options, f"--from={first}", f"--seeds={count}"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    except subprocess.TimeoutExpired:
        return count, f"{' '.join(command)}: still running after 900 s"
    summary = re.search(SUMMARY, run.stdout, re.MULTILINE)
    if run.returncode != 0 or not summary:
        return count, f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}{run.stderr}"
    agree, too_large, endless, _ = (int(number or 0) for number in summary.groups())
    if agree + too_large + endless != count:
        return count, f"{' '.join(command)}: only {agree} of {count} programs were compared"
    return too_large + endless, None


def run_oracle(pool, build, what, command, variable, otherwise, size):
    total, skipped = int(os.environ.get(variable, str(otherwise))), 0
    batches = [(first, min(size, total - first + 1)) for first in range(1, total + 1, size)]
    results = pool.map(lambda batch: run_batch(os.path.join(build, command[0]), command[1:], *batch), batches)
    for (first, count), (left_out, problem) in zip(batches, results):
        done = first + count - 1
        yield f"{what}, seeds {first} to {done}", problem
        skipped += left_out
        if done % 5000 == 0 and done < total:
            print(f"oracle: {done} of {total} {what}", flush=True)
    # a few are too large for exact enumeration; more than that, and little would be tested
    if skipped > max(3, total // 6):
        yield f"{what}, how many", f"only {total - skipped} of {total} were compared"


def tests(build):
    with ThreadPoolExecutor(2) as pool:
        for oracle in ORACLES:
            yield from run_oracle(pool, build, *oracle)
