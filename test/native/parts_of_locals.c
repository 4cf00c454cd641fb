// Parts of a local variable whose address another thread has: clang does not tell of them. The thread itself reads (K=0) or writes
// (K=1) one that the other one writes or reads.
// args: -DK=0
// expect: unsafe data-race *
// args: -DK=0 -DFIXED
// expect: safe
// args: -DK=1
// expect: unsafe data-race *
// args: -DK=1 -DFIXED
// expect: safe
// args: -DK=0 --cc=clang
// expect: unsafe data-race *
// args: -DK=0 -DFIXED --cc=clang
// expect: safe
// args: -DK=1 --cc=clang
// expect: unsafe data-race *
// args: -DK=1 -DFIXED --cc=clang
// expect: safe
// args: -DK=0 --cc=clang --cflags=-O0
// expect: unsafe data-race *
// args: -DK=1 --cc=clang --cflags=-O0
// expect: unsafe data-race *
// args: -DK=1 -DFIXED --cc=clang --cflags=-O0
// expect: safe
// args: -DK=1 --cc=clang --cflags=-O2
// expect: unsafe data-race *
#include <pthread.h>

struct parts {
  int first, second[3];
  pthread_mutex_t m;
};
int seen;

static void enter(struct parts *p) {
#ifdef FIXED
  pthread_mutex_lock(&p->m);
#endif
  (void)p;
}

static void leave(struct parts *p) {
#ifdef FIXED
  pthread_mutex_unlock(&p->m);
#endif
  (void)p;
}

static void *other(void *a) {
  struct parts *p = a;
  enter(p);
#if K == 0
  p->second[1] = 5;
#else
  seen = p->second[1];
#endif
  leave(p);
  return a;
}

int main(void) {
  pthread_t t;
  struct parts p = {.m = PTHREAD_MUTEX_INITIALIZER};
  pthread_create(&t, 0, other, &p);
  enter(&p);
#if K == 0
  seen = p.second[1];
#else
  p.second[1] = 7;
#endif
  leave(&p);
  pthread_join(t, 0);
  return p.second[1] == 3;
}
