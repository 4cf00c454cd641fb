"""What a program computes between its operations stays as it is, for the suite `run`: the calls that count atomic operations keep
registers, also those of vectors, and do what the operations do, of every width, counted, delayed and recorded or not."""

import shutil
import subprocess

from under import expect, run

# Results of every operation; and sums that a loop keeps in registers from one operation to the next.
OPERATIONS = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#define OPERATIONS(T)                                                                            \\
    static void all_##T(unsigned seed)                                                           \\
    {                                                                                            \\
        static _Atomic T cell;                                                                   \\
        T expected = (T)(seed * 3), sum = 0;                                                     \\
        for (unsigned i = 0; i < 40; i++) {                                                      \\
            T word = (T)(seed = seed * 1103515245u + 12345u);                                    \\
            sum = (T)(sum * 31 + atomic_load_explicit(&cell, memory_order_acquire));             \\
            atomic_store_explicit(&cell, word, memory_order_release);                            \\
            sum = (T)(sum * 31 + atomic_exchange(&cell, (T)(word + 1)));                         \\
            sum = (T)(sum * 31 + atomic_fetch_add(&cell, word));                                 \\
            sum = (T)(sum * 31 + atomic_fetch_sub(&cell, (T)(word >> 1)));                       \\
            sum = (T)(sum * 31 + atomic_fetch_or(&cell, (T)seed));                               \\
            sum = (T)(sum * 31 + atomic_fetch_and(&cell, (T)~word));                             \\
            sum = (T)(sum * 31 + atomic_fetch_xor(&cell, word));                                 \\
            sum = (T)(sum * 31 + (T)__atomic_fetch_nand((T *)&cell, word, __ATOMIC_RELAXED));    \\
            sum = (T)(sum * 31 + atomic_compare_exchange_strong(&cell, &expected, word));        \\
            sum = (T)(sum * 31 + expected);                                                      \\
            sum = (T)(sum * 31 + atomic_compare_exchange_strong(&cell, &expected, word));        \\
            while (!atomic_compare_exchange_weak(&cell, &expected, (T)(word ^ seed)))            \\
                ;                                                                                \\
        }                                                                                        \\
        printf(#T " %llu %llu\\n", (unsigned long long)sum, (unsigned long long)cell);            \\
    }
OPERATIONS(uint8_t)
OPERATIONS(uint16_t)
OPERATIONS(uint32_t)
OPERATIONS(uint64_t)

static atomic_uint turns;
typedef float many __attribute__((vector_size(32)));

static void *compute(void *argument)
{
    double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    many wide = {1, 2, 3, 4, 5, 6, 7, 8}, step = {8, 7, 6, 5, 4, 3, 2, 1};
    long g = 1, h = 2, i = 3, j = 4, k = 5, l = 6, m = 7;
    for (unsigned n = 0; n < 60; n++) {
        a = a * 0.5 + b, b = b * 0.25 + c, c = c * 0.5 + d, d = d * 0.125 + e, e = e * 0.5 + f, f = f * 0.25 + a;
        wide = wide * step + 1.0f;
        g += h ^ i, h += i ^ j, i += j ^ k, j += k ^ l, k += l ^ m, l += m ^ g, m += g ^ (long)n;
        if (atomic_load_explicit(&turns, memory_order_relaxed) == n)
            atomic_fetch_add(&turns, 1);
        wide = wide * 0.125f;
    }
    printf("%a %a %a %a %a %a %ld %ld\\n", a, b, c, d, e, f, g ^ h ^ i ^ j, k ^ l ^ m);
    for (int n = 0; n < 8; n++)
        printf("%a ", (double)wide[n]);
    return argument;
}

int main(void)
{
    pthread_t thread;
    all_uint8_t(1), all_uint16_t(2), all_uint32_t(3), all_uint64_t(4);
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, NULL);
    compute(NULL);
    return 0;
}
"""
FLAGS = ([], ["-O3"], ["-O0"], ["-O1", "-fno-omit-frame-pointer", "-g"], ["-Os", "-fstack-protector-all"], ["-mavx2"])


def has_avx2():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return " avx2 " in file.read()


def keeps_registers(under):
    source = under.write("operations.c", OPERATIONS)
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for flags in FLAGS if has_avx2() else FLAGS[:-1]:
            alone = under.path("alone")
            subprocess.run([compiler, "-O2", *flags, "-w", "-pthread", source, "-o", alone], check=True)
            _, right, _ = run(alone)
            expect("uint64_t" in right, right)
            for options in ([], ["--jitter=1"], [f"--record={under.path('kept.rec')}"]):
                code, out, err = under.run(source, "--plan=none", f"--cc={compiler}", "--cflags=" + " ".join(flags), *options)
                expect(code == 0 and out == right, compiler, flags, options, out, right, err)


TESTS = [keeps_registers]
