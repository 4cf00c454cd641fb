"""`mazurka clients`: libraries without clients.

Exactness: random little objects (operations over atomic variables, locks, semaphores, a condition variable, loops that wait or compare
and swap), whose verdict under each criterion and by each algorithm is compared with brute force (client_objects.py). By hand, more of
them: python3 test/suites/clients.py --objects=1000

The libraries of examples/library: right as they are, and wrong in the ways that their macros name."""

import argparse
import functools
import json
import os
import random
import subprocess
import sys
import tempfile

import cases
import client_objects

SAMPLE = 8
OBJECTS, AT_ONCE = 1000, 10  # with test-all; in one case

# ---- random objects -----------------------------------------------------------------------------------------------------------

ALGORITHMS = ["optimal", "optimal", "source", "dpor", "full", "eager"]


def compare(build, seed):
    """What is wrong, or None; and whether the object is right."""
    thing, rng = client_objects.Object(seed), random.Random(seed + 1)
    right = client_objects.is_right(thing)
    algorithm, relation = rng.choice(ALGORITHMS), ["--relation=published"] if rng.random() < 0.2 else []
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "object.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(thing.source())
        command = [os.path.join(build, "mazurka"), "clients", "--json", "--quiet", "--trace=none", "-j1", "-a", algorithm, *relation, source,
                   *thing.options()]
        run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode == (0 if right else 1):
        return None, right
    return f"seed {seed}: brute force says {'right' if right else 'wrong'}, exit code {run.returncode}: {' '.join(command)}\n" \
           f"{thing.source()}{run.stdout[-1500:]}{run.stderr[-1500:]}", right


def compare_some(build, first):
    problems = [compare(build, seed)[0] for seed in range(first, first + AT_ONCE)]
    return "\n".join(filter(None, problems)) or None


# ---- libraries ----------------------------------------------------------------------------------------------------------------

FOLDER = "examples/library"


def libraries():
    """(file, macros, whether it is right) as the last lines of each description say: `# wrong: MACRO, …`."""
    for name in sorted(os.listdir(FOLDER)) if os.path.isdir(FOLDER) else []:
        if not name.endswith(".clients"):
            continue
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            text = file.read()
        yield name[:-len(".clients")], None, None
        for line in text.splitlines():
            if line.startswith("# wrong "):
                macro, _, what = line[len("# wrong "):].partition(": ")
                yield name[:-len(".clients")], macro, what


def source_of(library):
    return next(path for end in (".c", ".cc") if os.path.exists(path := f"{FOLDER}/{library}{end}"))


def check_library(build, library, macro, what):
    """`what`: KIND CALLS, the kind of the error and how many calls the smallest client has that shows it."""
    command = [os.path.join(build, "mazurka"), "clients", "--json", "--quiet", "--trace=none", "-j1", source_of(library),
               f"--clients={FOLDER}/{library}.clients", *([f"-D{macro}"] if macro else [])]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode != (1 if macro else 0):
        return f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout[-2000:]}{run.stderr[-2000:]}"
    report = json.loads(run.stdout)
    if not macro:
        return None if report["clients_checked"] == report["clients"] > 0 else "not all clients"
    kind, calls = what.split()[:2]
    client = report["client"]
    if report["errors"][0]["kind"] != kind or not client:
        return f"{' '.join(command)}: {report['errors'][0]['kind']}: {report['errors'][0]['message']}"
    if report["calls"] != int(calls):
        return f"{' '.join(command)}: a client with {report['calls']} calls, not {calls}"
    return run_client(build, library, macro, client, report["errors"][0]["kind"])


def run_client(build, library, macro, client, kind):
    """The client that is shown is a program: it fails, and does not when the library is repaired."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "client" + os.path.splitext(source_of(library))[1])
        with open(path, "w", encoding="utf-8") as file:
            file.write(client.replace(f'"{FOLDER}/', f'"{os.path.abspath(FOLDER)}/'))
        for flags, expected in (["-D" + macro], 1), ([], 0):
            if kind == "linearizability" and "assert(!" not in client and expected:
                continue
            command = [os.path.join(build, "mazurka"), "check", "--quiet", "--trace=none", "-j1", "--check=default,leaks", path, *flags]
            run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
            if run.returncode != expected:
                return f"{' '.join(command)}: exit code {run.returncode}\n{client}\n{run.stdout[-1500:]}{run.stderr[-1500:]}"
    return None


def tests(build):
    for first in range(0, OBJECTS, AT_ONCE):
        yield f"objects from {first} on", functools.partial(compare_some, build, first)
    for library, macro, what in libraries():
        yield f"{library} {macro or 'as it is'}", functools.partial(check_library, build, library, macro, what)


def by_hand():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--objects", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    wrong = right = 0
    for seed in range(arguments.first, arguments.first + arguments.objects):
        problem, is_good = compare(arguments.build, seed)
        right += is_good
        if problem:
            wrong += 1
            print(problem, flush=True)
    print(f"{arguments.objects} objects, {right} right, {wrong} verdicts differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    by_hand()
