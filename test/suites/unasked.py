"""Errors that were not asked for. Every kind of src/machine/failure.h happens in a program, and it is checked for one kind alone, for
two, for all but one, for all: SAFE is no verdict where an execution was cut by an error that --check leaves out.

What comes after the error is said of each program. `stops`: nothing is known about it, so the verdict is incomplete, and tells
the kind. `goes on`: C, or the C library, says what happens, and an assertion fails then. `ends`: so does the program, or nobody
can go on."""

import functools
import itertools
import json
import os
import re
import subprocess
import tempfile

import cases

SAMPLE = 8
KIND = re.compile(r'X\(MZ_FAIL_\w+, "([a-z-]+)", "([a-z-]+)",')

HEAD = """\
#include <assert.h>
#include <errno.h>
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static volatile int zero, sink, *nowhere;
static int shared;
"""
THREAD = HEAD + """\
static void *other(void *a) { %s return a; }
int main(void) { pthread_t t; pthread_create(&t, NULL, other, NULL); pthread_join(t, NULL); return 0; }
"""

# kinds (any of them, if asked for), what comes then, the statements of a thread
STATEMENTS = {
    "assertion": (["assertion"], "ends", "assert(zero); *nowhere = 0;"),
    "abort": (["assertion"], "ends", "abort(); *nowhere = 0;"),
    "exit": (["exit"], "ends", "exit(3); assert(0);"),
    "deadlock": (["deadlock"], "ends", "sem_t s; sem_init(&s, 0, 0); sem_wait(&s); assert(0);"),
    "livelock": (["livelock"], "ends", "while (!__atomic_load_n(&shared, 5)); assert(0);"),
    "leak": (["leak"], "ends", "void *volatile p = malloc(8); p = NULL;"),
    "uninitialised": (["uninitialised"], "goes on", "volatile int *p = malloc(8); sink = p[1]; assert(0);"),
    "memory": (["memory"], "stops", "volatile char *p = malloc(5); p[5] = 0; assert(0);"),
    "use after free": (["memory"], "stops", "volatile int *p = malloc(8); free((void *)p); sink = *p; assert(0);"),
    "double free": (["memory"], "stops", "void *volatile p = malloc(8), *volatile q = p; free(p); free(q); assert(0);"),
    "free of a variable": (["memory"], "stops", "void *volatile p = &shared; free(p); assert(0);"),
    "library call": (["memory"], "stops", "char *volatile p = malloc(5); memset(p, 0, 6); assert(0);"),
    "null pointer": (["memory", "crash"], "stops", "sink = *nowhere; assert(0);"),
    "crash": (["crash"], "stops", "sink = 7 / zero; assert(0);"),
    "null function": (["crash"], "stops", "void (*volatile f)(void) = NULL; f(); assert(0);"),
    "choice": (["choice"], "stops", "mz_choose(2, 1); assert(0);"),
    "lock": (["lock"], "goes on", "pthread_mutex_unlock(&m); assert(0);"),
    "destroy a held mutex": (["lock"], "goes on",
                             "pthread_mutex_lock(&m); if (pthread_mutex_destroy(&m) == EBUSY) assert(0);"),
    "lock twice": (["lock", "deadlock"], "ends", "pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(0);"),
    "use after destruction": (["lock"], "stops",
                              "pthread_mutex_destroy(&m); pthread_mutex_lock(&m); assert(0);"),
    "wait without the mutex": (["lock"], "stops", "pthread_cond_wait(&c, &m); assert(0);"),
    "read-write lock": (["lock"], "stops", "pthread_rwlock_unlock(&rw); assert(0);"),
    "spin lock": (["lock"], "stops",
                  "pthread_spin_init(&spin, 0); pthread_spin_unlock(&spin); assert(0);"),
    "never initialised": (["lock"], "stops",
                          "pthread_mutex_t *p = malloc(sizeof *p); pthread_mutex_lock(p); assert(0);"),
    "barrier": (["lock"], "stops", "pthread_barrier_wait(&barrier); assert(0);"),
    "join of nobody": (["lock"], "stops", "pthread_join((pthread_t)77, NULL); assert(0);"),
    "section": (["lock"], "stops", "mz_atomic_end(); assert(0);"),
}

PROGRAMS = {name: (kinds, then, THREAD % body) for name, (kinds, then, body) in STATEMENTS.items()}
PROGRAMS["data-race"] = (["data-race"], "goes on", HEAD + """\
static void *other(void *a) { shared++; return a; }
int main(void) { pthread_t t; pthread_create(&t, NULL, other, NULL); shared++; pthread_join(t, NULL); assert(0); }
""")
PROGRAMS["unlock for another"] = (["lock"], "goes on", HEAD + """\
static void *other(void *a) { pthread_mutex_unlock(&m); return a; }
int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&m); /* possible, when the other has come by */
    assert(0);
}
""")
PROGRAMS["error of one of two"] = (["memory"], "stops", HEAD + """\
static int *volatile p;
static void *other(void *a) { pthread_mutex_lock(&m); free(p); pthread_mutex_unlock(&m); return a; }
int main(void)
{
    pthread_t t;
    p = calloc(1, 4);
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&m);
    sink = *p; /* freed in one of the two orders */
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
""")

MODELS = {
    "assertion": (["assertion"], "goes on", "assert x == 1  y := 1"),
    "index": (["index"], "stops", "a[x + 2] := 1  assert false"),
    "division": (["division"], "stops", "y := 4 / x  assert false"),
    "lock": (["lock"], "stops", "unlock y  assert false"),
    "choice": (["choice"], "stops", "l := x + 2  y := choose(l, 1)  assert false"),
    "deadlock": (["deadlock"], "ends", "await x == 1  assert false"),
}


# Whole executions are judged only where clients are: `mazurka clients` always asks for it.
OF_CLIENTS = {"linearizability"}


def kinds_of_errors():
    """What each is called in JSON, and for --check."""
    with open("src/machine/failure.h", encoding="utf-8") as source:
        return dict(KIND.findall(source.read()))


def subsets(kinds, pairs):
    yield kinds
    for kind in kinds:
        yield [kind]
        yield [other for other in kinds if other != kind]
    if pairs:
        yield from (list(pair) for pair in itertools.combinations(kinds, 2))


def wrong(result, kinds, then, asked):
    """What is wrong about the verdict; None: nothing."""
    found = [error["kind"] for error in result["errors"]]
    expected = "unsafe" if set(kinds) & set(asked) or (then == "goes on" and "assertion" in asked) else \
        "incomplete" if then == "stops" else "safe"
    if result["verdict"] != expected:
        return f"{expected} was expected, not {result['verdict']} ({result['reason']})"
    if set(found) - set(asked):
        return f"errors that were not asked for: {found}"
    told = {error["kind"] for error in result["unasked"]}
    if expected == "incomplete" and not (told & set(kinds) and result["cut_by_errors"] > 0
                                         and all(kind in result["reason"] for kind in told)):
        return f"it is not told which error, and in how many executions: {result}"
    return None


def check(mazurka, program, name, kinds, then, names, asked):
    words = [mazurka, "check", "--json", f"--check={','.join(names[kind] for kind in asked)}", program]
    run = subprocess.run(words, capture_output=True, text=True, timeout=cases.HANG, check=False, stdin=subprocess.DEVNULL)
    if run.returncode not in (0, 1, 3):
        return f"exit code {run.returncode}\n{run.stderr}"
    problem = wrong(json.loads(run.stdout), kinds, then, asked)
    return problem and f"{name}, checked for {', '.join(asked)}: {problem}"


def build(mazurka, directory, name, text):
    path = os.path.join(directory, name.replace(" ", "_"))
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([mazurka, "cc", "-w", "-o", path, path + ".c", "-pthread"], check=True, timeout=cases.HANG)
    return path


def write_model(_mazurka, directory, name, body):
    path = os.path.join(directory, name + ".dlang")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"<2, x 1, y 1, a 2, local l 1>\n[ x := 0 ]\n[ {body} ]\n")
    return path


def all_subsets(mazurka, program, name, kinds, then, names):
    """The first problem."""
    several = name in names  # one of each kind; of the others it is enough to see that they are told
    tries = [check(mazurka, program, name, kinds, then, names, asked) for asked in subsets(list(names), several)]
    problems = [problem for problem in tries if problem]
    return f"{len(problems)} of {len(tries)} wrong: {problems[0]}" if problems else None


def with_program(make, mazurka, name, program, names):
    kinds, then, text = program
    with tempfile.TemporaryDirectory() as directory:
        return all_subsets(mazurka, make(mazurka, directory, name, text), name, kinds, then, names)


def tests(build_directory):
    mazurka = os.path.abspath(os.path.join(build_directory, "mazurka"))
    names = kinds_of_errors()
    known = {kind for kinds, _, _ in [*PROGRAMS.values(), *MODELS.values()] for kind in kinds}
    without = set(names) - known - OF_CLIENTS
    yield "every kind has a program", f"none for {without}" if without else None
    for name, program in PROGRAMS.items():
        yield name, functools.partial(with_program, build, mazurka, name, program, names)
    for name, model in MODELS.items():
        yield "model: " + name, functools.partial(with_program, write_model, mazurka, name, model, names)
