"""Random programs for the suite `run`: two to four threads, inputs that main reads first and that others read, sooner or later,
while the rest is at work; atomic and plain accesses, locks, condition variables, blocks that are freed; and an assertion, a
deadlock or an access to freed memory that some schedules lead to. Whatever the inputs are, no run under a plan fails, none gets
stuck, and all keep to it: the plan may be a prefix, constraint sets that inputs decide between, or what `run` finds meanwhile.
What is written can be read, and is then the same."""

import os
import random
import re

from run_inputs import repeat_lines
from under import ALL, expect, is_set, run

PROGRAMS = 300 if ALL else 30
RUNS = 20
FIRST_SEED = int(os.environ.get("RUN_SEED", "1"))

HEAD = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
static atomic_int v0, v1, v2;
static int p0, p1;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag, early, own[4][2];
static _Atomic(int *) node;
"""

class Program:
    """The text of one, by its seed."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.inputs = 0
        self.threads = self.r.choice((2, 2, 3, 3, 4))
        self.most_inputs = self.r.choice((0, 1, 1, 2))
        self.early = self.r.random() < 0.3
        self.features = set(f for f in ("plain", "locks", "condition", "free", "loop", "heaplock") if self.r.random() < 0.35)
        self.longest = {2: 6, 3: 4, 4: 3}[self.threads]

    def v(self):
        return f"v{self.r.randrange(3)}"

    def statement(self, first):
        r = self.r
        if self.inputs < self.most_inputs and r.random() < (0.35 if first else 0.25):
            self.inputs += 1
            when = r.choice(("", "", "if (x) "))  # how many operations come before the next one depends on the one before
            return f"{when}x = mz_input_int(\"in{self.inputs}\", 0, {r.choice((1, 2))});"
        picks = [f"atomic_store(&{self.v()}, {r.randrange(1, 3)});", f"atomic_store(&{self.v()}, x);",
                 f"atomic_fetch_add(&{self.v()}, 1);", f"seen = atomic_load(&{self.v()});",
                 f"if (x) atomic_fetch_add(&{self.v()}, x);"]
        f = self.features
        if "plain" in f:  # what races, and what does not: it is there, but has no name in a plan
            picks += [f"mine[{r.randrange(2)}] = seen + x;", f"seen += mine[{r.randrange(2)}];",
                      f"p{r.randrange(2)} = x + 1;", f"seen = p{r.randrange(2)};", f"p{r.randrange(2)}++;"]
        if "locks" in f:
            a = r.randrange(2)
            picks += [f"pthread_mutex_lock(&m{a}); flag += x; seen = flag; pthread_mutex_unlock(&m{a});" if a == 0 else
                      f"pthread_mutex_lock(&m1); pthread_mutex_unlock(&m1);",
                      f"pthread_mutex_lock(&m{a}); pthread_mutex_lock(&m{1 - a}); pthread_mutex_unlock(&m{1 - a}); pthread_mutex_unlock(&m{a});",
                      f"if (pthread_mutex_trylock(&m{a}) == 0) {{ seen++; pthread_mutex_unlock(&m{a}); }}"]
        if "condition" in f:
            picks += ["pthread_mutex_lock(&m0); flag = 1; pthread_cond_signal(&changed); pthread_mutex_unlock(&m0);",
                      "pthread_mutex_lock(&m0); if (!flag && x) pthread_cond_wait(&changed, &m0); pthread_mutex_unlock(&m0);"]
        if "free" in f:
            picks += ["{ int *n = atomic_exchange(&node, NULL); free(n); }", "{ int *n = atomic_load(&node); if (n) seen = *n; }",
                      "{ int *n = malloc(sizeof *n); if (n) { *n = 1 + x; free(atomic_exchange(&node, n)); } }"]
        if "loop" in f:
            picks += [f"for (int i = 0; i <= x; i++) atomic_fetch_add(&{self.v()}, 1);"]
        return r.choice(picks)

    def claim(self):
        r = self.r
        return r.choice((f"mz_assert(x != 1 || seen != {r.randrange(2)});",
                         f"mz_assert(seen != {r.randrange(1, 3)} || atomic_load(&{self.v()}) != {r.randrange(2)});",
                         f"mz_assert(x + seen != {r.randrange(1, 4)});",
                         f"mz_assert(early != 1 || seen != {r.randrange(3)});"))

    def body(self, claims):
        lines = [self.statement(i == 0) for i in range(self.r.randrange(2, self.longest + 1))]
        if claims:
            lines += [f"seen = atomic_load(&{self.v()});", self.claim()]
        return "\n    ".join(lines)

    def text(self):
        claimer = self.r.randrange(self.threads)
        parts = [HEAD]
        for i in range(self.threads):
            parts.append(f"static void *work{i}(void *argument)\n{{\n    int x = early, seen = 0, *mine = own[{i}];\n    mine[0] = x;\n    {self.body(i == claimer)}\n"
                         "    return x + seen < 0 ? NULL : argument;\n}\n")
        creating = "".join(f"    pthread_create(&threads[{i}], NULL, work{i}, NULL);\n" + self.between() for i in range(self.threads))
        early = "    early = mz_input_int(\"early\", 0, 1);\n" if self.early else ""
        parts.append(f"int main(void)\n{{\n    pthread_t threads[{self.threads}];\n{early}{creating}    for (int i = 0; i < {self.threads}; i++)\n"
                     "        pthread_join(threads[i], NULL);\n    free(atomic_load(&node));\n    return 0;\n}\n")
        return "".join(parts)

    def between(self):
        return f"    atomic_fetch_add(&{self.v()}, 1);\n" if self.r.random() < 0.15 else ""


def never_fails(under, source, *options, runs=RUNS):
    endings, _, err = repeat_lines(under, source, *options, runs=runs)
    expect(endings == {"exit code 0": str(runs)}, options, endings, err)


def can_be_read_again(under, plan):
    """Written, read and written again, it is what it was."""
    code, out, err = under.show(plan)
    expect(code == 0, out, err)
    with open(plan, encoding="utf-8") as file:
        text = file.read()
    code, out, err = under.show(plan, "--file")
    expect(code == 0 and out == text, out, text, err)


def runs_beside_a_verifier(under, source, seed):
    """The plan that is written may be that of any moment of the verification."""
    for runs in (1, 3, RUNS):
        plan = under.path(f"{seed}l{runs}.mzs")
        endings, _, err = repeat_lines(under, source, "--trace=none", f"--jitter={seed}", "--inputs=all", "-o", plan, runs=runs)
        expect(endings == {"exit code 0": str(runs)}, runs, endings, err)
        can_be_read_again(under, plan)
        never_fails(under, source, f"--plan={plan}", f"--jitter={seed}", "--inputs=random")


def one(under, seed):
    """What kind of plan it has; None: it is safe, or always fails."""
    text = Program(seed).text()
    source = under.write(f"random{seed}.c", text)
    plans = {"set": under.path(f"{seed}.mzs"), "prefix": under.path(f"{seed}p.mzs")}
    broken = False
    try:
        for kind, plan in plans.items():
            code, out, err = run(under.mazurka, "plan", "--trace=none", "--timeout=4s", source, "-o", plan,
                                 *(["--minimise"] if kind == "set" else []), cwd=under.directory)
            expect(code in (0, 1, 3), code, out, err)
            if code != 0:
                return None
            can_be_read_again(under, plan)
            broken = broken or "a bug was found" in out
            for way in ("all", "random") if broken else ():
                never_fails(under, source, f"--plan={plan}", f"--jitter={seed}", f"--inputs={way}")
        if broken or seed % 4 == 0:
            runs_beside_a_verifier(under, source, seed)
    except AssertionError as problem:
        raise AssertionError(f"seed {seed}: {problem}\n{text}") from None
    if not broken:
        return None
    with open(plans["set"], encoding="utf-8") as file:
        guarded = re.search(r"(?m)^guard ", file.read())
    return "set" + (" with guards" if guarded else "") if is_set(plans["set"]) else "prefix"


def late_inputs(under):
    kinds = {}
    for seed in range(FIRST_SEED, FIRST_SEED + PROGRAMS):
        kind = one(under, seed)
        kinds[kind] = kinds.get(kind, 0) + 1
    expect(kinds.get("set with guards", 0) > 0, "no program whose inputs decide between constraint sets", kinds)


TESTS = [late_inputs]
