"""Random C programs with every kind of synchronisation, and an interpreter of them (final_programs.py): the statuses with which a
program can end tell its final states; all of them, failing assertions and threads that wait for ever have to be found, and nothing
else. FSEEDS in the environment is the number of programs, FFROM the first one."""

import functools
import json
import os
import subprocess
import tempfile

import cases
import final_programs

ALGORITHMS = "optimal,source,rf,dc,lazy,dpor"
SAMPLE = 4
PER_CASE = 10


def wrong(report, machine):
    kinds = {error["kind"] for error in report["errors"]}
    fails, stops = "assertion" in kinds, bool(kinds & {"deadlock", "livelock"})
    statuses = set(report["exit_statuses"])
    if report["verdict"] == "incomplete" or (fails, stops) != (machine.fails, machine.stops):
        return f"{report['verdict']} {report['reason']}: fails {fails}, {machine.fails} was expected; stops {stops}, {machine.stops}"
    if not kinds and statuses != machine.statuses:
        return f"statuses {sorted(statuses)}, {sorted(machine.statuses)} were expected"
    return None


def check(mazurka, directory, seed):
    program = final_programs.Program(seed)
    try:
        machine = final_programs.Machine(program).explore()
    except final_programs.TooLarge:
        return None
    path = os.path.join(directory, f"p{seed}.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program.text())
    run = subprocess.run([mazurka, "check", "--json", "--trace=none", "-j1", "--all-errors", "--check=assertions,deadlocks,livelocks",
                          "-a", ALGORITHMS, "--sleep", path], capture_output=True, text=True, timeout=cases.HANG, check=False,
                         stdin=subprocess.DEVNULL)
    if run.returncode not in (0, 1, 3):
        return f"seed {seed}: exit code {run.returncode}\n{run.stderr}"
    for report in json.loads(run.stdout):
        problem = wrong(report, machine)
        if problem:
            return f"seed {seed}, {report['algorithm']}: {problem}\n{program.text()}"
    return None


def check_all(mazurka, seeds):
    """The first problem."""
    with tempfile.TemporaryDirectory() as directory:
        return next(filter(None, (check(mazurka, directory, seed) for seed in seeds)), None)


def tests(build):
    mazurka = os.path.abspath(os.path.join(build, "mazurka"))
    first, count = int(os.environ.get("FFROM", "1")), int(os.environ.get("FSEEDS", "200"))
    for begin in range(first, first + count, PER_CASE):
        seeds = range(begin, min(begin + PER_CASE, first + count))
        yield f"seeds {seeds[0]} to {seeds[-1]}", functools.partial(check_all, mazurka, seeds)
