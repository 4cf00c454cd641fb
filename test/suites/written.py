"""Programs whose plain accesses race, where races are no errors: random ones, of reads, writes, increments, bit-fields, and of
instructions of their own (x86-64): such as read and write, with and without `lock`, and spin locks whose loop is one of them. An
interpreter here knows which final values are possible if every access happens as it is written, one after the other; the
program has an assertion for each of them, and the checker has to fail at all of these and at no other."""

import functools
import json
import os
import platform
import random
import shutil
import subprocess
import tempfile

import cases

SEEDS = 30
SAMPLE = 15
ALGORITHMS = "source,optimal,rf,dc"
COMPILERS = [compiler for compiler in ("gcc", "clang") if shutil.which(compiler)]
VARIABLES, FIELDS, LOCK = ["x", "y"], ["a", "b"], "w"
NAMES = [*VARIABLES, *FIELDS, LOCK]
ASSEMBLY = platform.machine() == "x86_64"
SPINS = [
    "1: movl $1, %%eax; xchgl %%eax, %0; testl %%eax, %%eax; jnz 1b",
    "again%=: lock; btsl $0, %0; jc again%=",
    "1: xorl %%eax, %%eax; movl $1, %%ecx; lock; cmpxchgl %%ecx, %0; je 2f; pause; jmp 1b; 2:",
    "1: cmpl $0, %0; je 2f; pause; jmp 1b; 2: movl $1, %%ecx; xchgl %0, %%ecx; jecxz 3f; jmp 1b; 3:",
]


class Program:
    """Two threads of statements; a statement is C and a list of steps: functions of (shared, local)."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.threads = [[self.statement() for _ in range(self.chance.randint(2, 3))] for _ in range(2)]

    def statement(self):
        variable, other, field = self.chance.choice(VARIABLES), self.chance.choice(VARIABLES), self.chance.choice(FIELDS)
        number = self.chance.randint(1, 3)
        if ASSEMBLY and self.chance.random() < 0.4:
            return self.instruction(variable, number)
        return self.chance.choice([
            (f"{variable} = {number};", [put(variable, lambda local: number)]),
            (f"l = {variable};", [get(variable)]),
            (f"{variable} = l;", [put(variable, lambda local: local["l"])]),
            (f"{variable}++;", [get(variable, "t"), put(variable, lambda local: local["t"] + 1)]),
            (f"{variable} = {other};", [get(other, "t"), put(variable, lambda local: local["t"])]),
            (f"l = {variable}; l += {other};", [get(variable), get(other, "t"), lambda shared, local: local.update(l=local["l"] + local["t"])]),
            (f"s.{field} = {number};", [read_unit, write_field(field, lambda local: number)]),
            (f"s.{field} = (unsigned)l & 3;", [read_unit, write_field(field, lambda local: local["l"] & 3)]),
            (f"l = s.{field};", [get(field)]),
        ])

    def instruction(self, variable, number):
        """One that reads and writes: two steps without `lock`, one with it. Or a section under a spin lock."""
        if self.chance.random() < 0.3:
            spin = self.chance.choice(SPINS)
            return (f'__asm__ volatile("{spin}" : "+m"(w) : : "eax", "ecx", "cc", "memory"); {variable} += {number}; '
                    '__asm__ volatile("movl $0, %0" : "=m"(w) : : "memory");',
                    [take, get(variable, "t"), put(variable, lambda local: local["t"] + number), put(LOCK, lambda local: 0)])
        name, operand, value = self.chance.choice([
            ("incl", "", lambda local: local["t"] + 1),
            ("addl", f"${number}, ", lambda local: local["t"] + number),
            ("orl", f"${number}, ", lambda local: local["t"] | number),
            ("negl", "", lambda local: -local["t"]),
            ("notl", "", lambda local: ~local["t"]),
            ("btcl", "$1, ", lambda local: local["t"] ^ 2),
            ("xaddl", "%1, ", lambda local: local["t"] + local["l"]),
            ("xchgl", "%1, ", lambda local: local["l"]),
            ("cmpxchgl", "%2, ", lambda local: number if local["t"] == local["l"] else local["t"]),
        ])
        locked = name == "xchgl" or self.chance.random() < 0.4
        steps = [get(variable, "t"), put(variable, value)]
        if name in ("xaddl", "xchgl", "cmpxchgl"):  # what was there is in the register then
            steps[1] = together([steps[1], lambda shared, local: local.update(l=local["t"])])
        if locked:
            steps = [together(steps)]
        return (f'__asm__ volatile("{"lock; " if locked else ""}{name} {operand}%0" : "+m"({variable}), "+{"a" if name[0] == "c" else "r"}"(l) '
                f': "r"({number}) : "cc", "memory");', steps)

    def outcomes(self):
        """Every final state, by brute force; states that were there are not followed again."""
        steps = [[step for _, steps in thread for step in steps] for thread in self.threads]
        start = (0, 0, *(0 for _ in NAMES), (("l", 0),), (("l", 0),))
        seen, todo, final = {start}, [start], set()
        while todo:
            state = todo.pop()
            at, values, locals_ = state[:2], state[2:-2], state[-2:]
            for thread in (0, 1):
                if at[thread] == len(steps[thread]):
                    continue
                shared, local = dict(zip(NAMES, values)), dict(locals_[thread])
                if steps[thread][at[thread]](shared, local) is False:
                    continue
                new_at, new_locals = list(at), list(locals_)
                new_at[thread] += 1
                new_locals[thread] = tuple(sorted(local.items()))
                new = (*new_at, *(shared[name] for name in NAMES), *new_locals)
                if new not in seen:
                    seen.add(new)
                    todo.append(new)
            if at == (len(steps[0]), len(steps[1])):
                final.add((*values[:-1], dict(locals_[0])["l"], dict(locals_[1])["l"]))
        return sorted(final)

    def text(self, outcomes):
        """The program, and the line of each outcome's assertion."""
        lines = ["#include <assert.h>", "#include <pthread.h>", "static int x, y, w, l0, l1;",
                 "static struct { unsigned a : 2, b : 2; } s;"]
        for number, thread in enumerate(self.threads):
            lines += [f"static void *t{number}(void *arg) {{", "  int l = 0;", *("  " + code for code, _ in thread),
                      f"  l{number} = l;", "  return arg;", "}"]
        lines += ["int main(void) {", "  pthread_t t[2];", "  pthread_create(&t[0], 0, t0, 0);", "  pthread_create(&t[1], 0, t1, 0);",
                  "  pthread_join(t[0], 0);", "  pthread_join(t[1], 0);"]
        where = {}
        for x, y, a, b, l0, l1 in outcomes:
            lines.append(f"  assert(!(x == {x} && y == {y} && s.a == {a} && s.b == {b} && l0 == {l0} && l1 == {l1}));")
            where[len(lines)] = (x, y, a, b, l0, l1)
        lines += ['  assert(!"something else");', "  return 0;", "}", ""]
        return "\n".join(lines), where


def put(name, value):
    return lambda shared, local: shared.update({name: value(local)})


def get(name, into="l"):
    return lambda shared, local: local.update({into: shared[name]})


def take(shared, local):
    """False: it has to wait."""
    if shared[LOCK]:
        return False
    shared[LOCK] = 1
    return None


def together(steps):
    def step(shared, local):
        for part in steps:
            part(shared, local)
    return step


def read_unit(shared, local):
    local.update(unit=(shared["a"], shared["b"]))


def write_field(field, value):
    def step(shared, local):
        shared.update(a=local["unit"][0], b=local["unit"][1])
        shared[field] = value(local)
    return step


def compare(mazurka, seed, compiler):
    program = Program(seed)
    outcomes = program.outcomes()
    text, where = program.text(outcomes)
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "racy.c"), "w", encoding="utf-8") as file:
            file.write(text)
        run = subprocess.run([mazurka, "check", "--json", "--quiet", "--races=ignore", "--all-errors", "-a", ALGORITHMS, f"--cc={compiler}",
                              "racy.c"], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=cases.HANG, check=False)
    assert run.returncode == 1, f"exit code {run.returncode}\n{text}\n{run.stderr}"
    for result in json.loads(run.stdout):
        found = {error["line"] for error in result["errors"] if error["kind"] == "assertion"}
        missed = [where[line] for line in sorted(set(where) - found)]
        assert not missed, f"{result['algorithm']} misses x, y, a, b, l0, l1 = {missed}\n{text}"
        assert found == set(where), f"{result['algorithm']}: a state that is not possible\n{result['errors']}\n{text}"


def tests(build):
    mazurka = os.path.abspath(os.path.join(build, "mazurka"))
    for seed in range(int(os.environ.get("WRITTEN_SEEDS", SEEDS))):
        for compiler in COMPILERS:
            yield f"seed {seed} {compiler}", functools.partial(compare, mazurka, seed, compiler)
