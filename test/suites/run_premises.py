"""What a plan depends on beside the schedule, for the suite `run`: arguments, environment, files, standard input, processors, the
process, threads and operations. A program that finds something else than was verified is stopped, by name, before it does any harm."""

import os
import re
import subprocess

from under import SECONDS, expect, run

# Two customers take AMOUNT each, of 100: with up to 50 nothing can go wrong.
BANK = """\
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>
extern char **environ;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, amount = 50;
static void *take(void *argument)
{
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    if (seen >= amount) {
        pthread_mutex_lock(&lock);
        balance -= amount;
        assert(balance >= 0);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    (void)argc, (void)argv;
    ASKS;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, take, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""

ARGUMENT = "if (argc > 1) amount = atoi(argv[1])"
VARIABLE = "if (getenv(\"AMOUNT\")) amount = atoi(getenv(\"AMOUNT\"))"
OWN_VARIABLES = "setenv(\"OTHER\", \"1\", 1); " + VARIABLE
ENVIRONMENT = "for (char **at = environ; *at; at++) if (strncmp(*at, \"AMOUNT=\", 7) == 0) amount = atoi(*at + 7)"
FILE = "FILE *file = fopen(\"amount\", \"r\"); if (file && fscanf(file, \"%d\", &amount) == 1) fclose(file)"
DESCRIPTOR = ("char text[9] = \"\"; int file = open(\"amount\", 0); if (file >= 0) { "
              "if (read(file, text, 8) > 0) amount = atoi(text); close(file); }")
INPUT = "char line[9]; if (fgets(line, 9, stdin)) amount = atoi(line)"


class Premises:
    """One program, with surroundings of its own."""

    def __init__(self, under, asks):
        self.under, self.plan = under, under.path("plan.mzs")
        text = "#include <fcntl.h>\n" + BANK.replace("ASKS", asks)
        self.source = under.write("bank.c", text)

    def call(self, *words, given=None, **variables):
        """Standard input: text in a file; bytes through a pipe; or nothing."""
        environment = {**os.environ, **variables}
        file = subprocess.DEVNULL
        if isinstance(given, str):
            file = open(self.under.write("input", given), encoding="utf-8")  # pylint: disable=consider-using-with
        done = subprocess.run([self.under.mazurka, *words], cwd=self.under.directory, env=environment, timeout=SECONDS, text=True,
                              capture_output=True, check=False,
                              **({"input": given.decode()} if isinstance(given, bytes) else {"stdin": file}))
        return done.returncode, done.stdout, done.stderr

    def make(self, *options, own=(), **surroundings):
        code, out, err = self.call("plan", "--trace=none", *options, "-o", self.plan, self.source, *own, **surroundings)
        expect(code == 0, code, out, err)
        return out

    def holds(self, *options, own=(), **surroundings):
        code, out, err = self.call("run", f"--plan={self.plan}", *options, self.source, *own, **surroundings)
        expect(code == 0 and "does not hold" not in err, code, out, err)
        return err

    def fails(self, message, *options, own=(), **surroundings):
        code, out, err = self.call("run", f"--plan={self.plan}", *options, self.source, *own, **surroundings)
        expect(code == 70 and "the plan does not hold here: " + message in err and "; stopped" in err, code, message, out, err)
        code, out, err = self.call("run", f"--plan={self.plan}", "--on-divergence=warn", *options, self.source, *own, **surroundings)
        expect(message in err and "; constraints are no longer enforced" in err, code, out, err)


def arguments(under):
    p = Premises(under, ARGUMENT)
    out = p.make(own=["--", "50", "and more"])
    expect("it holds for: argument '50', argument 'and more'\n" in out, out)
    p.holds(own=["--", "50", "and more"])
    p.fails("argument 1 is '100', and was '50' when", own=["--", "100", "and more"])
    p.fails("argument 2 is missing, and was 'and more'", own=["--", "50"])
    p.fails("argument 3 is 'x', and was not there", own=["--", "50", "and more", "x"])
    p.holds("--waive=arguments", own=["--", "40"])
    expect("waived: the program's arguments\n" in p.make("--waive=arguments", own=["--", "50"]), "waived")
    p.holds(own=["--", "40"])
    code, out, err = p.call("plan", "--waive=weather", "-o", p.plan, p.source)
    expect(code == 2 and "option --waive: unknown 'weather'" in err and "arguments, environment, file" in err, code, out, err)


def inputs_are_no_arguments(under):
    """What gives an input is not compared, but what stands beside it is."""
    p = Premises(under, "amount = mz_input_int(\"n\", 0, 1) + 20")
    under.write("bank.c", "#include <mazurka.h>\n" + open(p.source, encoding="utf-8").read())
    p.make(own=["--", "more"])
    for given in ("n=1", "--n=0"):
        p.holds(own=["--", given, "more"])
        p.fails("argument 1 is missing, and was 'more'", own=["--", given])


def variables(under):
    for asks in (VARIABLE, OWN_VARIABLES):
        p = Premises(under, asks)
        out = p.make(AMOUNT="20")
        expect("it holds for: environment variable AMOUNT" in out and "AMOUNT 2:" in open(p.plan, encoding="utf-8").read(), out)
        p.holds(AMOUNT="20", ANYTHING="else")
        p.fails("environment variable 'AMOUNT' has another value than when", AMOUNT="100")
        p.fails("environment variable 'AMOUNT' is not set, and was")
        p.make()
        p.holds()
        p.fails("environment variable 'AMOUNT' is set, and was not", AMOUNT="20")
        p.holds("--waive=environment", AMOUNT="20")


def whole_environment(under):
    p = Premises(under, ENVIRONMENT)
    expect("it holds for: the whole environment\n" in p.make(), "all of it")
    p.holds()
    p.fails("the environment, which the program looks through, is not what it was", AMOUNT="100")


def files(under):
    for asks in (FILE, DESCRIPTOR):
        p = Premises(under, asks)
        if os.path.exists(under.path("amount")):
            os.remove(under.path("amount"))
        expect("it holds for: file 'amount'\n" in p.make(), "the file")
        p.holds()
        under.write("amount", "20\n")
        p.fails("file 'amount' can be opened, and could not be when")
        p.make()
        p.holds()
        under.write("amount", "99\n")
        p.fails("file 'amount' is not what it was when")
        os.remove(under.path("amount"))
        p.fails("file 'amount' cannot be opened, and could be when")


def standard_input(under):
    p = Premises(under, INPUT)
    p.make(given="20\n")
    p.holds(given="20\n")
    p.fails("standard input is not what it was", given="100\n")
    p.fails("standard input is no file", given=b"20\n")
    p.make()
    p.holds()
    p.fails("standard input has something to read, and had not", given="20\n")
    p.fails("standard input is no file", given=b"20\n")
    p.holds("--waive=input", given=b"20\n")


def the_machine(under):
    """What the checker makes up is compared with what there is, or told to be different."""
    for asks in ("amount = sysconf(_SC_NPROCESSORS_ONLN) == 2 ? 50 : 60", "amount = get_nprocs() == 2 ? 50 : 60"):
        p = Premises(under, asks)
        expect("it holds for: processors: 2\n" in p.make(), "processors")
        with open(p.plan, encoding="utf-8") as file:
            text = file.read()
        under.write("plan.mzs", text.replace("premise processors - 2\n", f"premise processors - {os.cpu_count()}\n"))
        p.holds()
        under.write("plan.mzs", text.replace("premise processors - 2\n", "premise processors - 77\n"))
        p.fails(f"there are {os.cpu_count()} processor")
    for asks, kind, message in (("amount = getpid() == 1000 ? 50 : 60", "process", "the program asks for its process number, which is "),
                                ("amount = getuid() == 1000 ? 50 : 60", "user", "user or group have number "),
                                ("char host[99]; gethostname(host, 99); amount = strcmp(host, \"localhost\") == 0 ? 50 : 60",
                                 "host", "the host has another name than when")):
        p = Premises(under, asks)
        p.make()
        if kind == "process" or (kind == "user" and os.getuid() != 1000):
            p.fails(message)
    p = Premises(under, "if (time(NULL) < 0) amount = rand() % 50")
    expect("not compared when it runs: the clock, which the program asks for\n" in p.make(), "the clock")
    expect("mazurka run: not compared when it runs: the clock" in p.holds(), "told")
    expect("not compared" not in p.holds("--waive=clock"), "waived")


def beside_a_verifier(under):
    """What `run` writes down has the premises, too."""
    p = Premises(under, VARIABLE.replace("AMOUNT", "WANTED"))
    code, out, err = p.call("run", "-o", p.plan, p.source, WANTED="60")
    expect(code == 0, code, out, err)
    p.holds(WANTED="60")
    p.fails("environment variable 'WANTED' has another value", WANTED="70")


MANY = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static void *take(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        int seen = balance;
        pthread_mutex_unlock(&lock);
        if (seen < 60)
            continue;
        pthread_mutex_lock(&lock);
        balance -= 60;
        assert(balance >= 0);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(int argc, char **argv)
{
    pthread_t threads[8];
    int count = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, take, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def more_than_was_seen(under):
    """More threads, or operations, than any verified execution has: under a constraint set and under a prefix."""
    source = under.write("many.c", MANY)
    for name, how in (("set.mzs", ["--minimise"]), ("prefix.mzs", [])):
        plan = under.plan(source, "-DROUNDS=1", *how, name=name, own=["--", "2"])
        for runs in range(1, 9):
            code, out, err = under.run(source, "-DROUNDS=1", f"--plan={plan}", "--waive=arguments", f"--jitter={runs}", own=["--", "4"])
            expect(code == 70 and re.search("creates a thread that (no verified execution has|was not expected)", err), code, out, err)
        with open(plan, encoding="utf-8") as file:
            text = re.sub(r"(?m)^image .*$", "image -", file.read())
        under.write(name, text)
        for runs in range(1, 9):
            code, out, err = under.run(source, "-DROUNDS=3", f"--plan={plan}", f"--jitter={runs}", own=["--", "2"])
            expect(code == 70 and "leaves verified ground" in err, code, out, err)
        endings = under.repeat(source, "-DROUNDS=1", f"--plan={plan}", "--jitter=1", runs=50, own=["--", "2"])[2]
        expect(endings == {"exit code 0": 50}, endings)


def more_than_was_seen_beside_a_verifier(under):
    """What `run -o` writes when all is verified says it, too."""
    source, plan = under.write("many.c", MANY), under.path("live.mzs")
    for how in ([], ["--keep-prefix"]):
        under.repeat(source, "-DROUNDS=1", "--trace=none", "--jitter=1", "-o", plan, *how, runs=200, own=["--", "2"])
        with open(plan, encoding="utf-8") as file:
            expect("seen 0.1 " in file.read(), how)
        for runs in range(1, 9):
            code, out, err = under.run(source, "-DROUNDS=1", f"--plan={plan}", "--waive=arguments", f"--jitter={runs}", own=["--", "4"])
            expect(code == 70 and re.search("creates a thread that (no verified execution has|was not expected)", err), code, out, err)


OLDER = """\
mazurka-plan 4
file bank.c
image -
counts operations
fences no
thread 0.0
thread 0.1
prefix 0 of 6
end
"""


def older_plans(under):
    """They are read, and it is told that they do not say what they depend on."""
    p = Premises(under, ARGUMENT)
    under.write("plan.mzs", OLDER)
    err = p.holds()
    expect("plan.mzs was made by an older version, and says of what it depends on only the arguments" in err, err)
    p.fails("argument 1 is '20', and was not there", own=["--", "20"])


SAFE_BY_PLAN = BANK.replace("ASKS", "setenv(\"OTHER\", \"1\", 1); amount = 60")


def with_an_environment_of_its_own(under):
    """A program that changes its environment finds its plan all the same."""
    source = under.write("own.c", SAFE_BY_PLAN)
    under.fails_freely(source, runs=200, passes="exit code 0")
    plan = under.plan(source, "--minimise")
    runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1", runs=200)
    expect(endings == {"exit code 0": runs}, endings, err)
    code, out, err = run(under.mazurka, "run", "--plan=none", source, cwd=under.directory)
    expect(code in (0, 134, -6), code, out, err)


TESTS = [arguments, inputs_are_no_arguments, variables, whole_environment, files, standard_input, the_machine, beside_a_verifier,
         more_than_was_seen, more_than_was_seen_beside_a_verifier, older_plans, with_an_environment_of_its_own]
