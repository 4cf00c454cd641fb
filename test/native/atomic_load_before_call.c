// clang leaves a plain load behind each atomic one. What it loads looks like an argument of the call that follows, but those
// before it are not set: nobody uses it, and it is no access of the program.
// args: --cc=clang
// expect: safe
// args: --cc=clang -O0
// expect: safe
// args: --cc=clang -DPLAIN
// expect: unsafe data-race *
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) int last(int a, int b, int d, int e) {
  return a + b + d + e;
}

static void *reads(void *arg) {
  pthread_mutex_lock(&m);
  atomic_store(&x, 1);
  pthread_mutex_unlock(&m);
  int seen = atomic_load(&x);
  pthread_cond_signal(&c);
#ifdef PLAIN
  seen += last(1, 2, atomic_load(&x), *(int *)&x);
#else
  seen += last(1, 2, 3, atomic_load(&x));
#endif
  return seen ? arg : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reads, NULL);
  atomic_fetch_add(&x, 1);
  return pthread_join(t, NULL);
}
