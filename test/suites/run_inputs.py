"""Programs with inputs, for the suite `run`: their values decide which plan applies."""

import os
import re
import subprocess

from under import EXAMPLE_RUNS, SECONDS, example, expect, run


def repeat_lines(under, source, *options, runs, own=()):
    """{ending: number}, how often threads waited, all that was said"""
    _, out, err = under.run(source, f"--repeat={runs}", *options, own=own)
    expect(out and "did not keep to the plan" not in out, out, err)
    waits = sum(int(times) for times in re.findall(r"thread \d+ (\d+) times", out))
    expect((waits == 0) == ("nobody waited" in out) or "--plan=none" in options, out)
    return dict(re.findall(r"; ([a-z ]+ \d+): (\d+)", out.splitlines()[0])), waits, err


def aliasing(under):
    """The document's figure 1: only where the two pointers are equal does anything wait, and nothing fails."""
    source, runs = example("aliasing.c"), str(EXAMPLE_RUNS)
    endings, _, _ = repeat_lines(under, source, "--plan=none", "--jitter=1", "--inputs=random", runs=EXAMPLE_RUNS)
    expect(int(endings["exit code 0"]) < EXAMPLE_RUNS, f"no failure in {runs} free runs")
    plan = under.plan(source)
    for picture in ([], ["--dot"], ["--svg"]):
        code, out, err = run(under.mazurka, "show", plan, *picture, cwd=under.directory)
        expect(code == 0 and "when x == y" in out and "when x != y" in out, out, err)
        expect(not picture or re.search(r"label=\"x == y\"" if picture == ["--dot"] else r">x == y</text>", out), out)
    endings, waits, err = repeat_lines(under, source, f"--plan={plan}", "--jitter=2", "--inputs=random", runs=EXAMPLE_RUNS)
    expect(endings == {"exit code 0": runs} and waits > 0, endings, waits, err)
    for x, y in ((0, 1), (2, 0)):
        endings, waits, err = repeat_lines(under, source, f"--plan={plan}", "--jitter=3", f"--inputs=x={x},y={y}",
                                           runs=100)
        expect(endings == {"exit code 0": "100"} and waits == 0, endings, waits, err)
    endings, _, err = repeat_lines(under, source, "--jitter=4", "--inputs=all", runs=90)
    expect(endings == {"exit code 0": "90"}, endings, err)
    fixed = under.plan(source, "-DFIXED", name="fixed.mzs")
    with open(fixed, encoding="utf-8") as file:
        text = file.read()
        expect(re.search(r"^prefix 0 of", text, re.M) and "\nguard" not in text, text)


INPUTS = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, sum;
static void *work(void *argument)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    int count = mz_input_int("threads", 1, 3);
    n = count > 1 ? mz_input_int("n", 0, 4) : 1;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("%d\\n", sum);
    return 0;
}
"""


def where_inputs_come_from(under):
    """From arguments, the environment, standard input, in this order; what is wrong is told at once."""
    source = under.write("inputs.c", INPUTS)
    plan = under.plan(source, "--max-traces=1")
    expect(plan, "there is no plan")
    with open(plan, encoding="utf-8") as file:
        text = file.read()
        expect(text.count("\nplan ") > 5 and "input threads 1 3\n" in text and "input n 0 4\n" in text, text)
    command = [under.mazurka, "run", f"--plan={plan}", source]
    for arguments, variables, lines, wanted in (
            (["threads=2", "n=3"], {"n": "9"}, "", "6"), (["--threads=3", "n=1", "n=4"], {}, "", "12"),
            (["n=2"], {"threads": "3"}, "", "6"), ([], {"n": "1"}, "2\n", "2"), ([], {}, "2\n2\n", "4"), (["threads=1"], {}, "", "1"),
            (["threads=4"], {}, "", "input 'threads', a number from 1 to 3, is given as '4'"),
            (["threads=2", "n=-1"], {}, "", "input 'n', a number from 0 to 4, is given as '-1'"),
            (["threads=2"], {"n": "x"}, "", "input 'n', a number from 0 to 4, is given as 'x'"),
            (["threads=2"], {}, "", "input 'n', a number from 0 to 4, is not given")):
        done = subprocess.run(command + ["--", *arguments], input=lines, env={**os.environ, **variables}, capture_output=True,
                              text=True, timeout=SECONDS, check=False, cwd=under.directory)
        if wanted.isdigit():
            expect((done.returncode, done.stdout, done.stderr) == (0, wanted + "\n", ""), arguments, variables, lines, done)
        else:
            expect(done.returncode == 70 and done.stdout == "" and wanted in done.stderr, arguments, variables, lines, done)


NOT_FOR_ALL = """\
#include <mazurka.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    int x = mz_input_int("x", 0, 2), y = mz_input_int("y", 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    mz_assert(sum + (x == 2 && y == 1) == 2);
    return 0;
}
"""


def not_for_all_inputs(under):
    """If there is a valuation without a safe execution, the program is not started, whatever it would be given."""
    source = under.write("not_for_all.c", NOT_FOR_ALL)
    code, out, err = run(under.mazurka, "plan", source, "-o", "none.mzs", cwd=under.directory)
    expect(code == 1 and "no plan: with x=2, y=1 every execution fails; no plan is for some inputs only" in out, code, out, err)
    code, out, err = under.run(source, own=["--", "x=0", "y=0"])
    expect(code == 1 and "the program is not started: with x=2, y=1: assertion failed" in err, code, out, err)
    code, out, err = run(under.mazurka, "replay", "not_for_all.mzt", cwd=under.directory)
    expect(code == 1 and "x=2, y=1" in out, code, out, err)


def inputs_without_a_verifier(under):
    """A program that nobody keeps to a plan reads them, too, compiled by us or by anybody."""
    under.write("inputs.c", INPUTS)
    include = os.path.abspath("include")
    for compiler in ([under.mazurka, "cc"], ["cc", "-I", include, "-pthread"]):
        code, _, err = run(*compiler, "inputs.c", "-o", "inputs", cwd=under.directory)
        expect(code == 0, err)
        for arguments, wanted in ((["threads=2", "--n=3"], (0, "6\n")), (["threads=2", "n=5"], (70, "")), (["threads=2"], (70, ""))):
            code, out, err = run("./inputs", *arguments, cwd=under.directory)
            expect((code, out) == wanted and ("'n'" in err) == (code == 70), compiler, arguments, code, out, err)


LATE_INPUT = """\
#include <mazurka.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    sum += mz_choose(0, 2);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    int start = mz_choose(0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    mz_assert(sum <= 4 + start);
    return 0;
}
"""


def choices(under):
    """mz_choose takes any value when nothing is given, at the beginning or later."""
    source = under.write("late.c", LATE_INPUT)
    for options in (["--max-traces=1"], []):
        plan = under.plan(source, *options)
        runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=1")
        expect(plan and endings == {"exit code 0": runs}, endings, err)
    code, _, err = under.run(source, f"--plan={plan}", own=["--", "choose1=2"])
    expect(code == 70 and "input 'choose1', a number from 0 to 1, is given as '2'" in err, code, err)


WIDE = """\
#include <pthread.h>
long __VERIFIER_nondet_long(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(int count, char **words)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, words);
    work(NULL);
    pthread_join(thread, NULL);
    return count > 1 && __VERIFIER_nondet_long() == 0;
}
"""


def widest_range(under):
    """All numbers that there are may be chosen from, although they are more than a number can say."""
    source = under.write("wide.c", WIDE)
    plan = under.plan(source, "--nondet=-9223372036854775808..9223372036854775807")
    for inputs in ([], ["--inputs=random"], ["--inputs=all"]):
        code, _, err = under.run(source, f"--plan={plan}", *inputs, "--waive=arguments", "--on-divergence=warn", own=["--", "choose"])
        expect(code == 0 and "in no verified execution it has more than 2 operations, found 'choose'" in err, inputs, code, err)


TESTS = [aliasing, where_inputs_come_from, not_for_all_inputs, inputs_without_a_verifier, choices, widest_range]
