"""How programs end, for the suite `run`: as they would alone, whoever is killed meanwhile."""

import os
import re
import signal
import struct
import subprocess
import time

from under import SECONDS, SLEEPER, expect


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
    source = under.write("endings.c", ENDINGS)
    plan = under.plan(source, "--max-traces=1", own=["--", "x"])
    for how in ([f"--plan={plan}"], ["--plan=none"], []):
        code, out, err = under.run(source, *how, own=["--", "x"])
        expect((code, out, err) == (3, "1 arguments, x\n", "to standard error\n"), how, code, out, err)
    code, out, _ = under.run(source, "--plan=none", own=["--", "x", "y"])
    expect((code, out) == (-signal.SIGABRT, "2 arguments, x\n"), code, out)


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
    source = under.write("sleeper.c", SLEEPER)
    for sent, to_program in ((signal.SIGTERM, False), (signal.SIGINT, False), (signal.SIGKILL, True), (signal.SIGUSR1, True)):
        with subprocess.Popen([under.mazurka, "run", "--waive=process", source], stdout=subprocess.PIPE, text=True, cwd=under.directory) as process:
            program = int(process.stdout.readline())
            os.kill(program if to_program else process.pid, sent)
            wait_until(lambda: process.poll() is not None, "the end of mazurka run")
            expect(process.returncode == -sent, sent, process.returncode)
            wait_until(lambda: not is_alive(program), "the end of the program")
        expect(os.listdir(under.directory) == ["sleeper.c"], os.listdir(under.directory))


STUCK = """\
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int count, go;
static void *work(void *argument)
{
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    while (!go)
        pthread_cond_wait(&never, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def verifiers(process):
    """Children that are copies of it, not compilers."""
    found = subprocess.run(["ps", "-o", "args=", "--ppid", str(process)], capture_output=True, text=True, check=False)
    return [words for words in found.stdout.splitlines() if " run " in words]


def signals_before_the_start(under):
    """Nothing is verified, and nothing will be: who is asked to end does so."""
    source = under.write("stuck.c", STUCK)
    for sent in (signal.SIGTERM, signal.SIGINT):
        with subprocess.Popen([under.mazurka, "run", "--trace=none", source], stderr=subprocess.PIPE, text=True, cwd=under.directory) as process:
            wait_until(lambda: verifiers(process.pid), "the verifier")
            time.sleep(0.5)
            os.kill(process.pid, sent)
            wait_until(lambda: process.poll() is not None, "the end of mazurka run")
            expect(process.returncode in (128 + sent, -sent), sent, process.returncode)  # -sent: it was still compiled
            said = process.stderr.read()
            expect(process.returncode == -sent or "a signal has ended it before the program was started" in said, said)


def supervisor_killed(under):
    """The program goes on under the last plan; the verifier does not."""
    source = under.write("sleeper.c", SLEEPER)
    with subprocess.Popen([under.mazurka, "run", "--waive=process", source], stdout=subprocess.PIPE, text=True, cwd=under.directory) as process:
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
    source = under.write("long.c", LONG)
    return source


def shrinks(under):
    """While the program runs, the prefix becomes shorter, never longer."""
    code, out, err = under.run(write_long(under), "--status", "-DROUNDS=5")
    left = [int(events) for events in re.findall(r"(\d+) of 30 operations in order", err)]
    expect((code, out) == (5, "begun\n"), code, out, err)
    expect(len(set(left)) > 1 and left == sorted(left, reverse=True), err)


def prefix_in_memory(process):
    """What the running program reads at this moment (wire/symbolic_format.h, wire/plan_format.h); None: it has no plan yet."""
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
        process.stdout.readline() # it runs: all of the plan is there
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


TESTS = [endings, signals, signals_before_the_start, supervisor_killed, shrinks, shrinks_in_memory, verifier_killed]
