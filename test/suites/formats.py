"""The formats of `mazurka check` for other programs, each read by a reader that is not ours: SARIF by its schema (npm package
@microsoft/sarif-multitool-linux, MIT) and python3-jsonschema, JUnit by python3-junitparser, lines of compilers by Vim and by the regular
expression of Emacs, witnesses by python3-yaml, graphs by Graphviz. Three have no reader that could be installed: of witnesses, annotations of
GitHub and traces of Perfetto the test has the published rules, written down again. A reader that cannot be had is said, and its test left
out; but not where everything has been installed (cases.cannot)."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree

import cases

SCHEMA = "package/sarif-2.1.0.json"
PACKAGE = "@microsoft/sarif-multitool-linux@5.7.0"
PROGRAMS = [  # exit code, words
    (1, ["examples/bank.c"]),
    (1, ["examples/bank.c", "--check=assertions"]),
    (0, ["examples/bank.c", "-DFIXED"]),
    (1, ["test/native/abba.c"]),
    (1, ["bench/models/bank.dlang"]),
    (0, ["bench/models/ring.dlang", "-DN=3", "-a", "full,source"]),
    (3, ["bench/models/ring.dlang", "-DN=9", "--max-traces=10"]),
]


def check(build, words, code, *options):
    """Standard output."""
    command = [os.path.join(build, "mazurka"), "check", "--quiet", "--trace=none", *words, *options]
    result = subprocess.run(command, capture_output=True, timeout=cases.HANG, check=False)
    assert result.returncode == code, (command, result)
    return result.stdout.decode("utf-8")


def schema(build):
    """The schema of SARIF 2.1.0, or None."""
    kept = os.path.join(build, "sarif-2.1.0.json")
    if not os.path.exists(kept):
        with tempfile.TemporaryDirectory() as directory:
            try:
                subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=directory, capture_output=True, timeout=120, check=True)
                (name,) = os.listdir(directory)
                with tarfile.open(os.path.join(directory, name)) as package, package.extractfile(SCHEMA) as file:
                    text = file.read()
            except (OSError, ValueError, KeyError, subprocess.SubprocessError):
                return None
        with open(kept, "wb") as file:
            file.write(text)
    with open(kept, encoding="utf-8-sig") as file:
        return json.load(file)


def sarif(build):
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
    except ImportError:
        return cases.cannot("formats: SARIF is not validated: python3-jsonschema is not installed")
    known = schema(build)
    if not known:
        return cases.cannot(f"formats: SARIF is not validated: its schema, in {PACKAGE} of npm, cannot be fetched")
    validator = jsonschema.Draft4Validator if "draft-04" in known["$schema"] else jsonschema.Draft7Validator
    for code, words in PROGRAMS:
        log = json.loads(check(build, words, code, "--sarif"))
        problems = [f"{list(problem.path)}: {problem.message}" for problem in validator(known).iter_errors(log)]
        assert not problems, (words, problems)
        results = [result for run in log["runs"] for result in run["results"] if result["level"] == "error"]
        assert bool(results) == (code == 1), (words, results)
        log["runs"][0]["results"] = [{"level": "error"}]  # it has no message
        assert list(validator(known).iter_errors(log)), "the validator accepts everything"
    return None


def sarif_flow(build):
    """All steps of all threads, in the order in which they happen, each with its line."""
    (run,) = json.loads(check(build, ["examples/bank.c", "--check=assertions"], 1, "--sarif"))["runs"]
    (result,) = run["results"]
    region = result["locations"][0]["physicalLocation"]
    assert region["artifactLocation"]["uri"] == "examples/bank.c" and region["region"]["startLine"] == 35, result
    flows = result["codeFlows"][0]["threadFlows"]
    assert [flow["id"] for flow in flows] == ["T0 main", "T1 pay_in", "T2 pay_in"], flows
    steps = sorted((at["executionOrder"], at["location"]["physicalLocation"]["region"]["startLine"])
                   for flow in flows for at in flow["locations"])
    assert steps == [(1, 19), (2, 19), (3, 20), (4, 20), (5, 35)], steps


def junit(build):
    for code, words in PROGRAMS:
        root = xml.etree.ElementTree.fromstring(check(build, words, code, "--junit").encode())
        test_cases = root.findall("./testsuite/testcase")
        suite = root.find("./testsuite")
        assert int(suite.get("tests")) == len(test_cases) == (2 if "full,source" in words else 1), words
        found = {kind: len(suite.findall(f"./testcase/{kind}")) for kind in ("failure", "error")}
        assert found == {"failure": int(code == 1), "error": int(code == 3)}, (words, found)
        assert (int(suite.get("failures")), int(suite.get("errors"))) == (found["failure"], found["error"]), words
    report = check(build, ["examples/bank.c"], 1, "--junit")
    failure = xml.etree.ElementTree.fromstring(report.encode()).find(".//failure")
    assert failure.get("type") == "data-race" and "data race on balance" in failure.text, failure.text
    return junit_reader(build)


# What python3-junitparser makes of a report: of every case its name, its class, and for each result how it ended.
READ_JUNIT = """
import json, sys
from junitparser import JUnitXml
report = JUnitXml.fromstring(sys.stdin.read())
print(json.dumps([[case.name, case.classname, [[type(result).__name__, result.type, result.message] for result in case.result]]
                  for suite in report for case in suite]))
"""


def junit_reader(build):
    """The package of Debian is for Debian's Python, which may not be the one that runs the tests."""
    pythons = [python for python in (sys.executable, "/usr/bin/python3")
               if subprocess.run([python, "-c", "import junitparser"], capture_output=True, check=False).returncode == 0]
    if not pythons:
        return cases.cannot("formats: JUnit is read by an XML parser only: python3-junitparser is not installed")
    for code, words in PROGRAMS:
        read = subprocess.run([pythons[0], "-c", READ_JUNIT], input=check(build, words, code, "--junit").encode(), capture_output=True,
                              check=False)
        assert read.returncode == 0, read.stderr.decode()
        for name, of_class, results in json.loads(read.stdout):
            assert name == words[0] and of_class.startswith("mazurka."), (name, of_class)
            assert [kind for kind, _, _ in results] == {0: [], 1: ["Failure"], 3: ["Error"]}[code], (words, results)
            assert all(message for _, _, message in results), (words, results)
    return None


def odd_names(build):
    """A file name may be anything; XML and JSON may not."""
    with tempfile.TemporaryDirectory() as directory:
        for name in (b"a&b<c>\"d'.dlang", b"tab\there.dlang", b"latin-\xe9.dlang", b"100%.dlang"):
            path = os.path.join(os.fsencode(directory), name)
            with open(path, "wb") as model:
                model.write(b"<1, x 1>\n[ assert x == 1 ]\n")
            xml.etree.ElementTree.fromstring(check(build, [path], 1, "--junit").encode())
            for option in ("--sarif", "--perfetto"):
                json.loads(check(build, [path], 1, option))
        path = os.path.join(os.fsencode(directory), b"two\nlines\x1b[31m.dlang")  # what steers a terminal, or ends a line, stays out
        with open(path, "wb") as model:
            model.write(b"<1, x 1>\n[ assert x == 1 ]\n")
        lines = check(build, [path], 1, "--gcc").splitlines()
        assert lines and all("two?lines?[31m.dlang:2:3: " in line for line in lines), lines


def gcc(build):
    lines = check(build, ["examples/bank.c", "--check=assertions"], 1, "--gcc").splitlines()
    assert all(re.fullmatch(r"[^:]+:\d+:\d+: (error|note|warning): .+", line) for line in lines), lines
    assert lines[0] == "examples/bank.c:35:5: error: assertion failed: balance == 150 [assertion]", lines
    assert len(lines) == 5, lines
    (line,) = check(build, ["bench/models/ring.dlang", "-DN=9", "--max-traces=10"], 3, "--gcc").splitlines()
    assert line.startswith("bench/models/ring.dlang: warning: "), line


# What Vim has in its list of errors after having read the file with the errorformat that it comes with.
VIM = "set nocompatible | cgetfile {} | call writefile([json_encode(map(getqflist(), {{_, e -> [bufname(e.bufnr), e.lnum, e.col, " \
      "e.valid, e.text]}}))], '{}') | qall!"

# The beginning of a line of GNU programs in compilation-error-regexp-alist-alist of Emacs (compile.el, `gnu'), for one place:
# perhaps a program, a file, a line, perhaps a column, and what kind it is.
EMACS = re.compile(r"^(?:[A-Za-z][-A-Za-z0-9_.]+: )?(?P<file>(?:[0-9]*[^0-9\n])(?:[^\n :]| [^-/\n]|:[^ \n])*?)(?:: ?)(?P<line>[0-9]+)"
                   r"(?::(?P<column>[0-9]+))?:(?: *(?P<warning>[Ww]arning)| *(?P<info>[Nn]ote)| *[Ee]rror|[^0-9?\n])")


def gcc_editors(build):
    text = check(build, ["examples/bank.c", "--check=assertions"], 1, "--gcc")
    wanted = [["examples/bank.c", int(line.split(":")[1]), int(line.split(":")[2])] for line in text.splitlines()]
    found = [EMACS.match(line) for line in text.splitlines()]
    assert [[m["file"], int(m["line"]), int(m["column"])] for m in found] == wanted, text
    assert [bool(m["info"]) for m in found] == [False, True, True, True, True], text
    if not shutil.which("vim"):
        return cases.cannot("formats: lines of compilers are not read by Vim: it is not installed")
    with tempfile.TemporaryDirectory() as directory:
        lines, told = os.path.join(directory, "lines"), os.path.join(directory, "told")
        with open(lines, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run(["vim", "-es", "-u", "NONE", "-c", VIM.format(lines, told)], stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=60, check=False)
        with open(told, encoding="utf-8") as file:
            entries = json.load(file)
    assert [entry[:3] for entry in entries] == wanted and all(entry[3] for entry in entries), entries
    return None


def workflow_command(line):
    """What GitHub makes of a line: command, properties, message. The rules are those of its toolkit (packages/core/src/command.ts): a
    property ends at a comma; %25, %0D, %0A stand for themselves everywhere, %3A and %2C in properties."""
    match = re.fullmatch(r"::([a-z]+) ([^:]*)::(.*)", line)
    assert match, line

    def plain(text, codes):
        assert not re.search("%(?!" + "|".join(codes) + ")", text), text
        return re.sub("%(" + "|".join(codes) + ")", lambda found: chr(int(found[1], 16)), text)
    properties = dict(part.split("=", 1) for part in match[2].split(","))
    return match[1], {key: plain(value, ["25", "0D", "0A", "3A", "2C"]) for key, value in properties.items()}, plain(
        match[3], ["25", "0D", "0A"])


def github(build):
    for code, words in PROGRAMS:
        commands = [workflow_command(line) for line in check(build, words, code, "--github").splitlines()]
        assert [kind for kind, _, _ in commands if kind == "error"] == ["error"] * (code == 1), (words, commands)
        assert {kind for kind, _, _ in commands} <= {"error", "warning"} and bool(commands) == (code != 0), (words, commands)
        assert all(set(properties) <= {"file", "line", "endLine", "col", "endColumn", "title"} for _, properties, _ in commands), commands
    ((_, properties, message),) = [workflow_command(line) for line in check(build, ["examples/bank.c"], 1, "--github").splitlines()]
    assert properties == {"file": "examples/bank.c", "line": "19", "col": "9", "title": "data-race"}, properties
    assert "\n  thread 1 wrote it before" in message, message
    with tempfile.TemporaryDirectory() as directory:
        name = os.path.join(directory, "50%, or: so.dlang")
        with open(name, "w", encoding="utf-8") as file:
            file.write("<1, x 1>\n[ assert x == 1 ]\n")
        (command,) = check(build, [name], 1, "--github").splitlines()
        assert workflow_command(command)[1]["file"] == name, command


def only(optional=(), **properties):
    """A schema: an object with these members, all of them needed but the optional ones, and no others."""
    return {"type": "object", "properties": properties, "required": [key for key in properties if key not in optional],
            "additionalProperties": False}


TEXT, NUMBER = {"type": "string"}, {"type": "integer", "minimum": 1}
WAYPOINT = only(
    optional=("constraint", "thread_id"), type={"enum": ["assumption", "target", "function_enter", "function_return", "branching"]},
    action={"enum": ["follow", "avoid"]}, thread_id={"type": "integer", "minimum": 0},
    location=only(optional=("column", "function"), file_name=TEXT, line=NUMBER, column=NUMBER, function=TEXT),
    constraint=only(optional=("format",), value=TEXT, format={"enum": ["c_expression", "acsl_expression", "ext_c_expression"]}))
# The published rules of the format, with thread_id of 2.2: sosy-lab.gitlab.io/benchmarking/sv-witnesses/yaml/violation-witnesses.html
WITNESS = {"type": "array", "items": only(
    entry_type={"enum": ["violation_sequence", "invariant_set"]},
    metadata=only(
        format_version={"enum": ["2.0", "2.1", "2.2"]},
        uuid={"pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"},
        creation_time={"pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$"},
        producer=only(optional=("configuration", "command_line", "description"), name=TEXT, version=TEXT, configuration=TEXT,
                      command_line=TEXT, description=TEXT),
        task=only(input_files={"type": "array", "items": TEXT, "minItems": 1},
                  input_file_hashes={"type": "object", "additionalProperties": {"pattern": "^[0-9a-f]{64}$"}},
                  specification={"pattern": r"^CHECK\( init\(main\(\)\), LTL\(G .+\) \)$"},
                  data_model={"enum": ["ILP32", "LP64"]}, language={"const": "C"})),
    content={"type": "array"})}
VIOLATION = {"type": "array", "minItems": 1, "items": only(segment={"type": "array", "minItems": 1, "items": only(waypoint=WAYPOINT)})}


def witness_problems(entries):
    import jsonschema  # pylint: disable=import-outside-toplevel
    problems = [error.message for error in jsonschema.Draft7Validator(WITNESS).iter_errors(entries)]
    for entry in entries:
        if entry["entry_type"] != "violation_sequence":
            continue
        problems += [error.message for error in jsonschema.Draft7Validator(VIOLATION).iter_errors(entry["content"])]
        segments = [[w["waypoint"] for w in part["segment"]] for part in entry["content"]]
        race = "data-race" in entry["metadata"]["task"]["specification"]
        for segment in segments:
            last = segment is segments[-1]
            if [w["type"] == "target" for w in segment] != [last] * len(segment):
                problems.append("targets are in the last segment, and nowhere else")
            if len(segment) != (2 if last and race else 1) or any(w["action"] != "follow" for w in segment):
                problems.append("a segment is one waypoint to follow, of a race two targets")
            if any(("constraint" in w) != (w["type"] == "assumption") for w in segment):
                problems.append("an assumption has a constraint, a target has none")
    return problems


def witness_schema(build):
    try:
        import jsonschema  # noqa: F401 pylint: disable=import-outside-toplevel,unused-import
        import yaml  # pylint: disable=import-outside-toplevel
    except ImportError:
        return cases.cannot("formats: witnesses are not validated: python3-jsonschema or python3-yaml is not installed")
    found = 0
    for code, words in PROGRAMS:
        entries = yaml.safe_load(check(build, words, code, "--witness")) or []
        problems = witness_problems(entries)
        assert not problems, (words, problems)
        found += len(entries)
    assert found >= 4, found
    for spoil in (lambda e: e["metadata"].pop("uuid"), lambda e: e["content"].pop(), lambda e: e["content"][0]["segment"].clear(),
                  lambda e: e["content"][0]["segment"][0]["waypoint"].update(type="here")):
        entries = yaml.safe_load(check(build, ["examples/bank.c", "--check=assertions"], 1, "--witness"))
        spoil(entries[0])
        assert witness_problems(entries), "these rules accept everything"
    return None


def witness(build):
    try:
        import yaml  # pylint: disable=import-outside-toplevel
    except ImportError:
        return cases.cannot("formats: witnesses are not read: python3-yaml is not installed")
    (entry,) = yaml.safe_load(check(build, ["examples/bank.c", "--check=assertions"], 1, "--witness"))
    assert entry["entry_type"] == "violation_sequence" and entry["metadata"]["format_version"] == "2.2", entry
    task = entry["metadata"]["task"]
    digest = subprocess.run(["sha256sum", "examples/bank.c"], capture_output=True, text=True, check=True).stdout.split()[0]
    assert task["input_file_hashes"] == {"examples/bank.c": digest}, task
    points = [[w["waypoint"] for w in part["segment"]] for part in entry["content"]]
    told = [[(w["type"], w["thread_id"], w["location"]["line"]) for w in segment] for segment in points]
    assert told == [[("assumption", 2, 19)], [("assumption", 1, 19)], [("assumption", 1, 20)], [("assumption", 2, 20)],
                    [("target", 0, 35)]], told
    (race,) = yaml.safe_load(check(build, ["examples/bank.c"], 1, "--witness"))
    last = [w["waypoint"]["location"]["line"] for w in race["content"][-1]["segment"]]
    assert sorted(last) == [19, 20] and "data-race" in race["metadata"]["task"]["specification"], race
    entries = yaml.safe_load(check(build, ["examples/bank.c", "-DFIXED"], 0, "--witness"))
    assert {e["entry_type"] for e in entries} == {"invariant_set"}, entries
    return None


def dot(build):
    text = check(build, ["examples/bank.c", "--check=assertions"], 1, "--dot")
    assert "s0 -> s2 [" in text and "s2 -> s3 [" in text, text
    race = check(build, ["examples/bank.c"], 1, "--dot")
    for words in ("cluster_1 {", "cluster_2 {", "m0 [", "m1 [", "m0 -> m1 [dir=none"):  # both accesses, which are no steps
        assert words in race, (words, race)
    if not shutil.which("dot"):
        return cases.cannot("formats: graphs are not drawn: graphviz is not installed")
    for graph in (text, race):
        subprocess.run(["dot", "-Tsvg"], input=graph.encode(), stdout=subprocess.DEVNULL, timeout=60, check=True)
    return None


def perfetto(build):
    events = json.loads(check(build, ["examples/bank.c", "--check=assertions"], 1, "--perfetto"))["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    race = [e for e in json.loads(check(build, ["examples/bank.c"], 1, "--perfetto"))["traceEvents"] if e["ph"] == "X"]
    assert [e["tid"] for e in race] in ([1, 2], [2, 1]) and [e["ts"] for e in race] == [0, 1], race
    assert {e["args"]["place"] for e in race} == {"examples/bank.c:19", "examples/bank.c:20"}, race
    assert [(e["tid"], e["args"]["place"]) for e in slices] == [
        (2, "examples/bank.c:19"), (1, "examples/bank.c:19"), (1, "examples/bank.c:20"), (2, "examples/bank.c:20"),
        (0, "examples/bank.c:35")], slices
    # What the description of the trace event format asks of every event, of slices, names, instants, and of both ends of a flow.
    for e in events:
        assert e["ph"] in "XMisf" and isinstance(e["name"], str) and all(isinstance(e[key], int) for key in ("pid", "tid", "ts")), e
        assert e["ph"] != "X" or (isinstance(e["dur"], int) and e["dur"] > 0 and isinstance(e["args"], dict)), e
        assert e["ph"] != "M" or (e["name"] in ("process_name", "thread_name", "process_sort_index") and isinstance(e["args"], dict)), e
        assert e["ph"] != "i" or e["s"] in "gpt", e
        assert e["ph"] not in "sf" or (e["cat"] and "id" in e), e
        assert e["ph"] != "f" or e["bp"] == "e", e
    for begin in (e for e in events if e["ph"] == "s"):
        (end,) = [e for e in events if e["ph"] == "f" and e["id"] == begin["id"]]
        for place in (begin, end):  # there is a slice that it is bound to
            assert any(s["tid"] == place["tid"] and s["ts"] <= place["ts"] < s["ts"] + s["dur"] for s in slices), place
        assert begin["ts"] < end["ts"], (begin, end)
    flows = [(e["ph"], e["tid"], e["ts"]) for e in events if e["ph"] in "sf"]
    assert flows == [("s", 2, 0), ("f", 1, 2), ("s", 1, 2), ("f", 2, 3)], flows


def files(build):
    """Several at once; one on standard output at most; a file that cannot be written is said before anything runs."""
    with tempfile.TemporaryDirectory() as directory:
        paths = {name: os.path.join(directory, name) for name in ("json", "sarif", "junit")}
        text = check(build, ["examples/bank.c"], 1, *(f"--{name}={path}" for name, path in paths.items()))
        assert "UNSAFE" in text, text
        for name in ("json", "sarif"):
            with open(paths[name], encoding="utf-8") as file:
                json.load(file)
        for options, words in ((("--json", "--sarif"), "option --sarif: something else goes to standard output already"),
                               (("--sarif=" + directory + "/none/x",), "cannot be written")):
            command = [os.path.join(build, "mazurka"), "check", "examples/bank.c", *options]
            result = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
            assert result.returncode == 2 and words in result.stderr and not result.stdout, result


def tests(build):
    for case in (sarif, sarif_flow, junit, odd_names, gcc, gcc_editors, github, witness, witness_schema, dot, perfetto, files):
        yield case.__name__, functools.partial(case, build)
