"""Searches that mpirun has started: each gives what one process gives, whatever becomes of the other ranks.

Programs of test/model and test/native, with small parts (MAZURKA_TEST_SPLIT) and other ranks that begin before this one goes on
(MAZURKA_TEST_RANKS), against -j 1. A rank's search is killed, a whole rank is killed where mpirun goes on, and where it does not."""

import contextlib
import functools
import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

import cases
import scale

SAMPLE = 30
RANKS = 4
LARGE = ["bench/c/lastzero.c", "-DN=17"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def environment(split):
    return {**scale.environment(split), **AS_ROOT, "MAZURKA_TEST_RANKS": "1"}


def command(build, words, *options):
    return ["mpirun", "-q", "--oversubscribe", *options, "-np", str(RANKS), f"{build}/mazurka", *words]


def without_time(report):
    return {key: value for key, value in report.items() if key not in scale.NOT_COUNTS}


def read(path):
    """None: nothing was written."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return None
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # where a program lies in memory depends on the libraries that are loaded beside it
    # (also where a program reads one as a number, out of memory that it has not set)
    text = re.sub(r"\b1407[0-9]{11}\b", "(address)", text)
    return without_time(json.loads(re.sub(r"\(address 0x[0-9a-f]+\)", "(address)", text)))


def compare(build, words, split=20):
    with tempfile.TemporaryDirectory() as folder:
        one, other = os.path.join(folder, "one.json"), os.path.join(folder, "other.json")
        common = ["-q", "--trace=none", *words]
        first = subprocess.run([f"{build}/mazurka", "check", f"--json={one}", "-j1", *common], env=scale.environment(split), capture_output=True,
                               text=True, timeout=cases.HANG, check=False)
        second = subprocess.run(command(build, ["check", f"--json={other}", *common]), env=environment(split), capture_output=True, text=True,
                                timeout=cases.HANG, check=False)
        if first.returncode != second.returncode:
            return f"exit codes {first.returncode} and {second.returncode}: {second.stdout}{second.stderr}"
        alone, together = read(one), read(other)
    if alone is None or together is None:
        return None if alone is together and first.returncode == 2 else f"no result: {second.stdout}{second.stderr}"
    return "\n".join(scale.differences(alone, together)) or None


# ---- ranks that are lost --------------------------------------------------------------------------------


def children(process):
    """All below it, the nearest first."""
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        below = [int(word) for word in file.read().split()]
    return below + [further for child in below for further in children(child)]


def rank_of(process):
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            words = dict(word.partition(b"=")[::2] for word in file.read().split(b"\0"))
    except OSError:
        return None
    return int(words.get(b"OMPI_COMM_WORLD_RANK", b"-1"))


def processes_of(mpirun, rank):
    """The relay, the agent and, while there is one, the process that searches."""
    found = [process for process in children(mpirun) if rank_of(process) == rank]
    return found if len(found) == 3 else None


def kill_half_way(build, which, words, *options):
    """`which`: which of the processes of the last rank. Standard output and error, and the exit code."""
    run = subprocess.Popen(command(build, words, *options), env={**os.environ, **AS_ROOT}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True)
    until, killed = time.monotonic() + 60, False
    while not killed and time.monotonic() < until and run.poll() is None:
        time.sleep(0.02)
        try:
            found = processes_of(run.pid, RANKS - 1)
        except OSError:
            continue
        if not found:
            continue
        time.sleep(0.3)  # it has an item
        for process in which(found):
            with contextlib.suppress(ProcessLookupError):  # mpirun ends the others itself
                os.kill(process, signal.SIGKILL)
        killed = True
    return killed, run.communicate(timeout=cases.HANG)[0], run.returncode


def survived(build, which, *options):
    """What is lost is explored by others: nothing of the result changes."""
    whole = scale.result(build, ["check", *LARGE, "-j", "1"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "other.json")
        killed, told, _ = kill_half_way(build, which, ["check", *LARGE, "-q", "--trace=none", f"--json={path}"], *options)
        found = read(path)
    if not killed:
        return cases.SKIPPED  # it was faster
    if found is None:
        return f"no result: {told}"
    counts = ("verdict", "traces", "executions", "errors")
    return "\n".join(f"{key}: {whole[key]}, with a lost rank {found[key]}" for key in counts if whole[key] != found[key]) or None


def saved(build):
    """mpirun ends all the others: the checkpoint goes on."""
    whole = scale.result(build, ["check", *LARGE, "-j", "1"])
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "saved.mzc")
        killed, told, code = kill_half_way(build, lambda found: found, ["check", *LARGE, "-q", "--trace=none", f"--checkpoint={file}"])
        if not killed or code == 0:
            return cases.SKIPPED
        until = time.monotonic() + 20  # the search of rank 0 outlives its relay until it has saved
        while not os.path.exists(file) and time.monotonic() < until:
            time.sleep(0.1)
        if not os.path.exists(file):
            return f"there is no checkpoint: {told}"
        last = scale.result(build, ["resume", file])
    return None if last["traces"] == whole["traces"] else f"{last['traces']} traces, not {whole['traces']}"


# ---- refused --------------------------------------------------------------------------------------------


def refused(build, words, expected):
    run = subprocess.run(command(build, words), env=environment(None), capture_output=True, text=True, timeout=cases.HANG, check=False)
    return None if run.returncode == 2 and run.stderr.count(expected) == 1 else f"exit code {run.returncode}: {run.stdout}{run.stderr}"


def without_mpi(build):
    """A Mazurka that was built without it."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(f"{build}/mazurka", folder)
        return refused(folder, ["check", scale.RING], "built without MPI")


def commands():
    """(name, words) of every search that is compared with its like under mpirun."""
    for path in sorted(glob.glob("test/model/*.dlang")):
        if "endless" not in path:
            for algorithm in ("optimal", "source", "rf"):
                yield f"{os.path.basename(path)} {algorithm}", [path, "-a", algorithm, "--max-depth=2000"]
    for path in sorted(glob.glob("test/native/*.c*")):
        for number, text in enumerate(sorted(arguments_of(path))):
            words = shlex.split(text)
            yield f"{os.path.basename(path)} {number}", [path, *words] if "--" in words else [*words, path]


def tests(build):
    if not shutil.which("mpirun"):
        print("ranks: mpirun is not installed (Debian: openmpi-bin): nothing is tested", flush=True)
        yield "mpirun", lambda: cases.SKIPPED
        return
    if not os.path.exists(f"{build}/libmazurka-mpi.so"):
        print("ranks: this build knows no MPI (Debian: libopenmpi-dev): little is tested", flush=True)
        yield "without MPI", functools.partial(without_mpi, build)
        return
    for name, words in cases.rotating(commands(), 24):
        yield name, functools.partial(compare, build, words)
    yield "a search is killed", functools.partial(survived, build, lambda found: found[-1:])
    yield "a rank is killed", functools.partial(survived, build, lambda found: found, "--enable-recovery")
    yield "mpirun ends all", functools.partial(saved, build)
    yield "without MPI", functools.partial(without_mpi, build)
    yield "-j", functools.partial(refused, build, ["check", "-j2", scale.RING], "every rank is one process")
    yield "another command", functools.partial(refused, build, ["estimate", scale.RING], "this command is for one")
    yield "a mistake", functools.partial(refused, build, ["check", "nothing.dlang"], "nothing.dlang")


def arguments_of(path):
    """The options of its expectations; what looks at the clock is not compared."""
    found, words = set(), ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("// args:"):
                words = line.partition(":")[2].strip()
            elif line.startswith("// expect:") and not line.startswith(("// expect: error", "// expect: incomplete")):
                if not any(word.startswith(("--timeout", "--max-")) for word in words.split()):
                    found.add(words)
    return found
