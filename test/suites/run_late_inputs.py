"""Programs that read inputs on their way, for the suite `run`: in other threads, in loops, under conditions."""

import re

from run_inputs import repeat_lines
from under import EXAMPLE_RUNS, example, expect, forget_program, is_set, run


def never_fails(under, source, plan, runs=EXAMPLE_RUNS, ways=("random", "all")):
    """Whatever the inputs are: all runs keep to the plan."""
    for number, way in enumerate(ways):
        endings, _, err = repeat_lines(under, source, f"--plan={plan}", f"--jitter={number}", f"--inputs={way}", runs=runs)
        expect(endings == {"exit code 0": str(runs)}, way, endings, err)


def fails_sometimes(under, source, runs=EXAMPLE_RUNS):
    endings, _, _ = repeat_lines(under, source, "--plan=none", "--jitter=7", "--inputs=random", runs=runs)
    expect(int(endings.get("exit code 0", 0)) < runs, f"no failure in {runs} free runs")


def text_of(plan):
    with open(plan, encoding="utf-8") as file:
        return file.read()


def two_readers(under):
    """Each of two threads reads an input; only if they are equal does anything wait after that."""
    source = example("late_input.c")
    fails_sometimes(under, source)
    plan = under.plan(source, "--first-trace=fair")
    text = text_of(plan)
    expect("guard x == y plan:0 plan:1\n" in text and "reads x 2 | " in text and "reads y 4 | " in text, text)
    for picture in ([], ["--dot"], ["--svg"]):
        code, out, err = run(under.mazurka, "show", plan, *picture, cwd=under.directory)
        expect(code == 0 and "when x == y" in out and "when x != y" in out and "x is read" in out, out, err)
        if picture == []:  # what comes before is the same, and told once
            expect(re.search(r"x is read .*\n     3 .*\n     4 .*\n +---- y is read .*\n\nwhen x == y: ", out), out)
        if picture == ["--dot"]:
            expect("before it is decided" in out and "p0_3 -> p1_4 [constraint=true, style=dashed, label=\"x != y\"]" in out, out)
    never_fails(under, source, plan)
    never_fails(under, source, under.plan(source, name="chosen.mzs"), runs=200)
    endings, _, err = repeat_lines(under, source, "--jitter=4", "--inputs=random", runs=100)  # a verifier beside it
    expect(endings == {"exit code 0": "100"}, endings, err)
    code, out, err = under.run(source, f"--plan={plan}", own=["--", "x=1", "y=3"])
    expect(code == 70 and "input 'y', a number from 0 to 2, is given as '3'; stopped" in err, code, out, err)
    fixed = text_of(under.plan(source, "-DFIXED", name="fixed.mzs"))
    expect(re.search(r"^prefix 0 of", fixed, re.M) and "\nguard" not in fixed, fixed)


READ_TOO_EARLY = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int ready, sum;
static void *work(void *argument)
{
    int was_ready = atomic_load(&ready);
    int x = SKIPS ? 0 : mz_input_int("x", 0, 3);
    mz_assert(x != 2 || was_ready);
    atomic_fetch_add(&sum, x);
    return argument;
}
static void *prepare(void *argument)
{
    atomic_store(&ready, 1);
    atomic_fetch_add(&sum, 1);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, prepare, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def before_it_is_read(under):
    """What an input makes wrong may have to be kept from happening before anybody knows it."""
    source = under.write("early.c", READ_TOO_EARLY.replace("SKIPS", "0"))
    fails_sometimes(under, source)
    for rule in ("auto", "sequential"):  # which begins with the thread that must not come first
        plan = under.plan(source, f"--first-trace={rule}", name=f"{rule}.mzs")
        expect("\nevent 2 1 write ready+0 - -" in text_of(plan), text_of(plan))
        never_fails(under, source, plan, runs=200)


IN_A_LOOP = """\
#include <mazurka.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 3;
static void *customer(void *argument)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        int seen = balance;
        pthread_mutex_unlock(&lock);
        int amount = mz_choose(0, 2);
        if (amount > seen)
            break;
        pthread_mutex_lock(&lock);
        balance -= amount;
        mz_assert(balance >= 0);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, customer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def in_a_loop(under):
    """Each thread reads up to two, and how many depends on their values, and on what the other one has done."""
    source = under.write("loop.c", IN_A_LOOP)
    fails_sometimes(under, source)
    for rule in ("sequential", "round-robin"):
        plan = under.plan(source, f"--first-trace={rule}", "--timeout=5s", name=f"{rule}.mzs")
        expect("input choose1.1 0 2\n" in text_of(plan), text_of(plan))
        never_fails(under, source, plan, runs=300)


UNDER_A_CONDITION = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int total, rounds;
static void *work(void *argument)
{
    atomic_fetch_add(&rounds, 1);
    if (mz_input_int("doubles", 0, 1)) {
        int least = mz_input_int("least", 0, 9);
        int seen = atomic_load(&total);
        if (least > 4)
            atomic_store(&total, 2 * seen);
    }
    return argument;
}
static void *count(void *argument)
{
    atomic_fetch_add(&rounds, 1);
    atomic_fetch_add(&total, 1);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    atomic_store(&total, 1);
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    mz_assert(atomic_load(&total) >= 2 && atomic_load(&rounds) == 2);
    mz_assert(atomic_load(&total) != 2 || !LOST);
    return 0;
}
"""


def under_a_condition(under):
    """The second input is read only if the first one says so; together they decide whether anything has to wait."""
    source = under.write("condition.c", UNDER_A_CONDITION.replace("LOST", "(atomic_load(&rounds) == 0)"))
    plan = under.plan(source)
    expect(plan and "\nprefix 0 of" in text_of(plan), "it is safe")
    broken = under.write("broken.c", UNDER_A_CONDITION.replace("LOST", "doubled").replace(
        "static atomic_int total", "static atomic_int doubled, total").replace(
            "    atomic_store(&total, 2 * seen);", "    { atomic_store(&total, 2 * seen); atomic_store(&doubled, 1); }"))
    fails_sometimes(under, broken)
    for rule in ("auto", "round-robin", "fair"):
        plan = under.plan(broken, f"--first-trace={rule}", name=f"{rule}.mzs")
        never_fails(under, broken, plan, runs=300)
    text = text_of(plan)
    expect("guard least <= 4 " in text and "guard doubles " in text, text)


MAIN_READS = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int level, looks;
static void *work(void *argument)
{
    int before = atomic_load(&level);
    atomic_fetch_add(&looks, 1);
    int after = atomic_load(&level);
    mz_assert(after - before < 5);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int n = READ;
    atomic_store(&level, n);
    pthread_join(thread, NULL);
    return 0;
}
"""


def main_reads_later(under):
    """Main reads an input when there is another thread: it may have begun, or not. Who waits for the decision is told when it
    never comes."""
    source = under.write("main.c", MAIN_READS.replace("READ", "mz_input_int(\"n\", 0, 9)"))
    fails_sometimes(under, source)
    plan = under.plan(source)
    expect("guard n <= 4 plan:0 plan:1\n" in text_of(plan) and "reads n 0 | " in text_of(plan), text_of(plan))
    never_fails(under, source, plan)
    forget_program(plan)
    other = under.write("other.c", MAIN_READS.replace("READ", "0").replace("atomic_store(&level, n);", ""))
    code, out, err = under.run(other, f"--plan={plan}")
    expect(code == 70 and "waits until input 'n' is read, which nobody does; stopped" in err, code, out, err)
    code, out, err = under.run(other, f"--plan={plan}", "--on-divergence=warn")
    expect(code == 0 and "waits until input 'n' is read, which nobody does; constraints are no longer enforced" in err, code, out, err)


ENDLESS = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int rounds;
static void *work(void *argument)
{
    while (mz_choose(0, 1))
        atomic_fetch_add(&rounds, 1);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def too_many(under):
    """What has more values than can be told apart is refused, by name and place, until all that follows it is verified."""
    source = under.write("many.c", IN_A_LOOP.replace("i < 2; i++) {", "i < 5; i++) {").replace("balance = 3", "balance = 99"))
    code, out, err = run(under.mazurka, "plan", source, "-o", "no.mzs", "--max-traces=1", cwd=under.directory)
    expect(code == 3 and "reads an input, after its first operation: choose1." in out, code, out, err)
    expect("many.c:11); all inputs together have too many values" in out, out)
    source = under.write("endless.c", ENDLESS)
    code, out, err = run(under.mazurka, "plan", source, "-o", "no.mzs", "--timeout=2s", cwd=under.directory)
    expect(code == 3 and re.search(r"no plan: .*choose\d+.*endless.c:\d+\)", out), code, out, err)


NO_STRATEGY = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first;
static void *work(void *argument)
{
    int none = 0;
    atomic_compare_exchange_strong(&first, &none, (int)(long)argument);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int x = mz_input_int("x", 1, 2);
    mz_assert(atomic_load(&first) == x);
    return 0;
}
"""


def no_strategy(under):
    """For each value there is a safe execution, but who is to come first is known only when it is too late."""
    source = under.write("guess.c", NO_STRATEGY)
    code, out, err = run(under.mazurka, "plan", source, "-o", "no.mzs", cwd=under.directory)
    expect(code == 3 and re.search(r"reads an input, after its first operation: x \(\S*guess.c:18\); no order", out), code, out, err)


READ_WHILE_OTHERS_WORK = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int level, ready, rounds, turns;
static void *look(void *argument)
{
    atomic_fetch_add(&rounds, 1);
    atomic_fetch_add(&turns, 1);
    int is_ready = atomic_load(&ready);
    mz_assert(atomic_load(&level) != 1 || is_ready);
    return argument;
}
static void *count(void *argument)
{
    atomic_fetch_add(&rounds, 1);
    atomic_fetch_add(&turns, 1);
    return argument;
}
static void *set(void *argument)
{
    int n = mz_input_int("n", 0, 2);
    atomic_store(&level, n);
    atomic_store(&ready, 1);
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, count, NULL);
    pthread_create(&threads[2], NULL, set, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def while_others_work(under):
    """A thread reads an input first of all, when others have begun: which constraint set applies is not known until then, and
    what any of them names has to wait."""
    source = under.write("others.c", READ_WHILE_OTHERS_WORK)
    fails_sometimes(under, source)
    plan = under.plan(source, "--minimise")
    expect(is_set(plan) and "guard n == 1 " in text_of(plan) and "reads n 0 | " in text_of(plan), text_of(plan))
    never_fails(under, source, plan)
    written = under.path("written.mzs")
    endings, _, err = repeat_lines(under, source, "--jitter=4", "--inputs=all", "-o", written, runs=200)  # a verifier beside it
    expect(endings == {"exit code 0": "200"} and is_set(written), endings, err, text_of(written))
    never_fails(under, source, written, runs=200)


# With another value of the first input, the place of the reading of the last one is that of an event.
READ_IN_ITS_PLACE = """\
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;
static void *add(void *argument)
{
    int x = mz_input_int("first", 0, 3);
    if (x > 0)
        x = mz_input_int("between", 0, 2);
    atomic_fetch_add(&a, mz_input_int("last", 0, 3));
    return argument;
}
static void *compare(void *argument)
{
    if (a == b)
        a++;
    b = 0;
    if (a == b)
        a++;
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, add, NULL);
    pthread_create(&threads[1], NULL, compare, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(a != 2);
    return 0;
}
"""


def nobody_waits_for_himself(under):
    """A thread comes to the input that decides at a count at which it would have to wait for it, had others been read otherwise."""
    source = under.write("place.c", READ_IN_ITS_PLACE)
    plan = under.plan(source, "--timeout=3s")
    for options in (["--inputs=all", "--jitter=5"], ["--inputs=all"], ["--inputs=random", "--jitter=6"]):
        endings, _, err = repeat_lines(under, source, f"--plan={plan}", *options, runs=96)
        expect(endings == {"exit code 0": "96"} and err == "", options, endings, err)


TESTS = [while_others_work, nobody_waits_for_himself, two_readers, before_it_is_read, in_a_loop, under_a_condition, main_reads_later, too_many, no_strategy]
