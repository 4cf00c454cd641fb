"""Accesses of every form: which compilers announce, and which have to be found in the machine code.

Each form is a few lines of C that read or write `shared`. A program of it is made in which another thread writes or reads
the same bytes: with nothing between them, which must be a data race; under a mutex, which must be safe; and with a block
that is freed before, which must be an error of memory. All of that with each compiler and level of optimisation.

The variable MAZURKA_LEVELS says which levels (0123)."""

import functools
import itertools
import json
import os
import platform
import shutil
import subprocess
import tempfile

import cases

SAMPLE = 16
V3 = "-mavx2 -mfma -mf16c"
V4 = "-mavx512f -mavx512bw -mavx512vl -mavx512dq"

# name, reads or writes, flags, lines; `p` is a pointer to the 64 bytes that are shared, as `char *`; `k` is 0, but nobody knows
FORMS = [
    ("int", "read", "", "sink = *(int *)p;"),
    ("int", "write", "", "*(int *)p = 1;"),
    ("increment", "write", "", "++*(int *)p;"),
    ("bits", "write", "", "((struct { unsigned a : 3, b : 5; } *)p)->a = 1;"),
    ("long double", "read", "", "sink = (int)*(long double *)p;"),
    ("long double", "write", "", "*(long double *)p = k;"),
    ("struct by value", "read", "", "typedef struct { long a[5]; } s; extern int take(s); sink = take(*(s *)p);"),
    ("small struct by value", "read", "", "typedef struct { long a[2]; } t; extern int take2(t); sink = take2(*(t *)p);"),
    ("struct returned", "write", "", "typedef struct { long a[5]; } s; extern s make(void); *(s *)p = make();"),
    ("small struct returned", "write", "", "typedef struct { long a[2]; } t; extern t make2(void); *(t *)p = make2();"),
    ("struct copy", "read", "", "typedef struct { long a[5]; } s; static s other; other = *(s *)p; sink = (int)other.a[0];"),
    ("struct copy", "write", "", "typedef struct { long a[5]; } s; static s other; *(s *)p = other;"),
    ("memcpy 9", "read", "", "char b[9]; __builtin_memcpy(b, p, 9); sink = b[0] + b[8];"),
    ("memcpy 40", "read", "", "char b[40]; __builtin_memcpy(b, p, 40); sink = b[0] + b[39];"),
    ("memcpy 64", "write", "", "static char b[64]; __builtin_memcpy(p, b, 64);"),
    ("memset", "write", "", "__builtin_memset(p, 1, 24);"),
    ("memcmp", "read", "", 'sink = __builtin_memcmp(p, "abcdefg", 8) == 0;'),
    ("strcmp", "read", "", 'sink = __builtin_strcmp(p, "abc") == 0;'),
    ("strncmp", "read", "", 'sink = __builtin_strncmp(p, "abc", 3) == 0;'),
    ("strlen", "read", "", "sink = (int)__builtin_strlen(p);"),
    ("strlen of few bytes", "read", "-Os", "sink = (int)__builtin_strlen(p);"),
    ("lddqu", "read", "-msse4.1", "sink = _mm_cvtsi128_si32(_mm_lddqu_si128((__m128i *)p));"),
    ("stream load", "read", "-msse4.1", "sink = _mm_cvtsi128_si32(_mm_stream_load_si128((__m128i *)p));"),
    ("stream store", "write", "", "_mm_stream_si128((__m128i *)p, _mm_set1_epi32(k));"),
    ("stream int", "write", "", "_mm_stream_si32((int *)p, k);"),
    ("loadh", "read", "", "sink = (int)_mm_cvtsd_f64(_mm_unpackhi_pd(_mm_loadh_pd(_mm_setzero_pd(), (double *)p), _mm_setzero_pd()));"),
    ("loadl", "read", "", "sink = _mm_cvtsi128_si32(_mm_loadl_epi64((__m128i *)p));"),
    ("loadl pd", "read", "", "sink = (int)_mm_cvtsd_f64(_mm_loadl_pd(_mm_setzero_pd(), (double *)p));"),
    ("storeh", "write", "", "_mm_storeh_pd((double *)p, _mm_set1_pd(k));"),
    ("storel", "write", "", "_mm_storel_epi64((__m128i *)p, _mm_set1_epi32(k));"),
    ("loadu", "read", "", "sink = _mm_cvtsi128_si32(_mm_loadu_si128((__m128i *)(p + 1)));"),
    ("storeu", "write", "", "_mm_storeu_si128((__m128i *)(p + 1), _mm_set1_epi32(k));"),
    ("maskmoveu", "write", "", "_mm_maskmoveu_si128(_mm_set1_epi8((char)k), _mm_set_epi32(0, 0, 0, -1), p);"),
    ("wide", "read", V3, "sink = _mm256_extract_epi32(_mm256_loadu_si256((__m256i *)p), 0);"),
    ("wide", "write", V3, "_mm256_storeu_si256((__m256i *)p, _mm256_set1_epi32(k));"),
    ("vector of 32", "write", V3, "typedef int v __attribute__((vector_size(32))); *(v *)p = (v){k, 1, 2, 3, 4, 5, 6, 7};"),
    ("gather", "read", V3, "sink = _mm256_extract_epi32(_mm256_i32gather_epi32((int *)p, _mm256_setr_epi32(k, 1, 2, 3, 4, 5, 6, 7), 4), 0);"),
    ("gather of doubles", "read", V3, "sink = (int)_mm256_cvtsd_f64(_mm256_i64gather_pd((double *)p, _mm256_setr_epi64x(k, 1, 2, 3), 8));"),
    ("gather 4", "read", V3, "sink = _mm_extract_epi32(_mm_i64gather_epi32((int *)p, _mm_set_epi64x(1, k), 4), 0);"),
    ("mask load", "read", V3, "sink = _mm256_extract_epi32(_mm256_maskload_epi32((int *)p, _mm256_setr_epi32(-1, 0, 0, 0, 0, 0, 0, 0)), 0);"),
    ("mask store", "write", V3, "_mm256_maskstore_ps((float *)p, _mm256_setr_epi32(-1, 0, 0, 0, 0, 0, 0, 0), _mm256_set1_ps((float)k));"),
    ("mask store of doubles", "write", V3, "_mm_maskstore_pd((double *)p, _mm_set_epi64x(0, -1), _mm_set1_pd(k));"),
    ("broadcast", "read", V3, "sink = (int)_mm256_cvtss_f32(_mm256_broadcast_ss((float *)p));"),
    ("broadcast 128", "read", V3, "sink = _mm256_extract_epi32(_mm256_broadcastsi128_si256(_mm_loadu_si128((__m128i *)p)), 5);"),
    ("half precision", "write", V3, "_mm_storel_epi64((__m128i *)p, _mm_cvtps_ph(_mm_set1_ps((float)k), 0));"),
    ("loop", "read", V3, "int t = 0; for (int i = 0; i < 16; i++) t += ((int *)p)[i]; sink = t;"),
    ("loop", "write", V3, "for (int i = 0; i < 16; i++) ((int *)p)[i] = k;"),
    ("512", "read", V4, "sink = _mm512_reduce_add_epi32(_mm512_loadu_si512(p));"),
    ("512", "write", V4, "_mm512_storeu_si512(p, _mm512_set1_epi32(k));"),
    ("512 masked", "read", V4, "sink = _mm512_reduce_add_epi32(_mm512_maskz_loadu_epi32((__mmask16)(k + 1), p));"),
    ("512 masked", "write", V4, "_mm512_mask_storeu_epi8(p, (__mmask64)(k + 1), _mm512_set1_epi32(k));"),
    ("512 gather", "read", V4, "sink = _mm512_reduce_add_epi32(_mm512_i32gather_epi32(_mm512_set1_epi32(k), p, 4));"),
    ("asm rep movs", "read", "", 'char b[16]; void *d = b; const void *s = p; long n = 16; __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory"); sink = b[0];'),
    ("asm rep stos", "write", "", 'void *d = p; long n = 8; __asm__ volatile("rep; stosl" : "+D"(d), "+c"(n) : "a"(k) : "memory");'),
    ("asm repe cmps", "read", "", 'const void *d = p, *s = "abc"; long n = 3; __asm__ volatile("repe cmpsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory", "cc"); sink = (int)n;'),
    ("asm vector", "write", "", '__asm__ volatile("pxor %%xmm0, %%xmm0; movups %%xmm0, %0" : "=m"(*(char (*)[16])p) : : "xmm0");'),
    ("asm add without lock", "write", "", '__asm__ volatile("addl $1, %0" : "+m"(*(int *)p) : : "cc");'),
]

PROGRAM = """#include <pthread.h>
#include <stdlib.h>
#ifdef VECTORS
#include <immintrin.h>
#endif
typedef struct { long a[5]; } big;
typedef struct { long a[2]; } small;
__attribute__((noinline)) int take(big b) { return (int)(b.a[0] + b.a[4]); }
__attribute__((noinline)) int take2(small b) { return (int)(b.a[0] + b.a[1]); }
__attribute__((noinline)) big make(void) { return (big){{1, 2, 3, 4, 5}}; }
__attribute__((noinline)) small make2(void) { return (small){{1, 2}}; }
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *place, array[128] __attribute__((aligned(64)));
int sink;
volatile int zero;
static int kind;
#define ENTER do if (kind == 1) pthread_mutex_lock(&m); while (0)
#define LEAVE do if (kind == 1) pthread_mutex_unlock(&m); while (0)
static __attribute__((noinline)) void act(char *p, int k) { @LINES@ (void)p, (void)k; }
static void *other(void *a) {
  ENTER;
@OTHER@
  LEAVE;
  return a;
}
int main(int count, char **words) {
  pthread_t t;
  kind = words[count - 1][0] - '0';
  place = kind == 2 ? aligned_alloc(64, 128) : array;
  if (kind == 2) {
    free(place);
    act(place, zero);
    return 0;
  }
  pthread_create(&t, 0, other, 0);
  ENTER;
  act(place, zero);
  LEAVE;
  pthread_join(t, 0);
  return 0;
}
"""
KINDS = [(0, "race", "data-race"), (1, "mutex", None), (2, "freed", "memory")]


def program(direction, lines):
    # the other thread's own access is one that every compiler announces
    other = "  array[0] = array[1] = 1;" if direction == "read" else "  sink += array[0] + array[1];"
    prefix = "(void)0;" if "typedef struct" not in lines else ""
    lines = lines.replace("typedef struct { long a[5]; } s;", "typedef big s;").replace("typedef struct { long a[2]; } t;", "typedef small t;")
    for name in ("extern int take(s);", "extern int take2(t);", "extern s make(void);", "extern t make2(void);"):
        lines = lines.replace(name, "")
    return PROGRAM.replace("@LINES@", prefix + lines).replace("@OTHER@", other)


def features():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            return set(next(line for line in info if line.startswith("flags")).split())
    except (OSError, StopIteration):
        return set()


def possible(flags, has):
    needed = {"-mavx2": "avx2", "-mfma": "fma", "-mf16c": "f16c", "-mavx512f": "avx512f", "-mavx512bw": "avx512bw",
              "-mavx512vl": "avx512vl", "-mavx512dq": "avx512dq", "-msse4.1": "sse4_1"}
    return all(needed.get(flag, flag) in has or flag not in needed for flag in flags.split())


def judge(mazurka, program_file, text, kind):
    number, name, error = kind
    command = [mazurka, "check", "--json", "--trace=none", program_file, "--", str(number)]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=cases.HANG, text=True)
    if ended.returncode not in (0, 1):
        return f"{' '.join(command)}\nexit code {ended.returncode}\n{ended.stderr}"
    result = json.loads(ended.stdout)
    kinds = [found["kind"] for found in result["errors"]]
    if kinds != ([error] if error else []):
        return f"{name}: expected {error}, got {result['verdict']} {kinds}\n{text}"
    return None


def check(build, compiler, level, form):
    """Compiled once; of which kind it is, is an argument."""
    name, direction, flags, lines = form
    mazurka, text = os.path.abspath(os.path.join(build, "mazurka")), program(direction, lines)
    with tempfile.TemporaryDirectory() as scratch:
        source, made = os.path.join(scratch, "form.c"), os.path.join(scratch, "form")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        vectors = ["-DVECTORS"] if "_mm" in lines else []
        command = [mazurka, "cc", f"--cc={compiler}", f"-O{level}", *flags.split(), *vectors, "-w", "-o", made, source, "-pthread"]
        compiled = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=cases.HANG, text=True)
        if compiled.returncode != 0:
            return f"{' '.join(command)}\nexit code {compiled.returncode}\n{compiled.stderr}"
        return [(f"{compiler} -O{level} {name}, {direction}, {kind[1]}", judge(mazurka, made, text, kind)) for kind in KINDS]


def tests(build):
    if platform.machine() != "x86_64":
        return
    has = features()
    levels = os.environ.get("MAZURKA_LEVELS", "02")
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for level, form in cases.rotating(itertools.product(levels, FORMS), 4):
            if possible(form[2], has):
                yield f"{compiler} -O{level} {form[0]}, {form[1]}", functools.partial(check, build, compiler, level, form)
