"""Safe execution of programs that do not end, for the suite `run`: constraints for each iteration of a loop that has a
boundary (mz_loop_boundary)."""

import fcntl
import os
import random
import re
import signal
import struct
import subprocess
import termios
import time

from under import example, expect

SECONDS = 400
FEW, MANY = 10_000, 1_000_000


def rule_and_waits(plan):
    with open(plan, encoding="utf-8") as file:
        text = file.read()
    expect(re.search(r"^rule iterations$", text, re.M), text)
    return re.findall(r"^event \d+ \d+ \S+ \S+ (\d\S*) ", text, re.M)


def program_of(mazurka):
    """The process that `mazurka run` has started."""
    with open(f"/proc/{mazurka}/task/{mazurka}/children", encoding="utf-8") as file:
        return int(file.read().split()[0])


def peak_memory(process):
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        return int(re.search(r"VmHWM:\s+(\d+) kB", file.read())[1])


def wait_until_read(process):
    """All that was written to it."""
    deadline = time.time() + SECONDS
    while process.poll() is None and struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, b"1234"))[0] > 0:
        expect(time.time() < deadline, "requests are left over")
        time.sleep(0.01)
    if process.poll() is not None:
        raise BrokenPipeError


def requests(count):
    """Deposits and withdrawals, at random but the same each time."""
    return "".join(f"{request}\n" for request in random.Random(1).choices((1, 2), k=count)).encode()


def linked(under, *options):
    program = under.path("program")
    done = subprocess.run([under.mazurka, "cc", "-O2", example("server.c"), "-o", program, *options], capture_output=True, text=True,
                          check=False)
    expect(done.returncode == 0, done.stderr)
    return program


def serve(under, program, plan, *parts):
    """Feed these requests to the program, one part after the other; its peak memory (kB) after each, its end, and what it said."""
    peaks = []
    with subprocess.Popen([under.mazurka, "run", f"--plan={plan}", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=under.directory) as process:
        try:
            for part in parts:
                process.stdin.write(part)
                process.stdin.flush()
                wait_until_read(process)
                peaks.append(peak_memory(program_of(process.pid)))
            out, err = process.communicate(b"0\n0\n", timeout=SECONDS)
        except BrokenPipeError: # it has ended
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError("the server has not stopped") from None
    return peaks, process.returncode, out.decode(), err.decode()


def server(under):
    """Fails sooner or later when it runs freely; under one constraint for each iteration it serves a million requests, in no
    more memory than it needed for the first of them, and stops when it is told to."""
    program = linked(under)
    codes = []
    while 0 in codes[-1:] or not codes:
        expect(len(codes) < 10, "no failure in free runs")
        codes.append(serve(under, program, "none", requests(MANY))[1])
    expect(codes[-1] in (-signal.SIGABRT, 128 + signal.SIGABRT), codes)
    plan = under.plan(program)
    expect(plan and len(rule_and_waits(plan)) == 1, plan and rule_and_waits(plan))
    started = time.time()
    (few, many), code, out, err = serve(under, program, plan, requests(FEW), requests(MANY - FEW))
    expect(code == 0 and re.match(r"closed with a balance of \d", out), code, out, err)
    expect(many <= few + 64, f"{few} kB after {FEW} requests, {many} kB after {MANY}")
    print(f"run: server: {MANY} requests in {time.time() - started:.0f} s, {few} and {many} kB", flush=True)


def fixed_server(under):
    """Nothing is to be constrained, and the iterations are still kept apart, as they were verified."""
    program = linked(under, "-DFIXED")
    plan = under.plan(program)
    expect(plan and not rule_and_waits(plan), plan)
    _, code, out, err = serve(under, program, plan, requests(FEW))
    expect(code == 0 and out.startswith("closed"), code, out, err)


def stopped_server(under):
    """A signal ends it, and `mazurka run` likewise."""
    program = linked(under)
    plan = under.plan(program)
    with subprocess.Popen([under.mazurka, "run", f"--plan={plan}", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          cwd=under.directory) as process:
        process.stdin.write(requests(100))
        process.stdin.flush()
        wait_until_read(process)
        child = program_of(process.pid)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=SECONDS) # there are no more requests, but they have no end either
    expect(process.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM), process.returncode)
    expect(not os.path.exists(f"/proc/{child}"), "the program is left over")


# Requests are drawn, and so is the end: runs can be repeated. The exit code is the program's.
DRAWN = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int level;
static void *worker(void *argument)
{
    do {
        mz_loop_boundary();
        if (mz_choose(0, 1) && atomic_load(&level) < LIMIT)
            atomic_fetch_add(&level, 1);
        else if (atomic_load(&level) > 0)
            atomic_fetch_sub(&level, 1);
        int now = atomic_load(&level);
        mz_assert(now >= 0 && now <= LIMIT);
    } while (mz_choose(0, 5));
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    return 7;
}
"""


def drawn(under):
    """Two and three workers, which end at different times: every run keeps to the plan, recorded operation by operation."""
    path = under.write("drawn.c", DRAWN)
    for workers in (2, 3):
        options = (f"-DWORKERS={workers}", "-DLIMIT=1")
        under.fails_freely(path, *options, runs=300, passes="exit code 7")
        plan = under.plan(path, *options, "--timeout=30s")
        expect(plan and rule_and_waits(plan), plan)
        runs, traces, endings, err = under.repeat(path, f"--plan={plan}", "--jitter=2", *options, runs=300)
        expect(endings == {"exit code 7": runs} and traces > 10, endings, traces, err)


# The same with accesses that race: they are kept in order, too.
RACY = """\
#include <mazurka.h>
#include <pthread.h>
static volatile int places = 1;
static void *worker(void *argument)
{
    do {
        mz_loop_boundary();
        if (places > 0) {
            places--;
            mz_assert(places >= 0);
            places++;
        }
    } while (mz_choose(0, 5));
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 7;
}
"""


def racy(under):
    """One constraint between plain accesses."""
    path = under.write("racy.c", RACY)
    under.fails_freely(path, runs=300, passes="exit code 7")
    plan = under.plan(path)
    expect(plan and len(rule_and_waits(plan)) == 1, plan and rule_and_waits(plan))
    runs, traces, endings, err = under.repeat(path, f"--plan={plan}", "--jitter=2", runs=300)
    expect(endings == {"exit code 7": runs} and traces > 10, endings, traces, err)


# Only main has a boundary: it passes when the workers wait for more.
QUEUE = """\
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t items;
static int queued, stop, served;
static int take(void)
{
#ifdef SEMAPHORE
    sem_wait(&items);
#endif
    pthread_mutex_lock(&lock);
#ifndef SEMAPHORE
    while (!queued && !stop)
        pthread_cond_wait(&ready, &lock);
#endif
    int any = queued > 0;
    queued -= any;
    served += any;
    pthread_mutex_unlock(&lock);
    return any;
}
static void *worker(void *argument)
{
    while (take())
        continue;
    return argument;
}
static void put(int items_to_come, int stops)
{
    pthread_mutex_lock(&lock);
    queued += items_to_come;
    stop = stops;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&lock);
#ifdef SEMAPHORE
    sem_post(&items);
    sem_post(&items);
#endif
}
int main(void)
{
    pthread_t threads[2];
    sem_init(&items, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    do {
        mz_loop_boundary();
        mz_assert(queued == 0 && served % 2 == 0);
        served = 0;
        put(2, 0);
    } while (mz_choose(0, 100));
    mz_loop_boundary();
    put(0, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 7;
}
"""


def queue(under):
    """The assertion holds because of the boundary alone: a free run fails. Who waits for a semaphore cannot be told from one
    that is about to go on: no plan."""
    path = under.write("queue.c", QUEUE)
    under.fails_freely(path, runs=50, passes="exit code 7")
    plan = under.plan(path)
    expect(plan and not rule_and_waits(plan), plan)
    runs, _, endings, err = under.repeat(path, f"--plan={plan}", "--jitter=2", runs=100)
    expect(endings == {"exit code 7": runs}, endings, err)
    done = subprocess.run([under.mazurka, "plan", "-DSEMAPHORE", path, "-o", under.path("none.mzs")], capture_output=True,
                          text=True, check=False, cwd=under.directory)
    expect(done.returncode == 3 and "no plan: at a loop boundary a thread waits otherwise" in done.stdout, done)


TESTS = [server, fixed_server, stopped_server, drawn, racy, queue]
