"""What the parts of the suite `run` have in common: mazurka in a directory of its own, and programs to run there."""

import os
import re
import signal
import subprocess

import cases

SECONDS = cases.HANG
RUNS = 10
ALL = os.environ.get("RUN") == "all"  # not what is enough for every day, but everything
EXAMPLE_RUNS = 1000 if ALL else 400


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
        self.under_set = 0  # … how many runs had a constraint set that was found meanwhile

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def plan(self, source, *options, name="plan.mzs", own=()):
        """None if there is no plan for such a program."""
        code, _, err = run(self.mazurka, "plan", "--trace=none", source, *options, "-o", self.path(name), *own, cwd=self.directory)
        expect(code in (0, 1, 3), err)
        return self.path(name) if code == 0 else None

    def run(self, source, *options, own=()):
        return run(self.mazurka, "run", *options, source, *own, cwd=self.directory)

    def show(self, plan, *options):
        return run(self.mazurka, "show", plan, *options, cwd=self.directory)

    def repeat(self, source, *options, runs=RUNS, own=()):
        """(runs, different traces, {ending: number}, messages)"""
        _, out, err = self.run(source, f"--repeat={runs}", *options, own=own)
        match = re.match(r"(\d+) runs, (\d+) different traces(.*)", out)
        expect(match and "did not keep to the plan" not in out, out, err)
        self.waits = {int(thread): int(times) for thread, times in re.findall(r"thread (\d+) (\d+) times", out)}
        under_set = re.search(r"(\d+) runs under the constraint set", out)
        self.under_set = int(under_set[1]) if under_set else 0
        endings = {ending: int(number) for ending, number in re.findall(r"; ([a-z ]+ \d+): (\d+)", match[3])}
        return int(match[1]), int(match[2]), endings, err

    def fails_freely(self, source, *options, runs, passes="exit code 0"):
        _, _, endings, _ = self.repeat(source, "--plan=none", "--jitter=1", *options, runs=runs)
        expect(endings.get(passes, 0) < runs, f"no failure in {runs} free runs")


def is_set(plan):
    with open(plan, encoding="utf-8") as file:
        return re.search(r"^rule edges$", file.read(), re.M) is not None


def forget_program(plan):
    """Otherwise other code is refused before it runs."""
    with open(plan, encoding="utf-8") as file:
        text, replaced = re.subn(r"(?m)^image .*$", "image -", file.read())
    expect(replaced == 1, text)
    with open(plan, "w", encoding="utf-8") as file:
        file.write(text)


def example(name):
    return os.path.abspath(os.path.join("examples", "safe", name))


# It sleeps while it is run, and not at all while it is checked.
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
