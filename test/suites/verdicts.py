"""Random C programs against an interpreter of our own, which knows what C, POSIX and glibc say about each statement: misuse of
mutexes, objects that were never initialised, errors of every kind, numbers from outside and assumptions about them; checked for
random kinds of errors. It goes through all interleavings, and says what the verdict has to be. VSEEDS in the environment is the
number of programs, VFROM the first one.

    unsafe      an error that was asked for can happen
    incomplete  otherwise, if one can happen that was not, and what comes then is undefined; or if no execution comes to its end
    safe        otherwise"""

import functools
import json
import os
import random
import subprocess
import tempfile

import cases

SAMPLE = 4
PER_FILE = 25
ALGORITHMS = "source,dpor,optimal,eager,dc,rf"
CHECKS = {"assertion": "assertions", "deadlock": "deadlocks", "memory": "memory", "crash": "crashes", "exit": "exits",
          "lock": "locks", "choice": "choices", "livelock": "livelocks", "data-race": "data-races"}
WIDTHS = [(-1, 2)] + [(-16 ** k, 16 ** k) for k in range(1, 5)]  # the last one is ±65536

HEAD = """\
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static atomic_int x;
static volatile int zero, sink, *freed;
static pthread_mutex_t fixed = PTHREAD_MUTEX_INITIALIZER, *m[2];
static sem_t zeroes, *s;
"""
STATEMENTS = {
    "memory": "sink = *freed;",
    "crash": "sink = 7 / zero;",
    "choice": "mz_choose(2, 1);",
    "exit": "exit(3);",
    "assertion": "assert(zero);",
}


class Program:
    """Two threads, each a list of statements (name, arguments)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random
        self.mutexes = [pick.choice(["static", "made", "zeroed", "calloc", "never"] if i else ["static", "made"]) for i in range(2)]
        self.semaphore = pick.choice(["static", "made", "made", "never"])
        self.numbers = 1 if pick.random() < 0.3 else 0
        self.threads = [[self.statement() for _ in range(pick.randint(1, 4))] for _ in range(2)]
        kinds = sorted(CHECKS)
        self.asked = pick.sample(kinds, pick.choice([1, 1, 2, 4, len(kinds) - 1]))

    def statement(self):
        pick, kind = self.random, self.random.random()
        which = 1 if pick.random() < 0.25 else 0
        if kind < 0.2:
            return ("lock", which)
        if kind < 0.37:
            return ("unlock", which)
        if kind < 0.45:
            return (pick.choice(["post", "post", "wait"]),)
        if kind < 0.5:
            return ("destroy", which)
        if kind < 0.65:
            return ("store", pick.randint(1, 3))
        if kind < 0.8:
            return ("if", pick.randint(0, 3), pick.choice(list(STATEMENTS)))
        if kind < 0.9 and self.numbers > 0:
            self.numbers -= 1
            low = pick.choice([0, 1, 5, 12, 40, 3000, 100000])
            return ("number", low, low + pick.randint(0, 6))
        return ("assume", pick.randint(0, 3)) if kind < 0.95 else ("assertion", pick.randint(0, 3))

    # ---- as a program -------------------------------------------------------------------------------------

    @staticmethod
    def text_of(statement):
        kind, *rest = statement
        if kind in ("lock", "unlock", "destroy"):
            return f"pthread_mutex_{kind}(m[{rest[0]}]);"
        if kind in ("post", "wait"):
            return f"sem_{kind}(s);"
        if kind == "store":
            return f"x = {rest[0]};"
        if kind == "if":
            return f"if (x == {rest[0]}) {{ {STATEMENTS[rest[1]]} }}"
        if kind == "number":
            return f"{{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= {rest[0]} && n <= {rest[1]}); }}"
        if kind == "assume":
            return f"__VERIFIER_assume(x != {rest[0]});"
        return f"assert(x != {rest[0]});"

    def text(self, index):
        out = [f"static void *p{index}_{t}(void *a) {{ {' '.join(map(self.text_of, body))} return a; }}"
               for t, body in enumerate(self.threads)]
        made = {"static": "m[{0}] = {1};", "never": "m[{0}] = malloc(sizeof *m[{0}]);",
                "made": "m[{0}] = malloc(sizeof *m[{0}]); pthread_mutex_init(m[{0}], NULL);",
                "zeroed": "m[{0}] = malloc(sizeof *m[{0}]); memset(m[{0}], 0, sizeof *m[{0}]);",
                "calloc": "m[{0}] = calloc(1, sizeof *m[{0}]);"}
        one = "&fixed", "malloc(sizeof fixed), *m[1] = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER"
        begin = " ".join(made[how].format(i, one[i]) for i, how in enumerate(self.mutexes))
        begin += {"static": " s = &zeroes;", "never": " s = malloc(sizeof *s);",
                  "made": " s = malloc(sizeof *s); sem_init(s, 0, 1);"}[self.semaphore]
        out.append(f"static void p{index}(void)\n{{\n  pthread_t t, u;\n  {begin}\n  pthread_create(&t, NULL, p{index}_0, NULL);\n"
                   f"  pthread_create(&u, NULL, p{index}_1, NULL);\n  pthread_join(t, NULL);\n  pthread_join(u, NULL);\n}}")
        return "\n".join(out)

    # ---- what can happen ----------------------------------------------------------------------------------

    def outcomes(self, width):
        """What there is among all interleavings: errors, by kind; "cut"; "complete"."""
        found, seen = set(), set()
        begin = {"static": "ready", "made": "ready", "zeroed": "ready", "calloc": "ready", "never": "never"}
        posted = {"static": 0, "made": 1, "never": None}[self.semaphore]
        start = (((0, "runs"), (0, "runs")), 0, tuple((begin[how], None, 0) for how in self.mutexes), posted, False)
        todo = [start]
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            following = [after for t in range(2) for after in self.steps(state, t, width, found)]
            todo += following
            if not following:
                self.end(state, found)
        return found

    def end(self, state, found):
        """Nobody goes on."""
        threads, _, _, _, ended = state
        lives = [life for _, life in threads]
        waits = any(life == "runs" and place < len(body) for (place, life), body in zip(threads, self.threads))
        if "pruned" in lives:
            return
        if waits and not ended and "failed" not in lives:
            found.add("deadlock")
        found.add("complete")

    def steps(self, state, t, width, found):
        """The states to which the thread can go on."""
        threads, value, mutexes, posted, ended = state
        place, life = threads[t]
        if life != "runs" or place == len(self.threads[t]):
            return []
        kind, *rest = self.threads[t][place]

        def after(life="runs", value=value, mutex=None, posted=posted, ended=ended):
            moved = tuple((place + 1, life) if u == t else other for u, other in enumerate(threads))
            changed = mutexes if mutex is None else tuple(mutex if i == rest[0] else m for i, m in enumerate(mutexes))
            return (moved, value, changed, posted, ended)

        def fails(error):
            """C says what comes after the first two: the end."""
            if error in self.asked:
                found.add(error)
                return [after("failed")]
            if error in ("assertion", "exit"):
                return [after("ended", ended=True)]
            found.add("cut")
            return [after("failed")]

        if kind in ("lock", "unlock", "destroy"):
            return self.use(kind, mutexes[rest[0]], t, after, fails)
        if kind in ("post", "wait") and posted is None:
            return fails("lock")
        if kind == "post":
            return [after(posted=posted + 1)]
        if kind == "wait":
            return [after(posted=posted - 1)] if posted > 0 else []
        if kind == "store":
            return [after(value=rest[0])]
        if kind == "if":
            return fails(rest[1]) if value == rest[0] else [after()]
        if kind == "assertion":
            return fails("assertion") if value == rest[0] else [after()]
        if kind == "assume":
            return [after("pruned")] if value == rest[0] else [after()]
        holds = max(rest[0], width[0]) <= min(rest[1], width[1])
        return [after("pruned")] + ([after()] if holds else [])

    def use(self, kind, mutex, t, after, fails):
        """A normal mutex of glibc."""
        state, owner, surplus = mutex
        asked = "lock" in self.asked
        if state != "ready" and not (kind == "destroy" and state == "destroyed"):
            return fails("lock")
        if kind == "lock":
            if owner == t and asked:
                return fails("lock")
            return [after(mutex=(state, t, surplus))] if owner is None else []
        if kind == "unlock":
            if owner != t and asked:
                return fails("lock")
            return [after(mutex=(state, None, surplus + (owner is None)))]
        if owner is not None and asked:
            return fails("lock")
        busy = not asked and state == "ready" and (owner is not None) != surplus
        return [after() if busy else after(mutex=("destroyed", owner, surplus))]

    def verdict(self):
        """What it is to be, and which errors there can be."""
        for width in WIDTHS:
            found = self.outcomes(width)
            errors = found & set(self.asked)
            if errors or "cut" in found or "complete" in found:
                return ("unsafe" if errors else "incomplete" if "cut" in found else "safe"), errors
        return "incomplete", set()


def wrong(program, results):
    expected, errors = program.verdict()
    for result in results:
        kinds = {error["kind"] for error in result["errors"]}
        if result["verdict"] != expected or not kinds <= errors:
            return (f"{result['algorithm']}, checked for {', '.join(program.asked)}: {expected} was expected {sorted(errors)}, not "
                    f"{result['verdict']} {sorted(kinds)} {result['reason']}")
    return None


def check(mazurka, binary, index, seed):
    program = Program(seed)
    words = [mazurka, "check", "--json", "--trace=none", "-a", ALGORITHMS, "--sleep",
             f"--check={','.join(CHECKS[kind] for kind in program.asked)}", binary, "--", str(index)]
    run = subprocess.run(words, capture_output=True, text=True, timeout=cases.HANG, check=False, stdin=subprocess.DEVNULL)
    if run.returncode not in (0, 1, 3):
        return f"exit code {run.returncode}\n{run.stderr}"
    problem = wrong(program, json.loads(run.stdout))
    return problem and f"seed {seed}: {problem}\n{program.text(0)}"


def build(mazurka, directory, seeds):
    path = os.path.join(directory, f"p{seeds[0]}")
    names = ", ".join(f"p{i}" for i in range(len(seeds)))
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(HEAD + "\n".join(Program(seed).text(i) for i, seed in enumerate(seeds)) + f"""
static void (*const all[])(void) = {{{names}}};
int main(int argc, char **argv)
{{
    freed = malloc(8);
    free((void *)freed);
    all[argc > 1 ? atoi(argv[1]) : 0]();
    return 0;
}}
""")
    subprocess.run([mazurka, "cc", "-w", "-o", path, path + ".c", "-pthread"], check=True, timeout=cases.HANG)
    return path


def check_all(mazurka, seeds):
    """The first problem."""
    with tempfile.TemporaryDirectory() as directory:
        binary = build(mazurka, directory, seeds)
        return next(filter(None, (check(mazurka, binary, index, seed) for index, seed in enumerate(seeds))), None)


def tests(build_directory):
    mazurka = os.path.abspath(os.path.join(build_directory, "mazurka"))
    first, count = int(os.environ.get("VFROM", "1")), int(os.environ.get("VSEEDS", "200"))
    for begin in range(first, first + count, PER_FILE):
        seeds = list(range(begin, min(begin + PER_FILE, first + count)))
        yield f"seeds {seeds[0]} to {seeds[-1]}", functools.partial(check_all, mazurka, seeds)
