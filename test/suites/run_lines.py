"""Programs with races, for the suite `run`: plain accesses are counted only at lines that race, whatever the others do, and however the
program was built."""

import os
import re

from under import expect, is_set, run

# `shared` races: two withdrawals pass both tests. What else the threads access is their own, as much as they find in `shared`.
BUSY = """\
#include <pthread.h>
#include <stdlib.h>
int shared = 2, own[4][64];
void busy(int me, int rounds)
{
    for (int i = 0; i < rounds; i++)
        own[me][i % 64] += own[me][(i + 7) % 64] + i;
}
static void *work(void *argument)
{
    int me = *(int *)argument;
    busy(me, 10);
    int seen = shared;
    busy(me, 20 * seen + me);
    if (seen >= 2) {
        busy(me, 5);
        int now = shared;
        busy(me, now);
        shared = now - 2;
    }
    return NULL;
}
int main(void)
{
    static int numbers[] = {1, 2, 3};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (shared < 0)
        abort();
    return 0;
}
"""


def racing_lines(plan):
    with open(plan, encoding="utf-8") as file:
        return re.findall(r"^racing (.*)$", file.read(), re.M)


def counted(under, source, plan, *options):
    """How many operations a run does that count."""
    path = under.path("lines.rec")
    code, out, err = under.run(source, f"--plan={plan}", f"--record={path}", *options)
    expect(code == 0, code, out, err)
    with open(path, encoding="utf-8") as file:
        return file.read().count("\nbegin ")


def ways_to_build(under, source):
    """(what is planned and run, options) by source, linked at once, from an object, by clang, in C++."""
    yield source, ()
    yield source, ("--cflags=-O2",)
    program, made = under.path("busy"), under.path("busy.o")
    for command in (["-O2", source, "-o", program], ["-O2", "-c", source, "-o", made]):
        code, _, err = run(under.mazurka, "cc", *command)
        expect(code == 0, err)
    yield program, ()
    code, _, err = run(under.mazurka, "cc", made, "-o", under.path("linked"))
    expect(code == 0, err)
    yield under.path("linked"), ()
    yield source, ("--cc=clang", "--cflags=-O1")
    yield under.write("busy.cpp", BUSY), ("--cflags=-O2",)


def only_racing_lines_count(under):
    source = under.write("busy.c", BUSY)
    under.fails_freely(source, "--cflags=-O2", runs=300)
    for what, options in ways_to_build(under, source):
        for kind in ((), ("--minimise",)):
            plan = under.plan(what, *options, *kind)
            expect(plan and len(racing_lines(plan)) == 1 and (not kind or is_set(plan)), what, options, kind)
            runs, _, endings, err = under.repeat(what, f"--plan={plan}", "--jitter=1", *options, runs=200)
            expect(endings == {"exit code 0": runs}, what, options, kind, endings, err)
            number = counted(under, what, plan, *options)
            expect(3 <= number <= 40, f"{number} operations are counted", what, options, kind)


def lines_are_read(under):
    """A plan file with lines that are none; and one without them, which older versions have made: all accesses have names."""
    source = under.write("busy.c", BUSY)
    plan = under.plan(source)
    with open(plan, encoding="utf-8") as file:
        text = file.read()
    for line, told in (("racing 1", "'1' is no number of a line"), ("racing 00000002 00000001", "the numbers go up"),
                       ("racing 0000000x", "is no number of a line")):
        wrong = under.write("wrong.mzs", re.sub(r"^racing .*$", line, text, flags=re.M))
        code, _, err = under.show(wrong)
        expect(code == 2 and told in err and os.path.basename(wrong) in err, line, code, err)
    code, _, err = under.run(source, f"--plan={under.write('none.mzs', re.sub('^racing .*$', 'racing -', text, flags=re.M))}")
    expect(code == 70 and "leaves verified ground" in err, "none of the lines counts, and nothing is told", code, err)


# Beside what races, each thread writes to memory of its own; an input is read when both are at work.
LATE = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static int shared, own[2];
static atomic_int turn;
static void *work(void *argument)
{
    own[1] = atomic_load(&turn);
    shared = 2;
    if (mz_input_int("n", 0, 3) > 0)
        own[1] = shared;
    atomic_store(&turn, 1);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    own[0] = atomic_load(&turn);
    shared = 3;
    atomic_fetch_add(&turn, 1);
    pthread_join(thread, NULL);
    mz_assert(shared != 3);
    return 0;
}
"""


def beside_inputs(under):
    """What is in the plan, and what the program counts, are the same where inputs are read late, too: the first traces of all values get
    names in which only lines that race count."""
    path = under.write("late.c", LATE)
    for options in ((), ("--minimise",)):
        plan = under.plan(path, *options)
        expect(plan and len(" ".join(racing_lines(plan)).split()) == 4, plan and racing_lines(plan))
        runs, _, endings, err = under.repeat(path, f"--plan={plan}", "--jitter=1", "--inputs=random", runs=40)
        expect(endings == {"exit code 0": runs}, options, endings, err)


TESTS = [only_racing_lines_count, lines_are_read, beside_inputs]
