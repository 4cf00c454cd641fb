"""Broken, random and monstrous inputs for the dlang front end and for 'mazurka replay', always the same ones (SEED).

The models of bench/models and test/model are mutated (bytes flipped, pieces deleted, doubled, swapped, cut off, numbers
made huge, nesting made deep), and some inputs are made from nothing (random bytes, random tokens, bombs). Each is
checked with tight limits and must end soon with exit code 0, 1, 2 or 3: never by a signal, never as an internal
error. With exit code 2 there must be a message that starts with the file: 'FILE:line:col: error:' or 'FILE: error:'.

Counterexample files of the models with errors are mutated likewise and replayed, and plans of a program are shown.

A result is a batch of BATCH inputs; each is a process of its own, so that a crash is not hidden behind an error in
another file. The inputs of a failing batch are named with all that is needed to make them again; with
MAZURKA_FUZZ_KEEP=DIRECTORY they are kept there."""

import functools
import glob
import os
import pickle
import random
import re
import resource
import shutil
import subprocess

import cases

SEED = 20240229
INPUTS = int(os.environ.get("FUZZ", "400"))
BATCH = 25
SECONDS = cases.HANG
SAMPLE = 6
MEMORY = 4 << 30  # address space of one check; running into it is an internal error and thus a failure
OPTIONS = ["--quiet", "--trace=none", "--max-traces=200", "--max-events=20000", "--max-depth=500", "--timeout=5s",
           "--max-memory=1G"]
TRACE_INPUTS = INPUTS // 2

TOKENS = re.compile(rb"//[^\n]*|\"[^\"\n]*\"|[A-Za-z_$][A-Za-z0-9_$-]*|[0-9$]+|<\{|\}>|:=|==|!=|<=|>=|&&|\|\||\s+|.",
                    re.DOTALL)
WORDS = (b"< > <{ }> [ ] { } ( ) , ; := = == != <= >= && || ! + - * / % $ \" // if then else while assert assume await "
         b"lock unlock atomic skip cas choose indexer param local const pid true false x y N x$ a-b 0 1 2 $$").split()
NUMBERS = [b"0", b"-1", b"64", b"65", b"1000000", b"1048576", b"1048577", b"2147483648", b"4294967296",
           b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"9" * 60, b"9" * 300]


# ---- mutations: (random, bytes of a model) -> bytes ---------------------------------------------------


def flip(r, data):
    data = bytearray(data)
    for _ in range(r.choice([1, 1, 1, 2, 5])):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
    return bytes(data)


def delete(r, data):
    start = r.randrange(len(data))
    return data[:start] + data[start + r.choice([1, 1, 2, 5, 20]):]


def duplicate(r, data):
    start = r.randrange(len(data))
    piece = data[start:start + r.randrange(1, 60)]
    return data[:start] + piece * r.choice([2, 2, 3, 20]) + data[start + len(piece):]


def truncate(r, data):
    return data[:r.randrange(len(data))]


def insert(r, data):
    at = r.randrange(len(data))
    junk = bytes(r.randrange(256) for _ in range(r.randrange(1, 6)))
    return data[:at] + r.choice([junk, b"\0", b"\r", b" " + r.choice(WORDS) + b" "]) + data[at:]


def with_tokens(change):
    """A mutation of the list of tokens that are no blanks."""
    def mutation(r, data):
        tokens = TOKENS.findall(data)
        places = [i for i, token in enumerate(tokens) if token.strip() and not token.startswith(b"//")]
        if places:
            change(r, tokens, places)
        return b"".join(tokens)
    mutation.__name__ = change.__name__
    return mutation


@with_tokens
def swap_tokens(r, tokens, places):
    a, b = r.choice(places), r.choice(places)
    tokens[a], tokens[b] = tokens[b], tokens[a]


@with_tokens
def replace_token(r, tokens, places):
    for _ in range(r.choice([1, 1, 2, 4])):
        tokens[r.choice(places)] = r.choice(WORDS)


@with_tokens
def huge_number(r, tokens, places):
    numbers = [i for i in places if tokens[i].isdigit()] or places
    for _ in range(r.choice([1, 1, 2])):
        tokens[r.choice(numbers)] = r.choice(NUMBERS)


@with_tokens
def move_tokens(r, tokens, places):
    start = r.choice(places)
    piece = tokens[start:start + r.randrange(1, 12)]
    del tokens[start:start + len(piece)]
    at = r.randrange(len(tokens) + 1)
    tokens[at:at] = piece


def splice(r, data):
    other = r.choice(MODELS)[1]
    return data[:r.randrange(len(data))] + other[r.randrange(len(other)):]


MUTATIONS = [flip, delete, duplicate, truncate, insert, swap_tokens, replace_token, huge_number, move_tokens, splice]


# ---- inputs from nothing ------------------------------------------------------------------------------


def random_bytes(r):
    return bytes(r.randrange(256) for _ in range(r.choice([0, 1, 10, 300, 3000])))


def random_tokens(r):
    words = b" ".join(r.choice(WORDS) for _ in range(r.randrange(1, 60)))
    return b"<2, x 1, y 3, local l 1>\n[ " + words + b" ]\n[ ]\n"


def nested(left, middle, right, before=b"<1, x 1, m 1>\n[ x := 1 ", after=b" ]\n"):
    """Deep nesting of one construct."""
    def make(r):
        depth = r.choice([50, 99, 100, 101, 1000, 100000])
        return before + left * depth + middle + right * depth + after
    return make


DEEP = [nested(b"if x == 0 { ", b"skip", b" }"), nested(b"while x == 0 { ", b"x := 1", b" }"),
        nested(b"atomic { ", b"x := 2", b" }"), nested(b"<{1 ", b"x := 2", b" }>"),
        nested(b"<{(", b"1", b") x := 2 }>"), nested(b"(", b"1", b")", b"<1, x 1>\n[ x := "),
        nested(b"!", b"x", b"", b"<1, x 1>\n[ x := "), nested(b"- ", b"x", b"", b"<1, x 1>\n[ x := "),
        nested(b"x[", b"0", b"]", b"<1, x 2>\n[ x[0] := "), nested(b"cas(x, 0, ", b"1", b")", b"<1, x 1>\n[ x := "),
        nested(b"if x == 0 { } else ", b"{ }", b""), nested(b"x + ", b"1", b"", b"<1, x 1>\n[ x := "),
        nested(b"x && ", b"1", b"", b"<1, x 1>\n[ assert "), nested(b"[ ", b"", b"]", b"<1, x 1>\n", b""),
        nested(b"<", b"", b">", b"", b""), nested(b"<{", b"", b"}>", b"", b""),
        nested(b"param N = (", b"1", b")", b"", b"")]

# Small files that ask for much; each has a name, because each is a case of its own.
BOMBS = {
    "repetitions": b"<1, x 1>\n[ " + b"<{1000 " * 6 + b"x := 1" + b" }>" * 6 + b" ]\n",
    "empty repetitions": b"<1, x 1>\n[ " + b"<{9999 " * 3 + b" }>" * 3 + b" ]\n",
    "repetitions of processes": b"<1000000, x 1>\n<{1000000 [ x := 1 ] }>\n",
    "repetitions of sums": b"<1, x 1>\n[ x := <{900000 x + }> 1 ]\n",
    "repetitions of conjunctions": b"<1, x 1>\n[ assert <{900000 x == 0 && }> 1 ]\n",
    "repetitions of declarations": b"<1, <{300000 x$ 0, }> y 1>\n[ y := 1 ]\n",
    "repetitions of parameters": b"<{300000 param N$ = 1 }>\n<0>\n",
    "repetitions skipped": b"<0, <{900000 <{0 " + b"x" * 60000 + b" }> }> y 1>\n",
    "repetition counts": b"<{(" * 1000000,
    "name that grows": b"<0, <{10 " + b"x$" * 150 + b" 1, }> y 1>\n",
    "much state": b"<30, x 1048576>\n<{30 [ " + b"x[$] := 1 " * 20 + b"] }>\n",
    "much local state": b"<64, x 1, local a 16000>\n<{64 [ a[0] := 1 x := 1 a[1] := 2 x := 2 ] }>\n",
    "many locals": b"<64, local a 1048576>\n<{64 [ a[0] := 1 ] }>\n",
    "many choices": b"<1, local a 1>\n[ <{100 a := choose(0, 1000000000) }> ]\n",
    "choices in a loop": b"<1, local a 1>\n[ while true { a := choose(0, 1) } ]\n",
    "choices left out": b"<1, local a 1>\n[ a := choose(0, 9000000000000000000) assume a < 0 ]\n",
    "range of everything": b"<1, x 1>\n[ x := choose(-9223372036854775807 - 1, 9223372036854775807) ]\n",
    "long rounds": b"<1, local i 1>\n[ while true { " + b"i := i + 1 " * 3000 + b"} ]\n",
    "endless atomic": b"<2, x 1>\n<{2 [ atomic { while true { x := x + 1 } } ] }>\n",
    "endless atomic condition": b"<2, x 1>\n<{2 [ while x == 0 { atomic { if x == 0 { } } } ] }>\n",
    "long name": b"<1, " + b"x" * 100000 + b" 1>\n[ ]\n",
    "long string": b"<\"" + b"x" * 100000 + b"\" 0>\n",
    "long number": b"<" + b"1" * 100000 + b">\n",
    "long comment": b"//" + b"x" * 1000000 + b"\n<0>\n",
    "long line": b"<1, x 1>\n[ " + b"x := 1 " * 100000 + b"? ]\n",
    "many lines": b"\n" * 1000000 + b"<1, x 1>\n[ ? ]\n",
    "many statements": b"<1, x 1>\n[ " + b"x := 1\n" * 150000 + b" ]\n",
    "lock of a local": b"<1, x 1 999999, local l 1000000>\n[ lock l[x] ]\n",
    "unlock of a local": b"<1, x 1 999999, local l 1000000>\n[ unlock l[x] ]\n",
    "too large a file": b"<0>\n" + b" " * (17 << 20),
    "only zeros": b"\0" * 1000,
    "utf-16": "<1, x 1> [ x := 1 ]".encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf<0>\n",
    "windows line ends": b"<1, x 1>\r\n[ x := 1 // one\r\n  assert x == 1 ]\r\n",
}

MODELS = []


def load_models():
    if not MODELS:
        for path in sorted(glob.glob("bench/models/*.dlang") + glob.glob("test/model/*.dlang")):
            with open(path, "rb") as model:
                data = model.read()
            if len(data) < 3000:
                MODELS.append((os.path.basename(path), data))


def make_input(number):
    """(what it is, bytes) of the number-th input."""
    r = random.Random(SEED * 1000003 + number)
    bombs = sorted(BOMBS)
    if number < len(bombs):
        return bombs[number], BOMBS[bombs[number]]
    number -= len(bombs)
    if number < 2 * len(DEEP):
        return f"deep nesting {number // 2}", DEEP[number // 2](r)
    if number % 20 == 0:
        return "random bytes", random_bytes(r)
    if number % 10 == 5:
        return "random tokens", random_tokens(r)
    name, data = r.choice(MODELS)
    done = []
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        mutation = r.choice(MUTATIONS)
        data = mutation(r, data) or b" "
        done.append(mutation.__name__)
    return f"{name}: {', '.join(done)}", data


# ---- running ------------------------------------------------------------------------------------------


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def is_sanitized(build):
    """An address sanitizer needs terabytes of address space: no limit then."""
    with open(os.path.join(build, "mazurka"), "rb") as program:
        return b"__asan_init" in program.read()


def problem_with(command, path, limited):
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                timeout=SECONDS, preexec_fn=limit_memory if limited else None)
    except subprocess.TimeoutExpired:
        return f"still running after {SECONDS} s"
    message = result.stderr.decode("utf-8", "replace")
    if result.returncode < 0:
        return f"ended by signal {-result.returncode}"
    if result.returncode not in (0, 1, 2, 3):
        return f"exit code {result.returncode}: {message[:300]}"
    if result.returncode == 2 and not re.match(path + r":(\d+:\d+:)? error: ", message):
        return f"exit code 2 with the message: {message[:300]}"
    if re.search(r"runtime error|Sanitizer", message):
        return message[:2000]
    return None


def check_input(build, directory, limited, number):
    what, data = make_input(number)
    path = os.path.join(directory, f"{number}.dlang")
    with open(path, "wb") as model:
        model.write(data)
    problem = problem_with([os.path.join(build, "mazurka"), "check", *OPTIONS, path], re.escape(path), limited)
    if problem and os.environ.get("MAZURKA_FUZZ_KEEP"):
        shutil.copy(path, os.environ["MAZURKA_FUZZ_KEEP"])
    os.unlink(path)
    return f"input {number} ({what}): {problem}\n  its start: {data[:200]!r}" if problem else None


# ---- counterexample files -----------------------------------------------------------------------------


def make_traces(build, directory):
    """The counterexamples of all models that have some, as bytes."""
    traces = []
    for path in sorted(glob.glob("bench/models/*.dlang") + glob.glob("test/model/*.dlang")):
        name = os.path.join(directory, "made.mzt")
        limits = [option for option in OPTIONS if not option.startswith("--trace")]
        subprocess.run([os.path.join(build, "mazurka"), "check", *limits, f"--trace={name}", os.path.abspath(path)],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS)
        if os.path.exists(name):
            with open(name, "rb") as trace:
                traces.append(trace.read())
            os.unlink(name)
    return traces


def swap_lines(r, data):
    lines = data.split(b"\n")
    a, b = r.randrange(len(lines)), r.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def other_number(r, data):
    places = list(re.finditer(rb"\d+", data))
    place = r.choice(places)
    return data[:place.start()] + r.choice(NUMBERS) + data[place.end():]


TRACE_MUTATIONS = [flip, delete, duplicate, truncate, insert, swap_lines, other_number]


def check_trace(build, directory, traces, limited, number):
    r = random.Random(SEED * 1000033 + number)
    data = random_bytes(r) if number % 20 == 0 else r.choice(traces)
    for _ in range(r.choice([1, 1, 2, 3])):
        data = r.choice(TRACE_MUTATIONS[:5] if number % 20 == 0 else TRACE_MUTATIONS)(r, data or b" ") or b" "
    path = os.path.join(directory, f"{number}.mzt")
    with open(path, "wb") as trace:
        trace.write(data)
    problem = problem_with([os.path.join(build, "mazurka"), "replay", path], r"[^\n]+", limited)
    if problem and os.environ.get("MAZURKA_FUZZ_KEEP"):
        shutil.copy(path, os.environ["MAZURKA_FUZZ_KEEP"])
    os.unlink(path)
    return f"counterexample {number}: {problem}\n  its start: {data[:200]!r}" if problem else None


# ---- plans --------------------------------------------------------------------------------------------

PROGRAM = b"""#include <pthread.h>
#include <mazurka.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value, racy;
static void *work(void *a) { pthread_mutex_lock(&lock); while (!value) pthread_cond_wait(&changed, &lock); racy++;
  pthread_mutex_unlock(&lock); RACE return a; }
int main(void) { INPUT pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  pthread_mutex_lock(&lock); value = 1; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }
"""


def make_plans(build, directory):
    path, plan = os.path.join(directory, "planned.c"), os.path.join(directory, "made.mzs")
    with open(path, "wb") as program:
        program.write(PROGRAM)
    plans = []
    decides = "int x = mz_input_int(\"x\", 0, 2), y = mz_input_int(\"y\", -1, 1); value = x == y ? 1 : x < 1 ? 2 : 0;"
    for options in (["-DRACE=racy++;", "-DINPUT="], ["-DRACE=", "-DINPUT="], ["-DRACE=", "-DINPUT=", "--max-traces=1"],
                    ["-DRACE=", f"-DINPUT={decides}"]):
        subprocess.run([os.path.join(build, "mazurka"), "plan", path, "-o", plan, "--max-traces=3", "--trace=none", *options],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=60, check=True)
        with open(plan, "rb") as made:
            plans.append(made.read())
    return plans


def check_plan(build, directory, plans, limited, number):
    r = random.Random(SEED * 1000037 + number)
    data = r.choice(plans)
    for _ in range(r.choice([1, 1, 2, 3])):
        data = r.choice(TRACE_MUTATIONS)(r, data or b" ") or b" "
    path = os.path.join(directory, f"{number}.mzs")
    with open(path, "wb") as plan:
        plan.write(data)
    way = r.choice([[], ["--svg"], ["--dot"], ["--svg", "--all"]])
    problem = problem_with([os.path.join(build, "mazurka"), "show", *way, path], re.escape(path), limited)
    os.unlink(path)
    return f"plan {number}: {problem}\n  its start: {data[:200]!r}" if problem else None


def made(directory, name, make, build):
    """What is to be mutated; whoever needs it first makes it."""
    def write(path):
        with open(path, "wb") as file:
            pickle.dump(make(build, directory), file)
    with open(cases.made_once(os.path.join(directory, name), write), "rb") as file:
        return pickle.load(file)


def batch_of(check, numbers):
    return "\n".join(filter(None, map(check, numbers))) or None


def mutated(build, directory, limited, name, numbers):
    make, check = {"traces": (make_traces, check_trace), "plans": (make_plans, check_plan)}[name]
    return batch_of(functools.partial(check, build, directory, made(directory, name, make, build), limited), numbers)


def tests(build):
    load_models()
    directory, limited = cases.scratch(), not is_sanitized(build)
    for first in range(0, INPUTS, BATCH):
        numbers = range(first, min(first + BATCH, INPUTS))
        yield f"inputs {first} to {numbers[-1]}", functools.partial(
            batch_of, functools.partial(check_input, build, directory, limited), numbers)
    for name in ("traces", "plans"):
        for first in range(0, TRACE_INPUTS, BATCH):
            numbers = range(first, min(first + BATCH, TRACE_INPUTS))
            yield f"{name} {first} to {numbers[-1]}", functools.partial(mutated, build, directory, limited, name, numbers)
