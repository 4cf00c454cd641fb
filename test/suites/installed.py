"""What `make install` puts somewhere: it works from there and from elsewhere; man pages and completion, which are made from the rows of the
options: mandoc reads the pages, bash, zsh and fish the completion; every option of them is one that its command takes."""

import functools
import os
import re
import shlex
import shutil
import subprocess
import tempfile

import cases

SAMPLE = 3
EXAMPLES_OF = ["", "check", "fuzz", "estimate", "plan", "clients"]
HARMLESS = {"missing date, using \"\": TH"}  # a page without a date is the same tomorrow


def prefix(build):
    """Installed once, then moved."""
    def make(path):
        subprocess.run(["tools/install", build, path + ".first"], stdout=subprocess.DEVNULL, check=True)
        os.rename(path + ".first", path)
    return cases.made_once(os.path.join(os.path.abspath(build), "installed"), make)


def fresh(build):
    """What was installed by an earlier build is no longer wanted."""
    shutil.rmtree(os.path.join(build, "installed"), ignore_errors=True)


def run(command, **rest):
    return subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False, **rest)


def told(mazurka, *words):
    result = run([mazurka, *words])
    assert result.returncode == 0 and not result.stderr, (words, result)
    return result.stdout


def commands(mazurka):
    return re.findall(r"^  ([a-z]+)  ", told(mazurka, "--help").replace("  mazurka", ""), re.M)


# ---- the installed tool -------------------------------------------------------------------------------


def help_examples(build):
    """Every command that a help shows as an example, in an empty directory."""
    mazurka = os.path.join(prefix(build), "bin", "mazurka")
    found = 0
    with tempfile.TemporaryDirectory() as directory:
        environment = dict(os.environ, PATH=os.path.dirname(mazurka) + ":" + os.environ["PATH"])
        shutil.copy("examples/bank.c", os.path.join(directory, "bank.c"))  # for: mazurka init && mazurka check
        for name in EXAMPLES_OF:
            text = run([mazurka, *([name] if name else []), "--help"], cwd=directory).stdout.split("example", 1)[1].replace("\\\n", " ")
            for line in text.splitlines():
                if not line.startswith("  mazurka"):
                    continue
                line = line.split("   (")[0]
                result = run(["sh", "-c", line + (" -q" if "--timeout" in line else "")], cwd=directory, env=environment)
                assert result.returncode in (0, 1, 3), (line, result)
                assert "--json" not in line or result.stdout.startswith("{"), line
                found += 1
    assert found >= 14, found


def moved(build):
    """A program that needs the wide checker, and its compiler wrapper, where nothing is at the place it was installed for."""
    root = prefix(build)
    assert not os.path.exists(root + ".first")
    with tempfile.TemporaryDirectory() as directory:
        shutil.copy("test/native/thirty_threads.c", directory)
        with open(os.path.join(directory, "many.c"), "w", encoding="utf-8") as file:
            file.write("#include <pthread.h>\nstatic void *f(void *a) { return a; }\nint main(void) { pthread_t t[70];\n"
                       "for (int i = 0; i < 70; i++) pthread_create(&t[i], 0, f, 0);\nfor (int i = 0; i < 70; i++) pthread_join(t[i], 0); }\n")
        result = run([os.path.join(root, "bin", "mazurka"), "check", "many.c"], cwd=directory)
        assert result.returncode == 0 and "71 threads" in result.stdout, result
        result = run([os.path.join(root, "bin", "mazurka-cc"), "many.c", "-o", "many"], cwd=directory)
        assert result.returncode == 0 and os.path.exists(os.path.join(directory, "many")), result
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(root, "share", "pkgconfig"))
        flags = run(["pkg-config", "--cflags", "mazurka"], env=environment).stdout.split()
        with open(os.path.join(directory, "uses.c"), "w", encoding="utf-8") as file:
            file.write("#include <mazurka.h>\nint main(void) { return (int)mz_input_int(\"n\", 0, 0); }\n")
        result = run(["gcc", *flags, "-fsyntax-only", "uses.c"], cwd=directory)
        assert flags and result.returncode == 0, (flags, result)


def documents(build):
    """The documents refer to each other, and to examples: all of that is there, too."""
    root = os.path.join(prefix(build), "share", "doc", "mazurka")
    missing = []
    for name in ["README.md"] + [os.path.join("doc", file) for file in os.listdir(os.path.join(root, "doc")) if file.endswith(".md")]:
        with open(os.path.join(root, name), encoding="utf-8") as file:
            links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read())
        for link in links:
            path = os.path.normpath(os.path.join(root, os.path.dirname(name), link))
            here = os.path.normpath(os.path.join(os.path.dirname(name), link))
            assert os.path.exists(here), f"{name}: {link} is not there"
            if not os.path.exists(path) and not here.startswith(("src/", "test/", "bench/", "tools/")):
                missing.append(f"{name}: {link}")
    assert not missing, missing


# ---- man pages ----------------------------------------------------------------------------------------


def pages(build):
    mazurka = os.path.join(build, "mazurka")
    root = os.path.join(prefix(build), "share", "man", "man1")
    names = ["mazurka.1"] + [f"mazurka-{name}.1" for name in commands(mazurka)]
    assert sorted(names + ["mazurka-c++.1"]) == sorted(os.listdir(root)), os.listdir(root)
    for name in names:
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text = file.read()
        assert os.getcwd() not in text and prefix(build) not in text, f"{name} names this machine's files"
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION"):
            assert f".SH {section}\n" in text, (name, section)
    if not shutil.which("mandoc"):
        return cases.cannot("installed: man pages are not read by mandoc: it is not installed")
    for name in names:
        complaints = [line for line in run(["mandoc", "-T", "lint", "-W", "warning", os.path.join(root, name)]).stdout.splitlines()
                      if line.split("WARNING: ")[-1] not in HARMLESS]
        assert not complaints, complaints
    check = re.sub(r".\x08", "", run(["mandoc", "-T", "utf8", "-O", "width=78", os.path.join(root, "mazurka-check.1")]).stdout)
    for words in ("-a, --algorithm=NAME[,NAME]", "--html[=FILE]", "--preemptions=", "data-races", "Exit Status".upper(), "examples/bank.c"):
        assert words in check, (words, check)
    return None


def options_of(build, command):
    """[(names, does it take a value)] of the man page."""
    text = told(os.path.join(build, "mazurka"), "help", f"--man={command}")
    text = text.split(".SH OPTIONS\n")[1]
    found = []
    for line in re.findall(r"^\.TP\n(.*)$", text, re.M):
        plain = re.sub(r"\\f[BRI]", "", line).replace("\\-", "-").replace("\\(aq", "'")
        names = [re.match(r"(--?[A-Za-z][-a-z0-9]*)", part)[1] for part in plain.split(", ") if part.startswith("-")]
        found.append((names, "=" in plain.replace("[=", "") or not plain.split(", ")[-1].startswith("--") and " " in plain))
    return found


def accepted(build):
    """No option of a page is one that the command does not know. (A wrong value is another matter.)"""
    mazurka, count = os.path.abspath(os.path.join(build, "mazurka")), 0
    with tempfile.TemporaryDirectory() as directory:
        for command in commands(mazurka):
            if command == "cc":
                continue  # what it does not know is the compiler's
            for names, takes_value in options_of(build, command):
                for name in names:
                    value = ["="] if name.startswith("--") and takes_value else [""]
                    words = [mazurka, command, name + value[0]] + (["x"] if takes_value and not name.startswith("--") else [])
                    result = run(words, cwd=directory, stdin=subprocess.DEVNULL)
                    assert "unknown option" not in result.stderr and "option " + name + ": a search goes on" not in result.stderr, (words, result)
                    count += 1
    assert count > 300, count


# ---- completion ---------------------------------------------------------------------------------------


BASH = r"""
source %s
COMP_WORDS=(%s) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
_mazurka
printf '%%s\n' "${COMPREPLY[@]}"
"""


def bash(build):
    script = os.path.join(prefix(build), "share", "bash-completion", "completions", "mazurka")
    with tempfile.TemporaryDirectory() as directory:
        for name in ("a.c", "b.dlang", "c.txt", "x.mzt", "y.mzs", "two words.c"):
            with open(os.path.join(directory, name), "w", encoding="utf-8"):
                pass
        os.mkdir(os.path.join(directory, "src"))
        with open(os.path.join(directory, "mazurka.toml"), "w", encoding="utf-8") as file:
            file.write('[defaults]\n[target.queue]\nsources = ["a.c"]\n[ target . ring ]\nsources = ["b.dlang"]\n')

        def complete(*words):
            text = BASH % (shlex.quote(script), " ".join(shlex.quote(word) for word in words))
            result = run(["bash", "--norc", "-u", "-c", text], cwd=directory)
            assert result.returncode == 0 and not result.stderr, result
            return sorted(line for line in result.stdout.splitlines() if line)
        wanted = {
            ("mazurka", "re"): ["replay", "report", "resume"],
            ("mazurka", "check", "--rac"): ["--races="],
            ("mazurka", "check", "--races", "="): ["error", "ignore", "report"],
            ("mazurka", "check", "--races", "=", "re"): ["report"],
            ("mazurka", "check", "--races=re"): ["--races=report"],
            ("mazurka", "check", "--check", "=", "deadlocks,le"): ["deadlocks,leaks"],
            ("mazurka", "check", "-a", "optim"): ["optimal"],
            ("mazurka", "check", "--spur"): ["--spurious"],
            ("mazurka", "check", ""): ["a.c", "b.dlang", "queue", "ring", "src", "two words.c"],
            ("mazurka", "check", "q"): ["queue"],
            ("mazurka", "replay", ""): ["src", "x.mzt"],
            ("mazurka", "show", ""): ["src", "y.mzs"],
            ("mazurka", "check", "--suppressions", "=", "c"): ["c.txt"],
            ("mazurka", "check", "-I", "s"): ["src"],
            ("mazurka", "fuzz", "--strategy", "=", "un"): ["uniform"],
            ("mazurka", "check", "--timeout", "=", ""): [],
            ("mazurka", "help", "sh"): ["show"],
        }
        for words, answers in wanted.items():
            assert complete(*words) == answers, (words, complete(*words))
        for command in commands(os.path.join(build, "mazurka")):  # whatever is typed, nothing goes wrong
            given = complete("mazurka", command, "-")
            for names, _ in options_of(build, command):
                assert all(name in given or name + "=" in given for name in names), (command, names, given)


def zsh(build):
    if not shutil.which("zsh"):
        return cases.cannot("installed: the completion for zsh is not read: zsh is not installed")
    script = os.path.join(prefix(build), "share", "zsh", "site-functions", "_mazurka")
    assert run(["zsh", "-n", script]).returncode == 0
    # All that _arguments is told, given to the parser of _arguments itself, through a completion on a terminal of its own.
    with tempfile.TemporaryDirectory() as directory:
        for command, typed, wanted in (("check", "--rac", "--races="), ("check", "--races=ig", "--races=ignore"), ("replay", "--gd", "--gdb"),
                                       ("", "alg", "algorithms"), ("fuzz", "--strategy=uni", "--strategy=uniform")):
            text = ZSH.format(directory=os.path.dirname(script), words=f"mazurka {command} {typed}".replace("  ", " "))
            result = run(["zsh", "-f", "-c", text], cwd=directory, env=dict(os.environ, TERM="dumb", HOME=directory))
            assert wanted in result.stdout, (command, typed, result)
    return None


ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PROMPT=; fpath=({directory} \$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; print rea''dy; sleep 0.3"
zpty -r -m shell line '*ready*'
zpty -w -n shell $'{words}\t'
sleep 1
zpty -w -n shell $'\C-a: told \n'
for i in 1 2 3 4 5 6 7 8 9 10; do zpty -r -t shell line && print -r -- $line; sleep 0.1; done
zpty -d shell
"""


def fish(build):
    if not shutil.which("fish"):
        return cases.cannot("installed: the completion for fish is not read: fish is not installed")
    script = os.path.join(prefix(build), "share", "fish", "vendor_completions.d", "mazurka.fish")
    assert run(["fish", "--no-config", "--no-execute", script]).returncode == 0
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "mazurka.toml"), "w", encoding="utf-8") as file:
            file.write('[target.queue]\nsources = ["a.c"]\n')
        for typed, wanted in (("mazurka alg", "algorithms"), ("mazurka check --rac", "--races"), ("mazurka check --races=ig", "--races=ignore"),
                              ("mazurka check que", "queue"), ("mazurka fuzz --strategy uni", "uniform"), ("mazurka replay --gd", "--gdb")):
            result = run(["fish", "--no-config", "-c", f"source {shlex.quote(script)}; complete -C {shlex.quote(typed)}"], cwd=directory,
                         env=dict(os.environ, HOME=directory))
            found = [line.split("\t")[0] for line in result.stdout.splitlines()]
            assert wanted in found and not result.stderr, (typed, result)
    return None


def tests(build):
    fresh(build)
    for case in (help_examples, moved, documents, pages, accepted, bash, zsh, fish):
        yield case.__name__, functools.partial(case, build)
