// Three dining philosophers; the last one takes the forks in the other order. BUG: all take the left one first.
// Traces: each fork's two users can come in either order, 2^3; the two cyclic ones of those eight are impossible, as each
// holds both forks at once: 6.
// expect: safe traces=4 observations=6
// args: -DBUG
// expect: unsafe deadlock 23|35
// args: --relation=published
// expect: safe traces=6
#include <assert.h>
#include <pthread.h>

#define N 3
static pthread_mutex_t fork_lock[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals[N];

static void *philosopher(void *arg) {
  long me = (long)arg, left = me, right = (me + 1) % N;
#ifndef BUG
  if (me == N - 1)
    left = 0, right = me;
#endif
  pthread_mutex_lock(&fork_lock[left]);
  pthread_mutex_lock(&fork_lock[right]);
  meals[me]++;
  pthread_mutex_unlock(&fork_lock[right]);
  pthread_mutex_unlock(&fork_lock[left]);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(meals[0] + meals[1] + meals[2] == N);
}
