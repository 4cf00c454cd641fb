"""The committed numbers of test/counts.tsv: traces, blocked and all executions of the models of bench/models.

One row is one check, columns separated by tabs: model, its options (N = the parameter, others as NAME=VALUE, '-' for
none), algorithm (with its options), traces, blocked, executions. Models with a bug are run with --all-errors, so that
the whole of the search is counted. A '#' starts a comment line. `traces` of `full` are interleavings, of `rf` and `dc`
observations; `dpor` visits traces repeatedly, and with --dependency=object its numbers are those published in the
LazyPOR thesis.

    python3 test/suites/counts.py --update BUILD            measure again and rewrite the table
    python3 test/suites/counts.py --update --force BUILD    even if a number of traces changes

How many executions an algorithm needs besides the traces may change with it. How many traces a model has may not:
without --force the update refuses to change that column. KNOWN holds the numbers that were worked out without this
tool; they are checked against the table itself."""

import functools
import json
import os
import subprocess
import sys

import cases

TABLE = "test/counts.tsv"
COLUMNS = ["model", "N", "algorithm", "traces", "blocked", "executions"]
SAMPLE = 2
HEADING = """# Traces, executions cut short as redundant, and all executions of the models of bench/models.
# Rewritten by: python3 test/suites/counts.py --update build
"""


def powers(base, exponents, low):
    return {low + i: base ** e for i, e in enumerate(exponents)}


# model -> {N: Mazurkiewicz traces}: closed forms, and exact enumerations at small sizes.
KNOWN = {
    "readers_writers": {n: 2 ** (n - 1) for n in range(2, 12)},
    "readers_writers_thesis": {n: 2 ** (n - 1) for n in range(2, 12)},
    "ring": {n: 2 ** n - 2 for n in range(2, 12)},
    "ring_extended": {2: 6, 3: 90, 4: 786, 5: 5730, 6: 38466},
    "branching": {2: 11, 3: 28, 4: 103, 5: 311, 6: 1010, 7: 3165, 8: 10063},
    "last_zero": {n: n * 2 ** (n - 2) for n in range(2, 12)},
    "last_zero_classic": {n: (n + 2) * 2 ** (n - 3) for n in range(3, 12)},
    "indexer": {**{n: 1 for n in range(2, 12)}, **powers(8, range(6), 11)},
    "indexer_small": {n: 2 ** (n - 2) for n in range(2, 12)},
    "shared_pointer": {n: 2 * n + 1 for n in range(1, 31)},
    "changing_dependencies": {"-": 3},
    "program_order": {"-": 4},
    "unsatisfiable_constraints": {"-": 3},
    "opt_lock": {1: 6, 2: 22, 3: 64, 4: 174, 5: 462},
}

# model -> {N: observations}: which write each read reads from, counted over all interleavings at small sizes. Nothing
# that is waited for is written in these models, so that there is no more to tell executions apart by.
KNOWN_OBSERVATIONS = {
    "opt_lock": {n: 4 * n - 1 for n in range(1, 31)},
    "program_order": {"-": 1},
    "peterson": {"ROUNDS=1": 16, "-": 30},
}


# Algorithms that visit each trace once.
ONCE = ["source", "optimal", "eager", "eager --sections=all", "eager-short", "dpor --sleep"]

# One execution for each observation; `dc` does the same for two processes, which all of KNOWN_OBSERVATIONS have.
OBSERVING = ["rf", "dc"]

# They may repeat some; where nothing read decides what is done, they do not: all is planned at once.
LAZY = ["lazy", "lazy --lazy=visited"]
PLANNED_AT_ONCE = ["readers_writers", "readers_writers_thesis", "ring", "ring_extended"]

# Executions in the thesis's column for DPOR (appendix B).
THESIS = "dpor --dependency=object"
KNOWN_THESIS = {
    "readers_writers_thesis": {2: 3, 3: 26, 4: 493, 5: 16559},
    "indexer": {11: 1, 12: 23, 13: 529},
    "indexer_small": {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 16, 7: 32, 8: 64},
    "branching": {1: 1, 2: 23, 3: 299, 4: 5731},
}


def options(cell):
    """The column N as command line options."""
    if cell == "-":
        return []
    return ["-D" + (part if "=" in part else "N=" + part) for part in cell.split(",")]


def measure(build, row):
    command = [os.path.join(build, "mazurka"), "check", "--json", "--trace=none", "--all-errors", "--relation=published", "-a",
               *row["algorithm"].split(), *options(row["N"]), f"bench/models/{row['model']}.dlang"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG)
    if result.returncode not in (0, 1):
        raise ValueError(f"{' '.join(command)}\nexit code {result.returncode}\n{result.stderr}")
    report = json.loads(result.stdout)
    return {key: report[key] for key in ("traces", "blocked", "executions")}


def read_table():
    """[row], a row being a dictionary; the counts are numbers."""
    rows = []
    with open(TABLE, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            cells = line.rstrip("\n").split("\t")
            if line.startswith("#") or cells == COLUMNS:
                continue
            if len(cells) != len(COLUMNS):
                raise ValueError(f"{TABLE}:{number}: {len(cells)} columns instead of {len(COLUMNS)}")
            rows.append(dict(zip(COLUMNS, cells[:3] + [int(cell) for cell in cells[3:]])))
    return rows


def write_table(rows):
    with open(TABLE, "w", encoding="utf-8") as table:
        table.write(HEADING + "\t".join(COLUMNS) + "\n")
        for row in rows:
            table.write("\t".join(str(row[column]) for column in COLUMNS) + "\n")


def name_of(row):
    return f"{row['model']}({row['N']}) {row['algorithm']}"


def wrong_against_known(rows):
    """Rows that contradict what is known without the tool."""
    for row in rows:
        cell = int(row["N"]) if row["N"].isdigit() else row["N"]
        known = KNOWN.get(row["model"], {}).get(cell)
        if row["algorithm"] in ONCE + LAZY and known is not None and known != row["traces"]:
            yield f"{name_of(row)}: the table says {row['traces']} traces, known are {known}"
        observations = KNOWN_OBSERVATIONS.get(row["model"], {}).get(cell)
        if row["algorithm"] in OBSERVING and observations is not None and observations != row["traces"]:
            yield f"{name_of(row)}: the table says {row['traces']} observations, known are {observations}"
        published = KNOWN_THESIS.get(row["model"], {}).get(cell)
        if row["algorithm"] == THESIS and published != row["executions"]:
            yield f"{name_of(row)}: the table says {row['executions']} executions, published are {published}"
        if row["algorithm"] in LAZY and row["model"] in PLANNED_AT_ONCE and row["executions"] != row["traces"]:
            yield f"{name_of(row)}: {row['executions']} executions for {row['traces']} traces"
        if row["algorithm"] in ["optimal", *OBSERVING] and row["blocked"]:
            yield f"{name_of(row)}: {row['algorithm']}, and {row['blocked']} executions blocked"


def compare(build, row):
    measured = measure(build, row)
    return "\n".join(f"{key}: expected {row[key]}, got {measured[key]}" for key in measured if measured[key] != row[key]) or None


def tests(build):
    rows = read_table()
    problems = list(wrong_against_known(rows))
    yield f"{TABLE} agrees with what is known", "\n".join(problems) or None
    models = sorted(name[:-6] for name in os.listdir("bench/models") if name.endswith(".dlang"))
    missing = [model for model in models if model not in {row["model"] for row in rows}]
    yield f"{TABLE} has every model", f"missing: {', '.join(missing)}" if missing else None
    for row in rows:
        yield name_of(row), functools.partial(compare, build, row)


def update(build, force):
    rows, refused = read_table(), []
    for row in rows:
        measured = measure(build, row)
        if measured["traces"] != row["traces"]:
            refused.append(f"{name_of(row)}: traces {row['traces']} -> {measured['traces']}")
        row.update(measured)
    refused += wrong_against_known(rows)
    if refused and not force:
        print("\n".join(refused), file=sys.stderr)
        print("the table stays as it is: traces do not change (--force if they do)", file=sys.stderr)
        return 1
    write_table(rows)
    print(f"{TABLE}: {len(rows)} rows")
    return 0


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    flags = {word for word in sys.argv[1:] if word.startswith("--")}
    if len(words) != 1 or "--update" not in flags or flags - {"--update", "--force"}:
        sys.exit("usage: python3 test/suites/counts.py --update [--force] BUILD")
    build_directory = os.path.abspath(words[0])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    sys.exit(update(build_directory, "--force" in flags))
