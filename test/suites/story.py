"""Bugs that were planted in structures as libraries have them (test/story/): the counterexample is short, names the object, and the step
that decides is the planted one. Lines in the programs:

    // options: WORDS    of the check
    // fails: TEXT       a part of the first line of the error
    // names: TEXT       an object, with its field, that is to be told
    // says: TEXT        something else that is to be told
    // decides: TEXT     in the source line of the step that decides
    // at-start          no step decides: every schedule fails
    // without: NAME     a thread with this name takes no part"""

import functools
import glob
import json
import os
import re
import subprocess

import cases

ROOM = (25, 80)  # lines, columns


def expectations(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    found = [re.match(r"// ([a-z-]+)(?:: (.*))?$", line) for line in lines]
    return lines, [(match[1], match[2]) for match in found if match]


def counterexample(text):
    """From the error on to the line that counts its steps."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if ": error: " in line)
    end = next(i for i, line in enumerate(lines) if "Replayed: " in line)
    return lines[begin:end + 1]


def column_of_line(shown):
    """Where the numbers of source lines end."""
    heading = next(line for line in shown if re.match(r" +step +", line))
    return heading.index("line") + len("line")


def decisive(shown):
    """The number of the source line of the row with the star; None if there is none."""
    rows = [line for line in shown if re.match(r" +\d+\*", line)]
    return int(rows[0][:column_of_line(shown)].split()[-1]) if rows else None


def told(build, path, options):
    command = [os.path.join(build, "mazurka"), "check", path, "--trace=none", *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    assert result.returncode == 1, (command, result)
    return result.stdout


def check(build, path):
    source, expected = expectations(path)
    options = dict(expected).get("options", "").split()
    output = told(build, path, options)
    shown = counterexample(output)
    text = "\n".join(shown)
    assert len(shown) <= ROOM[0], f"{len(shown)} lines:\n{text}"
    assert all(len(line) <= ROOM[1] for line in output.splitlines()), text
    line = decisive(shown)
    for what, value in expected:
        if what == "fails":
            assert value in shown[0] + shown[1], text
        elif what in ("names", "says"):
            assert value in re.sub(r"\s+", " ", text), f"{value} is not in\n{text}"
        elif what == "decides":
            assert line and value in source[line - 1], f"line {line} is not: {value}\n{text}"
        elif what == "options":
            continue
        elif what == "at-start":
            assert line is None and "every schedule fails" in text, text
        elif what == "without":
            assert not any(f" {value} " in row for row in shown if re.match(r" +\d+", row)), text
        else:
            raise AssertionError(f"{path}: // {what}: is not known")
    again = told(build, path, options)
    assert counterexample(again) == shown, "told otherwise the second time"


def of_model(build, *options):
    """The report as JSON; None if it does not come to its end with so few events."""
    command = [os.path.join(build, "mazurka"), "check", "--json", "--trace=none", "--max-events=60000", *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    report = json.loads(result.stdout) if result.returncode == 1 else None
    return None if report is None or report["reason"] else report


def as_all_say(build, path):
    """Every schedule is said to fail where every interleaving does, and nowhere else. Those that assumptions prune do not count."""
    report = of_model(build, path)
    everything = report and of_model(build, path, "-a", "full", "--all-errors")
    if not everything or len(everything["errors"]) != 1 or everything["pruned"] or report["errors"][0]["decided"] in ("", "perhaps"):
        return cases.SKIPPED
    every = everything["errors"][0]["occurrences"] == everything["executions"]
    decided = report["errors"][0]["decided"]
    assert (decided == "at-start") == every, (decided, everything["errors"][0]["occurrences"], everything["executions"])
    return None


def tests(build):
    for path in sorted(glob.glob("test/model/*.dlang")):
        with open(path, encoding="utf-8") as file:
            if "unsafe" in file.read():
                yield f"all say so: {os.path.basename(path)}", functools.partial(as_all_say, build, path)
    for name in sorted(os.listdir("test/story")):
        yield name, functools.partial(check, build, os.path.join("test/story", name))
