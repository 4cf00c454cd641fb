"""`mazurka clients`: libraries without clients.

Exactness: random little objects (operations over atomic variables, one lock or two, compare-and-swap loops) whose verdict is compared
with brute force: an interpreter of the same operations runs every interleaving of every client, calls and returns being steps of
their own, and tries every order of the calls. By hand, more of them: python3 test/suites/clients.py --objects=1000

The libraries of examples/library: right as they are, and wrong in the ways that their macros name."""

import argparse
import functools
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import cases

SAMPLE = 8
OBJECTS, AT_ONCE = 160, 4  # with test-all; in one case

# ---- random objects -----------------------------------------------------------------------------------------------------------


def some_access(rng, variables):
    kind = rng.choice(["load", "load", "store", "store", "add", "cas"])
    variable = rng.choice(variables)
    if kind == "store":
        return [("store", variable, rng.choice(["r", "constant"]), rng.randint(0, 2))]
    if kind == "cas":  # a loop that adds one
        return [("cas", variable)]
    return [(kind, variable)]


def operation(rng, variables, locks):
    body = [step for _ in range(rng.randint(1, 3)) for step in some_access(rng, variables)]
    style = rng.random()
    if locks and style < 0.6:  # all of it, with one lock or two
        taken = rng.sample(locks, rng.randint(1, len(locks)))
        if rng.random() < 0.7:
            taken.sort()
        body = [("lock", name) for name in taken] + body + [("unlock", name) for name in reversed(taken)]
        if rng.random() < 0.05:
            body.insert(len(taken) + rng.randint(0, 1), ("return", rng.randint(1, 2)))  # the lock is kept
    elif locks and style < 0.75:  # only a part
        at = rng.randrange(len(body))
        name = rng.choice(locks)
        body[at:at + 1] = [("lock", name), body[at], ("unlock", name)]
    elif rng.random() < 0.3:
        body.insert(rng.randint(1, len(body)), ("return", rng.randint(1, 2)))
    return body


def random_object(seed):
    rng = random.Random(seed)
    variables = ["x", "y"][:rng.randint(1, 2)]
    locks = ["m", "n"][:rng.randint(0, 2)]
    operations = [operation(rng, variables, locks) for _ in range(rng.randint(1, 3))]
    criterion = rng.choice(["linearizable"] * 4 + ["sequential", "quiescent", "overtaken"])
    return operations, criterion


def in_c(operations):
    lines = ["#include <pthread.h>", "#include <stdatomic.h>", "static atomic_int x, y;",
             "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;"]
    words = {"lock": "pthread_mutex_lock(&{0});", "unlock": "pthread_mutex_unlock(&{0});", "load": "r = {0};", "add": "r = {0}++;",
             "cas": "do r = {0}; while (!atomic_compare_exchange_strong(&{0}, &(int){{r}}, r + 1));", "return": "if (r >= {0}) return -1;"}
    for i, body in enumerate(operations):
        lines.append(f"int op{i}(void) {{ int r = 0;")
        for step in body:
            if step[0] == "store":
                lines.append(f"    {step[1]} = {'r + ' if step[2] == 'r' else ''}{step[3]};")
            else:
                lines.append("    " + words[step[0]].format(step[1]))
        lines.append("    return r; }")
    return "\n".join(lines) + "\n"


# ---- brute force --------------------------------------------------------------------------------------------------------------


def perform(step, state, r, thread):
    """The memory, r, and where to go on, relative to the step (None: it returns r); False if the step has to wait."""
    memory = dict(state)
    kind, name = step[0], step[1]
    if kind == "lock":
        if memory.get(name) is not None:
            return False
        memory[name] = thread
        return memory, r, 1
    if kind == "unlock":
        memory[name] = None
    elif kind == "load":
        r = memory.get(name, 0)
    elif kind == "add":
        r = memory.get(name, 0)
        memory[name] = r + 1
    elif kind == "store":
        memory[name] = (r if step[2] == "r" else 0) + step[3]
    elif kind == "cas":
        r = memory.get(name, 0)
        return memory, r, ("try", r)
    elif kind == "return" and r >= name:
        return memory, -1, None
    return memory, r, 1


def alone(operations, order):
    """The results of calls one after the other; None if one waits for ever."""
    memory, results = {}, []
    for number in order:
        body, at, r = operations[number], 0, 0
        while at is not None and at < len(body):
            if body[at][0] == "cas":
                r = memory.get(body[at][1], 0)
                memory = {**memory, body[at][1]: r + 1}
                at += 1
                continue
            done = perform(body[at], memory, r, 0)
            if done is False:
                return None
            memory, r, on = done
            at = None if on is None else at + on
        results.append(r)
    return results


def moves(operations, client, state):
    """All states that come next. A thread is (call, step, r, tried): step -1 is before the call begins."""
    memory, threads, history = state
    for t, (call, at, r, tried) in enumerate(threads):
        if call == len(client[t]):
            continue
        body = operations[client[t][call]]
        new, note = dict(memory), None
        if at == -1:
            after, note = (call, 0, 0, None), ("begin", t, call)
        elif at == len(body):
            after, note = (call + 1, -1, 0, None), ("end", t, call, r)
        elif tried is not None:
            name = body[at][1]
            if new.get(name, 0) == tried:
                new[name] = tried + 1
                after = (call, at + 1, r, None)
            else:
                after = (call, at, r, None)
        else:
            done = perform(body[at], new, r, t)
            if done is False:
                continue
            new, r, on = done
            if isinstance(on, tuple):
                after = (call, at, r, on[1])
            else:
                after = (call, len(body) if on is None else at + on, r, None)
        yield (tuple(sorted((k, v) for k, v in new.items() if v is not None and v != 0 or isinstance(v, int) and k in "mn" and v is not None)),
               threads[:t] + (after,) + threads[t + 1:], history + (note,) if note else history)


def histories(operations, client):
    """All histories of complete executions; None if one is stuck."""
    first = ((), tuple((0, -1, 0, None) for _ in client), ())
    seen, todo, found = {first}, [first], set()
    while todo:
        state = todo.pop()
        following = list(moves(operations, client, state))
        if not following:
            if any(call < len(client[t]) for t, (call, _, _, _) in enumerate(state[1])):
                return None
            found.add(state[2])
        for other in following:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return found


def is_explained(operations, client, history, criterion):
    calls = [(t, i) for t, thread in enumerate(client) for i in range(len(thread))]
    results = {(note[1], note[2]): note[3] for note in history if note[0] == "end"}
    earlier, ended, active, quiet = set(), [], set(), []
    for note in history:
        call = note[1:3]
        if note[0] == "begin":
            earlier |= {(other, call) for other in (quiet if criterion == "quiescent" else ended)}
            active.add(call)
        else:
            active.remove(call)
            ended.append(call)
            if not active:
                quiet = list(ended)
    if criterion == "sequential":
        earlier = {(a, b) for a in calls for b in calls if a[0] == b[0] and a[1] < b[1]}
    for order in itertools.permutations(calls):
        place = {call: i for i, call in enumerate(order)}
        overtaken = [a for a, b in earlier if place[b] < place[a]]
        most = max((overtaken.count(a) for a in overtaken), default=0)
        if most <= (criterion == "overtaken") and alone(operations, [client[t][i] for t, i in order]) == [results[c] for c in order]:
            return True
    return False


def all_clients(count, threads, length, calls):
    words = [word for size in range(1, length + 1) for word in itertools.product(range(count), repeat=size)]
    for client in itertools.combinations_with_replacement(words, threads):
        if sum(map(len, client)) <= calls:
            yield client


def is_right(operations, client, criterion):
    flat = [number for thread in client for number in thread]
    for order in itertools.permutations(flat):
        if alone(operations, order) is None:  # then a lock is kept
            return False
    found = histories(operations, client)
    return found is not None and all(is_explained(operations, client, history, criterion) for history in found)


def compare(build, seed):
    """What is wrong, or None; and whether the object is right."""
    operations, criterion = random_object(seed)
    threads, length, calls = random.Random(seed + 1).choice([(2, 1, 2), (2, 2, 3), (2, 2, 4), (3, 1, 3)])
    right = all(is_right(operations, client, criterion) for client in all_clients(len(operations), threads, length, calls))
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "object.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(in_c(operations))
        how = ["--out-of-order=1"] if criterion == "overtaken" else [f"--criterion={criterion}"]
        command = [os.path.join(build, "mazurka"), "clients", "--json", "--quiet", "--trace=none", "-j1", source, f"--threads={threads}",
                   f"--length=1..{length}", f"--calls={calls}", *how, *(f"--op=op{i}()" for i in range(len(operations)))]
        run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    if run.returncode == (0 if right else 1):
        return None, right
    return f"seed {seed}: brute force says {'right' if right else 'wrong'}, exit code {run.returncode}: {' '.join(command)}\n" \
           f"{in_c(operations)}{run.stdout[-1500:]}{run.stderr[-1500:]}", right


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


def tests(build):
    for first in range(0, OBJECTS, AT_ONCE):
        yield f"objects from {first} on", functools.partial(compare_some, build, first)
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
