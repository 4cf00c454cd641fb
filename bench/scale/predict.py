#!/usr/bin/env python3
"""How much faster is a search with many workers? Predicted from recorded exploration trees (record.c), by simulating the handing over of
work items.

    bench/scale/predict.py [--build=build] [-o doc/scaling.svg]

The tree of each program is recorded in pieces of some executions. Then P workers explore it. Each has a list of items: it goes on with the
newest, which is the deepest; a worker without items takes the oldest of whoever has the most, which is the largest subtree, one at a
time. That costs the thief a latency, and the steps of the item's prefix; and it costs the victim the time to write the item down. When
nobody has items left, it waits for the first that come. A piece takes as long as its events take in one search. What is left out: that
workers share caches and memory; that a search needs to be asked and answers at the end of an execution only (less than a millisecond).

Trees are recorded at sizes that take seconds, which is not enough for thousands of workers. So each is simulated once more as if one
worker took an hour for it: the same tree, every piece longer. That is a lower bound: a larger search has more pieces, not longer ones."""

import argparse
import collections
import heapq
import os
import subprocess
import sys

WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
PROGRAMS = [("ring(19)", "bench/models/ring.dlang", "-DN=19", 32),
            ("ring_extended(7)", "bench/models/ring_extended.dlang", "-DN=7", 32)]
HOUR = 3600
# How long one worker takes (None: as recorded), and the latency of taking an item (None: of a message here, as measured).
CASES = [("shared memory", None, None), ("1 ms", None, 1e-3), ("an hour, 1 ms", HOUR, 1e-3)]


class Tree:
    """Pieces by number: how long each takes, its children, the steps that lead to it."""

    def __init__(self, text):
        self.costs, self.seconds, self.children, self.prefix, self.executions = {}, [], [], [], 0
        for line in text.splitlines():
            if line.startswith("# "):
                _, name, value = line.split()
                self.costs[name] = float(value)
                continue
            number, parent, executions, events, prefix, _ = line.split("\t")
            own = max(int(events) - int(prefix), 1)  # the steps of the prefix are made only by who has stolen it
            self.seconds.append(own * self.costs["event"])
            self.prefix.append(int(prefix) * self.costs["event"])
            self.children.append([])
            self.executions += int(executions)
            if int(number) != int(parent):
                self.children[int(parent)].append(int(number))
        self.total = sum(self.seconds)


def record(build, path, definition, grain):
    run = subprocess.run([os.path.join(build, "scale_record"), f"--grain={grain}", path, definition], capture_output=True, text=True,
                         check=True)
    return Tree(run.stdout)


def simulate(tree, workers, latency, longer=1):
    """Seconds until everything is explored by so many workers, and how often an item was taken from another. `longer`: so many times as
    long does each piece take."""
    handing = tree.costs["item"]
    items = [collections.deque() for _ in range(workers)]  # of each worker, the oldest first
    items[0].append(0)
    idle = collections.deque(range(1, workers))
    events = [(0.0, 0, -1)]  # when, who, which piece has been explored by then
    rich = [(-1, 0)]  # how many items, whose: not kept up to date, looked at again when taken
    now, steals, end = 0.0, 0, 0.0

    def begin(worker, piece, when, extra):
        heapq.heappush(events, (when + extra + longer * tree.seconds[piece], worker, piece))

    def richest():
        while rich:
            count, who = rich[0]
            if len(items[who]) == -count and count < 0:
                return who
            heapq.heappop(rich)
            if items[who] and -count > len(items[who]):
                heapq.heappush(rich, (-len(items[who]), who))
        return None

    while events:
        now, worker, piece = heapq.heappop(events)
        end = max(end, now)
        mine = items[worker]
        if piece >= 0:
            mine.extend(reversed(tree.children[piece]))
        asked = 0
        while idle and len(mine) > 1:  # somebody waits: it gets the oldest
            thief, given = idle.popleft(), mine.popleft()
            asked += 1
            steals += 1
            begin(thief, given, now + asked * handing, latency + tree.prefix[given])
        if mine:
            piece = mine.pop()
            begin(worker, piece, now + asked * handing, 0)
            if mine:
                heapq.heappush(rich, (-len(mine), worker))
            continue
        victim = richest()
        if victim is None:
            idle.append(worker)
            continue
        given = items[victim].popleft()
        steals += 1
        begin(worker, given, now, latency + handing + tree.prefix[given])
        if items[victim]:
            heapq.heappush(rich, (-len(items[victim]), victim))
    return end, steals


def duration(seconds):
    for size, unit in ((3600, "h"), (1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def measured_points(path):
    """(what, workers, speed-up), of runs of the checker itself."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return [(what, int(workers), float(speed_up)) for what, workers, speed_up in rows]


def plot(curves, points, output):
    """One line for each curve, with gnuplot."""
    commands = [f"set terminal svg size 760,520 font 'sans-serif,13'; set output '{output}'",
                "set logscale xy 2; set grid; set key left top", "set xlabel 'workers'; set ylabel 'speed-up'",
                f"set xrange [1:{WORKERS[-1]}]; set yrange [1:{WORKERS[-1]}]"]
    shown = ["x with lines lc rgb '#bbbbbb' dashtype 2 title 'ideal'"]
    data = []
    for name, values in curves:
        shown.append(f"'-' using 1:2 with linespoints pointsize 0.4 title '{name}'")
        data.append("\n".join(f"{workers} {speed_up}" for workers, speed_up in values) + "\ne")
    for what in sorted({what for what, _, _ in points}):
        shown.append(f"'-' using 1:2 with points pointtype 6 pointsize 0.9 title 'measured: {what}'")
        data.append("\n".join(f"{workers} {speed_up}" for name, workers, speed_up in points if name == what) + "\ne")
    script = "\n".join([*commands, "plot " + ", ".join(shown), *data]) + "\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--measured", default="bench/scale/measured.tsv")
    parser.add_argument("-o", "--output", default="doc/scaling.svg")
    given = parser.parse_args()
    curves = []
    print("| program | one worker | latency | " + " | ".join(f"{workers:,}" for workers in WORKERS[1:]) + " |")
    print("| --- | --- | --- |" + " --- |" * len(WORKERS[1:]))
    for name, path, definition, grain in PROGRAMS:
        tree = record(given.build, path, definition, grain)
        print(f"{name}: {tree.executions:,} executions in {len(tree.seconds):,} pieces, {tree.total:.2f} s; "
              f"event {tree.costs['event'] * 1e9:.0f} ns, item {tree.costs['item'] * 1e6:.1f} µs, "
              f"message {tree.costs['message'] * 1e6:.1f} µs", file=sys.stderr)
        for words, total, latency in CASES:
            latency = latency or tree.costs["message"]
            total = total or tree.total
            values = [(workers, total / simulate(tree, workers, latency, total / tree.total)[0]) for workers in WORKERS]
            curves.append((f"{name}, {words}", values))
            speed_ups = " | ".join(f"{float(f'{value:.3g}'):,g}" for _, value in values[1:])
            print(f"| {name} | {duration(total)} | {duration(latency)} | {speed_ups} |", flush=True)
    plot(curves, measured_points(given.measured), given.output)


if __name__ == "__main__":
    main()
