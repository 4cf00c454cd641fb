"""Leaving verified ground, for the suite `run`: programs that are not what was planned, or run as if they were others."""

import os
import re

from under import example, expect, forget_program, run


TWO_LOCKS = """\
#include <pthread.h>
#include <stdio.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
    pthread_mutex_t *first = FIRST, *second = SECOND;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(first);
        pthread_mutex_unlock(first);
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
    }
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    puts("over");
    return 7;
}
"""
AS_VERIFIED = ["-DFIRST=&a", "-DSECOND=&b", "-DROUNDS=1", "-DTHREADS=2"]


def diverges(under, source, plan, options, message):
    code, out, err = under.run(source, f"--plan={plan}", *options)
    expect(code == 70 and out == "" and re.search(message, err), options, code, out, err)
    code, out, err = under.run(source, f"--plan={plan}", "--on-divergence=warn", *options)
    expect(code == 7 and out == "over\n", options, code, out, err)
    expect(err.count("leaves verified ground") == 1, options, err)


def plan_of(lines):
    """For any program, as it is and wherever its variables are."""
    return f"mazurka-plan 2\nimage -\ncounts operations\nfences no\n{lines}end\n"


# Thread 1 begins when thread 2 has given the lock back.
SECOND_FIRST = plan_of("""\
thread 0.0
thread 0.1
prefix 3 of 8
event 2 1 lock - - - | |
event 2 2 unlock - - - | |
event 1 1 lock - 2:2 - | |
""")


def divergence(under):
    """Another object, more or less operations than verified: noticed at that event, and told."""
    source = under.write("locks.c", TWO_LOCKS)
    plan = under.plan(source, "--max-traces=1", *AS_VERIFIED)
    code, out, err = under.run(source, f"--plan={plan}", *AS_VERIFIED)
    expect((code, out, err) == (7, "over\n", ""), code, out, err)
    others = [(AS_VERIFIED[:1] + ["-DSECOND=&a"] + AS_VERIFIED[2:], r"thread 1 .* operation 3: 'lock' of b is expected, found 'lock' or 'acquire' of a;"),
              (AS_VERIFIED[:2] + ["-DROUNDS=0"] + AS_VERIFIED[3:], r"thread [12] .* it ends, but its operation 1, 'lock'")]
    code, out, err = under.run(source, f"--plan={plan}", *others[0][0])
    expect(code == 2 and out == "" and "the plan is for another program" in err and "mazurka plan" in err, code, out, err)
    forget_program(plan)
    for options, message in others:
        diverges(under, source, plan, options, message)
    under.write(os.path.basename(plan), SECOND_FIRST)
    code, out, err = under.run(source, f"--plan={plan}", *AS_VERIFIED)
    expect((code, out, err) == (7, "over\n", ""), code, out, err)
    diverges(under, source, plan, AS_VERIFIED[:3] + ["-DTHREADS=1"],
             r"thread 1 .* it waits for operation 2 of thread 2, which does not come")


# Of one thread, and of one that is not waited for.
ONE_THREAD = plan_of("""\
thread 0.0
ends 0 0
ends 1 4
prefix 4 of 4
event 1 1 lock a+0 - - | |
event 1 2 unlock a+0 - - | |
event 1 3 lock b+0 - - | |
event 1 4 unlock b+0 - - | |
""")
SECOND_ELSEWHERE = plan_of("""\
thread 0.0
thread 0.1
prefix 1 of 8
event 2 1 lock b+0 - - | |
event 1 1 lock a+0 - - | |
""")


def more_or_less(under):
    """A thread that has all its events in the prefix does more than those; one of the prefix is never created."""
    source, plan = under.write("locks.c", TWO_LOCKS), under.write("one.mzs", ONE_THREAD)
    options = ["-DFIRST=&a", "-DSECOND=&b", "-DTHREADS=1"]
    code, out, err = under.run(source, f"--plan={plan}", "-DROUNDS=1", *options)
    expect((code, out, err) == (7, "over\n", ""), code, out, err)
    diverges(under, source, plan, ["-DROUNDS=2", *options], r"thread 1 .* operation 5: its end is expected, found 'lock'")
    under.write(os.path.basename(plan), SECOND_ELSEWHERE)
    options[1] = "-DSECOND=&a"
    code, out, err = under.run(source, f"--plan={plan}", "-DROUNDS=1", *options)
    expect(code == 70 and "thread 0" in err and "it ends, but was expected to create thread 2" in err, code, out, err)


OVERTAKING = """\
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *late(void *argument)
{
    usleep(300000);
    pthread_mutex_lock(&a);
    puts("first of the plan");
    pthread_mutex_unlock(&a);
    return argument;
}
static void *early(void *argument)
{
    pthread_mutex_lock(SECOND);
    puts("second");
    pthread_mutex_unlock(SECOND);
    pthread_mutex_lock(&a);
    puts("third");
    pthread_mutex_unlock(&a);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, late, NULL);
    pthread_create(&threads[1], NULL, early, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
OVERTAKEN = plan_of("""\
thread 0.0
thread 0.1
prefix 2 of 6
event 1 1 lock PLACE - - | |
event 1 2 unlock PLACE - - | |
event 2 1 lock - - - | |
""")


def overtaking(under):
    """What is beyond the prefix and has nothing to do with it need not wait for it; the rest has to."""
    source = under.write("overtaking.c", OVERTAKING)
    for second, place, order in (("&b", "a+0", [1, 0, 2]), ("&a", "a+0", [0, 1, 2]), ("&b", "-", [0, 1, 2])):
        plan = under.write("overtaken.mzs", OVERTAKEN.replace("PLACE", place))
        code, out, err = under.run(source, f"--plan={plan}", f"-DSECOND={second}")
        lines = ["first of the plan", "second", "third"]
        expect(code == 0 and out.splitlines() == [lines[i] for i in order], second, place, out, err)
        runs, _, ended, err = under.repeat(source, f"--plan={plan}", f"-DSECOND={second}", "--jitter=1", runs=3)
        expect(ended == {"exit code 0": runs}, ended, err)


ENDS_EARLY = """\
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifndef EARLY
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
#endif
    pthread_join(thread, NULL);
    return 0;
}
"""
MAIN_FIRST = plan_of("""\
thread 0.0
prefix 2 of 4
event 0 1 lock a+0 - - | |
event 0 2 unlock a+0 - - | |
""")


def main_ends_early(under):
    """The thread that ends the program does it too soon: noticed, like any other thread that ends."""
    source, plan = under.write("early.c", ENDS_EARLY), under.write("main.mzs", MAIN_FIRST)
    code, _, err = under.run(source, f"--plan={plan}")
    expect(code == 0, code, err)
    code, _, err = under.run(source, f"--plan={plan}", "-DEARLY")
    expect(code == 70 and re.search(r"thread 0 .* it ends, but its operation 1, 'lock'", err), code, err)


def same_program(under):
    """A plan holds for the code, whoever compiles it, and in whichever directory."""
    source = under.write("locks.c", TWO_LOCKS)
    plan = under.plan(source, "--max-traces=1", *AS_VERIFIED)
    code, _, err = run(under.mazurka, "cc", *AS_VERIFIED, "-o", "locks", "locks.c", cwd=under.directory)
    expect(code == 0, err)
    os.mkdir(under.path("elsewhere"))
    os.rename(source, under.path("elsewhere/locks.c"))
    for program, options in ((under.path("locks"), []), (under.path("elsewhere/locks.c"), AS_VERIFIED)):
        code, out, err = under.run(program, f"--plan={plan}", *options)
        expect((code, out, err) == (7, "over\n", ""), program, code, out, err)


RACY = """\
#include <pthread.h>
#include <stdlib.h>
static int balance = 100;
static void *withdraw(void *argument)
{
    int before = balance;
    balance = before - 10;
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, withdraw, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (balance != 80)
        abort();
    return 0;
}
"""


def linked_with_races(under):
    """What 'mazurka cc' has linked at once does not count plain accesses, but can be run as code that does."""
    for source, options in (("racy.c", ()), ("racy.cpp", ("--cc=g++",))):
        under.write(source, RACY)
        code, _, err = run(under.mazurka, "cc", *options, "-o", "racy", source, cwd=under.directory)
        expect(code == 0, err)
        program = under.path("racy")
        runs, _, endings, err = under.repeat(program, "--plan=none", "--jitter=1", runs=300)
        expect(endings.get("exit code 0", 0) < runs, f"no failure in {runs} free runs", err)
        plan = under.plan(program)
        runs, _, endings, err = under.repeat(program, f"--plan={plan}", "--jitter=1", runs=300)
        expect(endings == {"exit code 0": runs}, endings, err)
        code, _, err = under.run(program)
        expect(code == 0 and "kept from happening" in err, code, err)


def counterexample(under):
    """Of the bug that was kept from happening, in a file that replays."""
    code, _, err = under.run(example("dekker.c"))
    name = re.search(r"counterexample: (\S+\.mzt)", err)
    expect(code == 0 and name, code, err)
    code, out, err = run(under.mazurka, "replay", name[1], cwd=under.directory)
    expect(code == 1, code, out, err)


SHORTER_MEANWHILE = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static struct shared { atomic_int go, other, sum; } *s;
static void *first(void *argument)
{
    usleep(300000);
    atomic_store(&s->go, 1);
    return argument;
}
static void *second(void *argument)
{
    atomic_fetch_add(&s->other, 1);
    return argument;
}
static void *work(void *argument)
{
    atomic_fetch_add(&s->other, 1);
    for (int i = 0; i < 8; i++)
        atomic_fetch_add(&s->sum, 1);
    mz_assert(argument != NULL || atomic_load(&s->go));
    return argument;
}
int main(void)
{
    pthread_t threads[4];
    s = calloc(1, sizeof *s);
    if (!s)
        return 1;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, work, NULL);
    pthread_create(&threads[3], NULL, work, s);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    free(s);
    return 0;
}
"""


def prefix_becomes_shorter(under):
    """An operation that happens in the prefix, and is beyond it when the run ends, has kept to the plan: it waited for what happens
    before it, and the one that comes first takes its time. (What they touch is on the heap, so nobody can tell that they are
    independent.)"""
    source = under.write("shorter.c", SHORTER_MEANWHILE)
    for rule in ("sequential", "fair", "round-robin"):
        code, out, err = under.run(source, "--repeat=2", "--keep-prefix", "--trace=none", f"--first-trace={rule}")
        expect(code == 0 and "did not keep" not in out and "exit code 0: 2" in out, code, out, err)


TESTS = [prefix_becomes_shorter, divergence, more_or_less, overtaking, main_ends_early, same_program, linked_with_races, counterexample]
