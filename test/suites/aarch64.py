"""A sample of the tests on an emulated AArch64 (make aarch64, doc/native.md): unit tests, models, C and C++ programs with gcc and
clang, random programs. Emulation is slow: of the programs one in EVERY is taken, by name, and those of ALWAYS, which are about
what differs between processors.

What cannot work there is listed with its reason; everything else has to."""

import functools
import glob
import os
import zlib

import cases
import cycles
import model
import native
import oracle
import unit

EVERY = 24
MODELS = 6
SEEDS = range(1, 11)
CPU_SECONDS = 300

# Unit tests and programs of test/native that do not pass there.
NOT_THERE = {
    "unit_estimate: large_programs_are_sampled": "how good an estimate is depends on the time it has, and an emulator is slow",
    "unit_compile: what_cannot_be_checked_is_refused": "of a compiler that is not there, qemu's processes tell nothing (posix_spawn)",
    "unit_symbols: everything_has_a_name": "gcc's debug information for AArch64 does not say where thread-local variables are",
    "unit_symbols: everything_has_a_name_with_clang": "the same",
    "asm_": "assembly of x86",
    "ck_": "assembly of AArch64 in the headers of Concurrency Kit is refused",
    "stack_overflow.c -DLARGE": "the line is another one: the stack is touched when the function is entered",
    "memory_variables.c -DKIND=1 --cflags=-fdata-sections": "there is no room behind variables with sections of their own",
    "memory_variables.c -DKIND=5 --cflags=-fdata-sections": "there is no room behind variables with sections of their own",
    "stores_into_frame.c": "gcc does not tell of these stores, and no machine code is looked at",
    "stores_without_hook.c": "the same: rf and dc then meet a read whose write nobody has told them of",
    "threads_in_turn.c -DTHREADS=300": "mazurka-wide is a process of its own, and that is none of qemu's",
    "threads_wide": "mazurka-wide is a process of its own, and that is none of qemu's",
    "x87": "registers of x86",
}
# With clang thread-local variables are refused (libstdc++ has some), and no machine code is looked at, which finds some errors.
NOT_WITH_CLANG = ("thread_local", "_Thread_local", "__thread", "async", "shared_ptr", "exception")

ALWAYS = ["memory_variables.c -DKIND=1 ", "memory_variables.c -DKIND=5 ", "atomic_wide", "thread_local", "setjmp", "weak", "spurious"]


def is_possible(name, path, expected):
    if any(name.startswith(words) for words in NOT_THERE) or not native.has_compiler(path, expected):
        return False
    with open(path, encoding="utf-8", errors="replace") as program:
        text = program.read()
    if "asm" in text or "immintrin.h" in text or "-m" in " ".join(expected.arguments).split("--cflags=")[-1].split("-std")[0]:
        return False
    clang = "--cc=clang" in expected.arguments
    return not (clang and (path.endswith(".cpp") or "unsafe" in expected.text or any(word in text for word in NOT_WITH_CLANG)))


def is_sample(name, every):
    return zlib.crc32(name.encode()) % every == 0 or any(name.startswith(words) for words in ALWAYS)


def unit_tests(program):
    return [(name, problem) for name, problem in unit.check(program) if name not in NOT_THERE]


def programs(build):
    for path in native.programs():
        for expected in native.wanted_of(path):
            name = f"{os.path.basename(path)} {' '.join(expected.arguments)} {expected.text}"
            if is_sample(name, EVERY) and is_possible(name, path, expected):
                yield name, functools.partial(native.check, build, path, expected)


def models(build):
    for path in sorted(glob.glob("test/model/*.dlang")):
        for expected in model.expectations(path):
            name = f"{os.path.basename(path)} {' '.join(expected.arguments)} {expected.text}"
            if is_sample(name, MODELS) and "--timeout" not in name:
                yield name, functools.partial(model.check_all, build, path, expected, model.chosen_by(expected.arguments) or ["optimal", "rf"])


def tests(build):
    for program in cases.rotating(sorted(glob.glob(os.path.join(build, "unit_*"))), 3):
        yield os.path.basename(program), functools.partial(unit_tests, program)
    yield from cases.rotating(programs(build), 2)
    yield from cases.rotating(models(build), 2)
    for seed in cases.rotating(SEEDS, 2):
        yield f"cycles, seed {seed}", functools.partial(cycles.check, build, seed)
    yield "cycles", cases.Summary("compared", cycles.LEAST_SHARE)
    for program, count in (("oracle", 10), ("oracle_native", 5)):
        yield program, functools.partial(oracle.run_batch, os.path.join(build, program), [], 1, count, program)
