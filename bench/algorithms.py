#!/usr/bin/env python3
"""Compares the algorithms over the benchmarks: which one should be the default of `mazurka check`?

    bench/algorithms.py [--mazurka build/mazurka] [--repeat 3] [--limit 20]

All algorithms run on a benchmark in turn, `repeat` times; the fastest time of each counts (that of the exploration, as
the tool reports it). The last line is the geometric mean of the time relative to `source`; a run that hits the limit
counts as the limit."""

import argparse
import json
import math
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ALGORITHMS = ["source", "optimal", "eager", "eager-short", "dpor --sleep", "lazy"]
ROWS = [
    ("readers_writers.dlang", 18), ("ring.dlang", 16), ("ring_extended.dlang", 6), ("last_zero.dlang", 13),
    ("last_zero_classic.dlang", 12), ("indexer.dlang", 15), ("shared_pointer.dlang", 100), ("branching.dlang", 8),
    ("dining.dlang", 5),
    ("readers_writers.c", 15), ("ring.c", 13), ("lastzero.c", 11), ("lastzero_eager.c", 12), ("indexer.c", 15),
    ("sharedptr.c", 100), ("branching.c", 8), ("fib_bench.c", 5), ("opt_lock.c", 8), ("pthread_demo.c", 8),
    ("parker.c", 16), ("msqueue.c", 3), ("treiber.c", 3), ("ticket.c", 4), ("mcs.c", 3), ("bounded_buffer.c", 5),
    ("dining.c", 8),
]
FIXED = {"dining.dlang": ["-DFIXED=1"]}


def measure(mazurka, name, n, algorithm, limit):
    """(seconds, traces or None if the limit was hit)"""
    folder = "models" if name.endswith(".dlang") else "c"
    command = [mazurka, "check", "--json", "--quiet", "--trace=none", f"--timeout={limit}s", f"-DN={n}",
               *FIXED.get(name, []), "-a", *algorithm.split(), os.path.join(HERE, folder, name)]
    result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                       check=False).stdout)
    return (limit, None) if result["verdict"] == "incomplete" else (result["seconds"], result["traces"])


def shown(seconds, traces):
    if traces is None:
        return "–"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def table(mazurka, repeat, limit):
    lines = ["| program | traces | " + " | ".join(f"`{a}`" for a in ALGORITHMS) + " |",
             "| --- | ---: |" + " ---: |" * len(ALGORITHMS)]
    logarithms = {algorithm: 0.0 for algorithm in ALGORITHMS}
    for name, n in ROWS:
        best = {}
        for _ in range(repeat):
            for algorithm in ALGORITHMS:
                if best.get(algorithm, (0, 0))[1] is not None:
                    run = measure(mazurka, name, n, algorithm, limit)
                    best[algorithm] = min(best.get(algorithm, run), run, key=lambda r: r[0])
        fastest = min(best.values())[0]
        for algorithm in ALGORITHMS:
            logarithms[algorithm] += math.log(best[algorithm][0] / best["source"][0])
        cells = [f"**{shown(*best[a])}**" if best[a][0] == fastest else shown(*best[a]) for a in ALGORITHMS]
        lines.append(f"| {name}({n}) | {best['source'][1] or '?'} | " + " | ".join(cells) + " |")
    means = [f"{math.exp(logarithms[a] / len(ROWS)):.2f}" for a in ALGORITHMS]
    lines.append("| relative to `source` | | " + " | ".join(means) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", default="build/mazurka")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=int, default=20)
    arguments = parser.parse_args()
    print(table(arguments.mazurka, arguments.repeat, arguments.limit))


if __name__ == "__main__":
    main()
