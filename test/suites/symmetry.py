"""Random C programs whose threads call mz_symmetric(): with the refinement and without it, the same verdict, the same errors and the same
exit statuses, of which each stands for a final state; and never more traces. CSEEDS in the environment for another number of programs."""

import functools
import json
import os
import random
import subprocess

import cases

CPU_SECONDS = 300
SAMPLE = 4
BATCH = 25
PROGRAMS = 100
ALGORITHMS = "optimal,source,dpor,eager"
LIMITS = ["--max-traces=3000", "--timeout=10"]
LEAST_REDUCED = 1 / 4

HEAD = """#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static _Atomic int a, b, own[4];
static int x, y;
"""

STATEMENTS = {
    "section": "pthread_mutex_lock(&m[0]); x = {n} * x + 1; pthread_mutex_unlock(&m[0]);",
    "other section": "pthread_mutex_lock(&m[1]); y = y + {n}; pthread_mutex_unlock(&m[1]);",
    "nested": "pthread_mutex_lock(&m[{i}]); pthread_mutex_lock(&m[1 - {i}]); x++; y = x; pthread_mutex_unlock(&m[1 - {i}]); "
              "pthread_mutex_unlock(&m[{i}]);",
    "nested by value": "{{ int r = atomic_load(&a) & 1; pthread_mutex_lock(&m[r]); pthread_mutex_lock(&m[1 - r]); y += 2; "
                       "pthread_mutex_unlock(&m[1 - r]); pthread_mutex_unlock(&m[r]); }}",
    "try": "if (pthread_mutex_trylock(&m[0]) == 0) {{ x += {n}; pthread_mutex_unlock(&m[0]); }} else {{ atomic_fetch_add(&b, 1); }}",
    "sum": "atomic_fetch_add(&a, {n});",
    "ticket": "if (atomic_fetch_add(&a, 1) == {n}) {{ atomic_store(&b, {n}); }}",
    "lost update": "{{ int r = atomic_load(&a); atomic_store(&a, r + {n}); }}",
    "swap": "{{ int r = {i}; if (!atomic_compare_exchange_strong(&b, &r, r + {n})) {{ atomic_fetch_xor(&a, 4); }} }}",
    "exchange": "atomic_fetch_add(&b, atomic_exchange(&a, {n}));",
    "read": "if (atomic_load(&b) == {n}) {{ atomic_fetch_or(&a, 8); }}",
    "wait": "pthread_mutex_lock(&m[0]); while (x < {i}) {{ pthread_cond_wait(&c, &m[0]); }} x += {i}; pthread_mutex_unlock(&m[0]);",
    "signal": "pthread_mutex_lock(&m[0]); x++; pthread_cond_signal(&c); pthread_mutex_unlock(&m[0]);",
    "broadcast": "pthread_mutex_lock(&m[0]); x = 2; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m[0]);",
    "post": "sem_post(&s);",
    "take": "sem_wait(&s); atomic_fetch_add(&b, 1);",
    "readers": "pthread_rwlock_rdlock(&w); if (y == {n}) {{ atomic_fetch_add(&a, 1); }} pthread_rwlock_unlock(&w);",
    "writer": "pthread_rwlock_wrlock(&w); y = {n} * y + 1; pthread_rwlock_unlock(&w);",
    "choice": "if (mz_choose(0, 1)) {{ atomic_fetch_add(&a, {n}); }}",
    "check": "pthread_mutex_lock(&m[0]); assert(x != {n}); pthread_mutex_unlock(&m[0]);",
    "race": "x += {n};",
    "own": "atomic_fetch_add(&own[number], {n});",
    "own first": "if (atomic_fetch_add(&own[number], 1) == 0) {{ atomic_fetch_add(&a, {n}); }}",
    "section atomic": "mz_atomic_begin(); if (atomic_load(&a) > 0) {{ atomic_fetch_sub(&a, 1); atomic_fetch_add(&b, {n}); }} "
                      "mz_atomic_end();",
}
SELDOM = {"race": 0.15, "check": 0.4, "nested by value": 0.5, "wait": 0.5, "take": 0.5, "choice": 0.5}


class Program:
    def __init__(self, seed):
        self.random = random.Random(f"symmetry {seed}")
        self.threads = self.random.choice([2, 2, 3, 3, 4])
        self.other = self.random.random() < 0.4
        self.body = self.statements(4 - self.threads // 2)
        self.body_of_other = self.statements(2)
        self.loops = self.threads == 2 and self.random.random() < 0.2
        self.posts = self.random.choice([0, 1, 1, 2])
        self.between = self.random.choice([0, 0, 0, 1])

    def statements(self, most):
        kinds = [kind for kind in STATEMENTS if self.random.random() < SELDOM.get(kind, 1)]
        return [STATEMENTS[self.random.choice(kinds)].format(n=self.random.randint(1, 3), i=self.random.randint(0, 1))
                for _ in range(self.random.randint(1, most))]

    def text(self, index):
        def lines(body):
            return "\n".join("    " + statement for statement in body)
        body = lines(self.body)
        if self.loops:
            body = "    for (int i = 0; i < 2; i++) {\n" + body + "\n    }"
        other = f"    pthread_create(&o, 0, other{index}, 0);\n" if self.other else ""
        return f"""
static void *run{index}(void *argument)
{{
    int number = (int)(intptr_t)argument;
    (void)number;
    mz_symmetric();
{body}
    return 0;
}}
static void *other{index}(void *argument)
{{
    int number = 3;
    (void)number;
    (void)argument;
{lines(self.body_of_other)}
    return 0;
}}
static void p{index}(void)
{{
    pthread_t t[{self.threads}], o;
    (void)o;
    (void)other{index};
    sem_init(&s, 0, {self.posts});
{other if self.between == 0 else ""}    for (int i = 0; i < {self.threads}; i++) {{
        pthread_create(&t[i], 0, run{index}, (void *)(intptr_t)(i % 3));
{other.replace("    pthread", f"        if (i == 0) pthread") if self.between == 1 else ""}    }}
    for (int i = 0; i < {self.threads}; i++) {{
        pthread_join(t[i], 0);
    }}
{"    pthread_join(o, 0);" if self.other else ""}
}}
"""


def build(directory, mazurka, seeds):
    path = os.path.join(directory, f"s{seeds[0]}")
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(Program(seed).text(i) for i, seed in enumerate(seeds)))
        file.write(f"static void (*const all[])(void) = {{{', '.join(f'p{i}' for i in range(len(seeds)))}}};\n")
        file.write("int main(int argc, char **argv)\n{\n    all[argc > 1 ? atoi(argv[1]) : 0]();\n"
                   "    return (x * 7 + y * 29 + a * 3 + b * 53 + own[0] + own[1] + own[2] + own[3]) & 127;\n}\n")
    subprocess.run([os.path.join(os.path.dirname(mazurka), "mazurka"), "cc", "-w", path + ".c", "-o", path], check=True,
                   capture_output=True, timeout=cases.HANG)
    return path


def outcome(mazurka, binary, index, *options):
    words = [mazurka, "check", "--json", "--trace=none", "--all-errors", "-a", ALGORITHMS, *LIMITS, *options, binary, "--", str(index)]
    run = subprocess.run(words, capture_output=True, text=True, timeout=cases.HANG, check=False, stdin=subprocess.DEVNULL)
    assert run.returncode in (0, 1, 3), f"{' '.join(words)}: exit code {run.returncode}\n{run.stderr}"
    results = json.loads(run.stdout)
    return results if isinstance(results, list) else [results]


def summary(result):
    errors = {(error["kind"], None if error["kind"] == "data-race" else error.get("line")) for error in result["errors"]}
    return result["verdict"], sorted(errors, key=str), sorted(result["exit_statuses"], key=str)


def compare(mazurka, binary, index, seed):
    """What is wrong; or (traces without, traces with) of the first algorithm; None if there are too many."""
    without = outcome(mazurka, binary, index, "--relation=-symmetry")
    reduced = outcome(mazurka, binary, index)
    if any(result["verdict"] == "incomplete" or result["reason"] for result in without):
        return None
    for plain, fewer in zip(without, reduced):
        what = f"seed {seed}, {fewer['algorithm']}: {Program(seed).text(0)}"
        if summary(plain) != summary(fewer):
            return f"{what}\n{summary(plain)}\n{summary(fewer)}\n{fewer['reason']}"
        if fewer["traces"] > plain["traces"]:
            return f"{what}\n{plain['traces']} traces, {fewer['traces']} with symmetry"
    return without[0]["traces"], reduced[0]["traces"]


def batch(mazurka, directory, seeds):
    binary = build(directory, mazurka, seeds)
    compared = fewer = 0
    for index, seed in enumerate(seeds):
        result = compare(mazurka, binary, index, seed)
        if isinstance(result, str):
            return result
        compared += result is not None
        fewer += result is not None and result[1] < result[0]
    if compared < len(seeds) / 2:
        return f"only {compared} of {len(seeds)} programs were compared"
    return cases.Outcome(("programs with fewer traces", fewer / compared))


def tests(build_directory):
    mazurka, directory = os.path.abspath(os.path.join(build_directory, "mazurka")), cases.scratch()
    total = int(os.environ.get("CSEEDS", str(PROGRAMS)))
    start = int(os.environ.get("CFROM", "1"))
    for first in range(start, start + total, BATCH):
        seeds = list(range(first, min(first + BATCH, start + total)))
        yield f"C programs {seeds[0]} to {seeds[-1]}", functools.partial(batch, mazurka, directory, seeds)
    yield "how many have fewer traces", cases.Summary("programs with fewer traces", LEAST_REDUCED)
