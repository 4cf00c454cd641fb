"""The C programs of test/native again, with every plain access to shared memory as an event (--plain-accesses=events): that
plain accesses need no scheduling points while they do not race is a theorem (src/program/order/happens_before.c), and here it is tried out.
The verdict and the kinds of the errors have to be those that stand in the program.

Without the reduction some programs have too many traces. They get LIMIT events each; most have to come to an end."""

import functools
import glob
import json
import os

import cases
import model
import native

LIMIT = 500000
LEAST_SHARE = 0.9  # of the programs must be compared
EXCEPT = {"libc_strings_race.c": "where accesses are events, library functions read strings to their end",
          "atomic_wide.c": "of an atomic operation on more than 16 bytes, the rest would be events of their own"}


def is_comparable(expected):
    """Once per program and set of options, where the reduction can matter, and with the options it can be switched with."""
    return expected.verdict in ("safe", "unsafe") and "--cc=clang" not in expected.arguments


def kinds_fit(expected, errors):
    kinds = {error["kind"] for error in errors}
    return any(kinds <= {kind for pattern, _ in choice for kind in pattern} for choice in expected.choices)


def compare(build, path, expected):
    """None: as expected; False: not finished; otherwise what is wrong."""
    options, own = list(expected.arguments), []
    if "--" in options:
        options, own = options[:options.index("--")], options[options.index("--"):]
    command = [os.path.abspath(os.path.join(build, "mazurka")), "check", "--json", f"--max-events={LIMIT}",
               "--plain-accesses=events", *options, os.path.abspath(path), *own]
    ended = native.run(command)
    if ended is None:
        return f"{' '.join(command)}\nstill running after {cases.HANG} s"
    try:
        result = json.loads(ended[1])
    except ValueError:
        return f"{' '.join(command)}\nexit code {ended[0]}: {ended[2]}"
    if result["verdict"] == "incomplete":
        return False
    if result["verdict"] == expected.verdict and kinds_fit(expected, result["errors"]):
        return None
    return f"{' '.join(command)}\nexpected {expected.text}, got {result['verdict']} {result['errors']}"


def check(build, path, expected):
    result = compare(build, path, expected)
    return cases.Outcome(("finished", result is not False), cases.SKIPPED if result is False else result)


SAMPLE = 12


def tests(build):
    todo = []
    for path in sorted(glob.glob("test/native/*.c")):
        if os.path.basename(path) in EXCEPT:
            continue
        wanted = [expected for expected in model.expectations(path, native.Expectation) if is_comparable(expected)]
        todo += [(path, expected) for expected in wanted]
    for path, expected in cases.rotating(todo, 4):
        yield f"{os.path.basename(path)} {' '.join(expected.arguments)} {expected.text}", functools.partial(check, build, path, expected)
    yield "most programs come to an end", cases.Summary("finished", LEAST_SHARE)
