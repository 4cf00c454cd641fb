"""Constraint sets, for the suite `run`: the few constraints that exclude every failing trace."""

import json
import re
import shutil

from under import EXAMPLE_RUNS, example, expect, forget_program, is_set, run


def edges_of(plan):
    """{(thread, awaited thread): number of constraints}"""
    with open(plan, encoding="utf-8") as file:
        text = file.read()
    expect(is_set(plan), text)
    edges = {}
    for thread, waits in re.findall(r"^event (\d+) \d+ \S+(?: block)? \S+ (\S+) ", text, re.M):
        for awaited in re.findall(r"(\d+):\d+", waits):
            pair = (int(thread), int(awaited))
            edges[pair] = edges.get(pair, 0) + 1
    return edges


def small_set(under, name, *options, runs=EXAMPLE_RUNS):
    """The broken program never fails under the few constraints that are left of its plan, and has more freedom than under it."""
    source = example(name)
    plan = under.plan(source, "--minimise", *options)
    expect(plan, "there is no plan")
    edges = edges_of(plan)
    count, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=3", *options, runs=runs)
    expect(endings == {"exit code 0": count}, endings, err)
    expect(set(under.waits) <= {thread for thread, _ in edges}, edges, under.waits)
    return edges


def set_for_bank(under):
    edges = small_set(under, "bank.c")
    expect(sum(edges.values()) == 1, edges)


def set_for_branch(under):
    """Who does not withdraw (main, the clerks 4 and 5, the auditor 6) never waits; of those who do, at most two edges a pair."""
    source = example("branch.c")
    under.fails_freely(source, runs=200)
    edges = small_set(under, "branch.c")
    expect(edges and all(number <= 2 and set(pair) <= {1, 2, 3} for pair, number in edges.items()), edges)
    expect(under.waits and set(under.waits) <= {1, 2, 3}, under.waits)


def sets_for_others(under):
    for name, most in (("dekker.c", 1), ("aba_stack.c", 1), ("thread_pool.c", 4)):
        edges = small_set(under, name)
        expect(sum(edges.values()) <= most, name, edges)


def set_for_safe_program(under):
    """Nothing is left, although the search alone has not got that far: one trace, and the rest is verified for the empty set."""
    plan = under.plan(example("branch.c"), "-DFIXED", "--max-traces=1", "--minimise")
    with open(plan, encoding="utf-8") as file:
        expect(re.search(r"^prefix 0 of", file.read(), re.M), "constraints are left")


DIFFERENT = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int first, x[2], y;
static void *work(void *number)
{
    int expected = 0;
    atomic_int *mine = &x[(long)number];
    if (atomic_compare_exchange_strong(&first, &expected, 1)) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        atomic_store(mine, 1);
        atomic_store(mine, 0);
    } else {
        atomic_fetch_add(&y, 1);
        atomic_fetch_add(&y, 1);
        atomic_fetch_add(mine, 1);
        atomic_fetch_sub(mine, 1);
    }
    return NULL;
}
static void *look(void *argument)
{
    assert(atomic_load(&x[0]) == 0);
    assert(atomic_load(&x[1]) == 0);
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? work : look, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def set_and_other_code(under):
    """What a set names is compared, too, where all executions do the same: here there is one more operation before it."""
    plan = under.plan(example("bank.c"), "--minimise")
    forget_program(plan)
    source = under.path("other.c")
    with open(example("bank.c"), encoding="utf-8") as file:
        text = file.read()
    with open(source, "w", encoding="utf-8") as file:
        file.write(text.replace("    if (has(80))", "    __atomic_fetch_add(&paid, 0, __ATOMIC_SEQ_CST);\n    if (has(80))"))
    code, out, err = under.run(source, f"--plan={plan}")
    expect(code == 70 and out == "" and "leaves verified ground" in err, code, out, err)


def set_for_different_operations(under):
    """Who comes first does something else than who comes second: a name stands for one operation or for the other, and neither is
    taken for leaving verified ground."""
    source = under.write("different.c", DIFFERENT)
    under.fails_freely(source, runs=2000)
    plan = under.plan(source, "--minimise")
    expect(sum(edges_of(plan).values()) == 2, edges_of(plan))
    runs, traces, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=2", runs=1000)
    expect(endings == {"exit code 0": runs} and traces > 1, endings, traces, err)


# Three threads count at x without protection, after something harmless under a lock.
IN_THE_MIDDLE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visits;
static atomic_int x;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    visits++;
    pthread_mutex_unlock(&lock);
    int seen = atomic_load(&x);
    atomic_store(&x, seen + 1);
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(x == 3);
    return 0;
}
"""


def waits_of(plan):
    """{operation: [those that it waits for]}"""
    with open(plan, encoding="utf-8") as file:
        events = re.findall(r"^event (\d+) (\d+) \S+ \S+ ([\d:,]+) ", file.read(), re.M)
    return {f"{thread}:{count}": waits.split(",") for thread, count, waits in events}


def in_the_middle(under):
    """The prefix keeps the order of the locks, because what follows them must not change; a set has lost these constraints, and
    kept the later ones. A constraint moves past operations where it would get stuck: holding the lock."""
    source = under.write("middle.c", IN_THE_MIDDLE)
    prefix = waits_of(under.plan(source, "--first-trace=sequential"))
    expect(prefix == {"2:1": ["1:2"], "2:3": ["1:4"]}, prefix)
    plan = under.plan(source, "--first-trace=sequential", "--minimise")
    expect(is_set(plan) and waits_of(plan) == {"2:3": ["1:4"], "3:3": ["2:4"]}, waits_of(plan))
    runs, traces, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1", runs=1000)
    expect(endings == {"exit code 0": runs} and traces == 6, "the locks are not taken in every order", endings, traces, err)


# ---- C++, and programs that are linked already --------------------------------------------------------------------------------

CXX_BANK = """\
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
static std::mutex lock;
static int balance = 100;
static std::vector<std::string> withdrawals;
static bool has(int amount)
{
    std::lock_guard<std::mutex> hold(lock);
    return balance >= amount;
}
static void take(int amount)
{
    std::lock_guard<std::mutex> hold(lock);
    balance -= amount;
    withdrawals.push_back("took " + std::to_string(amount));
}
static void withdraw()
{
    if (has(80))
        take(80);
}
int main()
{
    std::vector<std::thread> customers;
    for (int i = 0; i < 3; i++)
        customers.emplace_back(withdraw);
    for (auto &customer : customers)
        customer.join();
    assert(balance >= 0);
}
"""

# Constructors and destructors, delete, and what races after them: all of it is counted.
CXX_COUNTED = """\
#include <cassert>
#include <thread>
struct Table {
    int *cells = new int[4]{};
    ~Table() { delete[] cells; }
};
static Table before, after;
static int x;
static void work()
{
    delete new Table;
    before.cells[0]++;
    int seen = x;
    x = seen + 1;
}
int main()
{
    delete new int(1);
    std::thread a(work), b(work);
    a.join();
    b.join();
    assert(x == 2);
}
"""


def sets_in_cxx(under):
    for name, text, least in (("bank.cpp", CXX_BANK, 1), ("counted.cpp", CXX_COUNTED, 1)):
        source = under.write(name, text)
        for compiler in filter(shutil.which, ("gcc", "clang")):
            options = [f"--cc={compiler}", "--cflags=-std=c++17"]
            plan = under.plan(source, "--minimise", *options)
            expect(sum(edges_of(plan).values()) in range(least, 3), name, compiler, edges_of(plan))
            runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1", *options, runs=300)
            expect(endings == {"exit code 0": runs}, name, compiler, endings, err)


def sets_for_linked(under):
    """What 'mazurka cc' has linked: without races, with them (the program holds a second one that counts accesses), in C++."""
    for source in (example("branch.c"), example("aliasing.c"), under.write("bank.cpp", CXX_BANK)):
        code, _, err = run(under.mazurka, "cc", "-o", "program", source, cwd=under.directory)
        expect(code == 0, err)
        plan = under.plan("program", "--minimise")
        expect(sum(edges_of(plan).values()) in (1, 2), edges_of(plan))
        for options in ([f"--plan={plan}"], []):
            runs, _, endings, err = under.repeat("program", "--jitter=2", "--inputs=random", *options, runs=300)
            expect(endings == {"exit code 0": runs}, source, options, endings, err)
            expect(options or under.under_set > 100, under.under_set)


# ---- inputs -------------------------------------------------------------------------------------------------------------------

# Which of three accounts is charged twice, if any, is an input. A choice decides on something that does not matter.
CHARGED = """\
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
enum { ACCOUNTS = 3 };
static atomic_int accounts[ACCOUNTS];
static int which[3], amount;
static void *charge(void *number)
{
    atomic_int *account = &accounts[which[(long)number]];
    int before = atomic_load(account);
    atomic_store(account, before + amount);
    return NULL;
}
int main(void)
{
    pthread_t threads[3];
    amount = mz_choose(1, 2);
    for (int i = 0; i < 3; i++)
        which[i] = i;
    which[1] = mz_input_int("second", 0, 2);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, charge, (void *)i);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++)
        sum += atomic_load(&accounts[i]);
    assert(sum == 3 * amount);
    return 0;
}
"""


def run_with(under, source, plan, value, runs=200):
    """Who has waited when the input has this value; nothing fails."""
    count, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=5", f"--inputs={value},random", runs=runs)
    expect(endings == {"exit code 0": count}, endings, err)
    return set(under.waits)


def sets_for_inputs(under):
    """Each input has its set: who is charged with somebody else waits for that one, and without such a one nobody does."""
    source = under.write("charged.c", CHARGED)
    under.fails_freely(source, "--inputs=random", runs=500)
    plan = under.plan(source, "--minimise")
    code, out, err = under.show(plan)
    expect(code == 0 and re.search(r"when second == 0: 1 constraint;", out) and re.search(r"when second == 2: 1 constraint;", out),
           out, err)
    expect("choose1" not in "".join(re.findall("when .*", out)), out)
    expect(run_with(under, source, plan, "second=1") == set(), under.waits)
    for value, pair in (("second=0", {1, 2}), ("second=2", {2, 3})):
        waiting = run_with(under, source, plan, value)
        expect(waiting and waiting < pair, value, waiting)
    runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=6", "--inputs=all", runs=600)
    expect(endings == {"exit code 0": runs}, endings, err)


def set_for_aliasing(under):
    source = example("aliasing.c")
    plan = under.plan(source, "--minimise")
    expect(sum(edges_of(plan).values()) == 1, edges_of(plan))
    expect(run_with(under, source, plan, "x=0,y=1") == set(), under.waits)
    expect(run_with(under, source, plan, "x=2,y=2"), "nobody waits")
    runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=6", "--inputs=all", runs=EXAMPLE_RUNS)
    expect(endings == {"exit code 0": runs}, endings, err)


# ---- by itself ----------------------------------------------------------------------------------------------------------------

def taken_up(under):
    """A program that turns out to be broken keeps to a few constraints from then on, without being asked to."""
    source = example("branch.c")
    runs, _, endings, err = under.repeat(source, "--status", "--jitter=7", "-o", "found.mzs", runs=500)
    expect(endings == {"exit code 0": runs}, endings, err)
    expect(re.search(r"2 of \d+ constraints left, all else is free, a bug was found", err), err)
    expect(under.under_set > runs // 2, under.under_set)
    edges = edges_of(under.path("found.mzs"))
    expect(edges and all(set(pair) <= {1, 2, 3} for pair in edges), edges)
    runs, _, endings, err = under.repeat(source, "--plan=found.mzs", "--jitter=8", runs=500)
    expect(endings == {"exit code 0": runs} and under.waits and set(under.waits) <= {1, 2, 3}, endings, err, under.waits)


def not_taken_up(under):
    """Not for a safe program, which has no constraints in the end, and not if that is switched off."""
    for options in (["-DFIXED"], ["--keep-prefix"]):
        runs, _, endings, err = under.repeat(example("branch.c"), "--status", "-o", "found.mzs", *options, runs=200)
        expect(endings == {"exit code 0": runs} and under.under_set == 0 and "all else is free" not in err, endings, err)
        expect(not is_set(under.path("found.mzs")), "a constraint set was written")


# A customer who takes a long time to withdraw; the prefix holds up the auditor for as long. Clerks make verifying take a while.
SLOW = """\
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, other_balance, seen;
static void withdraw(unsigned seconds, const char *who)
{
    pthread_mutex_lock(&lock);
    int enough = balance >= 80;
    pthread_mutex_unlock(&lock);
    sleep(seconds);
    pthread_mutex_lock(&lock);
    if (enough)
        balance -= 80;
    puts(who);
    pthread_mutex_unlock(&lock);
}
static void *slow(void *argument)
{
    withdraw(SECONDS, "slow");
    return argument;
}
static void *quick(void *argument)
{
    withdraw(0, "quick");
    return argument;
}
static void *pay_in(void *argument)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&other_lock);
        other_balance += 10;
        pthread_mutex_unlock(&other_lock);
    }
    return argument;
}
static void *audit(void *argument)
{
    pthread_mutex_lock(&lock);
    seen = balance;
    pthread_mutex_unlock(&lock);
    puts("audit");
    return argument;
}
int main(void)
{
    void *(*const work[])(void *) = {slow, quick, pay_in, pay_in, pay_in, audit};
    pthread_t threads[6];
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    assert(balance >= 0);
    return 0;
}
"""


def changed_over(under):
    """The program that runs takes up the set, too: the auditor is let go while the customer still sleeps."""
    source = under.write("slow.c", SLOW)
    options = ["--status", "--first-trace=sequential"]
    code, out, err = under.run(source, "--keep-prefix", "-DSECONDS=1", *options)
    expect(code == 0 and out.startswith("slow") and "all else is free" not in err, code, out, err)
    code, out, err = under.run(source, "-DSECONDS=20", *options)
    expect(code == 0 and out.startswith("audit"), code, out, err)
    expect(re.search(r"\d+ of \d+ operations in order.*\n(.*\n)*.*constraints? left, all else", err), "it was there at once", err)


# In the first trace nobody comes to what races.
RARE_RACE = """\
#include <pthread.h>
#include <stdatomic.h>
static atomic_int is_open;
static int visitors;
static void *visit(void *argument)
{
    if (atomic_load(&is_open))
        visitors++;
    return argument;
}
static void *open_it(void *argument)
{
    atomic_store(&is_open, 1);
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? visit : open_it, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def rare_race(under):
    """What races is executed in order, with fences, also if the plan's own trace has no race."""
    code, out, err = run(under.mazurka, "plan", "--json", "--first-trace=sequential", "--max-traces=1", under.write("rare.c", RARE_RACE),
                         "-o", "rare.mzs", cwd=under.directory)
    result = json.loads(out)
    expect(code == 0 and result["length"] == 3, "the trace is not the one without a race", out, err)
    expect(result["fences"] and result["counts"] == "accesses", out)


TESTS = [set_for_bank, set_for_branch, in_the_middle, sets_for_others, set_for_safe_program, set_for_different_operations, set_and_other_code,
         sets_in_cxx, sets_for_linked, sets_for_inputs, set_for_aliasing, taken_up, not_taken_up, changed_over, rare_race]
