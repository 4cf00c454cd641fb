"""What the suites and their runner (test/run.py) have in common.

A suite is a module with a function `tests(build)` that yields (name, case), case being a function without arguments. The
runner calls it in one of its worker processes. It returns what is wrong, None if nothing is, and may raise an exception
instead. Other things that it may return: SKIPPED; a list of (name, problem), for a program that has many tests; an Outcome.
A case that is known at once may be None or the problem itself.

Suites may set:
    SAMPLE        `make test` takes one case in so many; which ones is a matter of their names
    CPU_SECONDS   no process of a case may need more of them

Limits are in CPU time: on a machine that does other things, too, wall time says nothing. HANG is the wall time after which a
process is taken for one that waits for ever."""

import atexit
import fcntl
import math
import os
import shutil
import subprocess
import tempfile

HANG = 900
CPU_SECONDS = 60
ATTEMPTS = 3
SKIPPED = object()
ROTATION = None  # a number: of many cases that are alike a part is taken, another one for the next number


class Outcome:
    """A result, and a value for the Summary of the suite."""

    def __init__(self, value, problem=None):
        self.value, self.problem = value, problem


class Summary:
    """A case that comes after all others of its suite: of those whose value is (what, yes or no or a share), at least the share `least` has
    to say yes. Of a sample a few less may do so; but where most have to, never none."""

    def __init__(self, what, least):
        self.what, self.least = what, least

    def judge(self, values, is_sample):
        answers = [answer for what, answer in values if what == self.what]
        if is_sample and not answers:
            return None  # none of these cases is in the sample
        needed = self.least * len(answers)
        if is_sample:
            needed -= 2 * math.sqrt(needed * (1 - self.least))
        may_be_none = is_sample and self.least < 0.5
        good = sum(answers) >= needed and (may_be_none or sum(answers) > 0)
        return None if good else f"{self.what}: only {sum(answers)} of {len(answers)}"


def rotation_of_today():
    """The day of the last commit: one commit is always tested alike."""
    asked = subprocess.run(["git", "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
    return int(asked.stdout or 0) // (24 * 60 * 60)


def rotating(every, one_in):
    """Of many cases that are alike one in so many, another one each day, and never none; all of them without ROTATION."""
    every = list(every)
    if ROTATION is None or not every:
        return every
    return every[ROTATION % one_in::one_in] or [every[ROTATION % len(every)]]


def cannot(what):
    """A test needs a program that is not there. Where everything has been installed (.ci/run says so) that is a failure; elsewhere it is
    said, and the test is left out."""
    assert not os.environ.get("MAZURKA_TEST_ALL"), what
    print(what, flush=True)
    return SKIPPED


def timed(test):
    """A test that looks at the clock fails on a machine that is busy for a moment; one that fails each time is wrong."""
    def attempts():
        for left in range(ATTEMPTS - 1, -1, -1):
            try:
                problem = test()
            except Exception:  # whatever it complains about
                if left == 0:
                    raise
                continue
            if not problem:
                return problem
        return problem
    return attempts


def scratch():
    """A directory that is there until the end of the run."""
    directory, owner = tempfile.mkdtemp(), os.getpid()

    def remove():
        if os.getpid() == owner:
            shutil.rmtree(directory, ignore_errors=True)
    atexit.register(remove)
    return directory


def made_once(path, make):
    """The path of a file that several cases need, in whichever processes they are: the first one makes it."""
    with open(path + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(path):
            make(path + ".new")
            os.rename(path + ".new", path)
    return path
