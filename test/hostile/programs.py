"""Hostile programs, the same every time: the kernels of this directory in several places of a small program, calls that cannot
be checked, and mutants of the good programs in test/native. README.md says what they are for."""

import glob
import os
import random
import re

HERE = os.path.dirname(os.path.abspath(__file__))

PLACES = ["before", "one", "both", "after", "constructor"]
CODES = {"safe": 0, "unsafe": 1, "refused": 2, "incomplete": 3}

HEADER = """\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <stdatomic.h>
"""

HEADER_CPP = """\
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>
using std::atomic_int;
"""

FRAME = """
enum place { before, one, both, after, constructor };

static pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;
static int the_count;
static atomic_int the_end;

static void *work(void *number)
{
    pthread_mutex_lock(&the_lock);
    the_count++;
    pthread_mutex_unlock(&the_lock);
    if (PLACE == both || (PLACE == one && number))
        act();
    the_end++;
    return NULL;
}

__attribute__((constructor)) static void early(void)
{
    if (PLACE == constructor)
        act();
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    (void)argc;
    (void)argv;
    if (PLACE == before)
        act();
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, &threads[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (PLACE == after)
        act();
    return 0;
}
"""


class Program:
    """`verdicts`: those that are right. `twice`: two algorithms have to agree on it."""

    def __init__(self, name, source, verdicts, cxx=False, twice=False):
        self.name, self.source, self.verdicts, self.cxx, self.twice = name, source, verdicts, cxx, twice

    def allows(self, code, kinds):
        """Is this exit code right, with errors of these kinds?"""
        if self.name.endswith("in both threads") and code == CODES["unsafe"] and kinds == ["data-race"]:
            return True  # two threads do it at the same time
        return code in {CODES[verdict] for verdict in self.verdicts}


# ---- kernels --------------------------------------------------------------------------------------------------


def kernels():
    """(name, verdicts, code, is it C++)"""
    for path in sorted(glob.glob(os.path.join(HERE, "*.kernels"))):
        with open(path, encoding="utf-8") as file:
            parts = re.split(r"^/// ", file.read(), flags=re.M)[1:]
        for part in parts:
            line, _, code = part.partition("\n")
            match = re.fullmatch(r"(\w+): (\w+(?: or \w+)*) because .*", line)
            if not match or not set(match[2].split(" or ")) <= set(CODES):
                raise ValueError(f"{path}: '/// {line}' is not understood")
            yield match[1], match[2].split(" or "), code, path.endswith(".cpp.kernels")


def place_kernel(name, verdicts, code, cxx, place):
    words = {"before": "before the threads", "one": "in one thread", "both": "in both threads", "after": "after the threads",
             "constructor": "in a constructor"}
    source = (HEADER_CPP if cxx else HEADER) + code + f"#define PLACE {place}\n" + FRAME
    return Program(f"{name} {words[place]}", source, verdicts, cxx)


# ---- calls that cannot be checked -----------------------------------------------------------------------------

CALLS = {
    "fork()": "unistd.h", "vfork()": "unistd.h", 'execl("/bin/true", "true", (char *)0)': "unistd.h", 'system("true")': "stdlib.h",
    'popen("true", "r")': "stdio.h", "kill(getpid(), 9)": "signal.h", "raise(11)": "signal.h", "alarm(1)": "unistd.h",
    "signal(11, 0)": "signal.h", "sigaction(11, 0, 0)": "signal.h", "sigprocmask(0, 0, 0)": "signal.h",
    "pthread_sigmask(0, 0, 0)": "signal.h", "pthread_kill(pthread_self(), 9)": "signal.h", "sigaltstack(0, 0)": "signal.h",
    "setrlimit(0, 0)": "sys/resource.h", "prctl(1)": "sys/prctl.h", "ptrace(0)": "sys/ptrace.h", "syscall(231, 0)": "unistd.h",
    "mmap(0, 4096, 3, 34, -1, 0)": "sys/mman.h", "munmap(0, 4096)": "sys/mman.h", "mprotect(0, 4096, 0)": "sys/mman.h",
    "brk(0)": "unistd.h", "sbrk(4096)": "unistd.h", 'dlopen("x", 1)': "dlfcn.h", 'dlsym(0, "mz__w")': "dlfcn.h",
    "socket(1, 1, 0)": "sys/socket.h", "pipe(0)": "unistd.h", "dup2(1, 2)": "unistd.h", "setcontext(0)": "ucontext.h",
    "getcontext(0)": "ucontext.h", 'shm_open("x", 0, 0)': "sys/mman.h", 'unlink("x")': "unistd.h", "waitpid(-1, 0, 0)": "sys/wait.h",
    "setitimer(0, 0, 0)": "sys/time.h", "clone(0, 0, 0, 0)": "sched.h", "unshare(0)": "sched.h", "personality(0)": "sys/personality.h",
    "pthread_attr_setstack(0, 0, 0)": "pthread.h", 'freopen("x", "w", stdout)': "stdio.h", "malloc_trim(0)": "malloc.h",
}


# Those that are answered in the program's own world, and what comes of it.
ANSWERED = {"kill(getpid(), 9)": "unsafe", "raise(11)": "unsafe", "pthread_kill(pthread_self(), 9)": "unsafe", "alarm(1)": "incomplete",
            "mmap(0, 4096, 3, 34, -1, 0)": "safe", "munmap(0, 4096)": "unsafe", "signal(11, 0)": "safe", "sigaction(11, 0, 0)": "safe", "sigprocmask(0, 0, 0)": "safe", "pthread_sigmask(0, 0, 0)": "safe",
            'unlink("x")': "safe", "syscall(231, 0)": "incomplete"}  # which system call it is shows only when it is made


def refused_calls():
    for call, header in CALLS.items():
        source = f"#define _GNU_SOURCE\n#include <{header}>\n{HEADER}\nint main(void)\n{{\n    (void)!(long){call};\n    return 0;\n}}\n"
        yield Program(call, source, {ANSWERED.get(call, "refused")})


# ---- mutants --------------------------------------------------------------------------------------------------

REPLACEMENTS = [(r"pthread_mutex_unlock", "pthread_mutex_lock"), (r"pthread_mutex_lock", "pthread_mutex_unlock"),
                (r"\b1\b", "-1"), (r"\b0\b", "0x7fffffff"), (r"\b2\b", "200"), (r"<", ">="), (r"==", "!="), (r"\+\+", "--"),
                (r"&(\w)", r"(void *)\1"), (r"\*(\w)", r"**(void ***)\1"), (r"\bfree\b", "abort(), free"), (r"sizeof", "1000 * sizeof"),
                (r"while", "if"), (r"if", "while"), (r"pthread_join", "pthread_detach((pthread_t)3), pthread_join"),
                (r"return", "*(volatile int *)16 = 1; return"), (r"\bNULL\b", "(void *)-1")]


def mutate(lines, generator):
    """One line of the program becomes another, is left out, or comes twice."""
    candidates = [i for i, line in enumerate(lines) if re.search(r"\w+ ?[(=]|\+\+|return", line) and not line.startswith(("//", "#"))]
    at = generator.choice(candidates)
    kind = generator.randrange(4)
    if kind == 0:
        lines[at] = ";"
    elif kind == 1:
        lines.insert(at, lines[at])
    else:
        pattern, other = generator.choice([(p, o) for p, o in REPLACEMENTS if re.search(p, lines[at])] or [(r"$", ";")])
        lines[at] = re.sub(pattern, other, lines[at], count=1)
    return lines


def mutants(count):
    """Of each that compiles nobody knows what is right: it must be the same for two algorithms."""
    generator = random.Random(1)
    paths = sorted(glob.glob(os.path.join(HERE, "..", "native", "*.c")))
    for number in range(count):
        path = generator.choice(paths)
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for _ in range(generator.randrange(1, 4)):
            lines = mutate(lines, generator)
        yield Program(f"mutant {number} of {os.path.basename(path)}", "\n".join(lines), set(CODES), twice=True)


# ---- all of them ----------------------------------------------------------------------------------------------


def programs():
    for name, verdicts, code, cxx in kernels():
        for place in PLACES:
            yield place_kernel(name, verdicts, code, cxx, place)
    yield from refused_calls()
    yield from mutants(200)


def sample():
    """Every second kernel in one place (another one for the next), some calls, some mutants."""
    for number, (name, verdicts, code, cxx) in enumerate(kernels()):
        if number % 2 == 0:
            yield place_kernel(name, verdicts, code, cxx, PLACES[number // 2 % len(PLACES)])
    yield from list(refused_calls())[::4]
    yield from mutants(10)
