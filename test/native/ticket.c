// Ticket lock, three threads. BUG: drawing a ticket takes two steps: two may have the same one, and enter
// together or wait for ever.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 24 or livelock 22|34
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
static atomic_uint next_ticket, now_serving;
static int shared;

static void *worker(void *arg) {
  (void)arg;
#ifdef BUG
  unsigned mine = next_ticket;
  next_ticket = mine + 1;
#else
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
#endif
  while (now_serving != mine) {
  }
  shared++;
  atomic_fetch_add(&now_serving, 1);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(shared == N);
}
