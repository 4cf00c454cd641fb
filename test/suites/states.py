"""Random C programs of two or three threads that go round many times: `--stateful` against an interpreter of their own.

The interpreter here knows nothing of the checker: it enumerates all states of the little language that the programs are
written in. Compared are the values that are there in the end (each is an assertion that fails, on a line of its own), the
assertions that fail on the way, and whether the threads may wait for ever. The seeds are fixed."""

import collections
import functools
import json
import os
import random
import subprocess
import tempfile

import cases

SEEDS = range(1, 81)
MOST_STATES = 150000  # of the interpreter; larger programs are for another day
LEAST_SHARE = 0.7
MODULUS = 3
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int a, b;
static int x;
"""


class Thread:
    """Code of a thread: as C, a statement per line, and as instructions for the interpreter."""

    def __init__(self, numbers, number):
        self.numbers, self.lines, self.code, self.loops = numbers, [], [], 0
        self.lines.append(f"static void *t{number}(void *p) {{ int r = 0;")
        for _ in range(numbers.randrange(1, 3)):
            self.statement(0)
        self.lines.append("(void)r; return p; }")

    def statement(self, depth):
        choose, cell = self.numbers.random(), self.numbers.choice("ab")
        value = self.numbers.randrange(MODULUS)
        if choose < 0.4 and depth < 2:
            self.loop(depth)
        elif choose < 0.55:
            self.add(f"pthread_mutex_lock(&m); x = (x + {value}) % {MODULUS}; pthread_mutex_unlock(&m);", ("x", value))
        elif choose < 0.65:
            self.add(f"r = atomic_load(&{cell});", ("load", cell))
            self.add(f"atomic_store(&{cell}, (r + {value}) % {MODULUS});", ("store", cell, value))
        elif choose < 0.75:
            self.add(f"r = atomic_load(&{cell});", ("load", cell))
            text = f"{{ int o = r; atomic_compare_exchange_strong(&{cell}, &o, (r + {value}) % {MODULUS}); }}"
            self.add(text, ("cas", cell, value))
        elif choose < 0.85 and depth < 2:
            self.branch(depth, cell, value)
        elif choose < 0.92:
            self.add(f"r = atomic_load(&{cell}); assert(r != {value} || x < 0);", ("assert", cell, value))
        else:
            self.add(f"while (atomic_load(&{cell}) == {value}) ;", ("wait", cell, value))

    def add(self, text, instruction):
        self.code.append((*instruction, len(self.lines)))
        self.lines.append(text)

    def loop(self, depth):
        counter, rounds = self.loops, self.numbers.choice([2, 3, 7, 12] if depth == 0 else [2])
        self.loops += 1
        self.lines.append(f"for (int i{counter} = 0; i{counter} < {rounds}; i{counter}++) {{")
        self.code.append(("reset", counter))
        begin = len(self.code)
        for _ in range(self.numbers.randrange(1, 3)):
            self.statement(depth + 1)
        self.code.append(("again", counter, rounds, begin))
        self.lines.append("}")

    def branch(self, depth, cell, value):
        self.lines.append(f"if (atomic_load(&{cell}) == {value}) {{")
        at = len(self.code)
        self.code.append(None)
        self.statement(depth + 1)
        self.code[at] = ("unless", cell, value, len(self.code))
        self.lines.append("}")


class Interpreter:
    """All states: (of each thread: where it is, -1 after a failed assertion; r; counters), (a, b, x)."""

    def __init__(self, threads):
        self.threads, self.finals, self.failed, self.stuck = threads, set(), set(), False
        first = tuple(self.local(t, (0, 0, (0,) * thread.loops)) for t, thread in enumerate(threads))
        seen, waiting = {(first, (0, 0, 0))}, collections.deque([(first, (0, 0, 0))])
        self.complete = True
        while waiting:
            state = waiting.popleft()
            for following in self.steps(*state):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
            if len(seen) > MOST_STATES:
                self.complete = False
                return

    def local(self, t, thread):
        """Up to the next access: counting is nobody else's business."""
        pc, r, counters = thread
        code = self.threads[t].code
        while 0 <= pc < len(code) and code[pc][0] in ("reset", "again"):
            kind, which = code[pc][:2]
            count = 0 if kind == "reset" else counters[which] + 1
            counters = counters[:which] + (count,) + counters[which + 1:]
            pc = code[pc][3] if kind == "again" and count < code[pc][2] else pc + 1
        return pc, r, counters

    def steps(self, locals_, memory):
        going = False
        for t, (pc, r, counters) in enumerate(locals_):
            if not 0 <= pc < len(self.threads[t].code):
                continue
            after = self.step(self.threads[t].code[pc], pc, r, memory)
            if after is None:
                continue
            going = True
            thread = self.local(t, (after[0], after[1], counters))
            if thread[0] < 0:
                self.failed.add((t, self.threads[t].code[pc][-1]))
            yield locals_[:t] + (thread,) + locals_[t + 1:], after[2]
        ended = [pc >= len(self.threads[t].code) for t, (pc, _, _) in enumerate(locals_)]
        if all(ended):
            self.finals.add(memory)
        elif not going and all(pc >= 0 for pc, _, _ in locals_):
            self.stuck = True

    @staticmethod
    def step(instruction, pc, r, memory):
        kind, cell = instruction[:2]
        if kind == "x":
            return pc + 1, r, memory[:2] + ((memory[2] + cell) % MODULUS,)
        at = "ab".index(cell)
        now = memory[at]
        if kind == "load":
            return pc + 1, now, memory
        if kind == "wait":
            return None if now == instruction[2] else (pc + 1, r, memory)
        if kind == "assert":
            return (-1 if now == instruction[2] else pc + 1), now, memory
        if kind == "unless":
            return (pc + 1 if now == instruction[2] else instruction[3]), r, memory
        if kind == "store" or now == r:
            new = (r + instruction[2]) % MODULUS
            return pc + 1, r, memory[:at] + (new,) + memory[at + 1:]
        return pc + 1, r, memory


def program(seed):
    """The threads, the text, the line at which each thread's text begins, and that of each final state."""
    numbers = random.Random(seed)
    threads = [Thread(numbers, t) for t in range(numbers.choice([2, 2, 3]))]
    text, begins, ends = HEAD.splitlines(), [], {}
    for thread in threads:
        begins.append(len(text) + 1)
        text += thread.lines
    text += ["int main(void)", "{", f"pthread_t t[{len(threads)}];"]
    text += [f"pthread_create(&t[{t}], 0, t{t}, 0);" for t in range(len(threads))]
    text += [f"pthread_join(t[{t}], 0);" for t in range(len(threads))]
    for memory in ((i, k, l) for i in range(MODULUS) for k in range(MODULUS) for l in range(MODULUS)):
        ends[len(text) + 1] = memory
        text.append(f"if (a == {memory[0]} && b == {memory[1]} && x == {memory[2]}) assert(x < 0);")
    return threads, "\n".join(text + ["return 0;", "}", ""]), begins, ends


def found(build, path, algorithm):
    command = [os.path.join(build, "mazurka"), "check", "--json", "--trace=none", "--all-errors", "--stateful", "-a", algorithm,
               "--check=assertions,deadlocks,livelocks", "--cflags=-O1", path]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}\n{run.stderr}")
    return json.loads(run.stdout)["errors"]


def compare(build, path, seed):
    threads, text, begins, ends = program(seed)
    expected = Interpreter(threads)
    if not expected.complete:
        return False, None
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    failing = {begins[t] + line for t, line in expected.failed}
    wanted = (expected.finals, failing, expected.stuck)
    for algorithm in ("dpor", "full"):
        errors = found(build, path, algorithm)
        lines = {e["line"] for e in errors if e["kind"] == "assertion"}
        actual = ({ends[line] for line in lines if line in ends}, {line for line in lines if line not in ends},
                  any(e["kind"] in ("deadlock", "livelock") for e in errors))
        if actual != wanted:
            return True, f"{algorithm}: {actual}\nexpected: {wanted}\n{text}"
    return True, None


def check(build, seed):
    with tempfile.TemporaryDirectory() as directory:
        try:
            compared, problem = compare(build, os.path.join(directory, "random.c"), seed)
        except (RuntimeError, ValueError, KeyError) as trouble:
            compared, problem = True, f"seed {seed}: {trouble}"
    return cases.Outcome(("compared", compared), problem if compared else cases.SKIPPED)


def tests(build):
    for seed in cases.rotating(SEEDS, 2):
        yield f"seed {seed}", functools.partial(check, build, seed)
    yield "most of them are compared", cases.Summary("compared", LEAST_SHARE)
