"""The same verdicts from every compiler and every level of optimisation: gcc and clang, -O0, -O1, -O2, over the programs of
native.py.

Compared are the verdict and the kinds of errors, by one algorithm; how many traces there are and where exactly an error
shows may depend on which accesses a compiler merges. A program for which the verdict itself does says why, in a line
`// compilers: REASON`, and is left out; so are expectations that name a compiler or a level themselves, and those of
programs that are refused.

All of them take long: `make matrix`. Otherwise one case in EVERY is taken; which ones is a matter of their names, and does not
change with other programs."""

import functools
import itertools
import json
import os
import re
import shutil
import zlib

import cases
import model
import native

COMPILERS = ["gcc", "clang"]
LEVELS = ["-O0", "-O1", "-O2"]
EVERY = 24
SAMPLE = 10


def says_why(path):
    with open(path, encoding="utf-8") as program:
        return any(line.startswith("// compilers: ") for line in program)


def is_own_choice(argument):
    return argument.startswith("--cc=") or re.search(r"(^|[ =])-O", argument)


def cases_of_all():
    """(path, expectation, compiler, level)"""
    wanted = [(path, expected) for path in native.programs() if not says_why(path)
              for expected in model.expectations(path, native.Expectation)
              if expected.verdict in ("safe", "unsafe") and not any(map(is_own_choice, expected.arguments))]
    return [(*what, *how) for how in itertools.product(COMPILERS, LEVELS) for what in wanted]


def fits(expected, errors):
    return any(len(choice) == len(errors) and all(any(error["kind"] in names for names, _ in choice) for error in errors)
               for choice in expected.choices)


def check(build, path, expected, compiler, level):
    options, own = list(expected.arguments), []
    if "--" in options:
        options, own = options[:options.index("--")], options[options.index("--"):]
    command = [os.path.abspath(os.path.join(build, "mazurka")), "check", "--json", f"--cc={compiler}", *options,
               f"--cflags={level} -w", os.path.abspath(path), *own]
    ended = native.run(command)
    if ended is None:
        return f"{' '.join(command)}\nstill running after {cases.HANG} s"
    _, out, err = ended
    try:
        result = json.loads(out)
    except ValueError:
        return f"{' '.join(command)}\n{err}"
    if result["verdict"] == expected.verdict and (expected.verdict == "safe" or fits(expected, result["errors"])):
        return None
    found = ", ".join(f"{error['kind']} {error['line']}" for error in result["errors"])
    return f"{' '.join(command)}\nexpected {expected.text}, got {result['verdict']} {found} {result.get('reason', '')}"


def name_of(path, expected, compiler, level):
    return f"{os.path.basename(path)} {' '.join(expected.arguments)} {compiler} {level}"


def is_sample(case):
    return zlib.crc32(name_of(*case).encode()) % EVERY == 0


def tests(build):
    todo = [case for case in cases_of_all() if shutil.which(case[2]) and (os.environ.get("MATRIX") or is_sample(case))]
    for case in cases.rotating(todo, 2):
        yield name_of(*case), functools.partial(check, build, *case)
