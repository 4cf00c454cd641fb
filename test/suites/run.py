"""Safe execution: programs that are run under plans do what was verified, and nothing else.

For every suitable program of test/native: a plan of one trace, and runs under it with random delays. They end, as without a
plan, and never leave verified ground: that is the progress theorem, and finds every difference in how operations are counted
by the checker and by the runtime. Broken ones run under the constraint sets that exclude their bugs. Then the programs of
examples/safe: broken, they fail when they run freely, and never under their plan."""

import functools
import glob
import os
import tempfile
import zlib

import cases
import model
import native
import run_broken
import run_deployed
import run_divergence
import run_endings
import run_handover
import run_inputs
import run_kept
import run_late_inputs
import run_lines
import run_loops
import run_memory
import run_outside
import run_premises
import run_random
import run_serialise
import run_services
import run_sets
import run_surroundings
from under import ALL, Under, expect, is_set

SAMPLE = 20
CPU_SECONDS = 120
PARTS = (run_broken, run_deployed, run_inputs, run_late_inputs, run_sets, run_divergence, run_serialise, run_services, run_endings, run_handover, run_kept, run_lines, run_loops, run_memory, run_outside, run_premises, run_surroundings, run_random)

# What the runtime does not do, or what depends on surroundings that the checker makes up (virtual time, captured files, …).
NOT_RUN = {
    "cxx_atomic_wait.cpp": "which of the library's locks are used depends on addresses",
    "cxx_positions.cpp -DWAITS": "it ends with a status on purpose",
    "cxx_timed.cpp -DOUTCOME=1": "whether a wait was in vain, the library asks the clock, which is real",
    "cxx_waits_again.cpp -DCLOCK": "how often it waits is up to the clock, which is real",
    "cxx_library.cpp -DMORE": "which of the library's locks are used depends on addresses",
    "abort_leaks.c": "it is aborted on purpose",
    "entry.c": "it has no main",
    "entry_calls.c": "it has no main",
    "entry_cxx.cpp": "it has no main",
    "exit_status.c": "it ends with a status on purpose",
    "libc_allocation.c": "the C library here is less strict about alignment",
    "libc_clock.c": "it sleeps for hours of virtual time",
    "libc_exit_handlers.c": "it ends with a status on purpose",
    "libc_files.c": "it reads files of the checker's directory",
    "libc_random.c": "the C library's random numbers are one sequence for all threads",
    "libc_rounding.c": "gcc -O2 moves computations across fesetround()",
    "libc_scanf.c": "it reads files of the checker's directory",
    "library_state.c": "it sleeps for a while of virtual time",
    "timed_far.c": "it waits for times that are centuries away",
    "libc_wide.c": "it asks for the number of the processor, which is 0 in the check only",
    "unasked_destroy.c": "its assertions are switched off in the check only",
    "verifier_error.c": "its assertions are switched off in the check only",
}

# What they ask for only to show it, and what the checker makes up.
WAIVED = "--waive=processors,process,user,host"

UNSUITED = ("mz_loop_boundary", "mz_atomic", "VERIFIER_atomic", "assume", "pthread_cancel")
OPTIONS = ("-D", "-I", "--cflags", "--ldflags", "--cc", "--check", "--unroll", "--main-exit")


def suitable(verdict):
    """(path, options, the program's arguments) of what is safe, or unsafe."""
    for path in sorted(glob.glob("test/native/*.c") + glob.glob("test/native/*.cpp") + glob.glob("bench/c/*.c")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.path.basename(path)
        if name in NOT_RUN or any(word in text for word in UNSUITED):
            continue
        for expected in model.expectations(path, native.Expectation):
            words = list(expected.arguments)
            own = words[words.index("--"):] if "--" in words else []
            options = [word for word in words[:len(words) - len(own)] if word.startswith(OPTIONS)]
            if any(f"{name} {word}" in NOT_RUN for option in options for word in option.split()):
                continue
            if expected.verdict == verdict and native.has_compiler(path, expected) and "--check=all" not in options:
                yield path, options, own


def some(todo):
    """Of two programs in five the last variant, which most often does most; RUN=all in the environment: every one."""
    last = list({test[0]: test for test in todo}.values())
    return todo if ALL else cases.rotating([test for test in last if zlib.crc32(os.path.basename(test[0]).encode()) % 5 < 2], 3)


def keeps_to_plan(build, path, options, own):
    with tempfile.TemporaryDirectory() as directory:
        under = Under(build, directory)
        source = os.path.abspath(path)
        plan = under.plan(source, "--max-traces=1", *options, own=own)
        if not plan:
            return False
        runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1", "--inputs=random", WAIVED, *options, own=own)
        expect(endings == {"exit code 0": runs}, endings, err)
        return True


def keeps_to_set(build, path, options, own):
    """A broken program under the few constraints that are left of its plan."""
    with tempfile.TemporaryDirectory() as directory:
        under = Under(build, directory)
        source = os.path.abspath(path)
        plan = under.plan(source, "--minimise", "--timeout=5s", *options, own=own)
        if not plan or not is_set(plan):
            return False
        runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1", "--inputs=random", WAIVED, *options, own=own)
        expect(endings == {"exit code 0": runs}, endings, err)
        return True


def native_tests(build, todo, attempt_one, least, what):
    """At least the share `least` of the programs has what is to be tried."""
    def attempt(test):
        try:
            return cases.Outcome((what, attempt_one(build, *test)))
        except AssertionError as trouble:
            return cases.Outcome((what, True), str(trouble))

    for test in todo:
        yield f"{os.path.basename(test[0])} {' '.join(test[1])}", functools.partial(attempt, test)
    yield f"many programs have {what}", cases.Summary(what, least)


def part_tests(build):
    def attempt(test):
        with tempfile.TemporaryDirectory() as directory:
            test(Under(build, directory))

    for part in PARTS:
        for test in part.TESTS:
            yield f"{part.__name__}: {test.__name__}", functools.partial(attempt, test)


def tests(build):
    yield from part_tests(build)
    todo = some(list(suitable("safe")))
    yield from native_tests(build, todo, keeps_to_plan, 0.66, "plans")
    yield from native_tests(build, some(list(suitable("unsafe"))), keeps_to_set, 0.15 if ALL else 0.2, "constraint sets")
