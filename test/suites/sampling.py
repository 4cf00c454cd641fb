"""`mazurka fuzz` on the failing programs of test/native: it has to find the error of each one that needs three preemptions at most,
within 5 seconds of CPU time, without being told how. Whether three are enough is what `--preemptions=3` says.

Then: that the same seeds find the same error, whichever worker is faster; that `uniform` is."""

import functools
import json
import os
import resource

import cases
import native

SAMPLE = 24
CPU_SECONDS = 60
PREEMPTIONS = 3
WITHIN = 5
# Options of expectations that say how to explore, not what; with a value, or without.
HOW = ("--preemptions", "--delays", "--runs", "--seed", "--depth", "--timeout", "--max-", "--boundary-states", "--accept", "--all-errors",
       "--stateful", "-a")


def options_of(expected):
    """What is said about the program, and its own arguments."""
    options, own = list(expected.arguments), []
    if "--" in options:
        options, own = options[:options.index("--")], options[options.index("--"):]
    return [option for option in options if not option.startswith(HOW)], own


def run(build, words, path, expected):
    """Exit code, the result, and the CPU seconds that it took."""
    options, own = options_of(expected)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [os.path.abspath(os.path.join(build, "mazurka")), *words, "--json", "--quiet", *options, os.path.abspath(path), *own]
    ended = native.run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if ended is None:
        raise TimeoutError(f"{' '.join(command)}: still running after {cases.HANG} s")
    code, out, err = ended
    return code, json.loads(out) if out.startswith("{") else None, seconds, " ".join(command) + "\n" + err


def find(build, path, expected):
    code, result, seconds, said = run(build, ["fuzz", "-j1", f"--timeout={4 * WITHIN}s"], path, expected)
    if code == 1:
        seconds = min(seconds, result["seconds"])  # without what the compiler needs, on a machine that has the time
    if code == 1 and seconds <= WITHIN:
        return None if result["errors"] else f"{said}\nunsafe without an error"
    if code not in (1, 3):
        return f"exit code {code}: {said}"
    bounded, _, _, _ = run(build, ["check", f"--preemptions={PREEMPTIONS}", f"--timeout={WITHIN}s"], path, expected)
    if bounded != 1:
        return cases.SKIPPED  # it needs more of them, or that is not known
    return f"{said}\n{'found, but only' if code == 1 else 'not found'} after {seconds:.1f} s of CPU time"


def finds_the_same(build):
    """Three workers, and an error that one of them comes to first: which one is no matter of time."""
    command = [os.path.abspath(os.path.join(build, "mazurka")), "fuzz", "-j3", "--json", "--quiet", "--seed=11",
               os.path.abspath("test/native/preemption_needle.c")]
    results = []
    for _ in range(5):
        code, out, err = native.run(command)
        if code != 1:
            return f"{' '.join(command)}: exit code {code}\n{err}"
        result = json.loads(out)
        results.append((result["found_by"], result["errors"][0]["steps"]))
    return None if all(result == results[0] for result in results) else f"{' '.join(command)}: {[by for by, _ in results]}"


def is_uniform(build, model, definition, traces):
    """Of traces that are equally likely, 1 - e^-4 = 98 % have been met after four times as many executions as there are; a
    random walk meets 39 to 88 % of these."""
    command = [os.path.abspath(os.path.join(build, "mazurka")), "check", "-a", "uniform", f"--runs={4 * traces}", "--json", "--quiet",
               os.path.abspath(f"bench/models/{model}.dlang"), definition]
    _, out, err = native.run(command)
    met = json.loads(out)["traces"] / traces
    return None if 0.88 <= met <= 1 else f"{' '.join(command)}: {met:.2f} of the traces\n{err}"


def is_for(path, expected):
    """Programs that never end are for algorithms that close their loops; what is compiled otherwise, for native.py."""
    with open(path, encoding="utf-8", errors="replace") as program:
        closes = "mz_loop_boundary(" in program.read()
    return expected.verdict == "unsafe" and not closes and native.has_compiler(path, expected)


def failing():
    """(name, path, expectation), each program with the same options once."""
    known = set()
    for path in native.programs():
        for expected in native.wanted_of(path):
            options, own = options_of(expected)
            key = (path, *options, *own)
            if is_for(path, expected) and key not in known:
                known.add(key)
                yield f"{os.path.basename(path)} {' '.join(options + own)}", path, expected


def tests(build):
    yield "the same error", functools.partial(finds_the_same, build)
    for model, definition, traces in (("ring", "-DN=10", 1022), ("readers_writers", "-DN=10", 512), ("last_zero", "-DN=8", 512),
                                      ("ring_extended", "-DN=4", 786)):
        yield f"uniform, {model}", functools.partial(is_uniform, build, model, definition, traces)
    for name, path, expected in cases.rotating(failing(), 6):
        yield name, functools.partial(find, build, path, expected)
