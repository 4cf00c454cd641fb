// A loop that waits for the last of N values: whoever would read another one does not read at all. So it is whether the loop reads an
// atomic variable, a volatile or a plain one (races are no errors then), and whatever is destroyed behind it.
// args: -DN=12
// expect: safe traces=1
// args: -DN=100
// expect: safe traces=1
// args: -DN=12 -DKEPT
// expect: safe traces=1
// args: -DN=12 -DDESTROYED
// expect: safe traces=1
// args: -DN=12 -DVOLATILE --check=assertions
// expect: safe traces=1
// args: -DN=12 -DTYPE=int --check=assertions
// expect: safe traces=1
// args: -DN=12 -DNEVER
// expect: unsafe livelock *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef VOLATILE
#define TYPE volatile int
#endif
#ifndef TYPE
#define TYPE atomic_int
#endif
static TYPE x;
static int data, *block;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *argument)
{
#ifdef DESTROYED
  pthread_mutex_lock(&mutex);
  *block = 1;
  pthread_mutex_unlock(&mutex);
#endif
  data = 1;
  for (int i = 1; i <= N; i++)
    x = i;
  return argument;
}

int main(void)
{
  pthread_t thread;
  block = malloc(sizeof *block);
  pthread_create(&thread, NULL, count, NULL);
#ifdef NEVER
  while (x != N + 1)
    ;
#elif defined KEPT
  for (int seen;;)
    if ((seen = x) == N)
      break;
#else
  while (x != N)
    ;
#endif
  assert(data == 1);
  pthread_mutex_destroy(&mutex);
  free(block);
  pthread_join(thread, NULL);
}
