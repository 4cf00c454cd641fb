"""Random programs against exact enumeration (test/oracle): 2,000 models and 425 C programs by default, SEEDS and CSEEDS in
the environment for other numbers. One result per batch; a batch of which nothing was compared has failed."""

import functools
import os
import re
import subprocess

import cases

SAMPLE = 10
CPU_SECONDS = 900
ROTATES = 3
MOST_LEFT_OUT = 1 / 20  # a few are too large for exact enumeration; more than that, and little would be tested

# What is generated: the program that does it and its options, the variable with the number, how many otherwise, how many per
# process.
ORACLES = [("models", ["oracle"], "SEEDS", 2000, 50), ("C programs", ["oracle_native"], "CSEEDS", 200, 25),
           ("C programs, for races and leaks", ["oracle_native", "--races", "--leaks"], "CSEEDS", 75, 25),
           ("C programs, for assertions only", ["oracle_native", "--assertions"], "CSEEDS", 50, 25),
           ("C programs, with --spurious", ["oracle_native", "--spurious"], "CSEEDS", 50, 25),
           ("C programs whose memory is used again", ["oracle_native", "--reuse"], "CSEEDS", 50, 25),
           ("models whose processes are alike", ["oracle", "--symmetry"], "SEEDS", 2000, 250),
           ("models with twins", ["oracle", "--twins"], "SEEDS", 1000, 250),
           ("C programs with twins", ["oracle_native", "--twins"], "CSEEDS", 50, 25),
           ("C programs of critical sections", ["oracle_native", "--races", "--sections"], "CSEEDS", 75, 25),
           ("programs under weak memory", ["oracle_weak"], "WSEEDS", 5000, 500),
           ("C programs with many threads", ["oracle_wide", "--threads"], "TSEEDS", 25, 25)]
SUMMARY = r"^oracle: (\d+) programs agree.* (\d+) too large, (?:(\d+) endless, )?(\d+) failed$"


def run_batch(program, options, first, count, what):
    command = [program, *options, f"--from={first}", f"--seeds={count}"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=3 * cases.HANG, check=False)
    summary = re.search(SUMMARY, run.stdout, re.MULTILINE)
    if run.returncode != 0 or not summary:
        return f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}{run.stderr}"
    agree, too_large, endless, _ = (int(number or 0) for number in summary.groups())
    if agree == 0 or agree + too_large + endless != count:
        return f"{' '.join(command)}: only {agree} of {count} programs were compared"
    return cases.Outcome((what, agree / count))


GENERATORS = ["test/oracle/generate_c.c", "test/oracle/generate_c_ends.c", "test/oracle/generate_c_order.c",
              "test/oracle/generate_c_rounds.c"]
LITERALS = re.compile(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*')
PRINTED = 2000


def shapes():
    """Every statement that the generator of C programs can write, as it stands in its source: (text, pattern)."""
    for path in GENERATORS:
        with open(path, encoding="utf-8") as file:
            source = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
        source = re.sub(r"^#include.*$", "", source, flags=re.MULTILINE)
        for literal in LITERALS.findall(source):
            text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)).replace('\\"', '"')
            line = text.split("\\n")[0].strip()
            if not line.endswith((";", "{", "}")):
                continue
            pattern = re.escape(line).replace("%u", r"\d+").replace("@", r"p\d+_").replace("%s", ".*")
            yield line, re.compile(pattern)


def every_shape(build):
    """However the programs are kept small enough: among the first thousand, every kind of statement comes up."""
    command = [os.path.join(build, "oracle_native"), "--print", f"--seeds={PRINTED}"]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    known = list(shapes())
    absent = [text for text, pattern in known if not pattern.search(printed)]
    if len(known) < 150:
        return f"only {len(known)} statements were found in the generator"
    return "no program has: " + " | ".join(absent) if absent else None


def tests(build):
    yield f"every statement of the generator in {PRINTED} C programs", functools.partial(every_shape, build)
    for what, command, variable, otherwise, size in ORACLES:
        total = int(os.environ.get(variable, str(otherwise)))
        for first in cases.rotating(range(1, total + 1, size), ROTATES if variable not in os.environ else 1):
            count = min(size, total - first + 1)
            yield f"{what}, seeds {first} to {first + count - 1}", functools.partial(
                run_batch, os.path.join(build, command[0]), command[1:], first, count, what)
        if total > 0:
            yield f"{what}, how many", cases.Summary(what, 1 - max(MOST_LEFT_OUT, 2 / total))
