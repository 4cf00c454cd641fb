"""The C and C++ programs of test/native and bench/c: what to expect stands inside each of them, in comment lines as in model.py.

    // expect: safe traces=6 full=yes        verified; 6 traces by every algorithm; run `full`, too (which counts otherwise)
    // expect: safe traces=6 lazy=yes        run `lazy`, too (which is slow)
    // expect: safe traces=24 refined=1      24 traces of the published relation; 1 where refinements of it are in force
    // expect: unsafe assertion 12           one error: its kind and its line
    // expect: unsafe data-race 12|18        the line may be either; several kinds may be given in the same way, * is any line
    // expect: unsafe lock 9 or deadlock *   the one or the other, whichever an algorithm comes to first
    // expect: safe warns=lock-order:9,refused:12   with these warnings and no others; warns=none: without any
    // expect: incomplete TEXT               not finished, and the reason contains TEXT
    // expect: error 3 TEXT                  does not compile: a message for line 3 that contains TEXT
    // args: -DN=3 --all-errors -- one two   options, and the program's own arguments, for the expectations that follow
    // args: --preemptions=2                 the same; the algorithm is `bounded` then (--runs: `random`), and no other

Every expectation is one test and one command: the program is compiled once and checked by each of ALGORITHMS. The numbers
after `safe` or `unsafe` are those of model.py: traces, observations, pruned, found, switches."""

import functools
import glob
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

import cases
import model

ALGORITHMS = ["source", "dpor", "optimal", "eager", "eager-short", "dc", "rf"]
CLOSING = ["source", "dpor", "full"]  # those that can follow a program with loop boundaries
SAMPLE = 12


class Expectation(model.Expectation):
    """As for models, but an error's place may be left open: `choices` holds lists of (kinds, lines), one list has to fit."""

    algorithms = ALGORITHMS
    warnings = None

    def __init__(self, arguments, text):
        super().__init__(arguments, text)
        self.algorithms = model.chosen_by(self.arguments) or self.algorithms

    def parse_result(self, words):
        self.choices = [[]]
        pattern = []
        for word in words:
            key, equals, value = word.partition("=")
            if word in ("full=yes", "lazy=yes"):
                self.algorithms = [*self.algorithms, key]
            elif key == "warns":
                self.warnings = sorted(value.split(",")) if value != "none" else []
            elif equals:
                if key not in {"traces", "refined", "observations", "pruned", "found", "switches"}:
                    raise ValueError(f"'{word}' is not known")
                self.numbers[key] = int(value)
            elif word == "or":
                self.choices.append([])
            else:
                pattern.append(word)
                if len(pattern) == 2:
                    self.choices[-1].append((pattern[0].split("|"), self.lines(pattern[1])))
                    pattern = []
        if pattern or any((self.verdict == "unsafe") != bool(choice) for choice in self.choices):
            raise ValueError("after 'unsafe' there must be kind and line of each error")

    @staticmethod
    def lines(word):
        return None if word == "*" else [int(line) for line in word.split("|")]

    def fits(self, errors):
        """Is there a choice whose patterns can be paired with the errors, one each?"""
        def pairs(choice, order):
            return all(error["kind"] in kinds and (lines is None or error["line"] in lines)
                       for (kinds, lines), error in zip(choice, order))
        return any(pairs(choice, order) for choice in self.choices if len(choice) == len(errors)
                   for order in itertools.permutations(errors))


def run(command):
    """Exit code, stdout, stderr; None if it did not end. Counterexamples go to a directory that is thrown away."""
    with tempfile.TemporaryDirectory() as scratch:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=scratch, start_new_session=True)
        try:
            out, err = process.communicate(timeout=cases.HANG)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def compare_error(expected, path, out, err):
    place = expected.place if ":" in expected.place else expected.place + r":\d+"
    message = rf"^{re.escape(path)}:{place}: (fatal )?error: .*{re.escape(expected.message)}"
    if out:
        yield f"standard output should be empty: {out}"
    if not re.search(message, err, re.M):
        yield f"expected: {path}:{expected.place}: error: …{expected.message}…\ngot:      {err}"


def compare_results(expected, out):
    results = json.loads(out)
    results = results if isinstance(results, list) else [results]
    names = [result["algorithm"] for result in results]
    if names != expected.algorithms:
        yield f"expected the results of {expected.algorithms}, got those of {names}"
    for result in results:
        for problem in model.compare_result(expected, result["algorithm"], result):
            yield f"{result['algorithm']}: {problem}"
        warned = sorted(f"{warning['kind']}:{warning['line']}" for warning in result["warnings"])
        if expected.warnings not in (None, warned):
            yield f"{result['algorithm']}: expected the warnings {expected.warnings}, got {result['warnings']}"


def check(build, path, expected):
    problems = check_with(build, path, expected, list(expected.arguments))
    if not problems and model.published(expected.arguments, expected):
        problems = check_with(build, path, expected, ["--relation=published", *expected.arguments])
    return problems


def check_with(build, path, expected, options):
    own = []
    if "--" in options:
        options, own = options[:options.index("--")], options[options.index("--"):]
    path = os.path.abspath(path)
    # what dpor repeats without sleep sets grows too fast for some of the programs
    sleep = ["--sleep"] if "dpor" in expected.algorithms and "--stateful" not in expected.arguments else []
    command = [os.path.abspath(os.path.join(build, "mazurka")), "check", "--json", "-a", ",".join(expected.algorithms),
               *sleep, *options, path, *own]
    ended = run(command)
    if ended is None:
        return f"{' '.join(command)}\nstill running after {cases.HANG} s"
    code, out, err = ended
    problems = []
    if code != model.EXIT_CODES[expected.verdict]:
        problems.append(f"exit code: expected {model.EXIT_CODES[expected.verdict]}, got {code}\n{err}")
    elif expected.verdict == "error":
        problems += compare_error(expected, path, out, err)
    else:
        try:
            problems += compare_results(expected, out)
        except (ValueError, KeyError, TypeError, AttributeError) as trouble:
            problems.append(f"the JSON is not as it should be: {trouble!r}\n{out}")
    return "\n".join([" ".join(command), *problems]) if problems else None


def has_compiler(path, expected):
    """clang is not on every machine."""
    clang = "clang++" if path.endswith((".cpp", ".ii")) else "clang"
    return "--cc=clang" not in expected.arguments or shutil.which(clang)


def programs():
    return sorted(path for ending in ("c", "cpp", "i", "ii") for path in glob.glob(f"test/native/*.{ending}")) + \
        sorted(glob.glob("bench/c/*.c"))


def wanted_of(path):
    """The expectations of a program, each with the algorithms that can be asked."""
    wanted = list(model.expectations(path, Expectation))
    with open(path, encoding="utf-8", errors="replace") as program:
        closes = "mz_loop_boundary(" in program.read()
    for expected in wanted if closes else []:
        expected.algorithms = [name for name in expected.algorithms if name in CLOSING]
    return wanted


def tests(build):
    if not shutil.which("clang"):
        print("native: clang is not installed: the tests with it are left out", flush=True)
    todo = []
    for path in programs():
        name = os.path.basename(path)
        try:
            wanted = wanted_of(path)
        except ValueError as trouble:
            yield name, f"{path}: {trouble}"
            continue
        if not wanted:
            yield name, f"{path} has no '// expect:' line"
        todo += [(path, expected) for expected in wanted if has_compiler(path, expected)]
    for path, expected in cases.rotating(todo, 5):
        yield f"{os.path.basename(path)} {' '.join(expected.arguments)} {expected.text}", functools.partial(check, build, path, expected)
