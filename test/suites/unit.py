"""The cmocka programs of test/unit, each test function counted."""

import functools
import glob
import os
import re
import subprocess

import cases


SAMPLE = 2
CPU_SECONDS = 120


def check(program):
    name = os.path.basename(program)
    run = subprocess.run([program], capture_output=True, text=True, timeout=cases.HANG, env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP"))
    found = re.findall(r"^(ok|not ok) \d+ - (.*)$", run.stdout, re.MULTILINE)
    results = [(f"{name}: {test}", None if verdict == "ok" else run.stdout + run.stderr)
               for verdict, test in found if "# SKIP" not in test]
    for _, test in found:
        if "# SKIP" in test:
            print(f"skipped  {name}: {test}", flush=True)
    if run.returncode != 0 and all(problem is None for _, problem in results) or not found:
        results.append((name, f"exit code {run.returncode}\n{run.stdout}{run.stderr}"))
    return results


def tests(build):
    programs = [p for p in sorted(glob.glob(os.path.join(build, "unit_*"))) if os.path.isfile(p) and os.access(p, os.X_OK)]
    if not programs:
        yield "unit tests", "none were built: is cmocka installed (Debian: libcmocka-dev)?"
    for program in programs:
        yield os.path.basename(program), functools.partial(check, program)
