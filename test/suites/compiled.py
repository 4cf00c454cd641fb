"""The compile step adds hooks to the machine code of a program, takes others away, and sets to zero what it takes for dead. None
of that may change what the program computes. Random functions full of loops, arithmetic, arrays, structures, calls and atomic
operations are compiled by the plain compiler and run; then the same file is checked, with the sum that came out as its
assertion. A register or a piece of a frame that is lost on the way makes another sum. KSEEDS in the environment is the number of
files, KFROM the first one."""

import functools
import os
import random
import subprocess
import tempfile

import cases

SAMPLE = 4
FUNCTIONS = 12  # of a file
COMPILERS = [("gcc", level) for level in ("-O0", "-O1", "-O2", "-O3", "-Os")] + [("clang", level) for level in ("-O0", "-O1", "-O2")]

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef struct pair { uint32_t a; uint64_t b; } pair;
typedef struct large { uint32_t v[9]; pair p; } large;
static _Atomic uint32_t x[4] = {3, 5, 7, 11};
static _Atomic uint64_t w[2] = {13, 17};
static _Atomic uint8_t small[4];
static atomic_flag busy = ATOMIC_FLAG_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static uint32_t plain[16];
static volatile uint16_t seen;
"""

TAIL = """\
static void *all(void *sum)
{
    uint64_t s = 1;
%s    *(uint64_t *)sum = s;
    return sum;
}
int main(void)
{
    pthread_t t;
    uint64_t sum = 0;
    pthread_create(&t, NULL, all, &sum);
    pthread_join(t, NULL);
    for (unsigned i = 0; i < 16; i++)
        sum = sum * 31 + plain[i] + x[i & 3] + w[i & 1] + small[i & 3] + seen;
#ifdef EXPECTED
    assert(sum == EXPECTED);
#else
    printf("%%llu\\n", (unsigned long long)sum);
#endif
}
"""


class Function:
    """Its text. Variables: a … f of 32 bits, p … r of 64, d of type double with whole numbers only, t[8] and l on the stack."""

    def __init__(self, pick, number):
        self.pick, self.number, self.depth, self.loops = pick, number, 0, 0
        body = self.block(self.pick.randint(3, 7))
        self.text = f"""\
static {pick.choice(["", "__attribute__((noinline)) ", "inline "])}uint64_t f{number}(uint32_t a, uint64_t p, uint32_t b)
{{
    uint32_t c = a + 1, e = b ^ 5, f = 9, t[8] = {{a, b, c}};
    uint64_t q = p * 3, r = a;
    double d = a & 255;
    large l = {{{{b, c, e}}, {{a, q}}}};
{body}    l.v[8] ^= t[a & 7] + t[1];
    for (int i = 0; i < 9; i++)
        q += l.v[i];
    return q ^ (r << 7) ^ p ^ a ^ ((uint64_t)b << 20) ^ c ^ e ^ f ^ (uint64_t)(int64_t)d ^ l.p.a ^ l.p.b;
}}
"""

    def word(self):
        pick = self.pick
        return pick.choice([lambda: pick.choice("abcef"), lambda: pick.choice("abcef"), lambda: str(pick.randint(0, 300)),
                            lambda: f"t[{pick.choice('abcef')} & 7]", lambda: f"l.v[{pick.randint(0, 8)}]", lambda: "l.p.a",
                            lambda: f"(uint32_t){pick.choice('pqr')}", lambda: f"plain[{pick.choice('abcef')} & 15]",
                            lambda: f"atomic_load(&x[{pick.choice('abcef')} & 3])",
                            lambda: f"atomic_load_explicit(&x[{pick.randint(0, 3)}], memory_order_relaxed)",
                            lambda: f"small[{pick.choice('abcef')} & 3]"])()

    def long(self):
        pick = self.pick
        return pick.choice([lambda: pick.choice("pqr"), lambda: pick.choice("pqr"), lambda: "l.p.b", lambda: f"(uint64_t){self.word()}",
                            lambda: f"atomic_load(&w[{pick.choice('abcef')} & 1])", lambda: "(uint64_t)(int64_t)d"])()

    def of(self, kind, depth=0):
        """An expression; depth keeps it small."""
        pick, leaf = self.pick, self.word if kind == "word" else self.long
        if depth > 2 or pick.random() < 0.25:
            return leaf()
        one, other = self.of(kind, depth + 1), self.of(kind, depth + 1)
        return pick.choice([f"({one} + {other})", f"({one} + {other} * {pick.choice([2, 3, 4, 5, 8, 9])})", f"({one} - {other})",
                            f"({one} ^ {other})", f"({one} & {other})", f"({one} | {other})", f"({one} * {other})",
                            f"({one} << ({other} & 15))", f"({one} >> ({other} & 15))", f"({one} / ({other} | 1))",
                            f"({one} % ({other} | 1))", f"({one} < {other} ? {one} : {other})", f"({one} + {pick.randint(1, 9999)})"])

    def target(self):
        return self.pick.choice(["a", "b", "c", "e", "f", "t[a & 7]", "t[c & 7]", f"l.v[{self.pick.randint(0, 8)}]", "l.p.a"])

    def loop(self):
        self.loops += 1
        name, rounds = f"i{self.loops}", self.pick.randint(1, 5)
        self.depth += 1
        body = self.block(self.pick.randint(1, 4))
        self.depth -= 1
        return self.pick.choice([f"for (uint32_t {name} = 0; {name} < {rounds}; {name}++) {{\n{body}    a += {name} * 3;\n    }}",
                                 f"for (uint32_t {name} = {rounds}; {name}-- > 0;) {{\n{body}    }}",
                                 f"for (uint32_t {name} = 0; {name} < (a & 3) + 1 && {name} < 4; {name}++) {{\n{body}    a |= {name};\n    }}"])

    def atomic(self):
        pick, at = self.pick, self.pick.choice("abcef") + " & 3"
        return pick.choice([lambda: f"x[{at}] = {self.of('word')};", lambda: f"atomic_fetch_add(&x[{at}], {self.of('word', 2)});",
                            lambda: f"{pick.choice('abcef')} += atomic_fetch_xor(&x[{at}], {self.of('word', 2)});",
                            lambda: f"{pick.choice('pqr')} ^= atomic_exchange(&w[{at.replace('3', '1')}], {self.of('long', 2)});",
                            lambda: f"x[{pick.randint(0, 3)}] = x[{pick.randint(0, 3)}] + x[{at}];",
                            lambda: f"{{ uint32_t o = x[{at}]; while (!atomic_compare_exchange_weak(&x[{at}], &o, o + {self.of('word', 2)})) ; }}",
                            lambda: f"{{ uint32_t o = {self.of('word', 2)}; if (!atomic_compare_exchange_strong(&x[{at}], &o, c)) e ^= o; }}",
                            lambda: f"small[{at}] += {self.of('word', 2)};", lambda: f"seen = seen + (uint16_t){self.of('word', 2)};",
                            lambda: f"while (atomic_flag_test_and_set(&busy)) ; plain[{at}] += {self.of('word', 2)}; atomic_flag_clear(&busy);",
                            lambda: f"pthread_mutex_lock(&m); plain[{at}] ^= {self.of('word', 2)}; pthread_mutex_unlock(&m);"])()

    def statement(self):
        pick = self.pick
        draw = pick.random()
        if draw < 0.2 and self.depth < 2:
            return self.loop()
        if draw < 0.45:
            return self.atomic()
        if draw < 0.55:
            return f"if ({self.of('word', 1)} > {self.of('word', 1)}) {{\n{self.block(2)}    }} else {{\n{self.block(1)}    }}"
        if draw < 0.62 and self.number > 0:
            return f"{pick.choice('pqr')} += f{pick.randrange(self.number)}({self.word()}, {self.long()}, {self.word()});" \
                if self.depth == 0 else f"{pick.choice('pqr')} ^= 77;"
        if draw < 0.66:
            return f"d = (double)(({self.of('word', 2)}) & 4095) + d / 2 - (double)(int64_t)(d / 2) * 0; d = (double)((int64_t)d & 65535);"
        if draw < 0.7:
            return f"{{ large k = l; k.v[{pick.randint(0, 8)}]++; memcpy(&l, &k, sizeof l); }}"
        if draw < 0.75:
            return f"switch ({pick.choice('abcef')} & 7) {{ case 0: a++; break; case 1: b += c; break; case 2: e ^= 3; /* fall through */ " \
                   f"case 3: f--; break; case 5: q += {self.long()}; break; default: r++; }}"
        if draw < 0.87:
            return f"{self.target()} {pick.choice(['=', '+=', '^=', '-='])} {self.of('word')};"
        return f"{pick.choice(['p', 'q', 'r', 'l.p.b'])} {pick.choice(['=', '+=', '^='])} {self.of('long')};"

    def block(self, length):
        return "".join(f"    {self.statement()}\n" for _ in range(length))


def program(seed):
    pick = random.Random(seed)
    functions = [Function(pick, number).text for number in range(FUNCTIONS)]
    calls = "".join(f"    s = s * 31 + f{number}((uint32_t)s, s, {pick.randint(0, 99)});\n" for number in range(FUNCTIONS))
    return HEAD + "".join(functions) + TAIL % calls


def try_file(build, seed, compiler, level):
    with tempfile.TemporaryDirectory() as directory:
        path, plain = os.path.join(directory, "computes.c"), os.path.join(directory, "plain")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program(seed))
        subprocess.run(["gcc", "-w", "-O1", "-pthread", "-o", plain, path], check=True, timeout=cases.HANG)
        expected = subprocess.run([plain], capture_output=True, text=True, check=True, timeout=cases.HANG).stdout.strip()
        command = [os.path.join(build, "mazurka"), "check", "--quiet", f"--cc={compiler}", level, f"-DEXPECTED={expected}ULL",
                   "--check=assertions", path]
        run = subprocess.run(command, capture_output=True, text=True, timeout=cases.HANG, check=False)
    return None if run.returncode == 0 else f"seed {seed}: {' '.join(command)}: exit code {run.returncode}\n{run.stdout[:2000]}{run.stderr[:2000]}"


def tests(build):
    first, count = int(os.environ.get("KFROM", "1")), int(os.environ.get("KSEEDS", "60"))
    for seed in cases.rotating(range(first, first + count), 2):
        compiler, level = COMPILERS[seed % len(COMPILERS)]
        yield f"{compiler} {level}, file {seed}", functools.partial(try_file, build, seed, compiler, level)


if __name__ == "__main__":
    import sys
    print(program(int(sys.argv[1])))
