// Threads that go round for ever, through states of which each is another one than the one before. With --stateful they are known when
// they are met again. A loop that another thread can end is no mistake; one that nobody can end is a livelock where its round is known to
// come to nothing, and has no verdict otherwise.
// args: --stateful -DLEFT
// expect: safe
// args: --stateful -DLEFT --relation=-rounds
// expect: safe
// args: --stateful -DLEFT -DFAILS
// expect: unsafe assertion 36
// args: --stateful
// expect: unsafe livelock *
// args: --stateful --relation=-rounds
// expect: incomplete from it none ends
// args: --stateful -DFAILS --relation=-rounds
// expect: unsafe assertion 36
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, done;

static void *goes_round(void *argument)
{
  for (;;) {
    atomic_store(&a, (atomic_load(&a) + 1) % 4);
#ifdef LEFT
    if (atomic_load(&done))
      break;
#endif
  }
  return argument;
}
static void *looks(void *argument)
{
  int first = atomic_load(&a), second = atomic_load(&a);
#ifdef FAILS
  assert(first != 3 || second != 1);
#endif
  atomic_store(&done, first + second >= 0);
  return argument;
}

int main(void)
{
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, goes_round, NULL);
  pthread_create(&threads[1], NULL, looks, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
