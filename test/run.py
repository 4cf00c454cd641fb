#!/usr/bin/env python3
"""Runs every test and closes with 'N passed, N failed'.

A suite is a function that takes the build directory and yields (name, problem), problem being None for
a test that passed. Suites: unit (cmocka programs), layers (include graph), model (// expect: lines),
cli (golden files), cc (compiler wrapper and compile step), own (functions of the program with names of the library), building (the commands of doc/building.md), written (accesses that race, as they are written), unasked (errors that --check leaves out), verdicts (random C programs and an interpreter of them), examples (the libraries of examples/), native (C programs), accesses (every form of access), library (calls of the C library), matrix (all compilers and levels), twins (models and C programs), counts (traces per model and algorithm),
bench (published tables), needles (one bad trace in very many), estimates (how far they are off), stuck (threads that get nowhere), hostile (programs that mean harm), fuzz, cycles and oracle (random programs)."""

import argparse
import os
import sys
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "suites"))

SUITES = ["layers", "unit", "model", "cli", "cc", "own", "building", "written", "unasked", "verdicts", "examples", "counts", "bench", "native", "accesses", "library", "run", "reduction", "matrix", "twins", "needles", "estimates", "stuck", "hostile", "fuzz", "cycles", "oracle"]


def results(suite, build):
    """A suite that breaks is a test that failed, not the end of the run."""
    try:
        yield from __import__(suite).tests(build)
    except Exception:  # whatever it is, the other suites are to run
        yield "the suite itself", traceback.format_exc()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("suites", nargs="*", default=SUITES, metavar="SUITE", help=", ".join(SUITES))
    arguments = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    passed, failures = 0, []
    for suite in arguments.suites:
        if suite not in SUITES:
            parser.error(f"no suite '{suite}': there are {', '.join(SUITES)}")
        before, started = (passed, len(failures)), time.monotonic()
        for name, problem in results(suite, arguments.build):
            if problem is None:
                passed += 1
            else:
                failures.append(f"{suite}: {name}")
                print(f"FAILED {suite}: {name}\n{problem}", flush=True)
        print(f"{suite:8} {passed - before[0]} passed, {len(failures) - before[1]} failed in "
              f"{time.monotonic() - started:.1f} s", flush=True)
    for failure in failures:
        print("failed:", failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
