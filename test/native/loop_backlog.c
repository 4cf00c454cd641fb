// A queue that is not empty at the boundary: each iteration appends a block and frees the oldest of two. The room of
// those that were freed is used again, so that there are only so many states. LATE: the oldest one is used after it was
// freed, in the iteration after that.
// expect: safe
// args: -DLATE
// expect: unsafe memory 20
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>

static int *oldest, *newest, *freed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void turn(int value) {
  pthread_mutex_lock(&lock);
  int *block = malloc(sizeof *block);
  *block = value;
#ifdef LATE
  if (freed)
    value = *(volatile int *)freed; // not left out, though nobody looks at it
#endif
  if (newest) {
    free(oldest);
    freed = oldest;
  }
  oldest = newest;
  newest = block;
  pthread_mutex_unlock(&lock);
}

static void *other(void *arg) {
  for (;;) {
    mz_loop_boundary();
    turn(1);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  for (;;) {
    mz_loop_boundary();
    turn(2);
  }
}
