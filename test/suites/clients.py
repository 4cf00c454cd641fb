"""`mazurka clients`: libraries without clients.

Exactness: random little objects (operations over atomic variables, locks, semaphores, a condition variable, loops that wait or compare
and swap), whose verdict under each criterion and by each algorithm is compared with brute force (client_objects.py). By hand, more of
them: python3 test/suites/clients.py --objects=1000

The libraries of examples/library: right as they are, and wrong in the ways that their macros name."""

import argparse
import functools
import json
import os
import random
import subprocess
import sys
import tempfile

import cases
import client_objects

SAMPLE = 8
OBJECTS, AT_ONCE = 1000, 10  # with test-all; in one case

# ---- random objects -----------------------------------------------------------------------------------------------------------

ALGORITHMS = ["optimal", "optimal", "source", "dpor", "full", "eager"]


def compare(build, seed):
    """What is wrong, or None; and whether the object is right."""
    thing, rng = client_objects.Object(seed), random.Random(seed + 1)
    right = client_objects.is_right(thing)
    algorithm, relation = rng.choice(ALGORITHMS), ["--relation=published"] if rng.random() < 0.2 else []
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "object.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(thing.source())
        command = [os.path.join(build, "mazurka"), "clients", "--json", "--quiet", "--trace=none", "-j1", "-a", algorithm, *relation, source,
                   *thing.options()]
        run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode == (0 if right else 1):
        return None, right
    return f"seed {seed}: brute force says {'right' if right else 'wrong'}, exit code {run.returncode}: {' '.join(command)}\n" \
           f"{thing.source()}{run.stdout[-1500:]}{run.stderr[-1500:]}", right


def compare_some(build, first):
    problems = [compare(build, seed)[0] for seed in range(first, first + AT_ONCE)]
    return "\n".join(filter(None, problems)) or None


# ---- libraries ----------------------------------------------------------------------------------------------------------------

FOLDER = "examples/library"


def libraries():
    """(file, macros, whether it is right) as the last lines of each description say: `# wrong: MACRO, …`."""
    for name in sorted(os.listdir(FOLDER)) if os.path.isdir(FOLDER) else []:
        if not name.endswith(".clients"):
            continue
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            text = file.read()
        yield name[:-len(".clients")], None, None
        for line in text.splitlines():
            if line.startswith("# wrong "):
                macro, _, what = line[len("# wrong "):].partition(": ")
                yield name[:-len(".clients")], macro, what


def source_of(library):
    return next(path for end in (".c", ".cc") if os.path.exists(path := f"{FOLDER}/{library}{end}"))


def check_library(build, library, macro, what):
    """`what`: KIND CALLS, the kind of the error and how many calls the smallest client has that shows it."""
    command = [os.path.join(build, "mazurka"), "clients", "--json", "--quiet", "--trace=none", "-j1", source_of(library),
               f"--clients={FOLDER}/{library}.clients", *([f"-D{macro}"] if macro else [])]
    run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode != (1 if macro else 0):
        return f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout[-2000:]}{run.stderr[-2000:]}"
    report = json.loads(run.stdout)
    if not macro:
        return None if report["clients_checked"] == report["clients"] > 0 else "not all clients"
    kind, calls = what.split()[:2]
    client = report["client"]
    if report["errors"][0]["kind"] != kind or not client:
        return f"{' '.join(command)}: {report['errors'][0]['kind']}: {report['errors'][0]['message']}"
    if report["calls"] != int(calls):
        return f"{' '.join(command)}: a client with {report['calls']} calls, not {calls}"
    return run_client(build, library, macro, client, report["errors"][0]["kind"])


def run_client(build, library, macro, client, kind):
    """The client that is shown is a program: it fails, and does not when the library is repaired."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "client" + os.path.splitext(source_of(library))[1])
        with open(path, "w", encoding="utf-8") as file:
            file.write(client.replace(f'"{FOLDER}/', f'"{os.path.abspath(FOLDER)}/'))
        for flags, expected in (["-D" + macro], 1), ([], 0):
            if kind == "linearizability" and "assert(!" not in client and expected:
                continue
            command = [os.path.join(build, "mazurka"), "check", "--quiet", "--trace=none", "-j1", "--check=default,leaks", path, *flags]
            run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
            if run.returncode != expected:
                return f"{' '.join(command)}: exit code {run.returncode}\n{client}\n{run.stdout[-1500:]}{run.stderr[-1500:]}"
    return None


# ---- what else there is ---------------------------------------------------------------------------------------------------------

QUEUE = [f"{FOLDER}/queue.c", f"--clients={FOLDER}/queue.clients"]
SPECIFICATION = """#include <stdlib.h>
typedef struct queue { int used, values[16]; unsigned size; } queue;
queue *queue_new(unsigned size) { queue *q = calloc(1, sizeof *q); q->size = size; return q; }
int push(queue *q, int value) { if ((unsigned)q->used == q->size) return 0; q->values[q->used++] = value; return 1; }
int pop(queue *q)
{
    if (q->used == 0)
        return -1;
    int value = q->values[0];
    for (int i = 1; i < q->used; i++)
        q->values[i - 1] = q->values[i];
    q->used--;
    return value;
}
unsigned size(queue *q) { return (unsigned)q->used + WRONG(q->used == 2); }
void drop(queue *q) { q->used = 0; }
void queue_free(queue *q) { free(q); }
"""
COUNTER = """#include <stdatomic.h>
#include <stdlib.h>
// mazurka: setup: counter c = {0}
// mazurka: op: increment(&c)
/* mazurka: threads: 2 */
typedef struct counter { atomic_int n; } counter;
static inline int increment(counter *c) { HOW }
"""


def with_files(files, words, build, code):
    """Runs `mazurka clients` with sources of these names; its output."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        command = [os.path.join(os.path.abspath(build), "mazurka"), "clients", "--trace=none", "-j1",
                   *(word.replace("FOLDER", folder) for word in words)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
        assert run.returncode == code, f"{' '.join(command)}: exit code {run.returncode}\n{run.stdout}{run.stderr}"
        written = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                written[name] = file.read()
        return run.stdout + run.stderr, written


def has(output, *texts):
    flat = " ".join(output.split())
    for text in texts:
        assert text in flat, f"there is no '{text}' in:\n{output}"


def specification(build):
    """A queue by somebody else says what is right; and what is not."""
    spec = {"spec.c": SPECIFICATION}
    words = [*QUEUE, "--spec=FOLDER/spec.c"]
    with_files(spec, [*words, "-DWRONG(x)=0"], build, 0)
    output, _ = with_files(spec, [*words, "-DWRONG(x)=(x)"], build, 1)
    has(output, "size(q) returned 2; in no order of the 3 calls does it")
    output, _ = with_files(spec, [*words, "-DWRONG(x)=)"], build, 2)
    has(output, "spec.c: the operations could not be compiled")
    output, _ = with_files({}, words, build, 2)
    has(output, "spec.c' cannot be read")


def annotations(build):
    """Operations from comments in a header, which is a library by itself."""
    right = {"counter.h": COUNTER.replace("HOW", "return c->n++;")}
    wrong = {"counter.h": COUNTER.replace("HOW", "int n = c->n; c->n = n + 1; return n;")}
    with_files(right, ["FOLDER/counter.h"], build, 0)
    output, _ = with_files(wrong, ["FOLDER/counter.h"], build, 1)
    has(output, "increment(&c) returned 0 twice; in no order of the 2 calls does it")
    output, _ = with_files({"counter.h": right["counter.h"].replace("op:", "operation:")}, ["FOLDER/counter.h"], build, 2)
    has(output, "counter.h:4:1: error: 'operation: increment(&c)' is no line of a description")


def messages(build):
    """What cannot be checked is said, with exit code 2."""
    setup, pop = "--setup=queue *q = queue_new(2)", "--op=pop(q)"
    source = f"{FOLDER}/queue.c"
    for words, text in (([setup, '--op=push(q, "a")'], "--op=push(q, \"a\"):1:9: error: passing argument 2 of"),
                        ([setup, "--op=puush(q, 1)"], "--op=puush(q, 1):1:1: error: implicit declaration of function"),
                        (["--setup=stack *q = queue_new(2)", pop], "error: unknown type name"),
                        (["--setup=queue *q = NULL", pop], "option --setup: q is NULL after the setup"),
                        ([setup, "--op=push(q, {1,2}"], "parentheses do not match"),
                        ([setup], "there is no operation that clients could call")):
        output, _ = with_files({}, [source, *words], build, 2)
        has(output.replace("\u2018", "'").replace("\u2019", "'"), text)
    address = {"address.c": "#include <stdlib.h>\nlong where(void) { return (long)malloc(4) / 16 % 1000; }\n"}
    output, _ = with_files(address, ["FOLDER/address.c", "--op=where()"], build, 2)
    has(output, "after the same calls, although nobody else ran")


def waiting(build):
    """Who waits in a loop of his own is right only if that is said."""
    loop = {"loop.c": "#include <stdatomic.h>\natomic_int x;\nvoid set(void) { x = 1; }\nint wait(void) { while (!x); return 1; }\n"}
    words = ["FOLDER/loop.c", "--op=set()", "--op=wait()", "--calls=3"]
    with_files(loop, [*words, "--blocking=wait"], build, 0)
    output, _ = with_files(loop, words, build, 1)
    has(output, "livelock")


def coverage(build):
    words = [f"{FOLDER}/map.c", f"--clients={FOLDER}/map.clients", "--lcov=FOLDER/out.info"]
    for compiler in ("gcc", "clang"):
        output, written = with_files({}, [*words, "--json", f"--cc={compiler}"], build, 0)
        told = json.loads(next(line for line in output.splitlines() if line.startswith("{")))["coverage"]
        assert told["never_run"] == ["map.c:47"] and told["lines"] == told["lines_run"] + 1, told
        assert told["always_the_same_way"] == ["map.c:46", "map.c:99"], told
        assert 0 < told["pairs_in_both_orders"] < told["pairs"], told
        lines = written["out.info"].split()
        assert lines.count("end_of_record") == 1 and "DA:47,0" in lines and "DA:48,1" in lines, lines
    output, _ = with_files({}, [*QUEUE, "--coverage"], build, 0)
    has(output, "no call ever ran beside another one")
    words = ["FOLDER/two.c", "--setup=two_new()", "--op=a()", "--op=b()", "--threads=2", "--length=1", "--coverage"]
    two = """#include <stdatomic.h>\natomic_int x, y; static void inner(void) { y++; y++; }
void two_new(void) { }\nvoid a(void) { x++; x++; if (x > 100) inner(); }\nvoid b(void) { x = x; }\n"""
    output, _ = with_files({"two.c": two}, [*words, "--criterion=none"], build, 0)
    has(output, "never run: two.c:2")


def progress(build):
    output, _ = with_files({}, [f"{FOLDER}/stack.c", f"--clients={FOLDER}/stack.clients", "--calls=3", "--progress"], build, 0)
    has(output, "progress: lock-free, with these clients")
    output, _ = with_files({}, [*QUEUE, "--calls=2", "--progress"], build, 0)
    has(output, "progress: blocking (not obstruction-free)", "while thread 1 in", "is stopped, thread 2 in", "waits for ever")
    # Each steps back as long as the other one is there.
    polite = """#include <stdatomic.h>\natomic_int flags[2];
int enter(int me) {
    for (;;) { flags[me] = 1; if (!flags[1 - me]) break; flags[me] = 0; }
    flags[me] = 0; return 0; }\n"""
    output, _ = with_files({"polite.c": polite},
                           ["FOLDER/polite.c", "--op=enter(0)", "--op=enter(1)", "--threads=2", "--length=1", "--progress"], build, 0)
    has(output, "progress: blocking", "goes on without an end")


def page(build):
    _, written = with_files({}, [*QUEUE, "-DSIZE", "--html=FOLDER/page.html"], build, 1)
    assert '"intervals":[{"thread":1,"begins":0' in written["page.html"] and "drawCalls" in written["page.html"]


def objects_and_cxx(build):
    """An archive made by mazurka cc; templates and member functions."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("n.h", "int next(void);\n"), ("n.c", '#include <stdatomic.h>\n#include "n.h"\natomic_int n;\n'
                                                           "int next(void) { int old = n; n = old + 1; return old; }\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        tool = os.path.join(os.path.abspath(build), "mazurka")
        subprocess.run([tool, "cc", "-c", "n.c", "-o", "n.o"], cwd=folder, check=True)
        subprocess.run(["ar", "rcs", "libn.a", "n.o"], cwd=folder, check=True)
        run = subprocess.run([tool, "clients", "libn.a", "-include", "n.h", "--op=next()", "--trace=none", "-o", "client.c"], cwd=folder,
                             capture_output=True, text=True, check=False)
        assert run.returncode == 1, run.stdout + run.stderr
        has(run.stdout + run.stderr, "next() returned 0 twice")
        run = subprocess.run([tool, "check", "client.c", "libn.a", "-q", "--trace=none"], cwd=folder, capture_output=True, text=True, check=False)
        assert run.returncode == 1, run.stdout + run.stderr
    stack = """#include <mutex>\n#include <optional>\n#include <vector>
template <class T> class Stack { std::mutex m; std::vector<T> v; public:
 explicit Stack(int) {}
 void push(T x) { std::lock_guard g(m); v.push_back(x); }
 std::optional<T> pop() { std::lock_guard g(m); if (v.empty()) return {}; T t = v.back(); v.pop_back(); return t; }
 template <class U> U top() { std::lock_guard g(m); return v.empty() ? U() : U(v.back()); }
};\n"""
    operations = ["push({1,2})", "pop()", "top<long>()"]
    for setup, access, end in (("auto *s = new Stack<int>(2)", "s->", ["--finally=delete s"]), ("Stack<int> s(2)", "s.", [])):
        with_files({"stack.cc": stack}, ["FOLDER/stack.cc", f"--setup={setup}", *(f"--op={access}{o}" for o in operations), "--calls=3", *end],
                   build, 0)


FEATURES = [specification, annotations, messages, waiting, coverage, progress, page, objects_and_cxx]


def tests(build):
    for first in range(0, OBJECTS, AT_ONCE):
        yield f"objects from {first} on", functools.partial(compare_some, build, first)
    for feature in FEATURES:
        yield feature.__name__, functools.partial(feature, build)
    for library, macro, what in libraries():
        yield f"{library} {macro or 'as it is'}", functools.partial(check_library, build, library, macro, what)


def by_hand():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--objects", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    wrong = right = 0
    for seed in range(arguments.first, arguments.first + arguments.objects):
        problem, is_good = compare(arguments.build, seed)
        right += is_good
        if problem:
            wrong += 1
            print(problem, flush=True)
    print(f"{arguments.objects} objects, {right} right, {wrong} verdicts differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    by_hand()
