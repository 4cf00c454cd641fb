#!/usr/bin/env python3
"""Runs every test, or a sample of each suite, and closes with 'N passed, N failed'.

A suite is a module of test/suites; suites/cases.py says what it consists of. One case more than the machine has processors
runs at a time, those of different suites side by side.

Suites: unit (cmocka programs), layers (include graph), documents (files in tables, pages that lead to each other), model (// expect: lines), cli (golden files), cc (compiler wrapper
and compile step), project (mazurka.toml), sessions (the commands of README, tutorial and cookbook), installed (make install, man pages, completion), compiled (what the compile step must not change), own (functions of the program with names of the library), building (the commands of doc/building.md),
written (accesses that race, as they are written), weak (memory models), loops (random programs that wait in loops, and an interpreter of them), unasked (errors that --check leaves out), verdicts (random C programs and
an interpreter of them), finals (the same for final states, with all kinds of synchronisation), examples (the libraries of examples/), native (C programs), accesses (every form of access),
library (calls of the C library), run (safe execution), reduction (plain accesses as events), matrix (all compilers and
levels), twins (models and C programs), counts (traces per model and algorithm), bench (published tables), needles (one bad
trace in very many), sampling (mazurka fuzz on failing programs), estimates (how far they are off), stuck (threads that
get nowhere), ranks (searches under mpirun), hostile (programs that mean harm), fuzz, cycles and oracle (random
programs); aarch64 (a sample of them on another processor: make aarch64)."""

import argparse
import concurrent.futures
import math
import multiprocessing
import os
import resource
import signal
import sys
import time
import traceback
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "suites"))
import cases  # noqa: E402

# The longest cases first, so that nobody waits for the last one.
SUITES = ["oracle", "bench", "unit", "run", "own", "building", "verdicts", "finals", "unasked", "fuzz", "sampling", "stuck", "hostile", "cli", "formats", "project", "installed", "replay", "story", "page", "sessions", "cc",
          "examples", "written", "weak", "loops", "needles", "estimates", "matrix", "native", "reduction", "accesses", "library", "clients", "twins", "symmetry", "model", "cycles", "states", "compiled", "counts", "scale", "workers", "ranks", "documents", "layers"]
ONLY_IF_ASKED = ["aarch64"]  # a build of its own
SLOWEST = 10


class Case:
    def __init__(self, suite, name, call):
        self.suite, self.name, self.call = suite, name, call

    def number(self):
        """It does not change when other cases come or go."""
        return zlib.crc32(f"{self.suite} {self.name}".encode())


class Suite:
    """Its cases, and what became of them."""

    def __init__(self, name, build, sample):
        self.name, self.cases, self.summaries = name, [], []
        self.passed = self.failed = self.skipped = 0
        self.cpu, self.values = 0.0, []
        self.limit, self.is_sample = cases.CPU_SECONDS, sample is not None or cases.ROTATION is not None
        try:
            self.collect(build, sample)
        except Exception:  # whatever it is, the other suites are to run
            self.cases.append(Case(name, "the suite itself", traceback.format_exc()))
        self.left = len(self.cases)

    def collect(self, build, sample):
        module = __import__(self.name)
        self.limit = getattr(module, "CPU_SECONDS", cases.CPU_SECONDS)
        for name, call in module.tests(build):
            target = self.summaries if isinstance(call, cases.Summary) else self.cases
            target.append(Case(self.name, name, call))
        if not self.cases:
            raise ValueError(f"{self.name} has no cases")
        if sample is not None:
            self.cases = sample_of(self.cases, getattr(module, "SAMPLE", 1), sample)


def sample_of(every, one_in, slice_number):
    """One case in so many, but not none."""
    taken = [case for case in every if case.number() % one_in == slice_number % one_in]
    return taken or [min(every, key=lambda case: (case.number() - slice_number) % 2 ** 32)]


# ---- in the worker processes ----------------------------------------------------------------------------

WAITING = []  # (case, limit); workers are forked when it is complete


def used():
    times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in times)


def own_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def too_long(_number, _frame):
    raise TimeoutError("too much CPU time")


def begin_worker():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGXCPU, too_long)  # the worker itself goes on; programs that it starts are ended


def results_of(returned, name):
    """[(name, problem)], value"""
    value = None
    if isinstance(returned, cases.Outcome):
        returned, value = returned.problem, returned.value
    if returned is cases.SKIPPED:
        return [], value
    return (returned if isinstance(returned, list) else [(name, returned)]), value


def perform(index):
    """[(name, problem)], value, CPU seconds"""
    case, limit = WAITING[index]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(own_time()) + limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    before = used()
    try:
        returned = case.call() if callable(case.call) else case.call
        results, value = results_of(returned, case.name)
    except AssertionError as complaint:
        results, value = [(case.name, str(complaint) or traceback.format_exc())], None
    except Exception as trouble:
        problem = f"{type(trouble).__name__}: {trouble}\n{traceback.format_exc(limit=-4)}"
        results, value = [(case.name, problem)], None
    return results, value, used() - before


# ---- all of them ----------------------------------------------------------------------------------------


class Run:
    def __init__(self, suites, jobs, times):
        self.suites, self.jobs, self.times = {suite.name: suite for suite in suites}, jobs, times
        self.failures, self.slowest, self.started = [], [], time.monotonic()
        WAITING.extend((case, suite.limit) for suite in suites for case in suite.cases)

    def note(self, suite, name, problem):
        if problem is None:
            suite.passed += 1
            return
        suite.failed += 1
        self.failures.append(f"{suite.name}: {name}")
        print(f"FAILED {suite.name}: {name}\n{problem}", flush=True)

    def finish(self, suite):
        for case in suite.summaries:
            try:
                self.note(suite, case.name, case.call.judge(suite.values, suite.is_sample))
            except Exception:
                self.note(suite, case.name, traceback.format_exc())
        skipped = f", {suite.skipped} skipped" if suite.skipped else ""
        print(f"{suite.name:9} {suite.passed} passed, {suite.failed} failed{skipped}; {suite.cpu:.1f} s of CPU time", flush=True)

    def take(self, case, results, value, cpu):
        suite = self.suites[case.suite]
        suite.cpu += cpu
        suite.skipped += not results
        if value is not None:
            suite.values.append(value)
        self.slowest.append((cpu, f"{case.suite}: {case.name}"))
        if self.times:
            print(f"{cpu:.2f}\t{case.suite}\t{case.name}", file=self.times, flush=True)
        for name, problem in results:
            self.note(suite, name, problem)
        suite.left -= 1
        if suite.left == 0:
            self.finish(suite)

    def all(self):
        context = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(self.jobs, mp_context=context, initializer=begin_worker) as pool:
            futures = {pool.submit(perform, index): case for index, (case, _) in enumerate(WAITING)}
            try:
                for future in concurrent.futures.as_completed(futures):
                    self.take(futures[future], *future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def close(self):
        print(f"the slowest, in seconds of CPU time, of {sum(cpu for cpu, _ in self.slowest):.0f} s in all "
              f"({time.monotonic() - self.started:.0f} s, {self.jobs} at once):")
        for cpu, name in sorted(self.slowest, reverse=True)[:SLOWEST]:
            print(f"{cpu:7.1f}  {name}")
        for failure in self.failures:
            print("failed:", failure)
        passed = sum(suite.passed for suite in self.suites.values())
        print(f"{passed} passed, {len(self.failures)} failed")
        return 1 if self.failures or passed == 0 else 0


def processors():
    return len(os.sched_getaffinity(0))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--sample", action="store_true", help="of every suite a part only, in two minutes")
    parser.add_argument("--slice", type=int, default=0, metavar="K", help="another sample: 0, 1, 2, …")
    parser.add_argument("--rotate", nargs="?", type=int, const=-1, metavar="K", help="of many cases that are alike (random programs, compilers "
                        "by levels) a part: number K, by default that of the day of the last commit")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose names contain TEXT")
    parser.add_argument("--jobs", type=int, default=processors() + 1, metavar="N", help="so many cases at once; by default one more than there are "
                        "processors: some wait for a clock")
    parser.add_argument("--times", type=argparse.FileType("w"), metavar="FILE", help="what each case took, in seconds of CPU time")
    parser.add_argument("--list", action="store_true", help="names of the cases")
    parser.add_argument("suites", nargs="*", default=SUITES, metavar="SUITE", help=", ".join(SUITES))
    arguments = parser.parse_args()
    for suite in arguments.suites:
        if suite not in SUITES + ONLY_IF_ASKED:
            parser.error(f"no suite '{suite}': there are {', '.join(SUITES)}")
    os.environ["LC_ALL"] = "C"  # whatever the user has: plans compare it
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if arguments.rotate is not None:
        cases.ROTATION = cases.rotation_of_today() if arguments.rotate < 0 else arguments.rotate
        print(f"rotation {cases.ROTATION}", flush=True)
    suites = [Suite(name, arguments.build, arguments.slice if arguments.sample else None) for name in arguments.suites]
    if arguments.only:
        for suite in suites:
            suite.cases = [case for case in suite.cases if arguments.only in case.name]
            suite.summaries, suite.left = [], len(suite.cases)
    if arguments.list:
        print("\n".join(f"{suite.name}: {case.name}" for suite in suites for case in suite.cases))
        return 0
    run = Run(suites, arguments.jobs, arguments.times)
    run.all()
    return run.close()


if __name__ == "__main__":
    sys.exit(main())
