"""The dlang programs of test/model: what to expect stands inside each of them, in comment lines.

    // expect: safe traces=7 full=20         verified; 7 traces by `source`, 20 interleavings by `full`
    // expect: unsafe assertion 12           one error: its kind and its line
    // expect: unsafe assertion 12 lock 14   exactly these errors, in any order (needs --all-errors)
    // expect: incomplete TEXT               not finished, and the reason contains TEXT
    // expect: error 3:14 TEXT               refused at line 3, column 14, with a message that contains TEXT
    // expect: error 3 TEXT                  the same, at whatever column
    // args: -DN=3 --check=deadlocks         options for the expectations that follow, up to the next args
    // args: --runs=100                      the same; one of CHOSEN_BY: the algorithm is the one that takes it, and no other

Every expectation is one test. It runs the program with each algorithm of ALGORITHMS, asks for JSON and compares
the verdict, the exit code, the errors and these numbers, where they are given after `safe` or `unsafe`:

    traces=N       traces (all but `full`)       full=N         "traces" (interleavings) of `full`
    refined=N      the same where refinements of the dependency relation are in force; `traces` is then compared with
                   --relation=published, too
    symmetric=N    the same where processes are exchanged, which not all algorithms do
    observations=N observations (`rf`); without it, as many as there are traces at most, also for `dc`
    pruned=N       pruned by assume, `source`    full-pruned=N  the same, `full`
    found=N        executions with an error, `source` (all errors together)
    switches=N     the counterexample of `source` has at least N context switches
    full=-         do not run `full`, nor `bounded`: there are too many interleavings

Numbers are those of the program, worked out without the tool; a comment in the program says how."""

import functools
import glob
import json
import os
import re
import shlex
import subprocess

import cases

ALGORITHMS = ["full", "dpor", "source", "optimal", "eager", "eager-short", "dc", "rf", "bounded", "delays"]
CHOSEN_BY = {"--preemptions": "bounded", "--delays": "delays", "--runs": "random", "--stateful": "dpor"}
EXIT_CODES = {"safe": 0, "unsafe": 1, "error": 2, "incomplete": 3}
CPU_SECONDS = 10
SAMPLE = 3
NUMBERS = {"source": {"traces": "traces", "pruned": "pruned"}, "full": {"full": "traces", "full-pruned": "pruned"},
           "dpor": {"traces": "traces"}, "optimal": {"traces": "traces"}, "eager": {"traces": "traces"},
           "eager-short": {"traces": "traces"}, "rf": {"observations": "traces"},
           "bounded": {"traces": "traces"}, "delays": {"traces": "traces"}}
COARSER = ["dc", "rf"]  # they visit several traces at once


class Expectation:
    """One `// expect:` line with the options that hold for it."""

    def __init__(self, arguments, text):
        self.arguments = shlex.split(arguments)
        self.text = text.strip()
        self.verdict, _, rest = self.text.partition(" ")
        self.numbers, self.errors, self.place, self.message = {}, [], None, ""
        if self.verdict not in EXIT_CODES:
            raise ValueError(f"'{self.verdict}' is no verdict")
        if self.verdict == "incomplete":
            self.message = rest
        elif self.verdict == "error":
            self.place, _, self.message = rest.partition(" ")
        else:
            self.parse_result(rest.split())

    def parse_result(self, words):
        kinds = []
        for word in words:
            key, equals, value = word.partition("=")
            if equals:
                self.numbers[key] = value if value == "-" else int(value)
            else:
                kinds.append(word)
        if len(kinds) % 2 != 0 or (self.verdict == "unsafe") != bool(kinds):
            raise ValueError("after 'unsafe' there must be kind and line of each error")
        self.errors = sorted((kind, int(line)) for kind, line in zip(kinds[::2], kinds[1::2]))
        known = {"found", "switches", "refined", "symmetric"}.union(*NUMBERS.values())
        for key in self.numbers:
            if key not in known:
                raise ValueError(f"'{key}=' is not known")

    def fits(self, errors):
        return self.errors == sorted((error["kind"], error["line"]) for error in errors)


def chosen_by(arguments):
    """The algorithms that an option asks for; none if they are to be all."""
    return [CHOSEN_BY[word.partition("=")[0]] for word in arguments if word.partition("=")[0] in CHOSEN_BY]


def expectations(path, kind=Expectation):
    """What the comment lines of a program say, each as a `kind`."""
    arguments = ""
    with open(path, encoding="utf-8") as program:
        for line in program:
            match = re.match(r"\s*// (args|expect):(.*)$", line)
            if match and match[1] == "args":
                arguments = match[2]
            elif match:
                yield kind(arguments, match[2])


def run(command):
    """Exit code, stdout, stderr; None if it did not end."""
    try:
        result = subprocess.run(command, capture_output=True, timeout=cases.HANG)
    except subprocess.TimeoutExpired:
        return None
    return result.returncode, result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace")


def compare_error(expected, path, out, err):
    problems = []
    if out:
        problems.append(f"standard output should be empty: {out}")
    first = err.splitlines()[0] if err else ""
    place = expected.place if ":" in expected.place else expected.place + r":\d+"
    match = re.match(rf"{re.escape(path)}:{place}: error: (.*)$", first)
    if not match or expected.message not in match[1]:
        problems.append(f"expected: {path}:{expected.place}: error: …{expected.message}…\ngot:      {first}")
    return problems


def published(arguments, expected):
    """The same options, without the refinements of the dependency relation: for counts that differ with them."""
    return [*arguments, "--relation=published"] if {"refined", "symmetric"} & set(expected.numbers) else None


def compare_numbers(expected, algorithm, result):
    for key, json_key in NUMBERS.get(algorithm, {}).items():
        wanted = expected.numbers.get(key)
        if key == "traces" and "symmetry" in result["refined"] and "symmetric" in expected.numbers:
            wanted = expected.numbers["symmetric"]
        elif key == "traces" and result["refined"]:
            wanted = expected.numbers.get("refined", wanted)
        if wanted is not None and result[json_key] != wanted:
            yield f"{json_key}: expected {wanted}, got {result[json_key]}"
    most = expected.numbers.get("observations", expected.numbers.get("traces", result["traces"]))
    if algorithm in COARSER and result["traces"] > max(most, expected.numbers.get("traces", most)):
        yield f"traces: {result['traces']}, but there are only {most}"
    total = result["traces"] + result["repeated"] + result["blocked"] + result["pruned"] + result["revisited"] + result["cut"]
    if result["executions"] != total:
        yield f"executions: {result['executions']}, but traces + repeated + blocked + pruned + revisited + cut = {total}"
    if algorithm != "source":
        return
    found = sum(error["occurrences"] for error in result["errors"])
    if found != expected.numbers.get("found", found):
        yield f"executions with an error: expected {expected.numbers['found']}, got {found}"
    for error in result["errors"]:
        threads = [step["thread"] for step in error["steps"]]
        switches = sum(a != b for a, b in zip(threads, threads[1:]))
        if switches < expected.numbers.get("switches", 0):
            yield f"context switches: the error needs {expected.numbers['switches']}, its counterexample has {switches}"


def compare_result(expected, algorithm, result):
    if result["verdict"] != expected.verdict:
        yield f"verdict: expected {expected.verdict}, got {result['verdict']} {result['reason']}"
    if expected.verdict == "incomplete":
        if expected.message not in result["reason"]:
            yield f"reason: expected …{expected.message}…, got {result['reason']}"
        return
    if expected.verdict == "safe" and result["reason"]:
        yield f"reason: expected none, got {result['reason']}"
    if not expected.fits(result["errors"]):
        got = ", ".join(f"{error['kind']} {error['line']}: {error['message']}" for error in result["errors"])
        yield f"errors: expected {expected.text}, got {got or 'none'}"
    yield from compare_numbers(expected, algorithm, result)


def check(build, path, expected, algorithm):
    problems = check_with(build, path, expected, algorithm, expected.arguments)
    if published(expected.arguments, expected):
        problems += check_with(build, path, expected, algorithm, published(expected.arguments, expected))
    return problems


def check_with(build, path, expected, algorithm, arguments):
    command = [os.path.join(build, "mazurka"), "check", "--json", "--trace=none", "-a", algorithm,
               *arguments, path]
    ended = run(command)
    shown = " ".join(command)
    if ended is None:
        return [f"{shown}\nstill running after {cases.HANG} s"]
    code, out, err = ended
    problems = []
    if code != EXIT_CODES[expected.verdict]:
        problems.append(f"exit code: expected {EXIT_CODES[expected.verdict]}, got {code}\n{err}")
    elif expected.verdict == "error":
        problems += compare_error(expected, path, out, err)
    else:
        try:
            problems += compare_result(expected, algorithm, json.loads(out))
        except (ValueError, KeyError, TypeError) as trouble:
            problems.append(f"the JSON is not as it should be: {trouble!r}\n{out}")
    return [f"{shown}\n" + "\n".join(problems)] if problems else []


def check_all(build, path, expected, algorithms):
    return "\n".join(problem for algorithm in algorithms for problem in check(build, path, expected, algorithm)) or None


def tests(build):
    for path in sorted(glob.glob("test/model/*.dlang")):
        name = os.path.basename(path)
        try:
            wanted = list(expectations(path))
        except ValueError as trouble:
            yield name, f"{path}: {trouble}"
            continue
        if not wanted:
            yield name, f"{path} has no '// expect:' line"
        for expected in wanted:
            algorithms = [a for a in ALGORITHMS
                          if a not in ("full", "bounded", "delays") or expected.numbers.get("full") != "-"]
            if "--timeout" in " ".join(expected.arguments):
                algorithms = ["source"]  # these take their time
            if "--memory=tso" in expected.arguments:
                algorithms = [a for a in algorithms if a not in COARSER]  # they take a read for one of the last write
            algorithms = chosen_by(expected.arguments) or algorithms
            yield f"{name} {' '.join(expected.arguments)} {expected.text}", functools.partial(check_all, build, path, expected, algorithms)
