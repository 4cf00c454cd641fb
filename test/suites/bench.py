"""`mazurka bench`: the transcribed tables are plausible, our counts are the exact ones, what differs from the papers is
explained in doc/reproduction.md, and the output is what it is said to be."""

import csv
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

import cases
from counts import KNOWN

SECONDS = cases.HANG
SAMPLE = 2
EAGER, LAZY = "bench/published/eager_appendix.tsv", "bench/published/lazy_appendix.tsv"
DOCUMENT = "doc/reproduction.md"
NUMBERS = ["seconds", "traces", "executions", "dependency_checks", "race_checks", "unsatisfiable", "speedup"]
LARGER = {  # beyond what counts.py needs; for branching what the three algorithms of ours agree on
    "branching": {1: 1, 9: 31780, 10: 100651, 11: 318363},
    "ring_extended": {7: 247170, 8: 1548546},
    "indexer": {1: 1, **{n: 8 ** (n - 11) for n in range(11, 21)}},
    "indexer_small": {1: 1, **{n: 2 ** (n - 2) for n in range(2, 21)}},
    "readers_writers": {n: 2 ** (n - 1) for n in range(2, 21)},
    "readers_writers_thesis": {n: 2 ** (n - 1) for n in range(2, 22)},
    "ring": {n: 2 ** n - 2 for n in range(2, 22)},
    "last_zero": {n: n * 2 ** (n - 2) for n in range(2, 17)},
    "shared_pointer": {n: 2 * n + 1 for n in range(1, 101)},
}


def exact(model, n):
    return {**KNOWN[model], **LARGER.get(model, {})}[n]


def published(path):
    """[row]: N a number, the columns of NUMBERS numbers or '-' or '?' as they stand."""
    with open(path, encoding="utf-8") as lines:
        rows = list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))
    for row in rows:
        assert None not in row and None not in row.values(), f"{path}: wrong number of columns: {row}"
        row["N"] = int(row["N"])
        for column in NUMBERS:
            if row.get(column) not in (None, "-", "?"):
                row[column] = float(row[column])
    return rows


def known(value):
    return isinstance(value, float)


# ---- the transcription ----------------------------------------------------------------------------------


def eager_is_plausible(_):
    rows = published(EAGER)
    by_key = {(row["model"], row["N"], row["algorithm"]): row for row in rows}
    assert len(by_key) == len(rows) == 3 * 87, len(rows)
    for (model, n, algorithm), row in by_key.items():
        where = f"{model}({n}) {algorithm}"
        ended = row["seconds"] != "-"
        assert ended == (row["traces"] != "-"), where
        base = by_key[model, n, "SDPOR"]["seconds"]
        if known(row["speedup"]) and known(row["seconds"]) and known(base):
            saved = 100 * (1 - row["seconds"] / base)
            assert abs(saved - row["speedup"]) <= 0.051, f"{where}: {saved:.2f} % saved, not {row['speedup']}"
        if algorithm == "SDPOR":
            assert row["unsatisfiable"] in (0, "-") and row["speedup"] in (0, "-"), where
        elif model in ("ring", "readers_writers"):
            assert row["race_checks"] == n * (n - 1) / 2, where
        elif known(row["dependency_checks"]) and known(row["race_checks"]) and model != "ring_extended":
            assert row["dependency_checks"] >= row["race_checks"] / 2, where
        if model == "ring_extended" and known(row["unsatisfiable"]) and algorithm == "EPOR":
            dependencies = 4 * n if n > 2 else 4
            assert row["unsatisfiable"] == 2 ** dependencies - exact(model, n), where


def eager_closed_forms(_):
    """The numbers of readers_writers lie on smooth curves; those settled by that must, and a misread one would not."""
    rows = published(EAGER)
    rows = [row for row in rows if row["model"] == "readers_writers"]
    checks = {row["N"]: row["dependency_checks"] for row in rows if row["algorithm"] == "EPOR"}
    rest = [checks[n] - 2 ** (n - 1) * (2 * n - 6) for n in range(6, 21)]
    for _ in range(3):
        rest = [b - a for a, b in zip(rest, rest[1:])]
    assert set(rest) == {1}, rest
    races = {row["N"]: row["race_checks"] for row in rows if row["algorithm"] == "SDPOR"}
    rest = [(races[n] - 1) / 2 ** (n - 1) for n in range(6, 21)]
    for _ in range(2):
        rest = [b - a for a, b in zip(rest, rest[1:])]
    assert set(rest) == {0.75}, rest


def lazy_is_plausible(_):
    rows = published(LAZY)
    assert len(rows) == 2 * (20 + 20 + 20 + 7), len(rows)
    last = {}
    for row in rows:
        where = f"{row['model']}({row['N']}) {row['algorithm']}"
        assert (row["seconds"] == "-") == (row["executions"] == "-"), where
        if not known(row["executions"]):
            continue
        key = row["model"], row["algorithm"]
        if key in last:
            n, seconds, executions = last[key]
            assert row["N"] == n + 1, where
            assert row["executions"] >= executions and row["seconds"] >= seconds, where
        last[key] = row["N"], row["seconds"], row["executions"]
        assert row["executions"] >= exact(row["model"], row["N"]), f"{where}: fewer executions than traces"


def differences_are_explained(_):
    """Each published count that is not the exact one stands in the document, as `model(N)` with the number."""
    with open(DOCUMENT, encoding="utf-8") as document:
        lines = document.read().split("\n")
    missing = []
    wanted = [(row, row["traces"]) for row in published(EAGER)]
    wanted += [(row, row["executions"]) for row in published(LAZY) if row["algorithm"] == "LazyPOR"]
    for row, count in wanted:
        if known(count) and count != exact(row["model"], row["N"]):
            name, number = f"{row['model']}({row['N']})", f"{int(count):,}"
            if not any(name in line and number in line and row["algorithm"] in line for line in lines):
                missing.append(f"{name} {row['algorithm']}: {number}")
    assert not missing, f"{DOCUMENT} does not explain " + "; ".join(missing)


# ---- the program ----------------------------------------------------------------------------------------


def run(build, *words, **more):
    """In a directory with nothing in it: the program brings its models along."""
    with tempfile.TemporaryDirectory() as directory:
        command = [os.path.abspath(os.path.join(build, "mazurka")), "bench", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=directory, **more)


def rows_of(build, *words):
    result = run(build, *words, "--json")
    assert result.returncode == 0, f"exit code {result.returncode}\n{result.stderr}"
    return json.loads(result.stdout)


def compare_counts(rows):
    """Ours are exact; returns the algorithms that were built."""
    built = {row["algorithm"] for row in rows if row["status"] != "not built"}
    for row in rows:
        where = f"{row['model']}({row['N']}) {row['algorithm']}"
        if row["status"] == "not built" or " " in row["algorithm"]:
            continue
        assert row["status"] == "complete", f"{where}: {row['status']}"
        assert row["traces"] == exact(row["model"], row["N"]), f"{where}: {row['traces']} traces"
        assert row["seconds"] > 0, where
    return built


def counts_table3(build):
    rows = rows_of(build, "eager-table3", "--row-timeout=60s", "--up-to=6")
    assert [row["algorithm"] for row in rows] == ["source", "eager-short", "eager", "optimal"], rows
    assert {"source", "optimal"} <= compare_counts(rows)
    assert rows[0]["published"]["seconds"] == 70.729 and rows[3]["published"] is None


def counts_appendix(build):
    rows = rows_of(build, "eager-appendix", "--row-timeout=60s", "--up-to=7")
    assert {row["model"] for row in rows} == {"readers_writers", "last_zero", "ring", "branching", "ring_extended"}
    compare_counts(rows)
    rows = rows_of(build, "eager-appendix", "--row-timeout=60s", "--rows=indexer(1[1-3])")
    assert {row["N"] for row in rows} == {11, 12, 13} and {row["model"] for row in rows} == {"indexer"}
    compare_counts(rows)
    compare_counts(rows_of(build, "eager-appendix", "--row-timeout=60s", "--rows=shared_pointer", "--up-to=40"))


def counts_lazy(build):
    """The thesis's executions of DPOR, again; of LazyPOR where each trace is explored once, and never more."""
    rows = rows_of(build, "lazy-appendix", "--row-timeout=60s", "--up-to=5")
    compare_counts(rows)
    for row in rows:
        if row["status"] == "not built" or not row["published"]:
            continue
        theirs = row["published"]["executions"]
        if row["algorithm"].startswith("dpor") or theirs == exact(row["model"], row["N"]):
            assert row["executions"] == theirs, row
        assert row["executions"] <= theirs, row


def counts_dc(build):
    """C programs: source visits the traces of S-DPOR where the program is that of the talk; opt_lock has 4N - 1 observations."""
    rows = rows_of(build, "dc-tables", "--row-timeout=60s", "--rows=fib_bench(4)")
    assert [row["algorithm"] for row in rows] == ["source", "dc", "rf"], rows
    assert rows[0]["traces"] == rows[0]["published"]["traces"] == 19605, rows
    for row in rows_of(build, "dc-tables", "--row-timeout=1s", "--rows=opt_lock(1[25])"):
        assert row["algorithm"] == "source" or row["traces"] == 4 * row["N"] - 1, row


def published_numbers_come_through(build):
    """What the program prints as published is what the file says, also as CSV; a line per row and one for optimal."""
    result = run(build, "eager-appendix", "--csv", "--row-timeout=1ms", "--rows=ring")
    printed = list(csv.DictReader(result.stdout.splitlines()))
    wanted = [row for row in published(EAGER) if row["model"] == "ring"]
    assert len(printed) == len(wanted) * 4 // 3, len(printed)
    for row, line in zip(wanted, (line for line in printed if line["published_algorithm"])):
        assert (row["N"], row["algorithm"]) == (int(line["N"]), line["published_algorithm"]), line
        for column in NUMBERS:
            shown = line["published_" + column]
            assert (float(shown) if shown else None) == (row.get(column) if known(row.get(column)) else None), line


def limit(build):
    """A row that takes too long says how far it came, and the rest goes on."""
    rows = rows_of(build, "eager-table3", "--row-timeout=30ms", "--rows=ring_extended(8)")
    source, optimal = rows[0], rows[-1]
    for row in (source, optimal):
        assert row["status"] == "limit" and 0 < row["traces"] < 1548546 and 0.03 <= row["seconds"] < 5, row
        assert row["times_faster"] is None and row["speedup"] is None, row
    shown = run(build, "eager-table3", "--row-timeout=30ms", "--rows=ring_extended(8)").stdout
    assert re.search(r"^ +8 source +>0\.\d+ +6552\.2 +>\d+ 1548546", shown, re.M), shown


def narrow(build):
    """The widest table fits 120 columns."""
    shown = run(build, "eager-appendix", "--row-timeout=1ms").stdout.split("\n")
    assert len(shown) > 4 * 87 and max(map(len, shown)) <= 120, max(shown, key=len)


def interrupted(build):
    """What was measured so far is printed, and is JSON."""
    command = [os.path.join(build, "mazurka"), "bench", "eager-table3", "--json", "--rows=ring_extended(8)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as process:
        begin = process.stdout.read(1)  # the first row is next
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 3, f"exit code {process.returncode}\n{out}{err}"
    assert json.loads(begin + out)[-1]["status"] == "interrupted", out


def plot(build):
    if not shutil.which("gnuplot"):
        print("bench: gnuplot is not installed: the test of --plot is left out")
        return
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "a 'picture'.svg")
        result = run(build, "lazy-appendix", "--up-to=4", "--csv", "--plot", path)
        assert result.returncode == 0 and result.stderr == "", result
        with open(path, encoding="utf-8") as picture:
            text = picture.read()
    for word in ("<svg", "readers_writers_thesis", "indexer_small", "branching", "optimal", "LazyPOR (paper)",
                 "time (s)", "executions"):
        assert word in text, f"the picture has no '{word}'"
    result = run(build, "eager-table3", "--up-to=6", "--plot=/no/such/directory/x.svg")
    assert result.returncode == 2 and "/no/such/directory/x.svg" in result.stderr, result


def plot_without_gnuplot(build):
    """Said before anything is measured."""
    result = run(build, "eager-table3", "--plot=x.svg", env={"PATH": "/no/such/directory"})
    assert result.returncode == 2 and result.stdout == "" and "gnuplot-nox" in result.stderr, result


TIMED = [limit, interrupted]  # they have limits of some milliseconds
PROGRAMS = [eager_is_plausible, eager_closed_forms, lazy_is_plausible, differences_are_explained, counts_table3,
            counts_appendix, counts_lazy, counts_dc, published_numbers_come_through, limit, narrow, interrupted, plot,
            plot_without_gnuplot]


def tests(build):
    for program in PROGRAMS:
        case = functools.partial(program, build)
        yield program.__name__, cases.timed(case) if program in TIMED else case
