// N threads add to one counter: every order is a trace, N!.
// args: -DN=2
// expect: safe traces=2 refined=1 full=yes
// args: -DN=3
// expect: safe traces=6 refined=1 full=yes
// args: -DN=6
// expect: safe traces=720 refined=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
static atomic_int x;

static void *worker(void *arg) {
  atomic_fetch_add(&x, 1);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(x == N);
}
