"""Calls of the C library, one by one, from a table: what each returns and writes is what the real library returns and writes;
what it reads or writes races with another thread that touches it; memory that was freed is noticed.

All calls are cases of one program, which is compiled once: by gcc, to be run as it is, and by `mazurka cc`, to be checked."""

import functools
import os
import subprocess

import cases

# Name (!: not in the C library, or not the same everywhere: only races and freed memory), what is called, and the memory of its
# arguments: `a<VALUE` is read, `a>SIZE` is written, `a=VALUE` is both; after the name, `:TYPE` of its elements (char otherwise).
TABLE = """
strlen | r = strlen(a) | a<"hello"
strnlen | r = strnlen(a, 3) | a<"hello"
strcpy | r = strcpy(d, a) == d | a<"hello" d>16
strncpy | r = strncpy(d, a, 8) == d | a<"hello" d>16
stpcpy | r = stpcpy(d, a) - d | a<"hello" d>16
strcat | r = strcat(d, a) == d | a<"lo" d="hel"
strncat | r = strncat(d, a, 1) == d | a<"lo" d="hel"
strcmp | r = (strcmp(a, b) > 0) - (strcmp(a, b) < 0) | a<"abc" b<"abd"
strncmp | r = strncmp(a, b, 2) | a<"abc" b<"abd"
strcasecmp | r = strcasecmp(a, b) | a<"aBc" b<"AbC"
strchr | r = strchr(a, 'l') - a | a<"hello"
strrchr | r = strrchr(a, 'l') - a | a<"hello"
strstr | r = strstr(a, b) - a | a<"hello" b<"ll"
strspn | r = strspn(a, b) | a<"hello" b<"leh"
strcspn | r = strcspn(a, b) | a<"hello" b<"lo"
strpbrk | r = strpbrk(a, b) - a | a<"hello" b<"lo"
strdup | char *p = strdup(a); r = strcmp(p, "hello"); free(p) | a<"hello"
strndup | char *p = strndup(a, 2); r = strcmp(p, "he"); free(p) | a<"hello"
strtok_r | char *s, *p = strtok_r(d, a, &s); r = p - d | a<"," d="a,b"
strsep | char *p = d; r = strsep(&p, a) == d | a<"," d="a,b"
memcpy | memcpy(d, a, 4) | a<"hello" d>16
memmove | memmove(d, a, 4) | a<"hello" d>16
mempcpy | r = (char *)mempcpy(d, a, 4) - d | a<"hello" d>16
memset | memset(d, 7, 5) | d>16
memcmp | r = memcmp(a, b, 3) < 0 | a<"abc" b<"abd"
memchr | r = (char *)memchr(a, 'l', 5) - a | a<"hello"
memrchr | r = (char *)memrchr(a, 'l', 5) - a | a<"hello"
memmem | r = (char *)memmem(a, 5, b, 2) - a | a<"hello" b<"ll"
memccpy | r = (char *)memccpy(d, a, 'l', 5) - d | a<"hello" d>16
atoi | r = atoi(a) | a<"42x"
atof | r = (long)(10 * atof(a)) | a<"4.5"
strtol | char *e; r = strtol(a, &e, 0) + 1000 * (e - a) | a<"0x1fz"
strtoul | r = strtoul(a, NULL, 8) | a<"17"
strtod | char *e; r = (long)(strtod(a, &e) * 100) + (e - a) | a<"2.25e1q"
sprintf | r = sprintf(d, a, 5, b) | a<"%03d-%s" b<"xy" d>32
snprintf | r = snprintf(d, 4, a, b) | a<"<%s>" b<"xyz" d>32
sscanf | r = sscanf(a, b, (int *)x) | a<"12z" b<"%d" x:int>1
qsort | qsort(x, 4, sizeof *x, order) | x:int={4,2,9,1}
bsearch | r = (int *)bsearch(k, x, 1, sizeof *x, order) - x | k:int<{9} x:int<{9}
frexp | r = (long)(100 * frexp(12.5, x)) | x:int>1
modf | r = (long)(100 * modf(12.5, x)) | x:double>1
gmtime_r | r = gmtime_r(t, (struct tm *)x) != NULL; ((struct tm *)x)->tm_zone = 0 | t:time_t<{86400} x:struct_tm>1
mktime | r = mktime((struct tm *)x) != -1; ((struct tm *)x)->tm_zone = 0; memset((char *)x + 36, 0, 4) | x:struct_tm={{.tm_mday=2,.tm_year=80}}
strftime | r = strftime(d, 16, a, (struct tm *)x) | a<"%Y-%m" x:struct_tm<{{.tm_mday=2,.tm_year=80}} d>16
wcslen | r = wcslen(w) | w:wchar_t<L"wide"
wcscpy | wcscpy(v, w) | w:wchar_t<L"wide" v:wchar_t>8
wcscmp | r = wcscmp(w, v) | w:wchar_t<L"wide" v:wchar_t<L"wide"
wmemcpy | wmemcpy(v, w, 3) | w:wchar_t<L"wide" v:wchar_t>8
mbstowcs | r = mbstowcs(w, a, 8) | a<"hello" w:wchar_t>8
wcstombs | r = wcstombs(d, w, 16) | w:wchar_t<L"wide" d>16
mbrtowc | r = mbrtowc(w, a, 1, NULL) | a<"hello" w:wchar_t>1
mbtowc | r = mbtowc(w, a, 1) | a<"hello" w:wchar_t>1
wcrtomb | r = wcrtomb(d, L'x', NULL) | d>8
mblen | r = mblen(a, 2) | a<"hello"
mbsrtowcs | const char *s = a; r = mbsrtowcs(w, &s, 8, NULL) + 100 * !s | a<"hello" w:wchar_t>8
wcstol | wchar_t *e; r = wcstol(w, &e, 10) + 1000 * (e - w) | w:wchar_t<L"-17x"
wcstod | r = (long)(10 * wcstod(w, NULL)) | w:wchar_t<L"2.5"
swscanf | r = swscanf(w, v, x) | w:wchar_t<L"33" v:wchar_t<L"%d" x:int>1
inet_pton4 | r = inet_pton(AF_INET, a, d) | a<"192.168.1.250" d>16
inet_pton6 | r = inet_pton(AF_INET6, a, d) | a<"fe80::1:2" d>16
inet_pton6m | r = inet_pton(AF_INET6, a, d) | a<"::ffff:1.2.3.4" d>16
inet_pton_bad | r = inet_pton(AF_INET6, a, b) | a<"1:2:3" b=""
inet_ntop4 | r = inet_ntop(AF_INET, a, d, 32) == d | a<"abcd" d>32
inet_ntop6 | r = inet_ntop(AF_INET6, a, d, 64) == d | a<"abcdefghijklmnop" d>64
inet_ntop6z | r = inet_ntop(AF_INET6, x, d, 64) == d | x:int<{1,0,0,0x01000000} d>64
inet_aton | r = inet_aton(a, (struct in_addr *)d) | a<"10.513" d>8
stat | r = stat(a, (struct stat *)x) | a<"/nonexistent/file" x:struct_stat=
access | r = access(a, F_OK) | a<"/"
open | r = open(a, O_RDONLY) | a<"/nonexistent/file"
fopen | r = fopen(a, b) == NULL | a<"/nonexistent/file" b<"r"
unlink | r = unlink(a) | a<"/nonexistent/file"
rename | r = rename(a, b) | a<"/nonexistent/file" b<"/nonexistent/other"
mkdir | r = mkdir(a, 0700) | a<"/"
mkstemp | r = mkstemp(d) | d="short"
!write | r = write(1, a, 5) | a<"hello"
!fputs | r = fputs(a, stderr) | a<"hello"
!fwrite | r = fwrite(a, 1, 5, stderr) | a<"hello"
!puts | r = puts(a) | a<"hello"
read | int f = open("/dev/null", O_RDONLY); r = read(f, d, 4); close(f) | d=""
!readfile | int f = open("/etc/passwd", O_RDONLY); r = read(f, d, 4); close(f) | d>16
!fgets | FILE *f = fopen("/etc/passwd", "r"); r = fgets(d, 8, f) != NULL; fclose(f) | d>16
!fread | FILE *f = fopen("/etc/passwd", "r"); r = fread(d, 1, 8, f); fclose(f) | d>16
!getcwd | r = getcwd(d, 4096) == d | d>4096
!uname | r = uname((struct utsname *)d) | d>512
!getrandom | r = getrandom(d, 8, 0) | d>16
!getentropy | r = getentropy(d, 8) | d>16
!gethostname | r = gethostname(d, 32) | d>32
!clock_gettime | r = clock_gettime(CLOCK_REALTIME, x) | x:struct_timespec>1
!nanosleep | r = nanosleep(x, NULL) | x:struct_timespec<{{0,1}}
!select | r = select(0, NULL, NULL, NULL, x) | x:struct_timeval={{0,1}}
sigemptyset | r = sigemptyset((sigset_t *)x) | x:long=0
sigaddset | r = sigaddset((sigset_t *)x, SIGUSR1) | x:long={8}
sigismember | r = sigismember((sigset_t *)x, SIGUSR1) | x:long<{512}
sigaction | r = sigaction(SIGUSR1, x, NULL) | x:struct_sigaction<{{.sa_flags=0}}
sigaction_old | r = sigaction(SIGUSR2, NULL, y); memset(y, 0, sizeof *y) | y:struct_sigaction>1
sigmask | r = pthread_sigmask(SIG_UNBLOCK, (sigset_t *)x, NULL) | x:long<{512}
sigtimedwait | r = sigtimedwait((sigset_t *)x, NULL, y) | x:long={0} y:struct_timespec<{{0,1}}
futex | r = syscall(SYS_futex, x, FUTEX_WAKE, 1) | x:int={0}
!memcpy_s | r = memcpy_s(d, 16, a, 4) | a<"hello" d>16
!memset_s | r = memset_s(d, 16, 1, 4) | d>16
!strcpy_s | r = strcpy_s(d, 16, a) | a<"hello" d>16
!strcat_s | r = strcat_s(d, 16, a) | a<"lo" d="hel"
!strncpy_s | r = strncpy_s(d, 16, a, 3) | a<"hello" d>16
!sprintf_s | r = sprintf_s(d, 16, a, 7) | a<"n=%d" d>16
!strnlen_s | r = strnlen_s(a, 9) | a<"hello"
!CPROVER_assert | __CPROVER_assert(r != 0, a) | a<"text"
"""
NOT_TOUCHED = {("inet_pton_bad", "b"), ("read", "d"), ("stat", "x"), ("mkstemp", "d"), ("futex", "x"), ("CPROVER_assert", "a"),
               ("inet_aton", "d"), ("sigtimedwait", "x"), ("write", "a")}
SAMPLE = 20

HEAD = """#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
typedef struct tm struct_tm;
typedef struct stat struct_stat;
typedef struct timespec struct_timespec;
typedef struct timeval struct_timeval;
typedef struct sigaction struct_sigaction;
int memcpy_s(void *, size_t, const void *, size_t), memset_s(void *, size_t, int, size_t), strcpy_s(char *, size_t, const char *);
int strcat_s(char *, size_t, const char *), strncpy_s(char *, size_t, const char *, size_t), sprintf_s(char *, size_t, const char *, ...);
size_t strnlen_s(const char *, size_t);
void __CPROVER_assert(_Bool, const char *);
#ifndef MAZURKA
#pragma weak memcpy_s
#pragma weak memset_s
#pragma weak strcpy_s
#pragma weak strcat_s
#pragma weak strncpy_s
#pragma weak sprintf_s
#pragma weak strnlen_s
#pragma weak __CPROVER_assert
#endif
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *touched;
static int touch_writes;
static volatile char sink;
static void *other(void *arg) {
  if (touch_writes)
    *(volatile char *)touched = *(char *)arg;
  else
    sink = *(volatile char *)touched;
  return NULL;
}
static unsigned long hash_of(unsigned long hash, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return hash;
}
"""
MAIN = """
int main(int argc, char **argv) {
  const char *mode = argv[1];
  if (strcmp(mode, "values") == 0) {
    for (int i = 0; i < CASES; i++)
      if (has_value[i])
        cases[i](0, argc > 2 ? argv[i + 2] : NULL);
  } else {
    cases[atoi(argv[2])](mode[0] == 'r' ? 1 + atoi(argv[3]) : -1 - atoi(argv[3]), NULL);
  }
  return 0;
}
"""


def parse(line):
    """(name, has a value to compare, what is called, [(buffer, type, how, value)])"""
    name, code, memory = (part.strip() for part in line.split(" | "))
    buffers = []
    for word in memory.split():
        at = min(word.index(sign) for sign in "<>=" if sign in word)
        variable, _, kind = word[:at].partition(":")
        buffers.append((variable, kind or "char", word[at], word[at + 1:]))
    return name.lstrip("!"), not name.startswith("!"), code, buffers


def case_of(number, name, code, buffers):
    """A function: how < 0 frees a buffer before the call, how > 0 lets another thread touch it, 0 compares the result."""
    lines = [f"static void case_{number}(int how, const char *want) {{", "  long r = 0;", "  pthread_t thread;"]
    for variable, kind, how, value in buffers:
        size = value if how == ">" else "64"
        lines.append(f"  static {kind} {variable}_place[{size}]{'' if how == '>' or not value else ' = ' + (value if value[0] in '{LCh' + chr(34) else '{' + value + '}')};")
        lines.append(f"  {kind} *{variable} = {variable}_place; char {variable}_first = *(char *){variable}; (void){variable}_first;")
    for index, (variable, kind, how, _) in enumerate(buffers):
        lines.append(f"  if (how == -1 - {index}) {{ {variable} = malloc(sizeof {variable}_place); memcpy({variable}, {variable}_place, sizeof {variable}_place); free({variable}); }}")
        lines.append(f"  if (how == 1 + {index}) {{ touched = {variable}; touch_writes = {int(how != '>')}; pthread_create(&thread, 0, other, &{variable}_first); }}")
    lines += [f"  {{ {code}; }}", "  if (how > 0) pthread_join(thread, 0);", "  if (how != 0) return;",
              "  unsigned long hash = hash_of(7, &r, sizeof r);"]
    lines += [f"  hash = hash_of(hash, {variable}, sizeof {variable}_place);" for variable, _, how, _ in buffers if how != "<"]
    lines += ['  if (!want) printf("%lu\\n", hash);', f'  assert((!want || strtoul(want, 0, 10) == hash) && "{name}");', "}"]
    return "\n".join(lines)


def program_of(cases):
    parts = [HEAD] + [case_of(i, name, code, buffers) for i, (name, _, code, buffers) in enumerate(cases)]
    parts.append(f"enum {{ CASES = {len(cases)} }};\nstatic void (*const cases[])(int, const char *) = {{"
                 + ", ".join(f"case_{i}" for i in range(len(cases))) + "};")
    parts.append("static const int has_value[] = {" + ", ".join(str(int(value)) for _, value, _, _ in cases) + "};")
    return "\n".join(parts) + MAIN


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False, stdin=subprocess.DEVNULL)


def expects(mazurka, program, arguments, kind):
    """One error of this kind; None: none at all."""
    done = run([mazurka, "check", "-q", "--trace=none", program.checked(), "--", *arguments])
    want = 1 if kind else 0
    if done.returncode == want and (not kind or kind in done.stdout):
        return None
    return f"check … -- {' '.join(arguments)}: exit code {done.returncode}, expected {want} {kind or ''}\n{done.stdout}{done.stderr}"


def jobs_of(cases, mazurka, program):
    for i, (name, _, _, buffers) in enumerate(cases):
        for k, (variable, _, _, _) in enumerate(buffers):
            if (name, variable) not in NOT_TOUCHED:
                yield f"{name}, {variable} in a race", functools.partial(expects, mazurka, program, ["race", str(i), str(k)], "data race")
                yield f"{name}, {variable} freed", functools.partial(expects, mazurka, program, ["free", str(i), str(k)], "freed")


class Calls:
    """The program with all calls, compiled with and without the checker when it is needed first."""

    def __init__(self, mazurka, cases_of_table):
        self.mazurka, self.directory = mazurka, cases.scratch()
        with open(self.path("calls.c"), "w", encoding="utf-8") as file:
            file.write(program_of(cases_of_table))

    def path(self, name):
        return os.path.join(self.directory, name)

    def made(self, name, *compiler):
        def make(path):
            made = run([*compiler, "-w", "-O0", "-o", path, self.path("calls.c"), "-lm", "-lpthread"])
            assert made.returncode == 0, made.stdout + made.stderr
        return cases.made_once(self.path(name), make)

    def alone(self):
        return self.made("alone", "gcc")

    def checked(self):
        return self.made("checked", self.mazurka, "cc")


def same_values(mazurka, table, program):
    values = iter(run([program.alone(), "values"]).stdout.split())
    wanted = [next(values, "") if value else "0" for _, value, _, _ in table]
    return expects(mazurka, program, ["values", *wanted], None)


def tests(build):
    table = [parse(line) for line in TABLE.strip().splitlines()]
    mazurka = os.path.abspath(os.path.join(build, "mazurka"))
    program = Calls(mazurka, table)
    yield "values of all calls", functools.partial(same_values, mazurka, table, program)
    yield from jobs_of(table, mazurka, program)
