#!/usr/bin/env python3
"""Graphs per second under memory models, and GenMC beside them if it is installed.

    bench/memory.py [path of mazurka]"""

import json
import shutil
import subprocess
import sys
import time

ROWS = [("buffers", ["-DN=3"], "rc11"), ("buffers", ["-DN=4"], "rc11"), ("buffers", ["-DN=3"], "tso"),
        ("buffers", ["-DN=3", "-DORDER=memory_order_seq_cst"], "rc11"), ("buffers", ["-DN=4", "-DORDER=memory_order_seq_cst"], "sc"),
        ("stack", ["-DN=2"], "rc11"), ("stack", ["-DN=3"], "rc11")]


def genmc(path, options, memory):
    """Seconds of the whole process; the empty string if there is no GenMC."""
    if not shutil.which("genmc") or memory == "tso":
        return ""
    begun = time.monotonic()
    subprocess.run(["genmc", f"--{memory}", "--disable-estimation", "--", *options, path], capture_output=True, check=False, timeout=600)
    return f"{time.monotonic() - begun:.2f}"


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/mazurka"
    print(f"{'program':9}{'options':40}{'memory':8}{'graphs':>10}{'blocked':>9}{'seconds':>9}{'graphs/s':>11}{'MB':>6}{'GenMC s':>9}")
    for name, options, memory in ROWS:
        path = f"bench/memory/{name}.c"
        command = [program, "check", "--json", "--quiet", "--trace=none", "-j1", "-a", "graph", f"--memory={memory}", *options, path]
        report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        print(f"{name:9}{' '.join(options):40}{memory:8}{report['traces']:>10}{report['blocked']:>9}{report['seconds']:>9.3f}"
              f"{report['traces'] / report['seconds']:>11.0f}{report['peak_bytes'] / 1e6:>6.1f}{genmc(path, options, memory):>9}", flush=True)


if __name__ == "__main__":
    main()
