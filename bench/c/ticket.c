// Ticket lock, N threads. The tickets can be drawn in N! orders; how many traces there are beyond that depends on how often
// those who wait look.
// args: -DN=2
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
static atomic_uint next_ticket, now_serving;
static int shared;

static void *worker(void *arg) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (now_serving != mine) {
  }
  shared++;
  now_serving = mine + 1;
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(shared == N);
}
