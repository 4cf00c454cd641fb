"""A thread that gets nowhere, and a bug elsewhere: the bug is found all the same, by every algorithm, and soon. Without the
bug the verdict is incomplete, and says where the thread is stuck and which steps led there. A sample of all pairs; all with
STUCK=all in the environment, and with STUCK=WORDS those whose name contains WORDS. A search of long executions ends in time."""

import functools
import itertools
import json
import os
import subprocess
import tempfile
import time

import cases

ALGORITHMS = ["source", "dpor", "optimal", "eager", "eager-short", "dc", "rf"]
FEW = ["source", "optimal", "rf"]  # a thread that is stuck costs each of them its patience
SAMPLE = 6

# name: what the thread does (declarations outside, statements inside); its line is the one that contains /*here*/
STUCK = {
    "registers": ("", "for (;;) /*here*/;"),
    "own-stack": ("", "volatile long k = 0; for (;;) k++; /*here*/"),
    "variable": ("static volatile long k;", "for (;;) k++; /*here*/"),
    "heap": ("", "volatile long *k = calloc(1, sizeof *k); for (;;) ++*k; /*here*/"),
    "polling": ("static atomic_int done; static long polls;", "while (!done) /*here*/ polls++;"),
    "private-atomic": ("static atomic_long own;", "for (;;) own++; /*here*/"),
    "private-mutex": ("static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; static long k;",
                      "for (;;) { pthread_mutex_lock(&own); k++; pthread_mutex_unlock(&own); /*here*/ }"),
    "heartbeat": ("static atomic_long beats;", "for (;;) { beats++; /*here*/ sched_yield(); }"),
    "library": ("", "for (;;) /*here*/ getenv(\"NO_SUCH_NAME\");"),
    "memory": ("static void *volatile last;", "for (;;) last = malloc(1 << 20); /*here*/"),
    "in-section": ("static long k;", "mz_atomic_begin(); for (;;) k++; /*here*/"),
    "holding-a-lock": ("static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;",
                       "pthread_mutex_lock(&kept); for (;;) /*here*/;"),
}

# name: kind of the error; declarations; the two other threads
BUGS = {
    "at-once": ("assertion", "", "assert(0);", ""),
    "by-order": ("assertion", "static atomic_int x;", "x = 1; x = 2;", "assert(x != 1);"),
    "race": ("data-race", "static int shared;", "shared = 1;", "shared = 2;"),
    "deadlock": ("deadlock", "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;",
                 "pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);",
                 "pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);"),
    "freed": ("memory", "static atomic_int *volatile p; static atomic_int ready;",
              "atomic_int *q = malloc(sizeof *q); *q = 0; p = q; ready = 1; free(q);", "if (ready) *p = 1;"),
}

PROGRAM = """#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
{declarations}
static void *stuck(void *arg) {{ {stuck}
return arg; }}
static void *first(void *arg) {{ {first} return arg; }}
static void *second(void *arg) {{ {second} return arg; }}
int main(void) {{
  pthread_t s, f, g;
  {creations}
  pthread_join(f, NULL);
  pthread_join(g, NULL);
  return pthread_join(s, NULL);
}}
"""
CREATIONS = ["pthread_create(&s, NULL, stuck, NULL);", "pthread_create(&f, NULL, first, NULL);",
             "pthread_create(&g, NULL, second, NULL);"]


def source(way, bug, stuck_is_first):
    declarations, stuck = STUCK[way]
    _, more, first, second = BUGS[bug] if bug else (None, "static atomic_int x;", "x = 1; x = 2;", "assert(x != 3);")
    order = CREATIONS if stuck_is_first else CREATIONS[1:] + CREATIONS[:1]
    return PROGRAM.format(declarations=declarations + " " + more, stuck=stuck, first=first, second=second,
                          creations=" ".join(order))


def patience():
    """Twenty seconds of a machine that does nothing else."""
    return 20 * max(1, os.getloadavg()[0] / os.cpu_count())


def check(build, text, algorithms):
    """Their reports, and how long they took together."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "stuck.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        command = [os.path.abspath(os.path.join(build, "mazurka")), "check", "--json", "--trace=none", "--patience=0.3",
                   f"--timeout={patience():.0f}s", "--max-memory=512M", "-a", ",".join(algorithms), "stuck.c"]
        command += ["--sleep"] if "dpor" in algorithms else []  # what other algorithms know without being told
        started = time.monotonic()
        ended = subprocess.run(command, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=cases.HANG)
    if ended.returncode not in (1, 3):
        raise ValueError(f"exit code {ended.returncode}\n{text}{ended.stdout.decode()}{ended.stderr.decode()}")
    return json.loads(ended.stdout), time.monotonic() - started


def finds(build, way, bug, stuck_is_first):
    text = source(way, bug, stuck_is_first)
    for report in check(build, text, ALGORITHMS)[0]:
        kinds = [error["kind"] for error in report["errors"]]
        if report["verdict"] != "unsafe" or kinds != [BUGS[bug][0]]:
            return f"{report['algorithm']}: {report['verdict']} {kinds} {report['reason']}\n{text}"
    return None


def tells(build, way):
    text = source(way, None, True)
    line = next(number for number, words in enumerate(text.split("\n"), 1) if "/*here*/" in words)
    for report in check(build, text, ALGORITHMS if os.environ.get("STUCK") else FEW)[0]:
        if report["verdict"] != "incomplete" or f"stuck.c:{line}" not in report["reason"]:
            return f"{report['algorithm']}: {report['verdict']}, {report['reason']} (line {line})\n{text}"
        if not report.get("way"):
            return f"{report['algorithm']}: it does not tell which steps led there\n{text}"
    return None


LONG = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *t(void *a)
{
    for (int i = 0; i < 6000; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, t, 0);
    pthread_create(&b, 0, t, 0);
    return pthread_join(a, 0) + pthread_join(b, 0);
}
"""


def ends_in_time(build, jobs):
    """A search leaves work at thousands of nodes, each thousands of steps deep. Nobody goes on with it, so nobody waits until all
    of it is written down, and what was explored so far is told."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "long.c"), "w", encoding="utf-8") as program:
            program.write(LONG)
        ended = subprocess.run([os.path.abspath(os.path.join(build, "mazurka")), "check", "--json", "--timeout=4s", jobs, "--trace=none",
                                "long.c"], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=cases.HANG)
    report = json.loads(ended.stdout)
    assert ended.returncode == 3 and report["traces"] > 0 and "time limit of" in report["reason"], report


MANY = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *adds(void *arg) { for (int i = 0; i < 12; i++) atomic_load(&x), atomic_fetch_add(&x, i); return arg; }
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, adds, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}
"""
ENDLESS = "int main(void) { for (volatile long i = 0;; i++); }"


def out_of_processor_time(build, source, kind, jobs):
    """A limit on the processor time of processes ends the search, and is no crash of the program."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "many.c"), "w", encoding="utf-8") as program:
            program.write(source)
        ended = subprocess.run(f"ulimit {kind} -t 2; exec {os.path.abspath(os.path.join(build, 'mazurka'))} check --json --timeout=60s "
                               f"--patience=5 {jobs} --trace=none many.c", shell=True, cwd=directory, stdin=subprocess.DEVNULL,
                               capture_output=True, timeout=cases.HANG)
    report = json.loads(ended.stdout)
    assert ended.returncode == 3 and "ulimit -t" in report["reason"], report


def told_with_errors(build, jobs):
    """Errors do not hide that it was the time which has ended the search."""
    source = MANY.replace("NULL);\n}", "NULL);\n  assert(x == 1);\n}").replace("#include", "#include <assert.h>\n#include", 1)
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "many.c"), "w", encoding="utf-8") as program:
            program.write(source)
        ended = subprocess.run([os.path.abspath(os.path.join(build, "mazurka")), "check", "--json", "--timeout=4s", "--all-errors", jobs,
                                "--trace=none", "-a", "full", "many.c"], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True,
                               timeout=cases.HANG)
    report = json.loads(ended.stdout)
    assert ended.returncode == 1 and len(report["errors"]) == 1 and "time limit of" in report["reason"], report


def pairs(wanted):
    every = itertools.product(STUCK, BUGS, (True, False))
    if wanted:
        return every
    bugs = itertools.cycle(itertools.product(BUGS, (True, False)))  # twelve ways, ten of these: each pair sooner or later
    return [(way, *next(bugs)) for way in STUCK]


def tests(build):
    wanted = os.environ.get("STUCK", "")
    todo = [(f"{way} hides {bug}" + ("" if first else ", created last"), finds, (way, bug, first))
            for way, bug, first in pairs(wanted)]
    todo += [(f"{way} is told", tells, (way,)) for way in STUCK]
    if wanted not in ("", "all"):
        todo = [test for test in todo if wanted in test[0]]
    for jobs in ("-j1", "-j2"):
        yield f"long executions, {jobs}", cases.timed(functools.partial(ends_in_time, build, jobs))
        yield f"the time limit beside errors, {jobs}", cases.timed(functools.partial(told_with_errors, build, jobs))
    for kind, jobs in itertools.product(("-S", ""), ("-j1", "-j2")):
        yield f"processor time, {kind or '-H'} {jobs}", functools.partial(out_of_processor_time, build, MANY, kind, jobs)
    yield "processor time, in a loop", functools.partial(out_of_processor_time, build, ENDLESS, "", "-j1")
    for name, test, arguments in todo if wanted else cases.rotating(todo, 12):  # each takes half a minute
        yield name, functools.partial(test, build, *arguments)
