"""The cmocka programs of test/unit, each test function counted; each program has a time limit of its own."""

import glob
import os
import re
import subprocess


def tests(build):
    programs = [p for p in sorted(glob.glob(os.path.join(build, "unit_*"))) if os.path.isfile(p) and os.access(p, os.X_OK)]
    if not programs:
        yield "unit tests", "none were built: is cmocka installed (Debian: libcmocka-dev)?"
    for program in programs:
        name = os.path.basename(program)
        environment = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP")
        try:
            run = subprocess.run([program], capture_output=True, text=True, timeout=120, env=environment)
        except subprocess.TimeoutExpired:
            yield name, "still running after 120 s"
            continue
        results = re.findall(r"^(ok|not ok) \d+ - (.*)$", run.stdout, re.MULTILINE)
        for verdict, test in results:
            if "# SKIP" in test:
                print(f"skipped  {name}: {test}", flush=True)
                continue
            yield f"{name}: {test}", None if verdict == "ok" else run.stdout + run.stderr
        if run.returncode != 0 and all(verdict == "ok" for verdict, _ in results) or not results:
            yield name, f"exit code {run.returncode}\n{run.stdout}{run.stderr}"
