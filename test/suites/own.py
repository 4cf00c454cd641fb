"""Functions of the program's own with names of the library. Random programs in which each of many such names is defined in
some way or in none (in the same file, in another source, an object, an archive, weak, hidden, static elsewhere, in an archive
that comes too early to be asked) are linked by the plain compiler and run: which definitions were called is the truth. Checked,
run and built by `mazurka cc`, the same ones have to be called."""

import functools
import json
import os
import random
import re
import subprocess
import tempfile

import cases

SEEDS = 3
SAMPLE = 3
COMPILERS = ["gcc", "clang"]

HEADERS = """\
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
extern unsigned long hits;
extern pthread_mutex_t mutex;
extern pthread_spinlock_t spin;
extern pthread_rwlock_t rwlock;
extern pthread_once_t once;
extern sem_t semaphore;
extern mtx_t mtx;
extern cnd_t cnd;
extern char buffer[8], room[8192];
void nothing(void);
"""
OBJECTS = """\
unsigned long hits;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_spinlock_t spin;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;
sem_t semaphore;
mtx_t mtx;
cnd_t cnd;
char buffer[8] = "abc", room[8192];
void nothing(void) {}
volatile long sink;
"""
# What belongs together, (prototype, result) of each function, and the calls.
GROUPS = [
    ([("int usleep(useconds_t a)", "0")], "usleep(0)"),
    ([("unsigned sleep(unsigned a)", "0")], "sleep(0)"),
    ([("int nanosleep(const struct timespec *a, struct timespec *b)", "0")], "nanosleep(&(struct timespec){0, 1}, NULL)"),
    ([("long random(void)", "4")], "random()"),
    ([("int rand(void)", "4"), ("void srand(unsigned a)", "")], "srand(1), rand()"),
    ([("int sem_wait(sem_t *a)", "0"), ("int sem_post(sem_t *a)", "0")], "sem_post(&semaphore), sem_wait(&semaphore)"),
    ([("int sem_trywait(sem_t *a)", "0")], "sem_trywait(&semaphore)"),
    ([("int mtx_lock(mtx_t *a)", "0"), ("int mtx_unlock(mtx_t *a)", "0")], "mtx_lock(&mtx), mtx_unlock(&mtx)"),
    ([("int cnd_signal(cnd_t *a)", "0")], "cnd_signal(&cnd)"),
    ([("void thrd_yield(void)", "")], "thrd_yield()"),
    ([("int sched_yield(void)", "0")], "sched_yield()"),
    ([("int pthread_mutex_lock(pthread_mutex_t *a)", "0"), ("int pthread_mutex_unlock(pthread_mutex_t *a)", "0")],
     "pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex)"),
    ([("int pthread_spin_lock(pthread_spinlock_t *a)", "0"), ("int pthread_spin_unlock(pthread_spinlock_t *a)", "0")],
     "pthread_spin_lock(&spin), pthread_spin_unlock(&spin)"),
    ([("int pthread_rwlock_rdlock(pthread_rwlock_t *a)", "0"), ("int pthread_rwlock_unlock(pthread_rwlock_t *a)", "0")],
     "pthread_rwlock_rdlock(&rwlock), pthread_rwlock_unlock(&rwlock)"),
    ([("int pthread_once(pthread_once_t *a, void (*b)(void))", "0")], "pthread_once(&once, nothing)"),
    ([("time_t time(time_t *a)", "5")], "time(NULL)"),
    ([("pid_t getpid(void)", "5")], "getpid()"),
    ([("char *strcpy(char *a, const char *b)", "a")], "strcpy(room, buffer)"),
    ([("char *strncat(char *a, const char *b, size_t c)", "a")], "strncat(room, buffer, 2)"),
    ([("int puts(const char *a)", "1")], "puts(buffer)"),
    ([("void qsort(void *a, size_t b, size_t c, int (*d)(const void *, const void *))", "")], "qsort(buffer, 0, 1, NULL)"),
    ([("char *getenv(const char *a)", "NULL"), ("int setenv(const char *a, const char *b, int c)", "0")],
     'setenv("OWN", "1", 1), getenv("OWN")'),
    ([("int getopt(int a, char *const *b, const char *c)", "-1")], 'getopt(1, (char *[]){"own", NULL}, "a")'),
    ([("void insque(void *a, void *b)", "")], "insque((void *[2]){0}, NULL)"),
    ([("void *malloc(size_t a)", "room"), ("void free(void *a)", "")], "free(malloc(3))"),
]
WAYS = ["none", "same", "source", "object", "archive", "library", "early", "weak", "weak object", "hidden", "static", "both"]


def definition(group, number, words=""):
    functions, _ = group
    return "".join(f"{words}{prototype} {{ {marks(number)}return {result}; }}\n".replace("return ;", "return;")
                   for prototype, result in functions)


def use(functions):
    """What has a result is asked for it: calls of functions without effects might be left out otherwise."""
    return "" if any(prototype.startswith("void ") for prototype, _ in functions) else "sink = (long)"


def local(group, number):
    """The same names, known to nobody else."""
    text = ""
    for prototype, result in group[0]:
        name = re.search(r"(\w+)\(", prototype).group(1)
        hidden = prototype.replace(name + "(", f"local_{name}(", 1)
        text += f'static {hidden} __asm__("{name}");\n'
        text += definition(([(hidden, result)], ""), number, "__attribute__((used)) static ")
    return text


def marks(number):
    return f"hits |= 1ul << {number}; "


class Program:
    """Files, and where each is built into."""

    def __init__(self, seed):
        chance = random.Random(seed)
        self.ways = [chance.choice(WAYS) for _ in GROUPS]
        self.files = {"main.c": self.main(chance), "other.c": HEADERS, "object.c": HEADERS, "strong.c": HEADERS}
        self.archives = {"libarchive.a": {}, "liblibrary.a": {}, "libearly.a": {}}
        for number, (group, way) in enumerate(zip(GROUPS, self.ways)):
            self.place(group, number, way)

    def main(self, chance):
        calls = [f"    {use(functions)}({calls});\n" for functions, calls in GROUPS]
        chance.shuffle(calls)
        own = "".join(definition(group, number) for number, group in enumerate(GROUPS) if self.ways[number] == "same")
        return (HEADERS + OBJECTS + own + "static void *thread(void *a) { return a; }\n"
                "int main(void) {\n    pthread_t t;\n    pthread_create(&t, NULL, thread, NULL);\n"
                "    pthread_join(t, NULL);\n    pthread_spin_init(&spin, 0);\n    sem_init(&semaphore, 0, 1);\n"
                "    mtx_init(&mtx, mtx_plain);\n    cnd_init(&cnd);\n" + "".join(calls) +
                '#ifdef EXPECTED\n    assert(hits == EXPECTED);\n#else\n    fprintf(stderr, "%lu\\n", hits);\n#endif\n'
                "    return 0;\n}\n")

    def place(self, group, number, way):
        if way in ("source", "weak", "hidden"):
            words = {"source": "", "weak": "__attribute__((weak)) ", "hidden": '__attribute__((visibility("hidden"))) '}[way]
            self.files["other.c"] += definition(group, number, words)
        elif way == "static":
            self.files["other.c"] += local(group, number)
        elif way in ("object", "weak object"):
            self.files["object.c"] += definition(group, number, "__attribute__((weak)) " if way != "object" else "")
        elif way == "both":  # the strong one wins, though it comes later
            self.files["object.c"] += definition(group, number, "__attribute__((weak)) ").replace(marks(number), "")
            self.files["strong.c"] += definition(group, number)
        elif way in ("archive", "library", "early"):
            name = f"{way}{number}.c"
            self.files[name] = HEADERS + definition(group, number)
            self.archives[f"lib{way}.a"][name] = None


def run(directory, *words, code=0):
    done = subprocess.run(words, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=cases.HANG, check=False,
                          env=dict(os.environ, LC_ALL="C"))
    assert done.returncode == code, f"$ {' '.join(words)}\nexit code: expected {code}, got {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def build(program, directory, prefix, compile_words, flags):
    """Objects and archives made with that compiler: the words that follow those of the sources."""
    os.mkdir(os.path.join(directory, prefix))
    for name in program.files:
        if name not in ("main.c", "other.c"):
            run(directory, *compile_words, *flags, "-c", name, "-o", f"{prefix}{name[:-2]}.o")
    for archive, members in program.archives.items():
        run(directory, "ar", "rcs", prefix + archive, *(f"{prefix}{name[:-2]}.o" for name in ["strong.c", *members]))
        if members:  # the object that is only there to make an archive of
            run(directory, "ar", "d", prefix + archive, "strong.o")
    return [prefix + "object.o", prefix + "strong.o", prefix + "libarchive.a"], ["-L" + prefix, "-llibrary"]


def agree(mazurka, seed, compiler):
    program = Program(seed)
    flags = ["-w", "-O1", "-fno-builtin"]
    with tempfile.TemporaryDirectory() as directory:
        for name, text in program.files.items():
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)
        files, libraries = build(program, directory, "plain/", [compiler], flags)
        run(directory, compiler, *flags, "-pthread", "-o", "truth", "plain/libearly.a", "main.c", "other.c", *files, *libraries)
        hits = int(run(directory, "./truth").stderr)
        what = f"ways {dict((i, w) for i, w in enumerate(program.ways))}\nnatively {hits:b}"
        files, libraries = build(program, directory, "ours/", [mazurka, "cc", f"--cc={compiler}"], flags)
        inputs = ["ours/libearly.a", "main.c", "other.c", *files]
        options = [f"--cc={compiler}", f"--cflags={' '.join(flags)}", f"--ldflags={' '.join(libraries)}"]
        done = run(directory, mazurka, "check", "--json", *inputs, *options, f"-DEXPECTED={hits}ul")
        assert json.loads(done.stdout)["verdict"] == "safe", f"{what}\n{done.stdout}"
        run(directory, mazurka, "check", *inputs, *options, f"-DEXPECTED={hits ^ 1 << seed % len(GROUPS)}ul", code=1)
        run(directory, mazurka, "cc", "--without-plan=free", f"--cc={compiler}", *flags, "-o", "built", *inputs, *libraries)
        built = int(run(directory, "./built").stderr)
        assert built == hits, f"{what}\nbuilt    {built:b}"
        done = run(directory, mazurka, "check", "--json", "built")
        assert json.loads(done.stdout)["verdict"] == "safe", done.stdout
        # the number of a process is a premise, and another one in every run
        done = run(directory, mazurka, "run", "--waive=process", *inputs, *options)
        assert f"{hits}\n" in done.stderr, f"{what}\nrun: {done.stdout}{done.stderr}"


def tests(build_directory):
    mazurka = os.path.abspath(os.path.join(build_directory, "mazurka"))
    for seed in range(int(os.environ.get("OWN_SEEDS", SEEDS))):
        for compiler in COMPILERS:
            yield f"seed {seed} {compiler}", functools.partial(agree, mazurka, seed, compiler)
