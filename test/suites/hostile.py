"""Programs that mean harm (test/hostile): the checker has to survive them, in time, and its verdict has to be right. A sample of
them; all with HOSTILE=all in the environment, and with HOSTILE=WORDS those whose name contains WORDS."""

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hostile"))
import cases  # noqa: E402
import programs  # noqa: E402

LIMITS = ["--timeout=4s", "--patience=0.3", "--max-memory=1G", "--max-traces=20000"]
SAMPLE = 10


def run(command, directory):
    """Exit code and output; None if it did not end."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=directory,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=cases.HANG)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "", ""
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def judge(program, code, out, err):
    """What is wrong, or None."""
    if code is None:
        return f"still running after {cases.HANG} s"
    if code not in (0, 1, 2, 3):
        return f"exit code {code}\n{out}{err}"
    try:
        results = json.loads(out) if code != 2 else []
    except ValueError:
        return f"exit code {code}, and the JSON is not as it should be\n{out}{err}"
    if code == 2 and (out or "error" not in err):
        return f"exit code 2 without a message\n{out}{err}"
    results = results if isinstance(results, list) else [results]
    verdicts = {result["verdict"] for result in results} - {"incomplete"}
    if len(verdicts) > 1:
        return f"the algorithms do not agree: {out}"
    kinds = [error["kind"] for result in results for error in result["errors"]]
    if not program.allows(code, kinds):
        return f"exit code {code} instead of {' or '.join(sorted(program.verdicts))}\n{out}{err}"
    return None


def check(build, program):
    with tempfile.TemporaryDirectory() as directory:
        name = "program.cpp" if program.cxx else "program.c"
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(program.source)
        algorithms = ["-a", "optimal,source"] if program.twice else []
        command = [os.path.abspath(os.path.join(build, "mazurka")), "check", "--json", "--trace=none", "--cflags=-w", *LIMITS,
                   *algorithms, name]
        return judge(program, *run(command, directory))


def tests(build):
    wanted = os.environ.get("HOSTILE", "")
    todo = list(programs.programs() if wanted else programs.sample())
    if wanted not in ("", "all"):
        todo = [program for program in todo if wanted in program.name]
    for program in todo:
        yield program.name, functools.partial(check, build, program)
