// Nothing that the C library or the program keeps survives from one execution to the next: each of 10,000 finds everything as
// at the beginning, and leaves it changed, whether the next one begins anew or goes on from the middle of this one.
// expect: safe traces=10000 refined=5000
// args: --cc=clang --cflags=-O2 -DROUNDS=500
// expect: safe traces=1000 refined=500
// args: -DWRONG
// expect: unsafe assertion 95
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 5000
#endif

static int variable = 1, endings;
static _Thread_local int own = 1;
static atomic_int order;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static char text[] = "a b c";

static int calls(void) {
  static int count;
  return count++;
}

static void only_once(void) { variable++; }

static void at_end(void) { assert(++endings == 1); }

static void random_numbers(void) {
  int first = rand();
  srand(1);
  assert(rand() == first); // as if nobody had called srand
  long second = random();
  srandom(1), random();
  assert(random() == second);
  srand48(3);
}

static void streams(void) {
  FILE *file = fopen("/etc/passwd", "r");
  assert(!feof(stdin) && !ferror(stdin));
  printf("not flushed");
  ungetc('x', stdin);
  if (file) {
    assert(ftell(file) == 0);
    getc(file), getc(file); // never closed
  }
}

static void memory(void) {
  char *block = malloc(100); // nobody frees it
  for (int i = 0; i < 100; i++)
    assert(block[i] == 0); // not required by anybody, but always so here: never the memory of an earlier execution
  memset(block, 1, 100);
}

static void see_and_change(void) {
  assert(errno == 0);
  errno = ERANGE;
  assert(calls() == 0 && variable == 1 && own == 1);
  calls();
  own = 2;
  pthread_once(&once, only_once);
  assert(variable == 2);
  assert(pthread_mutex_trylock(&lock) == 0); // and keep it
  assert(pthread_key_create(&key, NULL) == 0 && !pthread_getspecific(key));
  pthread_setspecific(key, &key);
  assert(strcmp(strtok(text, " "), "a") == 0); // and not to the end
  assert(clock() < CLOCKS_PER_SEC && time(NULL) < 10000000000);
  sleep(1000);
  atexit(at_end);
  random_numbers();
  streams();
  memory();
}

static void *steps(void *a) {
  assert(errno == 0 && own == 1);
  errno = EDOM;
  own = 3;
#ifdef WRONG
  assert(calls() == 0);
#endif
  atomic_fetch_add(&order, *(int *)a);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int one = 1, two = 2, round = (int)mz_choose(1, ROUNDS);
  see_and_change();
  variable = round;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, steps, i ? &two : &one);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(order == 3);
  exit(0); // with everything as it is
}
