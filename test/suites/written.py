"""Programs whose plain accesses race, where races are no errors: random ones, of reads, writes, increments and bit-fields. An
interpreter here knows which final values are possible if every access happens as it is written, one after the other; the
program has an assertion for each of them, and the checker has to fail at all of these and at no other."""

import functools
import json
import os
import random
import shutil
import subprocess
import tempfile

import cases

SEEDS = 12
SAMPLE = 6
ALGORITHMS = "source,optimal,rf,dc"
COMPILERS = [compiler for compiler in ("gcc", "clang") if shutil.which(compiler)]
VARIABLES, FIELDS = ["x", "y"], ["a", "b"]


class Program:
    """Two threads of statements; a statement is C and a list of steps: functions of (shared, local)."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.threads = [[self.statement() for _ in range(self.chance.randint(2, 3))] for _ in range(2)]

    def statement(self):
        variable, other, field = self.chance.choice(VARIABLES), self.chance.choice(VARIABLES), self.chance.choice(FIELDS)
        number = self.chance.randint(1, 3)
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

    def outcomes(self):
        """Every final state, by brute force; states that were there are not followed again."""
        steps = [[step for _, steps in thread for step in steps] for thread in self.threads]
        start = (0, 0, *(0 for _ in VARIABLES + FIELDS), (("l", 0),), (("l", 0),))
        seen, todo, final = {start}, [start], set()
        while todo:
            state = todo.pop()
            at, values, locals_ = state[:2], state[2:-2], state[-2:]
            for thread in (0, 1):
                if at[thread] == len(steps[thread]):
                    continue
                shared, local = dict(zip(VARIABLES + FIELDS, values)), dict(locals_[thread])
                steps[thread][at[thread]](shared, local)
                new_at, new_locals = list(at), list(locals_)
                new_at[thread] += 1
                new_locals[thread] = tuple(sorted(local.items()))
                new = (*new_at, *(shared[name] for name in VARIABLES + FIELDS), *new_locals)
                if new not in seen:
                    seen.add(new)
                    todo.append(new)
            if at == (len(steps[0]), len(steps[1])):
                final.add((*values, dict(locals_[0])["l"], dict(locals_[1])["l"]))
        return sorted(final)

    def text(self, outcomes):
        """The program, and the line of each outcome's assertion."""
        lines = ["#include <assert.h>", "#include <pthread.h>", "static int x, y, l0, l1;",
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
