"""The command line: golden files test/cli/*.test, and what needs a program to check (JSON, signals, terminals).

A golden file is a sequence of sections, each starting with a line '--- …'; lines before the first one are comment:

    --- file NAME           the lines that follow are written to NAME
    --- directory NAME      an empty directory is made
    --- run mazurka check … a command (no shell: words, quotes as in sh)
    --- exit N              its exit code (0 if not said)
    --- stdout              its standard output, line by line; nothing if there is no such section
    --- stderr              the same for standard error

Several 'run' sections follow each other; each is compared with the exit, stdout and stderr after it. A test runs in
a new directory in which the only thing is a link to bench/, with standard error no terminal.

In expected output {*} stands for any text in the line, {n} for a number, {time} for a time with its unit; a line
that is just {...} stands for any number of lines. Blanks at the ends of lines do not count."""

import functools
import glob
import json
import os
import pty
import re
import resource
import shlex
import signal
import subprocess
import tempfile
import time

import cases

SECONDS = cases.HANG
SAMPLE = 4
WILDCARDS = {"{*}": r".*?", "{n}": r"-?[\d,.]+(?:e[+-]?\d+)?", "{time}": r"[\d.]+ (?:µs|ms|s|min)"}
CONTRACT = ("tool version program algorithm verdict traces blocked executions events dependency_checks race_checks "
            "boundary_states sections constraint_systems unsatisfiable_avoided seconds peak_bytes assumptions checked reason "
            "warnings errors notes exit_statuses unasked cut_by_errors").split()
ERROR_CONTRACT = "kind message file line thread".split()


# ---- golden files -------------------------------------------------------------------------------------


def sections(path):
    """[(heading words, lines)] of a golden file."""
    found, lines = [], []
    with open(path, encoding="utf-8") as golden:
        for number, line in enumerate(golden.read().split("\n"), 1):
            if line.startswith("--- "):
                kind, _, rest = line[4:].strip().partition(" ")
                if kind not in ("file", "directory", "run", "exit", "stdout", "stderr"):
                    raise ValueError(f"{path}:{number}: no section is called '{kind}'")
                lines = []
                found.append((kind, rest, lines))
            else:
                lines.append(line)
    return found


def pattern(lines):
    """A regular expression for expected output."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    parts = []
    for line in lines:
        if line.strip() == "{...}":
            parts.append(r"(?:.*\n)*?")
            continue
        pieces = re.split(r"(\{\*\}|\{n\}|\{time\})", line.rstrip())
        parts.append("".join(WILDCARDS.get(p) or re.escape(p) for p in pieces) + r" *\n")
    return "".join(parts)


def clean(output):
    lines = output.decode("utf-8", "replace").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return "".join(line.rstrip() + "\n" for line in lines)


def execute(build, words, directory, **options):
    words = [os.path.abspath(os.path.join(build, "mazurka")) if w == "mazurka" else w for w in words]
    return subprocess.run(words, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                          env=dict(os.environ, LC_ALL="C.UTF-8"), **options)


def compare_run(result, command, code, wanted):
    problems = []
    if result.returncode != code:
        problems.append(f"exit code: expected {code}, got {result.returncode}")
    for stream, output in (("stdout", result.stdout), ("stderr", result.stderr)):
        got = clean(output)
        if not re.fullmatch(pattern(wanted[stream]), got):
            expected = "\n".join(wanted[stream]).rstrip()
            problems.append(f"{stream}: expected\n{expected}\n{stream}: got\n{got}")
    return [f"$ {command}"] + problems if problems else []


def golden_alone(build, path):
    with tempfile.TemporaryDirectory() as directory:
        try:
            return golden(build, path, directory)
        except (ValueError, IndexError) as trouble:
            return f"{path}: {trouble}"


def golden(build, path, directory):
    os.symlink(os.path.abspath("bench"), os.path.join(directory, "bench"))
    problems, runs = [], []
    for kind, rest, lines in sections(path):
        if kind == "file":
            with open(os.path.join(directory, rest), "w", encoding="utf-8") as file:
                file.write("\n".join(lines).rstrip("\n") + "\n" if any(lines) else "")
        elif kind == "directory":
            os.mkdir(os.path.join(directory, rest))
        elif kind == "run":
            runs.append((rest, 0, {"stdout": [], "stderr": []}))
        elif kind == "exit":
            runs[-1] = (runs[-1][0], int(rest), runs[-1][2])
        else:
            runs[-1][2][kind] = lines
    for command, code, wanted in runs:
        try:
            result = execute(build, shlex.split(command), directory)
            problems += compare_run(result, command, code, wanted)
        except subprocess.TimeoutExpired:
            problems.append(f"$ {command}\nstill running after {SECONDS} s")
    return None if not problems else path + "\n" + "\n".join(problems)


# ---- JSON ---------------------------------------------------------------------------------------------


def json_of(build, *words, code=0):
    """The one JSON value on standard output; complains as AssertionError."""
    result = execute(build, ["mazurka", "check", "--json", "--trace=none", *words], ".")
    assert result.returncode == code, f"exit code: expected {code}, got {result.returncode}\n{result.stderr.decode()}"
    return json.loads(result.stdout.decode("utf-8"))  # fails if there is more than one value, or bad UTF-8


def check_contract(report):
    missing = [key for key in CONTRACT if key not in report]
    assert not missing, f"missing keys: {missing}"
    assert report["tool"] == "mazurka" and report["verdict"] in ("safe", "unsafe", "incomplete"), report
    for key in CONTRACT[5:14]:
        assert isinstance(report[key], (int, str)), f"{key}: {report[key]!r}"
    assert isinstance(report["seconds"], float) and report["seconds"] >= 0
    assert report["peak_bytes"] > 100000, report["peak_bytes"]
    assert bool(report["errors"]) == (report["verdict"] == "unsafe")
    assert bool(report["reason"]) or report["verdict"] != "incomplete"
    for error in report["errors"]:
        missing = [key for key in ERROR_CONTRACT if key not in error]
        assert not missing, f"missing keys of an error: {missing}"


def json_safe(build):
    report = json_of(build, "bench/models/ring.dlang", "-DN=4")
    check_contract(report)
    assert (report["program"], report["algorithm"], report["verdict"]) == ("bench/models/ring.dlang", "optimal", "safe")
    assert report["traces"] == 14 and report["errors"] == [] and report["reason"] == ""
    assert set(report["checked"]) >= {"assertions", "deadlocks"}


def json_unsafe(build):
    report = json_of(build, "bench/models/dekker_broken.dlang", "--check=assertions", code=1)
    check_contract(report)
    assert report["checked"] == ["assertions"], report["checked"]
    (error,) = report["errors"]
    assert (error["kind"], error["file"], error["line"]) == ("assertion", "bench/models/dekker_broken.dlang", 19), error
    assert error["thread"] in (0, 1) and "inside == 1" in error["message"], error


def json_counterexample_file(build):
    """An error names the file that 'mazurka replay' replays, with the same result; none with --trace=none."""
    for program in ("bench/models/dekker_broken.dlang", "test/native/abba.c", "test/native/exit_from_thread.c"):
        with tempfile.TemporaryDirectory() as directory:
            command = ["mazurka", "check", "--json", "--check=all", os.path.abspath(program)]
            result = execute(build, command, directory)
            errors = json.loads(result.stdout)["errors"]
            for error in errors:
                assert os.path.exists(os.path.join(directory, error["trace"])), error
                result = execute(build, ["mazurka", "replay", "--json", error["trace"]], directory)
                (again,) = json.loads(result.stdout)["errors"]
                assert result.returncode == 1, result
                assert dict(again, occurrences=1) == dict(error, occurrences=1), (error, again)
        with tempfile.TemporaryDirectory() as directory:
            execute(build, [*command, "--trace=none"], directory)
            assert os.listdir(directory) == [], os.listdir(directory)


def counterexample_not_written(build):
    """A warning; the verdict stays."""
    with tempfile.TemporaryDirectory() as directory:
        model = os.path.abspath("bench/models/dekker_broken.dlang")
        result = execute(build, ["mazurka", "check", "--json", "--trace=none/x.mzt", model], directory)
        assert result.returncode == 1 and b"none/x.mzt: warning: " in result.stderr, result
        (error,) = json.loads(result.stdout)["errors"]
        assert error["trace"] == "" and b"replay:" not in result.stderr, result


def json_incomplete(build):
    report = json_of(build, "bench/models/ring.dlang", "-DN=12", "--max-traces=10", code=3)
    check_contract(report)
    assert report["verdict"] == "incomplete" and report["traces"] == 10 and "10" in report["reason"], report


def json_algorithms(build):
    reports = json_of(build, "-a", "full,source", "bench/models/ring.dlang", "-DN=3")
    assert isinstance(reports, list) and [r["algorithm"] for r in reports] == ["full", "source"], reports
    for report in reports:
        check_contract(report)
    assert [r["traces"] for r in reports] == [6, 6], reports


def json_files(build):
    models = ["bench/models/program_order.dlang", "bench/models/dining.dlang"]
    reports = json_of(build, *models, code=1)
    assert isinstance(reports, list) and [r["program"] for r in reports] == models, reports
    assert [r["verdict"] for r in reports] == ["safe", "unsafe"], reports


def json_alone_on_stdout(build):
    """Warnings and the report for people go to standard error; wrong usage leaves standard output empty."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "warning.dlang"), "w", encoding="utf-8") as model:
            model.write("<1, x 1>\n[ x := 1 + x * 2 ]\n")
        result = execute(build, ["mazurka", "check", "--json", "warning.dlang"], directory)
        assert json.loads(result.stdout)["verdict"] == "safe"
        assert b"warning" in result.stderr and b"SAFE" in result.stderr, result.stderr
        result = execute(build, ["mazurka", "check", "--json", "none.dlang"], directory)
        assert result.returncode == 2 and result.stdout == b"" and result.stderr != b"", result


def json_odd_file_names(build):
    """Quotes, backslashes, control characters and bytes that are no UTF-8 in a file's name still give valid JSON."""
    with tempfile.TemporaryDirectory() as directory:
        for name in (b'a"b\\c.dlang', b"tab\there.dlang", "é→.dlang".encode(), b"latin-\xe9.dlang"):
            with open(os.path.join(os.fsencode(directory), name), "wb") as model:
                model.write(b"<1, x 1>\n[ assert x == 1 ]\n")
            result = execute(build, ["mazurka", "check", "--json", name], directory)
            assert result.returncode == 1, (name, result.returncode)
            try:
                program = json.loads(result.stdout.decode("utf-8"))["program"]
            except ValueError as trouble:
                raise AssertionError(f"file name {name!r}: {trouble}") from None
            if name != b"latin-\xe9.dlang":
                assert program == name.decode(), (name, program)


# ---- signals, terminals, broken pipes -------------------------------------------------------------------


def interrupted(build, signal_number, *options, times=1):
    """Start a long check, let it work, send the signal: (exit code, stdout, stderr)."""
    command = [os.path.join(build, "mazurka"), "check", "bench/models/ring_extended.dlang", "-DN=9", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(0.7)
        assert process.poll() is None, "ended too soon"
        for _ in range(times):
            process.send_signal(signal_number)
            time.sleep(0.01)
        try:
            out, err = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError("still running 5 s after the signal") from None
    return process.returncode, out.decode(), err.decode()


def signal_interrupt(build):
    code, out, err = interrupted(build, signal.SIGINT)
    assert code == 3, f"exit code {code}\n{out}{err}"
    assert re.search(r"INCOMPLETE  interrupted\n", out) and "covered so far: about" in out, out
    assert re.search(r"optimal: [\d,]+ traces", out), out


def signal_interrupt_json(build):
    code, out, _ = interrupted(build, signal.SIGINT, "--json")
    report = json.loads(out)
    assert code == 3 and report["verdict"] == "incomplete" and report["reason"] == "interrupted", out
    assert report["traces"] > 100 and 0 < report["share_done"] < 1, out


def signal_terminate(build):
    code, out, err = interrupted(build, signal.SIGTERM)
    assert code == 3 and "interrupted" in out, f"exit code {code}\n{out}{err}"


def signal_interrupt_doubled(build):
    """timeout(1) delivers its signal to the process and to its group: the report is not lost."""
    code, out, err = interrupted(build, signal.SIGINT, times=2)
    assert code == 3 and "INCOMPLETE  interrupted" in out, f"exit code {code}\n{out}{err}"


def signal_interrupt_several(build):
    """The checks that come after the interrupted one do not start afresh."""
    code, out, err = interrupted(build, signal.SIGINT, "-a", "source,full")
    assert code == 3 and out.count("INCOMPLETE  interrupted") == 2, f"exit code {code}\n{out}{err}"


def have_terminals():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def on_terminal(build, *options, program=("bench/models/ring_extended.dlang", "-DN=14", "--timeout=1s")):
    """What appears on standard error, a terminal, and on standard output, none."""
    leader, follower = pty.openpty()
    command = [os.path.join(build, "mazurka"), "check", *program, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower) as process:
        os.close(follower)
        out, _ = process.communicate(timeout=SECONDS)
    err = b""
    while True:
        try:
            chunk = os.read(leader, 65536)
        except OSError:
            chunk = b""
        if not chunk:
            break
        err += chunk
    os.close(leader)
    assert process.returncode == 3, process.returncode
    return out, err


def terminal_progress(build):
    out, err = on_terminal(build)
    assert b"ring_extended" in err and b"\r" in err, f"no progress line: {err!r}"
    assert b"\033" not in out, f"colours where there is no terminal: {out!r}"
    assert b"INCOMPLETE" in out


def terminal_quiet(build):
    _, err = on_terminal(build, "--quiet")
    assert err == b"", f"--quiet, and yet: {err!r}"


def terminal_native(build):
    """The share that is told on the way is found by running the program otherwise meanwhile. It is the same program after that."""
    for algorithm in ("source", "optimal", "dpor", "rf", "dc"):
        out, _ = on_terminal(build, "-a", algorithm,
                             program=("test/native/order_of_sections.c", "-DN=4", "--timeout=2.4s"))
        assert b"the time limit" in out and b"does not do the same" not in out, out


def slow_compiler(directory, seconds):
    path = os.path.join(directory, "slow-cc")
    with open(path, "w", encoding="utf-8") as script:
        script.write(f'#!/bin/sh\nsleep {seconds}\nexec gcc "$@"\n')
    os.chmod(path, 0o755)
    return path


def estimate_after_building(build):
    """A compiler that takes all the time of an estimate leaves none of the algorithms without."""
    with tempfile.TemporaryDirectory() as directory:
        compiler = slow_compiler(directory, 1.5)
        result = execute(build, ["mazurka", "estimate", "--json", f"--cc={compiler}", "--timeout=2s",
                                 os.path.abspath("test/native/order_of_sections.c")], directory)
    rows = json.loads(result.stdout)["estimates"]
    assert len(rows) > 4 and all(row["known"] for row in rows), rows


def timeout_with_building(build):
    """The time that a check may take includes that of the compiler, but for a fifth of it."""
    with tempfile.TemporaryDirectory() as directory:
        compiler, started = slow_compiler(directory, 0.5), time.monotonic()
        result = execute(build, ["mazurka", "check", "--json", f"--cc={compiler}", "--timeout=6s", "-DN=4", "--trace=none",
                                 os.path.abspath("test/native/order_of_sections.c")], directory)
        seconds = json.loads(result.stdout)["seconds"]
    assert result.returncode == 3 and b"compiler" not in result.stdout and seconds < 4.5, (result, time.monotonic() - started)


def is_there(process):
    """Does it run? (A dead one that nobody has asked about does not.)"""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def stubborn_compiler(directory):
    """It has a child that does not end when it is asked to; the numbers of both are in a file."""
    path = os.path.join(directory, "stubborn-cc")
    with open(path, "w", encoding="utf-8") as script:
        script.write(f"""#!/bin/sh
sh -c 'trap "" TERM; echo $$ >> {directory}/processes; sleep 15; sleep 15' &
echo $$ >> {directory}/processes
wait
exec gcc "$@"
""")
    os.chmod(path, 0o755)
    return path


def processes_in(directory):
    with open(os.path.join(directory, "processes"), encoding="utf-8") as numbers:
        return [int(number) for number in numbers]


def wait_for_end(processes):
    """Those that are there after a moment all the same."""
    end = time.monotonic() + 3
    while any(map(is_there, processes)) and time.monotonic() < end:
        time.sleep(0.05)
    return [process for process in processes if is_there(process)]


def timeout_of_compiler(build):
    """A compiler that takes all of the time is ended, with all that it has started: no verdict, and a valid report."""
    for words, count in (((), 1), (("-a", "source,rf"), 2)):
        with tempfile.TemporaryDirectory() as directory:
            compiler, started = stubborn_compiler(directory), time.monotonic()
            result = execute(build, ["mazurka", "check", "--json", f"--cc={compiler}", "--timeout=2s", *words,
                                     os.path.abspath("test/native/order_of_sections.c")], directory)
            seconds, processes = time.monotonic() - started, processes_in(directory)
            reports = json.loads(result.stdout)
            assert result.returncode == 3 and 1.9 < seconds < 5, (seconds, result)
            assert len(processes) == 2 and not wait_for_end(processes), processes
        for report in reports if count > 1 else [reports]:
            assert report["verdict"] == "incomplete" and "took all of the time" in report["reason"], report
            assert not [key for key in CONTRACT if key not in report], report


def interrupted_compiler(build):
    """A compiler in a group of its own hears of the signals that end the checker."""
    with tempfile.TemporaryDirectory() as directory:
        compiler = slow_compiler(directory, 15)
        with open(compiler, "a+", encoding="utf-8") as script:
            script.seek(0)
            text = script.read().replace("sleep", f"echo $$ > {directory}/processes\nsleep")
            script.truncate(0)
            script.write(text)
        process = subprocess.Popen([os.path.join(os.path.abspath(build), "mazurka"), "check", f"--cc={compiler}", "--timeout=12s",
                                    os.path.abspath("test/native/order_of_sections.c")], env={**os.environ, "TMPDIR": directory})
        end = time.monotonic() + 5
        while not os.path.exists(f"{directory}/processes") and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=5) == -signal.SIGTERM
        assert not wait_for_end(processes_in(directory))


ENDLESS_THREADS = """#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return a;
}
int main(void)
{
    pthread_t i;
    while (1)
        pthread_create(&i, 0, t, 0);
}
"""


def used_by_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timeout_of_endless_threads(build):
    """The time goes on when the program for more threads takes over, and what it cuts short is not compared. The rest of a
    compiler's time, which is taken twice, shows it best. Time of the processor is looked at: it would be twice the limit."""
    for delay, algorithm in ((0, "optimal"), (0, "source"), (0.3, "rf")):
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "endless.c"), "w", encoding="utf-8") as program:
                program.write(ENDLESS_THREADS)
            compiler, before = slow_compiler(directory, delay), used_by_children()
            result = execute(build, ["mazurka", "check", "--json", f"--cc={compiler}", "--timeout=4s", "-j1", "--trace=none",
                                     "-a", algorithm, "endless.c"], directory)
            seconds, report = used_by_children() - before, json.loads(result.stdout)
        reason = report["reason"]
        assert result.returncode == 3 and seconds < 4 + 1.4 + 0.8, (algorithm, seconds, report)
        assert "does not do the same" not in reason and "time limit" in reason and "1024 threads" in reason, (algorithm, reason)


def never_all_of_it(build):
    """What was ended has not covered everything, however close it came."""
    for traces in (13, 12):
        result = execute(build, ["mazurka", "check", f"--max-traces={traces}", os.path.abspath("bench/models/ring.dlang"), "-DN=4"], ".")
        assert result.returncode == 3 and b"100 %" not in result.stdout, result.stdout


def terminal_colour(build):
    """Colours on a terminal, none with NO_COLOR."""
    for variables, wanted in (({}, True), ({"NO_COLOR": "1"}, False)):
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        leader, follower = pty.openpty()
        subprocess.run([os.path.join(build, "mazurka"), "check", "bench/models/program_order.dlang"], stdout=follower,
                       stderr=follower, env={**environment, **variables}, timeout=SECONDS)
        os.close(follower)
        shown = os.read(leader, 65536)
        os.close(leader)
        assert bool(re.search(rb"\033\[[\d;]*m", shown)) == wanted, shown


def output_lost(build):
    """A result that could not be written is no success."""
    if not os.path.exists("/dev/full"):
        return
    with open("/dev/full", "wb") as full:
        result = subprocess.run([os.path.join(build, "mazurka"), "check", "--json", "bench/models/program_order.dlang"],
                                stdout=full, stderr=subprocess.PIPE, timeout=SECONDS)
    assert result.returncode != 0, "exit code 0 although nothing could be written"


def options_are_not_combined(build):
    """The same option again: definitions replace, algorithms and kinds add up."""
    report = json_of(build, "-DN=3", "bench/models/ring.dlang", "-DN=4")
    assert report["traces"] == 14, report
    report = json_of(build, "--check=locks", "--check=indices", "bench/models/ring.dlang", "-DN=2")
    assert sorted(report["checked"]) == ["indices", "locks"], report
    reports = json_of(build, "-afull", "-a", "source", "bench/models/ring.dlang", "-DN=2")
    assert [r["algorithm"] for r in reports] == ["full", "source"], reports


def double_dash(build):
    """After -- come the arguments of the program, whatever they look like; they are no files."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "-q.c"), "w", encoding="utf-8") as program:
            program.write("int main(int count, char **words) { return words[count - 1][0] != '-'; }\n")
        result = execute(build, ["mazurka", "check", "--check=all", "./-q.c", "--", "--json"], directory)
        assert result.returncode == 0 and b"-q.c: SAFE" in result.stdout, result
        result = execute(build, ["mazurka", "check", "--", "-q.c"], directory)
        assert result.returncode == 2 and b"nothing to check" in result.stderr, result


def stateful(build):
    """With --stateful every state is visited once: 4 writers of own cells have 2^4 states."""
    report = json_of(build, "-a", "full", "--stateful", "bench/models/indexer_small.dlang", "-DN=2")
    assert report["traces"] == 1 and report["revisited"] > 0, report
    assert report["executions"] == report["traces"] + report["revisited"], report


# They send a signal after a while, or measure how long something takes.
TIMED = [signal_interrupt, signal_interrupt_json, signal_interrupt_doubled, signal_terminate, signal_interrupt_several,
         terminal_progress, terminal_native, estimate_after_building, timeout_with_building, timeout_of_compiler,
         interrupted_compiler, timeout_of_endless_threads]


def help_fits(build):
    """Of every command, a terminal of 80 columns."""
    mazurka = os.path.join(build, "mazurka")
    overview = subprocess.run([mazurka, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+)  +\S", overview, re.MULTILINE)
    assert len(commands) > 10, overview
    for words in [[], ["bench", "irs"], *([command] for command in commands)]:
        shown = subprocess.run([mazurka, *words, "--help"], capture_output=True, text=True, check=True).stdout
        wide = [line for line in shown.splitlines() if len(line) > 80 and not line.startswith("  mazurka ")]
        assert "usage: mazurka" in shown and not wide, (words, wide, shown)


PROGRAMS = [help_fits, json_safe, json_unsafe, json_counterexample_file, counterexample_not_written, json_incomplete, json_algorithms, json_files,
            json_alone_on_stdout, json_odd_file_names, signal_interrupt, signal_interrupt_json, signal_interrupt_doubled,
            signal_terminate,
            signal_interrupt_several, terminal_progress, terminal_quiet, terminal_native, terminal_colour, output_lost,
            estimate_after_building, timeout_with_building, timeout_of_compiler, interrupted_compiler,
            timeout_of_endless_threads, never_all_of_it, options_are_not_combined, double_dash, stateful]


def tests(build):
    for path in sorted(glob.glob("test/cli/*.test")):
        yield os.path.basename(path), functools.partial(golden_alone, build, path)
    terminals = have_terminals()
    if not terminals:
        print("cli: this machine has no pseudo terminals: the tests of the progress line and of colours are left out")
    for program in PROGRAMS:
        if program.__name__.startswith("terminal_") and not terminals:
            continue
        case = functools.partial(program, build)
        yield program.__name__, cases.timed(case) if program in TIMED else case
