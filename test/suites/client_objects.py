"""Random little objects for clients.py, and brute force: an interpreter of their operations runs every interleaving of every client,
calls and returns being steps of their own, and tries every order of the calls.

An object has atomic variables x and y, locks m and n, semaphores s and t, and a condition variable. An operation is a list of steps; it
returns r, which is what it has read last."""

import itertools
import random

# ---- random objects -----------------------------------------------------------------------------------------------------------


def some_access(rng, variables):
    kind = rng.choice(["load", "load", "store", "store", "add", "cas"])
    variable = rng.choice(variables)
    if kind == "store":
        return [("store", variable, rng.choice(["r", "constant"]), rng.randint(0, 2))]
    if kind == "cas":  # a loop that adds one
        return [("cas", variable)]
    return [(kind, variable)]


def locked(rng, body, locks):
    """All of it, with one lock or two; seldom one is kept."""
    taken = rng.sample(locks, rng.randint(1, len(locks)))
    if rng.random() < 0.7:
        taken.sort()
    body = [("lock", name) for name in taken] + body + [("unlock", name) for name in reversed(taken)]
    if rng.random() < 0.05:
        body.insert(len(taken) + rng.randint(0, 1), ("return", rng.randint(1, 2)))
    return body


def partly_locked(rng, body, locks):
    """Some of its steps, each by itself."""
    name = rng.choice(locks)
    chosen = set(rng.sample(range(len(body)), rng.randint(1, min(2, len(body)))))
    return [other for at, step in enumerate(body)
            for other in ([("lock", name), step, ("unlock", name)] if at in chosen else [step])]


def waiting(rng, body, variables, locks):
    """It may wait: for a semaphore, for a condition, in a loop."""
    style = rng.choice(["semaphore", "semaphore", "condition", "spin"])
    if style == "condition" and locks:
        inside = [("await", rng.choice(variables), rng.randint(1, 2))] if rng.random() < 0.6 else []
        tell = [("broadcast", "c")] if not inside or rng.random() < 0.5 else []
        return [("lock", locks[0])] + inside + body + tell + [("unlock", locks[0])]
    if style == "spin":
        body.insert(rng.randint(0, len(body)), ("spin", rng.choice(variables), rng.randint(1, 2)))
        return body
    for _ in range(rng.randint(1, 2)):
        body.insert(rng.randint(0, len(body)), (rng.choice(["wait", "post"]), rng.choice(["s", "s", "t"])))
    return body


def operation(rng, variables, locks, may_wait):
    body = [step for _ in range(rng.randint(1, 3)) for step in some_access(rng, variables)]
    style = rng.random()
    if may_wait and style < 0.7:
        return waiting(rng, body, variables, locks)
    if locks and style < 0.6:
        return locked(rng, body, locks)
    if locks and style < 0.75:
        return partly_locked(rng, body, locks)
    if rng.random() < 0.4:
        body.insert(rng.randint(1, len(body)), ("return", rng.randint(1, 2)))
    return body


class Object:
    """Operations, and how they are to be judged: the criterion; operations that may return -1 at any time; those that may spin."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.variables = ["x", "y"][:rng.randint(1, 2)]
        self.locks = ["m", "n"][:rng.randint(0, 2)]
        may_wait = rng.random() < 0.4
        self.operations = [operation(rng, self.variables, self.locks, may_wait) for _ in range(rng.randint(1, 3))]
        self.criterion = rng.choice(["linearizable"] * 4 + ["sequential", "quiescent", "overtaken"])
        self.start = {"s": rng.randint(0, 1), "t": rng.randint(0, 1)}
        self.may_spin = {i for i in range(len(self.operations)) if rng.random() < 0.7}
        self.relaxed = {i for i in range(len(self.operations)) if rng.random() < 0.3}
        self.size = rng.choice([(2, 1, 2), (2, 2, 3), (2, 2, 4), (3, 1, 3)])

    def most_retries(self):
        """Loops that try again, in one client."""
        return self.size[2] * max(sum(step[0] == "cas" for step in body) for body in self.operations)

    def source(self):
        lines = ["#include <pthread.h>", "#include <semaphore.h>", "#include <stdatomic.h>", "static atomic_int x, y;", "static sem_t s, t;",
                 "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
                 "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;"]
        words = {"lock": "pthread_mutex_lock(&{0});", "unlock": "pthread_mutex_unlock(&{0});", "load": "r = {0};", "add": "r = {0}++;",
                 "cas": "do r = {0}; while (!atomic_compare_exchange_strong(&{0}, &(int){{r}}, r + 1));", "return": "if (r >= {0}) return -1;",
                 "wait": "sem_wait(&{0});", "post": "sem_post(&{0});", "broadcast": "pthread_cond_broadcast(&{0});",
                 "spin": "while ({0} < {1});", "await": "while ({0} < {1}) pthread_cond_wait(&c, &m);"}
        for i, body in enumerate(self.operations):
            lines.append(f"int op{i}(void) {{ int r = 0;")
            for step in body:
                if step[0] == "store":
                    lines.append(f"    {step[1]} = {'r + ' if step[2] == 'r' else ''}{step[3]};")
                else:
                    lines.append("    " + words[step[0]].format(*step[1:]))
            lines.append("    return r; }")
        return "\n".join(lines) + "\n"

    def options(self):
        threads, length, calls = self.size
        yield from [f"--threads={threads}", f"--length=1..{length}", f"--calls={calls}"]
        yield from (f"--op=op{i}()" for i in range(len(self.operations)))
        yield "--setup=" + "; ".join(f"sem_init(&{name}, 0, {value})" for name, value in self.start.items())
        yield "--out-of-order=1" if self.criterion == "overtaken" else f"--criterion={self.criterion}"
        yield from (f"--blocking=op{i}" for i in sorted(self.may_spin))
        yield from (f"--relaxed=op{i}=-1" for i in sorted(self.relaxed))


# ---- one step -----------------------------------------------------------------------------------------------------------------
# A thread is (call, step, r, mode): step -1 is before the call begins. The mode: None; ("try", r), before the exchange; "sleep", before
# it begins to wait for the condition; "asleep"; "woken", before it has its lock again.


def perform(step, memory, r, thread):
    """The memory is changed. r and where to go on: 1, a step further; 0, the same one; None, it returns. False: it has to wait."""
    kind, name = step[0], step[1]
    if kind == "lock":
        if memory.get(name) is not None:
            return False
        memory[name] = thread
    elif kind == "unlock":
        memory[name] = None
    elif kind == "load":
        r = memory.get(name, 0)
    elif kind == "add":
        r = memory.get(name, 0)
        memory[name] = r + 1
    elif kind == "store":
        memory[name] = (r if step[2] == "r" else 0) + step[3]
    elif kind == "wait":
        if memory[name] == 0:
            return False
        memory[name] -= 1
    elif kind == "post":
        memory[name] += 1
    elif kind == "spin" and memory.get(name, 0) < step[2]:
        return False
    elif kind == "return" and r >= name:
        return -1, None
    return r, 1


def alone(thing, order):
    """The results of calls one after the other, and how that ends: "done", "waits" (rightly), "error"."""
    memory, results = dict(thing.start), []
    for number in order:
        body, at, r = thing.operations[number], 0, 0
        while at is not None and at < len(body):
            kind = body[at][0]
            if kind == "cas":
                r = memory.get(body[at][1], 0)
                memory[body[at][1]] = r + 1
                at += 1
                continue
            if kind == "await" and memory.get(body[at][1], 0) < body[at][2]:
                return results, "waits"
            done = perform(body[at], memory, r, 0)
            if done is False:
                return results, "error" if kind == "lock" or kind == "spin" and number not in thing.may_spin else "waits"
            r, on = done
            at = None if on is None else at + on
        results.append(r)
    return results, "done"


def awoken(threads):
    return tuple((call, at, r, "woken" if mode == "asleep" else mode) for call, at, r, mode in threads)


def step_of_call(body, threads, t, memory):
    """What the threads are after thread t has made its next step; None if it has to wait. The memory is changed."""
    call, at, r, mode = threads[t]
    kind = body[at][0]

    def then(*after):
        return threads[:t] + (after,) + threads[t + 1:]
    if kind == "await":
        if mode == "asleep" or mode == "woken" and memory.get("m") is not None:
            return None
        if mode == "woken":
            memory["m"] = t
            return then(call, at, r, None)
        if mode == "sleep":
            memory["m"] = None
            return then(call, at, r, "asleep")
        return then(call, at + 1, r, None) if memory.get(body[at][1], 0) >= body[at][2] else then(call, at, r, "sleep")
    if kind == "cas":
        if mode is None:
            r = memory.get(body[at][1], 0)
            return then(call, at, r, ("try", r))
        if memory.get(body[at][1], 0) != mode[1]:
            return then(call, at, r, None)
        memory[body[at][1]] = mode[1] + 1
        return then(call, at + 1, r, None)
    done = perform(body[at], memory, r, t)
    if done is False:
        return None
    if kind == "broadcast":
        threads = awoken(threads)
    return then(call, len(body) if done[1] is None else at + done[1], done[0], None)


# ---- all histories ------------------------------------------------------------------------------------------------------------


def moves(thing, client, state):
    """All states that come next."""
    memory, threads, history = state
    for t, (call, at, r, _) in enumerate(threads):
        if call == len(client[t]):
            continue
        body, new, note = thing.operations[client[t][call]], dict(memory), None
        if at == -1:
            after, note = threads[:t] + ((call, 0, 0, None),) + threads[t + 1:], ("begin", t, call)
        elif at == len(body):
            after, note = threads[:t] + ((call + 1, -1, 0, None),) + threads[t + 1:], ("end", t, call, r)
        else:
            after = step_of_call(body, threads, t, new)
        if after is not None:
            kept = tuple(sorted((name, value) for name, value in new.items() if value is not None and (value != 0 or name in "mn")))
            yield kept + tuple((name, 0) for name in "st" if not new[name]), after, history + (note,) if note else history


def waits_for_lock(thing, client, threads):
    for t, (call, at, _, mode) in enumerate(threads):
        if call < len(client[t]):
            number = client[t][call]
            kind = thing.operations[number][at][0]
            if kind == "lock" or mode == "woken" or kind == "spin" and number not in thing.may_spin:
                return True
    return False


def histories(thing, client):
    """All of executions to their end, whether or not all calls have returned; None if somebody waits for a lock for ever."""
    first = (tuple(thing.start.items()), tuple((0, -1, 0, None) for _ in client), ())
    seen, todo, found = {first}, [first], set()
    while todo:
        state = todo.pop()
        following = list(moves(thing, client, state))
        if not following:
            if any(call < len(client[t]) for t, (call, _, _, _) in enumerate(state[1])) and waits_for_lock(thing, client, state[1]):
                return None
            found.add(state[2])
        for other in following:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return found


# ---- judging ------------------------------------------------------------------------------------------------------------------


def precedence(calls, history, criterion):
    """Pairs of calls of which the first has to come before the second."""
    if criterion == "sequential":
        return {(a, b) for a in calls for b in calls if a[0] == b[0] and a[1] < b[1]}
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
    return earlier


def has_order(thing, client, calls, results, earlier, last):
    """Do these calls return so in some order that keeps what is earlier, but for what the criterion allows? `last` is then to wait."""
    for order in itertools.permutations(calls):
        place = {call: i for i, call in enumerate(order)}
        overtaken = [a for a, b in earlier if a in place and b in place and place[b] < place[a]]
        if max((overtaken.count(a) for a in overtaken), default=0) > (thing.criterion == "overtaken"):
            continue
        word = [client[t][i] for t, i in order] + ([] if last is None else [client[last[0]][last[1]]])
        if alone(thing, word) == ([results[call] for call in order], "done" if last is None else "waits"):
            return True
    return False


def is_explained(thing, client, history):
    results = {note[1:3]: note[3] for note in history if note[0] == "end"}
    pending = [note[1:3] for note in history if note[0] == "begin" and note[1:3] not in results]
    earlier = precedence(list(results), history, thing.criterion)
    excused = [call for call in results if client[call[0]][call[1]] in thing.relaxed and results[call] == -1]
    return all(any(has_order(thing, client, [call for call in results if call not in without], results, earlier, last)
                   for count in range(len(excused) + 1) for without in itertools.combinations(excused, count))
               for last in pending or [None])


def all_clients(count, threads, length, calls):
    words = [word for size in range(1, length + 1) for word in itertools.product(range(count), repeat=size)]
    for client in itertools.combinations_with_replacement(words, threads):
        if sum(map(len, client)) <= calls:
            yield client


def is_right_with(thing, client):
    flat = [number for thread in client for number in thread]
    for size in range(1, len(flat) + 1):
        if any(alone(thing, order)[1] == "error" for order in itertools.permutations(flat, size)):
            return False
    found = histories(thing, client)
    return found is not None and all(is_explained(thing, client, history) for history in found)


def is_right(thing):
    return all(is_right_with(thing, client) for client in all_clients(len(thing.operations), *thing.size))
