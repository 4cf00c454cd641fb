"""The same algorithm as a dlang model and as a C program: where the events correspond, the traces are equally many."""

import functools
import json
import os
import subprocess

import cases

# model, C program, options for the C program, sizes of the model, by how much those of the program are larger
TWINS = [
    ("readers_writers", "readers_writers", [], [2, 5, 9], 0),
    ("last_zero_classic", "lastzero", [], [3, 5, 7], -1),
    ("last_zero", "lastzero_eager", [], [3, 5, 7], 0),
    ("ring", "ring", ["-DSTEP"], [3, 5, 7], 0),
    ("shared_pointer", "sharedptr", [], [2, 4, 8], 0),
    ("branching", "branching", [], [2, 3, 5], 0),
    ("indexer", "indexer", [], [11, 12, 13], 0),
]


def traces(build, arguments):
    command = [os.path.join(build, "mazurka"), "check", "--json", "--trace=none", "--relation=published", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {run.returncode}\n{run.stderr}")
    return json.loads(run.stdout)["traces"]


def compare(build, model, program):
    of_model, of_program = traces(build, model), traces(build, program)
    same = of_model == of_program and of_model > 0
    return None if same else f"{of_model} traces of the model, {of_program} of the program"


SAMPLE = 3


def tests(build):
    for model, program, options, sizes, more in TWINS:
        for size in sizes:
            name = f"{model}.dlang, N = {size}, and {program}.c, N = {size + more}"
            yield name, functools.partial(compare, build, [f"bench/models/{model}.dlang", f"-DN={size}"],
                                          [f"bench/c/{program}.c", f"-DN={size + more}", *options])
