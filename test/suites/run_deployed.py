"""Programs that are started by themselves, for the suite `run`: with a plan that they hold, that the environment names, or none."""

import os
import shutil
import signal
import subprocess

from under import SECONDS, SLEEPER, example, expect, run

NO_PLAN = "mazurka: there is no plan: schedules are not constrained (MAZURKA_PLAN=FILE names one)\n"


def start(under, program, *arguments, **variables):
    environment = {name: value for name, value in {**os.environ, "MAZURKA": under.mazurka, **variables}.items() if value is not None}
    done = subprocess.run([under.path(program), *arguments], cwd=under.directory, env=environment, timeout=SECONDS, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def link(under, *options, source="bank.c", output="bank"):
    """Exit code and messages of `mazurka cc`."""
    if not os.path.exists(under.path(source)):
        shutil.copy(example(source), under.path(source))
    code, _, err = run(under.mazurka, "cc", "-O2", *options, "-o", output, source, cwd=under.directory)
    return code, err


def planned(under, *options, source="bank.c", output="bank"):
    """The program, and a plan for it."""
    expect(link(under, "--without-plan=free", source=source, output=output)[0] == 0, "it is not linked")
    plan = under.plan(under.path(output), *options)
    expect(plan, "there is no plan")
    return plan


def without(under):
    """What a program does without a plan is decided when it is linked."""
    for word, expected in (("warn", (0, NO_PLAN)), ("free", (0, "")), (None, (0, NO_PLAN))):
        source = under.write("quiet.c", "int main(void) { return 0; }\n")
        expect(link(under, *([f"--without-plan={word}"] if word else []), source=os.path.basename(source), output="quiet")[0] == 0, word)
        code, out, err = start(under, "quiet")
        expect((code, err) == expected and out == "", word, code, out, err)
        code, _, err = start(under, "quiet", MAZURKA_PLAN="none")
        expect((code, err) == expected, word, code, err)
    link(under, "--without-plan=refuse", source="quiet.c", output="quiet")
    for variables in ({}, {"MAZURKA_PLAN": "none"}):
        code, _, err = start(under, "quiet", **variables)
        expect(code == 70 and "linked to refuse that" in err, code, err)
    code, _, err = under.run(under.path("quiet"), "--plan=none")
    expect(code == 0 and err == "", "mazurka run --plan=none decides by itself", code, err)
    code, err = link(under, "--without-plan=never", source="quiet.c")
    expect(code == 2 and "option --without-plan: unknown 'never'" in err, code, err)
    code, err = link(under, "--without-plan=free", "--plan=x.mzs", source="quiet.c")
    expect(code == 2 and "--plan does not go together with --without-plan" in err, code, err)


def embedded(under):
    """A program that holds its plan keeps to it, wherever it is."""
    plan = planned(under)
    under.fails_freely(under.path("bank"), runs=60)
    expect(link(under, f"--plan={plan}", output="safe") == (0, ""), "it is not linked")
    shutil.move(under.path("safe"), under.path("elsewhere"))
    os.remove(plan)
    for seed in range(60):
        code, _, err = start(under, "elsewhere", MAZURKA_JITTER=str(seed))
        expect((code, err) == (0, ""), seed, code, err)
    code, out, err = start(under, "elsewhere", "unexpected")
    expect(code == 70 and "argument 1 is 'unexpected', and was not there" in err, code, out, err)
    code, _, err = start(under, "elsewhere", MAZURKA_PLAN="none")
    expect("mazurka: MAZURKA_PLAN=none: schedules are not constrained\n" in err, code, err)
    code, _, err = run("strip", under.path("elsewhere"))
    code, _, err = start(under, "elsewhere")
    expect((code, err) == (0, ""), "stripped", code, err)


def other_code(under):
    """A plan for other code, or none at all, is not linked, and nothing is left."""
    plan = planned(under)
    code, err = link(under, "-DOTHER", "-O0", f"--plan={plan}", output="other")
    expect(code == 2 and "the plan is for another program" in err and not os.path.exists(under.path("other")), code, err)
    code, err = link(under, f"--plan={under.path('bank.c')}", output="other")
    expect(code == 2 and not os.path.exists(under.path("other")), code, err)
    code, err = link(under, "-c", f"--plan={plan}", output="bank.o")
    expect(code == 2 and "--plan is for linking" in err, code, err)


def damaged(under):
    """Without its section, a program that was linked to have a plan is not run without constraints."""
    plan = planned(under)
    link(under, f"--plan={plan}", output="safe")
    run("objcopy", "--remove-section=.mazurka.plan", under.path("safe"))
    code, _, err = start(under, "safe")
    expect(code == 70 and "the plan that the program was linked with cannot be read" in err, code, err)


def named(under):
    """MAZURKA_PLAN=FILE: it says what it does, and becomes itself under the plan, with its own process number."""
    plan = planned(under)
    for seed in range(20):
        code, _, err = start(under, "bank", MAZURKA_PLAN=plan, MAZURKA_JITTER=str(seed))
        expect(code == 0 and err == f"mazurka: MAZURKA_PLAN: keeps to the plan {plan}\n", seed, code, err)
    code, _, err = start(under, "bank", MAZURKA_PLAN=under.path("missing.mzs"))
    expect(code == 2 and "missing.mzs" in err, code, err)
    code, _, err = start(under, "bank", MAZURKA_PLAN=plan, MAZURKA="no-such-program")
    expect(code == 70 and "needs 'no-such-program', which could not be started" in err, code, err)
    code, out, err = under.run(under.path("bank"), "--exec")
    expect(code == 2 and "--exec" in err and "--plan" in err, code, out, err)


RACY = """\
#include <pthread.h>
#include <stdlib.h>
static int x;
static void *work(void *argument) { x = x + 1; return argument; }
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (x != 2)
        abort();
    return 0;
}
"""


def racy(under):
    """Where accesses race, the code that counts them holds the plan, or is what the named plan starts."""
    under.write("racy.c", RACY)
    plan = planned(under, source="racy.c", output="racy")
    expect(link(under, f"--plan={plan}", source="racy.c", output="safe")[0] == 0, "it is not linked")
    for seed in range(20):
        expect(start(under, "safe", MAZURKA_JITTER=str(seed))[0] == 0, "it holds the plan", seed)
        expect(start(under, "racy", MAZURKA_PLAN=plan, MAZURKA_JITTER=str(seed))[0] == 0, "it is given the plan", seed)
    expect(not [name for name in os.listdir("/tmp") if name.startswith("mazurka-") and is_ours(name)], "something is left")


def is_ours(name):
    """Left behind by a process that is gone: it would hold a program that counts accesses."""
    return os.path.exists(os.path.join("/tmp", name, "racy"))


def attached(under):
    """`mazurka attach` shows a running program's plan, its waits, its divergence."""
    def look(process):
        return run(under.mazurka, "attach", str(process))

    def start_sleeping(program, **variables):
        process = subprocess.Popen([under.path(program)], env={**os.environ, **variables}, cwd=under.directory, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        process.stdout.readline()  # it is at work
        return process

    under.write("sleeper.c", SLEEPER)
    plan = planned(under, "--waive=process", source="sleeper.c", output="sleeper")
    link(under, f"--plan={plan}", source="sleeper.c", output="safe")
    link(under, source="sleeper.c", output="unplanned")
    for program, variables, code, told in (("safe", {}, 0, ["keeps to its plan\n", f"plan         {plan}\n", "divergence   none\n"]),
                                           ("unplanned", {}, 3, ["runs without a plan"]),
                                           ("sleeper", {}, 2, ["shows nothing of a plan"])):
        with start_sleeping(program, **variables) as process:
            try:
                found, out, err = look(process.pid)
                expect(found == code and all(word in out + err for word in told), program, found, out, err)
            finally:
                os.killpg(process.pid, signal.SIGKILL)
    for word, told in (("bank", "no process: a number"), ("999999999", "there is none")):
        code, out, err = look(word)
        expect(code == 2 and told in err, code, out, err)


ALTERNATION = """\
#include <pthread.h>
enum { THREADS = 4, ROUNDS = 1000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return sum != THREADS * ROUNDS;
}
"""


def alternation(under):
    """Threads that hand over 4,000 times do not fall asleep each time, though there may be fewer processors than threads."""
    under.write("alternate.c", ALTERNATION)
    plan = planned(under, "--first-trace=round-robin", "--max-traces=1", source="alternate.c")
    expect(link(under, f"--plan={plan}", source="alternate.c", output="alternate") == (0, ""), "it is not linked")
    sleeps = []
    for _ in range(3):
        with subprocess.Popen([under.path("alternate")], stdin=subprocess.DEVNULL) as process:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        expect(process.returncode == 0, process.returncode)
        sleeps.append(used.ru_nvcsw)
    expect(min(sleeps) < 1000, f"it slept {sleeps} times")


TESTS = [alternation, without, embedded, other_code, damaged, named, racy, attached]
