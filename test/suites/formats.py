"""The formats of `mazurka check` for other programs, each read by a reader that is not ours: SARIF by its schema (npm package
@microsoft/sarif-multitool-linux, MIT) and Debian's python3-jsonschema, JUnit by an XML parser, witnesses by python3-yaml, graphs by
Graphviz. A reader that cannot be had is said, and its test left out."""

import functools
import json
import os
import re
import shutil
import subprocess
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
        print("formats: SARIF is not validated: python3-jsonschema is not installed")
        return cases.SKIPPED
    known = schema(build)
    if not known:
        print(f"formats: SARIF is not validated: its schema, in {PACKAGE} of npm, cannot be fetched")
        return cases.SKIPPED
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
    failure = xml.etree.ElementTree.fromstring(check(build, ["examples/bank.c"], 1, "--junit").encode()).find(".//failure")
    assert failure.get("type") == "data-race" and "data race on balance" in failure.text, failure.text


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


def gcc(build):
    lines = check(build, ["examples/bank.c", "--check=assertions"], 1, "--gcc").splitlines()
    assert all(re.fullmatch(r"[^:]+:\d+:\d+: (error|note|warning): .+", line) for line in lines), lines
    assert lines[0] == "examples/bank.c:35:5: error: assertion failed: balance == 150 [assertion]", lines
    assert len(lines) == 5, lines
    (line,) = check(build, ["bench/models/ring.dlang", "-DN=9", "--max-traces=10"], 3, "--gcc").splitlines()
    assert line.startswith("bench/models/ring.dlang: warning: "), line


def github(build):
    (line,) = check(build, ["examples/bank.c"], 1, "--github").splitlines()
    assert line.startswith("::error file=examples/bank.c,line=19,col=9,title=data-race::") and "%0A" in line, line


def witness(build):
    try:
        import yaml  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("formats: witnesses are not read: python3-yaml is not installed")
        return cases.SKIPPED
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
    if not shutil.which("dot"):
        print("formats: graphs are not drawn: graphviz is not installed")
        return None
    subprocess.run(["dot", "-Tsvg"], input=text.encode(), stdout=subprocess.DEVNULL, timeout=60, check=True)
    return None


def perfetto(build):
    events = json.loads(check(build, ["examples/bank.c", "--check=assertions"], 1, "--perfetto"))["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    assert [(e["tid"], e["args"]["place"]) for e in slices] == [
        (2, "examples/bank.c:19"), (1, "examples/bank.c:19"), (1, "examples/bank.c:20"), (2, "examples/bank.c:20")], slices
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
    for case in (sarif, sarif_flow, junit, odd_names, gcc, github, witness, dot, perfetto, files):
        yield case.__name__, functools.partial(case, build)
