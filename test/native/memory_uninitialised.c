// --check=uninitialised: reading heap memory that nobody has written. Not what calloc gives, not copies of structs with padding and
// members that are not set, not bit-fields next to others, not what another thread or the C library has written.
// expect: safe
// args: --check=default,uninitialised
// expect: safe
// args: --check=default,uninitialised --cflags=-O2
// expect: safe
// args: --check=default,uninitialised --cflags=-O0
// expect: safe
// args: --check=default,uninitialised --cc=clang
// expect: safe
// args: --check=default,uninitialised --cc=clang --cflags=-O2
// expect: safe
// args: -DKIND=1
// expect: safe
// args: --check=default,uninitialised -DKIND=1
// expect: unsafe uninitialised 89
// args: --check=default,uninitialised -DKIND=1 --cc=clang --cflags=-O2
// expect: unsafe uninitialised 89
// args: --check=default,uninitialised -DKIND=2 --cc=clang
// expect: unsafe uninitialised 91
// args: --check=default,uninitialised -DKIND=3
// expect: unsafe uninitialised 94
// args: --check=default,uninitialised -DKIND=4
// expect: unsafe uninitialised 96
// args: --check=default,uninitialised -DKIND=5
// expect: unsafe uninitialised 62
// args: --check=default,uninitialised -DKIND=6 -DFIELDS
// expect: safe
// args: --check=default,uninitialised -DKIND=6 --cc=clang -DFIELDS
// expect: safe
// args: --check=default,uninitialised -DKIND=6
// expect: unsafe uninitialised 98
// args: --check=default,uninitialised -DKIND=6 --cc=clang
// expect: unsafe uninitialised 98
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  char tag;
  int number;
  long unused, used;
#if !defined KIND || defined FIELDS
  unsigned low : 3, high : 9; // to set one of these is to read its neighbours; then x++ looks the same
#else
  unsigned low, high;
#endif
};
static struct item *volatile p, *volatile q;
static int *volatile numbers;
static char *volatile text;
static sem_t ready;

static void *reads(void *a) {
#if KIND != 5
  sem_wait(&ready);
#endif
  return (void *)(long)*(atomic_int *)a;
}

static void use_what_is_there(void) {
  *q = *p; // as a whole
  memcpy(q + 1, p, sizeof *p);
  q[1].low = 2;
  q[1].high = 3;
  int sum = q->number + (int)q->used + (int)q[1].low + q[1].number;
  numbers = calloc(4, sizeof *numbers);
  sum += numbers[3];
  numbers = realloc(numbers, 100 * sizeof *numbers);
  sum += numbers[2];
  text = malloc(10);
  snprintf(text, 10, "%d", sum);
  sum += (int)strlen(text) + strcmp(text, "x");
  free(text);
  text = strdup("abc");
  sum += text[2];
  free(text), free(numbers);
}

int main(void) {
  pthread_t t;
  p = malloc(sizeof *p), q = malloc(2 * sizeof *p);
  p->tag = 'a', p->number = 1, p->used = 2;
#if KIND == 1
  return p->unused == 5;
#elif KIND == 2
  *q = *p, q[1] = q[0], p->number = q->number + (int)q[1].unused;
#elif KIND == 3
  numbers = malloc(8), numbers[0] = 1, numbers = realloc(numbers, 16);
  return numbers[2];
#elif KIND == 4
  text = malloc(10), text[0] = 'a', p->number = (int)strlen(text);
#elif KIND == 6
  p->unused++;
#endif
  atomic_int *shared = malloc(sizeof *shared);
  sem_init(&ready, 0, 0);
  pthread_create(&t, NULL, reads, shared);
  atomic_store(shared, 1);
  sem_post(&ready);
  pthread_join(t, NULL);
  use_what_is_there();
}
