"""Random programs against exact enumeration (test/oracle), 2,000 by default, SEEDS in the environment for another
number. Two processes at a time; one result per batch."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

BATCH = 100


def run_batch(program, first, count):
    command = [program, f"--from={first}", f"--seeds={count}"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    except subprocess.TimeoutExpired:
        return "still running after 900 s"
    summary = re.search(r"^oracle: (\d+) programs agree .* (\d+) too large, (\d+) failed$", run.stdout, re.MULTILINE)
    if run.returncode != 0 or not summary:
        return f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}{run.stderr}"
    agree, too_large, _ = map(int, summary.groups())
    if agree + too_large != count or too_large > count // 20:
        return f"only {agree} of {count} programs were compared"
    return None


def tests(build):
    total = int(os.environ.get("SEEDS", "2000"))
    batches = [(first, min(BATCH, total - first + 1)) for first in range(1, total + 1, BATCH)]
    program = os.path.join(build, "oracle")
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda batch: run_batch(program, *batch), batches)
        for (first, count), problem in zip(batches, results):
            yield f"seeds {first} to {first + count - 1}", problem
            done = first + count - 1
            if done % 5000 == 0 and done < total:
                print(f"oracle: {done} of {total} programs", flush=True)
