// Peterson's mutual exclusion for two threads; each enters twice. BUG: the turn is given away before the flag is raised.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int shared;

static void *worker(void *arg) {
  long me = (long)arg, other = 1 - me;
  for (int round = 0; round < 2; round++) {
#ifdef BUG
    turn = other;
    flag[me] = 1;
#else
    flag[me] = 1;
    turn = other;
#endif
    while (flag[other] && turn == other) {
    }
    shared++;
    flag[me] = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(shared == 4);
}
// compilers: clang, with its own runtime as well, makes a static variable that one function uses a local one: turn
