"""Random programs whose threads wait in loops, against all of their states: verdict and final values have to be the same. The loops
read one variable or several, try again, choose what they read by what they have read, and write what they take back: attempts that are
undone, looks under a spin lock (src/program/loops/undone.c). What can happen is found out here by an interpreter of the same programs
that visits every state, knows nothing of rounds in vain, and takes every access, a plain one too, for a step.

LOOPS in the environment: how many programs. Of most there are finitely many traces without rounds in vain; the others are left out."""

import functools
import json
import os
import random
import subprocess
import tempfile

import cases

PROGRAMS, BATCH = 80, 10
MOST_STATES = 8000
LEAST_SHARE = 0.6  # of the programs must be compared
ALGORITHMS = "optimal,dpor"
CELLS = 3  # atomic variables; a plain one stands behind them
PLAIN = CELLS
MODULUS = 3
RELATIONS = {"==": int.__eq__, "!=": int.__ne__, "<": int.__lt__}


# ---- programs: threads are lists of instructions on the registers 0 and 1 --------------------------------------------------------------


class Writer:
    """Makes the instructions of one thread."""

    def __init__(self, chance, cells):
        self.chance, self.cells, self.code = chance, cells, []

    def cell(self):
        return self.chance.randrange(self.cells)

    def small(self):
        return self.chance.randrange(3)

    def put(self, *instruction):
        self.code.append(list(instruction))
        return len(self.code) - 1

    def jump(self, register, relation, value, target):
        return self.put("jump", register, relation, value, target)

    def look(self, register):
        kind = self.chance.choice(["load", "load", "load", "read", "chosen", "cas"])
        if kind == "load":
            self.put("load", register, self.cell())
        elif kind == "read":
            self.put("read", register)
        elif kind == "chosen":
            self.put("chosen", register, self.chance.randrange(2))
        else:
            self.put("cas", register, self.cell(), self.small(), self.small())

    def act(self):
        kind = self.chance.choice(["look", "store", "write", "exchange", "sum", "result"])
        if kind == "look":
            self.look(self.chance.randrange(2))
        elif kind == "store":
            self.put("store", self.cell(), self.small())
        elif kind == "write":
            self.put("write", self.small())
        elif kind == "exchange":
            self.put("exchange", self.chance.randrange(2), self.cell(), self.small())
        else:
            self.put("add", None if kind == "sum" else 0, self.cell(), 1)

    def wait(self):
        begin = len(self.code)
        for _ in range(self.chance.randrange(1, 4)):
            self.look(self.chance.randrange(2))
        if self.chance.random() < 0.3:
            self.put("assert", self.chance.randrange(2), "!=", self.small())
        if self.chance.random() < 0.3:
            self.busy()
        self.jump(0, self.chance.choice(["==", "!=", "<"]), self.small(), begin)

    def busy(self):
        """Changes something at most in the first round, and it may be that nobody else knows of it."""
        cell = self.chance.randrange(CELLS)
        if self.chance.random() < 0.5:
            self.put("store", cell, self.small())
        else:
            self.put("exchange", 1, cell, self.small())

    def retry(self):
        cell, begin = self.cell(), len(self.code)
        self.put("load", 0, cell)
        if self.chance.random() < 0.4:
            self.look(1)
        self.put("increment", 1, cell)  # a compare-exchange from register 0 to its successor
        self.jump(1, "==", 0, begin)

    def attempt(self):
        cell, amount, begin = self.cell(), self.chance.choice([1, -1, 2]), len(self.code)
        self.put("add", 0, cell, amount)
        leave = self.jump(0, "==", self.small(), None)
        if self.chance.random() < 0.3:
            self.look(1)
        self.put("add", self.chance.choice([None, None, 1]), cell, -amount)
        self.put("set", 0, 0)
        self.put("set", 1, 0)
        self.jump(0, "==", 0, begin)
        self.code[leave][4] = len(self.code)
        if self.chance.random() < 0.7:
            self.put("add", None, cell, -amount)

    def under_lock(self):
        begin = len(self.code)
        self.put("exchange", 0, CELLS - 1, 1)
        self.jump(0, "!=", 0, begin)
        self.look(1)
        self.put("store", CELLS - 1, 0)
        self.jump(1, self.chance.choice(["==", "!="]), self.small(), begin)

    def statement(self):
        if self.chance.random() < 0.5:
            self.act()
        else:
            self.chance.choice([self.wait, self.retry, self.attempt, self.under_lock])()


def generate(seed):
    chance = random.Random(seed)
    threads, cells = [], chance.randrange(1, CELLS)
    for _ in range(2 if chance.random() < 0.6 else 3):
        writer = Writer(chance, cells)
        for _ in range(chance.randrange(1, 4)):
            writer.statement()
        threads.append(writer.code)
    return (chance.randrange(2),) + (0,) * CELLS, threads


# ---- all their states ----------------------------------------------------------------------------------------------------------------


def access(code, pc, registers, values):
    """What the instruction does: (its cell, what it writes or None, the registers afterwards, whether it reads)."""
    kind, *operands = code[pc]
    registers = list(registers)
    if kind == "write":
        return PLAIN, operands[0], registers, False
    if kind == "store":
        return operands[0], operands[1], registers, False
    register = operands[0]
    cell = PLAIN if kind == "read" else registers[operands[1]] % 2 if kind == "chosen" else operands[1]
    old, new = values[cell], None
    if kind == "add":
        new = old + operands[2]
    elif kind == "exchange":
        new = operands[2]
    elif kind == "cas" and old == operands[2]:
        new = operands[3]
    elif kind == "increment":
        new = (registers[0] + 1) % MODULUS if old == registers[0] else None
        old = int(new is not None)
    if register is not None:
        registers[register] = old
    return cell, new, registers, True


def run_locally(code, pc, registers):
    """Up to the next access: (place, registers); the place is "end" or "failed" where there is none."""
    while pc < len(code):
        kind, *operands = code[pc]
        if kind == "set":
            registers[operands[0]] = operands[1]
        elif kind == "assert":
            if not RELATIONS[operands[1]](registers[operands[0]], operands[2]):
                return ("failed", ())
        elif kind == "jump":
            register, relation, value, target = operands
            if RELATIONS[relation](registers[register], value):
                pc = target
                continue
        else:
            return (pc, tuple(registers))
        pc += 1
    return ("end", ())


def is_done(local):
    return isinstance(local[0], str)


def learn(known, thread, cell, writes, reads):
    """Who knows of the last plain accesses (thread, writes): threads, and cells that tell others. After this access; and is it a race?"""
    if cell == PLAIN:
        races = any(other != thread and (wrote or writes) and ("thread", thread) not in who for (other, wrote), who in known)
        rest = {key: who for key, who in known if key != (thread, writes)}
        rest[(thread, writes)] = frozenset({("thread", thread)})
        return frozenset(rest.items()), races
    after = set()
    for key, who in known:
        if reads and ("cell", cell) in who:
            who |= {("thread", thread)}
        if writes and ("thread", thread) in who:
            who |= {("cell", cell)}
        elif writes and not reads:
            who -= {("cell", cell)}
        after.add((key, who))
    return frozenset(after), False


class TooLarge(Exception):
    pass


class Outcomes:
    """What can happen: final values, failed assertions, races, states from which nobody gets any further."""

    def __init__(self, values, threads):
        self.threads, self.finals, self.fails, self.races = threads, set(), False, False
        begin = (values, tuple(run_locally(code, 0, [0, 0]) for code in threads))
        self.visit(begin)
        self.waits_for_ever = self.is_hopeless(begin)

    def steps(self, state):
        values, locals_ = state
        for thread, local in enumerate(locals_):
            if is_done(local):
                continue
            code = self.threads[thread]
            cell, new, registers, reads = access(code, local[0], local[1], values)
            after = values if new is None else values[:cell] + (new,) + values[cell + 1:]
            then = run_locally(code, local[0] + 1, registers)
            yield (after, locals_[:thread] + (then,) + locals_[thread + 1:]), (thread, cell, new is not None, reads)

    def visit(self, begin):
        seen, left = set(), [(begin, frozenset())]
        while left:
            node = left.pop()
            if node in seen:
                continue
            seen.add(node)
            if len(seen) > MOST_STATES:
                raise TooLarge
            state, known = node
            self.fails |= any(place == "failed" for place, _ in state[1])
            if all(place == "end" for place, _ in state[1]):
                self.finals.add(state[0])
            for after, what in self.steps(state):
                knows, races = learn(known, *what)
                self.races |= races
                left.append((after, knows))

    def is_hopeless(self, begin):
        """Is there a state with threads that have not ended, from which none of them can end?"""
        before, left = {begin: []}, [begin]
        while left:
            state = left.pop()
            for after, _ in self.steps(state):
                if after not in before:
                    before[after] = []
                    left.append(after)
                before[after].append(state)
        ended = {state: sum(map(is_done, state[1])) for state in before}
        good = [state for state in before if ended[state] == len(self.threads)]
        good += [state for after in before for state in before[after] if ended[after] > ended[state]]
        hopeful = set(good)
        while good:
            for state in before[good.pop()]:
                if state not in hopeful:
                    hopeful.add(state)
                    good.append(state)
        return len(hopeful) < len(before)

    def kinds(self):
        found = {"assertion": self.fails, "livelock": self.waits_for_ever, "data-race": self.races}
        return {kind for kind, there in found.items() if there}


# ---- the same in C ---------------------------------------------------------------------------------------------------------------------

TEXTS = {"load": "r[%s] = atomic_load(&v[%s]);", "store": "atomic_store(&v[%s], %s);", "set": "r[%s] = %s;", "write": "p = %s;",
         "read": "r[%s] = p;", "chosen": "r[{0}] = atomic_load(&v[r[{1}] % 2]);", "exchange": "r[%s] = atomic_exchange(&v[%s], %s);",
         "assert": "assert(r[%s] %s %s);", "jump": "if (r[%s] %s %s) goto L%s;"}


def line_in_c(kind, operands):
    if kind == "add":
        register, cell, amount = operands
        result = "" if register is None else f"r[{register}] = "
        return f"{result}atomic_fetch_add(&v[{cell}], {amount});"
    if kind == "cas":
        register, cell, old, new = operands
        return f"{{ int e = {old}; atomic_compare_exchange_strong(&v[{cell}], &e, {new}); r[{register}] = e; }}"
    if kind == "increment":
        register, cell = operands
        return f"{{ int e = r[0]; r[{register}] = atomic_compare_exchange_strong(&v[{cell}], &e, (e + 1) % {MODULUS}); }}"
    if kind == "chosen":
        return TEXTS[kind].format(*operands)
    return TEXTS[kind] % tuple(operands)


def in_c(values, threads, finals):
    """The text, and the final values of each line that fails where there are these."""
    lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>",
             f"static atomic_int v[{CELLS}] = {{{', '.join(map(str, values[:CELLS]))}}};", f"static int p = {values[PLAIN]};"]
    for number, code in enumerate(threads):
        lines.append(f"static void *t{number}(void *a) {{ int r[2] = {{0, 0}}; (void)r;")
        lines += [f"L{place}: ; {line_in_c(kind, operands)}" for place, (kind, *operands) in enumerate(code)]
        lines.append(f"L{len(code)}: ; return a; }}")
    lines.append(f"int main(void) {{ pthread_t t[{len(threads)}];")
    lines += [f"pthread_create(&t[{number}], 0, t{number}, 0);" for number in range(len(threads))]
    lines += [f"pthread_join(t[{number}], 0);" for number in range(len(threads))]
    places = {}
    for final in finals:
        test = " && ".join([f"v[{cell}] == {final[cell]}" for cell in range(CELLS)] + [f"p == {final[PLAIN]}"])
        lines.append(f'if ({test}) assert(!"there");')
        places[len(lines)] = final
    return "\n".join(lines + ["return 0; }", ""]), places


def neighbours(finals, chance):
    """Values that look as if they could be there at the end."""
    for final in sorted(finals)[:4]:
        cell = chance.randrange(len(final))
        yield final[:cell] + (final[cell] + chance.choice([-1, 1]),) + final[cell + 1:]


def differs(result, outcomes, places):
    """What is wrong with a result that is complete."""
    kinds = {error["kind"] for error in result["errors"] if error.get("line") not in places}
    if outcomes.kinds():
        wrong = result["verdict"] != "unsafe" or not kinds <= outcomes.kinds()
        return f"{result['verdict']}, {sorted(kinds)} instead of {sorted(outcomes.kinds())}" if wrong else None
    found = {places[error["line"]] for error in result["errors"] if error.get("line") in places}
    if kinds or found != outcomes.finals:
        return (f"{sorted(kinds)}; missed {sorted(outcomes.finals - found)}, "
                f"impossible {sorted(found - outcomes.finals)}")
    return None


def try_program(build, seed):
    """(compared, left out, problems)"""
    values, threads = generate(seed)
    try:
        outcomes = Outcomes(values, threads)
    except TooLarge:
        return False, None
    finals = set() if outcomes.kinds() else outcomes.finals | set(neighbours(outcomes.finals, random.Random(seed)))
    source, places = in_c(values, threads, sorted(finals))
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "loops.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        command = [os.path.abspath(os.path.join(build, "mazurka")), "check", "--json", "--trace=none", "--max-events=20000",
                   "--timeout=5s", "-a", ALGORITHMS, *(["--all-errors"] if places else []), path]
        run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    try:
        results = json.loads(run.stdout)
    except ValueError:
        return True, f"seed {seed}: exit code {run.returncode}\n{run.stderr}\n{source}"
    complete = [result for result in results if result["verdict"] != "incomplete"]
    for result in complete:
        wrong = differs(result, outcomes, places)
        if wrong:
            return True, f"seed {seed}, {result['algorithm']}: {wrong}\n{source}"
    return len(complete) > 0 and complete[0]["algorithm"] == "optimal", None


def try_batch(build, first, count):
    tried = [try_program(build, seed) for seed in range(first, first + count)]
    problems = [problem for _, problem in tried if problem]
    compared = sum(was for was, _ in tried)
    return cases.Outcome(("programs compared", compared / count), "\n".join(problems) or None)


SAMPLE = 4


def tests(build):
    total = int(os.environ.get("LOOPS", PROGRAMS))
    for first in cases.rotating(range(1, total + 1, BATCH), 2 if "LOOPS" not in os.environ else 1):
        yield f"loops, seeds {first} to {first + BATCH - 1}", functools.partial(try_batch, build, first, BATCH)
    yield "loops, how many", cases.Summary("programs compared", LEAST_SHARE)
