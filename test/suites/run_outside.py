"""Loops whose threads go outside (mz_outside_begin, mz_outside_end), for the suite `run`: random ones, all of whose states an
interpreter visits that knows the words of include/mazurka.h and nothing else; the check says the same. Under the plan, which may be a
set of constraints, no run fails, with delays at random, and each recording keeps to it: boundaries are opened when all have stopped,
nobody has two parts in an iteration, and constraints hold in each.

OUTSIDE in the environment: how many programs."""

import os
import random
import re
import time

from under import ALL, expect, run

PROGRAMS = int(os.environ.get("OUTSIDE", "300" if ALL else "14"))
RUNS = 40
FIRST_SEED = int(os.environ.get("RUN_SEED", "1"))
MOST_STATES = 60_000
LEAST = {"runs under constraints": 0.15, "safe as it is": 0.15}  # shares of the programs
CELLS, LOCKS, HIGHEST = 2, 2, 2

# ---- programs ------------------------------------------------------------------------------------------------------------------------
#
# A thread is a way to come to the next iteration and a list of instructions; d is 1 or -1, chosen in each iteration, or the thread ends.
#   ("load", c)            r = cells[c]
#   ("change", c)          if 0 <= r + d <= HIGHEST: cells[c] += d, which has to be in that range then
#   ("lock", m), ("unlock", m)
#   ("tick", t)            the thread's own clock goes on; those of the others that have not ended are at most one step away. That holds
#                          if nobody can stay outside while others go on, and else it does not


def random_body(r):
    body = []
    for _ in range(r.randrange(1, 4)):
        cell = r.randrange(CELLS)
        lock = cell if r.random() < 0.8 else r.randrange(LOCKS)
        whole = r.random() < 0.35
        step = [("lock", lock), ("load", cell)]
        step += [] if whole else [("unlock", lock), ("lock", lock)] if r.random() < 0.7 else []
        step += [("change", cell), ("unlock", lock)]
        if r.random() < 0.2:
            step = [("load", cell), ("change", cell)]
        body += step
    return body[:8]


def balanced(body):
    """Locks are given back before the end."""
    held = [i[1] for i in body if i[0] == "lock"]
    for i in body:
        if i[0] == "unlock":
            held.remove(i[1])
    return body + [("unlock", m) for m in held]


class Program:
    def __init__(self, seed):
        r = random.Random(seed)
        self.threads = []
        count = r.choice((2, 2, 2, 3))
        for _ in range(count):
            way = r.choice(("outside", "outside", "outside", "boundary"))
            body = random_body(r) if count == 2 else random_body(r)[:5]
            self.threads.append((way, balanced(body)))
        if r.random() < 0.5:  # all alike, as workers are
            self.threads = [self.threads[0]] * count
        if r.random() < 0.2:
            self.threads = [(way, [("tick", t)] + body[:3]) for t, (way, body) in enumerate(self.threads)]
            self.threads = [(way, balanced(body)) for way, body in self.threads]
        self.work = r.random() < 0.5  # outside is not only a moment

    def c(self):
        words = {"load": "r = atomic_load(&cells[%d]);", "change": "change(%d, r, d);", "lock": "pthread_mutex_lock(&locks[%d]);",
                 "unlock": "pthread_mutex_unlock(&locks[%d]);", "tick": "tick(%d);"}
        text = f"enum {{ THREADS = {len(self.threads)} }};\n" + HEAD
        for number, (way, body) in enumerate(self.threads):
            inside = "work();" if self.work else ""
            pause = f"mz_outside_begin(); {inside} mz_outside_end();" if way == "outside" else "mz_loop_boundary();"
            text += f"static void *t{number}(void *argument)\n{{\n    for (;;) {{\n        {pause}\n        int r = 0, d = mz_choose(-1, "
            end = f"atomic_store(&ended[{number}], 1);" if ("tick", number) in body else ""
            text += f"1);\n        if (d == 0) {{\n            {end}\n            return argument;\n        }}\n"
            text += "".join(f"        {words[op] % which}\n" for op, which in body)
            text += "        (void)r;\n    }\n}\n"
        names = ", ".join(f"t{i}" for i in range(len(self.threads)))
        return text + TAIL % {"count": len(self.threads), "names": names}


HEAD = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int cells[2], ticks[3], ended[3];
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void change(int cell, int seen, int by)
{
    if (seen + by < 0 || seen + by > 2)
        return;
    int now = atomic_fetch_add(&cells[cell], by) + by;
    mz_assert(now >= 0 && now <= 2);
}
static inline void tick(int own)
{
    int now = (atomic_load(&ticks[own]) + 1) % 4;
    atomic_store(&ticks[own], now);
    for (int i = 0; i < THREADS; i++)
        if (!atomic_load(&ended[i]))
            mz_assert((now - atomic_load(&ticks[i]) + 4) % 4 != 2);
}
static inline void work(void)
{
    volatile int sum = 0;
    for (int i = 0; i < 300; i++)
        sum += i;
}
"""

TAIL = """\
int main(void)
{
    pthread_t threads[%(count)d];
    void *(*const bodies[])(void *) = {%(names)s};
    for (int i = 0; i < %(count)d; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < %(count)d; i++)
        pthread_join(threads[i], NULL);
    return 7;
}
"""


# ---- all their states ------------------------------------------------------------------------------------------------------------------
#
# A thread is (place, r, d): -1 stopped at the boundary, -2 ended, else the next instruction.

STOPPED, ENDED = -1, -2


class Fails(Exception):
    pass


def after_choice(threads, t, d):
    return threads[:t] + ((ENDED if d == 0 else 0, 0, d),) + threads[t + 1:]


def openings(program, threads):
    """What a boundary leads to: some of those outside come back, and all others; each then chooses."""
    there = [t for t, (place, _, _) in enumerate(threads) if place == STOPPED]
    must = [t for t in there if program.threads[t][0] == "boundary"]
    may = [t for t in there if t not in must]
    for chosen in range(1 << len(may)):
        going = must + [t for i, t in enumerate(may) if chosen >> i & 1]
        if not going:
            continue
        results = [threads]
        for t in going:
            results = [after_choice(one, t, d) for one in results for d in (-1, 0, 1)]
        yield from results


def step(program, state, t):
    """The state after the thread's next instruction; None: it has to wait."""
    threads, cells, owners = state
    place, r, d = threads[t]
    op, which = program.threads[t][1][place]
    cells, owners = list(cells), list(owners)
    if op == "lock":
        if owners[which] is not None:
            return None
        owners[which] = t
    elif op == "unlock":
        owners[which] = None
    elif op == "load":
        r = cells[which]
    elif op == "tick":
        cells[CELLS + t] = (cells[CELLS + t] + 1) % 4
        others = [cells[CELLS + u] for u, (at, _, _) in enumerate(threads) if at != ENDED]
        if any((cells[CELLS + t] - other) % 4 == 2 for other in others):
            raise Fails
    elif 0 <= r + d <= HIGHEST:
        cells[which] += d
        if not 0 <= cells[which] <= HIGHEST:
            raise Fails
    at_end = place + 1 == len(program.threads[t][1])
    then = (STOPPED, 0, 0) if at_end else (place + 1, r, d)
    return threads[:t] + (then,) + threads[t + 1:], tuple(cells), tuple(owners)


def successors(program, state):
    threads, cells, owners = state
    running = [t for t, (place, _, _) in enumerate(threads) if place >= 0]
    if not running:
        return [(after, cells, owners) for after in openings(program, threads)]
    found = [after for after in (step(program, state, t) for t in running) if after]
    if not found:
        raise Fails
    return found


def fails(program):
    """None: there are too many states."""
    first = (tuple((STOPPED, 0, 0) for _ in program.threads), (0,) * (CELLS + len(program.threads)), (None,) * LOCKS)
    seen, left = {first}, [first]
    try:
        while left:
            for after in successors(program, left.pop()):
                if after not in seen:
                    seen.add(after)
                    left.append(after)
            if len(seen) > MOST_STATES:
                return None
    except Fails:
        return True
    return False


# ---- the same by mazurka ------------------------------------------------------------------------------------------------------------------


def try_program(under, seed, tally):
    program = Program(seed)
    expected = fails(program)
    if expected is None:
        return
    path = under.write("outside.c", program.c())
    code, out, err = run(under.mazurka, "check", "--trace=none", "--check=assertions,deadlocks", path, cwd=under.directory)
    expect(code == (1 if expected else 0), f"seed {seed}: {'fails' if expected else 'is safe'}, and the check says", out, err)
    tally["compared"] += 1
    plan = under.plan(path, "--timeout=20s")
    if not plan:
        expect(expected, f"seed {seed}: no plan, but it is safe")
        return
    runs, _, endings, err = under.repeat(path, f"--plan={plan}", f"--jitter={seed}", runs=RUNS)
    expect(endings == {"exit code 7": runs}, f"seed {seed}", endings, err)
    tally["runs under constraints" if expected else "safe as it is"] += 1


def programs(under):
    """The check agrees with the interpreter, and no run under the plan fails."""
    tally = {"compared": 0, "runs under constraints": 0, "safe as it is": 0}
    started = time.time()
    for seed in range(FIRST_SEED, FIRST_SEED + PROGRAMS):
        try_program(under, seed, tally)
    for what, share in LEAST.items():
        expect(tally[what] >= share * PROGRAMS, tally)
    print(f"run: outside: {tally} of {PROGRAMS} programs in {time.time() - started:.0f} s", flush=True)


TESTS = [programs]
