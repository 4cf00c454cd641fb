// Of a copy `to = from` the read comes first, also where gcc tells of the write before: others may come in between, where races
// are no errors. SIZE words: one register, vectors, and what is copied by one instruction. COMPOUND: one instruction of the
// program's own that reads and writes, without a lock: an update is lost.
// expect: unsafe data-race *
// args: --races=ignore
// expect: unsafe assertion 61
// args: --races=ignore -DSIZE=1
// expect: unsafe assertion 61
// args: --races=ignore -DSIZE=2
// expect: unsafe assertion 61
// args: --races=ignore -DSIZE=3
// expect: unsafe assertion 61
// args: --races=ignore -DSIZE=40
// expect: unsafe assertion 61
// args: --races=ignore -DSIZE=40 -O2
// expect: unsafe assertion 61
// args: --races=ignore -O2
// expect: unsafe assertion 61
// args: --races=ignore --cc=clang
// expect: unsafe assertion 61
// args: --races=ignore -DLOCKED
// expect: safe full=yes
// args: --races=ignore -DLOCKED -DSIZE=40
// expect: safe full=yes
// args: -DLOCKED -DSIZE=40
// expect: safe
// args: --races=ignore -DCOMPOUND
// expect: unsafe assertion 59
// args: --races=ignore -DCOMPOUND --cc=clang
// expect: unsafe assertion 59
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 4
#endif
#ifdef LOCKED
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
#else
#define LOCK (void)0
#define UNLOCK (void)0
#endif

static struct {
  long words[SIZE];
} to, from;
static int count;

static void increment(void) {
#ifdef COMPOUND
  __asm__ volatile("incl %0" : "+m"(count) : : "cc");
#endif
}

static void compare(void) {
#ifdef COMPOUND
  assert(count == 2);
#endif
  assert(to.words[0] != 0); /* the old one, written after the 5 */
}

static void *change(void *a) {
  increment();
  LOCK;
  from.words[0] = 1;
  to.words[0] = 5;
  UNLOCK;
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, change, 0);
  LOCK;
  to = from;
  UNLOCK;
  increment();
  pthread_join(t, 0);
  compare();
  return 0;
}
