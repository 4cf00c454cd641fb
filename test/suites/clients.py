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
import re
import subprocess
import sys
import tempfile

import cases
import client_objects

CPU_SECONDS = 240
SAMPLE = 8
OBJECTS, AT_ONCE = 1000, 10  # with test-all; in one case

# ---- random objects -----------------------------------------------------------------------------------------------------------

ALGORITHMS = ["optimal", "optimal", "source", "dpor", "full", "eager"]
REPEATING = ["dpor", "full"]  # 52 million executions where there are 76,338 traces: three threads that retry twice each


def compare(build, seed):
    """What is wrong, or None; and whether the object is right."""
    thing, rng = client_objects.Object(seed), random.Random(seed + 1)
    right = client_objects.is_right(thing)
    jobs = rng.randint(1, 3)
    algorithm = rng.choice(ALGORITHMS if thing.most_retries() < 6 else [a for a in ALGORITHMS if a not in REPEATING])
    relation = ["--relation=published"] if rng.random() < 0.2 else []
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "object.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(thing.source())
        command = [os.path.join(build, "mazurka"), "clients", "--json", "--quiet", "--trace=none", f"-j{jobs}", "-a", algorithm, *relation, source,
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
                        ([setup, "--op=push(q, {3..1})"], "option --op: a range is not LOW..HIGH"),
                        ([setup, "--op=push(q, {1..1000})"], "option --op: a range is not LOW..HIGH"),
                        ([setup, "--op=push(q, {1..})"], "option --op: a range is not LOW..HIGH"),
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


CELL = """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int n, cell;
void put(int x) { pthread_mutex_lock(&m); WAIT (n == 1) pthread_cond_wait(&full, &m); cell = x; n++; pthread_cond_signal(&empty); pthread_mutex_unlock(&m); }
int get(void) { pthread_mutex_lock(&m); while (n == 0) pthread_cond_wait(&empty, &m); int x = cell; n--; pthread_cond_signal(&full);
  pthread_mutex_unlock(&m); return x; }
"""


def waiting_test(build):
    """A client in which a right library waits for ever is kept as a test of its assertion alone."""
    words = ["FOLDER/cell.c", "--op=put({1,2})", "--op=get()", "--calls=4", "-o", "FOLDER/client.c"]
    with_files({"cell.c": CELL.replace("WAIT", "while")}, words, build, 0)
    _, written = with_files({"cell.c": CELL.replace("WAIT", "if")}, words, build, 1)
    has(written["client.c"], "mazurka check --check=assertions THIS_FILE", "does not come to the end of it")
    for code, wait in ((1, "if"), (0, "while")):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("cell.c", CELL.replace("WAIT", wait)), ("client.c", re.sub(r'"/[^"]*/cell.c', '"cell.c', written["client.c"]))):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            run = subprocess.run([os.path.join(os.path.abspath(build), "mazurka"), "check", "-q", "--trace=none", "--check=assertions", "client.c"],
                                 cwd=folder, capture_output=True, text=True, check=False)
            assert run.returncode == code, run.stdout + run.stderr


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


# What does not depend on how many processes there are, nor on whether they were interrupted.
SAME = ["verdict", "traces", "executions", "blocked", "events", "race_checks", "threads", "clients", "clients_checked", "client_next",
        "sequences", "assumptions", "reason", "calls", "client", "notes", "warnings"]


def run_clients(build, command, words, seconds=None, environment=None):
    """The report; None if it was killed after so many seconds."""
    process = subprocess.Popen([os.path.join(build, "mazurka"), command, "--json", "--quiet", "--trace=none", *words], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
    try:
        output, _ = process.communicate(timeout=seconds or cases.HANG)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
    return json.loads(output) if output.strip() else None


def result(report):
    return {key: report.get(key) for key in SAME} | {"errors": [(e["kind"], e["message"], len(e["steps"])) for e in report["errors"]]}


LIBRARIES = [("queue", []), ("map", []), ("stack", []), ("stack", ["-DABA"]), ("queue", ["-DSIZE"])]


def spread(build):
    """One process or several: the same, whatever they find, and whatever is split among them."""
    for library, flags in LIBRARIES:
        words = [f"{FOLDER}/{library}.c", f"--clients={FOLDER}/{library}.clients", *flags]
        alone = result(run_clients(build, "clients", [*words, "-j1"]))
        several = result(run_clients(build, "clients", [*words, "-j3"]))
        assert several == alone, (library, flags, several, alone)
    # A search of one client that several processes share.
    words = [f"{FOLDER}/stack.c", f"--clients={FOLDER}/stack.clients", "-j3"]
    small = {"MAZURKA_TEST_SPLIT": "100", "MAZURKA_TEST_PATIENCE": "0"}
    shared = result(run_clients(build, "clients", words, environment=small))
    alone = result(run_clients(build, "clients", [*words, "-j1"], environment=small))
    assert shared == alone, (shared, alone)


def resumes(build):
    """Killed again and again, and the sums are those of a run that was not."""
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, "saved.mzc")
        for library, flags in LIBRARIES:
            words = [f"{FOLDER}/{library}.c", f"--clients={FOLDER}/{library}.clients", *flags]
            whole, interrupted = result(run_clients(build, "clients", [*words, "-j1"])), 0
            report = run_clients(build, "clients", [*words, "-j2", f"--checkpoint={saved}", "--checkpoint-every=0.02s"], rng.uniform(0.5, 1.5))
            while not report and interrupted < 12:
                interrupted += 1
                words_again = [saved, "--checkpoint-every=0.02s"] if os.path.exists(saved) else None
                if words_again:
                    report = run_clients(build, "resume", [*words_again, f"-j{rng.randint(1, 3)}"], rng.uniform(0.5, 2) if interrupted < 10 else None)
                else:
                    report = run_clients(build, "clients", [*words, f"--checkpoint={saved}", "--checkpoint-every=0.02s"], 2 + interrupted)
            assert result(report) == whole, (library, flags, interrupted, result(report), whole)
            if os.path.exists(saved):
                os.unlink(saved)
        changed(build, folder, saved)


def changed(build, folder, saved):
    """A checkpoint of other sources, or of other clients."""
    source, description = os.path.join(folder, "queue.c"), os.path.join(folder, "queue.clients")
    for path in (source, description):
        with open(f"{FOLDER}/{os.path.basename(path)}", encoding="utf-8") as file, open(path, "w", encoding="utf-8") as copy:
            copy.write(file.read())
    tool = os.path.join(os.path.abspath(build), "mazurka")
    command = [tool, "clients", "-q", "--trace=none", source, f"--clients={description}", f"--checkpoint={saved}", "--max-events=200"]
    subprocess.run(command, capture_output=True, check=False)
    for path, more, text in ((description, "blocking: push\n", "of other clients: the description or the specification has changed"),
                             (source, "int changed;\n", "the checkpoint is of another program")):
        with open(path, "a", encoding="utf-8") as file:
            file.write(more)
        run = subprocess.run([tool, "resume", saved], capture_output=True, text=True, check=False)
        assert run.returncode == 2, run.stdout + run.stderr
        has(run.stderr, text)
    run = subprocess.run([tool, "merge", saved, "-o", os.path.join(folder, "all.mzc")], capture_output=True, text=True, check=False)
    assert run.returncode == 2, run.stdout + run.stderr
    has(run.stderr, "clients are not dealt out to tasks")


def left(build):
    """A thread that is left in one client leaves all of it open, although the last clients are right."""
    source = """#include <stdatomic.h>\nstatic atomic_int flag, other;
void a(void) { flag = 1; flag = 0; }
void b(void) { if (flag) for (long i = 0;; i++) __asm__ volatile("" : "+r"(i)); }
void c(void) { other++; }\n"""
    words = ["FOLDER/left.c", *(f"--op={name}()" for name in "abc"), "--threads=2", "--length=1", "--patience=0.3"]
    output, _ = with_files({"left.c": source}, words, build, 3)
    has(output, "client 2: an endless loop? thread 2 has done nothing")


VALUES = """#include <pthread.h>
#include <string.h>
enum color { RED, GREEN = 5 };
typedef struct small { char c; int v; } small;
typedef struct large { _Bool is; short s; struct { unsigned a : 3; int b : 7; }; char name[8]; enum color e; double d; int list[2]; void *p; } large;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static _Atomic int noise; /* for padding: in another order than what is counted */
static int count(void) { pthread_mutex_lock(&m); int old = n; BETWEEN n = old + 1; pthread_mutex_unlock(&m); return old; }
small next(void) { small r; memset(&r, 17 * ++noise, sizeof r); r.v = count(); r.c = 'x'; return r; }
large all(void) { large r; memset(&r, 37 * ++noise, sizeof r); int k = count();
  r.is = 1; r.s = -3; r.a = 5; r.b = -4; strcpy(r.name, "a\\"b"); r.e = k == 0 ? GREEN : RED; r.d = 1.5; r.list[0] = 1; r.list[1] = k; r.p = 0; return r; }
int give(small *to, int *other) { *to = next(); *other = 3; return 1; }
enum color color(void) { return count() == 0 ? RED : GREEN; }
const char *name(void) { static const char *const names[] = {"no\\n", "one, two", "three"}; return names[count() % 3]; }
"""
CXX_VALUES = """#include <mutex>\n#include <optional>\n#include <string>\n#include <utility>
struct Q { std::mutex m; int n = 2;
 std::optional<int> pop() { std::unique_lock g(m); if (n == 0) return {}; int old = n; BETWEEN n = old - 1; return old; }
 std::string text() { auto p = pop(); return p ? "v" + std::to_string(*p) : "none"; }
 std::pair<bool, short> both() { auto p = pop(); return {p.has_value(), (short)p.value_or(0)}; } };
"""


def values(build):
    """Results by their type, without padding; and the client of one that is wrong is a test that fails, and then does not."""
    between, between_cxx = "pthread_mutex_unlock(&m); pthread_mutex_lock(&m);", "g.unlock(); g.lock();"
    c = [(f"{name}({arguments})", text) for name, arguments, text in (
        ("next", "", "{.c = 'x', .v = 0}"), ("give", "{out small}, {out int}", "1, {.c = 'x', .v = 0}, 3"), ("color", "", "RED"),
        ("name", "", '"no\\012"'), ("all", "", "{.is = true, .s = -3, {.a = 5, .b = -4}"))]
    cxx = [("q->pop()", "2"), ("q->text()", '"v2"'), ("q->both()", "{.first = true, .second = 2}")]
    for source, ending, how, setup, calls in ((VALUES, "c", between, [], c), (CXX_VALUES, "cc", between_cxx, ["--setup=auto *q = new Q()"], cxx)):
        for call, text in calls:
            words = [f"FOLDER/values.{ending}", *setup, f"--op={call}", "--threads=2", "--length=1", "--check=linearizability",
                     "--races=ignore", "-o", f"FOLDER/client.{ending}"]
            with_files({f"values.{ending}": source.replace("BETWEEN", "")}, words, build, 0)
            output, written = with_files({f"values.{ending}": source.replace("BETWEEN", how)}, words, build, 1)
            has(output, f"returned {text}")
            client = written[f"client.{ending}"]
            assert ("assert(!(" in client) == ("…" not in output), client
            if "assert(!(" in client:
                kept_as_test(build, ending, source, how, client)


def kept_as_test(build, ending, source, how, client):
    for code, between in ((1, how), (0, "")):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in ((f"values.{ending}", source.replace("BETWEEN", between)), (f"client.{ending}", client)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(re.sub(r'"/[^"]*/values', '"values', text))
            run = subprocess.run([os.path.join(os.path.abspath(build), "mazurka"), "check", "-q", "--trace=none", f"client.{ending}"], cwd=folder, capture_output=True, text=True, check=False)
            assert run.returncode == code, f"{client}\n{run.stdout}{run.stderr}"


FEATURES = [specification, annotations, messages, waiting, waiting_test, coverage, progress, page, objects_and_cxx, spread, resumes, left, values]


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
