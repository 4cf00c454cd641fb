"""Programs with an error in exactly one of very many traces (test/needles): every algorithm has to find it, and those that visit
a trace once have to see it once. And C programs whose error needs five preemptions or more, in far too many traces to look at all:
`mazurka fuzz` has to find it, and says how long that took."""

import functools
import json
import os
import resource
import subprocess

import cases

ALGORITHMS = ["dpor --sleep", "source", "optimal", "eager", "eager --sections=all", "eager-short", "lazy"]
TRACES = {"ring": 131071, "readers_writers": 524288}  # 2^17 - 1, 2^19
SAMPLE = 7
CPU_SECONDS = 240
DEEP = {"safestack": ["--strategy=random"], "elimination_stack": ["--strategy=coverage"]}


def find(build, program, algorithm):
    """What is wrong, or None."""
    everything = [] if algorithm == "lazy" else ["--all-errors"]  # which takes lazy a long time behind an error
    command = [os.path.join(build, "mazurka"), "check", "--json", "--trace=none", *everything, "-a", *algorithm.split(),
               f"test/needles/{program}.dlang"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode != 1:
        return f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}{run.stderr}"
    report = json.loads(run.stdout)
    kinds = [(error["kind"], error["occurrences"]) for error in report["errors"]]
    if kinds != [("assertion", 1)]:
        return f"{' '.join(command)}: found {kinds}"
    if everything and report["traces"] != TRACES[program]:
        return f"{' '.join(command)}: {report['traces']} traces instead of {TRACES[program]}"
    return None


def find_deep(build, program, options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [os.path.join(build, "mazurka"), "fuzz", "--json", "--quiet", "--trace=none", "-j1", f"--timeout={cases.HANG // 2}s",
               *options, f"test/needles/{program}.c"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 1:
        return f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}{run.stderr}"
    report = json.loads(run.stdout)
    print(f"needles: {program}.c found by {report['found_by']}, {after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.1f} s of "
          "CPU time", flush=True)
    return None if report["errors"][0]["kind"] == "assertion" else f"{' '.join(command)}: {report['errors'][0]['message']}"


def tests(build):
    for program, options in DEEP.items():
        yield f"{program}.c", functools.partial(find_deep, build, program, options)
    for program in TRACES:
        for algorithm in ALGORITHMS:
            yield f"{program}, {algorithm}", functools.partial(find, build, program, algorithm)
