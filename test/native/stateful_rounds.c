// Two threads that go round many times: there are C(200, 100) orders of their rounds, but some ten thousand states. Without --stateful
// hardly any of these comes to its end. What fails does so in the orders of a few rounds only.
// args: --stateful
// expect: safe
// args: --stateful -DFAILS
// expect: unsafe assertion 48
// args: --stateful -DATOMIC -DROUNDS=12
// expect: safe
// args: --stateful -DATOMIC -DROUNDS=12 -DFAILS
// expect: unsafe assertion 56
// args: --stateful -DRACES
// expect: unsafe data-race 44|47
// args: --stateful -DTURNS -DROUNDS=30
// expect: safe
// args: --stateful -DTURNS -DROUNDS=30 -DFAILS
// expect: unsafe deadlock *
// args: --stateful -DBLOCKS -DROUNDS=6
// expect: safe
// args: --stateful -DBLOCKS -DROUNDS=6 -DFAILS --check=leaks
// expect: unsafe leak *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef ROUNDS
#define ROUNDS 100
#endif
#ifdef FAILS
#define FAILING 1
#else
#define FAILING 0
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int x, turn, *block;
static atomic_int a;

static void make_round(int me, int round)
{
  int decides = me == 1 && round == ROUNDS / 2;
#if !defined ATOMIC && !defined TURNS && !defined BLOCKS
#ifdef RACES
  if (decides)
    x++;
#endif
  pthread_mutex_lock(&m);
  x = (x + 1) % 3;
  assert(!FAILING || !decides || x != 2);
  pthread_mutex_unlock(&m);
#elif defined ATOMIC
  int before = atomic_load(&a), now = before;
  while (!atomic_compare_exchange_strong(&a, &now, (now + 1) % 4))
    ;
  if (now < before)
    now += 4;
  assert(!FAILING || !decides || now != before + 2);
#elif defined TURNS
  pthread_mutex_lock(&m);
  while (turn != me)
    pthread_cond_wait(&changed[me], &m);
  turn = !me;
  if (!FAILING || !decides)
    pthread_cond_signal(&changed[!me]);
  pthread_mutex_unlock(&m);
#else
  pthread_mutex_lock(&m);
  if (block && (!FAILING || !decides))
    free(block), block = NULL;
  else
    block = malloc(sizeof *block), *block = round;
  pthread_mutex_unlock(&m);
#endif
  (void)decides;
}

static void *worker(void *argument)
{
  for (int i = 0; i < ROUNDS; i++)
    make_round(argument != NULL, i);
  return NULL;
}

int main(void)
{
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, i ? &x : NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  free(block);
  return 0;
}
