"""The pages for people: every command that stands behind a `$` is run, and says what the page says it does. How a page is read:

    ```c counter.c          what follows is a file of this name (any language; the name is the second word)
    ```diff                 a change of the files so far, as patch applies it
    ```                     commands behind `$ `, each with what it prints; lines that end with \\ go on
    …                       on a line of its own: any lines; in a line: any words

A page is one session, in a directory that has examples/, bench/ and test/ of the project. The exit code has to be the one of the
verdict that is shown. Other commands, without `$`, are not run, but their options have to exist."""

import functools
import html
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import cases

SECONDS = cases.HANG
CPU_SECONDS = 200
SAMPLE = 1
EXIT_CODES = {"SAFE": 0, "BOUNDED": 0, "UNSAFE": 1, "INCOMPLETE": 3}

# Page: the directory of the session.
PAGES = {
    "README.md": ".",
    "examples/README.md": "examples",
    "doc/tutorial.md": "tutorial",
    "doc/cookbook.md": ".",
    "doc/comparison.md": ".",
}


def blocks(text):
    """[(words behind the fence, lines)]"""
    return [(match[1].split(), match[2]) for match in re.finditer(r"^```([^\n`]*)\n(.*?)^```$", text, re.M | re.S)]


def commands(block):
    """[(command, what it is to print)]"""
    for part in re.split(r"^\$ ", "\n" + block, flags=re.M)[1:]:
        lines = part.split("\n")
        end = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
        yield "\n".join(lines[:end + 1]), "\n".join(lines[end + 1:]).strip("\n")


def pattern(expected):
    """A regular expression for an output."""
    parts = []
    for line in expected.split("\n"):
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            words = re.escape(line.rstrip())
            words = re.sub("…$", r".*(?:\\n {2,}\\S.*)*", words)  # over the next lines, if it is wrapped there
            parts.append(words.replace("…", ".*") + r"[ ]*\n")
    return re.compile("".join(parts) + r"\s*")


def verdict_of(output):
    """The gravest one that is shown, as an exit code; None if there is none."""
    codes = [EXIT_CODES[word] for word in re.findall(r": (SAFE|BOUNDED|UNSAFE|INCOMPLETE)\b", output)]
    return next((code for code in (1, 3, 0) if code in codes), None)


class Session:
    def __init__(self, build, directory, place):
        self.root = os.path.join(directory, "mazurka")
        os.mkdir(self.root)
        shutil.copytree("examples", os.path.join(self.root, "examples"), ignore=shutil.ignore_patterns("build", "*.mzt"))
        for name in ("bench", "test", "include"):
            os.symlink(os.path.abspath(name), os.path.join(self.root, name))
        self.directory = os.path.join(self.root, place)
        os.makedirs(self.directory, exist_ok=True)
        programs = os.path.join(directory, "bin")
        os.mkdir(programs)
        for name in ("mazurka", "mazurka-cc", "mazurka-c++"):
            if os.path.exists(os.path.join(build, name)):
                os.symlink(os.path.abspath(os.path.join(build, name)), os.path.join(programs, name))
        self.environment = {**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        for name in ("MAKEFLAGS", "MAKELEVEL", "MAZURKA", "CFLAGS", "CC", "BUILD", "COLUMNS", "NO_COLOR"):
            self.environment.pop(name, None)

    def shell(self, command):
        return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.directory, env=self.environment, text=True,
                              timeout=SECONDS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def patch(self, text):
        done = subprocess.run(["patch", "-p0", "--no-backup-if-mismatch"], cwd=self.directory, input=text, text=True, capture_output=True,
                              check=False)
        assert done.returncode == 0 and "fuzz" not in done.stdout, f"the change does not fit:\n{text}\n{done.stdout}"

    def says(self, command, expected):
        run = self.shell(command)
        assert pattern(expected).fullmatch(run.stdout.rstrip("\n") + "\n"), f"$ {command}\nexpected:\n{expected}\ngot:\n{run.stdout}"
        code = verdict_of(run.stdout)
        assert code is None or re.search(r"[|;]|\bmake\b|\bplan\b", command) or run.returncode == code, (command, run.returncode, run.stdout)
        return run


def follow(build, page):
    with open(page, encoding="utf-8") as file:
        read = blocks(file.read())
    if any(words == ["diff"] for words, _ in read) and not shutil.which("patch"):
        return cases.cannot(f"sessions: {page} is not tried: patch is not installed")
    done = 0
    with tempfile.TemporaryDirectory() as directory:
        session = Session(build, directory, PAGES[page])
        for words, text in read:
            if len(words) == 2:
                session.write(words[1], text)
            elif words == ["diff"]:
                session.patch(text)
            elif re.match(r"\$ ", text):
                for command, expected in commands(text):
                    session.says(command, expected)
                    done += 1
    assert done > 0, "the commands of the page are not found"
    return None


@functools.lru_cache(maxsize=None)
def help_of(build, command):
    run = subprocess.run([os.path.join(build, "mazurka"), command, "--help"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"mazurka {command} --help: exit code {run.returncode}"
    return run.stdout


def options_exist(build, page):
    """Of all commands in blocks, whether they are run or not. What follows `--` is the program's."""
    with open(page, encoding="utf-8") as file:
        read = blocks(file.read())
    found = re.findall(r"(?:^|[ /&;|(])mazurka ([a-z]+)((?: [^\n|#;&]*)?)", "\n".join(text for words, text in read if not words), re.M)
    for command, rest in found:
        if command in ("cc", "help"):
            continue
        helped = help_of(build, command)
        for option in re.findall(r" (--[a-z][a-z-]*)", re.split(r" -- ", rest)[0]):
            assert re.search(re.escape(option) + r"(?![a-z-])", helped), f"{page}: mazurka {command} has no {option}"
    return None if found else cases.SKIPPED


def as_recorded(lines):
    """Times differ."""
    return [re.sub(r" in [\d.]+ (µs|ms|s)$", "", line) for line in lines]


def session_picture(build):
    """The terminal session in the README shows what would be seen now: tools/record.py BUILD > doc/pictures/session.svg"""
    sys.path.insert(0, "tools")
    record = importlib.import_module("record")
    with open("doc/pictures/session.svg", encoding="utf-8") as file:
        drawn = ["".join(html.unescape(text) for text in re.findall(r"<tspan[^>]*>([^<]*)</tspan>", line))
                 for line in file if line.startswith("<text")]
    seen = [line for line in record.text_of(record.session(build)) if line]
    assert as_recorded(drawn) == as_recorded(seen), f"drawn:\n{drawn}\nnow:\n{seen}"


def tests(build):
    yield "the picture of a session", functools.partial(session_picture, build)
    for page in PAGES:
        yield page, functools.partial(follow, build, page)
    for name in sorted(os.listdir("doc")):
        if name.endswith(".md"):
            yield f"options in {name}", functools.partial(options_exist, build, os.path.join("doc", name))
    yield "options in README.md", functools.partial(options_exist, build, "README.md")
