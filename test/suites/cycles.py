"""Random models whose states repeat along an execution, which the oracle's never do: dpor --stateful against full --stateful.

Both must come to an end, reach the same final states (each counted once, as a trace) and report the same errors. The
seeds are fixed: 20 and 68 are among those that fail if the nodes of a cycle are not explored in full (algo/dpor/dpor.c)."""

import json
import functools
import os
import random
import subprocess
import tempfile

import cases

SEEDS = range(1, 101)
EVENTS = 100000  # more than these are for another day
LEAST_SHARE = 0.8  # of the models must be compared


def statement(numbers, depth=0):
    def cell():
        return f"x[{numbers.randrange(2)}]"
    kind = numbers.random()
    if kind < 0.3:
        return f"{cell()} := {numbers.randrange(3)}"
    if kind < 0.45:
        return f"{cell()} := ({cell()} + 1) % 3"
    if kind < 0.65 and depth < 2:
        condition = f"{cell()} {numbers.choice(['==', '!='])} {numbers.randrange(2)}"
        return f"while {condition} {{ {statement(numbers, depth + 1) if numbers.random() < 0.7 else ''} }}"
    if kind < 0.8 and depth < 2:
        return f"if {cell()} == {numbers.randrange(2)} {{ {statement(numbers, depth + 1)} }}"
    if kind < 0.9:
        return f"assert {cell()} != {numbers.randrange(3)}"
    return f"await {cell()} == {numbers.randrange(3)}"


def model(seed):
    numbers = random.Random(seed)
    count = numbers.choice([2, 2, 3])
    processes = ["\n".join("  " + statement(numbers) for _ in range(numbers.randrange(1, 4))) for _ in range(count)]
    return f"<{count}, x 2>\n" + "".join(f"[\n{process}\n]\n" for process in processes)


def found(build, path, *options):
    """(final states, errors), or None if it did not finish."""
    command = [os.path.join(build, "mazurka"), "check", "--json", "--trace=none", "--all-errors", "--stateful",
               f"--max-events={EVENTS}", *options, path]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(command)}: exit code {run.returncode}\n{run.stderr}")
    report = json.loads(run.stdout)
    errors = sorted((e["kind"], e["thread"], e["line"], e["column"]) for e in report["errors"])
    return None if report["reason"] else (report["traces"], errors)


def compare(build, path, text):
    """Were they compared, and what is wrong."""
    expected = found(build, path, "-a", "full")
    if expected is None:
        return False, None
    for options in ([], ["--dependency=object"]):
        actual = found(build, path, "-a", "dpor", *options)
        if actual != expected:
            return True, f"full: {expected}\ndpor {' '.join(options)}: {actual}\n{text}"
    return True, None


def check(build, seed):
    text = model(seed)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "random.dlang")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            compared, problem = compare(build, path, text)
        except (RuntimeError, ValueError, KeyError) as trouble:
            compared, problem = True, f"{trouble}\n{text}"
    return cases.Outcome(("compared", compared), problem if compared else cases.SKIPPED)


def tests(build):
    for seed in cases.rotating(SEEDS, 2):
        yield f"seed {seed}", functools.partial(check, build, seed)
    yield "most of them are compared", cases.Summary("compared", LEAST_SHARE)
