// N dining philosophers; the last one takes the right fork first. Each fork's two users can come in either order, but not
// all in a circle. Traces: 2^N - 2 (2 for N = 2). With -DBUG all take the left one first and may wait for ever.
// args: -DN=2
// expect: safe traces=2
// One fork is always the second one of its users, and what they do with it does not conflict: without the order of these
// sections the others are no circle, 2^(N - 1).
// args: -DN=5
// expect: safe traces=16 observations=30
// args: -DN=5 --relation=published
// expect: safe traces=30
// args: -DN=3 -DBUG
// expect: unsafe deadlock 29|42
#include <pthread.h>

#ifndef N
#define N 5
#endif
static pthread_mutex_t fork_lock[N];

static void *philosopher(void *arg) {
  long me = (long)arg, first = me, second = (me + 1) % N;
#ifndef BUG
  if (me == N - 1) {
    first = (me + 1) % N;
    second = me;
  }
#endif
  pthread_mutex_lock(&fork_lock[first]);
  pthread_mutex_lock(&fork_lock[second]);
  pthread_mutex_unlock(&fork_lock[second]);
  pthread_mutex_unlock(&fork_lock[first]);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&fork_lock[i], NULL);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
