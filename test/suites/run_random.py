"""Random programs for the suite `run`: three or four threads, inputs that some of them read, sooner or later, while the others are
at work, and an assertion that some schedules break. Whatever the inputs are, no run under a plan fails, none gets stuck, and
all keep to it: the plan may be a prefix, constraint sets that inputs decide between, or what `run` finds meanwhile."""

import os
import random
import re

from run_inputs import repeat_lines
from under import ALL, expect, is_set, run

PROGRAMS = 300 if ALL else 60
RUNS = 60
FIRST_SEED = int(os.environ.get("RUN_SEED", "1"))

HEAD = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int v0, v1, v2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.inputs = 0
        self.threads = self.random.choice((3, 3, 4))
        self.most_inputs = self.random.choice((1, 1, 2))

    def variable(self):
        return f"v{self.random.randrange(3)}"

    def read_input(self):
        self.inputs += 1
        return f"x = mz_input_int(\"in{self.inputs}\", 0, {self.random.choice((1, 2))});"

    def statement(self, first):
        pick = self.random.random()
        if self.inputs < self.most_inputs and pick < (0.4 if first else 0.15):
            return self.read_input()
        return self.random.choice((
            f"atomic_store(&{self.variable()}, {self.random.randrange(1, 3)});",
            f"atomic_store(&{self.variable()}, x);",
            f"atomic_fetch_add(&{self.variable()}, 1);",
            f"seen = atomic_load(&{self.variable()});",
            f"if (x) atomic_fetch_add(&{self.variable()}, x);",
            "pthread_mutex_lock(&lock); seen += x; pthread_mutex_unlock(&lock);"))

    def claim(self):
        return self.random.choice((
            f"mz_assert(x != 1 || seen != {self.random.randrange(2)});",
            f"mz_assert(seen != {self.random.randrange(1, 3)} || atomic_load(&{self.variable()}) != {self.random.randrange(2)});",
            f"mz_assert(x + seen != {self.random.randrange(1, 4)});"))

    def body(self, claims):
        lines = [self.statement(i == 0) for i in range(self.random.randrange(2, 5))]
        if claims:
            lines += [f"seen = atomic_load(&{self.variable()});", self.claim()]
        return "\n    ".join(lines)

    def text(self):
        claimer = self.random.randrange(self.threads)
        parts = [HEAD]
        for i in range(self.threads):
            parts.append(f"static void *work{i}(void *argument)\n{{\n    int x = 0, seen = 0;\n    {self.body(i == claimer)}\n"
                         "    return x + seen < 0 ? NULL : argument;\n}\n")
        creating = "".join(f"    pthread_create(&threads[{i}], NULL, work{i}, NULL);\n" + self.between() for i in range(self.threads))
        parts.append(f"int main(void)\n{{\n    pthread_t threads[{self.threads}];\n{creating}    for (int i = 0; i < {self.threads}; i++)\n"
                     "        pthread_join(threads[i], NULL);\n    return 0;\n}\n")
        return "".join(parts)

    def between(self):
        """Of main, while it creates threads: most often nothing."""
        return f"    atomic_fetch_add(&{self.variable()}, 1);\n" if self.random.random() < 0.1 else ""


def never_fails(under, source, *options, runs=RUNS):
    endings, _, err = repeat_lines(under, source, *options, runs=runs)
    expect(endings == {"exit code 0": str(runs)}, options, endings, err)


def one(under, seed):
    """What kind of plan it has; None: it is safe, or always fails."""
    program = Program(seed)
    text = program.text()
    source = under.write(f"random{seed}.c", text)
    with_set, prefix = under.path(f"{seed}.mzs"), under.path(f"{seed}p.mzs")
    code, out, err = run(under.mazurka, "plan", "--trace=none", "--minimise", "--timeout=6s", source, "-o", with_set, cwd=under.directory)
    expect(code in (0, 1, 3), code, out, err, text)
    if code != 0 or "a bug was found" not in out:
        return None
    try:
        for way in ("all", "random"):
            never_fails(under, source, f"--plan={with_set}", f"--jitter={seed}", f"--inputs={way}")
        if is_set(with_set) and seed % 3 == 0:
            run(under.mazurka, "plan", "--trace=none", "--timeout=2s", source, "-o", prefix, cwd=under.directory)
            never_fails(under, source, f"--plan={prefix}", f"--jitter={seed}", "--inputs=all")
            never_fails(under, source, f"--jitter={seed}", "--inputs=all", "-o", under.path(f"{seed}l.mzs"))
    except AssertionError as problem:
        raise AssertionError(f"seed {seed}: {problem}\n{text}") from None
    with open(with_set, encoding="utf-8") as file:
        guarded = re.search(r"(?m)^guard ", file.read())
    return "set" + (" with guards" if guarded else "") if is_set(with_set) else "prefix"


def late_inputs(under):
    kinds = {}
    for seed in range(FIRST_SEED, FIRST_SEED + PROGRAMS):
        kind = one(under, seed)
        kinds[kind] = kinds.get(kind, 0) + 1
    expect(kinds.get("set with guards", 0) > 0, "no program whose inputs decide between constraint sets", kinds)


TESTS = [late_inputs]
