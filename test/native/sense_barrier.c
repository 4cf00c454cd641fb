// A barrier that turns its sense round, used three times. BUG: the count is reset only after the others are let go: one of
// them may have come to the next barrier already, and its count is lost.
// expect: safe
// args: -DBUG
// expect: unsafe livelock 25|48
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 2
static atomic_int waiting, sense;
static int step[N];

static void barrier(int *my_sense) {
  *my_sense = !*my_sense;
  if (atomic_fetch_add(&waiting, 1) == N - 1) {
#ifdef BUG
    sense = *my_sense;
    waiting = 0;
#else
    waiting = 0;
    sense = *my_sense;
#endif
  } else {
    while (sense != *my_sense) {
    }
  }
}

static void *worker(void *arg) {
  long me = (long)arg;
  int my_sense = 0;
  step[me] = 1;
  barrier(&my_sense);
  assert(step[1 - me] == 1);
  barrier(&my_sense);
  step[me] = 2;
  barrier(&my_sense);
  assert(step[1 - me] == 2);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
