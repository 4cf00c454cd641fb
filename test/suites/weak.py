"""Weak memory. The litmus tests of test/litmus with every combination of orders, against what the literature says (the lines `// rc11:`
and `// tso:`, which speak of the orders that the test leaves open); random little programs in C against brute force from the axioms (build/oracle_weak --c), others with synchronisation objects of every kind
against `optimal`, and
lock-free programs (test/weak) with the orders of the literature and with weaker ones: these have lines as in native.py.

    // expect: safe                     by --memory=auto, that is under RC11
    // args: -DWEAK=1
    // expect: unsafe data-race|assertion"""

import functools
import glob
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import cases

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "oracle", "weak"))
import views  # noqa: E402
import views_programs  # noqa: E402

SAMPLE = 12
PROGRAMS = 150  # random ones; each is compiled, and checked under three models
RUNS, FEW = 3000, 12  # executions at random meet all graphs of a program that has so few
VIEWS = 200  # others, against the referee
ORDERS = {"W": [0, 3, 5], "R": [0, 2, 5], "U": [0, 2, 3, 4, 5], "F": [0, 2, 3, 4, 5]}


def check(build, *arguments):
    command = [os.path.join(build, "mazurka"), "check", "--json", "--quiet", "--trace=none", "-j1", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode not in (0, 1):
        raise AssertionError(f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
    return json.loads(run.stdout)


def allowed(rule, orders):
    """What a rule says of these orders; `o` of each is an argument of the program."""
    every = {"sc": lambda *k: all(orders[i] == 5 for i in k), "rel": lambda i: orders[i] >= 3, "acq": lambda i: orders[i] in (2, 4, 5),
             "none": lambda i: orders[i] == 0}
    return bool(eval(rule, {"__builtins__": {}}, every))  # the rules are ours


def table_of_orders(kinds, rule):
    """What litmus.h wants to know, and with how many combinations the outcome is allowed."""
    table = [int(allowed(rule, orders)) for orders in itertools.product(*(ORDERS[kind] for kind in kinds))]
    choices = ", ".join("{" + ", ".join(map(str, ORDERS[kind])) + "}" for kind in kinds)
    return (f"#define COUNTS {', '.join(str(len(ORDERS[kind])) for kind in kinds)}\n#define ORDERS {choices}\n"
            f"#define ALLOWED {', '.join(map(str, table))}\n#define SOME_ALLOWED {int(any(table))}\n"), sum(table)


def litmus(build, path, memory):
    """Each combination of orders with which the outcome is allowed has one execution with it, and no other has any."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    kinds = re.search(r"^// orders: (.*)$", text, re.MULTILINE)[1].split()
    table, count = table_of_orders(kinds, re.search(rf"^// {memory}: (.*)$", text, re.MULTILINE)[1])
    with tempfile.TemporaryDirectory() as folder:
        header = os.path.join(folder, "orders.h")
        with open(header, "w", encoding="utf-8") as file:
            file.write(table)
        report = check(build, "-a", "graph", f"--memory={memory}", "-Iinclude", f'-DLITMUS="{header}"', path)
    if report["verdict"] != "safe" or report["memory"] != memory:
        return f"{path} under {memory}: {report['verdict']}, {report['errors'][:1]}"
    return f"{path} under {memory}: allowed {report['traces']} times instead of {count}" if count and report["traces"] != count else None


def random_program(build, seed):
    source = subprocess.run([os.path.join(build, "oracle_weak"), "--c", f"--from={seed}"], capture_output=True, text=True, check=True).stdout
    if not source:
        return cases.Outcome(("random programs", False))
    numbers = dict(re.findall(r"(\w+): (\d+)", source.split("\n", 1)[0]))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        for memory, number in numbers.items():
            report = check(build, "-a", "graph", f"--memory={memory}", path)
            if report["verdict"] != "safe" or report["traces"] != int(number) or (report["blocked"] > 0 and "semaphores" not in source.split(",", 1)[0]):
                return cases.Outcome(("random programs", True), f"seed {seed} under {memory}: {report['verdict']}, {report['traces']} graphs "
                                     f"instead of {number}, {report['blocked']} blocked\n{source}")
            wrong = walks(build, path, memory, int(number)) if memory != "sc" else None
            if wrong:
                return cases.Outcome(("random programs", True), f"seed {seed} under {memory}: {wrong}\n{source}")
    return cases.Outcome(("random programs", True))


def walks(build, path, memory, number):
    """Executions at random: none that is not consistent, and all there are if these are few."""
    command = [os.path.join(build, "mazurka"), "check", "--json", "--quiet", "--trace=none", "-j1", f"--memory={memory}", "-a", "random",
               f"--runs={RUNS}", path]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    report = json.loads(run.stdout)
    met = report["traces"]
    return None if run.returncode == 3 and report["memory"] == memory and (met == number if number <= FEW else met <= number) else \
        f"executions at random: exit code {run.returncode}, {met} graphs of {number}"


def estimate(build):
    """Of 164,350 graphs, in two seconds: the order of magnitude."""
    run = subprocess.run([os.path.join(build, "mazurka"), "estimate", "--json", "--timeout=4s", "test/weak/counter.c", "-DROUNDS=2"], capture_output=True,
                         text=True, timeout=cases.HANG, check=True)
    report = json.loads(run.stdout)
    row = report["estimates"][0]
    return None if report["memory"] == "rc11" and row["known"] and 164350 / 30 < row["traces"] < 164350 * 30 else run.stdout


def against_views(build, first, count):
    """Other programs, against a referee that executes them on a memory of timestamps (views.py)."""
    compared = 0
    for seed in range(first, first + count):
        program = views_programs.Generator(seed).make()
        try:
            referee = views.Referee(program, 12000)
        except views.TooLarge:
            continue
        writer = views_programs.Writer(program, referee.outcomes)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "views.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write(writer.text())
            report = check(build, "--all-errors", "--memory=rc11", path)
        wrong = referee.differences(writer, report)
        if wrong:
            return f"seed {seed}: {'; '.join(wrong)}\n{writer.text()}"
        compared += 1
    return None if compared > count / 2 else f"only {compared} programs were compared"


def expectations(path):
    arguments = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"// (args|expect): ?(.*)$", line)
            if found and found[1] == "args":
                arguments = found[2].split()
            elif found:
                yield arguments, found[2].split()


def structure(build, path, arguments, expected):
    report = check(build, *arguments, path)
    errors = [error["kind"] for error in report["errors"]]
    memory = "sc" if "--memory=sc" in arguments else "rc11"
    right = report["verdict"] == expected[0] and report["memory"] == memory and all(kind in expected[1].split("|") for kind in errors)
    return None if right else f"{path} {' '.join(arguments)}: {report['verdict']} under {report['memory']}, {errors}"


OBJECTS = {
    "condition": ["pthread_mutex_lock(&m); if (!f) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
                  "pthread_mutex_lock(&m); while (!f) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
                  "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
                  "pthread_mutex_lock(&m); f = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
                  "pthread_mutex_lock(&m); f = 1; pthread_mutex_unlock(&m); pthread_cond_broadcast(&c);", "pthread_cond_signal(&c);"],
    "lock": ["pthread_rwlock_rdlock(&w); ACCESS pthread_rwlock_unlock(&w);", "pthread_rwlock_wrlock(&w); ACCESS pthread_rwlock_unlock(&w);"],
    "barrier": ["pthread_barrier_wait(&b);"],
    "semaphore": ["sem_wait(&s);", "sem_post(&s);"],
    "once": ["pthread_once(&o, init);"],
    "timed": ["pthread_mutex_lock(&m); if (!f) pthread_cond_timedwait(&c, &m, &(struct timespec){1, 0}); pthread_mutex_unlock(&m);",
              "pthread_mutex_lock(&m); f = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);", "pthread_cond_broadcast(&c);"],
}


def program_of_objects(seed):
    """Some threads that use synchronisation objects and seq_cst atomics; and does every operation on the objects write?"""
    draw = random.Random(seed)
    count, kinds = draw.choice([2, 2, 3]), draw.sample(sorted(OBJECTS), draw.choice([1, 2]))

    def access():
        return draw.choice(["atomic_load(&x);", "atomic_store(&x, 1);", "atomic_store(&y, 2);", "atomic_load(&y);", "atomic_fetch_add(&x, 1);"])

    text = """#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
atomic_int x, y;
int f;
sem_t s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t b;
pthread_once_t o = PTHREAD_ONCE_INIT;
void init(void) { atomic_store(&x, 3); }
"""
    for thread in range(count):
        lines = [access() if draw.random() < 0.3 else draw.choice(OBJECTS[draw.choice(kinds)]).replace("ACCESS", access())
                 for _ in range(draw.randint(1, 3))]
        text += f"void *thread{thread}(void *u)\n{{\n    " + "\n    ".join(lines) + "\n    return u;\n}\n"
    text += "int main(void)\n{\n    pthread_t t[3];\n    sem_init(&s, 0, 1);\n    pthread_barrier_init(&b, 0, 2);\n"
    text += "".join(f"    pthread_create(&t[{thread}], 0, thread{thread}, 0);\n" for thread in range(count))
    return text + f"    for (int i = 0; i < {count}; i++)\n        pthread_join(t[i], 0);\n}}\n", not {"once", "timed"} & set(kinds)


def random_objects(build, seed):
    """Under sc the graphs are the traces of `optimal`: where operations on objects only read, there may be fewer of these."""
    text, all_write = program_of_objects(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "objects.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        traces, graphs = [check(build, "--all-errors", "--memory=sc", "-a", *algorithm, path)
                          for algorithm in (("optimal", "--relation=published"), ("graph",))]
    kinds = [sorted({error["kind"] for error in report["errors"]}) for report in (traces, graphs)]
    same = graphs["traces"] == traces["traces"] if all_write else graphs["traces"] >= traces["traces"]
    right = same and kinds[0] == kinds[1] and graphs["verdict"] == traces["verdict"]
    return None if right else f"seed {seed}: {graphs['verdict']}, {graphs['traces']} graphs; {traces['verdict']}, {traces['traces']} traces\n{text}"


STRENGTH = {"(none)": 0, "relaxed": 1, "acquire": 2, "release": 2, "acq_rel": 3, "seq_cst": 4}
# What the literature needs: with this order weakened, 'mazurka orders' has to find it again, and no other.
REPAIRS = [("ticket", "LEAVE=rlx", "store", "release"), ("ticket", "SEE=rlx", "load", "acquire"), ("dekker", "FENCE1=acq_rel", "fence", "seq_cst"),
           ("treiber", "PUSH=rlx", "exchange", "release"), ("publish", "SHOW=rlx", "store", "release"), ("mcs", "PASS=rlx", "store", "release"),
           ("seqlock", "END=rlx", "store", "release"), ("ring", "GET=rlx", "load", "acquire")]
PATCHED = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;
static void *a(void *u) { data = 1; atomic_store(&flag, 1); return u; }
static void *b(void *u) { if (atomic_load_explicit(&flag, memory_order_seq_cst)) assert(data == 1); return u; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, a, 0); pthread_create(&q, 0, b, 0); pthread_join(p, 0); pthread_join(q, 0); }
"""


def orders(build, *arguments):
    command = [os.path.join(build, "mazurka"), "orders", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


def weakest(build, path):
    """Of a safe program: nothing is to be stronger than it was."""
    report = json.loads(orders(build, "--json", path))
    wrong = [site for site in report["sites"] if STRENGTH[site["safe"]] > STRENGTH[site["written"]]]
    return None if report["verdict"] == "safe" and report["found"] and report["sites"] and not wrong else f"{path}: {report}"


def repair(build, program, macro, operation, order):
    report = json.loads(orders(build, "--json", f"test/weak/{program}.c", f"-D{macro}"))
    changes = [(site["operation"], site["safe"]) for site in report["sites"] if site["safe"] != site["written"]]
    return None if report["verdict"] == "unsafe" and changes == [(operation, order)] else f"{program} {macro}: {changes}, {report['verdict']}"


def patch(build):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "patched.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PATCHED)
        change = orders(build, "--patch", path)
        added = [line[1:] for line in change.split("\n") if line.startswith("+") and not line.startswith("+++")]
    expected = [line.replace("atomic_store(&flag, 1)", "atomic_store_explicit(&flag, 1, memory_order_release)").replace("_seq_cst", "_acquire")
                for line in PATCHED.split("\n")[5:7]]
    return None if added == expected else change


def tests(build):
    yield "orders, as a patch", functools.partial(patch, build)
    yield "estimate", functools.partial(estimate, build)
    for path in sorted(glob.glob("test/weak/*.c")):
        if any(not arguments for arguments, _ in expectations(path)):  # otherwise it is a program for each of its arguments
            yield f"orders of {os.path.basename(path)}", functools.partial(weakest, build, path)
    for case in REPAIRS:
        yield f"orders of {case[0]} with {case[1]}", functools.partial(repair, build, *case)
    for path in sorted(glob.glob("test/litmus/*.c")):
        for memory in ("rc11", "tso"):
            yield f"{os.path.basename(path)} {memory}", functools.partial(litmus, build, path, memory)
    for path in sorted(glob.glob("test/weak/*.c")):
        for arguments, expected in expectations(path):
            yield f"{os.path.basename(path)} {' '.join(arguments)}", functools.partial(structure, build, path, arguments, expected)
    for seed in cases.rotating(range(PROGRAMS), 3):
        yield f"objects {seed}", functools.partial(random_objects, build, seed)
    for seed in cases.rotating(range(PROGRAMS), 3):
        yield f"random program {seed}", functools.partial(random_program, build, seed)
    for seed in range(1, VIEWS, 20):
        yield f"programs of views {seed}", functools.partial(against_views, build, seed, 20)
    yield "random programs", cases.Summary("random programs", 0.6)
