"""The libraries under examples/: built and tested with the ordinary compiler, built again with `mazurka cc` and checked, with
each of their mistakes, too; and every command of examples/README.md, which has to say what is printed there.

Everything happens in a copy of the directory, so that nothing is left behind."""

import functools
import json
import os
import re
import shutil
import subprocess
import tempfile

import cases

SECONDS = cases.HANG
SAMPLE = 5

# Of each library: its tests, and for each mistake the test that has to find it, as an error of that kind in that file.
LIBRARIES = {
    "pool": (["wait", "nested", "discard"],
             {1: ("wait", "memory", "pool.c"), 2: ("wait", "deadlock", "pool.c"), 3: ("wait", "data-race", "client.c")}),
    "channel": (["receivers", "senders", "unbuffered", "close", "select"],
                {1: ("receivers", "deadlock", "client.c"), 2: ("senders", "assertion", "client.c"),
                 3: ("close", "deadlock", "client.c")}),
    "map": (["insert", "remove", "get", "neighbours", "free"],
            {1: ("get", "assertion", "client.c"), 2: ("neighbours", "assertion", "client.c"), 3: ("free", "memory", "map.c")}),
}


class Copy:
    """A copy of examples/, with mazurka in the PATH."""

    def __init__(self, build, directory):
        self.directory = os.path.join(directory, "examples")
        shutil.copytree("examples", self.directory, ignore=shutil.ignore_patterns("build", "*.mzt"))
        programs = os.path.join(directory, "bin")
        os.mkdir(programs)
        os.symlink(os.path.abspath(os.path.join(build, "mazurka")), os.path.join(programs, "mazurka"))
        self.environment = {**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"], "LC_ALL": "C"}
        for name in ("MAKEFLAGS", "MAKELEVEL", "MAZURKA", "CFLAGS", "CC", "BUILD"):
            self.environment.pop(name, None)

    def shell(self, command):
        return subprocess.run(command, shell=True, cwd=self.directory, env=self.environment, text=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def succeeds(self, command):
        run = self.shell(command)
        assert run.returncode == 0, f"{command}: exit code {run.returncode}\n{run.stdout}"
        return run.stdout

    def check(self, what, test):
        run = self.shell(f"mazurka check --json --trace=none {what} -- {test} 2>&-")
        return json.loads(run.stdout)


def ordinary(copy, library):
    assert f"the {library} works" in copy.succeeds(f"make -C {library} test")


def correct(copy, library):
    copy.succeeds(f"make -C {library} CC='mazurka cc' BUILD=build/checked")
    for test in LIBRARIES[library][0]:
        result = copy.check(f"{library}/build/checked/client", test)
        assert result["verdict"] == "safe" and result["traces"] > 1, f"{test}: {result}"
    again = copy.check(f"{library}/build/checked/client.o {library}/build/checked/lib{library}.a", test)
    assert (again["verdict"], again["traces"]) == ("safe", result["traces"]), again


def mistake(copy, library, bug):
    test, kind, file = LIBRARIES[library][1][bug]
    copy.succeeds(f"make -C {library} CC='mazurka cc' BUILD=build/checked{bug} BUG={bug}")
    result = copy.check(f"{library}/build/checked{bug}/client", test)
    found = [(error["kind"], error["file"]) for error in result["errors"]]
    assert (result["verdict"], found) == ("unsafe", [(kind, file)]), result
    assert result["seconds"] < 10, result


def commands(text):
    """The commands of a page, each with what it is to print."""
    for block in re.findall(r"^```\n(\$ .*?)^```$", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output.strip()


def readme(copy):
    with open("examples/README.md", encoding="utf-8") as page:
        todo = list(commands(page.read()))
    assert len(todo) > 5, "the commands of the page are not found"
    for command, expected in todo:
        got = copy.shell(command).stdout.strip()
        pattern = re.escape(expected).replace("…", r"[\s\S]*")
        assert re.fullmatch(pattern, got), f"$ {command}\nexpected:\n{expected}\ngot:\n{got}"


def in_copy(build, test, arguments):
    with tempfile.TemporaryDirectory() as directory:
        test(Copy(build, directory), *arguments)


def tests(build):
    jobs = [("README", readme, [])]
    for library, (_, mistakes) in LIBRARIES.items():
        jobs += [(f"{library}, ordinary compiler", ordinary, [library]), (f"{library}, checked", correct, [library])]
        jobs += [(f"{library}, mistake {bug}", mistake, [library, bug]) for bug in mistakes]
    for name, test, arguments in jobs:
        yield name, functools.partial(in_copy, build, test, arguments)
