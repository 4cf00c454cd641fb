"""Safe execution: programs that are run under plans do what was verified, and nothing else.

For every suitable program of test/native: a plan of one trace, and runs under it with random delays. They end, as without a
plan, and never leave verified ground: that is the progress theorem, and finds every difference in how operations are counted
by the checker and by the runtime. Broken ones run under the constraint sets that exclude their bugs. Then the programs of
examples/safe: broken, they fail when they run freely, and never under their plan."""

import concurrent.futures
import glob
import os
import re
import signal
import struct
import subprocess
import tempfile
import time

import model
import native
import run_loops

AT_ONCE = 2
SECONDS = 120
RUNS = 10
EXAMPLE_RUNS = 1000

# What the runtime does not do, or what depends on surroundings that the checker makes up (virtual time, captured files, …).
NOT_RUN = {
    "cxx_atomic_wait.cpp": "which of the library's locks are used depends on addresses",
    "cxx_library.cpp -DMORE": "which of the library's locks are used depends on addresses",
    "entry.c": "it has no main",
    "entry_cxx.cpp": "it has no main",
    "exit_status.c": "it ends with a status on purpose",
    "libc_allocation.c": "the C library here is less strict about alignment",
    "libc_clock.c": "it sleeps for hours of virtual time",
    "libc_exit_handlers.c": "it ends with a status on purpose",
    "libc_files.c": "it reads files of the checker's directory",
    "libc_random.c": "the C library's random numbers are one sequence for all threads",
    "libc_scanf.c": "it reads files of the checker's directory",
    "library_state.c": "it sleeps for a while of virtual time",
    "libc_wide.c": "it asks for the number of the processor, which is 0 in the check only",
    "verifier_error.c": "its assertions are switched off in the check only",
}


def run(*command, cwd=None, seconds=SECONDS):
    """Exit code, stdout, stderr; complains as AssertionError if it does not end."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, text=True,
                          start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise AssertionError(f"{' '.join(command)}\nstill running after {seconds} s") from None
    return process.returncode, out, err


def expect(condition, *told):
    if not condition:
        raise AssertionError("\n".join(str(word) for word in told))


class Under:
    """mazurka, with a directory of its own."""

    def __init__(self, build, directory):
        self.mazurka, self.directory = os.path.abspath(os.path.join(build, "mazurka")), directory
        self.waits = {}  # of the last repeat(): how often which thread has waited for the plan

    def path(self, name):
        return os.path.join(self.directory, name)

    def plan(self, source, *options, name="plan.mzs", own=()):
        """None if there is no plan for such a program."""
        code, _, err = run(self.mazurka, "plan", "--trace=none", source, *options, "-o", self.path(name), *own, cwd=self.directory)
        expect(code in (0, 1, 3), err)
        return self.path(name) if code == 0 else None

    def run(self, source, *options, own=()):
        return run(self.mazurka, "run", *options, source, *own, cwd=self.directory)

    def repeat(self, source, *options, runs=RUNS, own=()):
        """(runs, different traces, {ending: number}, messages)"""
        _, out, err = self.run(source, f"--repeat={runs}", *options, own=own)
        match = re.match(r"(\d+) runs, (\d+) different traces(.*)", out)
        expect(match and "did not keep to the plan" not in out, out, err)
        self.waits = {int(thread): int(times) for thread, times in re.findall(r"thread (\d+) (\d+) times", out)}
        endings = {ending: int(number) for ending, number in re.findall(r"; ([a-z ]+ \d+): (\d+)", match[3])}
        return int(match[1]), int(match[2]), endings, err


def is_set(plan):
    with open(plan, encoding="utf-8") as file:
        return re.search(r"^rule edges$", file.read(), re.M) is not None


# ---- the programs of the native suite ---------------------------------------------------------------------------------------

UNSUITED = ("mz_loop_boundary", "mz_atomic", "VERIFIER_atomic", "assume", "pthread_cancel")
OPTIONS = ("-D", "-I", "--cflags", "--ldflags", "--cc", "--check", "--unroll", "--main-exit")


def suitable(verdict):
    """(path, options, the program's arguments) of what is safe, or unsafe."""
    for path in sorted(glob.glob("test/native/*.c") + glob.glob("test/native/*.cpp") + glob.glob("bench/c/*.c")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.path.basename(path)
        if name in NOT_RUN or any(word in text for word in UNSUITED):
            continue
        for expected in model.expectations(path, native.Expectation):
            words = list(expected.arguments)
            own = words[words.index("--"):] if "--" in words else []
            options = [word for word in words[:len(words) - len(own)] if word.startswith(OPTIONS)]
            if any(f"{name} {word}" in NOT_RUN for option in options for word in option.split()):
                continue
            if expected.verdict == verdict and native.has_compiler(path, expected) and "--check=all" not in options:
                yield path, options, own


def keeps_to_plan(build, path, options, own):
    with tempfile.TemporaryDirectory() as directory:
        under = Under(build, directory)
        source = os.path.abspath(path)
        plan = under.plan(source, "--traces=1", *options, own=own)
        if not plan:
            return False
        runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1", "--inputs=random", *options, own=own)
        expect(endings == {"exit code 0": runs}, endings, err)
        return True


def keeps_to_set(build, path, options, own):
    """A broken program under the few constraints that are left of its plan."""
    with tempfile.TemporaryDirectory() as directory:
        under = Under(build, directory)
        source = os.path.abspath(path)
        plan = under.plan(source, "--minimise", "--budget=5s", *options, own=own)
        if not plan or not is_set(plan):
            return False
        runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1", *options, own=own)
        expect(endings == {"exit code 0": runs}, endings, err)
        return True


def native_tests(build, todo, attempt_one, least, what):
    """At least `least` of the programs have what is to be tried."""
    def attempt(test):
        try:
            return attempt_one(build, *test), None
        except AssertionError as trouble:
            return True, str(trouble)

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        tried = 0
        for (path, options, _), (was_tried, problem) in zip(todo, pool.map(attempt, todo)):
            tried += was_tried
            yield f"{os.path.basename(path)} {' '.join(options)}", problem
    yield f"many programs have {what}", None if tried >= least else f"only {tried} of {len(todo)}"


# ---- broken programs, and what they do under their plans ----------------------------------------------------------------------

def example(name):
    return os.path.abspath(os.path.join("examples", "safe", name))


def broken_program(under, name, stress, least_traces):
    """It fails when it runs freely, never under its plan, and there is freedom left."""
    source = example(name)
    runs, _, endings, _ = under.repeat(source, "--plan=none", "--jitter=1", runs=stress)
    expect(endings.get("exit code 0", 0) < runs, f"no failure in {runs} free runs")
    plan = under.plan(source)
    expect(plan, "there is no plan")
    runs, traces, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=2", runs=EXAMPLE_RUNS)
    expect(endings == {"exit code 0": runs}, endings, err)
    expect(traces >= least_traces, f"{traces} different traces")


def bank(under):
    broken_program(under, "bank.c", 200, 10)


def thread_pool(under):
    broken_program(under, "thread_pool.c", 200, 1)


def dekker(under):
    broken_program(under, "dekker.c", 300, 10)


def aba_stack(under):
    broken_program(under, "aba_stack.c", 3000, 1)


RULES = ("auto", "fair", "sequential", "round-robin", "fewest-edges", "fewest-waits", "free-run")


def first_traces(under):
    """Whichever rule the first trace follows, what is planned is kept, and is safe."""
    for name, least in (("bank.c", 3), ("dekker.c", 3), ("thread_pool.c", 3), ("aba_stack.c", 3)):
        planned = 0
        for rule in RULES:
            plan = under.plan(example(name), "--traces=5", f"--first-trace={rule}")
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
    source = under.path("counted.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(COUNTED)
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
    source = under.path("slow.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SLEEPER)
    code, out, err = under.run(source, "--tune")
    expect(code == 2 and out == "" and "a trial run of the program did not end within 10 s" in err, code, out, err)


def bench_rows(under):
    """mazurka bench irs: plain and chosen traces have as many constraints; with inputs, only equal ones have any."""
    most = {}
    for name in ("indexer", "last_zero", "aliasing"):
        code, out, err = run(under.mazurka, "bench", "irs", f"--rows={name}", "--runs=2", "--csv", cwd=under.directory)
        expect(code == 0, err)
        for row in out.splitlines()[1:]:
            words = row.split(",")
            most[words[0]] = max(most.get(words[0], 0), int(words[1]))
    expect(most == {"indexer": 12, "indexer_opt": 12, "last_zero": 15, "last_zero_opt": 15, "aliasing_equal": 2, "aliasing_different": 0}, most)


def fixed_programs(under):
    """Without the bug, no constraint is left, and they still run."""
    for name in ("bank.c", "branch.c", "thread_pool.c", "dekker.c", "aba_stack.c"):
        plan = under.plan(example(name), "-DFIXED", "--budget=60s")
        with open(plan, encoding="utf-8") as file:
            expect(re.search(r"^prefix 0 of", file.read(), re.M), f"{name}: constraints are left")
        runs, _, endings, err = under.repeat(example(name), f"--plan={plan}", "--jitter=1", "-DFIXED")
        expect(endings == {"exit code 0": runs}, name, endings, err)


# ---- constraint sets ----------------------------------------------------------------------------------------------------------

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
    runs, _, endings, _ = under.repeat(source, "--plan=none", "--jitter=1", runs=200)
    expect(endings.get("exit code 0", 0) < runs, f"no failure in {runs} free runs")
    edges = small_set(under, "branch.c")
    expect(edges and all(number <= 2 and set(pair) <= {1, 2, 3} for pair, number in edges.items()), edges)
    expect(under.waits and set(under.waits) <= {1, 2, 3}, under.waits)


def sets_for_others(under):
    for name, most in (("dekker.c", 1), ("aba_stack.c", 1), ("thread_pool.c", 4)):
        edges = small_set(under, name)
        expect(sum(edges.values()) <= most, name, edges)


def set_for_safe_program(under):
    """Nothing is left, although the search alone has not got that far: one trace, and the rest is verified for the empty set."""
    plan = under.plan(example("branch.c"), "-DFIXED", "--traces=1", "--minimise")
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
    source = under.path("different.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(DIFFERENT)
    runs, _, endings, _ = under.repeat(source, "--plan=none", "--jitter=1", runs=2000)
    expect(endings.get("exit code 0", 0) < runs, f"no failure in {runs} free runs")
    plan = under.plan(source, "--minimise")
    expect(sum(edges_of(plan).values()) == 2, edges_of(plan))
    runs, traces, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=2", runs=1000)
    expect(endings == {"exit code 0": runs} and traces > 1, endings, traces, err)


# ---- leaving verified ground --------------------------------------------------------------------------------------------------

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


def forget_program(plan):
    """Otherwise other code is refused before it runs."""
    with open(plan, encoding="utf-8") as file:
        text, replaced = re.subn(r"(?m)^image .*$", "image -", file.read())
    expect(replaced == 1, text)
    with open(plan, "w", encoding="utf-8") as file:
        file.write(text)


def diverges(under, source, plan, options, message):
    code, out, err = under.run(source, f"--plan={plan}", *options)
    expect(code == 70 and out == "" and re.search(message, err), options, code, out, err)
    code, out, err = under.run(source, f"--plan={plan}", "--on-divergence=warn", *options)
    expect(code == 7 and out == "over\n", options, code, out, err)
    expect(err.count("leaves verified ground") == 1, options, err)


# Thread 1 begins when thread 2 has given the lock back.
SECOND_FIRST = """\
mazurka-plan 2
image -
counts operations
fences no
thread 0.0
thread 0.1
prefix 3 of 8
event 2 1 lock - - - | |
event 2 2 unlock - - - | |
event 1 1 lock - 2:2 - | |
end
"""


def divergence(under):
    """Another object, more or less operations than verified: noticed at that event, and told."""
    source = under.path("locks.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(TWO_LOCKS)
    plan = under.plan(source, "--traces=1", *AS_VERIFIED)
    code, out, err = under.run(source, f"--plan={plan}", *AS_VERIFIED)
    expect((code, out, err) == (7, "over\n", ""), code, out, err)
    others = [(AS_VERIFIED[:1] + ["-DSECOND=&a"] + AS_VERIFIED[2:], r"thread 1 .* operation 3: 'lock' of \+0x\w+ is expected, found 'lock'"),
              (AS_VERIFIED[:2] + ["-DROUNDS=0"] + AS_VERIFIED[3:], r"thread [12] .* it ends, but its operation 1, 'lock'")]
    code, out, err = under.run(source, f"--plan={plan}", *others[0][0])
    expect(code == 2 and out == "" and "the plan is for another program" in err and "mazurka plan" in err, code, out, err)
    forget_program(plan)
    for options, message in others:
        diverges(under, source, plan, options, message)
    with open(plan, "w", encoding="utf-8") as file:
        file.write(SECOND_FIRST)
    code, out, err = under.run(source, f"--plan={plan}", *AS_VERIFIED)
    expect((code, out, err) == (7, "over\n", ""), code, out, err)
    diverges(under, source, plan, AS_VERIFIED[:3] + ["-DTHREADS=1"],
             r"thread 1 .* it waits for operation 2 of thread 2, which does not come")


# Of one thread, and of one that is not waited for.
ONE_THREAD = """\
mazurka-plan 2
image -
counts operations
fences no
thread 0.0
ends 0 0
ends 1 4
prefix 4 of 4
event 1 1 lock a+0 - - | |
event 1 2 unlock a+0 - - | |
event 1 3 lock b+0 - - | |
event 1 4 unlock b+0 - - | |
end
"""
SECOND_ELSEWHERE = """\
mazurka-plan 2
image -
counts operations
fences no
thread 0.0
thread 0.1
prefix 1 of 8
event 2 1 lock b+0 - - | |
event 1 1 lock a+0 - - | |
end
"""


def more_or_less(under):
    """A thread that has all its events in the prefix does more than those; one of the prefix is never created."""
    source, plan = under.path("locks.c"), under.path("one.mzs")
    for name, text in ((source, TWO_LOCKS), (plan, ONE_THREAD)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    options = ["-DFIRST=&a", "-DSECOND=&b", "-DTHREADS=1"]
    code, out, err = under.run(source, f"--plan={plan}", "-DROUNDS=1", *options)
    expect((code, out, err) == (7, "over\n", ""), code, out, err)
    diverges(under, source, plan, ["-DROUNDS=2", *options], r"thread 1 .* operation 5: its end is expected, found 'lock'")
    with open(plan, "w", encoding="utf-8") as file:
        file.write(SECOND_ELSEWHERE)
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
OVERTAKEN = """\
mazurka-plan 2
image -
counts operations
fences no
thread 0.0
thread 0.1
prefix 2 of 6
event 1 1 lock PLACE - - | |
event 1 2 unlock PLACE - - | |
event 2 1 lock - - - | |
end
"""


def overtaking(under):
    """What is beyond the prefix and has nothing to do with it need not wait for it; the rest has to."""
    source, plan = under.path("overtaking.c"), under.path("overtaken.mzs")
    with open(source, "w", encoding="utf-8") as file:
        file.write(OVERTAKING)
    for second, place, order in (("&b", "a+0", [1, 0, 2]), ("&a", "a+0", [0, 1, 2]), ("&b", "-", [0, 1, 2])):
        with open(plan, "w", encoding="utf-8") as file:
            file.write(OVERTAKEN.replace("PLACE", place))
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
MAIN_FIRST = """\
mazurka-plan 2
image -
counts operations
fences no
thread 0.0
prefix 2 of 4
event 0 1 lock a+0 - - | |
event 0 2 unlock a+0 - - | |
end
"""


def main_ends_early(under):
    """The thread that ends the program does it too soon: noticed, like any other thread that ends."""
    source, plan = under.path("early.c"), under.path("main.mzs")
    for name, text in ((source, ENDS_EARLY), (plan, MAIN_FIRST)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    code, _, err = under.run(source, f"--plan={plan}")
    expect(code == 0, code, err)
    code, _, err = under.run(source, f"--plan={plan}", "-DEARLY")
    expect(code == 70 and re.search(r"thread 0 .* it ends, but its operation 1, 'lock'", err), code, err)


def same_program(under):
    """A plan holds for the code, whoever compiles it, and in whichever directory."""
    source = under.path("locks.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(TWO_LOCKS)
    plan = under.plan(source, "--traces=1", *AS_VERIFIED)
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
        with open(under.path(source), "w", encoding="utf-8") as file:
            file.write(RACY)
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


# ---- inputs -------------------------------------------------------------------------------------------------------------------

def repeat_lines(under, source, *options, runs, own=()):
    """{ending: number}, how often threads waited, all that was said"""
    _, out, err = under.run(source, f"--repeat={runs}", *options, own=own)
    expect(out and "did not keep to the plan" not in out, out, err)
    waits = sum(int(times) for times in re.findall(r"thread \d+ (\d+) times", out))
    expect((waits == 0) == ("nobody waited" in out) or "--plan=none" in options, out)
    return dict(re.findall(r"; ([a-z ]+ \d+): (\d+)", out.splitlines()[0])), waits, err


def aliasing(under):
    """The document's figure 1: only where the two pointers are equal does anything wait, and nothing fails."""
    source, runs = example("aliasing.c"), str(EXAMPLE_RUNS)
    endings, _, _ = repeat_lines(under, source, "--plan=none", "--jitter=1", "--inputs=random", runs=EXAMPLE_RUNS)
    expect(int(endings["exit code 0"]) < EXAMPLE_RUNS, f"no failure in {runs} free runs")
    plan = under.plan(source)
    for picture in ([], ["--dot"], ["--svg"]):
        code, out, err = run(under.mazurka, "show", plan, *picture, cwd=under.directory)
        expect(code == 0 and "when x == y" in out and "when x != y" in out, out, err)
        expect(not picture or re.search(r"label=\"x == y\"" if picture == ["--dot"] else r">x == y</text>", out), out)
    endings, waits, err = repeat_lines(under, source, f"--plan={plan}", "--jitter=2", "--inputs=random", runs=EXAMPLE_RUNS)
    expect(endings == {"exit code 0": runs} and waits > 0, endings, waits, err)
    for x, y in ((0, 1), (2, 0)):
        endings, waits, err = repeat_lines(under, source, f"--plan={plan}", "--jitter=3", f"--inputs=x={x},y={y}",
                                           runs=100)
        expect(endings == {"exit code 0": "100"} and waits == 0, endings, waits, err)
    endings, _, err = repeat_lines(under, source, "--jitter=4", "--inputs=all", runs=90)
    expect(endings == {"exit code 0": "90"}, endings, err)
    fixed = under.plan(source, "-DFIXED", name="fixed.mzs")
    with open(fixed, encoding="utf-8") as file:
        text = file.read()
        expect(re.search(r"^prefix 0 of", text, re.M) and "\nguard" not in text, text)


INPUTS = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, sum;
static void *work(void *argument)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    int count = mz_input_int("threads", 1, 3);
    n = count > 1 ? mz_input_int("n", 0, 4) : 1;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("%d\\n", sum);
    return 0;
}
"""


def where_inputs_come_from(under):
    """From arguments, the environment, standard input, in this order; what is wrong is told at once."""
    source = under.path("inputs.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(INPUTS)
    plan = under.plan(source, "--traces=1")
    expect(plan, "there is no plan")
    with open(plan, encoding="utf-8") as file:
        text = file.read()
        expect(text.count("\nplan ") > 5 and "input threads 1 3\n" in text and "input n 0 4\n" in text, text)
    command = [under.mazurka, "run", f"--plan={plan}", source]
    for arguments, variables, lines, wanted in (
            (["threads=2", "n=3"], {"n": "9"}, "", "6"), (["--threads=3", "n=1", "n=4"], {}, "", "12"),
            (["n=2"], {"threads": "3"}, "", "6"), ([], {"n": "1"}, "2\n", "2"), ([], {}, "2\n2\n", "4"), (["threads=1"], {}, "", "1"),
            (["threads=4"], {}, "", "input 'threads', a number from 1 to 3, is given as '4'"),
            (["threads=2", "n=-1"], {}, "", "input 'n', a number from 0 to 4, is given as '-1'"),
            (["threads=2"], {"n": "x"}, "", "input 'n', a number from 0 to 4, is given as 'x'"),
            (["threads=2"], {}, "", "input 'n', a number from 0 to 4, is not given")):
        done = subprocess.run(command + ["--", *arguments], input=lines, env={**os.environ, **variables}, capture_output=True,
                              text=True, timeout=SECONDS, check=False, cwd=under.directory)
        if wanted.isdigit():
            expect((done.returncode, done.stdout, done.stderr) == (0, wanted + "\n", ""), arguments, variables, lines, done)
        else:
            expect(done.returncode == 70 and done.stdout == "" and wanted in done.stderr, arguments, variables, lines, done)


NOT_FOR_ALL = """\
#include <mazurka.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    int x = mz_input_int("x", 0, 2), y = mz_input_int("y", 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    mz_assert(sum + (x == 2 && y == 1) == 2);
    return 0;
}
"""


def not_for_all_inputs(under):
    """If there is a valuation without a safe execution, the program is not started, whatever it would be given."""
    source = under.path("not_for_all.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(NOT_FOR_ALL)
    code, out, err = run(under.mazurka, "plan", source, "-o", "none.mzs", cwd=under.directory)
    expect(code == 1 and "no plan: every execution fails with x=2, y=1" in out, code, out, err)
    code, out, err = under.run(source, own=["--", "x=0", "y=0"])
    expect(code == 1 and "the program is not started: with x=2, y=1: assertion failed" in err, code, out, err)
    code, out, err = run(under.mazurka, "replay", "not_for_all.mzt", cwd=under.directory)
    expect(code == 1 and "x=2, y=1" in out, code, out, err)


def inputs_without_a_verifier(under):
    """A program that nobody keeps to a plan reads them, too, compiled by us or by anybody."""
    source = under.path("inputs.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(INPUTS)
    include = os.path.abspath("include")
    for compiler in ([under.mazurka, "cc"], ["cc", "-I", include, "-pthread"]):
        code, _, err = run(*compiler, "inputs.c", "-o", "inputs", cwd=under.directory)
        expect(code == 0, err)
        for arguments, wanted in ((["threads=2", "--n=3"], (0, "6\n")), (["threads=2", "n=5"], (70, "")), (["threads=2"], (70, ""))):
            code, out, err = run("./inputs", *arguments, cwd=under.directory)
            expect((code, out) == wanted and ("'n'" in err) == (code == 70), compiler, arguments, code, out, err)


LATE_INPUT = """\
#include <mazurka.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    sum += mz_choose(0, 2);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    int start = mz_choose(0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    mz_assert(sum <= 4 + start);
    return 0;
}
"""


def choices(under):
    """mz_choose takes any value when nothing is given; a choice in the middle has no plan until all is verified."""
    source = under.path("late.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(LATE_INPUT)
    code, out, err = run(under.mazurka, "plan", source, "-o", "no.mzs", "--traces=1", cwd=under.directory)
    expect(code == 3 and "chooses, or reads an input, after its first operation: choose1." in out and "late.c:8" in out, code, out, err)
    plan = under.plan(source)
    runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1")
    expect(plan and endings == {"exit code 0": runs}, endings, err)
    code, _, err = under.run(source, f"--plan={plan}", own=["--", "choose1=2"])
    expect(code == 70 and "input 'choose1', a number from 0 to 1, is given as '2'" in err, code, err)


# ---- how programs end ---------------------------------------------------------------------------------------------------------

ENDINGS = """\
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (getenv("MAZURKA_PLAN"))
        return 99;
    printf("%d arguments, %s\\n", argc - 1, argv[1]);
    fflush(stdout);
    fprintf(stderr, "to standard error\\n");
    if (argc > 2)
        abort();
    return 3;
}
"""


def endings(under):
    """Output, arguments, exit codes and signals of the program are ours; it does not inherit the plan."""
    source = under.path("endings.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(ENDINGS)
    plan = under.plan(source, "--traces=1", own=["--", "x"])
    for how in ([f"--plan={plan}"], ["--plan=none"], []):
        code, out, err = under.run(source, *how, own=["--", "x"])
        expect((code, out, err) == (3, "1 arguments, x\n", "to standard error\n"), how, code, out, err)
    code, out, _ = under.run(source, "--plan=none", own=["--", "x", "y"])
    expect((code, out) == (-signal.SIGABRT, "2 arguments, x\n"), code, out)


SLEEPER = """\
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    printf("%d\\n", (int)getpid());
    fflush(stdout);
    sleep(600);
    return 0;
}
"""


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def children(process):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def wait_until(condition, what):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"for 30 s in vain: {what}")


def signals(under):
    """A signal for us is one for the program; we end as it does; nothing is left."""
    source = under.path("sleeper.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SLEEPER)
    for sent, to_program in ((signal.SIGTERM, False), (signal.SIGINT, False), (signal.SIGKILL, True), (signal.SIGUSR1, True)):
        with subprocess.Popen([under.mazurka, "run", source], stdout=subprocess.PIPE, text=True, cwd=under.directory) as process:
            program = int(process.stdout.readline())
            os.kill(program if to_program else process.pid, sent)
            wait_until(lambda: process.poll() is not None, "the end of mazurka run")
            expect(process.returncode == -sent, sent, process.returncode)
            wait_until(lambda: not is_alive(program), "the end of the program")
        expect(os.listdir(under.directory) == ["sleeper.c"], os.listdir(under.directory))


def supervisor_killed(under):
    """The program goes on under the last plan; the verifier does not."""
    source = under.path("sleeper.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SLEEPER)
    with subprocess.Popen([under.mazurka, "run", source], stdout=subprocess.PIPE, text=True, cwd=under.directory) as process:
        program = int(process.stdout.readline())
        beside = [child for child in children(process.pid) if child != program]
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        try:
            for child in beside:
                wait_until(lambda child=child: not is_alive(child), "the end of the verifier")
            expect(is_alive(program), "the program has ended")
        finally:
            os.kill(program, signal.SIGKILL)


LONG = """\
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counts[2];
static void *work(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&locks[i % 2]);
        counts[i % 2]++;
        pthread_mutex_unlock(&locks[i % 2]);
    }
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    puts("begun");
    fflush(stdout);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    sleep(2);
    return counts[0] + counts[1] == 3 * ROUNDS ? 5 : 1;
}
"""


def write_long(under):
    source = under.path("long.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(LONG)
    return source


def shrinks(under):
    """While the program runs, the prefix becomes shorter, never longer."""
    code, out, err = under.run(write_long(under), "--status", "-DROUNDS=5")
    left = [int(events) for events in re.findall(r"constraints left, on (\d+) of 30 events", err)]
    expect((code, out) == (5, "begun\n"), code, out, err)
    expect(len(set(left)) > 1 and left == sorted(left, reverse=True), err)


def prefix_in_memory(process):
    """What the running program reads at this moment (wire/symbolic.h, wire/plan.h); None: it has no plan yet."""
    try:
        with open(f"/proc/{process}/maps", encoding="utf-8") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
            mapped = [int(line.split("-")[0], 16) for line in maps if "memfd:mazurka-plan" in line]
            return read_prefix(memory, mapped[0]) if mapped else None
    except OSError: # it has ended
        return None


def read_prefix(memory, image):
    def number(format, place):
        memory.seek(place)
        return struct.unpack(format, memory.read(struct.calcsize(format)))[0]

    if number("<Q", image) == 0: # not written yet
        return None
    plans = image + number("<Q", image + 56)
    return number("<I", image + number("<Q", plans) + 64)


def shrinks_in_memory(under):
    """The same, read from the plan itself."""
    command = [under.mazurka, "run", "-DROUNDS=5", write_long(under)]
    seen = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=under.directory) as process:
        while process.poll() is None:
            prefix = prefix_in_memory(process.pid)
            if prefix is not None:
                seen.append(prefix)
            time.sleep(0.001)
        expect(process.returncode == 5, process.returncode, process.stderr.read())
    expect(len(set(seen)) > 1 and seen == sorted(seen, reverse=True), sorted(set(seen)))


def verifier_killed(under):
    """The program goes on under the last plan, and its exit code is ours."""
    command = [under.mazurka, "run", "-DROUNDS=30", write_long(under)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=under.directory) as process:
        process.stdout.readline()
        for child in children(process.pid):
            with open(f"/proc/{child}/cmdline", encoding="utf-8") as file:
                if file.read().startswith(under.mazurka):
                    os.kill(child, signal.SIGKILL)
        _, err = process.communicate(timeout=SECONDS)
        expect(process.returncode == 5, process.returncode, err)


TESTS = [bank, thread_pool, dekker, aba_stack, first_traces, trials, trials_that_hang, bench_rows, fixed_programs, aliasing, where_inputs_come_from,
         not_for_all_inputs, inputs_without_a_verifier, choices, set_for_bank, set_for_branch, sets_for_others, set_for_safe_program,
         set_for_different_operations, set_and_other_code, divergence, more_or_less, overtaking, main_ends_early, same_program, linked_with_races, counterexample, endings, signals,
         supervisor_killed, shrinks, shrinks_in_memory, verifier_killed]


def in_loops(test):
    """One of run_loops.py, with the example that it may be about."""
    def loop_test(under):
        test(under, example("server.c"))
    loop_test.__name__ = f"loops: {test.__name__}"
    return loop_test


def tests(build):
    for test in TESTS + [in_loops(test) for test in run_loops.TESTS]:
        with tempfile.TemporaryDirectory() as directory:
            try:
                test(Under(build, directory))
            except (AssertionError, ValueError) as trouble:
                yield test.__name__, f"{type(trouble).__name__}: {trouble}"
                continue
        yield test.__name__, None
    todo = list(suitable("safe"))
    yield from native_tests(build, todo, keeps_to_plan, len(todo) * 2 // 3, "plans")
    yield from native_tests(build, list(suitable("unsafe")), keeps_to_set, 80, "constraint sets")
