"""Random programs of the oracle's generators (test/oracle) by 1, 2, 3 and 8 processes that are delayed at random.

With small parts (MAZURKA_TEST_SPLIT) everything that --json says has to be the same for any number of processes: verdict, counts, errors and
their counterexamples. And verdict, traces and kinds of errors have to be those of one search in one piece. Algorithm, memory model,
relation and options are drawn, too. WORKERS in the environment: so many programs of each kind instead of 150."""

import functools
import os
import random
import subprocess
import tempfile

import cases
import scale

SAMPLE = 6
CPU_SECONDS = 600
PROGRAMS = int(os.environ.get("WORKERS", "150"))
BATCH = 15
ALGORITHMS = [[], ["-a", "optimal"], ["-a", "source"], ["-a", "rf"], ["-a", "dc"], ["-a", "dpor"], ["-a", "dpor", "--sleep"], ["-a", "eager"],
              ["-a", "full"], ["-a", "random", "--runs=300"], ["-a", "bounded"], ["-a", "delays"]]
LIMITS = ["--max-depth=2000"]
# Kinds of C programs: the generator, its options; and what they are checked for.
NATIVE = [([], ["--check=default,leaks"]), ([], ["--check=assertions"]), (["--races"], []), (["--sections"], []), (["--twins"], [])]


def generated(program, *options):
    return subprocess.run([program, *options], capture_output=True, text=True, check=True, timeout=cases.HANG).stdout


def drawn_options(rng):
    options = [] if rng.random() < 0.5 else ["--all-errors"]
    if rng.random() < 0.2:
        options += ["--relation=published"]
    return options + LIMITS


def kinds(report):
    return sorted((error["kind"], error["message"]) for error in report["errors"])


def same(build, words, rng):
    """None, SKIPPED if it is too large for that, or what is wrong."""
    most = ["--max-traces=5000"] if "random" in words else ["--max-events=60000"]
    whole = scale.result(build, ["check", "-j1", *most, *words])
    if whole is None or "--max-" in whole["reason"]:
        return cases.SKIPPED
    split = rng.choice([3, 10, 30, 100])
    alone = scale.result(build, ["check", "-j1", *words], scale.environment(split))
    wrong = [f"in parts {text}" for text in scale.differences({"verdict": whole["verdict"]}, {"verdict": alone["verdict"]})]
    if "--all-errors" in words or not whole["errors"]:
        wrong += [f"in parts {text}" for text in scale.differences({"traces": whole["traces"], "errors": kinds(whole)},
                                                                   {"traces": alone["traces"], "errors": kinds(alone)})]
    workers = rng.choice([2, 3, 8])
    others = scale.result(build, ["check", f"-j{workers}", *words], scale.environment(split, rng.randrange(1000)))
    wrong += [f"-j {workers}: {text}" for text in scale.differences(alone, others)]
    return f"MAZURKA_TEST_SPLIT={split} mazurka check {' '.join(words)}\n" + "\n".join(wrong) if wrong else None


def batch(prepare, build, kind, numbers):
    """`prepare`: yields a number and the words of a check for each program."""
    wrong, compared = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for number, words in prepare(build, folder, numbers):
            rng = random.Random(f"{kind} {number}")
            problem = same(build, [*words(rng)], rng)
            compared += problem is not cases.SKIPPED
            if problem and problem is not cases.SKIPPED:
                wrong.append(f"program {number}: {problem}")
    if compared < len(numbers) // 4:
        wrong.append(f"only {compared} of {len(numbers)} programs were compared")
    return "\n".join(wrong) or None


def models(build, folder, numbers):
    """Every third has choices from wide ranges instead, which are tried in two rounds and divided."""
    for number in numbers:
        path = os.path.join(folder, f"{number}.dlang")
        text = generated(f"{build}/oracle", "--print", f"--seed={number}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("choose(0, 1)", "(choose(-11, 9) / 7 + 1)") if number % 3 == 0 else text)
        yield number, lambda rng, path=path: [path, *rng.choice(ALGORITHMS), *drawn_options(rng)]


def native(generator, checks, build, folder, numbers):
    """All in one file: it is compiled once."""
    source, program = os.path.join(folder, "programs.c"), os.path.join(folder, "programs")
    with open(source, "w", encoding="utf-8") as file:
        file.write(generated(f"{build}/oracle_native", *generator, "--file", f"--from={numbers[0]}", f"--seeds={len(numbers)}"))
    subprocess.run([f"{build}/mazurka", "cc", "-w", source, "-o", program], check=True, timeout=cases.HANG)
    for index, number in enumerate(numbers):
        yield number, lambda rng, index=index: [program, *rng.choice(ALGORITHMS), *checks, *drawn_options(rng), "--", str(index)]


def weak(build, folder, numbers):
    for number in numbers:
        path = os.path.join(folder, f"{number}.c")
        text = generated(f"{build}/oracle_weak", "--c", f"--from={number}")
        if text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            yield number, lambda rng, path=path: [path, f"--memory={rng.choice(['tso', 'rc11'])}", "--races=ignore", *drawn_options(rng)]


def tests(build):
    makers = [("models", models), ("weak memory", weak)]
    makers += [(" ".join(["C", *generator, *checks]), functools.partial(native, generator, checks)) for generator, checks in NATIVE]
    for kind, prepare in makers:
        for first in range(1, PROGRAMS + 1, BATCH):
            numbers = range(first, min(first + BATCH, PROGRAMS + 1))
            yield f"{kind} {first} to {numbers[-1]}", functools.partial(batch, prepare, build, kind, numbers)
