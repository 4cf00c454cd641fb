"""How far `mazurka estimate` is off, on programs that are sampled and small enough to be explored: doc/long_runs.md has the factors.
The number of traces is counted here, and the estimates of several seeds are compared with it."""

import functools
import json
import os
import resource
import subprocess

WORST, TYPICAL = 3, 1.5  # factors: of any seed; of the one in the middle
SEEDS = [1, 2, 3, 4, 5]
SECONDS = 120
BUDGET = 0.3  # seconds of CPU time; what the clock shows is more where other processes run, too

POOL = "test/estimates/thread_pool.c"
PROGRAMS = [
    [POOL, "-DW=2", "-DJ=4"],
    [POOL, "-DW=2", "-DJ=4", "--unroll=4"],
    [POOL, "-DW=3", "-DJ=2"],
    [POOL, "-DW=3", "-DJ=2", "--unroll=2"],
    ["bench/models/ring.dlang", "-DN=22"],
    ["bench/models/readers_writers.dlang", "-DN=22", "--relation=-symmetry"],
]


def output(build, command, arguments):
    words = [os.path.join(build, "mazurka"), command, "--json", "-a", "optimal", *arguments]
    run = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    return json.loads(run.stdout)


def within_budget(call):
    """What it returns for a time in which it has had its budget, or most of it."""
    seconds = BUDGET
    for _ in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = call(seconds)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if used > 0.7 * BUDGET:
            break
        seconds *= min(BUDGET / max(used, 0.01), 8)
    return result


def counted(build, program):
    result = output(build, "check", ["--trace=none", "--all-errors", *program])
    return result["traces"]


def estimated(build, program, seed):
    """The number, or None if it was counted: then there is nothing to compare."""
    row = within_budget(lambda seconds: output(build, "estimate", [f"--seed={seed}", f"--timeout={seconds * 1000:.0f}ms", *program]))["estimates"][0]
    if not row["known"]:
        return 0
    return None if row["exact_traces"] else row["traces"]


def compare(build, program):
    """What is wrong, or None."""
    traces = counted(build, program)
    numbers = [estimated(build, program, seed) for seed in SEEDS]
    sampled = [number for number in numbers if number is not None]
    if len(sampled) < 3:
        return f"{numbers}: too few of them were sampled; the program is too small for this"
    factors = sorted(max(number / traces, traces / number) if number else float("inf") for number in sampled)
    if factors[-1] > WORST or factors[len(factors) // 2] > TYPICAL:
        return f"{traces} traces, estimates {numbers}: off by {[round(factor, 2) for factor in factors]}"
    return None


def tests(build):
    for program in PROGRAMS:
        yield f"estimates of {' '.join(program)}", functools.partial(compare, build, program)
