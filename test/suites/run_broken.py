"""Safe execution of broken programs, for the suite `run`: examples/safe fail when they run freely, and never under their plans,
whichever trace comes first."""

import os
import re

from under import EXAMPLE_RUNS, SLEEPER, example, expect, run


def broken_program(under, name, stress, least_traces):
    """It fails when it runs freely, never under its plan, and there is freedom left."""
    source = example(name)
    under.fails_freely(source, runs=stress)
    plan = under.plan(source)
    expect(plan, "there is no plan")
    runs, traces, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=2", runs=EXAMPLE_RUNS)
    expect(endings == {"exit code 0": runs}, endings, err)
    expect(traces >= least_traces, f"{traces} different traces")


def bank(under):
    broken_program(under, "bank.c", 200, 10)


def messages(under):
    """What runs say is shown once for each way of ending."""
    _, _, endings, err = under.repeat(example("bank.c"), "--plan=none", "--jitter=1", runs=200)
    expect(endings["signal 6"] > 1 and err.count("ssertion") == 1, endings, err)


def thread_pool(under):
    broken_program(under, "thread_pool.c", 200, 1)


def dekker(under):
    broken_program(under, "dekker.c", 300, 10)


def aba_stack(under):
    broken_program(under, "aba_stack.c", 3000, 1)


def in_vain(under):
    """A wait that was verified to end without a signal ends when its time is up: C++ asks the clock which of the two it was."""
    source = os.path.abspath(os.path.join("test", "native", "cxx_timed.cpp"))
    plan = under.plan(source, "-DOUTCOME=0", "--first-trace=sequential")
    expect(plan, "there is no plan")
    runs, _, endings, err = under.repeat(source, f"--plan={plan}", "-DOUTCOME=0", runs=20)
    expect(endings == {"exit code 0": runs}, endings, err)


RULES = ("auto", "fair", "sequential", "round-robin", "fewest-edges", "fewest-waits", "free-run")


def first_traces(under):
    """Whichever rule the first trace follows, what is planned is kept, and is safe."""
    for name, least in (("bank.c", 3), ("dekker.c", 3), ("thread_pool.c", 3), ("aba_stack.c", 3)):
        planned = 0
        for rule in RULES:
            plan = under.plan(example(name), "--max-traces=5", f"--first-trace={rule}")
            planned += plan is not None
            runs, _, endings, err = under.repeat(example(name), f"--plan={plan}", "--jitter=3", runs=50)
            expect(endings == {"exit code 0": runs}, name, rule, endings, err)
        expect(planned >= least, f"{name}: {planned} rules have a plan")
    code, _, err = under.run(example("bank.c"), "--first-trace=last")
    expect(code == 2 and "--first-trace: unknown 'last'" in err and "free-run" in err, code, err)


COUNTED = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x[8];
static void *work(void *argument)
{
    for (long i = 0; i < 8; i++)
        x[(i + 3 * (long)argument) % 8]++;
    return argument;
}
int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("sum %d\\n", x[0] + x[7]);
    return 0;
}
"""


def trials(under):
    """Trial runs are hidden, say what they found, and decide when to begin."""
    source = under.write("counted.c", COUNTED)
    code, out, err = under.run(source, "--tune")
    expect((code, out) == (0, "sum 8\n"), code, out, err)
    measured = re.search(r"all constraints of (.*); none: [0-9.]+ ms; begins with ([a-z-]+)\n", err)
    expect(measured and f"{measured[2]}: " in measured[1], err)
    times = {name: float(time) for name, time in re.findall(r"([a-z-]+): ([0-9.]+) ms", measured[1])}
    expect(len(times) >= 2 and times[measured[2]] == min(times.values()), err)
    code, out, err = under.run(source, "--overhead=100000%", "--first-trace=round-robin")
    expect((code, out) == (0, "sum 8\n") and re.search(r"with \d+ of \d+ constraints .* ms: [+-][0-9.]+ %; \d+ traces? verified", err),
           code, out, err)
    plan = under.plan(source, "--overhead=100000%", "--first-trace=sequential")
    with open(plan, encoding="utf-8") as file:
        expect(not re.search(r"^prefix 0 of", file.read(), re.M), "all was verified, although nothing was too slow")
    for value in ("x", "-1%", "nan", "10%%", ""):
        for command in ("run", "plan"):
            code, _, err = run(under.mazurka, command, f"--overhead={value}", source, cwd=under.directory)
            expect(code == 2 and "option --overhead" in err, value, code, err)


def trials_that_hang(under):
    """A program that takes too long (here: no time at all in the checker) cannot be measured: that is said, and it is not started."""
    source = under.write("slow.c", SLEEPER)
    code, out, err = under.run(source, "--tune", "--waive=process")
    expect(code == 2 and out == "" and "a trial run of the program did not end within 10 s" in err, code, out, err)


def bench_rows(under):
    """mazurka bench irs: plain and chosen traces have as many constraints, or far more in turns; with inputs, only equal ones have any."""
    most = {}
    for name in ("indexer", "last_zero", "aliasing", "fibonacci"):
        code, out, err = run(under.mazurka, "bench", "irs", f"--rows={name}", "--runs=2", "--csv", cwd=under.directory)
        expect(code == 0, err)
        for row in out.splitlines()[1:]:
            words = row.split(",")
            most[words[0]] = max(most.get(words[0], 0), int(words[1]))
    few, many = most.pop("fibonacci"), most.pop("fibonacci_turns")
    expect(few < 10 < 60 <= many, few, many)
    expect(most == {"indexer": 12, "indexer_opt": 12, "last_zero": 15, "last_zero_opt": 15, "aliasing_equal": 2, "aliasing_different": 0}, most)


def fixed_programs(under):
    """Without the bug, no constraint is left, and they still run."""
    for name in ("bank.c", "branch.c", "thread_pool.c", "dekker.c", "aba_stack.c"):
        plan = under.plan(example(name), "-DFIXED", "--timeout=60s")
        with open(plan, encoding="utf-8") as file:
            expect(re.search(r"^prefix 0 of", file.read(), re.M), f"{name}: constraints are left")
        runs, _, endings, err = under.repeat(example(name), f"--plan={plan}", "--jitter=1", "-DFIXED")
        expect(endings == {"exit code 0": runs}, name, endings, err)


TESTS = [bank, messages, in_vain, thread_pool, dekker, aba_stack, first_traces, trials, trials_that_hang, bench_rows, fixed_programs]
