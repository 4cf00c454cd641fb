"""Work handed over by a condition variable, for the suite `run`: a producer whose loop has a boundary, and workers that wait for work, take
it and do what they do with random mistakes in it, some of them outside now and then. Under the plan no run fails or gets stuck, with delays
at random, and each recording keeps to it: constraints hold in each iteration, unless they come from a worker that was asleep when nobody
else could go on.

HANDOVER in the environment: how many programs."""

import os
import random
import re
import time

from run_outside import balanced, random_body
from under import ALL, expect

PROGRAMS = int(os.environ.get("HANDOVER", "150" if ALL else "10"))
RUNS = 40
FIRST_SEED = int(os.environ.get("RUN_SEED", "1"))
LEAST = 0.2  # of the programs run under constraints

HEAD = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int cells[2];
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int queue[PLACES], count, stop;
static void change(int cell, int seen, int by)
{
    if (seen + by < 0 || seen + by > 2)
        return;
    int now = atomic_fetch_add(&cells[cell], by) + by;
    mz_assert(now >= 0 && now <= 2);
}
static void put(int what)
{
    pthread_mutex_lock(&lock);
    while (count == PLACES)
        pthread_cond_wait(&emptied, &lock);
    queue[count++] = what;
    pthread_cond_TELL(&filled);
    pthread_mutex_unlock(&lock);
}
static int take(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0 && !stop)
        pthread_cond_wait(&filled, &lock);
    int what = count > 0 ? queue[--count] : 0;
    queue[count] = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
    return what;
}
"""

TAIL = """\
static int produce(void)
{
    int what = mz_choose(0, 2 * MOST);
    for (int i = 0; i < (what + 1) / 2; i++)
        put(what %% 2 ? 1 : -1);
    return what;
}
int main(void)
{
    pthread_t threads[%(count)d];
    void *(*const bodies[])(void *) = {%(names)s};
    for (int i = 0; i < %(count)d; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    do
        %(pause)s
    while (produce());
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < %(count)d; i++)
        pthread_join(threads[i], NULL);
    return 7;
}
"""

OUTSIDE = "{ mz_outside_begin(); mz_outside_end(); }"


def program(seed):
    r = random.Random(seed)
    words = {"load": "r = atomic_load(&cells[%d]);", "change": "change(%d, r, d);", "lock": "pthread_mutex_lock(&locks[%d]);",
             "unlock": "pthread_mutex_unlock(&locks[%d]);"}
    workers = r.choice((2, 2, 2, 3))
    text = f"enum {{ PLACES = {r.choice((1, 2, 2))}, MOST = {r.choice((2, 2, 3))} }};\n"
    text += HEAD.replace("TELL", r.choice(("signal", "signal", "broadcast")))
    bodies = [(balanced(random_body(r)[:5 if workers == 2 else 4]), r.random() < 0.25) for _ in range(workers)]
    if r.random() < 0.6:
        bodies = bodies[:1] * workers
    for number, (body, goes) in enumerate(bodies):
        text += f"static void *t{number}(void *argument)\n{{\n    int d, r = 0;\n    while ((d = take())) {{\n"
        text += "".join(f"        {words[op] % which}\n" for op, which in body) + (f"        {OUTSIDE}\n" if goes else "")
        text += "        r = 0;\n    }\n    return argument;\n}\n"
    pause = OUTSIDE if r.random() < 0.5 else "mz_loop_boundary();"
    return text + TAIL % {"count": workers, "names": ", ".join(f"t{i}" for i in range(workers)), "pause": pause}


def try_program(under, seed, tally):
    path = under.write("handover.c", program(seed))
    plan = under.plan(path, "--timeout=10s")
    if not plan:
        tally["no plan"] += 1
        return
    with open(plan, encoding="utf-8") as file:
        constrained = re.search(r"^event \d+ \d+ \S+ \S+ \d", file.read(), re.M)
    runs, _, endings, err = under.repeat(path, f"--plan={plan}", f"--jitter={seed}", runs=RUNS)
    expect(endings == {"exit code 7": runs}, f"seed {seed}", endings, err)
    tally["under constraints" if constrained else "safe as it is"] += 1


def programs(under):
    """No run under a plan fails, and those with constraints are not few."""
    tally = {"under constraints": 0, "safe as it is": 0, "no plan": 0}
    started = time.time()
    for seed in range(FIRST_SEED, FIRST_SEED + PROGRAMS):
        try_program(under, seed, tally)
    expect(tally["under constraints"] >= LEAST * PROGRAMS, tally)
    print(f"run: handover: {tally} in {time.time() - started:.0f} s", flush=True)


TESTS = [programs]
