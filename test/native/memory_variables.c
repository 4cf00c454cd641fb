// Beyond the ends of variables with static storage, where no other variable is: behind arrays, structs, strings, static
// variables of functions, before them, partly outside, by string functions and atomically. What lands in another variable
// cannot be told from an access to that one. Everything inside is fine, to the last byte.
// expect: safe
// args: --cflags=-O2
// expect: safe
// args: --cflags=-fdata-sections
// expect: safe
// args: --cflags=-fcommon
// expect: safe
// args: --cc=clang
// expect: safe
// args: --cc=clang --cflags='-O2 -fdata-sections'
// expect: safe
// args: -DKIND=1
// expect: unsafe memory 91
// args: -DKIND=1 --cflags=-O2
// expect: unsafe memory 91
// args: -DKIND=1 --cc=clang
// expect: unsafe memory 91
// args: -DKIND=1 --cc=clang --cflags=-O0
// expect: unsafe memory 91
// args: -DKIND=1 --cflags=-fdata-sections
// expect: unsafe memory 91
// args: -DKIND=2
// expect: unsafe memory 93
// args: -DKIND=2 --cc=clang
// expect: unsafe memory 93
// args: -DKIND=3
// expect: unsafe memory 95
// args: -DKIND=4
// expect: unsafe memory 97
// args: -DKIND=5
// expect: unsafe memory 99
// args: -DKIND=5 --cc=clang
// expect: unsafe memory 99
// args: -DKIND=6
// expect: unsafe memory 74
// args: -DKIND=7
// expect: unsafe memory 101
// args: -DKIND=8
// expect: unsafe memory 80
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#ifndef KIND
#define KIND 0
#endif

struct flexible {
  int count;
  char bytes[];
};
struct packed {
  char c;
  int i;
} __attribute__((packed));

static int zero[10], set[10] = {1};
int visible[10], visible_set[3] = {1};
static char word[13] = "twelve bytes";
static struct flexible flexible = {8, "8 bytes"};
static struct packed packed[5];
static const char *names[3] = {"a", "b", "c"};
static atomic_int counters[3];
static _Alignas(64) char aligned[1];
static double fraction = 1;
static volatile long result;
static volatile int one = 1; // so that no compiler sees what the index is

static int of_function(int i) {
  static int inner[7];
  inner[i]++;
  return inner[i];
}

static void *counts(void *a) {
#if KIND == 8
  counters[3 * one]++;
#else
  counters[2 * one]++;
#endif
  return a;
}

int main(void) {
  pthread_t t;
  long sum = (long)fraction;
#if KIND == 1
  zero[10 * one] = 1;
#elif KIND == 2
  visible[12 * one] = 1;
#elif KIND == 3
  sum += set[-one];
#elif KIND == 4
  memcpy(word, "thirteen bytes", (size_t)(14 * one));
#elif KIND == 5
  sum += *(volatile long *)&visible_set[2 * one]; // half of it
#elif KIND == 7
  word[12] = 'x', sum += (long)strlen(word + one);
#endif
  pthread_create(&t, NULL, counts, NULL);
  for (int i = 0; i < 10; i++) {
    zero[i] = set[i] + i;
    visible[i] = zero[i], set[i] = i;
  }
  for (int i = 0; i < 5; i++)
    packed[i].i = packed[4].c + i;
  for (int i = 0; i < 3; i++)
    visible_set[i] += names[i][0];
  sum += of_function(KIND == 6 ? 7 * one : 6 * one) + flexible.bytes[flexible.count - one] + word[12 * one];
  aligned[0] = (char)visible[9] + packed[4].i;
  pthread_join(t, NULL);
  result = sum + visible_set[2] + aligned[0] + zero[one];
}
// compilers: what never changes need not be read
