"""The commands of doc/building.md, each block of them in a small project of that build system."""

import functools
import os
import re
import shutil
import subprocess
import tempfile

import cases

SECONDS = cases.HANG
SAMPLE = 2
PAGE = "doc/building.md"
NEEDED = {"cmake": ["cmake"], "meson": ["meson", "ninja"], "autotools": ["autoreconf", "automake"], "make": ["make"], "library": []}
SOURCES = {
    "include/counter.h": "void counter_add(int n);\nvoid counter_tick(void);\nint counter_value(void);\n",
    "counter.c": """\
#include "counter.h"
#include <pthread.h>
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void counter_add(int n) { pthread_mutex_lock(&lock); value += n; pthread_mutex_unlock(&lock); }
void counter_tick(void) { counter_add(1); }
int counter_value(void) { return value; }
""",
    "main.c": """\
#include "counter.h"
#include <assert.h>
#include <pthread.h>
static void *worker(void *a) { counter_tick(); return a; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(counter_value() == 2);
    return 0;
}
""",
}
PROJECTS = {
    "make": {"Makefile": """\
CFLAGS = -O2 -Wall -Iinclude
program: main.o libcounter.so
\t$(CC) -o $@ main.o -L. -lcounter -pthread
libcounter.so: counter.c
\t$(CC) $(CFLAGS) -fPIC -shared -o $@ $^
"""},
    "cmake": {"CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.13)
project(counter C CXX)
find_package(Threads REQUIRED)
include_directories(include)
add_library(counter SHARED counter.c)
add_executable(program main.c)
target_link_libraries(program counter Threads::Threads)
"""},
    "meson": {"meson.build": """\
project('counter', 'c')
threads = dependency('threads')
counter = shared_library('counter', 'counter.c', include_directories: 'include', dependencies: threads)
executable('program', 'main.c', include_directories: 'include', link_with: counter, dependencies: threads)
"""},
    "autotools": {"configure.ac": """\
AC_INIT([counter], [1])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_PROG_CC
AC_PROG_RANLIB
AM_PROG_AR
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
""", "Makefile.am": """\
AM_CPPFLAGS = -I$(srcdir)/include
noinst_LIBRARIES = libcounter.a
libcounter_a_SOURCES = counter.c
bin_PROGRAMS = program
program_SOURCES = main.c
program_LDADD = libcounter.a -lpthread
"""},
    "library": {},
}


def blocks():
    with open(PAGE, encoding="utf-8") as page:
        return re.findall(r"```sh (\w+)\n(.*?)```", page.read(), re.DOTALL)


def work(name, commands, build):
    """Every command succeeds, and the last one says that the program is safe."""
    with tempfile.TemporaryDirectory() as directory:
        for file, text in {**SOURCES, **PROJECTS[name]}.items():
            os.makedirs(os.path.dirname(os.path.join(directory, file)), exist_ok=True)
            with open(os.path.join(directory, file), "w", encoding="utf-8") as out:
                out.write(text)
        environment = dict(os.environ, LC_ALL="C", PATH=os.path.abspath(build) + ":" + os.environ["PATH"])
        run = subprocess.run(["sh", "-e", "-c", commands], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=SECONDS, check=False, env=environment)
        if run.returncode != 0 or "SAFE" not in run.stdout or "2 traces" not in run.stdout:
            return f"$ {commands}\nexit code {run.returncode}\n{run.stdout[-3000:]}\n{run.stderr[-3000:]}"
    return None


def tests(build):
    found = blocks()
    yield "the page has a block for each", None if {name for name, _ in found} == set(PROJECTS) else str(found)
    for name, commands in found:
        missing = [tool for tool in NEEDED[name] if not shutil.which(tool)]
        if missing:
            print(f"building: {name} is not tried, because {', '.join(missing)} is not installed", flush=True)
            continue
        yield name, functools.partial(work, name, commands, build)
