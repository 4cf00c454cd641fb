"""mazurka.toml: several targets with one table, one exit code, one file of each format; mistakes in it, each at its place; suppressions;
and what 'mazurka init' writes. What our reader of TOML accepts is compared with Python's (tomllib)."""

import functools
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import tomllib
import xml.etree.ElementTree

import cases

SAMPLE = 1
STATS = """#include <pthread.h>
int stats, other;
static void *count(void *with) { stats++; return with; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, count, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
"""
PROJECT = """[defaults]
timeout = "60s"
define = ["X=1"]

[target.bank]
sources = ["bank.c"]
check = ["assertions"]

[target.fixed]
sources = ["bank.c"]
define = ["FIXED"]

[target.ring]
sources = ["ring.dlang"]
define = ["N=3"]

[target.cut]
sources = ["ring.dlang"]
define = ["N=8"]
max-traces = 5
"""


class Place:
    """A directory with a project."""

    def __init__(self, build, project=None):
        self.mazurka, self.project = os.path.abspath(os.path.join(build, "mazurka")), project

    def __enter__(self):
        self.directory = tempfile.mkdtemp()
        for file in ("examples/bank.c", "bench/models/ring.dlang"):
            shutil.copy(file, self.directory)
        self.write("stats.c", STATS)
        if self.project is not None:
            self.write("mazurka.toml", self.project)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.directory)

    def write(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.directory, name)), exist_ok=True)
        with open(os.path.join(self.directory, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.directory, name), encoding="utf-8") as file:
            return file.read()

    def run(self, code, *words):
        result = subprocess.run([self.mazurka, *words], cwd=self.directory, capture_output=True, text=True, timeout=cases.HANG, check=False)
        assert result.returncode == code, (words, result)
        return result


def rows(text):
    """{target: verdict} of the table, which fits 80 columns."""
    assert all(len(line) <= 80 for line in text.splitlines()), text
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.split()[:2] == ["target", "verdict"])
    table = [line.split() for line in lines[begin + 1:] if line.startswith("  ")]
    return {row[0]: row[1] for row in table}


def everything(build):
    with Place(build, PROJECT.replace('define = ["X=1"]\n', "")) as place:
        text = place.run(1, "check").stdout
        assert rows(text) == {"bank": "UNSAFE", "fixed": "SAFE", "ring": "SAFE", "cut": "INCOMPLETE"}, text
        assert text.endswith("2 safe, 1 unsafe, 1 incomplete\n") and "balance: 100 → 50" in text, text
        assert text.count("replay: mazurka replay bank.mzt") == 1, text
        place.run(1, "replay", "bank.mzt")
        assert rows(place.run(0, "check", "fixed", "ring").stdout) == {"fixed": "SAFE", "ring": "SAFE"}
        assert rows(place.run(3, "check", "fixed", "cut").stdout) == {"fixed": "SAFE", "cut": "INCOMPLETE"}
        alone = place.run(0, "check", "fixed").stdout
        assert alone.startswith("fixed, bank.c: SAFE") and "target" not in alone, alone
        # Options of the command line come last.
        assert "the limit of 2 traces" in place.run(3, "check", "cut", "--max-traces=2").stdout


def formats(build):
    with Place(build, PROJECT.replace('define = ["X=1"]\n', "")) as place:
        reports = json.loads(place.run(1, "check", "--json", "--junit=x.xml", "--sarif=x.sarif").stdout)
        assert [(r["target"], r["verdict"]) for r in reports] == [
            ("bank", "unsafe"), ("fixed", "safe"), ("ring", "safe"), ("cut", "incomplete")], reports
        assert isinstance(json.loads(place.run(0, "check", "fixed", "--json").stdout), list)
        suite = xml.etree.ElementTree.fromstring(place.read("x.xml")).find("testsuite")
        assert [(case.get("name"), [child.tag for child in case]) for case in suite] == [
            ("bank", ["failure", "system-out"]), ("fixed", ["system-out"]), ("ring", ["system-out"]),
            ("cut", ["error", "system-out"])], place.read("x.xml")
        runs = json.loads(place.read("x.sarif"))["runs"]
        assert [run["automationDetails"]["id"] for run in runs] == [f"mazurka/{name}/optimal" for name in ("bank", "fixed", "ring", "cut")]
        assert [len(run["results"]) for run in runs] == [1, 0, 0, 0], runs


def several_algorithms(build):
    project = '[target.ring]\nsources = ["ring.dlang"]\ndefine = ["N=4"]\nalgorithm = ["full,source"]\n' + \
              '[target.fixed]\nsources = "bank.c"\ncflags = "-DFIXED"\n'
    with Place(build, project) as place:
        text = place.run(0, "check").stdout
        assert "ring full " in text and "ring source " in text and "fixed  " in text and text.endswith("3 safe\n"), text


def broken_sources(build):
    """One target that cannot be built does not keep the others from being checked, and is not forgotten."""
    project = '[target.broken]\nsources = ["broken.c"]\n[target.fixed]\nsources = ["bank.c"]\ndefine = ["FIXED"]\n' + \
              '[target.bank]\nsources = ["bank.c"]\n[target.cut]\nsources = ["ring.dlang"]\nmax-traces = 1\ndefine = ["N=8"]\n'
    with Place(build, project) as place:
        place.write("broken.c", "int main(void) { return x; }\n")
        result = place.run(2, "check", "broken", "fixed", "cut")
        assert rows(result.stdout)["fixed"] == "SAFE" and "broken: does not compile" in result.stdout, result
        assert "broken.c:1:25: error: " in result.stderr, result
        assert rows(result.stdout) == {"broken": "ERROR", "fixed": "SAFE", "cut": "INCOMPLETE"}, result
        assert re.search(r"  broken +ERROR +does not compile\n", result.stdout), result
        assert result.stdout.endswith("1 safe, 1 incomplete, 1 error\n"), result
        assert rows(place.run(1, "check").stdout)["bank"] == "UNSAFE"
        place.run(2, "check", "broken")
        kinds = {case.get("name"): case.find("error") is not None for case in
                 xml.etree.ElementTree.fromstring(place.run(2, "check", "broken", "fixed", "--junit").stdout).iter("testcase")}
        assert kinds == {"broken": True, "fixed": False}, kinds


def arguments(build):
    program = "#include <assert.h>\n#include <string.h>\nint main(int n, char **a) { assert(n == %d && !strcmp(a[1], \"-x\")); return 0; }\n"
    with Place(build, '[target.a]\nsources = ["a.c"]\narguments = ["-x", "two words"]\n') as place:
        place.write("a.c", program % 3)
        place.run(0, "check")
        place.write("a.c", program % 4)
        place.run(0, "check", "a", "--", "three")


def names_and_files(build):
    """A bare name means a target, a path a file; without a project nothing has changed."""
    with Place(build, '[target.bank]\nsources = ["bank.c"]\n') as place:
        place.run(0, "check", "bank.c", "-DFIXED")
        place.run(0, "check", "./ring.dlang", "-DN=2")
        result = place.run(2, "check", "bnak")
        assert result.stderr == "mazurka.toml: error: there is no target 'bnak'\n  hint: did you mean bank?\n", result.stderr
        place.write("bank", "no program")
        place.run(1, "check", "bank")
        assert "./bank" in place.run(2, "check", "./bank").stderr
        os.remove(os.path.join(place.directory, "mazurka.toml"))
        assert "nothing to check" in place.run(2, "check").stderr


def suppressions(build):
    project = """[target.stats]
sources = ["stats.c"]
suppressions = [
    "race:%s  # may be approximate",
    "leak:nobody  # never happens",
]
"""
    for pattern, code in (("stats", 0), ("stats.c:3", 0), ("count", 0), ("stats.*", 0), ("stats.c:4", 1), ("other", 1)):
        with Place(build, project % pattern) as place:
            text = place.run(code, "check", "stats", "--json").stdout
            told = [line for line in json.loads(text)[0]["assumptions"] if "mazurka.toml" in line]
            if code == 0:
                assert told[0].startswith(f"race:{pattern} (mazurka.toml:4) is suppressed ("), told
            assert told[1] == "leak:nobody (mazurka.toml:5) is not used: never happens", told
    with Place(build, project % "stats" + '[target.fixed]\nsources = ["bank.c"]\ndefine = ["FIXED"]\n') as place:
        text = place.run(0, "check").stdout
        assert "stats: warning: leak:nobody (mazurka.toml:5) is not used: never happens" in text, text
        # A counterexample that was found beside them is replayed beside them.
        place.write("stats.c", STATS.replace("stats++;", "stats++; other++;"))
        place.run(1, "check", "stats")
        assert "suppress race:stats # may be approximate" in place.read("stats.mzt")
        assert "data race on other" in place.run(1, "replay", "stats.mzt").stdout
        place.run(1, "check", "stats.c", "--suppress=race:stats # one")
        place.run(0, "check", "stats.c", "--suppress=race:stats # one", "--suppress=race:other # two")
        result = place.run(2, "check", "stats.c", "--suppress=race:stats")
        assert result.stderr.startswith("--suppress: error: the suppression has no reason"), result.stderr


def more_than_64_threads(build):
    """The wide program takes over in the middle: what was printed is not printed again."""
    many = STATS.replace("t[2]", "t[70]").replace("i < 2", "i < 70").replace("stats++;", "")
    project = '[target.bank]\nsources = ["bank.c"]\n[target.many]\nsources = ["many.c"]\n[target.fixed]\nsources = ["bank.c"]\n' + \
              'define = ["FIXED"]\n'
    with Place(build, project) as place:
        place.write("many.c", many)
        text = place.run(1, "check").stdout
        assert text.count("bank.c:19:9: error: data race on balance") == 1, text
        assert rows(text) == {"bank": "UNSAFE", "many": "SAFE", "fixed": "SAFE"}, text


MISTAKES = [  # the file, what is said of it, the hint
    ("", "mazurka.toml: error: it has no target", '[target.queue], and below it sources = ["queue.c"]'),
    ("x = 1\n", "mazurka.toml:1:1: error: 'x' stands in no table of a project", "there are [defaults] and [target.NAME]"),
    ("[tarjet.a]\n", "mazurka.toml:1:1: error: there is no table [tarjet.a]", "there are [defaults] and [target.NAME]"),
    ("[target.a]\n", "mazurka.toml:1:1: error: the target 'a' has no sources", 'sources = ["a.c"]'),
    ('[target.a]\nsources = ["bank.c"]\ntimout = "3s"\n', "mazurka.toml:3:1: error: there is no option 'timout'", "did you mean timeout?"),
    ('[target.a]\nsource = ["bank.c"]\n', "mazurka.toml:1:1: error: the target 'a' has no sources", None),
    ('[target.a]\nsources = ["bank.c"]\ntimeout = "3x"\n', "mazurka.toml:3:11: error: option --timeout: '3x' is not a duration", None),
    ('[target.a]\nsources = ["bank.c"]\nspurious = 1\n', "mazurka.toml:3:12: error: spurious is true or false", None),
    ('[target.a]\nsources = ["bank.c"]\ntimeout = true\n', "mazurka.toml:3:11: error: timeout has a value: TIME", None),
    ('[target.a]\nsources = ["bank.c"]\ncheck = ["default", "leeks"]\n', "mazurka.toml:3:21: error: ", None),
    ('[target.a]\nsources = ["bank.c", 3]\n', 'mazurka.toml:2:22: error: sources are texts: sources = ["…", "…"]', None),
    ('[target.a]\nsources = ["bank.c"]\njson = "x"\n', "mazurka.toml:3:1: error: 'json' belongs to a command line", "mazurka check --json"),
    ('[target.a]\nsources = ["ring.dlang"]\nraces = "report"\n',
     "mazurka.toml:3:9: error: option --races is for programs in C or C++, not for models", None),
    ('[target.a]\nsources = ["bank.c"]\nentry-setup = "f"\n', "mazurka.toml:3:15: error: option --entry-setup goes with --entry only", None),
    ('[target.a]\nsources = ["bank.c"]\nsuppressions = ["rice:x # y"]\n',
     "mazurka.toml:3:17: error: there is no such kind of suppression", None),
    ('[defaults]\ntimeot = "3s"\n', "mazurka.toml:2:1: error: there is no option 'timeot'", "did you mean timeout?"),
    ('[defaults]\nsources = ["x.c"]\n', "mazurka.toml:2:1: error: every target has sources of its own", None),
    ('[target.a]\nsources = ["bank.c"\n', "mazurka.toml:2:11: error: the array is not closed", None),
]


def mistakes(build):
    with Place(build) as place:
        for text, said, hint in MISTAKES:
            place.write("mazurka.toml", text)
            result = place.run(2, "check")
            assert result.stderr.startswith(said), (text, result.stderr)
            assert not hint or f"  hint: {hint}\n" in result.stderr, (text, result.stderr)
            assert not result.stdout, result


def as_tomllib(build):
    """Files that are edited at random: what we read, Python's reader of TOML reads, too, and finds the same targets in it."""
    generator, read = random.Random(7), 0
    alphabet = "\"'[]{}=.,#\\\n\t abtr01_-\x01é"
    with Place(build) as place:
        for _ in range(400):
            text = PROJECT
            for _ in range(generator.randint(1, 2)):
                at = generator.randrange(len(text))
                text = text[:at] + generator.choice(["", generator.choice(alphabet)]) + text[at + generator.randint(0, 2):]
            place.write("mazurka.toml", text)
            said = place.run(2, "check", "no-such-target-at-all").stderr
            if not said.startswith("mazurka.toml: error: there is no target"):
                assert "mazurka.toml" in said and "error: " in said, (text, said)
                continue
            read += 1
            targets = list(tomllib.loads(text)["target"])
            assert f"hint: there are: {', '.join(targets)}\n" in said.replace("\n    ", " "), (text, said)
    assert read > 40, read


def init(build):
    with Place(build) as place:
        place.write("src/test.c", '#include "queue.h"\nint main(void) { return queue(); }\n')
        place.write("src/queue.h", "int queue(void);\n")
        place.write("src/queue.c", '#include "queue.h"\nint queue(void) { return 0; }\n')
        place.write("src/domain.c", "int domain(int x) { return x; }\n")
        place.write("build/made.c", "int main(void) { return 0; }\n")
        told = place.run(0, "init", "--ci=github").stdout
        assert told.startswith("mazurka.toml: written, with 4 targets; now: mazurka check\n.github/workflows/mazurka.yml: written"), told
        targets = {name: target["sources"] for name, target in tomllib.loads(place.read("mazurka.toml"))["target"].items()}
        assert targets == {"bank": ["bank.c"], "ring": ["ring.dlang"], "stats": ["stats.c"], "test": ["src/test.c", "src/queue.c"]}, targets
        assert rows(place.run(1, "check").stdout) == {"bank": "UNSAFE", "ring": "SAFE", "stats": "UNSAFE", "test": "SAFE"}
        assert place.run(2, "init").stderr == "mazurka.toml: error: it is there already\n  hint: --force replaces it\n"
        before = place.read("mazurka.toml")
        place.run(0, "init", "--ci=gitlab")
        assert place.read("mazurka.toml") == before
        place.run(0, "init", "--force")
        # What stands in comments is right, too.
        lines = before.splitlines()
        for line in lines:
            if line.startswith("# ") and "=" in line and not line.startswith("# suppressions"):
                tomllib.loads(line[2:])
        try:
            import yaml  # pylint: disable=import-outside-toplevel
        except ImportError:
            return cases.cannot("project: files for continuous integration are not read: python3-yaml is not installed")
        steps = yaml.safe_load(place.read(".github/workflows/mazurka.yml"))["jobs"]["check"]["steps"]
        script = yaml.safe_load(place.read(".gitlab-ci.yml"))["mazurka"]["script"]
        for command in [step["run"] for step in steps if "run" in step] + script:
            place.run(1, *command.split()[1:])
        assert place.read("mazurka.xml").startswith("<?xml")
    with Place(build) as place:
        for name in ("bank.c", "ring.dlang", "stats.c"):
            os.remove(os.path.join(place.directory, name))
        assert "without a target" in place.run(0, "init").stdout
        assert "it has no target" in place.run(2, "check").stderr
    return None


def tests(build):
    for case in (everything, formats, several_algorithms, broken_sources, arguments, names_and_files, suppressions, more_than_64_threads,
                 mistakes, as_tomllib, init):
        yield case.__name__, functools.partial(case, build)
