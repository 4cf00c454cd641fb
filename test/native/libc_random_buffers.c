// Generators whose state is the caller's: the same numbers as from the C library; two threads with one buffer race.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
// args: -DRACE48
// expect: unsafe data-race *
#define _GNU_SOURCE
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct random_data data;
static char words[32], others[64];
static struct drand48_data data48;

static void alone(void) {
  int32_t first, second, again;
  assert(initstate_r(7, words, sizeof words, &data) == 0);
  assert(random_r(&data, &first) == 0 && random_r(&data, &second) == 0 && first != second);
  assert(srandom_r(7, &data) == 0 && random_r(&data, &again) == 0 && again == first);
  struct random_data other;
  memset(&other, 0, sizeof other);
  assert(initstate_r(1, others, sizeof others, &other) == 0);
  assert(setstate_r(others, &data) == 0 && random_r(&data, &again) == 0 && setstate_r(words, &data) == 0);
  assert(random_r(&data, &again) == 0 && again == second); // where it was
}

static void alone48(void) {
  double fraction;
  long number, same, other;
  unsigned short state[3] = {0x330e, 7, 0}; // what the seed 7 makes
  assert(srand48_r(7, &data48) == 0 && drand48_r(&data48, &fraction) == 0 && fraction >= 0 && fraction < 1);
  assert(lrand48_r(&data48, &number) == 0 && number >= 0 && mrand48_r(&data48, &other) == 0);
  double from_words;
  assert(erand48_r(state, &data48, &from_words) == 0 && from_words == fraction);
  assert(nrand48_r(state, &data48, &same) == 0 && same == number);
  assert(jrand48_r(state, &data48, &same) == 0 && same == other);
}

static void *draws(void *arg) {
  int32_t number;
  random_r(&data, &number);
  return arg;
}

static void *draws48(void *arg) {
  double number;
  drand48_r(&data48, &number);
  return arg;
}

int main(void) {
  pthread_t t;
  mz_choose(0, 1); // the second time as the first
  int32_t was;
  memcpy(&was, words, sizeof was);
  assert(was == 0);
  alone();
  alone48();
  pthread_create(&t, NULL, draws, NULL);
#ifdef RACE
  draws(NULL);
#endif
  pthread_join(t, NULL);
  pthread_create(&t, NULL, draws48, NULL);
#ifdef RACE48
  draws48(NULL);
#endif
  return pthread_join(t, NULL);
}
