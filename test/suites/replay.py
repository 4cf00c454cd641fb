"""`mazurka replay`: from another directory, with sources that have changed, with files that were cut off or edited at any byte, step
by step on a terminal, and under gdb."""

import functools
import os
import pty
import random
import shutil
import subprocess
import tempfile

import cases

KINDS = [("bank.c", "examples/bank.c", ["--check=assertions"]), ("dining.dlang", "bench/models/dining.dlang", [])]
EDITS = 150
RACES = """#include <pthread.h>
static int a, b;
static void *one(void *unused) { a = 1; b = 1; return unused; }
static void *two(void *unused) {
    b = 2;
    a = 2;
    return unused; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}
"""


def execute(build, *words, cwd, **options):
    command = [os.path.abspath(os.path.join(build, "mazurka")), *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, timeout=cases.HANG, check=False, **options)


def counterexample(build, directory, kind=KINDS[0]):
    """The path of one, beside its program."""
    name, source, options = kind
    shutil.copy(source, directory)
    result = execute(build, "check", name, "--quiet", *options, cwd=directory)
    assert result.returncode == 1, result
    return os.path.join(directory, name.split(".", maxsplit=1)[0] + ".mzt")


def elsewhere(build):
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory() as other:
            path = counterexample(build, directory, kind)
            result = execute(build, "replay", path, cwd=other)
            assert result.returncode == 1 and b"REPLAYED" in result.stdout, result
            shutil.copy(path, other)  # the program is here, too: this one is meant
            shutil.copy(kind[1], other)
            os.rename(directory, directory + "-gone")
            try:
                result = execute(build, "replay", path.replace(directory, other), cwd=other)
                assert result.returncode == 1, result
            finally:
                os.rename(directory + "-gone", directory)


def changed(build):
    """What has changed is said, whether it fails alike or not."""
    for edit, code in ((lambda text: text + "\n/* */\n", 1), (lambda text: text.replace("before + ", "before - "), 3)):
        with tempfile.TemporaryDirectory() as directory:
            path = counterexample(build, directory)
            program = os.path.join(directory, "bank.c")
            with open(program, encoding="utf-8") as file:
                text = file.read()
            with open(program, "w", encoding="utf-8") as file:
                file.write(edit(text))
            result = execute(build, "replay", path, cwd=directory)
            assert b"note: bank.c has changed since the counterexample was found" in result.stdout, result
            assert result.returncode in (1, code), result
            with open(program, "w", encoding="utf-8") as file:
                file.write(text)
            assert b"has changed" not in execute(build, "replay", path, cwd=directory).stdout


def changed_header(build):
    """One in which no step stands."""
    with tempfile.TemporaryDirectory() as directory:
        header = os.path.join(directory, "limits_of_it.h")
        with open(header, "w", encoding="utf-8") as file:
            file.write("static inline int most(void) { return 2; }\n")
        with open(os.path.join(directory, "it.c"), "w", encoding="utf-8") as file:
            file.write('#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include "limits_of_it.h"\n'
                       "static atomic_int x;\nstatic void *one(void *unused) { x = most(); return unused; }\n"
                       "int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, NULL, one, NULL);\n"
                       "    assert(x == 0);\n    pthread_join(t, NULL);\n}\n")
        assert execute(build, "check", "it.c", "--quiet", cwd=directory).returncode == 1
        with open(header, "a", encoding="utf-8") as file:
            file.write("/* changed */\n")
        result = execute(build, "replay", "it.mzt", cwd=directory)
        assert b"note: limits_of_it.h has changed since the counterexample was found" in result.stdout, result


def damaged(build, kind):
    """Cut off at any byte, one byte changed, taken out or doubled: said with the line, exit code 2."""
    with tempfile.TemporaryDirectory() as directory:
        path = counterexample(build, directory, kind)
        with open(path, "rb") as file:
            text = file.read()
        chance = random.Random(len(text))
        places = sorted(set(range(0, 100)) | set(chance.sample(range(len(text) - 1), min(EDITS, len(text) - 1))))
        versions = []
        for at in places:
            other = bytes([chance.choice([c for c in b"\n #0a|\\\xff\0 end" if c != text[at]])])
            versions += [("cut off", text[:at]), ("changed", text[:at] + other + text[at + 1:]),
                         ("taken out", text[:at] + text[at + 1:]), ("doubled", text[:at + 1] + text[at:])]
        for what, version in versions:
            if version == text:
                continue
            with open(path, "wb") as file:
                file.write(version)
            result = execute(build, "replay", path, cwd=directory)
            said = result.stderr.decode("utf-8", "replace")
            assert result.returncode == 2 and ": error: " in said and not result.stdout, (what, version[:200], result)
        with open(path, "wb") as file:  # without the sum it is replayed as it is
            file.write(b"mazurka-trace 1\n" + text.split(b"\n", 1)[1])
        assert execute(build, "replay", path, cwd=directory).returncode == 1


def steps_of_file(build):
    with tempfile.TemporaryDirectory() as directory:
        path = counterexample(build, directory)
        told = execute(build, "replay", path, "--step", cwd=directory, input=b"3\nn\nn\nn\np\np\nf\nq\n").stdout.decode()
    heads = [line for line in told.splitlines() if " of 4" in line or line.startswith("here it fails")]
    assert heads == ["before the first of 4 steps", "step 3 of 4: T1 pay_in", "step 4 of 4: T2 pay_in", "here it fails, after step 4: T0 main",
                     "here it fails, after step 4: T0 main", "step 4 of 4: T2 pay_in", "step 3 of 4: T1 pay_in",
                     "before the first of 4 steps"], heads
    frames = told.split("\n\n")
    assert any("T1         20  " in frame and "T2         19  " in frame for frame in frames), told
    assert all(len(line) <= 80 for line in told.splitlines()), told


def steps_of_terminal(build):
    """Arrow keys; the terminal is left as it was."""
    with tempfile.TemporaryDirectory() as directory:
        path = counterexample(build, directory)
        leader, follower = pty.openpty()
        command = [os.path.abspath(os.path.join(build, "mazurka")), "replay", path, "--step"]
        with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, cwd=directory,
                              env=dict(os.environ, NO_COLOR="1")) as process:
            os.close(follower)
            told = b""
            for keys, awaited in ((b"\033[C", b"step 1 of 4"), (b"\033[C", b"step 2 of 4"), (b"\033[D", b"step 1 of 4"),
                                  (b"l", b"here it fails"), (b"q", None)):
                while awaited and b"q end" not in told:
                    told += os.read(leader, 4096)
                told = b""
                os.write(leader, keys)
                while awaited and awaited not in told:
                    told += os.read(leader, 4096)
            assert process.wait(timeout=cases.HANG) == 1
        os.close(leader)


def race_under_gdb(build, directory):
    """Of several races the one that the file is about: in the thread that fails, where it fails, although others have gone on."""
    with open(os.path.join(directory, "race.c"), "w", encoding="utf-8") as file:
        file.write(RACES)
    execute(build, "check", "race.c", "--all-errors", cwd=directory)
    told = execute(build, "replay", "race-2.mzt", "--gdb", cwd=directory, input=b"bt\ninfo threads\n").stdout.decode()
    told = told.split("here it fails: thread 2 two")[1]
    assert "two (unused=0x0) at race.c:6" in told and "* 2  two " in told, told


def gdb(build):
    """At the failure: the failing line, in the right thread; every thread has a backtrace; on, back, variables."""
    if not shutil.which("gdb") or os.uname().machine != "x86_64":
        print("replay: --gdb is not tested: there is no gdb here, or this is no x86-64")
        return cases.SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        path = counterexample(build, directory)
        told = execute(build, "replay", path, "--gdb", cwd=directory, input=b"bt\ninfo threads\nprint balance\n").stdout.decode()
        told = told.split("here it fails: thread 0 main")[1]
        assert "main () at bank.c:35" in told and "* 0  main" in told and "$1 = 50" in told, told
        commands = b"info threads\nthread 2\nprint *(int *)amount\ncontinue\nprint balance\nreverse\nprint balance\ngoto 1\ninfo threads\n"
        told = execute(build, "replay", path, "--gdb=3", cwd=directory, input=commands).stdout.decode()
        parts = told.split("before step ")
        assert [part.split(":")[0] for part in parts[1:]] == ["3 of 4", "4 of 4", "3 of 4", "1 of 4"], told
        first = parts[1]
        assert "* 1  pay_in       pay_in () at bank.c:20" in first and "  2  pay_in       pay_in () at bank.c:20" in first, first
        assert "  0  main         main () at bank.c:34" in first and "$1 = 50" in first, first
        assert "= 100" in parts[2] and "= 0" in parts[3], told
        assert "* 2  pay_in       pay_in () at bank.c:19" in parts[4], told
        race_under_gdb(build, directory)
        model = counterexample(build, directory, KINDS[1])
        result = execute(build, "replay", model, "--gdb", cwd=directory)
        assert result.returncode == 2 and b"option --gdb: a model is no program" in result.stderr, result
    return None


def tests(build):
    for case in (elsewhere, changed, changed_header, steps_of_file, steps_of_terminal, gdb):
        yield case.__name__, functools.partial(case, build)
    for kind in KINDS:
        yield f"damaged {kind[0]}", functools.partial(damaged, build, kind)
