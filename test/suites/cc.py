"""From sources to something that can be checked: a small project built with `make CC="mazurka cc"`, its objects, archive and
program given to `mazurka check`; compilers, compile options, names with blanks, and what is refused."""

import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

import cases

SECONDS = cases.HANG
SAMPLE = 4

FILES = {
    "include/counter.h": """\
#ifndef COUNTER_H
#define COUNTER_H
void counter_add(int amount);
int counter_value(void);
#endif
""",
    "counter.c": """\
#include "counter.h"

#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void counter_add(int amount)
{
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    value += amount;
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
}

int counter_value(void)
{
    return value;
}
""",
    "main.c": """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "counter.h"

#ifndef STEP
#define STEP 1
#endif

static void *worker(void *argument)
{
    counter_add(STEP);
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter_value() == (argc > 1 ? atoi(argv[1]) : 2));
    return 0;
}
""",
    "Makefile": """\
CFLAGS = -O2 -Wall -Iinclude -MMD

program: main.o libcounter.a
\t$(CC) $(CFLAGS) -o $@ main.o -L. -lcounter -pthread
libcounter.a: counter.o
\t$(AR) rcs $@ $^
libwhole.a: main.o counter.o
\t$(AR) rcs $@ $^
""",
    "fork.c": """\
#include <unistd.h>

int main(void)
{
    return fork() == 0;
}
""",
    "wrong.c": """\
int main(void)
{
    return undeclared;
}
""",
}
ASSERTION = FILES["main.c"].split("\n").index(next(line for line in FILES["main.c"].split("\n") if "assert(c" in line)) + 1


class Project:
    """The files above in a directory of their own."""

    def __init__(self, build, directory):
        self.mazurka, self.directory = os.path.abspath(os.path.join(build, "mazurka")), directory
        for name, text in FILES.items():
            self.write(name, text)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, *words, code=0, **environment):
        """Output of a command; complains as AssertionError."""
        run = subprocess.run(words, cwd=self.directory, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=SECONDS, check=False, env=dict(os.environ, LC_ALL="C", **environment))
        assert run.returncode == code, \
            f"$ {' '.join(words)}\nexit code: expected {code}, got {run.returncode}\n{run.stdout}{run.stderr}"
        return run

    def cc(self, *words, code=0, **environment):
        return self.run(self.mazurka, "cc", *words, code=code, **environment)

    def make(self, *words, compiler="cc"):
        return self.run("make", f"CC={self.mazurka} {compiler}", *words)

    def check(self, *words, code=0):
        """The JSON result."""
        return json.loads(self.run(self.mazurka, "check", "--json", *words, code=code).stdout)

    def safe(self, *words):
        result = self.check(*words)
        assert (result["verdict"], result["traces"], result["reason"]) == ("safe", 2, ""), f"{words}: {result}"

    def unsafe(self, kind, line, *words):
        result = self.check(*words, code=1)
        (error,) = result["errors"]
        assert (error["kind"], error["line"]) == (kind, line), f"{words}: {error}"
        return error

    def refused(self, *words):
        """Standard error; nothing is on standard output."""
        run = self.run(self.mazurka, "check", *words, code=2)
        assert run.stdout == "", f"{words}: {run.stdout}"
        return run.stderr


def expect(text, pattern):
    assert re.search(pattern, text, re.MULTILINE), f"expected: {pattern}\ngot: {text}"


# ---- a project with a Makefile ----------------------------------------------------------------------------


def make_objects(p):
    p.make()
    p.safe("main.o", "counter.o")
    p.unsafe("assertion", ASSERTION, "main.o", "counter.o", "--", "3")


def make_archive(p):
    p.make()
    p.safe("main.o", "libcounter.a")
    p.safe("main.c", "libcounter.a", "-Iinclude")
    p.make("libwhole.a") # main, too
    p.safe("libwhole.a")


def make_program(p):
    p.make()
    p.safe("program")
    p.safe("./program", "--", "2")
    error = p.unsafe("assertion", ASSERTION, "program", "--", "3")
    assert error["file"] == "main.c", error


def program_runs(p):
    """What was linked is an ordinary program, too: of sources and of objects, with its arguments and exit codes."""
    p.cc("-O2", "-Iinclude", "main.c", "counter.c", "-o", "from_sources")
    p.cc("-c", "-Iinclude", "main.c", "counter.c")
    p.cc("main.o", "counter.o", "-o", "from_objects")
    for name in ("from_sources", "from_objects"):
        p.run(p.path(name), "2")
        p.run(p.path(name), "3", code=-signal.SIGABRT)
        p.safe(p.path(name))


def thread_locals_are_linked(p):
    """The linker knows the call that looks for a thread-local variable by the instruction before it: in a loop, where dead
    registers are cleared before calls, nothing may come in between."""
    p.write("locals.c", "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
                        "static atomic_int turn;\nstatic _Thread_local int mine;\n"
                        "static void *counts(void *arg) {\n  int before = 0;\n  for (int i = 0; i < 2; i++) {\n"
                        "    int seen = atomic_load(&turn);\n    mine += before + 1;\n    before = seen - seen;\n  }\n"
                        "  assert(mine == 2);\n  return arg;\n}\nint main(void) {\n  pthread_t t, u;\n  mine = 5;\n"
                        "  pthread_create(&t, NULL, counts, NULL);\n  pthread_create(&u, NULL, counts, NULL);\n"
                        "  turn = 1;\n  pthread_join(t, NULL);\n  return pthread_join(u, NULL);\n}\n")
    for level in ("-Og", "-O1", "-O2", None):
        p.cc(*([level] if level else []), "locals.c", "-o", "locals")
        p.run(p.path("locals"))
        assert p.check(p.path("locals"))["verdict"] == "safe"


def undeclared_functions(p):
    """Compilers know what malloc() returns without a declaration; we do, too, also where they say nothing of it."""
    p.write("old.c", "int main(void) {\n  int *p = (int *)malloc(4);\n  *p = 1;\n  free(p);\n  return 0;\n}\n")
    for words in ((), ("-w",), ("-std=gnu89",), ("-ansi",), ("-std=gnu89", "-w", "--cc=clang")):
        result = p.check("old.c", *words)
        assert result["verdict"] == "safe", f"{words}: {result}"


def make_with_macro(p):
    p.make("CFLAGS=-O2 -Iinclude -DBROKEN")
    error = p.unsafe("data-race", FILES["counter.c"].split("\n").index("    value += amount;") + 1, "program")
    assert error["file"] == "counter.c", error


def make_dependencies(p):
    """-MMD writes for which object, and after a change of the header make compiles again."""
    p.make()
    with open(p.path("counter.d"), encoding="utf-8") as rules:
        expect(rules.read(), r"^counter\.o: counter\.c include/counter\.h")
    assert "up to date" in p.make().stdout


def make_with_clang(p):
    if not shutil.which("clang"):
        return
    p.make(compiler="cc --cc=clang")
    p.safe("program")
    p.safe("main.o", "libcounter.a")


def make_plain_objects(p):
    """What an ordinary compiler has made is refused: object, archive, program."""
    p.run("make", "CC=gcc")
    expect(p.refused("main.o", "counter.o"), r"error: 'main\.o' was not compiled for checking$")
    expect(p.refused("main.c", "libcounter.a", "-Iinclude"), r"'counter\.o' in 'libcounter\.a' was not compiled for checking")
    hint = p.refused("program")
    expect(hint, r"'program' was not compiled for checking")
    expect(hint, r"hint: .*mazurka cc")


# ---- sources ------------------------------------------------------------------------------------------------


def several_sources(p):
    p.safe("main.c", "counter.c", "-Iinclude")
    p.safe("counter.c", "main.c", "-I", "include")
    p.unsafe("assertion", ASSERTION, "main.c", "counter.c", "-Iinclude", "-DBROKEN", "--check=assertions")


def source_and_object(p):
    p.cc("-Iinclude", "-c", "counter.c")
    p.safe("main.c", "counter.o", "-Iinclude")


def clang_sources(p):
    if not shutil.which("clang"):
        return
    p.safe("--cc=clang", "main.c", "counter.c", "-Iinclude")
    p.unsafe("data-race", 13, "--cc=clang", "main.c", "counter.c", "-Iinclude", "-DBROKEN")
    p.cc("-Iinclude", "-c", "counter.c", MAZURKA_CC="clang")
    p.safe("main.c", "counter.o", "-Iinclude")  # the two compilers go together


def definitions(p):
    p.unsafe("assertion", ASSERTION, "main.c", "counter.c", "-Iinclude", "-DSTEP=2")
    p.safe("main.c", "counter.c", "-Iinclude", "-D", "STEP=2", "--", "4")


def compile_flags(p):
    p.safe("main.c", "counter.c", "--cflags=-std=gnu11 -O2 -Iinclude -DSTEP=3", "--", "6")
    p.write("text.c", '#include <assert.h>\nint main(void)\n{\n    assert(sizeof TEXT == sizeof "x y");\n}\n')
    result = p.check("text.c", """--cflags=-DTEXT='"x y"'""")
    assert result["verdict"] == "safe", result
    p.unsafe("assertion", 4, "text.c", """--cflags=-DTEXT='"x  y"'""")


def link_flags(p):
    p.make("libcounter.a")
    p.safe("main.c", "-Iinclude", "--ldflags=-L. -lcounter")


def arguments(p):
    p.write("arguments.c", "#include <assert.h>\n#include <string.h>\nint main(int argc, char **argv)\n{\n    assert("
            'argc == 3 && strcmp(argv[1], "--json") == 0 && strcmp(argv[2], "two words") == 0 && !argv[3]);\n}\n')
    assert p.check("arguments.c", "--", "--json", "two words")["verdict"] == "safe"
    p.unsafe("assertion", 5, "arguments.c", "--", "two words")


def header(p):
    """One program with mazurka.h, under the checker and without it."""
    headers = os.path.abspath("include")
    p.write("chooses.c", "#include <mazurka.h>\nint main(void)\n{\n    int n = mz_choose(1, 4);\n    mz_assume(n != 2);\n"
            "    mz_assert(n != BAD);\n    return 0;\n}\n")
    result = p.check("chooses.c", "-DBAD=2", "-I" + headers)
    assert (result["verdict"], result["traces"], result["pruned"]) == ("safe", 3, 1), result
    p.unsafe("assertion", 6, "chooses.c", "-DBAD=4", "-I" + headers)
    p.run("gcc", "-DBAD=4", "-I" + headers, "-o", "chooses", "chooses.c")
    p.run("./chooses")


def names_with_blanks(p):
    p.write("the sources/my main.c", FILES["main.c"])
    p.write("the sources/my counter.c", FILES["counter.c"])
    p.write("my headers/counter.h", FILES["include/counter.h"])
    sources = ["the sources/my main.c", "the sources/my counter.c"]
    p.safe(*sources, "-Imy headers")
    p.safe(*sources, "--cflags=-I 'my headers'")
    p.cc("-Imy headers", "-c", *sources)
    p.safe("my main.o", "my counter.o")
    p.cc("my main.o", "my counter.o", "-o", "my program")
    p.safe("my program")
    error = p.unsafe("assertion", ASSERTION, "my program", "--", "7")
    assert error["file"] == "the sources/my main.c", error


# ---- functions of the program with names of the library (the suite own has random ones) ----------------------


OWN_LOCK = """\
#include <threads.h>

int mtx_lock(mtx_t *m) { (void)m; return thrd_success; }
int mtx_unlock(mtx_t *m) { (void)m; return thrd_success; }
"""
OWN_USER = """\
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int count;

static int worker(void *argument)
{
    mtx_lock(&m);
    count++;
    mtx_unlock(&m);
    return argument != 0;
}

int main(void)
{
    thrd_t t, u;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, worker, 0);
    thrd_create(&u, worker, 0);
    thrd_join(t, 0);
    thrd_join(u, 0);
    assert(count == 2);
    return 0;
}
"""


def own_functions(p):
    """A lock that does nothing, wherever it comes from; the library's if that is not asked for."""
    p.write("user.c", OWN_USER)
    p.write("lock.c", OWN_LOCK)
    p.cc("-c", "user.c", "lock.c")
    p.run("ar", "rcs", "liblock.a", "lock.o")
    p.check("user.c")
    for words in (["user.c", "lock.c"], ["user.c", "lock.o"], ["user.o", "lock.o"], ["user.o", "liblock.a"],
                  ["user.c", "--ldflags=-L. -llock"], ["lock.c", "user.c"]):
        p.unsafe("data-race", 10, *words)
    p.check("liblock.a", "user.o")  # too early: nobody has asked for it yet
    p.cc("user.o", "-L.", "-llock", "-o", "locks")
    p.unsafe("data-race", 10, "locks")


def own_allocator(p):
    p.write("own.c", "#include <stddef.h>\nstatic char room[64];\nvoid *malloc(size_t n) { return n < 64 ? room : NULL; }\n"
                     "void free(void *p) { (void)p; }\n")
    p.write("uses.c", "#include <assert.h>\n#include <stdlib.h>\nint main(void) { char *a = malloc(9), *b = malloc(9);\n"
                      "  assert(a == b); free(a); free(b); return 0; }\n")
    p.check("uses.c", "own.c")
    p.unsafe("assertion", 4, "uses.c")
    p.write("copies.c", "#include <stdlib.h>\n#include <string.h>\nint main(void) { free(strdup(\"a\")); return 0; }\n")
    expect(p.refused("copies.c", "own.c"), r"the program has its own 'malloc', which 'strdup' would call")


def foreign_parts(p):
    """What was compiled by another compiler is seen, however it came in."""
    p.write("sums.c", "int sum; void add(void) { sum++; }\n")
    p.write("adds.c", "#include <pthread.h>\nvoid add(void);\nstatic void *f(void *a) { add(); return a; }\n"
                      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); add(); pthread_join(t, 0); return 0; }\n")
    p.unsafe("data-race", 1, "adds.c", "sums.c")
    p.run("gcc", "-fPIC", "-c", "sums.c")
    p.run("ar", "rcs", "libsums.a", "sums.o")
    expect(p.refused("adds.c", "--ldflags=-L. -lsums"), r"'sums\.o' in 'libsums\.a' was not compiled for checking\n.*--allow=libsums\.a")
    p.cc("adds.c", "sums.o", "-o", "adds")
    expect(p.refused("adds"), r"'sums\.o' was not compiled for checking")
    p.run("gcc", "-fPIC", "-S", "sums.c")
    p.cc("adds.c", "sums.s", "-o", "adds")
    expect(p.refused("adds"), r"'sums\.s' was not compiled for checking")
    assert "libsums.a" in str(p.check("adds.c", "--ldflags=-L. -lsums", "--allow=libsums.a")["assumptions"])


# ---- shared libraries, options of the compiler ----------------------------------------------------------------


def shared_library(p):
    """It is linked by name or by -l, from objects or sources, and what it hides stays hidden."""
    p.write("hides.c", "#include <math.h>\n__attribute__((visibility(\"hidden\"))) int value = 5;\n"
                       "int chosen(void) { return 1; }\nint hides(void) { return value + (int)floor(sqrt(chosen())); }\n")
    p.write("asks.c", "#include <assert.h>\nint value = 7; int hides(void);\n#ifdef OWN\nint chosen(void) { return 4; }\n#endif\n"
                      "int main(void) { assert(hides() == EXPECTED && value == 7); return 0; }\n")
    p.cc("-c", "-fPIC", "hides.c")
    p.cc("-shared", "-Wl,-soname,libhides.so.1", "-o", "libhides.so", "hides.o", "-lm")
    p.check("asks.c", "-DEXPECTED=6", "libhides.so")
    p.check("asks.c", "-DEXPECTED=6", "-L.", "-lhides")
    p.check("asks.c", "-DEXPECTED=7", "-DOWN", "-L", ".", "-l", "hides")  # the program's own definition wins, also there
    p.cc("-shared", "-fPIC", "-Iinclude", "-o", "libcounter.so", "counter.c")
    p.safe("main.c", "-Iinclude", "libcounter.so")
    p.cc("-Iinclude", "main.c", "-L.", "-lcounter", "-Wl,-rpath,.", "-o", "program")
    p.run("./program")
    p.safe("program")
    p.unsafe("assertion", ASSERTION, "program", "--", "7")
    p.cc("-shared", "-fPIC", "-Iinclude", "-DBROKEN", "-o", "libbroken.so", "counter.c")
    p.unsafe("data-race", 13, "main.c", "-Iinclude", "libbroken.so")
    p.safe("libcounter.so", "--entry=counter_add(1),counter_add(2)", "-Iinclude", "-include", "counter.h")
    p.run("gcc", "-shared", "-fPIC", "-Iinclude", "-o", "libplain.so", "counter.c")
    expect(p.refused("main.c", "-Iinclude", "libplain.so"), r"'libplain\.so' was not compiled for checking")


def compiler_options(p):
    """As they are, without --cflags and --ldflags."""
    p.write("system/strange.h", "#define STRANGE 3\n")
    p.write("uses.c", "#include <math.h>\n#include <strange.h>\n#include <assert.h>\n#ifdef GONE\n#error\n#endif\n"
                      "#if __STDC_VERSION__ != 201112L || !__OPTIMIZE__\n#error\n#endif\nint main(void) { volatile double d = 9;\n"
                      "  assert(sqrt(d) == STRANGE); return 0; }\n")
    words = ["-O2", "-std=c11", "-Wall", "-Wextra", "-g3", "-fno-strict-aliasing", "-m64", "-pthread", "-isystem", "system", "-DGONE",
             "-UGONE", "-lm", "-L."]
    p.check("uses.c", *words)
    p.run(p.mazurka, "plan", "uses.c", "-o", "uses.mzs", *words)
    expect(p.refused("main.c", "-Iinclude", "counter.c", "-Werror", "-Wall", "-include", "absent.h"), r"absent\.h")


def compilers_of_one_word(p):
    for name, compiler, source in (("mazurka-cc", "gcc", "main.c"), ("mazurka-c++", "g++", "main.c")):
        wrapper = os.path.join(os.path.dirname(p.mazurka), name)
        assert p.run(wrapper, "--version").stdout == p.run(compiler, "--version").stdout
        p.run(wrapper, "-Iinclude", "-c", source, "counter.c")
    p.run(os.path.join(os.path.dirname(p.mazurka), "mazurka-cc"), "-Iinclude", "-c", "main.c", "counter.c")
    p.safe("main.o", "counter.o")


def compilers_for_cxx(p):
    """g++ and clang++ take every source for C++, but what a program gets of ours is C."""
    p.write("sorts.cc", "#include <cassert>\n#include <cstdlib>\n#include <thread>\nstatic int v[] = {3, 1, 2};\n"
                        "static int by(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
                        "int main() {\n  std::thread t([] { qsort(v, 3, sizeof *v, by); });\n#ifndef BROKEN\n  t.join();\n#endif\n"
                        "  assert(v[0] == 1);\n#ifdef BROKEN\n  t.join();\n#endif\n}\n")
    wrapper = os.path.join(os.path.dirname(p.mazurka), "mazurka-c++")
    for compiler in filter(shutil.which, ("g++", "clang++")):
        assert p.check(f"--cc={compiler}", "sorts.cc")["verdict"] == "safe"
        p.unsafe("assertion", 11, f"--cc={compiler}", "-DBROKEN", "sorts.cc")
        p.run(wrapper, "sorts.cc", "-o", "sorts", MAZURKA_CXX=compiler)
        assert p.check("sorts")["verdict"] == "safe"
        p.run(p.path("sorts"))
        p.cc(f"--cc={compiler}", "sorts.cc", "-o", "sorts")
        assert p.check("sorts")["verdict"] == "safe"


def optimiser_is_told(p):
    """Where races are no errors, what the optimiser may have done to them is said."""
    p.write("races.c", "#include <pthread.h>\n#include <assert.h>\nint x, y;\nstatic void *f(void *a) { x = 3; return a; }\n"
                       "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int l = x; y = l;\n  assert(y == x);\n"
                       "  pthread_join(t, 0); return 0; }\n")
    p.unsafe("assertion", 6, "races.c", "--races=ignore")
    p.write("known", "race:x # known\nrace:y # known\n")
    p.unsafe("assertion", 6, "races.c", "--suppressions=known")
    def told(*words):
        return any("optimiser (-O" in line for line in p.check(*words)["assumptions"])
    assert told("races.c", "--races=ignore", "-O2")
    p.cc("-O1", "-c", "races.c")
    assert told("races.o", "--races=report")
    assert not told("main.c", "-Iinclude", "counter.c", "-O2")
    p.cc("-c", "races.c")  # as any compiler, without an -O
    p.unsafe("assertion", 6, "races.o", "--races=ignore")


def plain_write_ends_release(p):
    """Who reads what another thread wrote plainly does not read from the release before it (C11: no release sequence)."""
    p.write("ends.c", "#include <pthread.h>\nint f, data;\n"
            "void *first(void *a) { data = 1; __atomic_store_n(&f, 1, __ATOMIC_RELEASE); return a; }\n"
            "void *second(void *a) { if (__atomic_load_n(&f, __ATOMIC_RELAXED) == 1)\n  WRITE;\n  return a; }\n"
            "void *third(void *a) { if (__atomic_load_n(&f, __ATOMIC_ACQUIRE) == 2)\n  data = 2;\n  return a; }\n"
            "int main(void) { pthread_t t[3]; pthread_create(&t[0], 0, first, 0); pthread_create(&t[1], 0, second, 0);\n"
            "  pthread_create(&t[2], 0, third, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }\n")
    p.write("known", "race:f # known\n")
    for algorithm in "full", "optimal", "rf":
        p.unsafe("data-race", 8, "ends.c", "-DWRITE=f=2", "--suppressions=known", "-a", algorithm)
        words = "ends.c", "-DWRITE=__atomic_fetch_add(&f,1,0)", "--suppressions=known", "-a", algorithm
        assert p.check(*words)["verdict"] == "safe"


# ---- what is refused ----------------------------------------------------------------------------------------


def compile_error(p):
    for messages in (p.refused("wrong.c"), p.cc("-c", "wrong.c", code=2).stderr):
        expect(messages, r"^wrong\.c:3:12: error: .*'undeclared'")  # the compiler's own words
        expect(messages, r"error: gcc could not compile 'wrong\.c'$")
    assert not os.path.exists(p.path("wrong.o"))
    if shutil.which("clang"):
        expect(p.refused("--cc=clang", "wrong.c"), r"^wrong\.c:3:12: error: use of undeclared identifier")


def compile_error_json(p):
    run = p.run(p.mazurka, "check", "--json", "wrong.c", code=2)
    assert run.stdout == "", run.stdout


def link_error(p):
    """A function that is nowhere is refused like one that cannot be checked."""
    expect(p.refused("main.c", "-Iinclude"), r"^main\.c:\d+:\d+: error: the program calls 'counter_\w+'")


def no_main(p):
    expect(p.refused("counter.c", "-Iinclude"), r"error: the program has no function 'main'")


def call_refused(p):
    expected = r"^fork\.c:5:12: error: the program calls 'fork', which cannot be checked\n.*return fork\(\) == 0;"
    expect(p.refused("fork.c"), expected)
    p.cc("-c", "fork.c")
    expect(p.refused("fork.o"), expected)
    p.cc("-o", "forks", "fork.c")
    expect(p.refused("forks"), expected)


def no_such_compiler(p):
    expect(p.refused("--cc=no-such-compiler", "main.c"), r"error: the compiler 'no-such-compiler' was not found\n +hint: ")
    expect(p.cc("-c", "main.c", code=2, MAZURKA_CC="no-such-compiler").stderr, r"'no-such-compiler' was not found")


def nothing_left(p):
    """Temporary files are removed, whatever happens."""
    os.mkdir(p.path("temporary"))
    for words, code in ((["check", "main.c", "counter.c", "-Iinclude"], 0), (["check", "wrong.c"], 2), (["check", "fork.c"], 2),
                        (["cc", "-c", "main.c", "-Iinclude"], 0), (["cc", "-c", "wrong.c"], 2)):
        p.run(p.mazurka, *words, code=code, TMPDIR=p.path("temporary"))
        left = os.listdir(p.path("temporary"))
        assert not left, f"{words} leaves {left}"


def questions(p):
    """What configure scripts ask is answered by the compiler itself."""
    assert p.cc("--version").stdout == p.run("gcc", "--version").stdout
    assert p.cc("-dumpmachine").stdout == p.run("gcc", "-dumpmachine").stdout
    expect(p.cc("-E", "fork.c").stdout, r"return fork\(\) == 0;")


TESTS = [make_objects, make_archive, make_program, make_with_macro, make_dependencies, make_with_clang, make_plain_objects,
         several_sources, source_and_object, clang_sources, definitions, compile_flags, link_flags, arguments,
         header, names_with_blanks, compile_error, compile_error_json, link_error, no_main, call_refused, no_such_compiler,
         nothing_left, questions, program_runs, own_functions, own_allocator, foreign_parts,
         shared_library, compiler_options, compilers_of_one_word, compilers_for_cxx, optimiser_is_told, plain_write_ends_release,
         thread_locals_are_linked, undeclared_functions]


def in_project(build, test):
    with tempfile.TemporaryDirectory() as directory:
        test(Project(build, directory))


def tests(build):
    for test in TESTS:
        yield test.__name__, functools.partial(in_project, build, test)
