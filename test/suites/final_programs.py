"""Random C programs with every kind of synchronisation, and an interpreter of them that goes through all states: with which
statuses can they end, can an assertion fail, can all threads come to wait for ever?

A thread is a block: a list of statements (name, arguments …), of which some hold blocks. `text_of` says what a statement is in C,
`Steps` what it is as single steps, `Machine` what each step does."""

import random

WORDS = 3  # shared words v0, v1, …; as many registers r0, r1, … in each thread
STYLES = {  # which statements hold blocks under a lock, or wait
    "atomic": [], "plain": [], "sections": [], "ends": [],
    "locks": ["mutex", "mutex", "try", "semaphore", "recursive", "checking"],
    "readers": ["read", "read", "write", "try_read", "try_write", "mutex"],
    "conditions": ["wait_while", "wait_while", "wait_if", "announce", "announce", "mutex"],
    "mixed": ["mutex", "read", "write", "semaphore", "try_semaphore", "post", "look", "once", "spin_lock", "flag", "barrier"],
    "trees": ["mutex"],
    "cancelled": ["mutex"],
}
SIMPLE = {"plain": ["set", "get", "bump", "copy", "same", "store", "load"], "sections": ["section", "section", "load", "store"],
          "ends": ["load", "store", "exchange", "load", "add", "exit"]}
ATOMIC = ["store", "load", "store", "load", "add", "exchange", "compare"]
LOCKS = {  # how they are taken and given back
    "mutex": ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"), "spin_lock": ("pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);"),
    "flag": ("while (atomic_flag_test_and_set(&flag));", "atomic_flag_clear(&flag);"),
    "recursive": ("pthread_mutex_lock(&twice), pthread_mutex_lock(&twice);", "pthread_mutex_unlock(&twice), pthread_mutex_unlock(&twice);"),
    "read": ("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"), "write": ("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    "semaphore": ("sem_wait(&sem);", "sem_post(&sem);"),
}
TRIED = {
    "try": ("pthread_mutex_trylock(&m)", "pthread_mutex_unlock(&m);"), "try_semaphore": ("sem_trywait(&sem)", "sem_post(&sem);"),
    "try_read": ("pthread_rwlock_tryrdlock(&rw)", "pthread_rwlock_unlock(&rw);"),
    "try_write": ("pthread_rwlock_trywrlock(&rw)", "pthread_rwlock_unlock(&rw);"),
}
# C leaves open what comes of a read-write lock that is taken again. A flag that only one thread knows, and takes again, is a livelock,
# which the checker does not see: nobody could notice what the thread does (incomplete, after --patience).
NOT_AGAIN = {"read", "write", "try_read", "try_write", "flag"}
HEAD = """#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, twice, checking;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static sem_t sem;
static int v0, v1, v2, out[3];
static pthread_t t[3];
#define LOAD(v) __atomic_load_n(&v, __ATOMIC_SEQ_CST)
#define STORE(v, n) __atomic_store_n(&v, n, __ATOMIC_SEQ_CST)
#define CHANGE(v, e, n) __atomic_compare_exchange_n(&v, &e, n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
"""
MAIN = """int main(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&twice, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &kind);
    pthread_spin_init(&spin, 0);
    sem_init(&sem, 0, 1);
    pthread_barrier_init(&barrier, NULL, 2);
"""
SHARES = {"v0": 7, "v1": 13, "v2": 29, "out0": 3, "out1": 5, "out2": 11}  # of the final state in the status
FIRST_EXIT = 200  # what main returns is less


# ---- programs -----------------------------------------------------------------------------------------------------------


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.style = self.random.choice(sorted(STYLES))
        self.has_one = False  # of those that are not taken again
        count = self.random.choice([2, 2, 2, 3])
        length = self.random.choice([3, 4, 5] if count == 2 else [2, 3])
        self.threads = [self.block(length, 0, i) for i in range(count)]

    def number(self, low=0):
        return self.random.randrange(low, 3)

    def simple(self, kind):
        pick = self.number
        if kind == "section":
            return (kind, [self.simple(self.random.choice(["set", "get", "bump"])) for _ in range(self.number(1))])
        if kind == "compare":
            return (kind, pick(), pick(), pick(), pick(), pick())
        return (kind, pick(), pick(), pick())

    def block(self, length, depth, thread):
        out = []
        while length > 0:
            statement = self.statement(length - 1, depth, thread)
            length -= 1 + any(isinstance(part, list) for part in statement)
            out.append(statement)
        return out

    def statement(self, left, depth, thread):
        pick, kind = self.random, self.random.random()
        deeper = lambda most: self.block(min(max(left, 1), most), depth + 1, thread)  # noqa: E731
        if STYLES[self.style] and kind < 0.4 and depth < 2:
            held = pick.choice(STYLES[self.style])
            if held in NOT_AGAIN and self.has_one:
                held = "mutex"
            if held in ("post", "barrier"):
                return (held,)
            if held in ("look", "once"):
                return (held, self.number())
            if held == "announce":
                return (held, self.number(), self.number(1), pick.choice(["signal", "broadcast"]), pick.random() < 0.5)
            if held in ("wait_while", "wait_if"):
                return (held, self.number(), self.number(1), deeper(2))
            return (held, self.inside(held, deeper), self.number(), self.number())
        if kind < 0.48 and depth < 2:
            return ("if", pick.choice(["==", "!="]), self.number(), self.number(), deeper(1), deeper(1) if pick.random() < 0.4 else [])
        if kind < 0.54 and depth < 2:
            return ("loop", deeper(1))
        if kind < 0.62 and self.style in ("atomic", "mixed", "trees"):
            return pick.choice([("until", self.number(), self.number(1)), ("raise", self.number(), self.number(1), self.number())])
        if kind < 0.65:
            return pick.choice([("assert", pick.choice(["==", "!="]), self.number(), self.number()), ("exit", self.number()), ("leave",)])
        if kind < 0.8 and depth == 0 and self.style == "trees":
            return ("child", self.block(2, 2, thread), pick.random() < 0.7)
        if kind < 0.8 and depth == 0 and self.style == "cancelled":
            return ("cancel", pick.randrange(thread)) if thread > 0 and pick.random() < 0.5 else ("cancelled",)
        return self.simple(pick.choice(SIMPLE.get(self.style, ATOMIC)))

    def inside(self, held, deeper):
        before = self.has_one
        self.has_one |= held in NOT_AGAIN
        block = deeper(2)
        self.has_one = before
        return block

    def text(self):
        functions, bodies = [], []
        for i, body in enumerate(self.threads):
            inside = "\n".join(text_of(s, functions) for s in body)
            bodies.append(f"static void *f{i}(void *a)\n{{\nint r0 = 0, r1 = 0, r2 = 0;\n{inside}\nout[{i}] = r0 + 3 * r1 + 5 * r2;\nreturn a;\n}}\n")
        threads = range(len(self.threads))
        main = MAIN + "".join(f"    pthread_create(&t[{i}], NULL, f{i}, NULL);\n" for i in threads)
        main += "".join(f"    pthread_join(t[{i}], NULL);\n" for i in threads)
        total = " + ".join(f"{name.replace('out', 'out[') + ']' if name[0] == 'o' else name} * {n}" for name, n in SHARES.items())
        return HEAD + "".join(functions + bodies) + main + f"    return (unsigned)({total}) % 199;\n}}\n"


def text_of(statement, functions):
    kind, *a = statement
    inside = lambda block: "\n".join(text_of(s, functions) for s in block)  # noqa: E731
    if kind in LOCKS:
        return f"{LOCKS[kind][0]}\n{inside(a[0])}\n{LOCKS[kind][1]}"
    if kind in TRIED:
        return f"r{a[1]} = {TRIED[kind][0]} == 0;\n{{ int got = r{a[1]}; if (got) {{\n{inside(a[0])}\n{TRIED[kind][1]} }} }}"
    if kind == "checking":
        return (f"pthread_mutex_lock(&checking); r{a[1]} = pthread_mutex_lock(&checking) != 0;\n{inside(a[0])}\n"
                f"pthread_mutex_unlock(&checking); r{a[2]} = pthread_mutex_unlock(&checking) != 0;")
    if kind in ("wait_while", "wait_if"):
        return (f"pthread_mutex_lock(&m);\n{kind[5:]} (v{a[0]} != {a[1]}) pthread_cond_wait(&cond, &m);\n{inside(a[2])}\n"
                "pthread_mutex_unlock(&m);")
    if kind == "announce":
        call = f"pthread_cond_{a[2]}(&cond);"
        return f"pthread_mutex_lock(&m); v{a[0]} = {a[1]}; {call if a[3] else ''} pthread_mutex_unlock(&m); {'' if a[3] else call}"
    if kind == "if":
        return f"if (r{a[1]} {a[0]} {a[2]}) {{\n{inside(a[3])}\n}} else {{\n{inside(a[4])}\n}}"
    if kind == "child":
        number = len(functions)
        functions.append("")  # its children come after it
        functions[number] = f"static void *child{number}(void *a)\n{{\nint r0 = 0, r1 = 0, r2 = 0;\n{inside(a[0])}\n(void)r0, (void)r1, (void)r2;\nreturn a;\n}}\n"
        return f"{{ pthread_t c; pthread_create(&c, NULL, child{number}, NULL); pthread_{'join(c, NULL)' if a[1] else 'detach(c)'}; }}"
    if kind == "once":
        number = len(functions)
        functions.append(f"static void once{number}(void) {{ __atomic_fetch_add(&v{a[0]}, 1, __ATOMIC_SEQ_CST); }}\n")
        return f"pthread_once(&once, once{number});"
    if kind == "section":
        return f"mz_atomic_begin();\n{inside(a[0])}\nmz_atomic_end();"
    if kind == "loop":
        return f"for (int i = 0; i < 2; i++) {{\n{inside(a[0])}\n}}"
    x, y, z = (a + [0, 0, 0])[:3]
    return {
        "store": f"STORE(v{x}, r{y} + {z});", "load": f"r{x} = LOAD(v{y});", "set": f"v{x} = r{y} + {z};", "get": f"r{x} = v{y};",
        "add": f"r{x} = __atomic_fetch_add(&v{y}, {z}, __ATOMIC_SEQ_CST);", "bump": f"v{x}++;",
        "exchange": f"r{x} = __atomic_exchange_n(&v{y}, {z}, __ATOMIC_SEQ_CST);",
        "compare": f"{{ int e = {z}, ok = CHANGE(v{y}, e, {a[3] if len(a) > 3 else 0}); r{a[-1] if a else 0} = e; r{x} = ok; }}",
        "copy": f"memmove(&v{x}, &v{y}, sizeof v0);", "same": f"r{x} = memcmp(&v{y}, &v{z}, sizeof v0) == 0;",
        "post": "sem_post(&sem);", "look": f"sem_getvalue(&sem, &r{x});", "barrier": "pthread_barrier_wait(&barrier);",
        "until": f"while (LOAD(v{x}) != {y});", "raise": f"{{ int e = LOAD(v{x}); while (!CHANGE(v{x}, e, e + {y})); r{z} = e; }}",
        "assert": f"assert(r{y} {x} {z});", "exit": f"exit({FIRST_EXIT} + {x});", "leave": "pthread_exit(NULL);",
        "cancel": f"pthread_cancel(t[{x}]);", "cancelled": "pthread_testcancel();",
    }[kind]


# ---- as single steps ----------------------------------------------------------------------------------------------------


class Steps:
    """Lists of (name, arguments …), a thread each, and then the children. Registers 3 and 4 are temporary."""

    def __init__(self, program):
        self.lists = [[] for _ in program.threads]
        self.now = 0
        for self.now, body in enumerate(program.threads):
            self.add_all(body)
            self.emit("done", self.now)

    def emit(self, *step):
        self.lists[self.now].append(list(step))
        return self.lists[self.now][-1]

    def here(self):
        return len(self.lists[self.now])

    def add_all(self, block):
        for statement in block:
            self.add(*statement)

    def between(self, take, block, give):
        self.emit(*take)
        self.add_all(block)
        self.emit(*give)

    def add(self, kind, *a):
        if kind in ("mutex", "spin_lock", "flag"):
            self.between(("lock", kind), a[0], ("unlock", kind))
        elif kind == "recursive":
            self.between(("lock", kind), a[0], ("unlock", kind))
        elif kind in ("read", "write", "semaphore"):
            self.between((kind, None), a[0], (f"end_{kind}",))
        elif kind in TRIED:
            name = {"try": "try", "try_semaphore": "semaphore", "try_read": "read", "try_write": "write"}[kind]
            self.emit(name, a[1])
            jump = self.emit("unless", a[1], 0)
            self.add_all(a[0])
            self.emit("unlock", "mutex") if name == "try" else self.emit(f"end_{name}")
            jump[2] = self.here()
        elif kind == "checking":
            self.emit("check_lock", 4)
            self.emit("check_lock", a[1])
            self.add_all(a[0])
            self.emit("check_unlock", 4)
            self.emit("check_unlock", a[2])
        elif kind in ("wait_while", "wait_if"):
            self.add_wait(kind == "wait_while", *a)
        elif kind == "announce":
            self.emit("lock", "mutex")
            self.emit("put", a[0], a[1])
            if a[3]:
                self.emit(a[2])
            self.emit("unlock", "mutex")
            if not a[3]:
                self.emit(a[2])
        else:
            self.add_other(kind, *a)

    def add_wait(self, again, word, number, block):
        self.emit("lock", "mutex")
        start = self.here()
        self.emit("load", 3, word)
        jump = self.emit("jump_if", "==", 3, number, 0)
        self.emit("sleep")
        self.emit("wake")
        if again:
            self.emit("jump", start)
        jump[4] = self.here()
        self.add_all(block)
        self.emit("unlock", "mutex")

    def add_other(self, kind, *a):
        if kind == "if":
            jump = self.emit("jump_if", "!=" if a[0] == "==" else "==", a[1], a[2], 0)
            self.add_all(a[3])
            end = self.emit("jump", 0)
            jump[4] = self.here()
            self.add_all(a[4])
            end[1] = self.here()
        elif kind == "loop":
            self.add_all(a[0])
            self.add_all(a[0])
        elif kind == "section":
            self.between(("begin",), a[0], ("end",))
        elif kind == "once":
            self.emit("once")
            self.emit("raise_once", a[0])
            self.emit("end_once")
        elif kind == "barrier":
            self.emit("arrive")
            self.emit("pass")
        elif kind == "raise":
            self.emit("load", 3, a[0])
            self.emit("raise", *a)
        elif kind in ("bump", "copy"):
            self.emit("load", 3, a[1] if kind == "copy" else a[0])
            self.emit("put_more", a[0], int(kind == "bump"))
        elif kind == "same":
            self.emit("load", 3, a[1])
            self.emit("load", 4, a[2])
            self.emit("equal", a[0])
        elif kind == "child":
            parent, child = self.now, len(self.lists)
            self.emit("create", child)
            self.lists.append([])
            self.now = child
            self.add_all(a[0])
            self.emit("leave")
            self.now = parent
            if a[1]:
                self.emit("join", child)
        else:
            self.emit({"set": "store", "get": "load"}.get(kind, kind), *a)


# ---- all states -----------------------------------------------------------------------------------------------------------

LOCAL = {"unless", "jump", "jump_if", "equal", "assert"}  # nobody else can notice
START = {"v0": 0, "v1": 0, "v2": 0, "out0": 0, "out1": 0, "out2": 0, "mutex": -1, "spin_lock": -1, "flag": -1, "recursive": -1,
         "checking": -1, "readers": 0, "writer": 0, "semaphore": 1, "once": 0, "arrived": 0, "phase": 0, "sleeping": frozenset(),
         "section": -1}


class TooLarge(Exception):
    pass


class Thread:
    def __init__(self, place=0, registers=(0, 0, 0, 0, 0), runs=True, cancelled=False):
        self.place, self.registers, self.runs, self.cancelled = place, registers, runs, cancelled

    def key(self):
        return self.place, self.registers, self.runs, self.cancelled


class Machine:
    """After explore(): `statuses`, `fails` (an assertion does), `stops` (with threads that wait for ever)."""

    def __init__(self, program):
        self.lists = Steps(program).lists
        self.mains = len(program.threads)
        self.statuses, self.fails, self.stops = set(), False, False

    def explore(self, most=40000):
        start = [Thread(runs=i < self.mains) for i in range(len(self.lists))]
        seen, todo = set(), []

        def push(shared, threads):
            key = (tuple(shared.values()), tuple(thread.key() for thread in threads))
            if key not in seen:
                seen.add(key)
                todo.append((shared, threads))

        if self.settle(start):
            push(dict(START), start)
        while todo:
            if len(seen) > most:
                raise TooLarge
            shared, threads = todo.pop()
            goes_on = not any(threads[i].runs for i in range(self.mains))
            if goes_on:
                self.statuses.add(sum(shared[name] * n for name, n in SHARES.items()) % 2**32 % 199)
            for i, thread in enumerate(threads):
                if not thread.runs or shared["section"] not in (-1, i):
                    continue
                for after in self.step(i, shared, threads):
                    goes_on = True
                    if after and self.settle(after[1]):
                        push(*after)
            self.stops |= not goes_on
        return self

    def settle(self, threads):
        """Local work of all threads. False if an assertion fails."""
        for i, thread in enumerate(threads):
            while thread.runs and self.lists[i][thread.place][0] in LOCAL:
                kind, *a = self.lists[i][thread.place]
                r, place = list(thread.registers), thread.place + 1
                if kind == "unless" and not r[a[0]]:
                    place = a[1]
                elif kind == "jump":
                    place = a[0]
                elif kind == "jump_if" and (r[a[1]] == a[2]) == (a[0] == "=="):
                    place = a[3]
                elif kind == "equal":
                    r[a[0]] = int(r[3] == r[4])
                elif kind == "assert" and (r[a[1]] == a[2]) != (a[0] == "=="):
                    self.fails = True
                    return False
                thread = threads[i] = Thread(place, tuple(r), True, thread.cancelled)
        return True

    def step(self, i, shared, threads):
        """What it may lead to: (shared, threads); None is the end of the program."""
        kind, *a = self.lists[i][threads[i].place]
        if kind == "exit":
            self.statuses.add(FIRST_EXIT + a[0])
            return [None]
        if kind == "signal" and shared["sleeping"]:
            return [self.moved(i, dict(shared, sleeping=shared["sleeping"] - {woken}), threads) for woken in shared["sleeping"]]
        s, after = dict(shared), list(threads)
        me = after[i] = Thread(threads[i].place + 1, threads[i].registers, True, threads[i].cancelled)
        r = list(me.registers)
        if getattr(self, "_" + kind)(i, s, r, me, after, *a) is False:
            return []
        me.registers = tuple(r)
        return [(s, after)]

    @staticmethod
    def moved(i, shared, threads):
        after = list(threads)
        after[i] = Thread(threads[i].place + 1, threads[i].registers, True, threads[i].cancelled)
        return shared, after

    # Each: shared words, own registers, the thread, all threads. False if it has to wait.

    def _store(self, i, s, r, me, after, word, register, more):
        s[f"v{word}"] = r[register] + more

    def _load(self, i, s, r, me, after, register, word, *_):
        r[register] = s[f"v{word}"]

    def _put(self, i, s, r, me, after, word, number):
        s[f"v{word}"] = number

    def _put_more(self, i, s, r, me, after, word, more):
        s[f"v{word}"] = r[3] + more

    def _add(self, i, s, r, me, after, register, word, number):
        r[register] = s[f"v{word}"]
        s[f"v{word}"] += number

    def _exchange(self, i, s, r, me, after, register, word, number):
        r[register], s[f"v{word}"] = s[f"v{word}"], number

    def _compare(self, i, s, r, me, after, register, word, expected, number, old):
        r[old] = s[f"v{word}"]
        r[register] = int(s[f"v{word}"] == expected)
        if r[register]:
            s[f"v{word}"] = number

    def _raise(self, i, s, r, me, after, word, more, register):
        if s[f"v{word}"] != r[3]:
            r[3] = s[f"v{word}"]
            me.place -= 1
        else:
            s[f"v{word}"] += more
            r[register] = r[3]

    def _until(self, i, s, r, me, after, word, number):
        return s[f"v{word}"] == number

    def _begin(self, i, s, r, me, after):
        s["section"] = i

    def _end(self, i, s, r, me, after):
        s["section"] = -1

    def _lock(self, i, s, r, me, after, name):
        if s[name] != -1 and not (name == "recursive" and s[name][0] == i):
            return False
        s[name] = (i, s[name][1] + 1 if s[name] != -1 else 1) if name == "recursive" else i
        return True

    def _unlock(self, i, s, r, me, after, name):
        s[name] = (i, s[name][1] - 1) if name == "recursive" and s[name][1] > 1 else -1

    def _try(self, i, s, r, me, after, register):
        r[register] = int(s["mutex"] == -1)
        if r[register]:
            s["mutex"] = i

    def _check_lock(self, i, s, r, me, after, register):
        if s["checking"] not in (-1, i):
            return False
        r[register] = int(s["checking"] == i)
        s["checking"] = i
        return True

    def _check_unlock(self, i, s, r, me, after, register):
        r[register] = int(s["checking"] != i)
        if s["checking"] == i:
            s["checking"] = -1

    @staticmethod
    def tried(can, r, register):
        """Take it if that is possible; wait for it, if there is no register for the answer."""
        if register is not None:
            r[register] = int(can)
        return can

    def _read(self, i, s, r, me, after, register):
        can = self.tried(not s["writer"], r, register)
        s["readers"] += can
        return can or register is not None

    def _write(self, i, s, r, me, after, register):
        can = self.tried(not s["writer"] and not s["readers"], r, register)
        s["writer"] += can
        return can or register is not None

    def _semaphore(self, i, s, r, me, after, register):
        can = self.tried(s["semaphore"] > 0, r, register)
        s["semaphore"] -= can
        return can or register is not None

    def _end_read(self, i, s, r, me, after):
        s["readers"] -= 1

    def _end_write(self, i, s, r, me, after):
        s["writer"] = 0

    def _post(self, i, s, r, me, after):
        s["semaphore"] += 1

    _end_semaphore = _post

    def _look(self, i, s, r, me, after, register):
        r[register] = s["semaphore"]

    def _once(self, i, s, r, me, after):
        if s["once"] == 1:
            return False
        if s["once"] == 2:
            me.place += 2
        else:
            s["once"] = 1
        return True

    def _raise_once(self, i, s, r, me, after, word):
        s[f"v{word}"] += 1

    def _end_once(self, i, s, r, me, after):
        s["once"] = 2

    def _arrive(self, i, s, r, me, after):
        r[3] = s["phase"]
        s["phase"] += s["arrived"]
        s["arrived"] = 1 - s["arrived"]

    def _pass(self, i, s, r, me, after):
        return s["phase"] != r[3]

    def _sleep(self, i, s, r, me, after):
        s["mutex"] = -1
        s["sleeping"] |= {i}

    def _wake(self, i, s, r, me, after):
        if i in s["sleeping"] or s["mutex"] != -1:
            return False
        s["mutex"] = i
        return True

    def _signal(self, i, s, r, me, after):
        """Nobody sleeps."""

    def _broadcast(self, i, s, r, me, after):
        s["sleeping"] = frozenset()

    def _create(self, i, s, r, me, after, child):
        after[child] = Thread()

    def _join(self, i, s, r, me, after, child):
        return not after[child].runs

    def _leave(self, i, s, r, me, after):
        me.runs = False

    def _done(self, i, s, r, me, after, thread):
        s[f"out{thread}"] = r[0] + 3 * r[1] + 5 * r[2]
        me.runs = False

    def _cancel(self, i, s, r, me, after, other):
        after[other] = Thread(after[other].place, after[other].registers, after[other].runs, True)

    def _cancelled(self, i, s, r, me, after):
        me.runs = not me.cancelled
