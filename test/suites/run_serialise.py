"""What becomes of programs that leave verified ground, for the suite `run`: they go on with one thread at a time, and the next plan
is made from what they did."""

import os
import re
import signal
import subprocess

from run_deployed import link, planned, start
from under import SECONDS, expect, run

# Reads and writes in two sections: updates are lost unless nobody comes between. What is verified: two threads, one round each.
LOST = """\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, rounds;
static void *work(void *argument)
{
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        int old = shared;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        shared = old + 1;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(int argc, char **argv)
{
    pthread_t threads[4];
    rounds = argc > 1 ? atoi(argv[1]) : 1;
    int count = argc > 2 ? atoi(argv[2]) : 2;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    if (shared != count * rounds)
        abort();
    return 0;
}
"""
SERIALISE = "--on-divergence=serialise"
TOLD = "from now on one thread runs at a time\n"


def diverge(under, source, *options, runs=10, own=()):
    """{ending: number}, messages, of runs that leave their plan."""
    _, out, err = under.run(source, f"--repeat={runs}", SERIALISE, *options, own=["--", *own])
    match = re.match(r"(\d+) runs, \d+ different traces(.*)", out)
    expect(match and int(match[1]) == runs and TOLD in err, out, err)
    return {ending: int(number) for ending, number in re.findall(r"; ([a-z ]+ \d+): (\d+)", match[2])}, err


def one_at_a_time(under):
    """Other arguments than verified: it goes on, one thread at a time, and no update is lost, which many are otherwise."""
    source = under.write("lost.c", LOST)
    plan = under.plan(source)
    for arguments in (["40"], ["20", "4"]):
        _, _, endings, _ = under.repeat(source, "--plan=none", "--jitter=1", runs=20, own=["--", *arguments])
        expect(endings.get("signal 6", 0) > 0, "no update is lost", endings)
        endings, err = diverge(under, source, f"--plan={plan}", "--jitter=1", runs=20, own=arguments)
        expect(endings == {"exit code 0": 20}, endings, err)


def noticed_on_the_way(under):
    """More threads than verified: from the third one on."""
    source = under.write("lost.c", LOST)
    plan = under.plan(source, "--waive=arguments", own=["--", "3", "2"])
    code, _, err = under.run(source, f"--plan={plan}", own=["--", "3", "4"])
    expect(code == 70 and "it creates a thread that" in err and "; stopped" in err, code, err)
    endings, err = diverge(under, source, f"--plan={plan}", "--jitter=1", own=["3", "4"])
    expect(sum(endings.values()) == 10 and set(endings) <= {"exit code 0", "signal 6"} and TOLD in err, endings, err)


# All ways of waiting, with few threads: none of them may wait for one that has no turn.
WAITS = """\
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
enum { THREADS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t all;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t items;
static atomic_int go, polled, rounds;
static int queued, taken;
static void begin(void) { usleep(1000); }
static void *work(void *argument)
{
    long me = (long)argument;
    pthread_once(&once, begin);
    for (int i = 0; i < atomic_load(&rounds); i++) {
        struct timespec soon;
        pthread_barrier_wait(&all);
        if (me == 0) {
            usleep(500);
            atomic_store(&go, i + 1);
        } else if (me == 1) {
            while (atomic_load(&go) <= i) /* polls, and changes nothing */
                ;
        } else {
            while (atomic_load(&go) <= i) /* polls, and changes something */
                atomic_fetch_add(&polled, 1);
        }
        pthread_mutex_lock(&lock);
        if (me == 0) {
            queued += 2;
            usleep(200); /* others want the lock meanwhile */
            pthread_cond_broadcast(&more);
        }
        while (me != 0 && queued == 0)
            pthread_cond_wait(&more, &lock);
        if (me != 0)
            queued--, taken++;
        pthread_mutex_unlock(&lock);
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec = (soon.tv_nsec + 1000000) % 1000000000;
        if (me == 0)
            sem_post(&items), sem_post(&items);
        else
            sem_wait(&items);
        if (me == 0)
            pthread_rwlock_wrlock(&table);
        else
            pthread_rwlock_rdlock(&table);
        usleep(100);
        pthread_rwlock_unlock(&table);
        pthread_spin_lock(&spin);
        sched_yield();
        pthread_spin_unlock(&spin);
        pthread_mutex_lock(&lock);
        pthread_cond_timedwait(&more, &lock, &soon);
        pthread_mutex_unlock(&lock);
        poll(NULL, 0, 5); /* nobody sees this wait */
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    (void)argv;
    atomic_store(&rounds, argc > 1 ? 2 : 0);
    sem_init(&items, 0, 0);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&all, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return taken == 2 * atomic_load(&rounds) ? 0 : 5;
}
"""


def nobody_is_forgotten(under):
    """Whatever a thread waits for, and if it only polls, the others have their turns, and it ends."""
    source = under.write("waits.c", WAITS)
    plan = under.plan(source, "--timeout=2s", "--max-traces=50")
    expect(plan, "there is no plan")
    for options in ([], ["--jitter=1"]):
        endings, err = diverge(under, source, f"--plan={plan}", *options, runs=1, own=["go"])
        expect(endings == {"exit code 0": 1}, endings, err)


def deployed(under):
    """A program that holds its plan goes on as it was linked to, and shows it."""
    under.write("lost.c", LOST)
    plan = planned(under, source="lost.c")
    expect(link(under, f"--plan={plan}", SERIALISE, source="lost.c", output="safe") == (0, ""), "it is not linked")
    for seed in range(5):
        code, _, err = start(under, "safe", "20", MAZURKA_JITTER=str(seed))
        expect(code == 0 and err.endswith(TOLD), seed, code, err)
    with subprocess.Popen([under.path("safe"), "100000000"], stderr=subprocess.PIPE, text=True) as program:
        expect(program.stderr.readline().endswith(TOLD), "it says nothing")
        code, out, err = run(under.mazurka, "attach", str(program.pid))
        program.send_signal(signal.SIGKILL)
        expect(code == 3 and "left verified ground: one thread runs at a time" in out and "argument 1 is '100000000'" in out, code, out, err)
        program.wait(timeout=SECONDS)


def learned(under):
    """A run that was none of the plan is recorded, a plan is made from it, and the next such run keeps to that."""
    source, record = under.write("lost.c", LOST), under.path("run.rec")
    plan = under.plan(source)
    code, _, err = under.run(source, f"--plan={plan}", SERIALISE, f"--record={record}", own=["--", "5", "3"])
    expect(code == 0 and TOLD in err, code, err)
    code, out, err = run(under.mazurka, "plan", source, f"--learn={record}", "-o", under.path("next.mzs"), "--max-traces=20", "--trace=none")
    expect(code == 0 and "the recorded run is one that it allows" in out and "argument '5'" in out, code, out, err)
    runs, _, endings, err = under.repeat(source, f"--plan={under.path('next.mzs')}", "--jitter=1", own=["--", "5", "3"])
    expect(endings == {"exit code 0": runs} and err == "", endings, err)
    code, out, err = run(under.mazurka, "plan", source, f"--learn={record}", "-o", under.path("next.mzs"), "--", "6")
    expect(code == 2 and "is of a run with other arguments" in err, code, err)
    with open(record, encoding="utf-8") as file:
        text = file.read()
    for wrong, told in ((text.replace("mazurka-record 1", "mazurka-record 9"), "version"), (text.replace("lock", "look"), "no operation"),
                        (re.sub(r"(?m)^begin 1 ", "begin x ", text), "a thread"), ("hello\n", "mazurka-record")):
        under.write("wrong.rec", wrong)
        code, out, err = run(under.mazurka, "plan", source, f"--learn={under.path('wrong.rec')}", "-o", under.path("next.mzs"))
        expect(code == 2 and told in err and "wrong.rec:" in err, code, out, err)


RACY = """\
#include <pthread.h>
#include <stdlib.h>
static int x;
static void *work(void *argument)
{
    for (int i = 0; i < *(int *)argument; i++)
        x = x + 1;
    return NULL;
}
int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &rounds);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (x != 2 * rounds)
        abort();
    return 0;
}
"""


def learned_races(under):
    """Plain accesses that race have turns, too, and are learned: a plan that excludes the bug, which the recorded run has not."""
    source, record = under.write("racy.c", RACY), under.path("racy.rec")
    plan = under.plan(source)
    endings, err = diverge(under, source, f"--plan={plan}", "--jitter=1", own=["30"])
    expect(endings == {"exit code 0": 10}, endings, err)
    code, _, err = under.run(source, f"--plan={plan}", SERIALISE, f"--record={record}", own=["--", "3"])
    expect(code == 0, code, err)
    code, out, err = run(under.mazurka, "plan", source, f"--learn={record}", "-o", under.path("next.mzs"), "--trace=none")
    expect(code == 0 and "the recorded run is one that it allows" in out, code, out, err)
    runs, _, endings, err = under.repeat(source, f"--plan={under.path('next.mzs')}", "--jitter=1", runs=30, own=["--", "3"])
    expect(endings == {"exit code 0": runs} and err == "", endings, err)


TESTS = [one_at_a_time, noticed_on_the_way, nobody_is_forgotten, deployed, learned, learned_races]
