"""What a program can learn of its surroundings, for the suite `run`: every such function is in the table of doc/plans.md, with what
becomes of it; and of each kind that is compared there is a program here that asks for it, runs under its plan where nothing is
different, and is stopped, by name, where something is."""

import glob
import os
import pty
import re
import resource
import signal
import subprocess

from run_premises import Premises
from under import SECONDS, expect

HEADERS = "".join(f"#include <{name}.h>\n" for name in ("errno", "locale", "sched", "semaphore", "signal", "sys/resource", "sys/stat"))


class Surroundings(Premises):
    """A program whose amount is 50, and 60 where `asks` says something else than in the check."""

    def __init__(self, under, asks):
        super().__init__(under, asks)
        with open(self.source, encoding="utf-8") as file:
            text = file.read()
        under.write("bank.c", "#define _GNU_SOURCE\n" + HEADERS + text)

    def start(self, *options, cwd=None, variables=None, before=None, terminal=False, descriptors=()):
        """Exit code and messages; `before` is called in the new process."""
        environment = {**os.environ, **(variables or {})}
        ours, theirs = pty.openpty() if terminal else (None, None)
        done = subprocess.run([self.under.mazurka, "run", f"--plan={self.plan}", *options, self.source], env=environment, text=True,
                              cwd=cwd or self.under.directory, timeout=SECONDS, stdin=subprocess.DEVNULL, check=False,
                              stdout=theirs if terminal else subprocess.DEVNULL, stderr=subprocess.PIPE,
                              preexec_fn=before, pass_fds=descriptors)  # pylint: disable=subprocess-popen-preexec-fn
        for descriptor in (ours, theirs):
            if descriptor is not None:
                os.close(descriptor)
        return done.returncode, done.stderr

    def expect_refusal(self, kind, message, **surroundings):
        code, err = self.start(**surroundings)
        expect(code == 70 and "the plan does not hold here: " + message in err and f"(--waive={kind} if" in err, code, message, err)
        code, err = self.start("--on-divergence=warn", **surroundings)
        expect(message in err and "constraints are no longer enforced" in err, code, err)
        code, err = self.start(f"--waive={kind}", **surroundings)
        expect("does not hold" not in err, code, err)

    def expect_to_hold(self, **surroundings):
        code, err = self.start(**surroundings)
        expect(code == 0 and "does not hold" not in err, code, err)


def planned(under, asks):
    p = Surroundings(under, asks)
    code, out, err = p.call("plan", "--trace=none", "--timeout=3s", "-o", p.plan, p.source, TZ="UTC", LC_ALL="C")
    expect(code == 0, code, out, err)
    return p


def names_of_files(under):
    """Directories, whether something is there, what may be done with it."""
    folder, script = under.path("folder"), under.write("script", "x")
    os.mkdir(folder)
    os.chmod(script, 0o755)
    plain = {"variables": {"TZ": "UTC", "LC_ALL": "C"}}
    p = planned(under, "amount = access(\"folder\", F_OK) == 0 ? 50 : 60")
    p.expect_to_hold(**plain)
    os.rmdir(folder)
    p.expect_refusal("permissions", "'folder' is not there, and was when")
    under.write("folder", "")
    p.expect_refusal("permissions", "'folder' is no directory, and was when")
    os.remove(folder)
    p = planned(under, "amount = access(\"script\", X_OK) == 0 ? 50 : 60")
    p.expect_to_hold()
    os.chmod(script, 0o644)
    p.expect_refusal("permissions", "'script' may not be executed, and might be when")
    p = planned(under, "struct stat what; amount = stat(\"script\", &what) == 0 && (what.st_mode & 0777) == 0644 ? 50 : 60")
    p.expect_to_hold()
    os.chmod(script, 0o600)
    p.expect_refusal("modes", "'script' has mode 100600, and the check says 100644")
    p = planned(under, "amount = mkdir(\"new\", 0755) == 0 ? 50 : 60")
    p.expect_to_hold()  # which makes it
    p.expect_refusal("permissions", "'new' is there, and was not when")
    os.rmdir(under.path("new"))
    p = planned(under, "FILE *file = fopen(\"results\", \"w\"); amount = file ? 50 : 60; if (file) fclose(file)")
    p.expect_to_hold()
    p.expect_to_hold()  # it is there now, and is written anew


def where_it_runs(under):
    other = under.path("other")
    os.mkdir(other)
    p = planned(under, "char here[4096]; amount = getcwd(here, sizeof here) && !strstr(here, \"other\") ? 50 : 60")
    p.expect_to_hold()
    p.expect_refusal("directory", f"the working directory is '{os.path.realpath(other)}', and was another one when", cwd=other)
    p = planned(under, "amount = strstr(argv[0], \"bank.c\") ? 50 : 60")
    p.expect_to_hold()
    p.expect_to_hold(cwd=other)


def descriptors(under):
    p = planned(under, "amount = isatty(1) ? 60 : 50")
    p.expect_to_hold()
    p.expect_refusal("terminal", "descriptor '1' is a terminal, and was none when", terminal=True)
    p = planned(under, "int own = open(\"bank.c\", O_RDONLY); amount = own == 3 ? 50 : 60; close(own)")
    p.expect_to_hold()
    reading, writing = os.pipe()
    p.expect_refusal("descriptors", "descriptor ", descriptors=(reading, writing))
    os.close(reading)
    os.close(writing)
    p = planned(under, "struct stat what; amount = fstat(1, &what) == 0 && S_ISFIFO(what.st_mode) ? 50 : 60")
    p.expect_refusal("descriptors", "descriptor '1' is no pipe, which the check says that it was")


def zone_and_locale(under):
    p = planned(under, "time_t then = 0; struct tm t; amount = localtime_r(&then, &t) && t.tm_hour == 0 ? 50 : 60")
    p.expect_to_hold(variables={"TZ": "UTC"})
    p.expect_refusal("timezone", "the time zone is not that of Greenwich", variables={"TZ": "XYZ-5"})
    p = planned(under, "const char *now = setlocale(LC_ALL, \"\"); amount = now && strcmp(now, \"C\") == 0 ? 50 : 60")
    p.expect_to_hold(variables={"LC_ALL": "C"})
    p.expect_refusal("locale", "the environment asks for another locale than \"C\"", variables={"LC_ALL": "C.UTF-8"})
    p.expect_refusal("locale", "the environment asks for another locale than \"C\"",
                     variables={"LC_ALL": "", "LANG": "C", "LC_CTYPE": "C.UTF-8"})


def limits(under):
    p = planned(under, "amount = sysconf(_SC_OPEN_MAX) != 333 ? 50 : 60")
    p.expect_to_hold()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    p.expect_refusal("system", "the system's 'sysconf 4' is 333, and was ",
                     before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (333, hard)))
    p = planned(under, "int policy; struct sched_param param; amount = pthread_getschedparam(pthread_self(), &policy, &param) == 0 "
                "&& policy == SCHED_OTHER ? 50 : 60")
    p.expect_to_hold()
    p.expect_refusal("system", "the system's 'scheduling' is 3, and was 0 when",
                     before=lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)))


def signals(under):
    p = planned(under, "amount = signal(SIGIO, SIG_DFL) == SIG_DFL ? 50 : 60")
    p.expect_to_hold()
    p.expect_refusal("signals", f"signal {int(signal.SIGIO)} is ignored, and was not when",
                     before=lambda: signal.signal(signal.SIGIO, signal.SIG_IGN))
    p = planned(under, "sigset_t now; amount = sigprocmask(SIG_BLOCK, NULL, &now) == 0 && !sigismember(&now, SIGURG) ? 50 : 60")
    p.expect_to_hold()
    p.expect_refusal("signals", f"signal {int(signal.SIGURG)} is blocked, and was not when",
                     before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGURG]))


def never_the_same(under):
    """Told, not compared."""
    for asks, words in (("amount = sched_getcpu() == 0 ? 50 : 40", "the processor that a thread runs on"),
                        ("struct stat what; stat(\"bank.c\", &what); amount = what.st_mtime == 0 ? 50 : 40",
                         "times, owners and numbers of files"),
                        ("struct rusage used; getrusage(RUSAGE_SELF, &used); amount = used.ru_maxrss == 0 ? 50 : 40", "the clock")):
        p = Surroundings(under, asks)
        out = p.make()
        expect(re.search(f"not compared when it runs: .*{words}", out), out)
        _, err = p.start("--waive=modes")
        expect(words in err, err)


# ---- the table -----------------------------------------------------------------------------------------------------------------------

# Functions of the lists that say nothing of surroundings: they compute, or work on what is the program's own.
TELLS_NOTHING = re.compile(
    r"(__)?(isoc\d+_)?(str|mem|wcs|wmem|v?f?w?printf|v?sn?w?printf|v?swprintf|v?fprintf|v?asprintf|v?dprintf|v?f?sw?scanf|v?sscanf|abs|div|"
    r"labs|qsort|bsearch|malloc|calloc|realloc|free|aligned|posix_mem|mmap|munmap|madvise|put|fput|perror|psignal|fflush|set(v|line)?buf|"
    r"setvbuf|setjmp|sigsetjmp|longjmp|siglongjmp|exit|abort|atexit|at_quick|quick_exit|assert|pthread_|sem_(init|destroy|wait|post|try|timed|clock|"
    r"getvalue|close|unlink)|mtx_|cnd_|thrd_|tss_|call_once|to(w)?(upper|lower)|isw?(alpha|digit|alnum|space|upper|lower|print|punct|xdigit|"
    r"cntrl|graph|blank|ascii|ctype)|_?_?[vx]?(err|warn|error)x?$|ato[fil]+$|b(cmp|copy|zero)$|explicit_bzero|r?index$|stp|xpg_str|valloc|on_exit|"
    r"_?_?_?(Exit|exit|longjmp|setjmp)$|sig(add|del|empty|fill|ismember)|_Unwind|cxa_|gxx|gcc|tls|atomic|ITM|gmon|ctype|errno|stack_chk|fortify|chk)")


# What is told above the table, or is computed.
KEPT_ELSEWHERE = ("environ", "__environ", "fegetround")


def functions_of_the_lists():
    """Of the parts about the system and the surroundings: what the table has to tell of."""
    with open("src/program/build/functions_system.h", encoding="utf-8") as file:
        names = re.findall(r"X\((\w+)\)", file.read())
    with open("src/program/build/functions_library.h", encoding="utf-8") as file:
        text = file.read()
    end = text.index("#define MZ_HARMLESS")
    names += re.findall(r"X\((\w+)\)", text[:end])
    names += [name for name in re.findall(r"X\((\w+)\)", text[end:])
              if re.search("get|sched|conf|env|locale|stat|host|user|group|proc|cpu|load|limit", name) and name not in KEPT_ELSEWHERE]
    return set(names)


def functions_that_ask():
    """Those whose hooks note a premise, directly or one call further."""
    asking = set()
    for path in sorted(glob.glob("src/program/*/*.c")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        functions = re.findall(r"(?m)^(?:static [^\n;]*?\b(\w+)\([^;{]*\)|MZ__HOOK\([^{]*?__wrap_(\w+),[^{]*?)\n\{(.*?)\n\}", text, re.S)
        own = {f: body for f, hook, body in functions for f in [f or hook]}
        asks = {f for f, body in own.items() if "mz__ask" in body}
        for _ in range(3):
            asks |= {f for f, body in own.items() if any(re.search(rf"\b{other}\(", body) for other in asks)}
        asking |= {hook for _, hook, _ in functions if hook in asks}
    return asking


def every_function_is_in_the_table(_):
    with open("doc/plans.md", encoding="utf-8") as file:
        text = file.read()
    part = text[text.index("### Every function that tells something"):]
    rows = re.findall(r"(?m)^\| (`[^|]+) \| ([^|]+) \| ([^|]+) \|$", part)
    told = {}
    for functions, _, treatment in rows:
        expect(re.match(r"(compared|told|constant|refused|input)", treatment), functions, treatment)
        for name in re.findall(r"`(\w+)`", functions):
            expect(name not in told, name, "is in the table twice")
            told[name] = treatment
    listed = functions_of_the_lists()
    missing = sorted(name for name in listed if name not in told and not TELLS_NOTHING.match(name) and not is_arithmetic(name))
    expect(not missing, "not in the table of doc/plans.md, nor known to tell nothing:", missing)
    asking = functions_that_ask()
    expect(len(asking) > 30, asking)
    unsaid = sorted(name for name in asking if not re.match("compared|told", told.get(name, "")))
    expect(not unsaid, "they note a premise, and the table says otherwise:", unsaid)


def is_arithmetic(name):
    return re.fullmatch(r"(modf|frexp|sincos|remquo|lgamma|nan|fe\w+)(f|l|_r)?", name) is not None


TESTS = [every_function_is_in_the_table, names_of_files, where_it_runs, descriptors, zone_and_locale, limits, signals, never_the_same]
